"""A study at a glance: where to put the disk, what falls where, what it costs.  Computes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.collections import PolyCollection
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from thrillsim.board import shapes
from thrillsim.board.shapes import INK, tint
from thrillsim.view.paper import (
    AS_IT_IS,
    NORMAL,
    SMALL,
    Entry,
    in_lines,
    legend_at_foot,
    picture,
    shortened,
    tidy,
    title,
)
from thrillsim.view.table import (
    draw_board,
    draw_cup,
    draw_layout,
    draw_weight,
    edge_handles,
    kind_handles,
    new_disk_handle,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from thrillsim.board import Board
    from thrillsim.studies.summary import Curve, Estimate, Summary

BAR = 26.0  #: mm, the longest bar beside an edge
UPPER, LOWER = 5.2, 2.4  #: inches, heights of the two rows of panels
RARE = 0.004  #: costs rarer than this are left off the end of the distribution


def line_colour(kind: int) -> str:
    """Colour of a line for that kind: dark enough to read on white."""
    red, green, blue = (int(shapes.kind_colour(kind)[i : i + 2], 16) for i in (1, 3, 5))
    light = (0.299 * red + 0.587 * green + 0.114 * blue) / 255
    keep = min(1.0, 0.5 / light)
    return "#" + "".join(f"{round(part * keep):02x}" for part in (red, green, blue))


STYLES = ("-", (0, (5, 1.5)), (0, (1.2, 1.2)), (0, (5, 1.5, 1, 1.5)))
MARKERS = ("o", "s", "^", "D")


def percent(estimate: Estimate) -> str:
    """'79 % [77, 81]', with a digit more where the interval is narrow."""
    if estimate.value is None:
        return "unknown"
    if estimate.low is None or estimate.high is None:
        return f"{100 * estimate.value:.0f} %"
    digits = 1 if estimate.high - estimate.low < 0.02 else 0
    low, high = (f"{100 * v:.{digits}f}" for v in (estimate.low, estimate.high))
    return f"{100 * estimate.value:.{digits}f} % [{low}, {high}]"


def number(estimate: Estimate) -> str:
    """'1.41 [1.35, 1.47]'."""
    if estimate.value is None:
        return "unknown"
    if estimate.low is None or estimate.high is None:
        return f"{estimate.value:.2f}"
    return f"{estimate.value:.2f} [{estimate.low:.2f}, {estimate.high:.2f}]"


def _band(values: Sequence[Estimate]) -> tuple[list[int], list[float], list[float], list[float]]:
    """Indices, values and interval ends of the estimates that have a value."""
    keep = [i for i, e in enumerate(values) if e.value is not None]
    middle = [float(values[i].value or 0.0) for i in keep]
    low = [m if (e := values[i]).low is None else float(e.low) for i, m in zip(keep, middle, strict=True)]
    high = [m if (e := values[i]).high is None else float(e.high) for i, m in zip(keep, middle, strict=True)]
    return keep, middle, low, high


def _curves(ax: Axes, board: Board, curves: Sequence[Curve]) -> None:
    """Expected cost to the right, placement y upward, at the height of the board beside it.

    Each line has its label for the legend.
    """
    sizes = [curve for curve in curves if curve.disk is not None]
    most = 0.0
    for curve in sizes or curves:
        kind = 0 if curve.disk is None else board.kind_index(curve.disk)
        colour = INK if curve.disk is None else line_colour(kind)
        keep, cost, low, high = _band(curve.cost)
        y = [curve.y[i] for i in keep]
        if len(keep) > 1:
            ax.fill_betweenx(y, low, high, color=colour, alpha=0.18, linewidth=0)
        ax.plot(
            cost,
            y,
            color=colour,
            linewidth=1.6,
            linestyle=STYLES[kind % len(STYLES)],
            marker=MARKERS[kind % len(MARKERS)],
            markersize=4,
            clip_on=False,  # or a marker at cost 0 is cut in half
            label=curve.disk or "all sizes",
        )
        most = max([most, *high])
    ax.set_xlim(0, 1.05 * most or 1.0)
    ax.set_ylabel("sideways placement y (mm)")
    ax.set_xlabel("expected cost (chips)")
    title(ax, "Cost by where it goes in")
    tidy(ax, grid="both")


def _edge_bars(ax: Axes, summary: Summary) -> float:
    """Bars along the open edges, outward, stacked by size; returns falls per push and cm of the longest bar.

    Widens the limits of the axes so that the bars fit.
    """
    rate = max(
        (float(np.max(np.array(e.counts) / np.diff(e.limits), initial=0.0)) for e in summary.edges),
        default=0.0,
    )
    if rate == 0.0:
        return 0.0
    for edge in summary.edges:
        start, end = np.array(edge.start), np.array(edge.end)
        along = (end - start) / np.hypot(*(end - start))
        out = np.array([along[1], -along[0]])
        foot = start + np.outer(edge.limits, along)
        base = np.zeros(len(edge.counts))
        for kind, counts in enumerate(edge.by_kind):
            top = base + np.array(counts) / np.diff(edge.limits) / rate * BAR
            low, high = base[:, None] * out, top[:, None] * out
            bars = np.stack([foot[:-1] + low, foot[1:] + low, foot[1:] + high, foot[:-1] + high], axis=1)
            colour = tint(shapes.kind_colour(kind), 0.15)
            ax.add_collection(
                PolyCollection(
                    list(bars[top > base]), facecolors=colour, edgecolors=INK, linewidths=0.3, zorder=4
                ),
                autolim=False,
            )
            base = top
            (x0, x1), (y0, y1) = ax.get_xlim(), ax.get_ylim()
            ax.set_xlim(x0, max(x1, bars[..., 0].max() + 3.0))
            ax.set_ylim(min(y0, bars[..., 1].min() - 3.0), max(y1, bars[..., 1].max() + 3.0))
    return rate * 10.0 / summary.trials


def _from_above(ax: Axes, summary: Summary) -> list[Artist]:
    """Board, falls as dots and bars; returns what the legend says of them."""
    board, example = summary.board, summary.example
    draw_board(ax, board)
    draw_layout(ax, board, summary.layout, numbers=False, pale=True)
    kind = board.kind_index(example.disk)
    draw_cup(ax, example.x, example.y, float(board.radii[kind]), kind, new=True)
    if example.weight is not None:
        draw_weight(ax, *example.weight, board.weight.radius, "W")
    points = summary.points_array()
    alpha = max(0.05, min(0.6, 150 / max(len(points), 1)))
    ax.plot(points[:, 1], points[:, 2], ".", color=INK, markersize=2, alpha=alpha, zorder=5, rasterized=True)
    _, x1, y0, y1 = shapes.extent(board)
    ax.set_xlim(-board.pusher.travel - 0.5 * board.pusher.depth, x1 + 3.0)
    ax.set_ylim(y0 - 3.0, y1 + 3.0)
    longest = _edge_bars(ax, summary)
    ax.set_aspect("equal")
    ax.set_xlabel("x, along the push (mm)")
    ax.set_ylabel("y (mm)")
    title(ax, "Where disks fall")
    tidy(ax)
    if not longest:
        return []
    return [
        Patch(
            facecolor="white",
            edgecolor=INK,
            linewidth=0.6,
            label=f"falls per push and cm of edge, longest bar {longest:.2g}",
        ),
        Line2D([], [], linestyle="none", marker=".", color=INK, label="centre of a disk at its fall"),
    ]


def _costs(ax: Axes, summary: Summary) -> None:
    seen = [c for c in summary.costs if (c.chance.value or 0.0) > 0]
    shown = [
        c
        for c in summary.costs
        if c.cost <= max((c.cost for c in seen if (c.chance.value or 0) >= RARE), default=0)
    ]
    keep, value, low, high = _band([c.chance for c in shown])
    x = [shown[i].cost for i in keep]
    colours = [tint(INK, 0.75 if cost == 0 else 0.45) for cost in x]
    ax.bar(x, [100 * v for v in value], color=colours, edgecolor=INK, linewidth=0.6, width=0.8)
    ax.vlines(x, [100 * v for v in low], [100 * v for v in high], color=INK, linewidth=1.2)
    most = max((c.cost for c in seen), default=0)
    if x and most > x[-1]:
        ax.text(
            0.98, 0.95, f"rarely up to {most}", transform=ax.transAxes, ha="right", va="top", fontsize=SMALL
        )
    ax.xaxis.set_major_locator(MaxNLocator("auto", integer=True))
    ax.set_xlim(-0.7, max([3, *x]) + 0.7)
    ax.set_ylim(bottom=0)
    ax.set_xlabel("cost of a push (chips); 0: nothing fell")
    ax.set_ylabel("share of pushes (%)")
    title(ax, "What a push costs")
    tidy(ax, grid="y")


def _dots(
    ax: Axes, board: Board, names: Sequence[str], values: Sequence[Estimate], scale: float, what: str
) -> None:
    """One dot with its interval per size."""
    rows = list(range(len(names)))[::-1]
    for row, name, estimate in zip(rows, names, values, strict=True):
        if estimate.value is None:
            continue
        kind = board.kind_index(name)
        low = estimate.value if estimate.low is None else estimate.low
        high = estimate.value if estimate.high is None else estimate.high
        ax.hlines(row, scale * low, scale * high, color=line_colour(kind), linewidth=2.2)
        ax.plot(
            [scale * estimate.value],
            [row],
            marker=MARKERS[kind % len(MARKERS)],
            markersize=7,
            color=tint(shapes.kind_colour(kind), 0.35),
            markeredgecolor=INK,
            markeredgewidth=0.7,
            clip_on=False,  # or a marker at 0 is cut in half
            zorder=3,
        )
    ax.set_yticks(rows, [shortened(name) for name in names], **AS_IT_IS)
    ax.tick_params(axis="y", length=0, pad=7)  # room for a marker at 0
    ax.set_ylim(-0.6, len(rows) - 0.4)
    ax.set_xlim(0, None if any(e.value for e in values) else 1.0)
    ax.margins(x=0.12)
    ax.set_xlabel(what)
    tidy(ax, grid="x")


def plot_study(summary: Summary) -> Figure:
    """See `thrillsim.view.plot_study`."""
    board = summary.board
    rows = max(LOWER, 0.6 + 0.2 * len(board.kinds))
    figure = picture(10.4, UPPER + rows)
    grid = figure.add_gridspec(2, 1, height_ratios=[UPPER, rows])
    upper, lower = figure.add_subfigure(grid[0, 0]), figure.add_subfigure(grid[1, 0])
    left, right = upper.subplots(1, 2, width_ratios=[1.0, 1.3], subplot_kw={"anchor": "W"})
    signs = _from_above(right, summary)
    _curves(left, board, summary.curves)
    left.set_ylim(right.get_ylim())
    sizes = len(summary.placed) > 1
    panels = lower.subplots(1, 3 if sizes else 2)
    _costs(panels[0], summary)
    _dots(
        panels[1],
        board,
        [k.disk for k in summary.kinds],
        [k.share for k in summary.kinds],
        100.0,
        "chance that a disk of this size falls (%)",
    )
    title(panels[1], "Which disks fall")
    if sizes:
        _dots(
            panels[2],
            board,
            [p.disk for p in summary.placed],
            [p.cost for p in summary.placed],
            1.0,
            "expected cost (chips)",
        )
        title(panels[2], "Which disk to push in")
    name = summary.scenario or "Push study"  # as the table calls it
    trials = f"{summary.trials:,}".replace(",", "\u2009")
    what = (
        f"at least one disk falls in {percent(summary.any_fell)}; a push costs {number(summary.cost)} chips"
    )
    lines = [
        f"{name}: {trials} push{'es' if summary.trials > 1 else ''} on board “{board.name}”",
        f"{what} (brackets, bands and whiskers: {100 * summary.confidence:.3g}\u00a0%\u00a0intervals)",
    ]
    head = "\n".join(in_lines(figure, line, figure.get_figwidth() - 0.2, NORMAL + 2) for line in lines)
    figure.suptitle(head, fontsize=NORMAL + 2, ha="left", x=0.01, color=INK, linespacing=1.4, **AS_IT_IS)
    lines_of = {str(line.get_label()): line for line in left.get_lines()}
    kinds: list[Entry] = [
        (sign, lines_of.pop(kind.name)) if kind.name in lines_of else sign
        for kind, sign in zip(board.kinds, kind_handles(board), strict=True)
    ]
    legend_at_foot(
        figure,
        [
            *kinds,
            *lines_of.values(),
            new_disk_handle("new disk of the first push"),
            *signs,
            *edge_handles(board),
        ],
        5,
    )
    return figure
