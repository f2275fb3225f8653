"""The speeds that the quasi-static engine is built for, each met or missed by the run at hand."""

from __future__ import annotations

from typing import Any

from benchmarks.report import Sheet


def _row(found: dict[str, Any], name: str) -> dict[str, Any]:
    row: dict[str, Any] = next(row for row in found["rows"] if row["name"] == name)
    return row


def baselines(found: dict[str, Any]) -> list[dict[str, Any]]:
    """Ways to compare with: the bare ring loop, the quickest bare loop that is accurate, our rigid engine.

    Accurate means on its own model: a ring where rims rub; without rim friction nothing turns and
    pivot + gear is the same model.
    """
    label = "pymunk ring" if found["rim"] else "pymunk"
    good = [row for row in found["rows"] if row["name"].startswith(label) and row["accurate"]]
    rows = [_row(found, "pymunk ring 8, 240 Hz")]
    if good:
        quickest = min(good, key=lambda row: float(row["cpu_ms"]["mean"]))
        rows += [quickest] if quickest is not rows[0] else []
    return [*rows, _row(found, "rigid standard")]


def targets(result: dict[str, Any]) -> Sheet:
    """One line per target that this run could look at."""
    sheet = Sheet(
        "Targets",
        "ratios: CPU time of that way over quasistatic standard",
        ("target", "wanted", "median", "of means", "verdict"),
    )

    def line(what: str, wanted: str, median: float, mean: float, least: float) -> None:
        verdict = "met" if min(median, mean) >= least else "median only" if median >= least else "missed"
        sheet.rows.append((what, wanted, f"{median:,.3g}", f"{mean:,.3g}", verdict))

    wanted = {("crowded", 0.25): (50, 1000), ("crowded", 0.0): (None, 2500), ("random", 0.25): (200, None)}
    wanted["random", 0.0] = (200, None)
    for found in result.get("compare", []):
        ratio, rate = wanted.get((found["set"], found["rim"]), (None, None))
        ours = _row(found, "quasistatic standard")
        where = f"{found['set']}, rim {found['rim']:g}"
        for peer in baselines(found) if ratio else ():
            factor = peer["ratio"]["median"], peer["ratio_of_means"]
            note = "" if peer["accurate"] else " (inaccurate)"
            line(f"{where}: against {peer['name']}{note}", f">= {ratio} x", *factor, float(ratio or 0))
        if rate is not None:
            line(
                f"{where}: pushes/s per core",
                f">= {rate:,}",
                1e3 / ours["cpu_ms"]["median"],
                ours["per_second"],
                rate,
            )
    if "threads" in result:
        pushes, control = (result["threads"][name] for name in ("pushes", "control"))
        what = f"two threads (control {control['speedup']:.2f})"
        line(what, ">= 1.9 x", pushes["by_repeat"]["median"], pushes["speedup"], 1.9)
    if "footprint" in result:
        start = result["footprint"]["start"]
        for what, key, most in (("cold compilation", "cold", 20.0), ("warm start", "warm", 1.0)):
            wall, cpu = start[key]["first_push_s"], start[key]["first_push_cpu_s"]
            verdict = "met" if wall <= most else "CPU only" if cpu <= most else "missed"
            sheet.rows.append((f"{what}, s", f"<= {most:g} s", f"{wall:.2f}", f"CPU {cpu:.2f}", verdict))
    return sheet
