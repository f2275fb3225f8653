"""What goes into a push and what comes out: plain frozen values, the same for every engine."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from thrillsim.board import Board, Layout
from thrillsim.board.types import FloatArray, is_number
from thrillsim.errors import InputError, limits_of, shown

Accuracy = Literal["draft", "standard", "fine"]
ACCURACIES: tuple[Accuracy, ...] = ("draft", "standard", "fine")
FASTEST = 500.0  #: mm/s; a faster "push" is a blow, which no engine here is made for
LAP = 0.01  #: mm that the new disk may cover of another: what engines leave of an overlap is less


@dataclass(frozen=True, slots=True)
class WeightOn:
    """The weight, standing on a disk of the layout.

    Parameters
    ----------
    disk
        Index into the layout (not the new disk: THR-A19).
    dx, dy
        Centre of the weight minus centre of the disk at the start, mm, table frame; it turns with the disk.
    """

    disk: int
    dx: float = 0.0
    dy: float = 0.0


@dataclass(frozen=True, slots=True)
class Push:
    """One push: which new disk, where it is put, and what is not ideal about it.

    Parameters
    ----------
    disk
        Kind of the new disk, by name or index into ``board.kinds``.
    x, y
        Its centre in mm; its whole footprint lies between pusher and blocking edge (THR-14, THR-A23).
    angle
        Its orientation in rad.
    weight
        The weight on a disk of the layout, or None.
    yaw
        The pusher's front is turned by this much, rad, counter-clockwise; it then stops when its leading
        corner reaches the blocking edge.
    tilt
        Slope of the board as a pull (x, y) in units of gravity; well below the board friction.
    speed
        Of the pusher in mm/s.  The quasi-static engine is the limit 0 and ignores it.
    """

    disk: str | int
    x: float
    y: float
    angle: float = 0.0
    weight: WeightOn | None = None
    yaw: float = 0.0
    tilt: tuple[float, float] = (0.0, 0.0)
    speed: float = 20.0


@dataclass(frozen=True, slots=True)
class Fall:
    """One disk that fell.

    Parameters
    ----------
    index
        Position in the layout before the push; the new disk is the last, ``len(layout)``.
    kind
        Index into ``board.kinds``.
    x, y
        Where its centre was when it lost its support, mm.
    advance
        How far the pusher had come then, mm from the rear stop.
    during
        ``"push"`` or ``"lift"`` (when the weight was taken off, THR-28).
    weighted
        Whether the weight stood on it when it fell.
    cost
        Chips it costs: the price, twice that if it fell with the weight on it (THR-27).
    """

    index: int
    kind: int
    x: float
    y: float
    advance: float
    during: Literal["push", "lift"]
    weighted: bool
    cost: int


@dataclass(frozen=True, slots=True)
class Certificate:
    """The evidence that a result carries.

    Parameters
    ----------
    overlap
        Largest overlap at the end of any step, mm.
    force, complementarity
        Largest residuals of force balance and of the contact law, relative to the largest
        friction force and the pusher's advance (quasi-static engine; NaN where an engine has none).
    power
        Largest relative error of pusher power = board dissipation + rim dissipation.
    steps
        Steps taken.
    unconverged
        Steps that no method solved to the tolerance; 0 unless the result is to be distrusted.
    """

    overlap: float
    force: float = math.nan
    complementarity: float = math.nan
    power: float = math.nan
    steps: int = 0
    unconverged: int = 0


@dataclass(frozen=True, slots=True)
class Trace:
    """Optional history of a push: one row per recorded instant.

    Parameters
    ----------
    advance
        (t,) pusher advance, mm.
    force
        (t,) force on the pusher along x, g·mm/s² (µN).
    poses
        (t, n + 1, 3) x, y, angle of every disk; a fallen disk keeps its last pose.
    standing
        (t, n + 1) whether the disk is still on the board.
    """

    advance: FloatArray
    force: FloatArray
    poses: FloatArray
    standing: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class PushResult:
    """What a push did.

    Parameters
    ----------
    board, push
        As given.
    before
        The layout with the new disk appended last, at its place in the sliding zone.
    fallen
        The disks that fell, in order; those that fell at the lift come last.
    layout
        The disks that still stand, in their old order, at rest.
    poses
        (n + 1, 3) last x, y, angle of every disk of `before`.
    advance
        How far the pusher came, mm; ``board.pusher.travel`` unless it jammed or yawed, or the engine could
        not go on (``certificate.unconverged``): then `cost` and `layout` are those of half a push.
    jammed
        No motion of the disks lets the pusher reach the blocking edge.
    certificate, engine, accuracy, trace
        Evidence and provenance.
    """

    board: Board
    push: Push
    before: Layout
    fallen: tuple[Fall, ...]
    layout: Layout
    poses: FloatArray
    advance: float
    jammed: bool
    certificate: Certificate
    engine: str
    accuracy: str
    trace: Trace | None = None

    @property
    def cost(self) -> int:
        """Chips that the pushing player pays (THR-16, THR-27, THR-28)."""
        return sum(fall.cost for fall in self.fallen)

    @property
    def fell(self) -> tuple[int, ...]:
        """Indices of the fallen disks, ascending."""
        return tuple(sorted(fall.index for fall in self.fallen))

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready summary: falls, cost, layout afterwards, certificate."""
        names = [k.name for k in self.board.kinds]
        return {
            "engine": self.engine,
            "accuracy": self.accuracy,
            "cost": self.cost,
            "jammed": self.jammed,
            "advance": self.advance,
            "fallen": [
                {
                    "index": f.index,
                    "disk": names[f.kind],
                    "x": f.x,
                    "y": f.y,
                    "advance": f.advance,
                    "during": f.during,
                    "weighted": f.weighted,
                    "cost": f.cost,
                }
                for f in self.fallen
            ],
            "layout": [list(row) for row in self.layout.to_rows(self.board)],
            "certificate": {
                key: None if isinstance(value, float) and math.isnan(value) else value
                for key, value in (
                    (name, getattr(self.certificate, name)) for name in Certificate.__dataclass_fields__
                )
            },
        }

    def _repr_svg_(self) -> str:
        from thrillsim.physics.picture import push_svg

        return push_svg(self)


class Engine(Protocol):
    """Anything that can carry out a push."""

    name: str

    def run(self, board: Board, before: Layout, push: Push, *, accuracy: Accuracy, trace: bool) -> PushResult:
        """Carry out `push`; `before` already holds the new disk last and is known to be legal."""
        ...


def price(board: Board, kind: int, *, weighted: bool = False) -> int:
    """Chips for one fallen disk: its price, double if it fell under the weight (THR-16, THR-27)."""
    return int(board.kinds[kind].price) * (2 if weighted else 1)


def check_push(board: Board, layout: Layout, push: Push) -> Layout:
    """Check a push against board and layout; return the layout with the new disk appended.

    Raises
    ------
    InputError
        If the new disk's footprint leaves the placement zone or covers a disk that an unfinished push
        left reaching back over the blocking edge, the weight cannot stand where it is put, the board has
        no such kind, or a number is none or out of range.
    """
    for key, value, wanted in (("board", board, Board), ("layout", layout, Layout), ("push", push, Push)):
        if not isinstance(value, wanted):
            raise InputError(f"must be a {wanted.__name__}, got {shown(value)}", key=key)
    kind = board.kind_index(push.disk)
    layout.check_disks(board)
    _check_types(push)
    r = float(board.radii[kind])
    for name, numbers in {"angle": (push.angle,), "tilt": push.tilt}.items():
        if not all(math.isfinite(v) for v in numbers):
            raise InputError(f"must be finite, got {getattr(push, name)}", key=f"push.{name}")
    low, high = board.zone
    if not low - 1e-9 <= push.x - r or not push.x + r <= high + 1e-9:  # (written so that nan is refused)
        raise InputError(
            f"must be {low + r:g} to {high - r:g} mm so that the disk is in the zone, got {push.x:g}",
            key="push.x",
        )
    y_low, y_high = sliding_span(board, push.x - r, push.x + r)
    if not y_low - 1e-9 <= push.y - r or not push.y + r <= y_high + 1e-9:
        raise InputError(
            f"must be {y_low + r:g} to {y_high - r:g} mm so that the disk is in the zone, got {push.y:g}",
            key="push.y",
        )
    if len(layout):
        covered = r + layout.radii(board) - np.hypot(push.x - layout.x, push.y - layout.y)
        i = int(covered.argmax())
        if covered[i] > LAP:
            raise InputError(
                f"must leave room for disks[{i}], which reaches back over the blocking edge; "
                f"({push.x:g}, {push.y:g}) covers {covered[i]:.3g} mm of it",
                key="push",
            )
    if not abs(push.yaw) <= 0.1:
        raise InputError(f"must be -0.1 to 0.1 rad, got {push.yaw:g}", key="push.yaw")
    slope = math.hypot(*push.tilt)
    if slope >= 0.5 * board.friction.board:
        raise InputError(
            f"must stay below half the board friction ({0.5 * board.friction.board:g}), got {slope:g}",
            key="push.tilt",
        )
    if not 0 < push.speed <= FASTEST:
        raise InputError(f"must be {limits_of(gt=0, le=FASTEST)} mm/s, got {push.speed:g}", key="push.speed")
    if push.weight is not None:
        from thrillsim.physics.weight import check_weight

        check_weight(board, layout, push.weight)
    return layout.with_disk(kind, push.x, push.y, push.angle)


def _check_types(push: Push) -> None:
    """Refuse what is no number; not every caller has a type checker."""
    for name in ("x", "y", "angle", "yaw", "speed"):
        value = getattr(push, name)
        if not is_number(value):
            raise InputError(f"must be a number, got {shown(value)}", key=f"push.{name}")
    tilt: object = push.tilt
    if not isinstance(tilt, Sequence) or len(tilt) != 2 or not all(map(is_number, tilt)):
        raise InputError(f"must be two numbers, got {shown(tilt)}", key="push.tilt")
    weight: object = push.weight
    if weight is None:
        return
    if not isinstance(weight, WeightOn):
        raise InputError(f"must be a WeightOn or None, got {shown(weight)}", key="push.weight")
    disk: object = weight.disk
    if not isinstance(disk, int | np.integer) or isinstance(disk, bool):
        raise InputError(f"must be a whole number, got {shown(disk)}", key="push.weight.disk")
    for name in ("dx", "dy"):
        value = getattr(weight, name)
        if not is_number(value):
            raise InputError(f"must be a number, got {shown(value)}", key=f"push.weight.{name}")


def sliding_span(board: Board, x0: float, x1: float) -> tuple[float, float]:
    """y range of the sliding surface that is free over the whole interval x0..x1 (mm)."""
    points = board.sliding.vertices
    lows, highs = [], []
    eps = 1e-9
    xs = [x0 + eps, x1 - eps, *(v[0] + d for v in points for d in (-eps, eps) if x0 < v[0] + d < x1)]
    for x in xs:
        ys = [
            a[1] + (b[1] - a[1]) * (x - a[0]) / (b[0] - a[0])
            for a, b in zip(points, points[1:] + points[:1], strict=True)
            if (a[0] <= x) != (b[0] <= x)
        ]
        if ys:
            lows.append(min(ys))
            highs.append(max(ys))
    return (max(lows), min(highs)) if lows else (0.0, 0.0)
