"""How the load of a disk that overhangs an edge, or carries the weight, spreads over its patch.  Compiled."""

from __future__ import annotations

import math

from thrillsim.physics.quasistatic.compiled import balance_shares, edge_distance, jit, patch_points
from thrillsim.physics.quasistatic.patch import RING
from thrillsim.physics.quasistatic.state import (
    CENTRE,
    CLEAR,
    COM,
    COUNT,
    HOLE,
    LEVER,
    MEMBER,
    PATCH,
    POSE,
    SHAPE,
    SPREAD,
    UNEVEN,
    VEL,
)

SPREADING = 1e-5  #: mm; how exactly the load of an overhanging disk is spread at mid-step
SMALLEST = 5e-4  #: (size / R)^2 of the smallest piece of a patch: the wall of a cup is no line


@jit
def load_patch(D, DI, P, ground, i, x, y, turned):
    """Spread the load of disk i at (x, y), turned by `turned` / patch radius: decides `UNEVEN`, fills its points if it is."""
    outline, circle, nodes, node_weights, store, weights, shares = ground
    radius = D[i, PATCH]
    cx, cy = D[i, COM], D[i, COM + 1]
    D[i, SPREAD], D[i, SPREAD + 1], D[i, SPREAD + 2] = x, y, turned
    D[i, CLEAR] = 0.0
    if cx == 0.0 and cy == 0.0:
        D[i, CLEAR] = max(0.0, edge_distance(outline, x, y) - radius)
        if D[i, CLEAR] > 0.0:
            DI[i, UNEVEN] = 0
            return
    DI[i, UNEVEN] = 1
    inner = radius if DI[i, SHAPE] == RING else radius * D[i, HOLE]
    count = patch_points(outline, x, y, radius, inner, circle, nodes, node_weights, store, weights)
    angle = turned / radius
    cos, sin = math.cos(angle), math.sin(angle)
    balance_shares(store, weights, count, cos * cx - sin * cy, sin * cx + cos * cy, shares)
    loaded = 0
    px = py = square = 0.0
    for k in range(count):
        share = shares[k]
        if share <= 0.0:
            continue
        size = weights[k] / radius if DI[i, SHAPE] == RING else math.sqrt(weights[k]) / radius
        x, y = store[k, 0] / radius, store[k, 1] / radius
        P[i, 0, loaded], P[i, 1, loaded] = x, y
        P[i, 2, loaded], P[i, 3, loaded] = share, max(size * size / 12.0, SMALLEST)
        loaded += 1
        px += share * x
        py += share * y
        square += share * (x * x + y * y)
    squared = px * px + py * py
    D[i, CENTRE], D[i, CENTRE + 1] = px, py
    D[i, LEVER] = (1.0 + math.sqrt(squared)) / max(square - squared, 1e-9)
    DI[i, COUNT] = loaded


@jit
def spread(D, DI, P, ground, members, h, least):
    """Spread the loads of those members at mid-step that are more than `least` (mm) from where it was done last.

    Returns whether any was.
    """
    moved = False
    for k in range(members):
        i = DI[k, MEMBER]
        x = D[i, POSE] + 0.5 * h * D[i, VEL]
        y = D[i, POSE + 1] + 0.5 * h * D[i, VEL + 1]
        turned = D[i, POSE + 2] * D[i, PATCH] + 0.5 * h * D[i, VEL + 2]
        away = max(abs(x - D[i, SPREAD]), abs(y - D[i, SPREAD + 1]))
        if away < 0.5 * D[i, CLEAR]:
            continue
        if D[i, COM] != 0.0 or D[i, COM + 1] != 0.0:
            away = max(away, abs(turned - D[i, SPREAD + 2]))
        if away > least:
            load_patch(D, DI, P, ground, i, x, y, turned)
            moved = True
    return moved
