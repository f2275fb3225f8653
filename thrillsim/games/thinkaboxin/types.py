"""Thinkaboxin's values: options, actions, state and view.  May import bidding.  Nothing here decides."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from thrillsim.bidding import Bid, Cup, OpenBidding, Seats, Stakes
from thrillsim.games.protocol import Happened, Rolled
from thrillsim.games.thinkaboxin.board import Board

DICE = 4  # THK-01, THK-02
WILD = 1  # THK-04
VALUES = (2, 3, 4, 5, 6, 1)  # THK-03

Mode = Literal["nuggets", "goldrush", "sheriff", "last_man", "rattlesnakes"]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How Thinkaboxin is played; every ruling with a choice has its option.

    Parameters
    ----------
    mode
        Which of the five games.
    first_player
        Seat of the youngest player, who starts (THK-06).
    raise_rule
        Neither amount nor value may drop, or the amount alone decides first (THK-A01).
    donkey_prob
        Probability that a player's dice fall out or lie on one another, per player and check (THK-A11).
    donkey_at
        When that is checked: after every shake, or also before every turn up to the lift (THK-A44).
    max_sets
        Nuggets and Rattlesnakes end after so many sets if nobody has won (THK-A46, THK-A47).
    board
        Another Rattlesnakes board, from a TOML file with `rows`.
    adjacency
        Rattlesnakes: squares touch along sides (4), or at corners too (8).
    pit_model
        Rattlesnakes: orange squares are the mouths around a pit, or the pit is only a passage between the
        ordinary squares beside it (THK-67).
    pit_reuse
        A pit may not be entered right after coming out there, or only once per snake (THK-A39).
    must_place
        Whether all parts earned have to be placed as long as there is room (THK-A29).
    freed_squares_reusable
        Whether a square freed by removal may be used again (THK-A32).
    own_removal
        Which own part a set winner may take off: the head, or any (THK-A33).
    opp_removal
        Which opponents' parts: beside the own head, or beside any own part (THK-A34).
    """

    mode: Mode = "nuggets"
    first_player: Annotated[int, msgspec.Meta(ge=0, le=5)] = 0
    raise_rule: Literal["componentwise", "lexicographic"] = "componentwise"
    donkey_prob: Annotated[float, msgspec.Meta(ge=0, lt=1)] = 0.0
    donkey_at: Literal["shake", "turn"] = "shake"
    max_sets: Annotated[int, msgspec.Meta(ge=1)] = 1000
    board: Board | None = None
    adjacency: Literal[4, 8] = 4
    pit_model: Literal["mouths", "passage"] = "mouths"
    pit_reuse: Literal["not_immediate", "once"] = "not_immediate"
    must_place: bool = False
    freed_squares_reusable: bool = True
    own_removal: Literal["retract", "any"] = "retract"
    opp_removal: Literal["head", "any_part"] = "head"


# --- actions ----------------------------------------------------------------------------


class Call(msgspec.Struct, frozen=True, tag="call"):
    """Bid: at least `count` dice of `face`.  Who opens a round also turns it left (1) or right (-1)."""

    count: int
    face: int
    direction: int = 0


class Lift(msgspec.Struct, frozen=True, tag="lift"):
    """Lift the cup: the bid is called into question (THK-12)."""


class Stake(msgspec.Struct, frozen=True, tag="stake"):
    """Nuggets: so many from everybody (THK-20)."""

    nuggets: int


class Way(msgspec.Struct, frozen=True, tag="way"):
    """Rattlesnakes: the others place their parts to the left (1) or to the right (-1) (THK-62)."""

    direction: int


class Place(msgspec.Struct, frozen=True, tag="place"):
    """Rattlesnakes: a part on a square, which becomes the head."""

    square: int


class Stop(msgspec.Struct, frozen=True, tag="stop"):
    """Rattlesnakes: place no more in this set (THK-A29)."""


class RemoveOwn(msgspec.Struct, frozen=True, tag="remove_own"):
    """Rattlesnakes: take an own part off; `head` is the head afterwards, -1 if no part is left (THK-69)."""

    square: int
    head: int


class RemoveOther(msgspec.Struct, frozen=True, tag="remove_other"):
    """Rattlesnakes: an opponent takes the part on this square back (THK-68)."""

    square: int


Action = Call | Lift | Stake | Way | Place | Stop | RemoveOwn | RemoveOther
Outcome = Rolled | Happened


# --- what each mode keeps, all of it public ---------------------------------------------


class Purse(msgspec.Struct, frozen=True):
    """Nuggets: who holds how many, with the pool; whether this set's stake is still due."""

    nuggets: Stakes
    due: bool = True


class Scores(msgspec.Struct, frozen=True):
    """Goldrush: points of every seat; the final is on when `final`."""

    points: tuple[int, ...]
    final: bool = False


class Duel(msgspec.Struct, frozen=True):
    """The Next Sheriff: who met whom, and the dice each won."""

    first: int
    second: int
    won: tuple[int, int]

    @property
    def winner(self) -> int:
        """Whose cup was empty first; a duel has exactly one winner."""
        return self.first if self.won[0] > self.won[1] else self.second


class Duels(msgspec.Struct, frozen=True):
    """The Next Sheriff: duels of the round robin, then the ranking, then duels of the play-offs."""

    league: tuple[Duel, ...] = ()
    ranking: tuple[int, ...] = ()
    playoffs: tuple[Duel, ...] = ()


class Snakes(msgspec.Struct, frozen=True):
    """Rattlesnakes: the board and whose turn it is to place.

    Parameters
    ----------
    parts
        Squares of every seat's parts in the order of placing.
    heads
        The square of every seat's head, -1 without parts.
    dives
        Per seat (square, pit entered, pit left) for every part that came out of a pit.
    dead
        Freed squares that may not be used again.
    queue
        Who still has to place in this set; the first is at it, and may place `left` more.
    begun
        Whether he has placed a part in this set already.
    immune
        Who won this set with four dice.
    finished
        Who placed the last part in this set.
    moved
        Whether anybody could place or remove anything in this set.
    first
        Who placed first in this set, and opens the next.
    loser
        Who was wrong in the last round of the set.
    final
        Whether the deciding knock-out race is on.
    """

    parts: tuple[tuple[int, ...], ...]
    heads: tuple[int, ...]
    dives: tuple[tuple[tuple[int, int, int], ...], ...]
    dead: tuple[int, ...] = ()
    queue: tuple[int, ...] = ()
    left: int = 0
    begun: bool = False
    immune: tuple[int, ...] = ()
    finished: tuple[int, ...] = ()
    moved: bool = False
    first: int = -1
    loser: int = -1
    final: bool = False


Book = Purse | Scores | Duels | Snakes | None


# --- state and view ---------------------------------------------------------------------


class Lifted(msgspec.Struct, frozen=True):
    """A bid called into question: what the cups showed, and who was wrong."""

    bidder: int
    lifter: int
    bid: Bid
    count: int
    dice: tuple[tuple[int, ...], ...]

    @property
    def loser(self) -> int:
        """Who was not right (THK-13)."""
        return self.lifter if self.count >= self.bid.count else self.bidder


class State(msgspec.Struct, frozen=True):
    """One moment of the game.

    Parameters
    ----------
    seats
        Who is still in the game.
    phase
        "shake", "donkey" (did anybody's dice fall out?), "bid", the modes' own "stake", "way", "place",
        or "over".
    number, round
        Of the set and of the round, both counted through the game from 1.
    table
        Who takes part in this set.
    race
        Whether this set is part of a knock-out race (THK-18).
    dice
        Dice in each seat's cup (owner: the seat) and won (owner: ``"won 0"`` ...).
    cups
        How the dice under the cups lie.
    starter
        Who starts this round.
    lost
        In which round each seat was last wrong; 0: never.
    gone
        Seats that are out of the game or of the final race, together those who went together.
    final
        The place of every seat, once the game is over.
    """

    options: Options
    seats: Seats
    phase: Literal["shake", "donkey", "bid", "stake", "way", "place", "over"]
    number: int
    round: int
    table: Seats
    race: bool
    dice: Stakes
    cups: tuple[Cup, ...]
    bidding: OpenBidding
    starter: int
    lost: tuple[int, ...]
    direction: int = 1
    gone: tuple[tuple[int, ...], ...] = ()
    last: Lifted | None = None
    book: Book = None
    final: tuple[int, ...] = ()

    def cup(self, seat: int) -> int:
        """How many dice are in a seat's cup."""
        return self.dice.held(seat, "die")

    def won(self, seat: int) -> int:
        """How many dice a seat has won in this set (THK-14)."""
        return self.dice.held(f"won {seat}", "die")

    @property
    def active(self) -> tuple[int, ...]:
        """Who shakes in this round: takes part and has dice (THK-A15)."""
        held = self.dice.each("die")
        return tuple([seat for seat in self.table.living if held[seat]])


class View(msgspec.Struct, frozen=True):
    """What one seat may know: everything but the dice under the cups of others (THK-05).

    Parameters
    ----------
    turn
        Who has to act; None while dice roll and when the game is over.
    table
        Who takes part in this set.
    cups, won
        Dice of every seat in the cup, and won in this set.
    hidden
        The own dice.
    said
        Bids of this round in order.
    direction
        Which way this round goes (1 left), or went last.
    book
        What the mode keeps.
    """

    seat: int
    options: Options
    phase: str
    number: int
    round: int
    turn: int | None
    seats: Seats
    table: tuple[int, ...]
    race: bool
    cups: tuple[int, ...]
    won: tuple[int, ...]
    hidden: tuple[int, ...]
    said: tuple[tuple[int, Bid], ...]
    direction: int
    lost: tuple[int, ...]
    gone: tuple[tuple[int, ...], ...]
    last: Lifted | None
    book: Book
    final: tuple[int, ...]
