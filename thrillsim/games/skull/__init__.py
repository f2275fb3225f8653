"""Skull: the whole game, 3 to 6 players.  May import bidding.

`types` holds the values, `rules` the course of the game, `tell` the words.
"""

from __future__ import annotations

from thrillsim.games.skull.rules import Skull
from thrillsim.games.skull.types import (
    FLOWER,
    SKULL,
    Bid,
    Box,
    Discs,
    Flip,
    Lay,
    Options,
    Pass,
    Seen,
    Start,
    State,
    View,
)

__all__ = [
    "FLOWER",
    "SKULL",
    "Bid",
    "Box",
    "Discs",
    "Flip",
    "Lay",
    "Options",
    "Pass",
    "Seen",
    "Skull",
    "Start",
    "State",
    "View",
]
