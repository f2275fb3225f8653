"""Where in a step a disk loses its support: the first edge crossing, located by its support margin.  Compiled."""

from __future__ import annotations

import math

from thrillsim.physics.quasistatic.compiled import edge_distance, inside, roomy, support_margin
from thrillsim.physics.quasistatic.patch import RING
from thrillsim.physics.quasistatic.state import COM, HOLE, MEMBER, MOVING, PATCH, POSE, SHAPE, VEL

CROSSING = 1e-7  #: mm; how exactly an edge crossing is located
BEYOND = 2e-9  #: mm; how far past the edge it is aimed at: rounding must not make it fall before


@roomy
def margin_at(D, DI, outline, i, h):
    """Support margin of disk i after moving for a step of length h at its present velocity, mm."""
    radius = D[i, PATCH]
    x = D[i, POSE] + h * D[i, VEL]
    y = D[i, POSE + 1] + h * D[i, VEL + 1]
    px, py = D[i, COM], D[i, COM + 1]
    if px != 0.0 or py != 0.0:
        angle = D[i, POSE + 2] + h * D[i, VEL + 2] / radius
        cos, sin = math.cos(angle), math.sin(angle)
        px, py = cos * px - sin * py, sin * px + cos * py
    if edge_distance(outline, x, y) >= radius and inside(outline, x, y):
        return radius - math.hypot(px, py)
    inner = radius if DI[i, SHAPE] == RING else radius * D[i, HOLE]
    return support_margin(outline, x, y, radius, inner, x + px, y + py)


@roomy
def first_crossing(D, DI, outline, members, h):
    """Earliest edge crossing of a moving disk inside the step.  Returns (fraction, disk, margin at the end)."""
    cut, falling, depth = 2.0, -1, 0.0
    for k in range(members):
        i = DI[k, MEMBER]
        if DI[i, MOVING] == 0:
            continue
        after = margin_at(D, DI, outline, i, h)
        if after > 0.1 * CROSSING:  # (a step that was cut to a crossing ends within rounding of it)
            continue
        low, high = 0.0, 1.0
        g_low, g_high = margin_at(D, DI, outline, i, 0.0) + BEYOND, after + BEYOND
        for _ in range(60):
            if g_high >= -0.01 * CROSSING or high - low < 1e-13:
                break
            s = low + (high - low) * g_low / (g_low - g_high)
            s = min(max(s, low + 0.02 * (high - low)), high - 0.02 * (high - low))
            g = margin_at(D, DI, outline, i, s * h) + BEYOND
            if g > 0.0:
                low, g_low = s, g
            else:
                high, g_high = s, g
        if high < cut:
            cut, falling, depth = high, i, after
    return cut, falling, depth
