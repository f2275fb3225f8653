"""The weight of the variant (THR-25 to THR-28): where it may stand, what it adds, what lifting it does."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from thrillsim.board import Board, Layout
from thrillsim.board.layout import support_margin_of
from thrillsim.errors import InputError
from thrillsim.physics.types import WeightOn


@dataclass(frozen=True, slots=True)
class Load:
    """What stands on one contact patch: a disk alone, or with the weight on it.

    Parameters
    ----------
    mass
        In g.
    dx, dy
        Common centre of mass relative to the disk's centre, mm (in the frame the offset was given in).
    inertia
        About the common centre of mass, g·mm².
    """

    mass: float
    dx: float
    dy: float
    inertia: float


def disk_load(board: Board, kind: int) -> Load:
    """The disk alone, its mass spread evenly over the lid (in the slow limit that does not matter)."""
    disk = board.kinds[kind]
    return Load(disk.mass, 0.0, 0.0, 0.5 * disk.mass * disk.radius**2)


def weighted_load(board: Board, kind: int, dx: float, dy: float) -> Load:
    """Disk and weight together, the weight's centre at (dx, dy) from the disk's.

    Examples
    --------
    >>> from thrillsim.board import default_board
    >>> load = weighted_load(default_board(), 0, 10.0, 0.0)
    >>> round(load.mass, 2), round(load.dx, 4)
    (32.12, 9.2154)
    """
    disk, weight = disk_load(board, kind), board.weight
    mass = disk.mass + weight.mass
    share = weight.mass / mass
    apart = dx * dx + dy * dy
    inertia = disk.inertia + 0.5 * weight.mass * weight.radius**2 + disk.mass * share * apart
    return Load(mass, share * dx, share * dy, inertia)


def weight_problem(board: Board, layout: Layout, weight: WeightOn) -> tuple[str, str] | None:
    """Why the weight cannot stand there: (key, reason), or None if it can (THR-26, THR-A19)."""
    if not 0 <= weight.disk < len(layout):
        allowed = f"0 to {len(layout) - 1}" if len(layout) else "which has none"
        return "weight.disk", f"must be a disk of the layout, {allowed}, got {weight.disk}"
    if not (math.isfinite(weight.dx) and math.isfinite(weight.dy)):
        return "weight", f"dx and dy must be finite, got {weight.dx:g} and {weight.dy:g}"
    kind = int(layout.kind[weight.disk])
    lid = float(board.radii[kind])
    off = math.hypot(weight.dx, weight.dy)
    if off > lid + 1e-9:
        return "weight", f"its centre must lie over the disk, within {lid:g} mm of its centre, got {off:g}"
    x = float(layout.x[weight.disk]) + weight.dx
    y = float(layout.y[weight.disk]) + weight.dy
    gaps = np.hypot(layout.x - x, layout.y - y) - layout.radii(board) - board.weight.radius
    gaps[weight.disk] = math.inf
    nearest = int(np.argmin(gaps))
    if gaps[nearest] <= 0:
        return "weight", f"may touch no other disk, but reaches {-gaps[nearest]:.3g} mm over disks[{nearest}]"
    if standing_margin(board, layout, weight) < 0:
        return "weight", f"disks[{weight.disk}] would tip over with the weight there"
    return None


def check_weight(board: Board, layout: Layout, weight: WeightOn) -> None:
    """Refuse a place where the weight may not stand.

    Raises
    ------
    InputError
        The disk is not one of the layout (THR-A19), the weight's centre is not over it, the weight
        touches another disk (THR-26), or the disk would tip.
    """
    problem = weight_problem(board, layout, weight)
    if problem:
        raise InputError(problem[1], key=f"push.{problem[0]}")


def standing_margin(board: Board, layout: Layout, weight: WeightOn) -> float:
    """How far the common centre of mass is inside the support of the weighted disk, mm; negative: it tips."""
    i = weight.disk
    kind, x, y = int(layout.kind[i]), float(layout.x[i]), float(layout.y[i])
    load = weighted_load(board, kind, weight.dx, weight.dy)
    return support_margin_of(board, kind, x, y, x + load.dx, y + load.dy)


def falls_when_lifted(board: Board, kind: int, x: float, y: float) -> bool:
    """Whether a disk that stands under the weight falls once the weight is taken off (THR-28)."""
    return support_margin_of(board, kind, x, y) < 0


def weight_places(board: Board, layout: Layout, *, spacing: float = 5.0) -> tuple[WeightOn, ...]:
    """Legal places for the weight: on every disk its centre and a square grid round it.

    Parameters
    ----------
    spacing
        Of the grid in mm.

    Returns
    -------
    tuple of WeightOn
        By disk, on each from the centre outwards; empty if there is none at this spacing.

    Raises
    ------
    InputError
        If `spacing` is not positive.
    """
    if not spacing > 0:
        raise InputError(f"must be > 0, got {spacing:g}", key="spacing")
    places: list[WeightOn] = []
    for i, radius in enumerate(layout.radii(board)):
        reach = int(radius // spacing)
        offsets = [
            (a * spacing, b * spacing) for a in range(-reach, reach + 1) for b in range(-reach, reach + 1)
        ]
        for dx, dy in sorted(offsets, key=lambda o: (math.hypot(*o), o)):
            place = WeightOn(i, dx, dy)
            if weight_problem(board, layout, place) is None:
                places.append(place)
    return tuple(places)
