"""Plain polygon facts: area, whether the outline crosses itself, what it holds.  Imports nothing of ours."""

from __future__ import annotations

from itertools import pairwise

Point = tuple[float, float]


def signed_area(vertices: tuple[Point, ...]) -> float:
    """Area in mm², positive if the corners run counter-clockwise.

    Examples
    --------
    >>> signed_area(((0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (0.0, 1.0)))
    2.0
    """
    total = 0.0
    for (x1, y1), (x2, y2) in zip(vertices, vertices[1:] + vertices[:1], strict=True):
        total += x1 * y2 - x2 * y1
    return total / 2


def crosses_itself(vertices: tuple[Point, ...]) -> bool:
    """Whether the closed outline crosses or touches itself, or folds back onto itself."""
    n = len(vertices)
    for i in range(n):
        a, b = vertices[i], vertices[(i + 1) % n]
        if a == b:
            return True
        for j in range(i + 1, n):
            c, d = vertices[j], vertices[(j + 1) % n]
            if j == i + 1 or (i == 0 and j == n - 1):
                # neighbours share a corner; they must not fold back onto each other
                far, near, shared = (d, a, b) if j == i + 1 else (c, b, a)
                if _on_segment(near, shared, far) or _on_segment(shared, far, near):
                    return True
                continue
            if _on_segment(a, b, c) or _on_segment(a, b, d) or _on_segment(c, d, a) or _on_segment(c, d, b):
                return True
            if _turn(a, b, c) * _turn(a, b, d) < 0 and _turn(c, d, a) * _turn(c, d, b) < 0:
                return True
    return False


def spans_at(vertices: tuple[Point, ...], x: float) -> list[tuple[float, float]]:
    """Intervals of y inside the polygon on the vertical line at `x` (not through a corner), ascending."""
    ys = sorted(
        y1 + (y2 - y1) * (x - x1) / (x2 - x1)
        for (x1, y1), (x2, y2) in zip(vertices, vertices[1:] + vertices[:1], strict=True)
        if (x1 <= x) != (x2 <= x)
    )
    return list(zip(ys[::2], ys[1::2], strict=True))


def tight_spot(vertices: tuple[Point, ...], x0: float, x1: float, half: float) -> tuple[float, float] | None:
    """Where the polygon does not hold the whole rectangle [x0, x1] x [-half, half].

    Returns
    -------
    (x, width)
        The first such place from x1 downwards and how wide the polygon is there around y = 0
        (0: not there at all), or None if the rectangle lies in it.
    """
    corners = sorted({x0, x1, *(x for x, _ in vertices if x0 < x < x1)}, reverse=True)
    for right, left in pairwise(corners):
        for x in (right - 1e-9 * (right - left), left + 1e-9 * (right - left)):  # linear in between
            holding = [(low, high) for low, high in spans_at(vertices, x) if low <= 0 <= high]
            if not any(low <= 1e-6 - half and high >= half - 1e-6 for low, high in holding):
                width = 2 * min(-holding[0][0], holding[0][1]) if holding else 0.0
                return (right if x > (left + right) / 2 else left), width
    return None


def _turn(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _on_segment(a: Point, b: Point, p: Point) -> bool:
    return (
        _turn(a, b, p) == 0
        and min(a[0], b[0]) <= p[0] <= max(a[0], b[0])
        and min(a[1], b[1]) <= p[1] <= max(a[1], b[1])
    )
