"""``thrillsim study``: run a scenario, print the table, leave the picture and the raw trials."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from thrillsim.cli.given import a_file, by_option, folder
from thrillsim.errors import InputError, counted

if TYPE_CHECKING:
    from thrillsim.studies import Plan, Store, Summary
    from thrillsim.studies.runner import Progress

SAY_EVERY = 10.0  #: s between lines that say how far a study is, where no bar can; and a hundredth of it


def command(
    scenario: Annotated[
        Path, typer.Argument(parser=a_file, help="Scenario file (TOML).", show_default=False)
    ],
    trials: Annotated[
        int | None,
        typer.Option(
            "-n", "--trials", help="Number of trials; more extend a study, fewer leave its files alone."
        ),
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Seed, instead of the scenario's.")] = None,
    jobs: Annotated[
        int | None, typer.Option("-j", "--jobs", help="Worker processes; default: one per processor.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            parser=folder,
            metavar="PATH",
            help="Result directory.",
            show_default="results/NAME OF THE SCENARIO",
        ),
    ] = None,
    engine: Annotated[str | None, typer.Option(help="Engine, instead of the scenario's.")] = None,
    accuracy: Annotated[str | None, typer.Option(help="draft, standard or fine.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON, nothing else.")] = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="Replace the results in the directory.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would run, write nothing.")] = False,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="Print the result only.")] = False,
) -> None:
    """Push a disk in many times and say what falls, with intervals.

    The same command goes on where an interrupted one stopped.  Any number of jobs gives the same bytes.
    """
    from thrillsim.studies import Store, load_plan, run_study, summarise
    from thrillsim.studies.summarise import summarise_table
    from thrillsim.workers import check_jobs

    if jobs is not None:
        with by_option({"jobs": "--jobs"}):
            check_jobs(jobs)
    if dry_run and json:
        raise InputError("give one of them", key="--dry-run, --json")
    with by_option({key: f"--{key}" for key in ("trials", "seed", "engine", "accuracy")}):
        plan = load_plan(scenario, trials=trials, seed=seed, engine=engine, accuracy=accuracy)
    place = Path("results") / scenario.stem if out is None else out
    if dry_run:
        _announce(plan, place, fresh=fresh)
        return
    if not fresh and (stored := _larger(plan, place)):
        if not quiet:
            typer.echo(f"{place}: {_stays(stored)}; this is of its first {plan.trials} alone", err=True)
        store = Store(place)
        summary = summarise_table(store.read(plan, plan.trials), plan)
        if json:
            typer.echo(summary.to_json().decode(), nl=False)
        else:
            _print(summary, store, [])
        return
    reached = [0]
    try:
        with by_option({"jobs": "--jobs"}), _bar(plan.trials, reached, show=not quiet) as progress:
            store = run_study(plan, place, jobs=jobs, fresh=fresh, progress=progress)
        summary = summarise(store)
    except KeyboardInterrupt:
        lead = "\n" if sys.stderr.isatty() else ""  # the terminal has shown ^C on this line
        done = f"stopped after {reached[0]} of {counted(plan.trials, 'trial')}"
        typer.echo(f"{lead}thrillsim: {done}; the same command goes on", err=True)
        raise typer.Exit(130) from None
    store.write_summary(summary.to_json())
    pictures = _draw(summary, place)
    if json:
        typer.echo(summary.to_json().decode(), nl=False)
        return
    _print(summary, store, pictures)


def _larger(plan: Plan, folder: Path) -> int:
    """Trials of the summary in `folder` if they are more than the plan's, which are all there; else 0."""
    from thrillsim.studies.store import Store, manifest_of

    store = Store(folder)
    store.claim(manifest_of(plan, plan.engine))
    stored = store.summarised()
    return stored if stored > plan.trials and not store.missing(plan) else 0


def _stays(stored: int) -> str:
    return f"the study of {stored} trials there stays as it is"


def _announce(plan: Plan, folder: Path, *, fresh: bool) -> None:
    from thrillsim.cli.scenario import describe
    from thrillsim.studies.store import Store, manifest_of

    store = Store(folder)
    if fresh:
        store.check_ours()
    else:
        store.claim(manifest_of(plan, plan.engine))
    missing = store.missing(plan) if not fresh else [(0, plan.trials)]
    todo = sum(last - first for first, last in missing)
    for key, value in describe(plan).items():
        typer.echo(f"{key:<9} {value}")
    trials = counted(plan.trials, "trial")
    more = f"; {_stays(stored)}" if not fresh and (stored := _larger(plan, folder)) else ""
    typer.echo(f"{'results':<9} {folder}: {plan.trials - todo} of {trials} there, {todo} to run{more}")


@contextmanager
def _bar(total: int, reached: list[int], *, show: bool) -> Iterator[Progress]:
    """A progress bar on stderr if that is a terminal, else a line now and then; and one at the end."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, Task, TextColumn, TimeRemainingColumn
    from rich.text import Text

    class Rate(TextColumn):
        def render(self, task: Task) -> Text:
            speed = task.finished_speed or task.speed
            return Text("" if speed is None else f"{speed:.3g} trials/s")

    console = Console(stderr=True)
    columns = (TextColumn("pushes"), BarColumn(), MofNCompleteColumn(), Rate(""), TimeRemainingColumn())
    began = time.monotonic()
    before: list[int] = []
    first: list[tuple[int, float]] = []  # trials done and seconds passed when the first came
    said, at = 0, began  # trials done, and when, in the last line
    plain = show and not console.is_terminal
    with Progress(
        *columns, console=console, transient=True, disable=not (show and console.is_terminal)
    ) as bar:
        task = bar.add_task("trials", total=total)

        def progress(done: int, _total: int) -> None:
            nonlocal said, at
            now = time.monotonic()
            if not before:
                said = done
                before.append(done)
                bar.reset(task, completed=done, total=total)
            elif not first:
                first.append((done - before[0], time.monotonic() - began))
            reached[0] = done
            bar.update(task, completed=done)
            if plain and done < total and now - at >= SAY_EVERY and 100 * (done - said) >= total:
                said, at = done, now
                typer.echo(f"{done} of {counted(total, 'trial')}", err=True)

        yield progress
    if not show:
        return
    new, seconds = reached[0] - before[0], time.monotonic() - began
    had = f", {counted(before[0], 'was', 'were')} there" if before[0] else ""
    rate = ""
    if first:  # (starting, and compiling where it had to be done, is none of the rate)
        some, start = first[0]
        rate = f" in {seconds:.1f} s"
        if new > some:
            speed = (new - some) / (seconds - start)
            rate += f" ({start:.1f} s to the first {some}, then {speed:.3g} a second)"
    typer.echo(f"{counted(new, 'trial')} run{rate}{had}", err=True)


def _draw(summary: Summary, folder: Path) -> list[Path]:
    from thrillsim.view import plot_study, save

    figure = plot_study(summary)
    paths = [folder / "study.png", folder / "study.svg"]
    return [save(figure, path) for path in paths]


def _print(summary: Summary, store: Store, pictures: list[Path]) -> None:
    from rich.console import Console

    from thrillsim.cli.study_table import tables
    from thrillsim.studies.store import SUMMARY, blocks

    console = Console()
    if not console.is_terminal:
        console.width = 100  # whatever narrower width an unset COLUMNS stands for
    for table in tables(summary):
        console.print(table)
    parts = sum(1 for _ in blocks(summary.trials))
    more = len(list(store.folder.glob("trials-*.parquet"))) - parts
    beyond = f"; parts of a larger -n that are left out here: {more}" if more > 0 else ""
    count = counted(parts, "part")
    drawn = {"picture": ", ".join(str(path) for path in pictures), "summary": store.folder / SUMMARY}
    files = (drawn if pictures else {}) | {
        "trials": f"{store.folder}/trials-*.parquet ({counted(summary.trials, 'row')}, {count}{beyond})",
    }
    for key, value in files.items():
        typer.echo(f"{key:<8} {value}")
