"""The two plots of the benchmarks: time of a step over moving disks, memory over pushes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from thrillsim.board.shapes import INK
from thrillsim.view import picture, save
from thrillsim.view.paper import SMALL, tidy, title

COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7")  # told apart by everyone
MARKERS = ("o", "s", "^", "D")


def plot_scaling(found: dict[str, Any], folder: Path) -> list[Path]:
    """Every push as a point, with the straight line of the fit; and what the time of a push is made of."""
    figure = picture(8.6, 3.9)
    left, right = figure.subplots(1, 2)
    rows = found["rows"]
    for row, colour, marker in zip(rows, COLOURS, MARKERS, strict=False):
        style = {"color": colour, "marker": marker, "linestyle": "none", "markersize": 4.5, "alpha": 0.8}
        step_ms = np.array(row["ms"]) / np.array(row["steps"])
        left.plot(row["moving"], step_ms, label=f"{row['disks']} disks", **style)
    moving = np.concatenate([row["moving"] for row in rows])
    span = np.array([found["busy"], max(moving.max(), found["busy"])])
    left.plot(span, found["at_one_mover_ms"] * span ** found["exponent"], color=INK, linewidth=1.2)
    left.set(
        xscale="log",
        yscale="log",
        xlabel="disks that move in a step (mean of the push)",
        ylabel="CPU ms per step",
    )
    left.legend(fontsize=SMALL, frameon=False, loc="lower right")
    disks = [row["disks"] for row in rows]
    for key, label, colour, marker in (
        ("cpu_ms", "ms per push", COLOURS[0], "o"),
        ("steps_spread", "steps per push", COLOURS[3], "D"),
        ("iterations_per_step", "iterations per step", COLOURS[1], "s"),
        ("us_per_step_and_mover", "µs per step and moving disk", COLOURS[2], "^"),
    ):
        middle = np.array([row[key]["median"] for row in rows])
        low, high = (np.array([row[key][end] for row in rows]) for end in ("low", "high"))
        right.errorbar(
            disks, middle, [middle - low, high - middle], label=label, color=colour, marker=marker,
            markersize=4.5, linewidth=1.2, capsize=2,
        )  # fmt: skip
    right.set(xscale="log", yscale="log", xlabel="disks on the board", ylabel="median, quartiles")
    right.set_xticks(disks, [str(d) for d in disks])
    right.minorticks_off()
    right.legend(fontsize=SMALL, frameon=False)
    for ax in (left, right):
        tidy(ax, grid="both")
    title(left, f"Time of a step ∝ movers^{found['exponent']:.2f} (≥ {found['busy']})")
    title(right, "Time against the disks on the board")
    return [save(figure, folder / f"scaling.{kind}") for kind in ("png", "svg")]


def plot_memory(found: dict[str, Any], folder: Path) -> list[Path]:
    """Peak memory of the process over the number of pushes."""
    figure = picture(4.6, 3.2)
    ax = figure.subplots()
    pushes, peak = np.array(found["peak_mb"]).T
    ax.plot(pushes, peak, color=COLOURS[0], linewidth=1.4)
    ax.set(xlabel="pushes", ylabel="peak memory of the process, MB", ylim=(0, 1.2 * peak.max()))
    tidy(ax, grid="y")
    title(ax, f"Memory grows by {found['growth_bytes_per_push']:.1f} bytes a push")
    return [save(figure, folder / f"memory.{kind}") for kind in ("png", "svg")]
