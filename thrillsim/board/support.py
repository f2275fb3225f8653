"""Does a disk still stand?  The convex hull of (contact patch on the board) against the centre of mass.

Plain scalar code on purpose: layouts call it as it is, the compiled engine compiles the
same functions.  A disk stands as long as the point where its load acts lies inside the
hull; the margin is the distance left, negative once it tips.
"""

from __future__ import annotations

import math

import numpy as np

from thrillsim.board.types import FloatArray

MAX_CROSSINGS = 64  #: more crossings of one circle with the outline than any sane board gives


def inside(outline: FloatArray, x: float, y: float) -> bool:
    """Whether (x, y) lies in the polygon `outline` (n, 2)."""
    odd = False
    n = len(outline)
    for i in range(n):
        j = i + 1 if i + 1 < n else 0
        x1, y1, x2, y2 = outline[i, 0], outline[i, 1], outline[j, 0], outline[j, 1]
        if (y1 > y) != (y2 > y) and x < x1 + (y - y1) * (x2 - x1) / (y2 - y1):
            odd = not odd
    return odd


def edge_distance(outline: FloatArray, x: float, y: float) -> float:
    """Distance of (x, y) to the nearest edge of `outline`, unsigned, mm."""
    best = 1e300
    n = len(outline)
    for i in range(n):
        j = i + 1 if i + 1 < n else 0
        ax, ay = outline[i, 0], outline[i, 1]
        dx, dy = outline[j, 0] - ax, outline[j, 1] - ay
        t = ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)
        t = min(1.0, max(0.0, t))
        ex, ey = x - ax - t * dx, y - ay - t * dy
        best = min(best, ex * ex + ey * ey)
    return math.sqrt(best)


def circle_crossings(outline: FloatArray, cx: float, cy: float, radius: float, out: FloatArray) -> int:
    """Angles at which the circle crosses the outline, ascending in `out`; returns how many."""
    count = 0
    n = len(outline)
    for i in range(n):
        j = i + 1 if i + 1 < n else 0
        ax, ay = outline[i, 0] - cx, outline[i, 1] - cy
        dx, dy = outline[j, 0] - cx - ax, outline[j, 1] - cy - ay
        a = dx * dx + dy * dy
        b = ax * dx + ay * dy
        c = ax * ax + ay * ay - radius * radius
        disc = b * b - a * c
        if disc <= 0.0:
            continue
        root = math.sqrt(disc)
        for sign in (-1.0, 1.0):
            t = (-b + sign * root) / a
            # both ends belong to the edge: a corner found twice is an empty arc, a corner lost a wrong one
            if -1e-12 <= t <= 1.0 + 1e-12 and count < len(out):
                out[count] = math.atan2(ay + t * dy, ax + t * dx)
                count += 1
    for i in range(1, count):  # insertion sort: a handful of values
        value = out[i]
        k = i - 1
        while k >= 0 and out[k] > value:
            out[k + 1] = out[k]
            k -= 1
        out[k + 1] = value
    return count


def supported_arcs(outline: FloatArray, cx: float, cy: float, radius: float, out: FloatArray) -> int:
    """Arcs of the circle on the board: rows (from, to) of `out` (m, 2), counter-clockwise, from < to.

    Returns their number; a whole circle on the board is the one arc (-pi, pi), none of it on
    the board is 0.
    """
    cuts = np.empty(MAX_CROSSINGS)
    count = circle_crossings(outline, cx, cy, radius, cuts)
    if count == 0:
        if inside(outline, cx + radius, cy):
            out[0, 0] = -math.pi
            out[0, 1] = math.pi
            return 1
        return 0
    arcs = 0
    for i in range(count):
        start = cuts[i]
        stop = cuts[i + 1] if i + 1 < count else cuts[0] + 2.0 * math.pi
        middle = 0.5 * (start + stop)
        if stop - start < 1e-9:  # two edges that meet on the circle, or nothing that carries
            continue
        if inside(outline, cx + radius * math.cos(middle), cy + radius * math.sin(middle)):
            out[arcs, 0] = start
            out[arcs, 1] = stop
            arcs += 1
    return arcs


def support_margin(
    outline: FloatArray, cx: float, cy: float, radius: float, inner: float, px: float, py: float
) -> float:
    """How far (mm) the load at (px, py) is inside the hull of (patch on board); negative once it tips.

    Parameters
    ----------
    outline
        (n, 2) corners of the whole board, counter-clockwise.
    cx, cy
        Centre of the patch.
    radius, inner
        Outer and inner radius of the patch: equal for a ring, inner 0 for a solid disk.
    px, py
        Where the load acts: the centre of mass of what stands on the patch.
    """
    margin = radius - math.hypot(px - cx, py - cy)
    if edge_distance(outline, cx, cy) >= radius:
        return margin if inside(outline, cx, cy) else -radius
    arcs = np.empty((MAX_CROSSINGS, 2))
    count = supported_arcs(outline, cx, cy, radius, arcs)
    # Corners of the hull: ends of the arcs, and for a patch with an area the board's corners in it
    # and the places where an edge enters its hole.
    points = np.empty((3 * MAX_CROSSINGS + len(outline), 2))
    m = 0
    for i in range(count):
        for k in range(2):
            points[m, 0] = radius * math.cos(arcs[i, k])
            points[m, 1] = radius * math.sin(arcs[i, k])
            m += 1
    if inner < radius:
        for i in range(len(outline)):
            x, y = outline[i, 0] - cx, outline[i, 1] - cy
            if inner <= math.hypot(x, y) <= radius:
                points[m, 0] = x
                points[m, 1] = y
                m += 1
        if inner > 0.0:
            hole = np.empty(MAX_CROSSINGS)
            for i in range(circle_crossings(outline, cx, cy, inner, hole)):
                points[m, 0] = inner * math.cos(hole[i])
                points[m, 1] = inner * math.sin(hole[i])
                m += 1
    if m == 0:
        if count == 1:
            return margin
        return -radius
    qx, qy = px - cx, py - cy
    if m == 1:
        return -math.hypot(qx - points[0, 0], qy - points[0, 1])
    found = False
    for a in range(m):
        for b in range(m):
            ex, ey = points[b, 0] - points[a, 0], points[b, 1] - points[a, 1]
            length = math.hypot(ex, ey)
            if length < 1e-12:
                continue
            ex /= length
            ey /= length
            # a hull edge keeps every other corner on its left ...
            good = True
            for c in range(m):
                if ex * (points[c, 1] - points[a, 1]) - ey * (points[c, 0] - points[a, 0]) < -1e-9:
                    good = False
                    break
            if not good:
                continue
            # ... and no supported arc bulges out on its right
            outward = math.atan2(-ex, ey)
            for c in range(count):
                for turn in range(-1, 2):
                    if arcs[c, 0] + 1e-9 < outward + 2.0 * math.pi * turn < arcs[c, 1] - 1e-9:
                        good = False
            if good:
                found = True
                margin = min(margin, ex * (qy - points[a, 1]) - ey * (qx - points[a, 0]))
    if not found and count == 0:
        return -radius
    return margin
