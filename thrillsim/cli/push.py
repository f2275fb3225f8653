"""``thrillsim push``: one push, its numbers, its picture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from thrillsim.cli.given import a_file
from thrillsim.errors import InputError, counted

if TYPE_CHECKING:
    from thrillsim.physics import Push, PushResult

#: What an error of the physics calls a value -> the option that gave it.
OPTIONS = {
    "disk": "--disk",
    "push.x": "--x",
    "push.y": "--y",
    "push.yaw": "--yaw",
    "push.speed": "--speed",
    "push.weight": "--weight-dx, --weight-dy",
    "push.weight.disk": "--weight-on",
    "engine": "--engine",
    "accuracy": "--accuracy",
}


def command(
    board: Annotated[
        str, typer.Option(help="Board: a name or a TOML file (see thrillsim board).")
    ] = "default",
    layout: Annotated[
        Path | None,
        typer.Option(
            parser=a_file, help="Layout file (JSON) of the disks that lie there.", show_default=False
        ),
    ] = None,
    opening: Annotated[
        int | None, typer.Option(metavar="SEED", help="Opening arrangement of this seed.", show_default="1")
    ] = None,
    disk: Annotated[str, typer.Option(help="Size of the disk to push in.")] = "medium",
    x: Annotated[
        float | None,
        typer.Option(help="Its centre before the blocking edge, mm.", show_default="middle of the zone"),
    ] = None,
    y: Annotated[float, typer.Option(help="Its sideways centre, mm.")] = 0.0,
    weight_on: Annotated[
        int | None,
        typer.Option(metavar="I", help="Put the weight on disk I of the layout.", show_default=False),
    ] = None,
    weight_dx: Annotated[float, typer.Option(help="Weight's centre from the disk's, along x, mm.")] = 0.0,
    weight_dy: Annotated[float, typer.Option(help="The same along y, mm.")] = 0.0,
    yaw: Annotated[float, typer.Option(help="Turn of the pusher's front, rad.")] = 0.0,
    speed: Annotated[float, typer.Option(help="Of the pusher, mm/s.")] = 20.0,
    engine: Annotated[
        str | None, typer.Option(help="Physics engine.", show_default="the package's default")
    ] = None,
    accuracy: Annotated[str, typer.Option(help="draft, standard or fine.")] = "standard",
    picture: Annotated[
        Path | None,
        typer.Option(parser=a_file, help="Draw before and after (png, svg, pdf).", show_default=False),
    ] = None,
    html: Annotated[
        Path | None, typer.Option(parser=a_file, help="Write a page that plays the push.", show_default=False)
    ] = None,
    trace: Annotated[
        Path | None,
        typer.Option(
            parser=a_file, help="Write force and positions over the advance (CSV).", show_default=False
        ),
    ] = None,
    after: Annotated[
        Path | None,
        typer.Option(
            parser=a_file, help="Write the layout afterwards, for the next push.", show_default=False
        ),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the result as JSON, nothing else.")] = False,
) -> None:
    """Push one disk in and show what happens.

    Numbers in the table and in the picture are the disks' places in the layout; the new disk is the last.
    """
    from thrillsim.cli.given import board_given, by_option, check_picture, check_targets, layout_given
    from thrillsim.physics import DEFAULT_ENGINE, Push, WeightOn
    from thrillsim.physics import push as push_disk
    from thrillsim.toml import write_whole

    check_picture(picture)
    check_picture(html, (".html", ".htm"), "--html")
    check_targets({"--picture": picture, "--html": html, "--trace": trace, "--after": after})
    table = board_given(board)
    lying = layout_given(table, layout, opening)
    weight = None if weight_on is None else WeightOn(weight_on, weight_dx, weight_dy)
    if weight is None and (weight_dx or weight_dy):
        raise InputError(
            "needs --weight-on, the disk that carries the weight", key="--weight-dx, --weight-dy"
        )
    place = sum(table.zone) / 2 if x is None else x
    push = Push(disk, place, y, weight=weight, yaw=yaw, speed=speed)
    with by_option(OPTIONS):
        result = push_disk(
            table,
            lying,
            push,
            engine=DEFAULT_ENGINE if engine is None else engine,
            accuracy=accuracy,  # type: ignore[arg-type]  # checked there
            trace=bool(picture or html or trace),
        )
    if picture is not None:
        from thrillsim.view import plot_push, save

        save(plot_push(result), picture)
    if html is not None:
        from thrillsim.view import replay_html

        write_whole(html, replay_html(result))
    if trace is not None:
        write_whole(trace, trace_csv(result))
    if after is not None:
        write_whole(after, result.layout.to_json(table))
    if json:
        from msgspec.json import encode

        typer.echo(encode(document(result)).decode())
        return
    _print(result)
    for name, path in (("picture", picture), ("page", html), ("trace", trace), ("layout", after)):
        if path is not None:
            typer.echo(f"{name:<9} {path}")


def document(result: PushResult) -> dict[str, Any]:
    """What ``--json`` prints: board, push, then `PushResult.to_dict`."""
    from dataclasses import asdict

    return {"board": result.board.name, "push": asdict(result.push), **result.to_dict()}


def trace_csv(result: PushResult) -> str:
    """One row a moment: advance (mm), force (mN), then x, y (mm), angle (rad), standing of each disk."""
    trace = result.trace
    assert trace is not None
    count = trace.poses.shape[1]
    head = ["advance_mm", "force_mN"] + [
        f"{name}{i}" for i in range(count) for name in ("x", "y", "angle", "standing")
    ]
    lines = [",".join(head)]
    for advance, force, poses, standing in zip(
        trace.advance, trace.force, trace.poses, trace.standing, strict=True
    ):
        row = [repr(float(advance)), repr(float(force) / 1000)]
        for pose, up in zip(poses, standing, strict=True):
            row += [*(repr(float(v)) for v in pose), str(int(up))]
        lines.append(",".join(row))
    return "\n".join(lines) + "\n"


def _where(push: Push, name: str) -> str:
    weight = "" if push.weight is None else f", weight on disk {push.weight.disk}"
    return f"{name} disk at ({push.x:g}, {push.y:g}) mm{weight}"


def _print(result: PushResult) -> None:
    import math

    from rich.console import Console
    from rich.table import Table

    from thrillsim.physics.picture import headline

    board, certificate = result.board, result.certificate
    name = board.kinds[board.kind_index(result.push.disk)].name
    lay = counted(len(result.before) - 1, "disk")
    typer.echo(f"{_where(result.push, name)}, board {board.name}, {lay} lay there")
    if result.fallen:
        rows = Table(title="What fell", title_justify="left", title_style="bold", header_style="")
        for i, head in enumerate(("disk", "size", "x mm", "y mm", "advance mm", "when", "chips")):
            rows.add_column(head, justify="left" if i in {1, 5} else "right", no_wrap=True)
        for fall in result.fallen:
            when = "at the lift" if fall.during == "lift" else "under the weight" if fall.weighted else "push"
            rows.add_row(
                f"{fall.index}{' (new)' if fall.index == len(result.before) - 1 else ''}",
                board.kinds[fall.kind].name,
                f"{fall.x:.1f}",
                f"{fall.y:.1f}",
                f"{fall.advance:.1f}",
                when,
                str(fall.cost),
            )
        Console().print(rows)
    typer.echo(f"{'result':<9} {headline(result)}")
    residuals = [
        f"{key} {value:.1e}"
        for key in ("force", "complementarity", "power")
        if not math.isnan(value := getattr(certificate, key))
    ]
    checks = [f"largest overlap {certificate.overlap:.3g} mm", *residuals, counted(certificate.steps, "step")]
    if certificate.unconverged:
        checks.append(f"{certificate.unconverged} of them unconverged: distrust this result")
    typer.echo(f"{'evidence':<9} {', '.join(checks)}; engine {result.engine} ({result.accuracy})")
