"""Shake It! (liar's dice on a track), base game and extension.  May import bidding.

`types` holds the values, `track` the board as data, `rules` the course of the game, `tell` the words.
"""

from __future__ import annotations

from thrillsim.games.shakeit.rules import ShakeIt
from thrillsim.games.shakeit.track import NUMBERS, STAR, Track, order
from thrillsim.games.shakeit.types import Bet, Dispute, Doubt, LayOut, Options, State, View

__all__ = [
    "NUMBERS",
    "STAR",
    "Bet",
    "Dispute",
    "Doubt",
    "LayOut",
    "Options",
    "ShakeIt",
    "State",
    "Track",
    "View",
    "order",
]
