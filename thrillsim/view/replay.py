"""A push as one HTML file that plays by itself: nothing is loaded from anywhere.  No matplotlib."""

from __future__ import annotations

import html
import re
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from thrillsim.board import shapes, svg
from thrillsim.errors import InputError
from thrillsim.physics.picture import headline

if TYPE_CHECKING:
    from thrillsim.board.types import FloatArray
    from thrillsim.physics import PushResult

PAUSE = 10.0  #: mm of the pusher's way: how long the page waits before the last moment
FRAMES = 240  #: at most so many moments of the trace are kept
FREE_STEP = 1.0  #: mm of the pusher's way between two moments before it meets anything


def replay_html(result: PushResult) -> str:
    """Make a page that plays a push: slider, pace, what fell when, the pusher's force.

    Parameters
    ----------
    result
        A push made with ``trace=True``.

    Returns
    -------
    str
        A whole HTML page without any outside address.

    Raises
    ------
    InputError
        If the result has no trace.
    """
    if result.trace is None:
        raise InputError("has no trace: push with trace=True", key="result")
    words = headline(result)
    page = files("thrillsim.view").joinpath("replay.html").read_text(encoding="utf-8")
    data = msgspec.json.encode(_data(result)).decode().replace("</", "<\\/")
    parts = {
        "@TITLE@": html.escape(f"{words[0].upper()}{words[1:]}"),
        "@SVG@": _scene(result),
        "@DATA@": data,
    }
    # All at once, so that a disk may be called like one of them.
    return re.sub("|".join(parts), lambda found: parts[found.group()], page)


def _scene(result: PushResult) -> str:
    """The board with one group per thing that moves, each drawn about its own origin.

    A disk's group turns with it, which a stroke at its rim shows; what is in "upright" groups is turned back.
    """
    board, before, on = result.board, result.before, result.push.weight
    radii = before.radii(board)
    parts = svg.board_parts(board)
    parts.append(f'<g id="pusher">{svg.pusher_part(board, yaw=result.push.yaw)}</g>')
    for i, (kind, r) in enumerate(zip(before.kind, radii, strict=True)):
        weight = ""
        if on is not None and i == on.disk:
            drawn = _upright(svg.weight_on(0.0, 0.0, board.weight.radius))
            weight = f'<g id="weight" transform="translate({on.dx:.2f} {on.dy:.2f})">{drawn}</g>'
        new = i == len(before) - 1
        cup = svg.cup(0.0, 0.0, float(r), int(kind), new=new)
        stroke = svg.polyline([(0.82 * r, 0.0), (0.98 * r, 0.0)], stroke=shapes.INK, stroke_width=1.5)
        number = _upright(svg.number(0.0, 0.0, str(i), svg.lid_colour(int(kind)), new=new))
        parts.append(f'<g id="disk{i}">{cup}{stroke}{number}{weight}</g>')
    x0, x1, y0, y1 = shapes.extent(board)
    for fall in result.fallen:
        r = float(radii[fall.index])
        mark = svg.fallen(fall.x, fall.y, r, fall.kind, str(fall.index))
        parts.append(f'<g id="fall{fall.index}" visibility="hidden">{mark}</g>')
        x1, y0, y1 = max(x1, fall.x + r), min(y0, fall.y - r), max(y1, fall.y + r)
    whole = svg.document((x0, x1, y0, y1), parts, "the push from above")
    return whole.replace(' xmlns="http://www.w3.org/2000/svg"', "")  # inside HTML it has no use


def _upright(part: str) -> str:
    return f'<g class="upright">{part}</g>'


def _poses(result: PushResult, poses: FloatArray) -> list[list[float]]:
    """x, y in mm and the turn since the start in degrees, per disk, as the page wants them."""
    turn = np.degrees(poses[:, 2] - result.before.angle)
    rounded = np.round(np.column_stack([poses[:, :2], turn]), 2) + 0.0
    return [[float(v) for v in row] for row in rounded]


def _data(result: PushResult) -> dict[str, Any]:
    """Frames (clock in mm of advance, so that the page can pace them), falls with their frame, and names."""
    trace = result.trace
    assert trace is not None
    count = len(trace.advance)
    kept = np.unique(np.linspace(0, count - 1, min(count, FRAMES)).round().astype(int))
    # An engine may begin where the pusher first meets a disk; the page begins at the rear stop.  What
    # settles after the stop, and the lift, come as a last moment of their own, when nobody pushes any more.
    free = np.arange(0.0, float(trace.advance[0]), FREE_STEP)
    rest = _poses(result, trace.poses[0])
    advance = [*free.tolist(), *(round(float(trace.advance[t]), 3) for t in kept), round(result.advance, 3)]
    force = [*(0.0 for _ in free), *(round(float(trace.force[t]) / 1000, 2) for t in kept), None]
    poses = [
        *(rest for _ in free),
        *(_poses(result, trace.poses[t]) for t in kept),
        _poses(result, result.poses),
    ]
    clock = [*advance[:-1], advance[-1] + PAUSE]
    falls = []
    for fall in result.fallen:
        lift = fall.during == "lift"
        first = next((i for i, a in enumerate(advance) if a >= round(fall.advance, 3)), len(advance) - 1)
        name = result.board.kinds[fall.kind].name
        falls.append(
            {
                "index": fall.index,
                "frame": len(advance) - 1 if lift else first,
                "name": f"{fall.index} ({name}{', at the lift' if lift else ''})",
                "cost": fall.cost,
            }
        )
    return {
        "frames": [
            {"clock": c, "advance": a, "force": f, "poses": p}
            for c, a, f, p in zip(clock, advance, force, poses, strict=True)
        ],
        "falls": falls,
        "weight": result.push.weight is not None,
        "speed": result.push.speed,
    }
