"""Skull's values: options, discs, actions, state and view.  May import bidding; nothing here decides.

Every player has his own discs for the whole game; a disc is its face, and the
two faces are "flower" and "skull".
"""

from __future__ import annotations

from collections import Counter
from typing import Literal

import msgspec

from thrillsim.bidding import OpenBidding, Sealed, Seats
from thrillsim.errors import InputError
from thrillsim.games.protocol import Drawn

Face = Literal["flower", "skull"]
FLOWER: Face = "flower"
SKULL: Face = "skull"
ALL_DISCS: tuple[Face, ...] = (FLOWER, FLOWER, FLOWER, SKULL)  # SKU-01

Mat = Literal["plain", "flower", "gone"]
Known = Literal["yes", "no", "open"]
Phase = Literal["first", "lay", "bid", "flip", "draw", "box", "start", "over"]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How Skull is played.

    Parameters
    ----------
    first_player
        Seat of the first player of round 1 (SKU-A01).
    min_players
        Fewest players allowed; 2 on request (SKU-A14).
    """

    first_player: int = 0
    min_players: Literal[2, 3] = 3

    def __post_init__(self) -> None:
        if self.first_player < 0:
            raise InputError(f"must be >= 0, got {self.first_player}", key="first_player")


# --- actions --------------------------------------------------------------------------


class Lay(msgspec.Struct, frozen=True, tag="lay"):
    """Lay a disc from the hand face down on top of the own stack (SKU-02, SKU-04)."""

    face: Face


class Bid(msgspec.Struct, frozen=True, tag="bid"):
    """Say how many discs one would flip without meeting a skull (SKU-06, SKU-08)."""

    count: int


class Pass(msgspec.Struct, frozen=True, tag="pass"):
    """Leave the bidding of this round (SKU-09)."""


class Flip(msgspec.Struct, frozen=True, tag="flip"):
    """The challenger flips the topmost face-down disc of a player (SKU-12)."""

    owner: int


class Box(msgspec.Struct, frozen=True, tag="box"):
    """The challenger puts one of his own discs into the box (SKU-16)."""

    face: Face


class Start(msgspec.Struct, frozen=True, tag="start"):
    """An eliminated challenger names the first player of the next round (SKU-19)."""

    seat: int


Action = Lay | Bid | Pass | Flip | Box | Start
Outcome = Drawn
"""The only chance event: which of the challenger's shuffled discs is drawn (SKU-15)."""


# --- state ----------------------------------------------------------------------------


class Discs(msgspec.Struct, frozen=True):
    """The four discs of one player; they change place, never number or face.

    `hand` and `box` are sorted, flowers first; `stack` lies on the mat, bottom
    first; `flipped` of it are face up, counted from the top.
    """

    hand: tuple[Face, ...] = ALL_DISCS
    stack: tuple[Face, ...] = ()
    flipped: int = 0
    box: tuple[Face, ...] = ()

    @property
    def left(self) -> tuple[Face, ...]:
        """All discs still in the game, sorted."""
        return tuple(sorted(self.hand + self.stack))

    @property
    def hidden(self) -> int:
        """How many discs on the mat are face down."""
        return len(self.stack) - self.flipped

    @property
    def shown(self) -> tuple[Face, ...]:
        """The faces that have been flipped, first flipped first."""
        return tuple(reversed(self.stack[self.hidden :]))

    def lay(self, face: Face) -> Discs:
        """SKU-04: one more disc on top."""
        return Discs(_minus(self.hand, face), (*self.stack, face), 0, self.box)

    def flip(self) -> Discs:
        """SKU-12: the topmost face-down disc turned up."""
        return Discs(self.hand, self.stack, self.flipped + 1, self.box)

    def gather(self) -> Discs:
        """SKU-18: the stack taken back into the hand."""
        return Discs(self.left, (), 0, self.box)

    def lose(self, face: Face) -> Discs:
        """SKU-15, SKU-16: everything gathered, one disc put into the box."""
        return Discs(_minus(self.left, face), (), 0, tuple(sorted((*self.box, face))))


class State(msgspec.Struct, frozen=True):
    """A whole game between two events.

    `skulls` says, by seat, what everybody at the table can conclude about whether
    the player still has his skull; `lost` how each of his discs went to the box.
    `said` is the last bid of each seat in this round (0: none).
    """

    options: Options
    seats: Seats
    discs: tuple[Discs, ...]
    mats: tuple[Mat, ...]
    first: int
    turn: int
    phase: Phase = "first"
    round: int = 1
    laying: Sealed[Face] = Sealed(())
    bidding: OpenBidding | None = None
    said: tuple[int, ...] = ()
    skulls: tuple[Known, ...] = ()
    lost: tuple[tuple[Literal["drawn", "chosen"], ...], ...] = ()
    winner: int | None = None

    @property
    def in_play(self) -> int:
        """SKU-06: the number of discs on all mats."""
        return sum(len(discs.stack) for discs in self.discs)

    @property
    def flipped(self) -> int:
        """How many of them are face up."""
        return sum(discs.flipped for discs in self.discs)

    @property
    def standing(self) -> int:
        """The standing bid, 0 before the first."""
        return self.bidding.standing.count if self.bidding and self.bidding.standing else 0

    @property
    def bidder(self) -> int | None:
        """Whose bid stands; the challenger once the bidding is over (SKU-10)."""
        return self.bidding.bidder if self.bidding else None


# --- view -----------------------------------------------------------------------------


class Seen(msgspec.Struct, frozen=True):
    """What everybody sees of one player.

    `laid` discs are on the mat, of which `shown` are face up (first flipped
    first); `left` are in the game at all.  `bid` is 0 before the first one.
    """

    left: int
    laid: int
    shown: tuple[Face, ...]
    mat: Mat
    bid: int
    passed: bool
    skull: Known
    lost: tuple[Literal["drawn", "chosen"], ...]

    @property
    def hidden(self) -> int:
        """Face-down discs on the mat."""
        return self.laid - len(self.shown)


class View(msgspec.Struct, frozen=True):
    """All that one seat may know: what is open to all, and its own `hand`, `stack` (bottom first) and `box`.

    `chosen` is its own first disc while the others still choose; `to_flip` is
    how many discs the challenger has still to flip.
    """

    options: Options
    seat: int
    living: tuple[int, ...]
    round: int
    phase: Phase
    first: int
    turn: int
    standing: int
    bidder: int | None
    to_flip: int
    table: tuple[Seen, ...]
    hand: tuple[Face, ...]
    stack: tuple[Face, ...]
    box: tuple[Face, ...]
    chosen: Face | None
    winner: int | None


def _minus(discs: tuple[Face, ...], face: Face) -> tuple[Face, ...]:
    left = Counter(discs)
    if not left[face]:
        raise ValueError(f"no {face} among {discs}")
    left[face] -= 1
    return tuple(sorted(left.elements()))
