"""The tables of a benchmark run: the same cells for the terminal (rich) and for markdown."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table


@dataclass
class Sheet:
    """One table: a title, a line of explanation, headings, rows of text, and notes."""

    title: str
    about: str
    head: tuple[str, ...]
    rows: list[tuple[str, ...]] = field(default_factory=list)

    def show(self, console: Console) -> None:
        """Print it."""
        table = Table(
            title=self.title,
            caption=self.about,
            title_justify="left",
            caption_justify="left",
            box=box.SIMPLE_HEAD,
        )
        for k, name in enumerate(self.head):
            table.add_column(name, justify="right" if k else "left", no_wrap=True)
        for row in self.rows:
            table.add_row(*row)
        console.print(table)

    def markdown(self) -> str:
        """The table in markdown, with its heading."""
        lines = [f"## {self.title}", "", self.about, "", "| " + " | ".join(self.head) + " |"]
        lines.append("|" + "|".join("---" if not k else "---:" for k in range(len(self.head))) + "|")
        lines += ["| " + " | ".join(row) + " |" for row in self.rows]
        return "\n".join(lines) + "\n"


def _number(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def spread_text(values: dict[str, float]) -> str:
    """'12 (9.1..15)': median and quartiles."""
    return f"{_number(values['median'])} ({_number(values['low'])}..{_number(values['high'])})"


def compare_sheet(found: dict[str, Any]) -> Sheet:
    """Time beside accuracy for one set."""
    about = (
        f"{found['pushes']} pushes, CPU time, best of {found['repeats']} interleaved repeats; ratio to "
        "quasistatic standard push by push; 'own': mean position error and same falls against the same model "
        "solved finely, 'fine': against quasistatic fine; after the stroke: without the worst tenth of "
        "pushes, * where that is more than 0.06 mm"
    )
    head: tuple[str, ...] = ("way", "CPU ms a push", "mean", "wall", "a second", "ratio", "of means")
    head += ("own mm", "falls", "fine mm", "falls")
    sheet = Sheet(f"Set {found['set']}, rim friction {found['rim']:g}", about, head)
    for row in found["rows"]:
        sheet.rows.append(
            (
                row["name"],
                spread_text(row["cpu_ms"]),
                _number(row["cpu_ms"]["mean"]),
                _number(row["wall_ms"]["median"]),
                f"{row['per_second']:.0f}" if row["per_second"] >= 10 else f"{row['per_second']:.1f}",
                spread_text(row["ratio"]),
                _number(row["ratio_of_means"]),
                f"{row['numeric_mm']:.3f}/{row['numeric_calm_mm']:.3f}" + (" " if row["accurate"] else "*"),
                f"{row['numeric_same_fell']:.0%}",
                f"{row['whole_mm']:.3f}/{row['whole_calm_mm']:.3f}",
                f"{row['whole_same_fell']:.0%}",
            )
        )
    return sheet


def profile_sheet(found: list[dict[str, Any]]) -> Sheet:
    """Counters per push and the split of the time."""
    about = (
        "Means per push; iterations are those of Newton, inner those of the interior path; µs each counts "
        "both; shares of the time by a fit of it to the counters (in brackets: microseconds each)"
    )
    names, parts = list(found[0]["counters"]), list(found[0]["us"])
    title = "Where the time of the quasi-static engine goes"
    sheet = Sheet(title, about, ("set", "ms", *(name.lower() for name in names), "µs each", *parts, "R²"))
    for one in found:
        numbers = [one["cpu_ms"], *(one["counters"][key] for key in names), one["us_per_iteration"]]
        shares = [f"{one['share'][key]:.0%} ({_number(one['us'][key])})" for key in parts]
        cells = [_number(values["mean"]) for values in numbers]
        sheet.rows.append((f"{one['set']} {one['rim']:g}", *cells, *shares, f"{one['explained']:.0%}"))
    return sheet


def scaling_sheet(found: dict[str, Any]) -> Sheet:
    """Growing boards."""
    about = (
        f"{found['pushes']} pushes a size; from {found['busy']} movers on, a step's time grows as these ^ "
        f"{found['exponent']:.2f}, of a push ^ {found['push_exponent']:.2f}"
    )
    head = (
        "disks",
        "lying",
        "moving",
        "ms a push",
        "steps",
        "iterations a step",
        "ms a step",
        "µs a step and mover",
    )
    sheet = Sheet("Boards grown alike, rim friction 0.25", about, head)
    for row in found["rows"]:
        cells = (
            spread_text(row[k])
            for k in (
                "moving_spread",
                "cpu_ms",
                "steps_spread",
                "iterations_per_step",
                "ms_per_step",
                "us_per_step_and_mover",
            )
        )
        sheet.rows.append((str(row["disks"]), f"{row['lying']:.0f}", *cells))
    return sheet


def threads_sheet(found: dict[str, Any]) -> Sheet:
    """Two threads against one."""
    about = (
        f"{found['count']} crowded pushes through push_many, wall time, best of alternating repeats; the "
        "control is hashing, which surely scales: below 2 it says that other programs took processors away"
    )
    sheet = Sheet("Two threads", about, ("work", "one thread, s", "two threads, s", "speed-up", "by repeat"))
    for name in ("pushes", "control"):
        one = found[name]
        cells = (f"{one['one_s']:.3f}", f"{one['two_s']:.3f}", f"{one['speedup']:.2f}")
        sheet.rows.append((name, *cells, spread_text(one["by_repeat"])))
    return sheet


def footprint_sheet(memory: dict[str, Any], start: dict[str, Any]) -> Sheet:
    """Memory and start."""
    about = "A million pushes are extrapolated from the growth after the first tenth of the stream"
    sheet = Sheet("Memory and start", about, ("what", "value"))
    peak = memory["peak_mb"]
    sheet.rows += [
        (f"peak memory after {peak[0][0]} pushes", f"{peak[0][1]:.1f} MB"),
        (f"peak memory after {peak[-1][0]} pushes", f"{peak[-1][1]:.1f} MB"),
        ("growth", f"{memory['growth_bytes_per_push']:.1f} bytes a push"),
        ("after a million pushes", f"{memory['million_mb']:.0f} MB"),
        ("first push, nothing compiled (wall)", f"{start['cold']['first_push_s']:.1f} s"),
        ("the same, CPU", f"{start['cold']['first_push_cpu_s']:.1f} s"),
        ("first push, compiled before (wall)", f"{start['warm']['first_push_s']:.2f} s"),
        ("the same, CPU", f"{start['warm']['first_push_cpu_s']:.2f} s"),
        ("whole process with imports, compiled before (wall)", f"{start['warm']['process_s']:.2f} s"),
        ("the same, CPU of the process", f"{start['warm']['cpu_s']:.2f} s"),
    ]
    return sheet
