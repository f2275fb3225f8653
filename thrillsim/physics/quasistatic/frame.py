"""The frame in which the kernel sees a push: neither the order of the disks nor left and right make a difference.

Rounding depends on the order of sums, and where several solutions exist it decides which is found.  So the kernel
gets the disks in an order of their own, and the whole scene mirrored in y if it leans to the right.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from thrillsim.board import Board, Layout
from thrillsim.board.types import FloatArray
from thrillsim.physics.problem import side_of
from thrillsim.physics.types import Push


@dataclass(frozen=True, slots=True)
class Frame:
    """Row k of the kernel's arrays is disk ``order[k]``; y and angles are multiplied by `side`, 1 or -1."""

    order: NDArray[np.intp]
    side: float

    @classmethod
    def of(cls, layout: Layout, push: Push) -> Frame:
        """The frame of a push, the same for every order of the disks and for the mirror image."""
        side = side_of(layout, push)
        return cls(np.lexsort((layout.kind, side * layout.y, layout.x)), side)

    def turned(self, values: FloatArray) -> FloatArray:
        """Values of y, or angles, in the other frame: into the kernel's or back."""
        return self.side * values + 0.0  # no -0.0

    def row_of(self, disk: int) -> int:
        """The kernel's row of a disk."""
        return int(np.flatnonzero(self.order == disk)[0])


@lru_cache(maxsize=32)
def outline_of(board: Board, side: float) -> FloatArray:
    """(k, 2) corners of the board's outline in the frame, counter-clockwise from the least."""
    corners = board.outline * (1.0, side) + 0.0
    if side < 0.0:
        corners = corners[::-1]
    first = np.lexsort((corners[:, 1], corners[:, 0]))[0]
    return np.ascontiguousarray(np.roll(corners, -first, axis=0))


@lru_cache(maxsize=32)
def features_of(board: Board, yaw: float, side: float) -> tuple[FloatArray, float, float]:
    """Walls and pusher outline as kernel features, the pusher's foremost x at advance 0, and its whole advance."""
    pusher = board.pusher
    front = [(dx - pusher.travel, y) for dx, y in pusher.profile()]
    half, rear = pusher.width / 2, -pusher.travel - pusher.depth
    corners = [*front, (rear, half), (rear, -half)]
    if yaw:
        cos, sin = math.cos(yaw), math.sin(yaw)
        x0 = -pusher.travel
        corners = [(x0 + cos * (x - x0) - sin * y, sin * (x - x0) + cos * y) for x, y in corners]
    foremost = max(x for x, _ in corners)
    # the board's inside lies left of a wall; disks lie left of the pusher's outline taken clockwise
    clockwise = corners[::-1]
    segments = [(*wall, 0.0) for wall in board.walls.tolist()]
    for start, end in zip(clockwise, clockwise[1:] + clockwise[:1], strict=True):
        segments.append((*start, *end, 1.0))
    if side < 0.0:  # the free side stays left: ends are swapped
        segments = [(x2, -y2 + 0.0, x1, -y1 + 0.0, moves) for x1, y1, x2, y2, moves in segments]
    segments.sort()
    rows = [(0.0, *segment, -1.0, -1.0) for segment in segments]
    ends: dict[tuple[float, float, float], list[int]] = {}
    for index, (x1, y1, x2, y2, moves) in enumerate(segments):
        ends.setdefault((x1, y1, moves), []).append(index)
        ends.setdefault((x2, y2, moves), []).append(index)
    for (x, y, moves), owners in sorted(ends.items()):
        a, b = [*owners, -1][:2]
        rows.append((1.0, x, y, x, y, moves, float(a), float(b)))
    return np.array(rows, dtype=np.float64).reshape(-1, 8), foremost, -foremost
