"""``thrillsim replay``: run a recorded game again, verify every step, and tell it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from thrillsim.errors import InputError


def command(
    record: Annotated[Path, typer.Argument(help="A game as written by thrillsim play --record.")],
    check_physics: Annotated[
        bool, typer.Option("--check-physics", help="Push every push again and compare.")
    ] = False,
    engine: Annotated[
        str, typer.Option(help="Compare with this engine instead; differences are then only reported.")
    ] = "",
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Verify only.")] = False,
) -> None:
    """Re-run a recorded game, verify it and tell it.

    Needs neither physics nor randomness; exit code 2 if any step or the final state differs.
    """
    from thrillsim.games.protocol import who
    from thrillsim.play.record import replay_file

    game = replay_file(record)
    head = game.header
    if not quiet:
        seats = ", ".join(f"{who(seat)} {name}" for seat, name in enumerate(head.players))
        typer.echo(f"{game.game.title} with {seats}; seed {head.seed}")
        for step in game.steps:
            text = game.game.tell(step.before, step.event, step.after)
            if text:
                typer.echo(text)
    if game.end.forfeit:
        seat, reason = game.end.forfeit
        typer.echo(f"{who(seat)} forfeits: {reason}")
    winners = ", ".join(f"{who(seat)} ({head.players[seat]})" for seat in game.end.winners)
    typer.echo(f"verified: {len(game.steps)} events, final state as recorded; winner: {winners or 'nobody'}")
    if check_physics or engine:
        _check(record, engine)


def _check(record: Path, engine: str) -> None:
    from thrillsim.play.check import check_physics
    from thrillsim.play.record import replay_file
    from thrillsim.play.worlds import world_by_name

    game = replay_file(record)
    recorded = game.header.world
    if engine:
        recorded = "/".join([engine, *recorded.split("/")[1:]])
    try:
        world = world_by_name(recorded)
    except InputError as bad:
        raise bad.located(str(record)) from None
    asked, differences = check_physics(game, world)
    for one in differences:
        typer.echo(f"event {one.event}: recorded {one.recorded}\n  now {one.now}")
    typer.echo(f"{world.name}: {asked - len(differences)} of {asked} physical events came out as recorded")
    if differences and not engine:
        raise InputError(f"{len(differences)} of {asked} physical events differ", source=str(record))
