"""Take away the last thousandths of overlap that a contact solver leaves.  Changes the array it is given."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from thrillsim.board.layout import wall_distance
from thrillsim.board.types import FloatArray

TOLERANCE = 1e-9  #: mm of overlap that may stay
SWEEPS = 400


def separate(poses: FloatArray, radii: FloatArray, standing: NDArray[np.bool_], walls: FloatArray) -> float:
    """Move standing disks apart until none overlaps; the result can start the next push.

    Each sweep moves the two of a pair by half their overlap and a disk off a wall by all of it.

    Parameters
    ----------
    poses
        (n, 3) x, y, angle; x and y are changed.
    radii, standing
        (n,) rim radii in mm, and which disks take part.
    walls
        (w, 4) segments, pusher included.

    Returns
    -------
    float
        Overlap left, mm: below `TOLERANCE` unless there is no room.
    """
    index = np.flatnonzero(standing)
    r = radii[index]
    a, b = np.triu_indices(len(index), 1)
    worst = 0.0
    for _ in range(SWEEPS):
        x, y = poses[index, 0], poses[index, 1]
        lap = r[a] + r[b] - np.hypot(x[a] - x[b], y[a] - y[b])
        worst = float(lap.max(initial=0.0))
        for k in np.flatnonzero(lap > 0).tolist():
            i, j = int(index[a[k]]), int(index[b[k]])
            dx, dy = poses[j, 0] - poses[i, 0], poses[j, 1] - poses[i, 1]
            distance = math.hypot(dx, dy)
            push = 0.5 * (radii[i] + radii[j] - distance)
            if push <= 0 or distance == 0:
                continue  # an earlier pair of this sweep has made room
            poses[i, :2] -= push * dx / distance, push * dy / distance
            poses[j, :2] += push * dx / distance, push * dy / distance
        if len(walls) and len(index):
            lap = r[:, None] - wall_distance(poses[index, 0], poses[index, 1], walls)
            worst = max(worst, float(lap.max()))
            for k, w in np.argwhere(lap > 0).tolist():
                i = int(index[k])
                x1, y1, x2, y2 = walls[w].tolist()
                ex, ey = x2 - x1, y2 - y1
                t = ((poses[i, 0] - x1) * ex + (poses[i, 1] - y1) * ey) / (ex * ex + ey * ey)
                t = min(1.0, max(0.0, t))
                dx, dy = poses[i, 0] - x1 - t * ex, poses[i, 1] - y1 - t * ey
                distance = math.hypot(dx, dy)
                if 0 < distance < radii[i]:
                    poses[i, :2] += (radii[i] / distance - 1) * dx, (radii[i] / distance - 1) * dy
        if worst < TOLERANCE:
            break
    return worst
