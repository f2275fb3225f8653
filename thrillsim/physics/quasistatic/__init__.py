"""The quasi-static engine: the limit of slow pushing, compiled (see docs/physics.md).

    engine    arrays in, result out             kernel    steps, events, falls
    solver    Newton and the interior path      law       contacts and friction of one iteration
    patch     friction of a contact patch       compiled  twins of the board's and the pressure's functions
    state     the arrays
"""
