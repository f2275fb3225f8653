"""Memory over a long stream of pushes, and the time to the first push: each in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.sets import stored
from thrillsim.physics import push_many


def _child(code: str, *arguments: str, cache: str | None = None) -> dict[str, Any]:
    environment = dict(os.environ)
    root = str(Path(__file__).resolve().parent.parent)
    environment["PYTHONPATH"] = os.pathsep.join([str(Path.cwd()), root, environment.get("PYTHONPATH", "")])
    if cache is not None:  # an installation keeps its bytecode, so this one does, whatever the caller set
        environment["NUMBA_CACHE_DIR"] = environment["PYTHONPYCACHEPREFIX"] = cache
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], env=environment, capture_output=True, text=True, check=True
    )
    answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return answer | {"process_s": time.perf_counter() - start}


START = """
import json, time
start = time.perf_counter()
from benchmarks.sets import easy
from thrillsim.physics import push
case = easy()
imported, cpu = time.perf_counter(), time.process_time()
push(case.board, case.layout, case.push, engine="quasistatic")
first = time.perf_counter()
found = {"import_s": imported - start, "first_push_s": first - imported, "cpu_s": time.process_time()}
found["first_push_cpu_s"] = time.process_time() - cpu
print(json.dumps(found))
"""


def compiling() -> dict[str, Any]:
    """First push of a process with an empty compiler cache, and with a full one (best of three)."""
    with tempfile.TemporaryDirectory() as cache:
        cold = _child(START, cache=cache)
        warm = min((_child(START, cache=cache) for _ in range(3)), key=lambda run: float(run["process_s"]))
    return {"cold": cold, "warm": warm}


STREAM = """
import sys
from benchmarks.footprint import stream
stream(int(sys.argv[1]))
"""


def peak_mb() -> float:
    """Largest memory of this process so far, MB."""
    status = Path("/proc/self/status")
    if status.exists():  # getrusage would start from the parent's peak
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) / 1024
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1024**2 if sys.platform == "darwin" else peak / 1024


def stream(count: int) -> None:
    """Push so many times and print, as JSON, how the memory of this process grew."""
    cases = stored("random", 0.25, 40)
    board = cases[0].board

    def pairs() -> Iterator[tuple[Any, Any]]:
        for k in range(count):
            case = cases[k % len(cases)]
            yield case.layout, case.push

    rows = []
    every = max(1, count // 100)
    start = time.process_time()
    for k, _ in enumerate(push_many(board, pairs(), engine="quasistatic"), start=1):
        if k % every == 0:
            rows.append((k, peak_mb()))
    print(json.dumps({"pushes": count, "peak_mb": rows, "cpu_s": time.process_time() - start}))


def memory(count: int) -> dict[str, Any]:
    """Peak memory over a stream of pushes, and its growth after the first tenth."""
    run = _child(STREAM, str(count))
    table = np.array(run["peak_mb"])
    late = table[len(table) // 10 :]
    growth = float((late[-1, 1] - late[0, 1]) * 1024 * 1024 / max(1.0, late[-1, 0] - late[0, 0]))
    return run | {"growth_bytes_per_push": growth, "million_mb": float(late[-1, 1] + growth * 1e6 / 1024**2)}
