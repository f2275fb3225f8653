"""The same pushes by our engines and by the bare loops, as rows of time beside accuracy.

Two errors stand beside each time: `numeric` is the distance to the same model solved finely (for a bare
loop: 1000 Hz, 20 sweeps, slop 0.001 mm, half the speed), `whole` the distance to the quasi-static engine at
``fine``, so it holds the model's error too (no overhang; for pivot + gear, force and torque limits apart).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from benchmarks.peers import Outcome, box2d_loop, pymunk_loop
from benchmarks.sets import Case, stored
from benchmarks.timing import Timed, Way, calm_mean, errors, interleaved, spread
from thrillsim.physics import ACCURACIES, Accuracy, push

OURS = "quasistatic standard"
GOOD = 0.06  #: mm; a mean position error (nine tenths of the pushes) up to this counts as accurate


def engine(case: Case, *, name: str, accuracy: Accuracy) -> Outcome:
    """One of our engines, through the public function."""
    result = push(case.board, case.layout, case.push, engine=name, accuracy=accuracy)
    return Outcome(frozenset(result.fell), result.poses[:, :2])


def ways() -> dict[str, tuple[str, Way]]:
    """Name -> (model whose fine solution it should reach, function)."""
    rows: dict[str, tuple[str, Way]] = {}
    for accuracy in ACCURACIES:
        rows[f"quasistatic {accuracy}"] = (
            "quasistatic",
            partial(engine, name="quasistatic", accuracy=accuracy),
        )
    for accuracy in ACCURACIES[:2]:
        rows[f"rigid {accuracy}"] = "quasistatic", partial(engine, name="rigid", accuracy=accuracy)
    for points, label in ((0, "pair"), (4, "ring 4"), (8, "ring 8")):
        for hz in (120, 240):
            rows[f"pymunk {label}, {hz} Hz"] = label, partial(pymunk_loop, hz=hz, points=points)
    for points, label in ((0, "pair"), (8, "ring 8")):
        for hz in (120, 240):
            rows[f"Box2D {label}, {hz} Hz"] = label, partial(box2d_loop, hz=hz, points=points)
    return rows


def fine_loop(case: Case, points: int) -> Outcome:
    """The bare loop's own limit: half the speed, fine steps."""
    slow = replace(case, push=replace(case.push, speed=case.push.speed / 2))
    return pymunk_loop(slow, hz=1000, points=points, iterations=20, slop=0.001)


def compare(name: str, rim: float, count: int, repeats: int) -> dict[str, Any]:
    """Time and accuracy of every way on one set."""
    cases = stored(name, rim, count)
    made = ways()
    timed = interleaved({key: way for key, (_, way) in made.items()}, cases, repeats)
    right = timed["quasistatic fine"].outcomes
    # Without rim friction no disk turns: all loops are the same model then.
    models = {"pair": 0, "ring 4": 4, "ring 8": 8} if rim else {"pair": 0}
    limits = {model: [fine_loop(case, points) for case in cases] for model, points in models.items()}
    rows = []
    for key, (model, _) in made.items():
        own = right if model == "quasistatic" else limits[model if rim else "pair"]
        rows.append(_row(key, timed[key], timed[OURS], right, own))
    return {"set": name, "rim": rim, "pushes": count, "repeats": repeats, "rows": rows}


def _row(
    name: str, mine: Timed, base: Timed, right: Sequence[Outcome], own: Sequence[Outcome]
) -> dict[str, Any]:
    whole, same = errors(mine.outcomes, right)
    numeric, own_same = errors(mine.outcomes, own)
    return {
        "name": name,
        "cpu_ms": spread(1e3 * mine.cpu),
        "wall_ms": spread(1e3 * mine.wall),
        "ratio": spread(mine.cpu / base.cpu),
        "ratio_of_means": float(mine.cpu.mean() / base.cpu.mean()),
        "per_second": float(1.0 / mine.cpu.mean()),
        "numeric_mm": float(numeric.mean()),
        "numeric_calm_mm": calm_mean(numeric),
        "numeric_same_fell": float(own_same.mean()),
        "whole_mm": float(whole.mean()),
        "whole_calm_mm": calm_mean(whole),
        "whole_same_fell": float(same.mean()),
        "accurate": bool(calm_mean(numeric) <= GOOD),
    }
