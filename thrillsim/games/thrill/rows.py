"""Between the rows that a state carries along and the board's layouts."""

from __future__ import annotations

from collections.abc import Sequence

from thrillsim.board import Layout
from thrillsim.games.thrill.types import KIND_OF, Row


def layout_of(rows: Sequence[Row]) -> Layout:
    """The layout of the rows, in their order."""
    x, y, angle = ([row[i] for row in rows] for i in (1, 2, 3))
    return Layout([KIND_OF[row[0]] for row in rows], x, y, angle)


def rows_of(numbers: Sequence[int], layout: Layout) -> tuple[Row, ...]:
    """The rows of a layout whose disks have these numbers."""
    poses = zip(layout.x.tolist(), layout.y.tolist(), layout.angle.tolist(), strict=True)
    return tuple((number, x, y, angle) for number, (x, y, angle) in zip(numbers, poses, strict=True))
