"""One run of the benchmarks: every table and plot of speed and accuracy; the command line."""

from __future__ import annotations

import argparse
import time
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console

from benchmarks import engines, footprint, pictures, profiling, report, rigid_speed, scaling, targets
from benchmarks.timing import load, machine

SETS = ("crowded", "random", "rigid", "profile", "threads", "scaling", "footprint")
RIMS = (0.25, 0.0)
HERE = Path(__file__).resolve().parent


def measure(
    result: dict[str, Any], sets: Collection[str], *, quick: bool, pushes: int, repeats: int
) -> Iterator[report.Sheet]:
    """The tables one by one as they are measured; `result` gets all the figures."""
    pairs = [(name, rim) for name in ("crowded", "random") for rim in RIMS]
    for name, rim in pairs:
        if name in sets:
            found = engines.compare(name, rim, pushes, repeats)
            result.setdefault("compare", []).append(found)
            yield report.compare_sheet(found)
    if "rigid" in sets:
        result["rigid"] = rigid_speed.compare(3 if quick else 12, 1 if quick else 3, 20.0)
        yield rigid_speed.sheet(result["rigid"])
    if "profile" in sets:
        result["profile"] = [profiling.profile(*pair, min(60, 2 * pushes), repeats) for pair in pairs]
        yield report.profile_sheet(result["profile"])
    if "threads" in sets:
        result["threads"] = scaling.threads(*((10, 1, 3) if quick else (60, 12, 5)))
        yield report.threads_sheet(result["threads"])
    if "scaling" in sets:
        result["scaling"] = scaling.scaling(
            (1, 2) if quick else (1, 2, 4, 8), 4 if quick else 16, 1 if quick else 2
        )
        yield report.scaling_sheet(result["scaling"])
    if "footprint" in sets:
        start = footprint.compiling()
        memory = footprint.memory(1000 if quick else 20_000)
        result["footprint"] = {"memory": memory, "start": start}
        yield report.footprint_sheet(memory, start)
    yield targets.targets(result)


def heading(result: dict[str, Any]) -> str:
    """The machine, in one line."""
    m = result["machine"]
    after = f" before, {result['load_after']} after" if "load_after" in result else ""
    return (
        f"{m['cpu']}, {m['cores']} cores, {m['system']}; "
        f"load {m['load']}{after}; "
        f"Python {m['python']}, NumPy {m['numpy']}, Numba {m['numba']}, "
        f"pymunk {m['pymunk']}, Box2D {m['Box2D']}; "
        f"{m['date']}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a look in a minute or two, with few pushes")
    parser.add_argument("--sets", nargs="+", choices=SETS, default=SETS, metavar="SET", help=", ".join(SETS))
    parser.add_argument("-n", "--pushes", type=int, help="pushes per set of the comparison (at most 60)")
    parser.add_argument("--repeats", type=int, help="repeats of each push; the best counts")
    parser.add_argument(
        "--out", type=Path, default=HERE / "results", help="folder for latest.json, latest.md, plots"
    )
    parser.add_argument("--publish", action="store_true", help="also write the plots to docs/images")
    options = parser.parse_args()
    pushes = min(options.pushes or (3 if options.quick else 24), 60)
    started = time.perf_counter()
    console = Console(width=max(160, Console().width))
    repeats = options.repeats or (1 if options.quick else 3)
    result: dict[str, Any] = {"machine": machine(), "quick": options.quick}
    console.print(heading(result))
    options.out.mkdir(parents=True, exist_ok=True)
    parts: list[str] = []
    for sheet in measure(result, options.sets, quick=options.quick, pushes=pushes, repeats=repeats):
        console.print()
        sheet.show(console)
        parts.append(sheet.markdown())
        result["load_after"] = load()
        text = msgspec.json.format(msgspec.json.encode(result), indent=1)
        (options.out / "latest.json").write_bytes(
            text + b"\n"
        )  # after each, so that a stopped run is not lost
        (options.out / "latest.md").write_text("\n".join([f"# Benchmarks\n\n{heading(result)}\n", *parts]))
    for folder in [options.out, *([HERE.parent / "docs" / "images"] if options.publish else [])]:
        folder.mkdir(parents=True, exist_ok=True)
        if "scaling" in result:
            pictures.plot_scaling(result["scaling"], folder)
        if "footprint" in result:
            pictures.plot_memory(result["footprint"]["memory"], folder)
    console.print(
        f"\n{time.perf_counter() - started:.0f} s; {options.out / 'latest.json'}, latest.md beside it"
    )
