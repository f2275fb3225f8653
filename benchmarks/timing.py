"""Timing many ways of doing the same pushes in one process: interleaved, best of repeats, CPU and wall."""

from __future__ import annotations

import math
import os
import platform
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.peers import Outcome
from benchmarks.sets import Case

FloatArray = NDArray[np.float64]
Way = Callable[[Case], Outcome]


@dataclass(frozen=True)
class Timed:
    """Best times of each push (n,), s, and what it did."""

    cpu: FloatArray
    wall: FloatArray
    outcomes: tuple[Outcome, ...]


def interleaved(ways: Mapping[str, Way], cases: Sequence[Case], repeats: int) -> dict[str, Timed]:
    """Every way does a push before the next push comes, so that a noisy moment strikes all alike."""
    for way in ways.values():
        way(cases[0])  # compile, load, fill caches
    cpu = {name: np.full(len(cases), np.inf) for name in ways}
    wall = {name: np.full(len(cases), np.inf) for name in ways}
    outcomes: dict[str, list[Outcome]] = {name: [] for name in ways}
    for repeat in range(repeats):
        for i, case in enumerate(cases):
            for name, way in ways.items():
                wall_start, cpu_start = time.perf_counter(), time.thread_time()
                outcome = way(case)
                cpu_end, wall_end = time.thread_time(), time.perf_counter()
                cpu[name][i] = min(cpu[name][i], cpu_end - cpu_start)
                wall[name][i] = min(wall[name][i], wall_end - wall_start)
                if not repeat:
                    outcomes[name].append(outcome)
    return {name: Timed(cpu[name], wall[name], tuple(outcomes[name])) for name in ways}


def errors(outcomes: Sequence[Outcome], right: Sequence[Outcome]) -> tuple[FloatArray, FloatArray]:
    """Mean position error of each push over the disks that stayed in both, mm (n,); same disks fell (n,)."""
    off, same = [], []
    for a, b in zip(outcomes, right, strict=True):
        stay = [i for i in range(len(a.centres)) if i not in a.fell | b.fell]
        off.append(float(np.hypot(*(a.centres[stay] - b.centres[stay]).T).mean()) if stay else 0.0)
        same.append(float(a.fell == b.fell))
    return np.array(off), np.array(same)


def calm_mean(values: FloatArray) -> float:
    """Mean of the smaller nine tenths: a push at a bifurcation may differ by centimetres at any setting."""
    return float(np.sort(values)[: max(1, math.ceil(0.9 * len(values)))].mean())


def spread(values: FloatArray) -> dict[str, float]:
    """Median, quartiles and mean."""
    low, mid, high = np.percentile(values, [25, 50, 75])
    return {"median": float(mid), "low": float(low), "high": float(high), "mean": float(values.mean())}


def load() -> list[float] | None:
    """Running programs over the last 1, 5, 15 minutes, where the system says so."""
    return [round(value, 2) for value in os.getloadavg()] if hasattr(os, "getloadavg") else None


def machine() -> dict[str, Any]:
    """What the figures were measured on."""
    import Box2D
    import numba
    import pymunk

    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [
            line.split(":", 1)[1].strip()
            for line in info.read_text().splitlines()
            if line.startswith("model name")
        ]
        model = names[0] if names else model
    return {
        "cpu": model,
        "cores": os.cpu_count(),
        "load": load(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
        "pymunk": pymunk.version,
        "Box2D": Box2D.__version__,
        "date": time.strftime("%Y-%m-%d"),
    }
