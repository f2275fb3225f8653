"""Thrill: the rules of the base game and the variant.  May import bidding and board value types.

`types` holds the values, `placing` the described set of placements, `money` who
pays what, `rules` the course of the game, `tell` the words.
"""

from __future__ import annotations

from thrillsim.games.thrill.rules import Thrill
from thrillsim.games.thrill.types import (
    ALL_DISKS,
    KIND_OF,
    KINDS,
    PRICE,
    Announce,
    Arrange,
    Arranged,
    Bid,
    Cash,
    Fallen,
    GiveUp,
    Lifted,
    Lifting,
    Options,
    Place,
    Pushed,
    Pushing,
    Round,
    Row,
    Show,
    State,
    Table,
    TurnBoard,
    Turned,
    Turning,
    View,
    Wager,
)

__all__ = [
    "ALL_DISKS",
    "KINDS",
    "KIND_OF",
    "PRICE",
    "Announce",
    "Arrange",
    "Arranged",
    "Bid",
    "Cash",
    "Fallen",
    "GiveUp",
    "Lifted",
    "Lifting",
    "Options",
    "Place",
    "Pushed",
    "Pushing",
    "Round",
    "Row",
    "Show",
    "State",
    "Table",
    "Thrill",
    "TurnBoard",
    "Turned",
    "Turning",
    "View",
    "Wager",
]
