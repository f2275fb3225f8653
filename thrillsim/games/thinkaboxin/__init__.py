"""Thinkaboxin: five games of hidden dice on one course of rounds and sets.  May import bidding.

`course` has rounds, sets and races; `nuggets`, `goldrush`, `sheriff`, `lastman` and `rattlesnakes` one mode
each; `board` and `snakes` the squares of the last; `rules` puts them together, `tell` has the words.
"""

from __future__ import annotations

from thrillsim.games.thinkaboxin.board import Board
from thrillsim.games.thinkaboxin.rules import MODES, Thinkaboxin
from thrillsim.games.thinkaboxin.types import (
    VALUES,
    WILD,
    Call,
    Duel,
    Duels,
    Lift,
    Lifted,
    Options,
    Place,
    Purse,
    RemoveOther,
    RemoveOwn,
    Scores,
    Snakes,
    Stake,
    State,
    Stop,
    View,
    Way,
)

__all__ = [
    "MODES",
    "VALUES",
    "WILD",
    "Board",
    "Call",
    "Duel",
    "Duels",
    "Lift",
    "Lifted",
    "Options",
    "Place",
    "Purse",
    "RemoveOther",
    "RemoveOwn",
    "Scores",
    "Snakes",
    "Stake",
    "State",
    "Stop",
    "Thinkaboxin",
    "View",
    "Way",
]
