"""What every game is: frozen states and pure functions between them.

May import: bidding and board value types (this file needs neither).  No I/O, no
clock, no global randomness, no physics.  Dice, draws and pushes are *chance*:
a game says what it needs (`chance`), somebody outside finds out (`sample` for
dice and draws, a physics engine for a push), and hands the outcome in
(`resolve`).  So a record of actions and outcomes replays without either.

See docs/decisions/0002-game-protocol.md.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Generic, Literal, Protocol, TypeVar

import msgspec
import numpy as np

from thrillsim.errors import InputError

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Turn:
    """What has to happen next.

    `seats` are those who have to decide, each for itself; several of them mean
    that the choices are simultaneous and secret, and that the order of asking
    makes no difference.
    """

    kind: Literal["decide", "chance", "over"]
    seats: tuple[int, ...] = ()


CHANCE = Turn("chance")
OVER = Turn("over")


@lru_cache(maxsize=256)  # asked at every step of every game
def decide(*seats: int) -> Turn:
    """The turn of one seat, or of several at once."""
    return Turn("decide", seats)


class Space(Protocol):
    """A described set of actions, where they are too many to list (a position on the board)."""

    def __contains__(self, action: object) -> bool: ...

    def __str__(self) -> str:
        """What is legal, in one line."""
        ...

    def sample(self, rng: np.random.Generator) -> Any:
        """A random member."""
        ...

    def parse(self, text: str) -> Any:
        """The action that a person typed.  Raises ValueError (one line) if it is none."""
        ...


Legal = tuple[Any, ...] | Space
"""The legal actions: all of them, or a described set.  Both know ``action in legal``."""


class Roll(msgspec.Struct, frozen=True, tag="roll"):
    """Chance: roll `dice[i]` dice with faces 1 .. `sides`, for every group i (say, a cup)."""

    dice: tuple[int, ...]
    sides: int = 6


class Rolled(msgspec.Struct, frozen=True, tag="rolled"):
    """The faces of each group, in the order asked for."""

    faces: tuple[tuple[int, ...], ...]


class Draw(msgspec.Struct, frozen=True, tag="draw"):
    """Chance: draw one of `size` things blindly."""

    size: int


class Drawn(msgspec.Struct, frozen=True, tag="drawn"):
    """Which one was drawn, from 0."""

    index: int


class Mishap(msgspec.Struct, frozen=True, tag="mishap"):
    """Chance: for each of several players, does something happen that has a probability?"""

    probabilities: tuple[float, ...]


class Happened(msgspec.Struct, frozen=True, tag="happened"):
    """To whom it happened, in the order asked for."""

    to: tuple[bool, ...]


def sample(request: Any, rng: np.random.Generator) -> Any:
    """The outcome of a chance request that needs no physics.

    Raises
    ------
    TypeError
        For a request only a physical world can answer.
    """
    match request:
        case Roll(dice, sides):
            return Rolled(tuple(tuple(int(f) for f in rng.integers(1, sides + 1, n)) for n in dice))
        case Draw(size):
            return Drawn(int(rng.integers(size)))
        case Mishap(probabilities):
            return Happened(
                tuple(bool(u < p) for u, p in zip(rng.random(len(probabilities)), probabilities, strict=True))
            )
    raise TypeError(f"nothing random about {type(request).__name__}: it needs a world that can push")


def fits(request: Any, outcome: Any) -> bool:
    """Whether the outcome of a generic request has the right shape and range."""
    match request, outcome:
        case Roll(dice, sides), Rolled(faces):
            return tuple(map(len, faces)) == dice and all(1 <= f <= sides for group in faces for f in group)
        case Draw(size), Drawn(index):
            return 0 <= index < size
        case Mishap(probabilities), Happened(to):
            return len(to) == len(probabilities)
    return False


class Act(msgspec.Struct, frozen=True, tag="act"):
    """An event of a game: a seat did something."""

    seat: int
    action: Any


class Chance(msgspec.Struct, frozen=True, tag="chance"):
    """An event of a game: something happened by itself."""

    outcome: Any


Event = Act | Chance


class IllegalAction(ValueError):  # noqa: N818 - what it is, not what it feels like
    """Somebody did what the rules do not allow; names the player, the action and what was legal."""

    def __init__(self, seat: int, action: object, legal: str) -> None:
        self.seat, self.action, self.legal = seat, action, legal
        super().__init__(f"player {who(seat)}: {action!r} is illegal; legal: {legal}")


class IllegalOutcome(ValueError):  # noqa: N818 - beside IllegalAction
    """An outcome was handed in that cannot follow from the state (a disk fell that was not there)."""


class Game(ABC, Generic[S]):
    """The rules of one game.

    A subclass has no state of its own: everything is in `S`, a frozen value made
    of dataclasses, msgspec structs, tuples, numbers and strings, so that it
    compares, hashes and encodes to JSON.  Actions and outcomes are frozen tagged
    msgspec structs; `Action` and `Outcome` are their unions.

    Implement the abstract methods; callers use :meth:`act` and :meth:`resolve`,
    which check legality once for all games and then call :meth:`step` and
    :meth:`settle`.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    seats: ClassVar[tuple[int, int]]
    """Fewest and most players."""
    Options: ClassVar[type[msgspec.Struct]]
    Action: ClassVar[Any]
    Outcome: ClassVar[Any]

    # --- to be written for each game -------------------------------------------------

    @abstractmethod
    def initial(self, options: Any, players: int) -> S:
        """The state before the first decision.  `InputError` for an impossible number of players."""

    @abstractmethod
    def turn(self, state: S) -> Turn:
        """Who or what is next."""

    @abstractmethod
    def legal(self, state: S, seat: int) -> Legal:
        """What `seat` may do now; empty when it is not its turn."""

    @abstractmethod
    def chance(self, state: S) -> Any:
        """What has to be found out, when the turn is CHANCE."""

    @abstractmethod
    def step(self, state: S, seat: int, action: Any) -> S:
        """The state after a legal action."""

    @abstractmethod
    def settle(self, state: S, outcome: Any) -> S:
        """The state after a chance outcome.  `IllegalOutcome` if it cannot be."""

    @abstractmethod
    def view(self, state: S, seat: int) -> Any:
        """All that `seat` may know, and nothing more: a frozen msgspec struct."""

    @abstractmethod
    def winners(self, state: S) -> tuple[int, ...]:
        """Who won, ascending; empty while undecided, and for a game without a result."""

    @abstractmethod
    def tell(self, before: S, event: Event, after: S) -> str:
        """The event as a person at the table would tell it; "" if not worth telling.

        It is said aloud while the game goes on: nothing that somebody may not know yet.
        """

    @abstractmethod
    def show(self, view: Any) -> str:
        """A view as text for the terminal."""

    @abstractmethod
    def label(self, action: Any) -> str:
        """A short unique word for an action, which a person can type."""

    # --- the same for every game -----------------------------------------------------

    def act(self, state: S, seat: int, action: Any) -> S:
        """The state after `seat` did `action`.

        Raises
        ------
        IllegalAction
            If it is not its turn, or the action is not among the legal ones.
        """
        turn = self.turn(state)
        if seat not in turn.seats:
            whose = ", ".join(map(who, turn.seats)) if turn.seats else turn.kind
            raise IllegalAction(seat, action, f"nothing now (to decide: {whose})")
        legal = self.legal(state, seat)
        if action not in legal:
            raise IllegalAction(seat, action, self.tell_legal(legal))
        return self.step(state, seat, action)

    def resolve(self, state: S, outcome: Any) -> S:
        """The state after chance has spoken.

        Raises
        ------
        IllegalOutcome
            If nothing was asked of chance, or the outcome does not fit the request.
        """
        if self.turn(state) != CHANCE:
            raise IllegalOutcome(f"no chance event is due, got {outcome!r}")
        request = self.chance(state)
        if isinstance(request, Roll | Draw | Mishap) and not fits(request, outcome):
            raise IllegalOutcome(f"{outcome!r} does not answer {request!r}")
        return self.settle(state, outcome)

    def apply(self, state: S, event: Event) -> S:
        """The state after an event of either sort."""
        if isinstance(event, Act):
            return self.act(state, event.seat, event.action)
        return self.resolve(state, event.outcome)

    def tell_legal(self, legal: Legal) -> str:
        """The legal actions in one line."""
        return ", ".join(map(self.label, legal)) if isinstance(legal, tuple) else str(legal)

    def places(self, state: S) -> tuple[int, ...]:
        """The place of every seat, 1 is best; equal places tie.  Finer orders override this."""
        won = self.winners(state)
        return tuple(1 if not won or seat in won else 2 for seat in range(self.players(state)))

    def players(self, state: S) -> int:
        """How many sat down at the start; by default ``state.seats.n``."""
        return int(state.seats.n)  # type: ignore[attr-defined]

    def check_players(self, players: int, fewest: int | None = None) -> None:
        """Refuse a number of players that the game is not for, with an `InputError`."""
        least, most = self.seats
        fewest = least if fewest is None else fewest
        if not fewest <= players <= most:
            raise InputError(f"needs {fewest} to {most} players, got {players}", key="players")

    def check_seat(self, seat: int, players: int, option: str = "first_player") -> None:
        """Refuse an option that names a seat which nobody takes, with an `InputError`."""
        if not 0 <= seat < players:
            raise InputError(f"must be 0 to {players - 1}, got {seat}", key=option)

    def snapshot(self, state: S) -> Any:
        """The state as JSON-able values."""
        return msgspec.to_builtins(state)

    def digest(self, state: S) -> str:
        """A short fingerprint of the state, equal for equal states."""
        return hashlib.sha256(msgspec.json.encode(state)).hexdigest()[:16]


def pick(legal: Legal, rng: np.random.Generator) -> Any:
    """One of the legal actions at random."""
    return legal[int(rng.integers(len(legal)))] if isinstance(legal, tuple) else legal.sample(rng)


def who(seat: int) -> str:
    """A seat as people at the table call it: A, B, C, ... clockwise."""
    return chr(ord("A") + seat)
