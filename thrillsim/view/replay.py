"""A push as one HTML file that plays by itself: nothing is loaded from anywhere.  Strings only, no matplotlib."""

from __future__ import annotations

import html
import math
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from thrillsim.board import shapes, svg
from thrillsim.errors import InputError
from thrillsim.physics.picture import headline

if TYPE_CHECKING:
    from thrillsim.physics import PushResult

FRAMES = 240  #: at most so many moments are kept


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
    for name, value in (
        ("@TITLE@", html.escape(f"{words[0].upper()}{words[1:]}")),
        ("@SVG@", _scene(result)),
        ("@DATA@", data),
    ):
        page = page.replace(name, value)
    return page


def _scene(result: PushResult) -> str:
    """The board with one group per thing that moves, each drawn about its own origin."""
    board, before, on = result.board, result.before, result.push.weight
    radii = before.radii(board)
    parts = svg.board_parts(board)
    parts.append(f'<g id="pusher">{svg.pusher_part(board, yaw=result.push.yaw)}</g>')
    for i, (kind, r) in enumerate(zip(before.kind, radii, strict=True)):
        weight = ""
        if on is not None and i == on.disk:
            weight = f'<g id="weight">{svg.weight_on(on.dx, on.dy, board.weight.radius)}</g>'
        drawn = svg.cup(0.0, 0.0, float(r), int(kind), str(i), new=i == len(before) - 1)
        parts.append(f'<g id="disk{i}">{drawn}{weight}</g>')
    x0, x1, y0, y1 = shapes.extent(board)
    for fall in result.fallen:
        r = float(radii[fall.index])
        mark = svg.fallen(fall.x, fall.y, r, fall.kind, str(fall.index))
        parts.append(f'<g id="fall{fall.index}" visibility="hidden">{mark}</g>')
        x1, y0, y1 = max(x1, fall.x + r), min(y0, fall.y - r), max(y1, fall.y + r)
    whole = svg.document((x0, x1, y0, y1), parts, "the push from above")
    return whole.replace(' xmlns="http://www.w3.org/2000/svg"', "")  # inside HTML it has no use


def _data(result: PushResult) -> dict[str, Any]:
    """Frames (clock in mm of advance, so that the page can pace them), falls with their frame, and names."""
    trace, before = result.trace, result.before
    assert trace is not None
    count = len(trace.advance)
    kept = np.unique(np.linspace(0, count - 1, min(count, FRAMES)).round().astype(int))
    frames = []
    for t in kept:
        poses = [
            [round(float(x), 2), round(float(y), 2), round(math.degrees(float(a - a0)), 1)]
            for (x, y, a), a0 in zip(trace.poses[t], before.angle, strict=True)
        ]
        advance = round(float(trace.advance[t]), 3)
        frames.append(
            {"clock": advance, "advance": advance, "force": round(float(trace.force[t]) / 1000, 2), "poses": poses}
        )
    # What settles after the stop, and the lift, come as a last moment of their own.
    poses = [
        [round(float(x), 2), round(float(y), 2), round(math.degrees(float(a - a0)), 1)]
        for (x, y, a), a0 in zip(result.poses, before.angle, strict=True)
    ]
    end = round(result.advance, 3)
    frames.append({"clock": end + 10.0, "advance": end, "force": 0.0, "poses": poses})
    falls = []
    for fall in result.fallen:
        late = fall.during == "lift"
        frame = next((i for i, f in enumerate(frames) if f["advance"] >= fall.advance), len(frames) - 1)
        name = result.board.kinds[fall.kind].name
        falls.append(
            {
                "index": fall.index,
                "frame": len(frames) - 1 if late else frame,
                "name": f"{fall.index} ({name}{', at the lift' if late else ''})",
                "cost": fall.cost,
            }
        )
    return {"frames": frames, "falls": falls, "weight": result.push.weight is not None, "speed": result.push.speed}
