"""The board and its disks in matplotlib axes, true to scale; shapes from `thrillsim.board.shapes`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, PathPatch, Polygon
from matplotlib.path import Path
from matplotlib.textpath import TextPath
from matplotlib.ticker import MaxNLocator
from matplotlib.transforms import Affine2D

from thrillsim.board import shapes
from thrillsim.board.shapes import INK, tint
from thrillsim.errors import counted
from thrillsim.view.paper import Picture, figure_of, legend_at_foot, picture, tidy, title

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from thrillsim.board import Board, Layout

MARGIN = 6.0  #: mm of paper round the board
LEAST = 3.0  #: inches, width of a panel
LABEL = 6.0  #: mm, height of a disk's number


def lid_colour(kind: int) -> str:
    """Colour of a cup's lid, paler than its rim."""
    return tint(shapes.kind_colour(kind), 0.35)


def write(
    ax: Axes,
    x: float,
    y: float,
    words: str,
    size: float = LABEL,
    *,
    halo: str | None = None,
    colour: str = INK,
    z: float = 6.0,
    room: float = math.inf,
) -> None:
    """Text of `size` mm centred on (x, y): it keeps its size relative to the disks at any picture size.

    It is turned upright where it is wider than `room` mm.
    """
    path: Path = TextPath((0, 0), words, size=size)
    if path.get_extents().width > room:
        path = Affine2D().rotate_deg(90).transform_path(path)
    box = path.get_extents()
    move = Affine2D().translate(x - (box.x0 + box.x1) / 2, y - (box.y0 + box.y1) / 2)
    placed = move.transform_path(path)
    if halo is not None:
        ax.add_patch(PathPatch(placed, facecolor=halo, edgecolor=halo, linewidth=2.5, zorder=z))
    ax.add_patch(PathPatch(placed, facecolor=colour, edgecolor="none", zorder=z + 0.1))


def draw_cup(
    ax: Axes,
    x: float,
    y: float,
    radius: float,
    kind: int,
    *,
    new: bool = False,
    pale: bool = False,
    z: float = 3.0,
) -> None:
    """A disk lying open side down; `new` gives it a heavy outline, `pale` lets it step back."""
    rim, lid, ink = shapes.kind_colour(kind), lid_colour(kind), INK
    if pale:
        rim, lid, ink = tint(rim, 0.6), tint(lid, 0.7), tint(INK, 0.5)
    inner = shapes.lid_radius(radius)
    ax.add_patch(
        Circle((x, y), radius, facecolor=rim, edgecolor=ink, linewidth=1.8 if new else 0.6, zorder=z)
    )
    ax.add_patch(Circle((x, y), inner, facecolor=lid, edgecolor=ink, linewidth=0.3, zorder=z + 0.1))


def draw_layout(ax: Axes, board: Board, layout: Layout, *, numbers: bool = True, pale: bool = False) -> None:
    """All disks of a layout."""
    for i, (k, x, y, r) in enumerate(zip(layout.kind, layout.x, layout.y, layout.radii(board), strict=True)):
        draw_cup(ax, float(x), float(y), float(r), int(k), pale=pale)
        if numbers:
            write(ax, float(x), float(y), str(i))


def draw_weight(
    ax: Axes, x: float, y: float, radius: float, words: str = "", *, lifted: bool = False
) -> None:
    """The weight with the number of its disk; `lifted` shows only where it stood."""
    if lifted:
        ax.add_patch(
            Circle(
                (x, y),
                radius,
                fill=False,
                edgecolor=shapes.METAL,
                linewidth=1.4,
                linestyle=(0, (3, 2)),
                zorder=5,
            )
        )
        return
    ax.add_patch(Circle((x, y), radius, facecolor=shapes.METAL, edgecolor=INK, linewidth=0.8, zorder=5))
    write(ax, x, y, words, 7.0, colour="white")


def draw_board(ax: Axes, board: Board, *, advance: float = 0.0, yaw: float = 0.0) -> None:
    """The empty board with its pusher: rails solid, open edges dashed, pins, placement zone."""
    chains = shapes.edge_chains(board)
    for chain in chains:
        if chain.kind == "railed":
            ax.add_patch(Polygon(shapes.rail_band(chain.points), facecolor=INK, edgecolor="none", zorder=1))
    for points, colour in (
        (board.sliding.vertices, shapes.SLIDE),
        (board.playing.vertices, shapes.PLATE),
        (shapes.placement_zone(board), shapes.ZONE),
    ):
        ax.add_patch(Polygon(np.asarray(points), facecolor=colour, edgecolor="none", zorder=1.1))
    for chain in chains:
        if chain.kind == "open":
            ax.add_line(
                Line2D(*chain.points.T, color=INK, linewidth=1.2, linestyle=(0, (5, 2.5)), zorder=1.2)
            )
    low, high = board.playing.blocking_span()
    ax.add_line(Line2D([0, 0], [low, high], color=INK, linewidth=0.8, linestyle="-.", zorder=1.2))
    for x, y in board.pins:
        ax.add_patch(Circle((x - 2.0, y), 2.0, facecolor=INK, zorder=1.3))
    outline = shapes.pusher_outline(board, advance, yaw)
    ax.add_patch(Polygon(outline, facecolor=shapes.PUSHER, edgecolor=INK, linewidth=0.8, zorder=2))


def board_picture(board: Board, panels: int = 1, *, reach: float = 0.0) -> Picture:
    """A picture whose panels hold the board with little paper left over; `reach` mm more to the right.

    However slender the board, there is room for words.
    """
    x0, x1, y0, y1 = shapes.extent(board)
    width, height = x1 - x0 + 2 * MARGIN + reach, y1 - y0 + 2 * MARGIN
    inches = 4.6 if panels > 1 else 5.2
    scale = min(inches / width, min(max(4.6, 2.3 * height / width), 8.0) / height)
    return picture(0.75 + panels * (max(width * scale, LEAST) + 0.15), height * scale + 1.0)


def frame(ax: Axes, board: Board) -> None:
    """Axes in mm around the board, equal scales, as many ticks as have room."""
    x0, x1, y0, y1 = shapes.extent(board)
    ax.set_xlim(x0 - MARGIN, x1 + MARGIN)
    ax.set_ylim(y0 - MARGIN, y1 + MARGIN)
    ax.set_aspect("equal")
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_locator(MaxNLocator("auto", steps=[1, 2, 5, 10], min_n_ticks=1))
    ax.set_xlabel("x, along the push (mm)")
    ax.set_ylabel("y (mm)")
    tidy(ax)


def kind_handles(board: Board, counts: dict[int, int] | None = None) -> list[Artist]:
    """Legend entries of the disk sizes, with how many there are if `counts` is given."""
    handles: list[Artist] = []
    for k, kind in enumerate(board.kinds):
        if counts is not None and not counts.get(k):
            continue
        name = kind.name if counts is None else f"{counts[k]} {kind.name}"
        handles.append(
            Line2D(
                [],
                [],
                linestyle="none",
                marker="o",
                markersize=4 + 5 * kind.radius / max(board.radii),
                markerfacecolor=lid_colour(k),
                markeredgecolor=shapes.kind_colour(k),
                markeredgewidth=1.5,
                label=f"{name}, Ø {2 * kind.radius:g} mm",
            )
        )
    return handles


def new_disk_handle(label: str) -> Artist:
    """Legend entry of a disk with a heavy outline."""
    return Line2D(
        [],
        [],
        linestyle="none",
        marker="o",
        markersize=9,
        markerfacecolor="white",
        markeredgecolor=INK,
        markeredgewidth=2.0,
        label=label,
    )


def edge_handles(board: Board) -> list[Artist]:
    """Legend entries of the edge kinds that the board has."""
    handles: list[Artist] = [
        Line2D([], [], color=INK, linewidth=1.2, linestyle=(0, (5, 2.5)), label="open edge"),
        Line2D([], [], color=INK, linewidth=0.8, linestyle="-.", label="blocking edge"),
    ]
    if len(board.walls):
        handles.insert(1, Line2D([], [], color=INK, linewidth=3.5, label="rail"))
    return handles


def plot_board(board: Board, layout: Layout | None, ax: Axes | None, *, numbers: bool = True) -> Figure:
    """See `thrillsim.view.plot_board`."""
    own = None
    if ax is None:
        own = board_picture(board)
        ax = own.add_subplot(anchor="W")
    handles = edge_handles(board)
    draw_board(ax, board)
    frame(ax, board)
    if layout is None:
        middle = sum(board.sliding.blocking_span()) / 2
        front = float(board.outline[:, 0].max())
        travel, depth = board.pusher.travel, board.pusher.depth
        write(ax, -travel / 2, middle, "placement zone", 7.5, room=travel)
        write(ax, -travel - depth / 2, middle, "pusher", 7.5, room=depth)
        write(ax, front / 2, middle, "playing surface", 7.5, room=front)
        title(ax, f"Board “{board.name}”")
    else:
        draw_layout(ax, board, layout, numbers=numbers)
        counts = {k: int(np.sum(layout.kind == k)) for k in range(len(board.kinds))}
        title(ax, f"“{board.name}”: {counted(len(layout), 'disk')}, packing {layout.packing(board):.2f}")
        handles = [*kind_handles(board, counts), *handles]
    if own is not None:
        legend_at_foot(own, handles, 3)
    return figure_of(ax)
