"""thrillsim: if this disk goes in here, what falls?"""
