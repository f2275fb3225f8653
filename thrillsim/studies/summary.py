"""What a study says: frozen structs that encode to ``summary.json``.  `summarise.py` fills them.

Everything that a table or a picture needs is inside, also the board and one example layout.
No time, no host, no job count: the same trials give the same bytes.
"""

from __future__ import annotations

import msgspec
import numpy as np

from thrillsim.board import Board, Layout

SUMMARY_SCHEMA = 1


class Estimate(msgspec.Struct, frozen=True):
    """A value with its confidence interval.

    Parameters
    ----------
    value
        The estimate; None if there was nothing to estimate it from (n = 0).
    low, high
        The interval at `Summary.confidence`; None where the sample does not support one
        (a mean of fewer than five values, or of values that are all equal).
    n
        Sample size.
    """

    value: float | None
    low: float | None
    high: float | None
    n: int


class KindRow(msgspec.Struct, frozen=True):
    """What happened to the disks of one size.

    Parameters
    ----------
    disk
        Name of the kind.
    any_fell
        Chance that at least one disk of this size falls in a push.
    fell
        Expected number of disks of this size that fall in a push.
    share
        Chance that one disk of this size falls in one push, over all such disks in play.
    """

    disk: str
    any_fell: Estimate
    fell: Estimate
    share: Estimate


class PlacedRow(msgspec.Struct, frozen=True):
    """What follows from pushing in a disk of one size: chance of any fall, expected cost."""

    disk: str
    any_fell: Estimate
    cost: Estimate


class CostCount(msgspec.Struct, frozen=True):
    """How many trials cost exactly `cost` chips, and the chance of it."""

    cost: int
    chance: Estimate


class Curve(msgspec.Struct, frozen=True):
    """Expected cost over the sideways placement of the new disk.

    Parameters
    ----------
    disk
        Size of the new disk, or None for all sizes together.
    y
        (bins,) where each point is drawn: middle of its bin, mm; the exact y where a design has few.
    low_y, high_y
        (bins,) limits of the bins, mm.
    cost, any_fell
        (bins,) expected cost and chance of any fall in the bin.
    """

    disk: str | None
    y: tuple[float, ...]
    low_y: tuple[float, ...]
    high_y: tuple[float, ...]
    cost: tuple[Estimate, ...]
    any_fell: tuple[Estimate, ...]


class EdgeFalls(msgspec.Struct, frozen=True):
    """Where along one open edge disks fell.

    Parameters
    ----------
    start, end
        Ends of the edge, mm.  Positions count from `start`; the board lies to the left.
    limits
        (bins + 1,) bin limits, mm from `start`.
    counts
        (bins,) disks that fell there, all trials.
    by_kind
        (kinds, bins) the same by size, in the order of ``board.kinds``.
    per_push
        Expected number of disks that fall over this edge in a push.
    """

    start: tuple[float, float]
    end: tuple[float, float]
    limits: tuple[float, ...]
    counts: tuple[int, ...]
    by_kind: tuple[tuple[int, ...], ...]
    per_push: Estimate


class FallPoint(msgspec.Struct, frozen=True, array_like=True):
    """Where one disk lost its support: kind index, x, y in mm."""

    kind: int
    x: float
    y: float


class WeightRow(msgspec.Struct, frozen=True):
    """What the weight did: trials with it, chance that its disk falls in the push and at the lift."""

    trials: int
    fell_push: Estimate
    fell_lift: Estimate


class Example(msgspec.Struct, frozen=True):
    """Trial 0, so that a picture can show what was pushed into what.

    Parameters
    ----------
    rows
        (kind name, x, y, angle) of every disk before the push, the new disk not among them.
    disk, x, y
        The new disk.
    weight
        (x, y) of the weight, or None.
    """

    rows: tuple[tuple[str, float, float, float], ...]
    disk: str
    x: float
    y: float
    weight: tuple[float, float] | None = None


class Evidence(msgspec.Struct, frozen=True):
    """Worst certificates over all trials; None where the engine gives none.

    Parameters
    ----------
    unconverged
        Trials with a step that no method solved to the tolerance.
    overlap
        Largest overlap, mm.
    force, complementarity, power
        Largest relative residuals, see `thrillsim.physics.Certificate`.
    steps
        Steps of all trials together.
    """

    unconverged: int
    overlap: float | None
    force: float | None
    complementarity: float | None
    power: float | None
    steps: int


class Summary(msgspec.Struct, frozen=True):
    """The answer of a study.

    Parameters
    ----------
    scenario, scenario_hash, seed, trials, engine, accuracy
        What was run.
    confidence
        Of every interval, e.g. 0.95.
    methods
        How the intervals are made, by kind of quantity.
    any_fell, none_fell
        P(at least one disk falls), P(none falls); Wilson score intervals.
    cost
        Expected chips per push; Student t interval.
    costs
        Distribution of the cost, from 0 to the largest seen without gaps.
    kinds
        What fell, per size.
    placed
        What was pushed in, per size that occurred.
    curves
        Cost over placement y: all sizes first (disk None), then each size that occurred.
    edges
        Open edges of the playing surface with their falls.
    points
        Where disks fell, in trial order, the first `POINTS` of them.
    weight
        None if no trial had the weight.
    jammed
        Share of trials in which the pusher could not reach the blocking edge.
    evidence
        Worst certificates.
    board
        The table.
    example
        Layout and placement of trial 0.
    """

    scenario: str
    scenario_hash: str
    seed: int
    trials: int
    engine: str
    accuracy: str
    confidence: float
    methods: dict[str, str]
    any_fell: Estimate
    none_fell: Estimate
    cost: Estimate
    costs: tuple[CostCount, ...]
    kinds: tuple[KindRow, ...]
    placed: tuple[PlacedRow, ...]
    curves: tuple[Curve, ...]
    edges: tuple[EdgeFalls, ...]
    points: tuple[FallPoint, ...]
    weight: WeightRow | None
    jammed: Estimate
    evidence: Evidence
    board: Board
    example: Example
    schema: int = SUMMARY_SCHEMA

    @property
    def layout(self) -> Layout:
        """The example layout (trial 0, before the push, without the new disk)."""
        return Layout.from_rows(self.board, self.example.rows)

    def to_json(self) -> bytes:
        """``summary.json``: indented, keys in a fixed order, a newline at the end."""
        return msgspec.json.format(msgspec.json.encode(self), indent=2) + b"\n"

    @classmethod
    def from_json(cls, text: str | bytes) -> Summary:
        """Read what `to_json` wrote."""
        return msgspec.json.decode(text, type=cls)

    def points_array(self) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
        """(n, 3) kind index, x, y of `points`."""
        return np.array([(p.kind, p.x, p.y) for p in self.points], dtype=np.float64).reshape(-1, 3)
