"""Pictures of one push: before and after, paths, falls, the weight; the pusher's force over its advance."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.patches import Circle

from thrillsim.board import shapes
from thrillsim.board.shapes import INK, tint
from thrillsim.errors import InputError
from thrillsim.physics.picture import MOVED, headline, path_shows, paths, weight_place
from thrillsim.view.paper import figure_of, legend_at_foot, picture, tidy, title
from thrillsim.view.table import (
    board_picture,
    draw_board,
    draw_cup,
    draw_weight,
    edge_handles,
    frame,
    kind_handles,
    lid_colour,
    new_disk_handle,
    write,
)

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from thrillsim.physics import Fall, PushResult


def _draw_before(ax: Axes, result: PushResult) -> None:
    board, before = result.board, result.before
    draw_board(ax, board, yaw=result.push.yaw)
    on = result.push.weight
    for i, (k, x, y, r) in enumerate(zip(before.kind, before.x, before.y, before.radii(board), strict=True)):
        draw_cup(ax, float(x), float(y), float(r), int(k), new=i == len(before) - 1)
        if on is None or i != on.disk:
            write(ax, float(x), float(y), str(i))
    place = weight_place(result, after=False)
    if on is not None and place is not None:
        draw_weight(ax, *place, board.weight.radius, str(on.disk))
    frame(ax, board)


def _draw_fall(ax: Axes, fall: Fall, radius: float) -> None:
    ax.add_patch(
        Circle(
            (fall.x, fall.y),
            radius,
            facecolor=tint(shapes.kind_colour(fall.kind), 0.75),
            edgecolor=INK,
            alpha=0.85,
            linewidth=0.9,
            linestyle=(0, (1.5, 1.5)),
            zorder=4,
        )
    )
    for arm in shapes.cross(fall.x, fall.y, radius):
        ax.add_line(Line2D(*arm.T, color=INK, linewidth=1.5, zorder=4.2))
    write(ax, fall.x, fall.y, str(fall.index), halo=tint(shapes.kind_colour(fall.kind), 0.75))


def _draw_after(ax: Axes, result: PushResult) -> None:
    board, before = result.board, result.before
    radii, last, gone = before.radii(board), len(before) - 1, set(result.fell)
    draw_board(ax, board, advance=result.advance, yaw=result.push.yaw)
    ways = paths(result)
    for i, way in enumerate(ways):
        kind, r = int(before.kind[i]), float(radii[i])
        if i in gone or i == last or np.hypot(*(way[-1] - way[0])) >= MOVED:
            ax.add_patch(
                Circle(
                    tuple(way[0]),
                    r,
                    fill=False,
                    edgecolor=shapes.SHADOW,
                    linewidth=0.8,
                    linestyle=(0, (3, 2)),
                    zorder=2.5,
                )
            )
            if path_shows(way):
                ax.add_line(
                    Line2D(*way.T, color=INK, linewidth=1.0, alpha=0.75, zorder=3.5, solid_capstyle="round")
                )
                ax.add_patch(Circle(tuple(way[0]), 1.2, facecolor=INK, zorder=3.5))
        if i not in gone:
            x, y, _ = (float(v) for v in result.poses[i])
            draw_cup(ax, x, y, r, kind, new=i == last)
            clear = min(shapes.CLEAR, shapes.lid_radius(r))
            ax.add_patch(Circle((x, y), clear, facecolor=lid_colour(kind), edgecolor="none", zorder=3.8))
            write(ax, x, y, str(i))
    for fall in result.fallen:
        _draw_fall(ax, fall, float(radii[fall.index]))
    place = weight_place(result, after=True)
    if place is not None:
        draw_weight(ax, *place, board.weight.radius, lifted=True)
    frame(ax, board)
    # Room for what fell or hangs over an edge.
    centres = result.poses[:, :2]
    low = np.min(centres - radii[:, None], axis=0) - 2
    high = np.max(centres + radii[:, None], axis=0) + 2
    (x0, x1), (y0, y1) = ax.get_xlim(), ax.get_ylim()
    ax.set_xlim(x0, max(x1, float(high[0])))
    ax.set_ylim(min(y0, float(low[1])), max(y1, float(high[1])))


def _handles(result: PushResult) -> list[Artist]:
    board = result.board
    handles: list[Artist] = [
        *kind_handles(board),
        new_disk_handle("new disk"),
        Line2D(
            [],
            [],
            color=INK,
            linewidth=1.0,
            marker="o",
            markersize=3,
            markevery=[0],
            label="path from its start",
        ),
    ]
    if result.fallen:
        handles.append(
            Line2D([], [], marker="x", markeredgewidth=1.5, label="fell here", linestyle="none", color=INK)
        )
    if result.push.weight is not None:
        handles.append(
            Line2D(
                [],
                [],
                linestyle="none",
                marker="o",
                markersize=9,
                markeredgecolor=INK,
                markerfacecolor=shapes.METAL,
                label="weight (dashed: until lifted)",
            )
        )
    return [*handles, *edge_handles(board)]


def plot_push(result: PushResult, ax: Axes | None) -> Figure:
    """See `thrillsim.view.plot_push`."""
    words = headline(result)
    words = words[0].upper() + words[1:]
    if ax is not None:
        _draw_after(ax, result)
        title(ax, words)
        return figure_of(ax)
    figure = board_picture(result.board, 2, reach=15.0)
    left, right = figure.subplots(1, 2, sharey=True, subplot_kw={"anchor": "W"})
    _draw_before(left, result)
    _draw_after(right, result)
    left.set_xlim(right.get_xlim())
    title(left, "Before")
    title(right, f"After: {words[0].lower()}{words[1:]}")
    right.set_ylabel("")
    legend_at_foot(figure, _handles(result), 5)
    return figure


def plot_trace(result: PushResult, ax: Axes | None) -> Figure:
    """See `thrillsim.view.plot_trace`."""
    if result.trace is None:
        raise InputError("has no trace: push with trace=True", key="result")
    if ax is None:
        ax = picture(6.4, 3.4).add_subplot()
    board, trace = result.board, result.trace
    force = trace.force / 1000.0
    # A row holds the force of the step that ends there.
    ax.plot(trace.advance, force, color=INK, linewidth=1.2, zorder=3, drawstyle="steps-pre")
    top = max(float(force.max()), 1e-9)
    ax.set_ylim(0, top * 1.25)
    ax.set_xlim(0, board.pusher.travel)
    for level, fall in enumerate(result.fallen):
        if fall.during == "lift":
            continue
        colour = shapes.kind_colour(fall.kind)
        ax.axvline(fall.advance, color=tint(INK, 0.55), linewidth=0.8, linestyle=(0, (2, 2)), zorder=1)
        ax.plot(
            [fall.advance],
            [top * (1.18 - 0.07 * (level % 3))],
            marker="o",
            markersize=9,
            color=tint(colour, 0.35),
            markeredgecolor=INK,
            markeredgewidth=0.6,
            zorder=4,
        )
        ax.text(
            fall.advance,
            top * (1.18 - 0.07 * (level % 3)),
            str(fall.index),
            fontsize=6,
            ha="center",
            va="center_baseline",
            zorder=5,
        )
    ax.set_xlabel("advance of the pusher (mm)")
    ax.set_ylabel("force on the pusher (mN)")
    title(
        ax,
        "Force of the push; numbered disks fell there"
        if result.fallen
        else "Force of the push; nothing fell",
    )
    tidy(ax, grid="y")
    return figure_of(ax)
