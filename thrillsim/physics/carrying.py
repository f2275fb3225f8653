"""Support and pressure of a disk, quick where one straight edge is all that is near.  Arrays in, arrays out.

Beside a single straight edge both follow from the distance to it: the margin at once, the pressure of an
unweighted disk from a memory of one-parameter cases.  Corners, narrow boards and the weight go the whole way.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from thrillsim.board import Patch
from thrillsim.board.support import support_margin
from thrillsim.board.types import FloatArray
from thrillsim.physics.pressure import MAX_PANELS, MIN_PER_ARC, balance_shares, patch_points, radial_rule
from thrillsim.physics.weight import Load

GRAIN = 2000  #: distances to an edge per radius that are told apart when pressures are remembered


class Carrier:
    """Answers for one board outline and one number of contact points per circle."""

    def __init__(self, outline: FloatArray, points: int) -> None:
        self.outline = outline
        self.points = points
        self._corners = [(float(x), float(y)) for x, y in outline]
        self._edges = []
        for (x1, y1), (x2, y2) in zip(self._corners, self._corners[1:] + self._corners[:1], strict=True):
            length = math.hypot(x2 - x1, y2 - y1)
            self._edges.append((x1, y1, (x2 - x1) / length, (y2 - y1) / length, length))

    def _one_edge(self, x: float, y: float, radius: float) -> tuple[float, float, float] | None:
        """Distance to the only edge near, inside positive, and the way out across it; None: not that easy."""
        for cx, cy in self._corners:
            if math.hypot(x - cx, y - cy) <= radius:
                return None
        found = None
        for x1, y1, tx, ty, length in self._edges:
            along = (x - x1) * tx + (y - y1) * ty
            inside = (y - y1) * tx - (x - x1) * ty
            if abs(inside) < radius and 0 < along < length:
                if found is not None:
                    return None
                found = inside, ty, -tx
        return found

    def margin(self, patch: Patch, load: Load, x: float, y: float, angle: float) -> float:
        """Support margin, mm; negative: the disk falls."""
        c, s = math.cos(angle), math.sin(angle)
        dx, dy = c * load.dx - s * load.dy, s * load.dx + c * load.dy
        edge = self._one_edge(x, y, patch.radius)
        if edge is not None:
            inside, ox, oy = edge
            return min(inside - dx * ox - dy * oy, patch.radius - math.hypot(dx, dy))
        inner = patch.radius if patch.shape == "ring" else patch.inner
        return float(support_margin(self.outline, x, y, patch.radius, inner, x + dx, y + dy))

    def carry(
        self, patch: Patch, load: Load, x: float, y: float, angle: float
    ) -> tuple[FloatArray, FloatArray]:
        """Points under the normal force, (m, 2) in the disk's own frame, mm, and their shares (m,)."""
        c, s = math.cos(angle), math.sin(angle)
        edge = self._one_edge(x, y, patch.radius) if load.dx == load.dy == 0 else None
        if edge is not None:
            inside, ox, oy = edge
            inner = 1.0 if patch.shape == "ring" else patch.inner / patch.radius
            points, shares = _beside_edge(
                inner, self.points, min(max(0, round(GRAIN * inside / patch.radius)), GRAIN - 1)
            )
            ox, oy = patch.radius * (c * ox + s * oy), patch.radius * (c * oy - s * ox)
            return points @ np.array([[ox, oy], [-oy, ox]]), shares
        inner = patch.radius if patch.shape == "ring" else patch.inner
        dx, dy = c * load.dx - s * load.dy, s * load.dx + c * load.dy
        points, shares = _solve(self.outline, x, y, patch.radius, inner, self.points, dx, dy)
        return points @ np.array([[c, -s], [s, c]]), shares


@lru_cache(maxsize=8 * GRAIN)
def _beside_edge(inner: float, n: int, step: int) -> tuple[FloatArray, FloatArray]:
    """A unit disk whose board ends at x = step / GRAIN."""
    half_plane = np.array([(-9.0, -9.0), (step / GRAIN, -9.0), (step / GRAIN, 9.0), (-9.0, 9.0)])
    return _solve(half_plane, 0.0, 0.0, 1.0, inner, n, 0.0, 0.0)


def _solve(
    outline: FloatArray, x: float, y: float, radius: float, inner: float, n: int, dx: float, dy: float
) -> tuple[FloatArray, FloatArray]:
    nodes, node_weights = radial_rule(max(2, n // 4))
    size = n + MIN_PER_ARC if inner >= radius else MAX_PANELS * len(nodes) * (n + MIN_PER_ARC)
    points, weights, shares = np.empty((size, 2)), np.empty(size), np.zeros(size)
    count = patch_points(outline, x, y, radius, inner, n, nodes, node_weights, points, weights)
    balance_shares(points, weights, count, dx, dy, shares)
    return points[:count].copy(), shares[:count].copy()
