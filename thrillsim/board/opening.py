"""Opening arrangements: the disks that start on the playing surface, lying anywhere without overlap (THR-03).

Random positions, then relaxation of the overlaps, with new positions if they get stuck.  At the
density of the real board (0.71) throwing disks one by one would practically never end.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from thrillsim.board.board import Board, Surface
from thrillsim.board.layout import Layout
from thrillsim.board.types import FloatArray
from thrillsim.errors import InputError, counted, shown

STARTS = 20  #: random starts before an arrangement is refused
SWEEPS = 1500  #: relaxation steps of one start
DENSEST = math.pi / math.sqrt(12)  #: share of the plane that equal circles can cover at most (Thue, Tóth)

_STEP = 0.35  # of the overlap that each disk of a pair gives way; 0.4 begins to swing
_KEEP = 0.95  # momentum: share of the last step that is made again
_STUCK = 1e-5  # a step this small against the largest overlap leads nowhere
_GROW = 3e-3  # of the smallest radius: how much bigger the disks are meanwhile


def opening(board: Board, rng: np.random.Generator | int) -> Layout:
    """The opening disks (THR-03: all but the reserve), whole on the playing surface, in a random arrangement.

    Parameters
    ----------
    board
        Any board; its playing surface may have any outline.
    rng
        Generator to draw from, or a seed.  The same seed gives the same bytes.

    Returns
    -------
    Layout
        Kinds in the order of ``board.kinds``; no overlap, every footprint inside the playing surface.

    Raises
    ------
    InputError
        If the disks do not fit; the message gives their packing fraction.  Or if `rng` is neither of the two.

    Examples
    --------
    >>> from thrillsim.board import default_board
    >>> board = default_board()
    >>> layout = opening(board, 1)
    >>> len(layout), round(layout.packing(board), 3), layout.overlap(board)
    (28, 0.71, 0.0)
    """
    given: object = rng  # (not every caller has a type checker)
    whole = isinstance(given, int | np.integer) and not isinstance(given, bool) and given >= 0
    if not whole and not isinstance(given, np.random.Generator):
        raise InputError(f"must be a Generator or a whole number >= 0, got {shown(given)}", key="rng")
    generator = np.random.default_rng(rng)
    kind = np.repeat(np.arange(len(board.kinds)), [k.count - k.reserve for k in board.kinds])
    radius = board.radii[kind]
    packing = float(np.sum(math.pi * radius**2) / board.playing.area)
    crowd = f"{counted(len(kind), 'disk')} at packing {packing:.3f}"
    if packing > DENSEST:
        raise InputError(
            f"{crowd} cannot fit the playing surface (equal disks cover at most {DENSEST:.3f})", key="disks"
        )
    walls = _Walls(board.playing)
    for _ in range(STARTS):
        start, homeless = _scatter(walls, radius, generator)
        if homeless is not None:
            name = board.kinds[kind[homeless]].name
            raise InputError(f"{crowd}: the playing surface has no room even for one {name}", key="disks")
        found = _relax(start, radius, walls)
        if found is not None:
            return Layout(kind, found[:, 0], found[:, 1])
    raise InputError(f"{crowd} found no place on the playing surface in {STARTS} random starts", key="disks")


def verified_opening(board: Board) -> Layout:
    """One fixed opening of the default board, checked by hand: smallest gap 0.27 mm, all inside 122 x 220.

    Parameters
    ----------
    board
        A board with the kinds big, medium and small.
    """
    return Layout.from_rows(board, [(name, x, y) for name, spots in _VERIFIED for x, y in spots]).check(board)


_VERIFIED: tuple[tuple[str, tuple[tuple[float, float], ...]], ...] = (
    ("big", ((21.0, -59.5), (101.0, 89.0), (43.2, -23.4), (101.0, -72.2), (69.2, 10.1))),
    (
        "medium",
        (
            (60.0, 73.9),
            (106.0, 16.7),
            (34.6, 94.0),
            (70.7, -94.0),
            (16.0, 2.3),
            (102.2, -15.5),
            (38.3, -92.6),
            (45.3, 45.0),
        ),
    ),
    (
        "small",
        (
            (84.3, 61.3),
            (38.0, 18.6),
            (67.0, -45.2),
            (11.0, 80.2),
            (75.5, -21.7),
            (11.0, -26.8),
            (13.3, 51.0),
            (64.1, -67.4),
            (29.2, 67.2),
            (72.5, 42.3),
            (111.0, 58.2),
            (111.0, -41.4),
            (95.6, 42.0),
            (88.7, -39.8),
            (11.0, -94.3),
        ),
    ),
)


class _Walls:
    """The outline of a surface, for many points at once."""

    def __init__(self, surface: Surface) -> None:
        corners = np.array(surface.vertices)
        self.low, self.high = corners.min(axis=0), corners.max(axis=0)
        self.a = corners
        self.d = np.roll(corners, -1, axis=0) - corners
        self.square = self.d[:, 0] ** 2 + self.d[:, 1] ** 2
        self.inward = np.stack([-self.d[:, 1], self.d[:, 0]], axis=1) / np.sqrt(self.square)[:, None]
        self.offset = corners[:, 0] * self.inward[:, 0] + corners[:, 1] * self.inward[:, 1]
        following = np.roll(self.d, -1, axis=0)
        turns = self.d[:, 0] * following[:, 1] - self.d[:, 1] * following[:, 0]
        self.convex = bool((turns >= 0).all())

    def nearest(self, point: FloatArray) -> tuple[FloatArray, FloatArray]:
        """From each edge to each of (n, 2) points: vectors (n, k, 2) and distances (n, k)."""
        away = point[:, None, :] - self.a
        t = (away[:, :, 0] * self.d[:, 0] + away[:, :, 1] * self.d[:, 1]) / self.square
        away = away - np.clip(t, 0.0, 1.0)[:, :, None] * self.d
        return away, np.sqrt(away[:, :, 0] ** 2 + away[:, :, 1] ** 2)

    def inside(self, point: FloatArray) -> NDArray[np.bool_]:
        """Whether each of (n, 2) points lies in the polygon."""
        x, y = point[:, :1], point[:, 1:]
        x1, y1 = self.a[:, 0], self.a[:, 1]
        y2 = y1 + self.d[:, 1]
        crosses = (y1 > y) != (y2 > y)
        # right of the edge's point at y, without the division
        side = (x - x1) * (y2 - y1) - (y - y1) * self.d[:, 0]
        left = np.where(y2 > y1, side < 0, side > 0)
        odd: NDArray[np.bool_] = np.count_nonzero(crosses & left, axis=1) % 2 == 1
        return odd

    def push(self, point: FloatArray, radius: FloatArray) -> tuple[FloatArray, float]:
        """Moves (n, 2) that bring disks back inside, and how far the worst one reaches out."""
        if self.convex:  # every edge is a half-plane: no corner to look at, no inside to ask for
            height = point[:, :1] * self.inward[:, 0] + point[:, 1:] * self.inward[:, 1] - self.offset
            lap = np.maximum(radius[:, None] - height, 0.0)
            move = np.stack([(lap * self.inward[:, 0]).sum(axis=1), (lap * self.inward[:, 1]).sum(axis=1)], 1)
            return move, float(lap.max(initial=0.0))
        away, distance = self.nearest(point)
        lap = radius[:, None] - distance
        touching = lap > 0
        if not touching.any():  # far from every edge, and no step is long enough to jump across
            return np.zeros_like(point), 0.0
        share = np.where(touching, lap / np.maximum(distance, 1e-12), 0.0)
        move = (share[:, :, None] * away).sum(axis=1)
        out = ~self.inside(point)
        for i in np.flatnonzero(out):  # the centre itself is outside: in across the nearest edge
            k = int(distance[i].argmin())
            move[i] = -away[i, k] + radius[i] * self.inward[k]
            lap[i, k] = radius[i] + distance[i, k]
        return move, max(0.0, float(lap.max()))


def _scatter(walls: _Walls, radius: FloatArray, rng: np.random.Generator) -> tuple[FloatArray, int | None]:
    """(n, 2) independent uniform centres with the whole disk on the surface; disks may overlap.

    Also the index of a disk that found no place in 1000 throws, or None.
    """
    point = np.empty((len(radius), 2))
    missing = np.arange(len(radius))
    for _ in range(1000):
        if not len(missing):
            return point, None
        r = radius[missing, None]
        low, high = walls.low + r, walls.high - r
        trial = low + rng.random((len(missing), 2)) * np.maximum(high - low, 0.0)
        point[missing] = trial
        clear = walls.nearest(trial)[1].min(axis=1) >= radius[missing] - 1e-9
        missing = missing[~(clear & walls.inside(trial))]
    return point, int(missing[0]) if len(missing) else None


def _relax(point: FloatArray, radius: FloatArray, walls: _Walls) -> FloatArray | None:
    """Centres without overlap near `point`, or None if the disks got stuck.

    Every overlapping pair gives way by a share of its overlap, with momentum.  The disks are a
    little bigger meanwhile, so that they end clear of each other rather than in the limit.
    """
    n = len(point)
    margin = _GROW * float(radius.min()) if n else 0.0
    grown = radius + margin
    skin = float(radius.min()) if n else 0.0
    velocity = np.zeros_like(point)
    listed_at: FloatArray | None = None
    i = j = target = np.empty(0, dtype=np.intp)
    for _ in range(SWEEPS):
        if listed_at is None or np.abs(point - listed_at).max(initial=0.0) > 0.35 * skin:
            listed_at = point.copy()
            i, j = _near_pairs(point, grown, skin)
            target = (2 * np.concatenate([i, j])[:, None] + [0, 1]).ravel()
        between = point[i] - point[j]
        distance = np.sqrt(between[:, 0] ** 2 + between[:, 1] ** 2)
        lap = grown[i] + grown[j] - distance
        move, worst = walls.push(point, grown)
        worst = max(worst, float(lap.max(initial=0.0)))
        if worst <= margin:
            return point
        share = np.maximum(lap, 0.0) / np.maximum(distance, 1e-12)
        give = share[:, None] * between
        move += np.bincount(target, np.concatenate([give, -give]).ravel(), 2 * n).reshape(n, 2)
        if np.abs(move).max() < _STUCK * worst:
            return None
        # Momentum that has come to work against the overlaps is dropped.  (cumsum adds in a fixed
        # order, so the answer does not depend on the processor.)
        if np.cumsum(velocity * move)[-1] < 0:
            velocity[:] = 0.0
        velocity = _KEEP * velocity + _STEP * move
        point = point + velocity
    return None


def _near_pairs(
    point: FloatArray, radius: FloatArray, skin: float
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Pairs i < j whose gap is below `skin`."""
    between = point[:, None, :] - point
    reach = radius[:, None] + radius + skin
    near = between[:, :, 0] ** 2 + between[:, :, 1] ** 2 < reach**2
    i, j = np.nonzero(np.triu(near, 1))
    return i, j
