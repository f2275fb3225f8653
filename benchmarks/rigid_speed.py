"""How fast the rigid engine is at each named accuracy, beside a bare pymunk loop doing the same pushes.

Run with ``python -m benchmarks.rigid_speed`` or as the set ``rigid`` of ``python -m benchmarks``.  The bare
loops are those of `benchmarks.peers`, at the same speed.  Everything is timed in one run, each push by its
best of several repetitions (CPU time), and compared push by push.
"""

from __future__ import annotations

import argparse
from functools import partial
from typing import Any

import numpy as np
from rich.console import Console

from benchmarks.engines import engine
from benchmarks.peers import pymunk_loop
from benchmarks.report import Sheet, spread_text
from benchmarks.sets import Case
from benchmarks.timing import Way, errors, interleaved, spread
from thrillsim.board import default_board, opening
from thrillsim.physics import ACCURACIES, Push

BASE = "bare loop, pivot + gear, 240 Hz"


def compare(pushes: int, repeats: int, speed: float) -> dict[str, Any]:
    """Times, ratios to the bare loop, and accuracy against rigid fine, of pushes from openings."""
    board, rng = default_board(), np.random.default_rng(1)
    cases = []
    for k in range(pushes):
        kind = int(rng.integers(3))
        r = float(board.radii[kind])
        one = Push(kind, -r - 1.0, float(rng.uniform(r - 109, 109 - r)), speed=speed)
        cases.append(Case(board, opening(board, k), one))
    ways: dict[str, Way] = {
        BASE: partial(pymunk_loop, hz=240),
        "bare loop, 8 ring points, 240 Hz": partial(pymunk_loop, hz=240, points=8),
        "bare loop, pivot + gear, 1000 Hz": partial(pymunk_loop, hz=1000, iterations=20),
    }
    for accuracy in ACCURACIES:
        ways[f"rigid, {accuracy}"] = partial(engine, name="rigid", accuracy=accuracy)
    timed = interleaved(ways, cases, repeats)
    rows = []
    for name, mine in timed.items():
        off, same = errors(mine.outcomes, timed["rigid, fine"].outcomes)
        rows.append(
            {
                "name": name,
                "cpu_ms": spread(1e3 * mine.cpu),
                "ratio": spread(mine.cpu / timed[BASE].cpu),
                "error_mm": float(off.mean()),
                "same_fell": float(same.mean()),
            }
        )
    return {"pushes": pushes, "repeats": repeats, "speed": speed, "rows": rows}


def sheet(found: dict[str, Any]) -> Sheet:
    """The comparison as a table."""
    about = (
        f"{found['pushes']} pushes from openings at {found['speed']:g} mm/s, CPU time, best of "
        f"{found['repeats']}: median (quartiles) over pushes; ratio to the first row push by push; error and "
        "falls against rigid fine"
    )
    head = ("way", "ms a push", "pushes/s", "time ratio", "error mm", "same falls")
    table = Sheet("The rigid engine at its named accuracies", about, head)
    for row in found["rows"]:
        table.rows.append(
            (
                row["name"],
                spread_text(row["cpu_ms"]),
                f"{1e3 / row['cpu_ms']['median']:.1f}",
                spread_text(row["ratio"]),
                f"{row['error_mm']:.3f}",
                f"{row['same_fell']:.0%}",
            )
        )
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("-n", "--pushes", type=int, default=12)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--speed", type=float, default=20.0, help="mm/s")
    options = parser.parse_args()
    sheet(compare(options.pushes, options.repeats, options.speed)).show(Console())


if __name__ == "__main__":
    main()
