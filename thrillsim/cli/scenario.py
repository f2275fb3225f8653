"""``thrillsim scenario``: check scenario files, show one, print the schema."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from thrillsim.cli.given import a_file
from thrillsim.errors import counted

if TYPE_CHECKING:
    from thrillsim.studies import Plan

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None)


@app.command()
def check(
    files: Annotated[
        list[Path], typer.Argument(parser=a_file, help="Scenario files (TOML).", show_default=False)
    ],
) -> None:
    """Check scenario files and say what they would run; every bad one gets one line, exit code 2."""
    from thrillsim.errors import InputError
    from thrillsim.studies import load_plan

    bad = False
    for path in files:
        try:
            plan = load_plan(path)
        except InputError as error:
            typer.echo(f"thrillsim: {error}", err=True)
            bad = True
        else:
            facts = describe(plan)
            typer.echo(f"{path}: " + "; ".join(facts[key] for key in ("run", "board", "opening", "push")))
    if bad:
        raise typer.Exit(2)


@app.command()
def show(
    file: Annotated[Path, typer.Argument(parser=a_file, help="Scenario file (TOML).", show_default=False)],
) -> None:
    """Say in plain words what a scenario runs."""
    from thrillsim.studies import load_plan

    for key, value in describe(load_plan(file)).items():
        typer.echo(f"{key:<9} {value}")


@app.command()
def schema() -> None:
    """Print the JSON Schema of scenario files."""
    import json

    from thrillsim.studies import json_schema

    typer.echo(json.dumps(json_schema(), indent=2))


def describe(plan: Plan) -> dict[str, str]:
    """What a plan runs, in words, by topic."""
    board, push, noise = plan.board, plan.push, plan.noise
    layout = plan.first
    sizes = ", ".join(f"{k.name} {2 * k.radius:g} mm, price {k.price}" for k in board.kinds)
    if plan.opening.layout is not None:
        origin = f"layout {plan.opening.layout}"
    elif plan.opening.seed is not None:
        origin = f"one arrangement (seed {plan.opening.seed})"
    else:
        origin = "a new arrangement per trial"
    warm = f", then {counted(plan.opening.warmup, 'push', 'pushes')}" if plan.opening.warmup else ""
    weight = push.weight if isinstance(push.weight, str) else f"on disk {push.weight.disk}"
    noisy = [f"{key} {getattr(noise, key):g}" for key in noise.__struct_fields__ if getattr(noise, key)]
    names = ", ".join(board.kinds[k].name for k in plan.kinds)
    what = f"a disk of the reserve ({names})" if push.disk == "reserve" else names
    return {
        "title": plan.title or "–",
        "run": f"{_amount(plan)}, seed {plan.seed}, engine {plan.engine} ({plan.accuracy})",
        "board": f"board {board.name}, playing surface {board.playing.area:.0f} mm²",
        "disks": sizes,
        "opening": f"{origin}, {counted(len(layout), 'disk')} at packing {layout.packing(board):.3f}{warm}",
        "push": f"{what}, {_places(plan)}, weight {weight}",
        "noise": ", ".join(noisy) or "none",
        "hash": plan.hash,
    }


def _amount(plan: Plan) -> str:
    """How much a plan runs: a warm-up push costs as much as the studied one."""
    trials = counted(plan.trials, "trial", spec=",")
    pushes = plan.trials * (1 + plan.opening.warmup)
    return f"{trials} (at most {counted(pushes, 'push', 'pushes', ',')})" if plan.opening.warmup else trials


def _places(plan: Plan) -> str:
    from thrillsim.studies.plan import centre_limits, grid

    centres = grid(plan)
    if centres is not None:
        return f"{counted(len(centres), 'place')} in turn" if len(centres) > 1 else "1 place"
    boxes = [centre_limits(plan, kind) for kind in plan.kinds]
    x0, x1 = min(b[0][0] for b in boxes), max(b[0][1] for b in boxes)
    y0, y1 = min(b[1][0] for b in boxes), max(b[1][1] for b in boxes)
    return f"uniform over x {x0:g}..{x1:g}, y {y0:g}..{y1:g} mm"
