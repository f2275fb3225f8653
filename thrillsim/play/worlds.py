"""Where a game's physical chance is found out: a table of outcomes, or a physics engine.

A world is a callable (request, rng) -> outcome with a `name` that
:func:`world_by_name` understands, so that a record can say in which world it was
played.  May import games, board and physics.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

import msgspec
import numpy as np

from thrillsim.errors import InputError, counted, shown
from thrillsim.games.protocol import sample
from thrillsim.games.thrill.rows import layout_of, rows_of
from thrillsim.games.thrill.types import (
    KIND_OF,
    KINDS,
    Arrange,
    Arranged,
    Lifted,
    Lifting,
    Place,
    Pushed,
    Pushing,
    Row,
    Table,
    Turned,
    Turning,
)
from thrillsim.physics import DEFAULT_ENGINE, ENGINES
from thrillsim.play.table import World
from thrillsim.players.thrill.forecast import trusted

if TYPE_CHECKING:
    from thrillsim.board import Board
    from thrillsim.physics import Accuracy

Falls = tuple[int, int, int]
"""How many big, medium and small disks fell in one push."""

#: Falls of sixteen pushes, about as the default board drops them: 4 in 10 cost nothing, mean near 1.8.
RECORDED: tuple[Falls, ...] = (
    *((0, 0, 0),) * 6,
    (0, 0, 1),
    (0, 0, 1),
    (0, 1, 0),
    (0, 1, 0),
    (1, 0, 0),
    (1, 0, 0),
    (0, 1, 1),
    (1, 0, 1),
    (0, 2, 0),
    (1, 1, 0),
)


@dataclass(frozen=True)
class TableWorld:
    """Pushes without physics: each draws one row of a table of recorded falls.

    Which disks of a kind fall is random among those there are; if there are
    fewer, fewer fall.  The board has no positions.

    Parameters
    ----------
    falls
        The table.
    under_weight, at_lift, in_turning
        Probabilities that the weighted disk falls in the push, falls at the lift, and that a disk
        falls in a turn of the board.
    """

    falls: Sequence[Falls] = RECORDED
    under_weight: float = 0.1
    at_lift: float = 0.2
    in_turning: float = 0.2
    name: str = "table"

    def __call__(self, request: Any, rng: np.random.Generator) -> Any:
        """The outcome of a request of Thrill, or of dice and draws."""
        match request:
            case Arrange():
                return Arranged()
            case Turning(_, on_board):
                falls = len(on_board) and rng.random() < self.in_turning
                return Turned((on_board[int(rng.integers(len(on_board)))],) if falls else ())
            case Pushing(disk, place, on_board):
                return self._push(disk, place.weight, on_board, rng)
            case Lifting():
                return Lifted(bool(rng.random() < self.at_lift))
        return sample(request, rng)

    def _push(
        self, new: int, weight: int | None, on_board: tuple[int, ...], rng: np.random.Generator
    ) -> Pushed:
        row = self.falls[int(rng.integers(len(self.falls)))]
        there = [disk for disk in (*on_board, new) if disk != weight]
        fallen: list[int] = []
        for kind, count in enumerate(row):
            like = [disk for disk in there if KIND_OF[disk] == kind]
            fallen += rng.permutation(like)[:count].tolist()
        under = weight is not None and bool(rng.random() < self.under_weight)
        if under and weight is not None:
            fallen.append(weight)
        return Pushed(tuple(fallen), under_weight=under)


PACES = {"careful": (1.0, 1.0), "brisk": (4.0, 0.25)}
"""Turning rate (rad/s) and time to reach it (s): friction holds everything in the first, not in the other."""


@dataclass(frozen=True)
class PhysicalWorld:
    """Pushes, lifts and turns in a physics engine, on a board with Thrill's disks.

    Parameters
    ----------
    board_name
        Preset or TOML file.
    engine, accuracy
        As for ``thrillsim.physics.push``.

    Raises
    ------
    InputError
        If the board or its disks are not those of Thrill (THR-01), or there is no such engine.
    """

    engine: str = DEFAULT_ENGINE
    accuracy: str = "standard"
    board_name: str = "default"
    board: Board = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        from thrillsim.board.files import board_from
        from thrillsim.physics import ACCURACIES, engine_by_name

        board = board_from(self.board_name)
        there = _disks((kind.name, kind.count, kind.price) for kind in board.kinds)
        wanted = _disks((KINDS[k], KIND_OF.count(k), 3 - k) for k in range(len(KINDS)))
        if there != wanted:
            raise InputError(f"needs the disks of Thrill, {wanted}, got {there}", key="board")
        engine_by_name(self.engine)
        if self.accuracy not in ACCURACIES:
            given = shown(self.accuracy)
            raise InputError(f"must be one of {', '.join(ACCURACIES)}, got {given}", key="accuracy")
        object.__setattr__(self, "board", board)

    @property
    def name(self) -> str:
        """How a record calls this world."""
        return f"{self.engine}/{self.accuracy}/{self.board_name}"

    @property
    def table(self) -> Table:
        """What the rules must know of the board."""
        low, high = self.board.sliding.blocking_span()
        half = self.board.pusher.width / 2
        y0, y1 = max(low, -half), min(high, half)  # what the pusher does not reach, it does not push
        radii = tuple(kind.radius for kind in self.board.kinds)
        return Table((*self.board.zone, y0, y1), radii, self.board.weight.radius, self.board_name)

    def __call__(self, request: Any, rng: np.random.Generator) -> Any:
        """The outcome of a request of Thrill, or of dice and draws.  Only the opening uses `rng`."""
        match request:
            case Arrange(disks):
                return self._arrange(disks, rng)
            case Turning():
                return self._turn(request)
            case Pushing():
                return self._push(request)
            case Lifting(place, layout):
                return self._lift(place, layout)
        return sample(request, rng)

    def _arrange(self, disks: tuple[int, ...], rng: np.random.Generator) -> Arranged:
        from thrillsim.board import opening

        layout = opening(self.board, rng)  # THR-03, THR-04
        free = {k: [d for d in disks if KIND_OF[d] == k] for k in range(len(KINDS))}
        numbers = [free[int(k)].pop(0) for k in layout.kind]
        return Arranged(rows_of(numbers, layout), self.table)

    def _push(self, request: Pushing) -> Pushed:
        from thrillsim.physics import Push, WeightOn, push
        from thrillsim.physics.weight import standing_margin

        numbers = [*(row[0] for row in request.layout), request.disk]
        layout, place = layout_of(request.layout), request.place
        weight = None
        if place.weight is not None:
            weight = WeightOn(numbers.index(place.weight), place.dx, place.dy)
            if standing_margin(self.board, layout, weight) < 0:  # THR-A17: it tips under the weight
                without = tuple(row for row in request.layout if row[0] != place.weight)
                after = self._push(Pushing(request.disk, Place(place.x, place.y), request.on_board, without))
                return Pushed(after.fallen, placing=(place.weight,), layout=after.layout)
        kind = KIND_OF[request.disk]
        one = Push(kind, place.x, place.y, weight=weight)
        accuracy = cast("Accuracy", self.accuracy)
        result = push(self.board, layout, one, engine=self.engine, accuracy=accuracy)  # THR-15, THR-A24
        if (
            not trusted(result) and self.engine != "rigid"
        ):  # where a quick engine fails, the reference decides
            result = push(self.board, layout, one, engine="rigid", accuracy=accuracy)
        if not trusted(result):
            raise InputError(
                f"no engine carries this push through (THR-15): jammed {result.jammed}, {result.certificate}",
                key="board",
            )
        fallen = [fall for fall in result.fallen if fall.during == "push"]  # THR-A20
        gone = {fall.index for fall in fallen}
        rows = tuple(
            (number, *map(float, pose))
            for i, (number, pose) in enumerate(zip(numbers, result.poses, strict=True))
            if i not in gone
        )
        under = any(fall.weighted for fall in fallen)
        return Pushed(tuple(numbers[fall.index] for fall in fallen), under, (), cast("tuple[Row, ...]", rows))

    def _lift(self, place: Place, layout: tuple[Row, ...]) -> Lifted:
        from thrillsim.physics.weight import falls_when_lifted

        number, x, y, _ = next(row for row in layout if row[0] == place.weight)
        fell = falls_when_lifted(self.board, KIND_OF[number], x, y)  # THR-28
        return Lifted(fell, tuple(row for row in layout if not (fell and row[0] == number)))

    def _turn(self, request: Turning) -> Turned:
        import math

        from thrillsim.physics.turning import TurnProfile, turn

        rate, ramp = PACES[request.turn.pace]
        profile = TurnProfile(request.turn.quarters * math.pi / 2, rate, ramp)
        accuracy = cast("Accuracy", self.accuracy)
        result = turn(self.board, layout_of(request.layout), profile, accuracy=accuracy)  # THR-22
        numbers = [row[0] for row in request.layout]
        left = [number for i, number in enumerate(numbers) if i not in result.fell]
        return Turned(tuple(numbers[fall.index] for fall in result.fallen), rows_of(left, result.layout))


def _disks(kinds: Iterable[tuple[str, int, int]]) -> str:
    """``7 big at 3 chips, ...``: names, counts and prices as an error says them."""
    return ", ".join(f"{count} {name} at {counted(price, 'chip')}" for name, count, price in kinds)


def world_by_name(name: str, engine: str | None = None) -> TableWorld | PhysicalWorld:
    """The world of that name: ``table``, or ``engine/accuracy/board``, with another engine if one is given.

    Raises
    ------
    InputError
        If it is neither.
    """
    if name == "table":
        return TableWorld()
    if name == "dice":
        raise InputError("was played with dice and draws, there is no physics in it", key="world")
    parts = name.split("/", 2)
    if len(parts) != 3:
        raise InputError(f"must be table or engine/accuracy/board, got {shown(name)}", key="world")
    return PhysicalWorld(parts[0] if engine is None else engine, *parts[1:])


def board_hash(world: World) -> str:
    """Hash of the board that a world pushes on, its title aside; "" for a world without one.

    A record and a match name the board's file, which somebody may edit; this says whether it is the same.
    """
    board = getattr(world, "board", None)
    if board is None:
        return ""
    return hashlib.sha256(msgspec.json.encode(msgspec.to_builtins(board) | {"name": ""})).hexdigest()[:16]


def world_for(game: str, engine: str | None, accuracy: str | None, board: str | None) -> tuple[World, str]:
    """The world in which a game is played, and its name; games of dice and cards need no engine.

    What is None was not given, and is the package's default where there is something to push.

    Raises
    ------
    InputError
        If an engine is given that is not there, or anything where there is nothing to push.
    """
    known = (*ENGINES, "table")
    if game == "thrill" and engine is not None and engine not in known:
        raise InputError(f"must be one of {', '.join(known)}, got {shown(engine)}", key="engine")
    if game == "thrill" and engine != "table":
        world = PhysicalWorld(
            DEFAULT_ENGINE if engine is None else engine,
            "standard" if accuracy is None else accuracy,
            "default" if board is None else board,
        )
        return world, world.name
    dice = game != "thrill"
    reason = f"{game} has nothing to push" if dice else "is not used by the engine table"
    for key, given in {"engine": engine if dice else None, "accuracy": accuracy, "board": board}.items():
        if given is not None:
            raise InputError(reason, key=key)
    return (sample, "dice") if dice else (TableWorld(), "table")
