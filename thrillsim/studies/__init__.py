"""Monte Carlo studies: a scenario, its trials, the raw results and what they say.  No printing, no pictures."""
