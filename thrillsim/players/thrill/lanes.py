"""Where a disk would meet the least resistance: a guess by eye, without physics."""

from __future__ import annotations

import numpy as np

from thrillsim.games.thrill import KIND_OF, Place, View
from thrillsim.games.thrill.placing import Placements


def crowding(view: View, disk: int, y: float) -> float:
    """How much must make room (mm) if `disk` is pushed in at `y` sideways: the sum of all overlaps."""
    r = view.table.radii[KIND_OF[disk]]
    if not view.layout:
        return 0.0
    rows = np.array([row[1:3] for row in view.layout])
    reach = r + np.array([view.table.radii[KIND_OF[row[0]]] for row in view.layout])
    gaps = reach - np.hypot(rows[:, 0] - r, rows[:, 1] - y)  # it ends at x = r
    return float(np.maximum(gaps, 0.0).sum())


def lanes(view: View, disk: int, count: int, spacing: float = 4.0) -> list[float]:
    """Up to `count` sideways positions, best first, at least half a disk apart."""
    y0, y1 = Placements(view.table, disk, ()).box[2:]
    middle = (y0 + y1) / 2
    grid = np.linspace(y0, y1, max(2, round((y1 - y0) / spacing) + 1))
    order = sorted(grid.tolist(), key=lambda y: (crowding(view, disk, y), abs(y - middle)))
    apart = view.table.radii[KIND_OF[disk]] / 2
    chosen: list[float] = []
    for y in order:
        if len(chosen) < count and all(abs(y - other) >= apart for other in chosen):
            chosen.append(y)
    return chosen


def placed(view: View, disk: int, y: float, weight: int | None = None, dx: float = 0.0) -> Place:
    """The disk at `y`, close to the blocking edge."""
    _, x1, _, _ = Placements(view.table, disk, ()).box
    return Place(x1 - 1.0, y, weight, dx)
