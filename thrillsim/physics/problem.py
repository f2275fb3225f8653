"""A push as plain arrays, and its mirror image: what the rigid engine is built from.

Solvers prefer one side by a hair: they sweep contacts in a fixed order, and rounding decides between
solutions.  So every engine carries a push out in one canonical handedness (`side_of`) and mirrors it back:
y -> -y gives the mirrored result bit for bit, and no study can be biased to the left or right.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from thrillsim.board import Board, Layout
from thrillsim.board.types import FloatArray
from thrillsim.physics.types import Push
from thrillsim.physics.weight import Load, disk_load, weighted_load


@dataclass(frozen=True, slots=True)
class Problem:
    """Board, disks and pusher as arrays.

    Parameters
    ----------
    board
        For everything that has no handedness: kinds, friction, gravity.
    outline, walls
        (k, 2) and (w, 4) as in `Board`.
    kinds, poses
        (n,) and (n, 3) x, y, angle at the start.
    loads
        What stands on each patch; offsets in the disk's own frame.
    weighted
        Index of the weighted disk, -1 without.
    front
        (p, 4) segments of the pusher's front and flanks at x = 0, turned by the yaw.
    stop
        Advance at which the foremost point of the front reaches x = 0, mm.
    travel
        From the rear stop to the blocking edge, mm.
    tilt
        Pull (x, y) in units of gravity.
    """

    board: Board
    outline: FloatArray
    walls: FloatArray
    kinds: tuple[int, ...]
    poses: FloatArray
    loads: tuple[Load, ...]
    weighted: int
    front: FloatArray
    stop: float
    travel: float
    tilt: tuple[float, float]

    def mirrored(self) -> Problem:
        """The same with y -> -y."""
        return replace(
            self,
            outline=_same_rows(self.outline, self.outline[::-1] * (1, -1)),
            walls=_same_rows(self.walls, self.walls[:, [2, 3, 0, 1]] * (1, -1, 1, -1)),
            poses=flip(self.poses),
            loads=tuple(replace(load, dy=-load.dy) for load in self.loads),
            front=_same_rows(self.front, self.front[::-1][:, [2, 3, 0, 1]] * (1, -1, 1, -1)),
            tilt=(self.tilt[0], -self.tilt[1]),
        )


def flip(poses: FloatArray) -> FloatArray:
    """(..., 3) poses with y and angle negated."""
    return poses * (1.0, -1.0, -1.0) + 0.0  # + 0.0: no negative zeros


def _same_rows(original: FloatArray, flipped: FloatArray) -> FloatArray:
    """`original` if `flipped` has the same rows: a symmetric thing keeps its order, and so its rounding."""
    flipped = flipped + 0.0
    if {tuple(row) for row in original.tolist()} == {tuple(row) for row in flipped.tolist()}:
        return original
    return flipped


def rest_problem(board: Board, layout: Layout, *, yaw: float = 0.0) -> Problem:
    """The arrays of disks at rest: no weight, no tilt."""
    kinds = tuple(int(k) for k in layout.kind)
    front = _front(board, yaw)
    return Problem(
        board=board,
        outline=board.outline,
        walls=board.walls,
        kinds=kinds,
        poses=np.stack([layout.x, layout.y, layout.angle], axis=1),
        loads=tuple(disk_load(board, kind) for kind in kinds),
        weighted=-1,
        front=front,
        stop=board.pusher.travel - float(front[:, [0, 2]].max()),
        travel=board.pusher.travel,
        tilt=(0.0, 0.0),
    )


def make_problem(board: Board, before: Layout, push: Push) -> Problem:
    """The arrays of a checked push; `before` holds the new disk last."""
    problem = replace(rest_problem(board, before, yaw=push.yaw), tilt=push.tilt)
    if push.weight is None:
        return problem
    i = push.weight.disk
    c, s = math.cos(before.angle[i]), math.sin(before.angle[i])
    dx, dy = push.weight.dx, push.weight.dy
    loads = list(problem.loads)
    loads[i] = weighted_load(board, problem.kinds[i], c * dx + s * dy, c * dy - s * dx)
    return replace(problem, loads=tuple(loads), weighted=i)


def _front(board: Board, yaw: float) -> FloatArray:
    """Front and flanks of the pusher, its front's middle at the origin, turned by `yaw`; (p, 4) segments."""
    profile = board.pusher.profile()
    depth = board.pusher.depth
    points = np.array([(-depth, profile[0][1]), *profile, (-depth, profile[-1][1])])
    c, s = math.cos(yaw), math.sin(yaw)
    points = np.stack([c * points[:, 0] - s * points[:, 1], s * points[:, 0] + c * points[:, 1]], axis=1)
    return np.hstack([points[:-1], points[1:]])


def side_of(layout: Layout, push: Push) -> float:
    """1 if a push is carried out as it is, -1 if as its mirror image; of a pair of mirror images one is each.

    The first of the push's own numbers that a mirror changes decides, or else the disks, in whatever order.
    """
    weight = 0.0 if push.weight is None else push.weight.dy
    for own in (push.y, push.yaw, push.tilt[1], push.angle, weight):
        if own:
            return 1.0 if own > 0.0 else -1.0
    disks = np.stack([layout.x, layout.kind, layout.y, layout.angle], axis=1)
    images = disks * (1.0, 1.0, -1.0, -1.0)
    return 1.0 if sorted(disks.tolist()) >= sorted(images.tolist()) else -1.0
