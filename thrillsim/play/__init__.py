"""Driving games: the table, the record, matches.  May import players, games and physics."""
