"""Outlines that a picture needs: edge chains, rails, pusher, placement zone.  Arrays in mm, no drawing.

Shared by the SVG of this room and by the plots of `thrillsim.view`, so that both show the same thing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from thrillsim.board.board import Board, EdgeKind
from thrillsim.board.types import FloatArray

RAIL = 3.0  #: mm, how wide a rail is drawn outside its edge (the model's rail has no width)
WALL = 1.2  #: mm, how wide the wall of a cup is drawn
CLEAR = 6.5  #: mm round a disk's number that paths keep off: closer, one reads as a minus sign

#: Okabe-Ito colours, told apart by every kind of colour vision; the first three are near the game's own
#: red, yellow and green.
PALETTE = ("#d55e00", "#f0e442", "#009e73", "#56b4e9", "#cc79a7", "#e69f00", "#0072b2")
INK = "#222222"
PLATE = "#f5f1e8"
SLIDE = "#e8e2d5"
ZONE = "#ddd5c3"
PUSHER = "#9aa3ad"
SHADOW = "#777777"
METAL = "#4b5563"


def kind_colour(kind: int) -> str:
    """Colour of the disks of that kind, as #rrggbb."""
    return PALETTE[kind % len(PALETTE)]


def tint(colour: str, towards_white: float) -> str:
    """`colour` mixed with white: 0 leaves it, 1 is white.

    Examples
    --------
    >>> tint("#000000", 0.5)
    '#808080'
    """
    parts = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(p + (255 - p) * towards_white):02x}" for p in parts)


def lid_radius(radius: float) -> float:
    """How far the lid of a cup of that radius reaches: to its wall, mm."""
    return max(radius - WALL, 0.8 * radius)


@dataclass(frozen=True, slots=True)
class Chain:
    """Edges of one kind that follow each other: (n, 2) corners, counter-clockwise round the board."""

    kind: EdgeKind
    points: FloatArray


def edge_chains(board: Board) -> tuple[Chain, ...]:
    """The outline cut where open and railed edges meet."""
    points, kinds = board.outline, board.outline_edges
    n = len(kinds)
    cuts = [i for i in range(n) if kinds[i] != kinds[i - 1]]
    if not cuts:
        return (Chain(kinds[0], np.vstack([points, points[:1]])),)
    chains = []
    for start, stop in zip(cuts, [*cuts[1:], cuts[0] + n], strict=True):
        chains.append(Chain(kinds[start], points[[i % n for i in range(start, stop + 1)]]))
    return tuple(chains)


def rail_band(points: FloatArray, width: float = RAIL) -> FloatArray:
    """Outline (2 n, 2) of a rail of `width` along a chain of corners, on the side away from the board."""
    step = np.diff(points, axis=0)
    # Counter-clockwise, the board lies left of an edge; (dy, -dx) points away from it.
    out = np.column_stack([step[:, 1], -step[:, 0]]) / np.hypot(step[:, 0], step[:, 1])[:, None]
    first, last = np.vstack([out[:1], out]), np.vstack([out, out[-1:]])
    if np.array_equal(points[0], points[-1]):
        first[0] = out[-1]
        last[-1] = out[0]
    # A mitre at every corner, cut off at twice the width where the corner is sharp.
    middle = first + last
    scale = 2.0 / np.maximum(np.sum(middle**2, axis=1), 1.0)
    return np.vstack([points, (points + width * scale[:, None] * middle)[::-1]])


def cross(x: float, y: float, radius: float) -> FloatArray:
    """Four arms (4, 2, 2) that cross a disk out and leave room for its number in the middle."""
    ends = np.array([min(4.2, 0.4 * radius), 0.62 * radius])
    directions = np.array([(1, 1), (1, -1), (-1, 1), (-1, -1)])
    arms: FloatArray = np.array([x, y]) + ends[:, None] * directions[:, None, :]
    return arms


def pusher_outline(board: Board, advance: float = 0.0, yaw: float = 0.0) -> FloatArray:
    """Corners (n, 2) of the pusher after `advance` mm, its front turned by `yaw` about the front's middle."""
    pusher = board.pusher
    half = pusher.width / 2
    local = np.array([(-pusher.depth, -half), *pusher.profile(), (-pusher.depth, half)])
    c, s = math.cos(yaw), math.sin(yaw)
    turned = local @ np.array([[c, s], [-s, c]])
    moved: FloatArray = turned + np.array([advance - pusher.travel, 0.0])
    return moved


def placement_zone(board: Board) -> FloatArray:
    """Corners (n, 2) of the sliding surface between the drawn-back pusher and the blocking edge."""
    low, _ = board.zone
    kept: list[tuple[float, float]] = []
    points = board.sliding.vertices
    for (x1, y1), (x2, y2) in zip(points, points[1:] + points[:1], strict=True):
        if x1 >= low:
            kept.append((x1, y1))
        if (x1 >= low) != (x2 >= low):
            kept.append((low, y1 + (y2 - y1) * (low - x1) / (x2 - x1)))
    return np.array(kept)


def extent(board: Board) -> tuple[float, float, float, float]:
    """x and y range (x0, x1, y0, y1) of the board with its rails."""
    lower, upper = board.outline.min(axis=0) - RAIL, board.outline.max(axis=0) + RAIL
    return float(lower[0]), float(upper[0]), float(lower[1]), float(upper[1])
