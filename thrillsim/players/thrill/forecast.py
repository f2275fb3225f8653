"""Trying pushes in the simulator before they are made, from what lies on the table for all to see."""

from __future__ import annotations

from dataclasses import dataclass, field

from thrillsim.board import Board, Layout
from thrillsim.board.files import board_from
from thrillsim.games.thrill import KIND_OF, Place, View
from thrillsim.games.thrill.rows import layout_of
from thrillsim.physics import Push, PushResult, WeightOn, push
from thrillsim.physics.types import Accuracy
from thrillsim.physics.weight import weight_problem

OVERLAP = 0.5
"""Overlap (mm) of two disks up to which a result is believed."""


def trusted(result: PushResult) -> bool:
    """Whether a push went all the way (THR-15) and its own evidence speaks for it."""
    evidence = result.certificate
    return not result.jammed and evidence.unconverged == 0 and evidence.overlap <= OVERLAP


QUICK = "quasistatic"
"""The engine for forecasts unless another is asked for."""


@dataclass(frozen=True, slots=True)
class Tried:
    """A push that was tried: where, what it cost, which disks fell."""

    place: Place
    cost: int
    fallen: tuple[int, ...]


@dataclass
class Forecast:
    """The simulator of one player in one game; remembers what it tried on the present layout.

    Parameters
    ----------
    engine
        Name of a physics engine.
    accuracy
        "draft" is enough to compare placements.
    """

    engine: str = QUICK
    accuracy: Accuracy = "draft"
    _seen: tuple[object, ...] = ()
    _tried: dict[tuple[int, Place], Tried] = field(default_factory=dict)
    _board: Board | None = None
    _layout: Layout | None = None

    def push(self, view: View, disk: int, place: Place) -> Tried | None:
        """What this push would do; None if the weight cannot stand there, or the result is not trusted."""
        if self._seen is not view.layout:
            self._seen, self._tried, self._layout = view.layout, {}, layout_of(view.layout)
        if self._board is None:
            self._board = board_from(view.table.board)
        assert self._layout is not None
        if (disk, place) in self._tried:
            return self._tried[disk, place]
        numbers = [*(row[0] for row in view.layout), disk]
        layout, weight = self._layout, None
        if disk in numbers[:-1]:  # a disk that would first be taken off the board
            layout = layout.take([i for i, number in enumerate(numbers[:-1]) if number != disk])
            numbers.remove(disk)
        if place.weight is not None:
            weight = WeightOn(numbers.index(place.weight), place.dx, place.dy)
            if weight_problem(self._board, layout, weight):
                return None
        one = Push(KIND_OF[disk], place.x, place.y, weight=weight)
        result = push(self._board, layout, one, engine=self.engine, accuracy=self.accuracy)
        if not trusted(result):
            return None
        tried = Tried(place, result.cost, tuple(numbers[fall.index] for fall in result.fallen))
        self._tried[disk, place] = tried
        return tried
