"""Tricky's values: options, actions, state and view.  May import bidding; nothing here decides."""

from __future__ import annotations

from typing import Literal

import msgspec

from thrillsim.bidding import Seats, Stakes
from thrillsim.errors import InputError
from thrillsim.games.protocol import Rolled
from thrillsim.games.tricky.board import BOARD, Board

DICE = 5
SIDES = 6
START = {2: 18, 3: 22, 4: 25, 5: 25}  # TRK-01: chips of each player
LOAN = 5  # TRK-12
CHIP = "chip"
STOCK = "stock"

Phase = Literal["throw", "keep", "place", "over"]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How Tricky is played.

    Parameters
    ----------
    first_player
        Seat of the first player (TRK-A14).
    order
        Who says in which order dice are placed (TRK-A01): the active player, or the numbers, ascending.
    end_check
        Whose having no chips ends the game at the end of a turn (TRK-A05): the active player's, or anybody's.
    empty_stock
        A yellow space while the general stock is empty (TRK-A10): the player pays it, or the die cannot be
        placed.
    board
        The columns; from the command line the name of a TOML file.
    """

    first_player: int = 0
    order: Literal["player", "ascending"] = "player"
    end_check: Literal["active", "any"] = "active"
    empty_stock: Literal["own", "skip"] = "own"
    board: Board = BOARD

    def __post_init__(self) -> None:
        if self.first_player < 0:
            raise InputError(f"must be >= 0, got {self.first_player}", key="first_player")


class Keep(msgspec.Struct, frozen=True, tag="keep"):
    """Set these dice of the throw aside, faces ascending (TRK-03)."""

    faces: tuple[int, ...]


class Place(msgspec.Struct, frozen=True, tag="place"):
    """Place one die of this face on its column (TRK-05)."""

    face: int


Action = Keep | Place
Outcome = Rolled
"""The only chance event: a throw (TRK-02)."""


class State(msgspec.Struct, frozen=True):
    """A whole game between two events.

    `stakes` holds the chips of the seats, of the general stock and of the
    columns (named "column 1" ..); `filled` how many spaces of each column carry
    chips.  `thrown` are the dice that lie there, `kept` the ones set aside and
    not placed yet, both ascending.
    """

    options: Options
    seats: Seats
    stakes: Stakes
    filled: tuple[int, ...]
    active: int
    turns: int = 1
    phase: Phase = "throw"
    thrown: tuple[int, ...] = ()
    kept: tuple[int, ...] = ()
    borrowed: int = 0

    def chips(self, seat: int) -> int:
        """The chips in front of a player."""
        return self.stakes.held(seat, CHIP)

    @property
    def stock(self) -> int:
        """The general stock."""
        return self.stakes.held(STOCK, CHIP)


class View(msgspec.Struct, frozen=True):
    """All that a seat may know: everything, for nothing is hidden in Tricky."""

    options: Options
    seat: int
    turns: int
    phase: Phase
    active: int
    chips: tuple[int, ...]
    stock: int
    filled: tuple[int, ...]
    thrown: tuple[int, ...]
    kept: tuple[int, ...]
    borrowed: int


def column(face: int) -> str:
    """The owner, in the stakes, of the chips on a column."""
    return f"column {face}"
