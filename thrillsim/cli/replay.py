"""``thrillsim replay``: run a recorded game again, verify every step, and tell it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from thrillsim.cli.given import a_file
from thrillsim.errors import InputError, counted

if TYPE_CHECKING:
    from thrillsim.play.check import Difference
    from thrillsim.play.record import Replayed
    from thrillsim.play.worlds import PhysicalWorld, TableWorld


def command(
    record: Annotated[
        Path, typer.Argument(parser=a_file, help="A game as written by thrillsim play --record.")
    ],
    check_physics: Annotated[
        bool, typer.Option("--check-physics", help="Push every push again and compare.")
    ] = False,
    engine: Annotated[
        str | None,
        typer.Option(
            help="Compare with this engine instead; differences are then only reported.", show_default=False
        ),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the result as JSON, nothing else.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Verify only.")] = False,
) -> None:
    """Re-run a recorded game, verify it and tell it.

    Needs neither physics nor randomness; exit code 2 if any step or the final state differs.
    """
    from thrillsim.play.check import check_physics as push_again
    from thrillsim.play.record import replay_file

    game = replay_file(record)
    world = (
        _world(game, record, engine) if check_physics or engine is not None else None
    )  # refuse before a word is said
    if not json:
        _tell(game, quiet=quiet)
    asked, differences = push_again(game, world) if world else (0, ())
    if json:
        import msgspec

        found = document(game)
        if world:
            found["physics"] = {"world": world.name, "asked": asked, "differences": differences}
        typer.echo(msgspec.json.encode(found).decode())
    elif world:
        _tell_physics(world.name, asked, differences)
    if differences and engine is None:
        raise InputError(
            f"{len(differences)} of {counted(asked, 'physical event')} came out otherwise", source=str(record)
        )


def document(game: Replayed) -> dict[str, Any]:
    """What ``--json`` prints of a verified record; `rounds` is None for a game without rounds."""
    from thrillsim.play.record import EndLine

    end = game.end if isinstance(game.end, EndLine) else None
    return {
        "header": game.header,
        "verified": True,
        "events": len(game.steps),
        "rounds": getattr(game.state, "round", None),
        "broken_off": end is None,
        "winners": end.winners if end else (),
        "places": end.places if end else (),
        "forfeit": end.forfeit if end else None,
    }


def _tell(game: Replayed, *, quiet: bool) -> None:
    from thrillsim.games.protocol import who
    from thrillsim.play.record import BrokenOffLine

    head = game.header
    if not quiet:
        seats = ", ".join(f"{who(seat)} {name}" for seat, name in enumerate(head.players))
        typer.echo(f"{game.game.title} with {seats}; seed {head.seed}")
        for step in game.steps:
            text = game.game.tell(step.before, step.event, step.after)
            if text:
                typer.echo(text)
    events = counted(len(game.steps), "event")
    if isinstance(game.end, BrokenOffLine):
        typer.echo(f"verified: {events}, state as recorded; the game was broken off there")
        return
    if game.end.forfeit:
        seat, reason = game.end.forfeit
        typer.echo(f"{who(seat)} forfeits: {reason}")
    winners = ", ".join(f"{who(seat)} ({head.players[seat]})" for seat in game.end.winners)
    typer.echo(f"verified: {events}, final state as recorded; winner: {winners or 'nobody'}")


def _world(game: Replayed, record: Path, engine: str | None) -> TableWorld | PhysicalWorld:
    from thrillsim.play.worlds import PhysicalWorld, board_hash, world_by_name

    recorded, board = game.header.world, game.header.board
    if engine is not None and recorded == "table":
        raise InputError(f"{record} has no places to push at: its world is the table", key="--engine")
    try:
        world = world_by_name(recorded, engine)
    except InputError as bad:
        if engine is not None and bad.key == "engine":
            raise InputError(bad.reason, key="--engine") from None
        raise bad.located(str(record)) from None
    if isinstance(world, PhysicalWorld) and board not in ("", board_hash(world)):  # (old records do not say)
        name = world.board_name
        reason = f"the board {name} is another one than the game was played on; it has changed since"
        raise InputError(reason, source=str(record))
    return world


def _tell_physics(world: str, asked: int, differences: tuple[Difference, ...]) -> None:
    from thrillsim.play.check import falls_alike, tell

    for one in differences:
        typer.echo(tell(one))
    same = asked - len(differences)
    line = f"{world}: {same} of {counted(asked, 'physical event')} came out as recorded"
    if differences:
        line += f" to the last bit; the same disks fell in {same + sum(map(falls_alike, differences))}"
    typer.echo(line)
