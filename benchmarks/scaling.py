"""Two threads against one, and the time of a push as the board grows."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from benchmarks.profiling import profile_one
from benchmarks.sets import Case, growing, stored
from benchmarks.timing import FloatArray, spread
from thrillsim.physics import push, push_many

BUSY = 5  #: disks that move in a step, from which on the growth is fitted


def _pushes(cases: Sequence[Case], threads: int) -> None:
    """All pushes of one board with so many threads."""
    pairs = [(case.layout, case.push) for case in cases]
    for _ in push_many(cases[0].board, pairs, engine="quasistatic", threads=threads):
        pass


def _hashing(blocks: Sequence[bytes], threads: int) -> None:
    """Work that is known to scale: hashing holds no lock of the interpreter."""
    with ThreadPoolExecutor(threads) as pool:
        for _ in pool.map(lambda block: hashlib.sha256(block).digest(), blocks):
            pass


def threads(count: int, rounds: int, repeats: int) -> dict[str, Any]:
    """Wall time of the crowded set with one thread over that with two, beside work that surely scales.

    Other programs on the machine take processors away; the control says how many there were.
    """
    # rounds of the set: of a short stream the end shows, where one thread has nothing left to do
    cases, blocks = rounds * stored("crowded", 0.25, count), rounds * 40 * [bytes(4_000_000)]
    ways: dict[str, Callable[[int], None]] = {
        "pushes": lambda number: _pushes(cases, number),
        "control": lambda number: _hashing(blocks, number),
    }
    wall: dict[str, list[list[float]]] = {name: [] for name in ways}
    _pushes(cases, 2)
    for _ in range(repeats):
        for name, way in ways.items():
            times = []
            for number in (1, 2):
                start = time.perf_counter()
                way(number)
                times.append(time.perf_counter() - start)
            wall[name].append(times)
    found: dict[str, Any] = {"count": len(cases)}
    for name, table in wall.items():
        one, two = np.array(table).T
        found[name] = {
            "one_s": float(one.min()),
            "two_s": float(two.min()),
            "speedup": float(one.min() / two.min()),
            "by_repeat": spread(one / two),
        }
    return found


def moving_disks(case: Case) -> float:
    """Disks that move in a step, mean over the steps in which any does."""
    result = push(case.board, case.layout, case.push, engine="quasistatic", trace=True)
    assert result.trace is not None
    poses, advance = result.trace.poses[:, :, :2], np.diff(result.trace.advance)
    moves = (np.abs(np.diff(poses, axis=0)).max(axis=2) > 1e-9 * np.maximum(advance, 1e-12)[:, None]).sum(
        axis=1
    )
    busy = moves > 0
    return float(moves[busy].mean()) if busy.any() else 0.0


def _exponent(moving: FloatArray, time_: FloatArray) -> tuple[float, float]:
    """Exponent and factor of a power law between disks that move and a time: least squares of logarithms."""
    slope, shift = np.polyfit(np.log(moving), np.log(time_), 1)
    return float(slope), float(np.exp(shift))


def scaling(factors: Sequence[int], count: int, repeats: int) -> dict[str, Any]:
    """Time of a push, and of its steps, against the number of disks, and of disks that move."""
    rows = []
    for factor in factors:
        cases = growing(factor, count)
        best = np.full(count, np.inf)
        for _ in range(repeats):
            for i, case in enumerate(cases):
                start = time.thread_time()
                push(case.board, case.layout, case.push, engine="quasistatic")
                best[i] = min(best[i], time.thread_time() - start)
        moving = np.array([moving_disks(case) for case in cases])
        counted = [profile_one(case) for case in cases]
        steps = np.array([one["STEPS"] for one in counted])
        iterations = np.array([one["ITERATIONS"] + one["INNER"] for one in counted])
        rows.append(
            {
                "disks": 28 * factor,
                "lying": float(np.mean([len(case.layout) for case in cases])),
                "moving": moving.tolist(),
                "ms": (1e3 * best).tolist(),
                "steps": steps.tolist(),
                "cpu_ms": spread(1e3 * best),
                "moving_spread": spread(moving),
                "steps_spread": spread(steps),
                "iterations_per_step": spread(iterations / steps),
                "ms_per_step": spread(1e3 * best / steps),
                "us_per_step_and_mover": spread(1e6 * best / steps / np.maximum(moving, 1.0)),
            }
        )
    return {"rows": rows, "pushes": count} | growth(rows)


def growth(rows: Sequence[dict[str, Any]]) -> dict[str, float]:
    """How the times grow with the disks that move, from `BUSY` on: below, the rest of a step counts."""
    moving, ms, steps = (np.concatenate([row[key] for row in rows]) for key in ("moving", "ms", "steps"))
    busy = moving >= BUSY
    exponent, factor_ms = _exponent(moving[busy], (ms / steps)[busy])
    return {
        "exponent": exponent,
        "at_one_mover_ms": factor_ms,
        "push_exponent": _exponent(moving[busy], ms[busy])[0],
        "busy": BUSY,
    }
