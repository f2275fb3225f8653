"""How the normal force spreads over a contact patch that overhangs an edge or is loaded off-centre.

Linear law: p = max(0, a + b.s) on (patch on the board), with force and moment in balance
about the load point.  (a, b) minimise the convex function
1/2 int max(0, a + b.s)^2 - (a + b.d); it has a minimum exactly as long as the load point d
lies inside the hull of the supported patch, that is, as long as the disk stands.

`patch_points` and `balance_shares` are plain scalar loops on purpose: they run as they are,
and compiled (`numba.njit`) inside the quasi-static engine.  Everything is relative to the
centre of the patch, in mm.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from thrillsim.board import Board, Patch
from thrillsim.board.support import MAX_CROSSINGS, supported_arcs
from thrillsim.board.types import FloatArray

MIN_PER_ARC = 3  #: points on the shortest arc; below that its ends carry nothing
MAX_PANELS = 8  #: radial panels of an area patch
BALANCED = 1e-12  #: imbalance that counts as none
ROUNDING = 4e-3  #: what rounding adds to that, for each time that the pressure is steeper than even
STEEPEST = 1e9  #: slope of the pressure, per size of the patch and even pressure, that no balance needs


def arc_points(
    outline: FloatArray,
    cx: float,
    cy: float,
    radius: float,
    factor: float,
    n: int,
    points: FloatArray,
    weights: FloatArray,
    start: int,
) -> int:
    """Put n points on the supported arcs of one circle; returns the new length of `points`.

    Parameters
    ----------
    outline
        (k, 2) corners of the board, counter-clockwise.
    cx, cy, radius
        The circle, mm.
    factor
        Weight per mm of arc.
    n
        Points on the circle: equally spaced if all of it is on the board.  Otherwise they are
        shared by length and crowd towards the ends of each arc (midpoint rule in u with
        angle ~ u^3 (10 - 15 u + 6 u^2), fourth order), because a disk about to tip hangs on those ends.
    points, weights
        (m, 2) and (m,), written from row `start` on.
    """
    arcs = np.empty((MAX_CROSSINGS, 2))
    count = supported_arcs(outline, cx, cy, radius, arcs)
    length = 0.0
    for i in range(count):
        length += arcs[i, 1] - arcs[i, 0]
    whole = count == 1 and length > 2.0 * math.pi - 1e-12
    free = max(0, n - MIN_PER_ARC * count)
    k = start
    given = 0.0
    for i in range(count):
        first, width = arcs[i, 0], arcs[i, 1] - arcs[i, 0]
        before = round(free * given / length)
        given += width
        here = min(n, MIN_PER_ARC) + round(free * given / length) - before
        here = min(here, len(points) - k)
        middle = first + 0.5 * width
        mx, my = radius * math.cos(middle), radius * math.sin(middle)
        for j in range((here + 1) // 2):  # on both sides of the middle
            u = (j + 0.5) / here
            if whole:
                t, density = u, 1.0
            else:
                t, density = u * u * u * (10.0 - 15.0 * u + 6.0 * u * u), 30.0 * u * u * (1.0 - u) * (1.0 - u)
            angle = width * (0.5 - t)
            cos, sin = math.cos(angle), math.sin(angle)
            left, right = k + here - 1 - j, k + j
            points[left, 0], points[left, 1] = mx * cos - my * sin, my * cos + mx * sin
            points[right, 0], points[right, 1] = mx * cos + my * sin, my * cos - mx * sin
            weights[left] = weights[right] = factor * density * width * radius / here
        k += here
    return k


def patch_points(
    outline: FloatArray,
    cx: float,
    cy: float,
    radius: float,
    inner: float,
    n: int,
    nodes: FloatArray,
    node_weights: FloatArray,
    points: FloatArray,
    weights: FloatArray,
) -> int:
    """Quadrature of (patch on the board): fills `points` (m, 2) and `weights` (m,), returns how many.

    Parameters
    ----------
    radius, inner
        Outer and inner radius: equal for a ring, inner 0 for a solid disk.
    n
        Points per circle.
    nodes, node_weights
        Rule on (0, 1) for the radius (`radial_rule`), used once per panel; panels end where the
        circle meets another edge or corner.  A ring ignores it.
    """
    if inner >= radius:
        return arc_points(outline, cx, cy, radius, 1.0, n, points, weights, 0)
    breaks = np.empty(MAX_PANELS + 1)
    breaks[0] = inner
    breaks[1] = radius
    count = 2
    corners = len(outline)
    for i in range(corners):
        j = i + 1 if i + 1 < corners else 0
        ax, ay = outline[i, 0] - cx, outline[i, 1] - cy
        dx, dy = outline[j, 0] - cx - ax, outline[j, 1] - cy - ay
        t = -(ax * dx + ay * dy) / (dx * dx + dy * dy)
        for which in range(2):
            if which == 0:
                r = math.hypot(ax, ay)
            elif 0.0 < t < 1.0:
                r = math.hypot(ax + t * dx, ay + t * dy)
            else:
                r = -1.0
            if inner + 1e-9 < r < radius - 1e-9 and count <= MAX_PANELS:
                k = count - 1  # keep the breaks ascending
                while breaks[k] > r:
                    breaks[k + 1] = breaks[k]
                    k -= 1
                breaks[k + 1] = r
                count += 1
    m = 0
    for panel in range(count - 1):
        low, width = breaks[panel], breaks[panel + 1] - breaks[panel]
        for q in range(len(nodes)):
            r = low + width * nodes[q]
            m = arc_points(outline, cx, cy, r, width * node_weights[q], n, points, weights, m)
    return m


def balance_shares(
    points: FloatArray, weights: FloatArray, count: int, dx: float, dy: float, shares: FloatArray
) -> float:
    """Shares of the normal force per point by the linear law; returns the largest imbalance left.

    Parameters
    ----------
    points, weights
        Quadrature of the supported patch, first `count` rows; weights are areas (or lengths) of any unit.
    dx, dy
        Load point relative to the patch's centre, mm.
    shares
        (m,) written; they sum to 1 and have their first moment at (dx, dy).

    Returns
    -------
    float
        Largest residual of the moment, relative to the patch's size.  Near 0 unless the load point is at the
        very rim of the hull, where the points' own hull ends a little earlier than the patch's: then the
        pressure grows steeper and steeper, and what is given is nearly the nearest possible distribution.
    """
    total, size = 0.0, 0.0
    for k in range(count):
        total += weights[k]
        size = max(size, points[k, 0] * points[k, 0] + points[k, 1] * points[k, 1])
    if count == 0 or total <= 0.0:
        return 1.0
    size = math.sqrt(size)
    per_size, per_total = 1.0 / size, 1.0 / total
    ex, ey = dx / size, dy / size
    a, bx, by = 1.0, 0.0, 0.0
    value = 0.5 - a
    for _ in range(100):
        g0, g1, g2 = -1.0, -ex, -ey
        h00, h01, h02, h11, h12, h22 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        for k in range(count):
            x, y = points[k, 0] * per_size, points[k, 1] * per_size
            p = a + bx * x + by * y
            if p > 0.0:
                w = weights[k] * per_total
                g0 += w * p
                g1 += w * p * x
                g2 += w * p * y
                h00 += w
                h01 += w * x
                h02 += w * y
                h11 += w * x * x
                h12 += w * x * y
                h22 += w * y * y
        worst = max(abs(g0), abs(g1), abs(g2))
        steep = abs(a) + abs(bx) + abs(by)
        if worst < BALANCED * (1.0 + ROUNDING * steep) or steep > STEEPEST:
            break
        # Newton step by Cholesky; the ridge matters only when fewer than three points carry load
        ridge = 1e-13 * (h00 + h11 + h22) + 1e-300
        l00 = math.sqrt(h00 + ridge)
        l10, l20 = h01 / l00, h02 / l00
        l11 = math.sqrt(max(h11 + ridge - l10 * l10, ridge))
        l21 = (h12 - l20 * l10) / l11
        l22 = math.sqrt(max(h22 + ridge - l20 * l20 - l21 * l21, ridge))
        z0 = -g0 / l00
        z1 = (-g1 - l10 * z0) / l11
        z2 = (-g2 - l20 * z0 - l21 * z1) / l22
        s2 = z2 / l22
        s1 = (z1 - l21 * s2) / l11
        s0 = (z0 - l10 * s1 - l20 * s2) / l00
        slope = g0 * s0 + g1 * s1 + g2 * s2
        step = 1.0
        found = False
        for _halving in range(40):
            ta, tx, ty = a + step * s0, bx + step * s1, by + step * s2
            trial = -(ta + tx * ex + ty * ey)
            for k in range(count):
                p = ta + (tx * points[k, 0] + ty * points[k, 1]) * per_size
                if p > 0.0:
                    trial += 0.5 * weights[k] * per_total * p * p
            if trial <= value + 1e-4 * step * slope + 1e-15:  # the floor of the arithmetic
                found = True
                break
            step *= 0.5
        if not found:
            break
        a, bx, by, value = ta, tx, ty, trial
    s = 0.0
    for k in range(count):
        p = a + (bx * points[k, 0] + by * points[k, 1]) * per_size
        shares[k] = weights[k] * per_total * max(0.0, p)
        s += shares[k]
    if s <= 0.0:
        return 1.0
    mx = my = 0.0
    for k in range(count):
        shares[k] /= s
        mx += shares[k] * points[k, 0]
        my += shares[k] * points[k, 1]
    return max(abs(mx - dx), abs(my - dy)) * per_size


@lru_cache(maxsize=16)
def radial_rule(n: int) -> tuple[FloatArray, FloatArray]:
    """Gauss-Legendre nodes and weights on (0, 1) for the radius of an area patch, (n,) each."""
    nodes, weights = np.polynomial.legendre.leggauss(n)
    nodes, weights = (nodes + 1.0) / 2.0, weights / 2.0
    nodes.flags.writeable = weights.flags.writeable = False
    return nodes, weights


def pressure_points(
    board: Board, patch: Patch, x: float, y: float, load: tuple[float, float] = (0.0, 0.0), *, n: int = 32
) -> tuple[FloatArray, FloatArray]:
    """Points that carry the normal force of a standing disk, and their shares.

    Parameters
    ----------
    board
        Its outline cuts the patch.
    patch
        Ring, disk or annulus.
    x, y
        Centre of the disk, mm.
    load
        Where the load acts relative to the centre, mm (not 0 under an off-centre weight).
    n
        Points per circle; an area patch has ``max(4, n // 4)`` circles per radial panel.

    Returns
    -------
    points, shares
        (m, 2) relative to the centre, mm, and (m,) summing to 1.

    Examples
    --------
    >>> from thrillsim.board import default_board
    >>> points, shares = pressure_points(default_board(), Patch("ring", 10.0), 60.0, 0.0, (2.0, 0.0))
    >>> [round(float(v), 9) + 0.0 for v in shares @ points]
    [2.0, 0.0]
    """
    nodes, node_weights = radial_rule(max(4, n // 4))
    inner = patch.radius if patch.shape == "ring" else patch.inner
    size = n + MIN_PER_ARC if patch.shape == "ring" else MAX_PANELS * len(nodes) * (n + MIN_PER_ARC)
    points, weights, shares = np.empty((size, 2)), np.empty(size), np.zeros(size)
    count = patch_points(board.outline, x, y, patch.radius, inner, n, nodes, node_weights, points, weights)
    balance_shares(points, weights, count, load[0], load[1], shares)
    return points[:count].copy(), shares[:count].copy()
