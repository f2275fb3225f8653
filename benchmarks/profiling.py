"""Where the time of the quasi-static engine goes: its own counters, and the time split over them."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from scipy.optimize import nnls

from benchmarks.sets import Case, stored
from benchmarks.timing import FloatArray, spread
from thrillsim.physics import push
from thrillsim.physics.quasistatic import engine, options

COUNTERS = ("STEPS", "SOLVES", "ITERATIONS", "CALLS", "INNER", "CUTS")


def profile_one(case: Case) -> dict[str, float]:
    """The compiled kernel's own counters of one push."""
    seen: list[FloatArray] = []
    original = engine.run_push

    def spy(*arguments: Any) -> Any:
        answer = original(*arguments)
        seen.extend(a for a in arguments if isinstance(a, np.ndarray) and a.shape == (options.REPORT,))
        return answer

    setattr(engine, "run_push", spy)  # noqa: B010  # the engine looks it up at every push
    try:
        push(case.board, case.layout, case.push, engine="quasistatic")
    finally:
        setattr(engine, "run_push", original)  # noqa: B010
    return {name: float(seen[-1][getattr(options, name)]) for name in COUNTERS}


def profile(name: str, rim: float, count: int, repeats: int) -> dict[str, Any]:
    """Counters per push, and the time split over them by a fit with no negative part."""
    cases = stored(name, rim, count)
    counts = [profile_one(case) for case in cases]
    best = np.full(count, np.inf)
    for _ in range(repeats):
        for i, case in enumerate(cases):
            start = time.thread_time()
            push(case.board, case.layout, case.push, engine="quasistatic")
            best[i] = min(best[i], time.thread_time() - start)
    table = {key: np.array([c[key] for c in counts]) for key in COUNTERS}
    parts = {"push": np.ones(count), "step": table["STEPS"]}
    parts |= {"Newton": table["ITERATIONS"], "interior": table["INNER"]}
    matrix = np.stack(list(parts.values()), axis=1)
    unit, _ = nnls(matrix, 1e6 * best)
    total = matrix @ unit
    share = {key: float((matrix[:, k] * unit[k]).sum() / total.sum()) for k, key in enumerate(parts)}
    residual = 1e6 * best - total
    return {
        "set": name,
        "rim": rim,
        "counters": {key: spread(values) for key, values in table.items()},
        "us": {key: float(unit[k]) for k, key in enumerate(parts)},
        "share": share,
        "cpu_ms": spread(1e3 * best),
        "us_per_iteration": spread(1e6 * best / np.maximum(table["ITERATIONS"] + table["INNER"], 1)),
        "explained": float(1.0 - residual.var() / (1e6 * best).var()),
    }
