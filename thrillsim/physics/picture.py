"""A push as an SVG string: before and after, paths, falls.  Reads a result, changes nothing."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from thrillsim.board import shapes, svg

if TYPE_CHECKING:
    from thrillsim.board.types import FloatArray
    from thrillsim.physics.types import PushResult

MOVED = 1.5  #: mm: a disk that moved less is drawn as one that stayed


def paths(result: PushResult) -> list[FloatArray]:
    """The way of every disk of ``result.before``, (t, 2) mm each; without a trace just its two ends."""
    before = np.column_stack([result.before.x, result.before.y])
    if result.trace is None:
        return [np.vstack([before[i], result.poses[i, :2]]) for i in range(len(before))]
    return [np.vstack([result.trace.poses[:, i, :2], result.poses[i, :2]]) for i in range(len(before))]


def path_shows(way: FloatArray) -> bool:
    """Whether a path leaves more than crumbs of itself outside the room of the number at its end."""
    return bool(np.hypot(*(way[-1] - way[0])) >= shapes.CLEAR + 2.0)


def weight_place(result: PushResult, *, after: bool) -> tuple[float, float] | None:
    """Centre of the weight before or after the push, mm; None if there was none."""
    on = result.push.weight
    if on is None:
        return None
    before = result.before
    x, y, turned = float(before.x[on.disk]), float(before.y[on.disk]), 0.0
    if after:
        x, y = float(result.poses[on.disk, 0]), float(result.poses[on.disk, 1])
        turned = float(result.poses[on.disk, 2] - before.angle[on.disk])
    c, s = math.cos(turned), math.sin(turned)
    return x + c * on.dx - s * on.dy, y + s * on.dx + c * on.dy


def headline(result: PushResult) -> str:
    """One line: what fell and what it costs, and whether the pusher got to its end."""
    if not result.fallen:
        what = "nothing fell"
    else:
        names = [
            result.board.kinds[f.kind].name
            + (" at the lift" if f.during == "lift" else " under the weight" if f.weighted else "")
            for f in result.fallen
        ]
        counted = [f"{names.count(name)} {name}" for name in dict.fromkeys(names)]
        what = f"{', '.join(counted)} fell: {result.cost} chip{'' if result.cost == 1 else 's'}"
    if result.jammed:
        what += f"; jammed at {result.advance:.1f} mm"
    elif result.certificate.unconverged:
        what += f" until {result.advance:.1f} mm, but not fully solved: distrust this"
    return what


def push_svg(result: PushResult) -> str:
    """The board after the push, with where the disks were (dashed), their paths and the crossed-out falls."""
    board, before = result.board, result.before
    radii = before.radii(board)
    last = len(before) - 1
    gone = set(result.fell)
    parts = [*svg.board_parts(board), svg.pusher_part(board, advance=result.advance, yaw=result.push.yaw)]
    ways = paths(result)
    moved = [
        i for i, way in enumerate(ways) if np.hypot(*(way[-1] - way[0])) >= MOVED or i == last or i in gone
    ]
    for i in moved:
        parts.append(svg.ghost(before.x[i], before.y[i], radii[i]))
    for i in range(len(before)):
        if i not in gone:
            x, y, _ = result.poses[i]
            parts.append(svg.cup(x, y, radii[i], int(before.kind[i]), new=i == last))
    for i in filter(lambda i: path_shows(ways[i]), moved):
        parts.append(svg.polyline(ways[i], stroke=shapes.INK, stroke_width=0.7, stroke_opacity=0.7))
        parts.append(svg.circle(before.x[i], before.y[i], 1.0, fill=shapes.INK))
    for i in range(len(before)):
        if i not in gone:
            x, y, _ = result.poses[i]
            lid = svg.lid_colour(int(before.kind[i]))
            parts.append(svg.circle(x, y, min(shapes.CLEAR, shapes.lid_radius(radii[i])), fill=lid))
            parts.append(svg.number(x, y, str(i), lid, new=i == last))
    for fall in result.fallen:
        parts.append(svg.fallen(fall.x, fall.y, radii[fall.index], fall.kind, str(fall.index)))
    place = weight_place(result, after=True)
    if place is not None:
        parts.append(svg.weight_on(*place, board.weight.radius, lifted=True))
    x0, x1, y0, y1 = shapes.extent(board)
    x, y = result.poses[:, 0], result.poses[:, 1]
    room = radii + 2.0 - svg.MARGIN  # for what fell or hangs over an edge
    box = (
        x0,
        max(x1, float(np.max(x + room))),
        min(y0, float(np.min(y - room))),
        max(y1, float(np.max(y + room))),
    )
    caption = [headline(result), "dashed outline: before; crossed: fell; heavy outline: the new disk"]
    return svg.document(box, parts, f"push of a disk: {headline(result)}", caption)
