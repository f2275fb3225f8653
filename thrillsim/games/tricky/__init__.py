"""Tricky (Geizen): the whole game, 2 to 5 players.  May import bidding.

`types` holds the values, `board` the columns as data, `rules` the course of the
game, `tell` the words.
"""

from __future__ import annotations

from thrillsim.games.tricky.board import BOARD, Board, Column
from thrillsim.games.tricky.rules import Tricky
from thrillsim.games.tricky.types import Keep, Options, Place, State, View

__all__ = ["BOARD", "Board", "Column", "Keep", "Options", "Place", "State", "Tricky", "View"]
