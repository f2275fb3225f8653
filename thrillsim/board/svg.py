"""The board from above as an SVG string, true to scale: what a notebook shows.  No plot library.

Everything is drawn in the board's own frame (mm, x to the right along the push, y up), in one flipped group.
"""

from __future__ import annotations

import html
import math
import textwrap
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from thrillsim.board import shapes
from thrillsim.board.disks import THRILL_KINDS
from thrillsim.errors import counted

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from thrillsim.board.board import Board
    from thrillsim.board.layout import Layout

PIXELS_PER_MM = 1.7
LETTER = 3.4  #: mm, how wide a letter of a caption is on average in a wide font
MARGIN = 12.0  #: mm of paper round the board: room for what fell


def _number(value: float) -> str:
    return f"{value + 0.0:.2f}".rstrip("0").rstrip(".") if abs(value) >= 0.005 else "0"


def _style(style: dict[str, str | float]) -> str:
    return "".join(
        f' {key.replace("_", "-")}="{value if isinstance(value, str) else _number(value)}"'
        for key, value in style.items()
    )


def _points(points: ArrayLike) -> str:
    import numpy as np

    return " ".join(f"{_number(x)},{_number(y)}" for x, y in np.asarray(points, dtype=float).tolist())


def polygon(points: ArrayLike, **style: str | float) -> str:
    """A closed outline; `points` (n, 2) in mm."""
    return f'<polygon points="{_points(points)}"{_style(style)}/>'


def polyline(points: ArrayLike, **style: str | float) -> str:
    """An open line; `points` (n, 2) in mm."""
    return f'<polyline points="{_points(points)}" fill="none"{_style(style)}/>'


def circle(x: float, y: float, radius: float, **style: str | float) -> str:
    """A circle, mm."""
    return f'<circle cx="{_number(x)}" cy="{_number(y)}" r="{_number(radius)}"{_style(style)}/>'


def text(x: float, y: float, words: str, size: float = 6.0, **style: str | float) -> str:
    """Upright text centred on (x, y); `size` in mm."""
    base: dict[str, str | float] = {
        "fill": shapes.INK,
        "text_anchor": "middle",
        "dominant_baseline": "central",
        "font_size": size,
    }
    return (
        f'<text transform="translate({_number(x)} {_number(y)}) scale(1 -1)"'
        f"{_style(base | style)}>{html.escape(words)}</text>"
    )


def number(x: float, y: float, label: str, halo: str, *, new: bool = False) -> str:
    """A disk's number, with a halo in the colour of what it stands on so that no line strikes it out."""
    return text(
        x, y, label, 6.5, font_weight="bold" if new else "normal", stroke=halo, stroke_width=1.6,
        stroke_linejoin="round", paint_order="stroke",
    )  # fmt: skip


def lid_colour(kind: int) -> str:
    """Colour of the lid of a cup: its kind's colour, paler than the rim."""
    return shapes.tint(shapes.kind_colour(kind), 0.35)


def cup(x: float, y: float, radius: float, kind: int, label: str = "", *, new: bool = False) -> str:
    """A disk lying open side down: lid and rim, its number in the middle; `new` gives it a heavy outline."""
    colour = shapes.kind_colour(kind)
    parts = [
        circle(x, y, radius, fill=colour, stroke=shapes.INK, stroke_width=1.6 if new else 0.5),
        circle(x, y, shapes.lid_radius(radius), fill=lid_colour(kind), stroke=shapes.INK, stroke_width=0.25),
    ]
    if label:
        parts.append(number(x, y, label, lid_colour(kind), new=new))
    return "".join(parts)


def ghost(x: float, y: float, radius: float) -> str:
    """Where a disk was: its outline, dashed."""
    return circle(
        x, y, radius, fill="none", stroke=shapes.SHADOW, stroke_width=0.6, stroke_dasharray="2.5 1.8"
    )


def fallen(x: float, y: float, radius: float, kind: int, label: str = "") -> str:
    """Where a disk lost its support: a pale dashed outline, crossed out round its number."""
    parts = [
        circle(
            x, y, radius, fill=fallen_colour(kind), stroke=shapes.INK, stroke_width=0.6,
            stroke_dasharray="1.5 1.5", fill_opacity=0.8,
        )
    ]  # fmt: skip
    parts += [polyline(arm, stroke=shapes.INK, stroke_width=1.2) for arm in shapes.cross(x, y, radius)]
    if label:
        parts.append(number(x, y, label, fallen_colour(kind)))
    return "".join(parts)


def fallen_colour(kind: int) -> str:
    """Colour of the place where a disk fell: its kind's, hardly there any more."""
    return shapes.tint(shapes.kind_colour(kind), 0.75)


def weight_on(x: float, y: float, radius: float, *, lifted: bool = False) -> str:
    """The weight: dark metal; `lifted` shows only where it stood."""
    if lifted:
        return circle(
            x, y, radius, fill="none", stroke=shapes.METAL, stroke_width=1.0, stroke_dasharray="3 1.5"
        )
    return circle(x, y, radius, fill=shapes.METAL, stroke=shapes.INK, stroke_width=0.6) + text(
        x, y, "W", 7.0, fill="#ffffff", font_weight="bold"
    )


def pusher_part(board: Board, *, advance: float = 0.0, yaw: float = 0.0) -> str:
    """The pusher after `advance` mm, turned by `yaw` rad."""
    outline = shapes.pusher_outline(board, advance, yaw)
    return polygon(outline, fill=shapes.PUSHER, stroke=shapes.INK, stroke_width=0.6)


def board_parts(board: Board) -> list[str]:
    """The board without its pusher: surfaces, placement zone, rails (solid), open edges (dashed), pins."""
    parts = []
    chains = shapes.edge_chains(board)
    for chain in chains:
        if chain.kind == "railed":
            parts.append(polygon(shapes.rail_band(chain.points), fill=shapes.INK))
    parts.append(polygon(board.sliding.vertices, fill=shapes.SLIDE))
    parts.append(polygon(board.playing.vertices, fill=shapes.PLATE))
    parts.append(polygon(shapes.placement_zone(board), fill=shapes.ZONE))
    for chain in chains:
        if chain.kind == "open":
            parts.append(
                polyline(chain.points, stroke=shapes.INK, stroke_width=0.9, stroke_dasharray="5 2.5")
            )
    low, high = board.playing.blocking_span()
    parts.append(
        polyline([(0, low), (0, high)], stroke=shapes.INK, stroke_width=0.6, stroke_dasharray="6 2 1 2")
    )
    for x, y in board.pins:
        parts.append(circle(x - 2.0, y, 2.0, fill=shapes.INK))
    return parts


def disk_parts(board: Board, layout: Layout, *, numbers: bool = True) -> list[str]:
    """The disks of a layout, numbered by their index."""
    return [
        cup(float(x), float(y), float(r), int(k), str(i) if numbers else "")
        for i, (k, x, y, r) in enumerate(
            zip(layout.kind, layout.x, layout.y, layout.radii(board), strict=True)
        )
    ]


def document(
    box: tuple[float, float, float, float], parts: Iterable[str], title: str, caption: Sequence[str] = ()
) -> str:
    """The SVG of `parts` in the box (x0, x1, y0, y1) of the board's frame, `caption` lines below.

    Lines that are wider than the box are broken.
    """
    x0, x1, y0, y1 = (box[0] - MARGIN, box[1] + MARGIN, box[2] - MARGIN, box[3] + MARGIN)
    width = x1 - x0
    caption = [part for line in caption for part in textwrap.wrap(line, int((width - 8.0) / LETTER))]
    height = y1 - y0 + 8.0 * len(caption)
    lines = "".join(
        f'<text x="{_number(x0 + 4)}" y="{_number(-y0 + 8 * i + 2)}" font-size="6" fill="{shapes.INK}">'
        f"{html.escape(line)}</text>"
        for i, line in enumerate(caption)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{math.ceil(width * PIXELS_PER_MM)}"'
        f' height="{math.ceil(height * PIXELS_PER_MM)}" font-family="sans-serif"'
        f' viewBox="{_number(x0)} {_number(-y1)} {_number(width)} {_number(height)}">'
        f"<title>{html.escape(title)}</title>"
        f'<rect x="{_number(x0)}" y="{_number(-y1)}" width="{_number(width)}" height="{_number(height)}"'
        f' fill="#ffffff"/><g transform="scale(1 -1)">{"".join(parts)}</g>{lines}</svg>'
    )


def board_svg(board: Board, layout: Layout | None = None, *, numbers: bool = True) -> str:
    """The board from above, with the disks of `layout` if given.

    Parameters
    ----------
    board, layout
        What to show.
    numbers
        Whether to write each disk's index on it.
    """
    parts = [*board_parts(board), pusher_part(board)]
    _, _, y0, y1 = shapes.extent(board)
    low, high = board.playing.blocking_span()
    surface = f"{board.outline[:, 0].max():g} × {high - low:g} mm"
    if layout is not None:
        parts += disk_parts(board, layout, numbers=numbers)
        about = f"{counted(len(layout), 'disk')}, packing {layout.packing(board):.3f}"
    else:
        low, high = board.zone
        parts.append(text((low + high) / 2, (y0 + y1) / 2, "placement zone", 6.5))
        parts.append(text(low - board.pusher.depth / 2, (y0 + y1) / 2, "pusher", 6.5))
        about = "dashed: open edge, solid: rail"
    caption = [f"{board.name}: playing surface {surface}; {about}"]
    return document(shapes.extent(board), parts, f"board {board.name} from above", caption)


def layout_svg(layout: Layout) -> str:
    """A layout alone, without its board: drawn in the sizes of `THRILL_KINDS`, which the caption says.

    Disks of a kind that `THRILL_KINDS` does not have are drawn as their centres.
    """
    known = [int(k) < len(THRILL_KINDS) for k in layout.kind]
    parts, reach = [], [(0.0, 0.0, 0.0)]
    for i, (k, x, y) in enumerate(zip(layout.kind, layout.x, layout.y, strict=True)):
        r = THRILL_KINDS[int(k)].radius if known[i] else 1.5
        reach.append((float(x), float(y), r))
        parts.append(cup(float(x), float(y), r, int(k), str(i) if known[i] else ""))
    left = min(x - r for x, _, r in reach)
    box = (
        left,
        max(left + 165.0, *(x + r for x, _, r in reach)),  # room for the caption
        min(y - r for _, y, r in reach),
        max(y + r for _, y, r in reach),
    )
    sizes = "drawn in the default sizes" if all(known) else "of sizes that only their board knows"
    lying = counted(len(layout), "disk")
    caption = [f"{lying}, {sizes};", "plot_board(board, layout) shows them on their board"]
    return document(box, parts, f"{lying} from above", caption)
