"""Which disks lost their support between two looks, and where.  Works on a `Scene`, removes what fell."""

from __future__ import annotations

from thrillsim.board.types import FloatArray
from thrillsim.physics.scene import Scene

BISECTIONS = 30  #: the place is found to 2^-30 of the way between two looks


def take_falls(scene: Scene, before: FloatArray) -> list[tuple[float, int, FloatArray]]:
    """Remove the disks that fell since the poses `before`; hang the others that overhang on their new shares.

    Returns
    -------
    list of (part, disk, pose)
        In the order of falling; `part` in 0..1 is when between the two looks.
    """
    fallen = []
    for i in scene.near_edge():
        if scene.margin(i, scene.poses[i]) < 0 and scene.has_moved(i):
            part = _crossing(scene, i, before[i])
            fallen.append((part, i, before[i] + part * (scene.poses[i] - before[i])))
        else:
            scene.spread_if_moved(i)
    fallen.sort(key=lambda fall: fall[:2])
    for _, i, pose in fallen:
        scene.poses[i] = pose
        scene.remove(i)
    return fallen


def _crossing(scene: Scene, i: int, before: FloatArray) -> float:
    """Where between the last two looks (0..1) disk i lost its support."""
    low, high = 0.0, 1.0
    for _ in range(BISECTIONS):
        part = 0.5 * (low + high)
        if scene.margin(i, before + part * (scene.poses[i] - before)) < 0:
            high = part
        else:
            low = part
    return high
