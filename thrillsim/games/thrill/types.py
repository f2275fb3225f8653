"""Thrill's values: options, disks, actions, outcomes, state and view.

May import bidding and the value types of board.  Everything is frozen; nothing
here decides anything.  Disks are numbers: 0 .. 31, big ones first, then medium,
then small; the same disk keeps its number all game.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from thrillsim.bidding import Sealed, Seats, Stakes
from thrillsim.board import THRILL_KINDS, Weight
from thrillsim.errors import InputError, limits_of

KINDS = tuple(kind.name for kind in THRILL_KINDS)  # THR-01: big, medium, small
PRICE = tuple(kind.price for kind in THRILL_KINDS)  # THR-16: 3, 2, 1
KIND_OF: tuple[int, ...] = tuple(i for i, kind in enumerate(THRILL_KINDS) for _ in range(kind.count))
"""Kind of each disk: an index into `KINDS`."""
ALL_DISKS = tuple(range(len(KIND_OF)))

CHIPS = 10  # THR-05: big chips of each player at the start
BIG_CHIPS, SMALL_CHIPS = 60, 15  # THR-01
WAGER_CARDS_EACH, WEIGHT_CARDS = 12, 12  # THR-01: of either wager, and weight cards
CARDS_DEALT = 2  # THR-23: of each of the three sorts
EXCHANGE = 3  # THR-30: small chips for one big one

Falling = Literal["push", "weight_removal", "rotation"]
Row = tuple[int, float, float, float]
"""Where a disk lies: number, x, y (mm), angle (rad).  The rules carry rows along and never read them."""


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How Thrill is played; every ruling with a choice has its option.

    Parameters
    ----------
    variant
        With weight cards, wager cards and small chips (THR-23).
    min_players
        Two players are legal (THR-A04); 3 refuses them.
    first_boss
        Seat of the first Disk Boss, the youngest player (THR-07, THR-A29).
    empty_reserve
        When no disk is left to choose (THR-A05): the Boss takes one off the playing surface, the push is
        skipped (then `max_rounds` is needed: nothing could ever fall again), or the game ends undecided.
    max_rounds
        End undecided after so many rounds; None plays on (THR-A06).
    settle_order
        Payment or wagers first (THR-A10).
    cash_in
        When three small chips become a big one (THR-A11): "auto_when_needed" to stay solvent and otherwise
        when the owner says so, "immediate" as soon as there are three, "manual" only when the owner says so.
    small_chip_limit
        Whether the 15 small chips can run out (THR-A12).
    max_wagers_per_push
        Wager cards a player may play on one push (THR-A14).
    wager_counts
        Which falls decide the wagers (THR-A15).
    rotation
        Whether Max may turn the board before he pushes (THR-22, THR-A16).
    """

    variant: bool = False
    min_players: Literal[2, 3] = 2
    first_boss: int = 0
    empty_reserve: Literal["take_from_board", "skip_push", "draw"] = "take_from_board"
    max_rounds: int | None = None
    settle_order: Literal["payment_first", "wagers_first"] = "payment_first"
    cash_in: Literal["auto_when_needed", "immediate", "manual"] = "auto_when_needed"
    small_chip_limit: bool = True
    max_wagers_per_push: int = 1
    wager_counts: tuple[Falling, ...] = ("push", "weight_removal", "rotation")
    rotation: bool = False

    def __post_init__(self) -> None:
        if self.max_rounds is not None and self.max_rounds < 1:
            raise InputError(f"must be >= 1 or none, got {self.max_rounds}", key="max_rounds")
        if not 0 <= self.max_wagers_per_push <= 2 * CARDS_DEALT:
            reason = f"must be {limits_of(ge=0, le=2 * CARDS_DEALT)}, got {self.max_wagers_per_push}"
            raise InputError(reason, key="max_wagers_per_push")
        if "push" not in self.wager_counts:
            raise InputError("must name push at least", key="wager_counts")
        if self.empty_reserve == "skip_push" and self.max_rounds is None:
            reason = "skip_push needs max_rounds: with nothing to push it would never end"
            raise InputError(reason, key="empty_reserve")
        if self.first_boss < 0:
            raise InputError(f"must be >= 0, got {self.first_boss}", key="first_boss")


# --- actions --------------------------------------------------------------------------


class Show(msgspec.Struct, frozen=True, tag="show"):
    """The Disk Boss displays a disk of the reserve (THR-08), or one off the board (THR-A05)."""

    disk: int


class Bid(msgspec.Struct, frozen=True, tag="bid"):
    """So many chips in the closed hand (THR-09)."""

    chips: int


class Announce(msgspec.Struct, frozen=True, tag="announce"):
    """Max says, bindingly, whether he plays a weight card (THR-24)."""

    weight: bool


class Wager(msgspec.Struct, frozen=True, tag="wager"):
    """Wager cards played face down: how many "no disk falls", how many "at least one falls" (THR-24)."""

    stay: int = 0
    fall: int = 0


class TurnBoard(msgspec.Struct, frozen=True, tag="turn_board"):
    """Max turns the board by quarter turns to the left (0: not at all), carefully or briskly (THR-22)."""

    quarters: int = 0
    pace: Literal["careful", "brisk"] = "careful"


class Place(msgspec.Struct, frozen=True, tag="place"):
    """Max puts the new disk at (x, y) mm and, if announced, the weight on a disk (THR-14, THR-26).

    `dx`, `dy`: centre of the weight minus centre of its disk, mm.
    """

    x: float
    y: float
    weight: int | None = None
    dx: float = 0.0
    dy: float = 0.0


class Cash(msgspec.Struct, frozen=True, tag="cash"):
    """Exchange three small chips for a big one (THR-30, THR-A35)."""


class GiveUp(msgspec.Struct, frozen=True, tag="give_up"):
    """Max, who could still cash in, does not, and is out (THR-A11, ``cash_in="manual"`` only)."""


Action = Show | Bid | Announce | Wager | TurnBoard | Place | Cash | GiveUp


# --- chance: what is asked, what comes back ---------------------------------------------


class Table(msgspec.Struct, frozen=True):
    """What the rules must know of the board: where a disk may be put and what is how large (mm).

    Parameters
    ----------
    zone
        x from, x to, y from, y to, for the whole footprint of a new disk (THR-14).
    radii
        Of the kinds, in the order of `KINDS`.
    weight_radius
        Of the weight.
    board
        Which board it is, by name or file: for players who want to try a push themselves.
    """

    zone: tuple[float, float, float, float] = (-80.0, 0.0, -110.0, 110.0)
    radii: tuple[float, ...] = tuple(kind.radius for kind in THRILL_KINDS)
    weight_radius: float = Weight().radius
    board: str = "default"


class Arrange(msgspec.Struct, frozen=True, tag="arrange"):
    """Asked: how do these disks lie on the playing surface at the start (THR-03, THR-04)?"""

    disks: tuple[int, ...]


class Arranged(msgspec.Struct, frozen=True, tag="arranged"):
    """They lie like this.  An empty layout means: nobody looked (games without physics)."""

    layout: tuple[Row, ...] = ()
    table: Table = Table()


class Turning(msgspec.Struct, frozen=True, tag="turning"):
    """Asked: what falls when the board is turned so (THR-22)?"""

    turn: TurnBoard
    on_board: tuple[int, ...]
    layout: tuple[Row, ...]


class Turned(msgspec.Struct, frozen=True, tag="turned"):
    """These fell, and so lies the rest."""

    fallen: tuple[int, ...] = ()
    layout: tuple[Row, ...] = ()


class Pushing(msgspec.Struct, frozen=True, tag="pushing"):
    """Asked: what falls in this push, always carried through to the blocking edge (THR-15, THR-A24)?"""

    disk: int
    place: Place
    on_board: tuple[int, ...]
    layout: tuple[Row, ...]


class Pushed(msgspec.Struct, frozen=True, tag="pushed"):
    """What fell, in order, and how the rest lies while the weight, if any, still stands.

    Parameters
    ----------
    fallen
        Disks that fell in the push; the new disk counts too (THR-16).  One that hangs over the edge
        and is still held has not fallen (THR-A20): whoever answers decides that.
    under_weight
        The weighted disk fell with the weight on it (THR-27, THR-A22).
    placing
        Disks that fell while the weight was being put down (THR-A17).
    layout
        All disks still on the board, the new one included.
    """

    fallen: tuple[int, ...] = ()
    under_weight: bool = False
    placing: tuple[int, ...] = ()
    layout: tuple[Row, ...] = ()


class Lifting(msgspec.Struct, frozen=True, tag="lifting"):
    """Asked: does the weighted disk fall when the weight is taken off (THR-28)?"""

    place: Place
    layout: tuple[Row, ...]


class Lifted(msgspec.Struct, frozen=True, tag="lifted"):
    """Whether it fell.  Only the weighted disk can (THR-A33)."""

    fell: bool = False
    layout: tuple[Row, ...] = ()


Request = Arrange | Turning | Pushing | Lifting
Outcome = Arranged | Turned | Pushed | Lifted


# --- the state -------------------------------------------------------------------------

Phase = Literal[
    "set_up", "choose", "bid", "announce", "wager", "turn", "turning", "place", "push", "lift", "pay", "over"
]


class Fallen(msgspec.Struct, frozen=True):
    """A disk that fell in this round and what Max owes for it."""

    disk: int
    price: int
    during: Literal["rotation", "placing", "push", "weight_removal"]


class Round(msgspec.Struct, frozen=True):
    """A finished round, as everybody at the table saw it.

    Parameters
    ----------
    shown
        The disk the Boss displayed; None when the reserve was empty and the push skipped.
    bids
        By seat; -1 for seats that were out already.
    weight
        Whether the weight was used.
    fallen
        What fell, in order.
    cost
        What the pusher owed; `paid` is less only if he went out.
    wagers
        (seat, "no disk falls" cards, "at least one falls" cards, right cards) of those who played any.
    cashed
        Seats that exchanged small chips in this round, once per exchange.
    """

    number: int
    boss: int
    shown: int | None
    bids: tuple[int, ...]
    pusher: int
    weight: bool = False
    fallen: tuple[Fallen, ...] = ()
    cost: int = 0
    paid: int = 0
    out: bool = False
    wagers: tuple[tuple[int, int, int, int], ...] = ()
    cashed: tuple[int, ...] = ()


class State(msgspec.Struct, frozen=True):
    """All of a game of Thrill.

    Parameters
    ----------
    stakes
        Kinds big, small (chips), stay, fall (wager cards), weight (cards); owners are the seats, "pile"
        (chips lost), "bank" (small chips), "box" (unused material), "out" (cards removed from the game).
    on_board, reserve
        Disk numbers, ascending.
    owed
        What Max still has to pay for falls of this round.
    pending
        What has still to be settled in this round, in order: "pay" and "wagers".
    """

    options: Options
    seats: Seats
    stakes: Stakes
    phase: Phase
    round: int
    boss: int
    on_board: tuple[int, ...]
    reserve: tuple[int, ...]
    layout: tuple[Row, ...] = ()
    table: Table = Table()
    shown: int | None = None
    bids: Sealed[int] = Sealed(())
    pusher: int | None = None
    weight: bool = False
    wagers: Sealed[Wager] = Sealed(())
    turn: TurnBoard | None = None
    place: Place | None = None
    fallen: tuple[Fallen, ...] = ()
    owed: int = 0
    paid: int = 0
    pending: tuple[Literal["pay", "wagers"], ...] = ()
    settled: tuple[tuple[int, int, int, int], ...] = ()
    cashed: tuple[int, ...] = ()
    eliminated: tuple[int, ...] = ()
    history: tuple[Round, ...] = ()


class View(msgspec.Struct, frozen=True):
    """What one seat may know (THR-21): no chips but its own, no face-down wager but its own.

    Parameters
    ----------
    seat
        Whose view it is.
    chips, small
        Its own big and small chips.
    cards
        (seat, "no disk falls", "at least one falls", weight cards) still held, of everybody still in: used
        and lost cards are seen by all.
    bids
        By seat, once they are revealed; before that only the own one, -1 for all others.
    wagered
        Cards lying face down before each seat, once all have decided.
    my_wager
        The own ones.
    cashed
        Seats that exchanged small chips in this round (THR-A35).
    history
        The rounds so far, as all have seen them.
    """

    options: Options
    players: int
    seat: int
    living: tuple[int, ...]
    phase: Phase
    round: int
    boss: int
    pusher: int | None
    chips: int
    small: int
    cards: tuple[tuple[int, int, int, int], ...]
    on_board: tuple[int, ...]
    reserve: tuple[int, ...]
    shown: int | None
    layout: tuple[Row, ...]
    table: Table
    bids: tuple[int, ...]
    weight: bool
    wagered: tuple[int, ...]
    my_wager: Wager | None
    fallen: tuple[Fallen, ...]
    owed: int
    cashed: tuple[int, ...]
    eliminated: tuple[int, ...]
    history: tuple[Round, ...]
