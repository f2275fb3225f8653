"""``thrillsim play``: one full game between any players, told as it goes."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from thrillsim.cli.given import (
    WORLD,
    AccuracyOption,
    BoardOption,
    EngineOption,
    VariantOption,
    a_file,
    by_option,
    check_seed,
    game_given,
    option_names,
    options_given,
)
from thrillsim.errors import InputError

if TYPE_CHECKING:
    from thrillsim.games.protocol import Game
    from thrillsim.players.protocol import Player


def command(
    game: Annotated[str, typer.Argument(help="Which game (see thrillsim rules).")],
    players: Annotated[
        str, typer.Option(help="Who sits where, with commas: built-in names, human, module:Class.")
    ],
    variant: VariantOption = None,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", "-o", help="name=value; see thrillsim rules GAME --options."),
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Same seed, same game.", show_default="a new one")] = None,
    record: Annotated[
        Path | None,
        typer.Option(parser=a_file, help="Write the game here as JSON lines.", show_default=False),
    ] = None,
    engine: EngineOption = None,
    accuracy: AccuracyOption = None,
    board: BoardOption = None,
    time_limit: Annotated[float, typer.Option(help="Seconds per decision of a plugged-in player.")] = 10.0,
    picture: Annotated[
        Path | None,
        typer.Option(
            parser=a_file, help="Draw the board here (svg) before a human decides.", show_default=False
        ),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print the result only.")] = False,
) -> None:
    """Play one full game.

    A game that is left (quit, Ctrl-C, a closed terminal) is recorded as far as it went.
    A game of Thrill that circles is stopped without a winner after 100 rounds
    (--option max_rounds=N, or none).
    For example: thrillsim play thrill --players random,random,human --variant
    """
    from secrets import randbits

    from thrillsim.cli.given import check_picture, check_targets
    from thrillsim.games.protocol import who
    from thrillsim.play import record as records
    from thrillsim.play.table import Step, play
    from thrillsim.play.worlds import board_hash, world_for
    from thrillsim.players.finding import Roster, resolve
    from thrillsim.players.human import Quit

    rules = game_given(game)
    chosen = options_given(rules, option or [], variant)
    names = [name.strip() for name in players.split(",")]
    with by_option({"players": "--players"}):
        where = [name if name == "human" else resolve(name, game) for name in names]
    number = randbits(32) if seed is None else seed
    check_seed("--seed", number)
    with by_option(WORLD):
        world, world_name = world_for(game, engine, accuracy, board)
    with by_option(option_names(rules) | {"players": "--players"}):
        rules.initial(chosen, len(names))  # refuse before a word is said
    check_picture(picture, (".svg",))
    if picture is not None and not ("human" in names and hasattr(world, "board")):
        raise InputError("is drawn where a human plays thrill with a physics engine", key="--picture")
    check_targets({"--record": record, "--picture": picture})
    roster = Roster(game, time_limit)
    head = records.header(rules, chosen, names, number, world_name, board_hash(world))
    steps: list[Step] = []
    if not quiet:
        seats = ", ".join(f"{who(seat)} {name}" for seat, name in enumerate(names))
        typer.echo(f"{rules.title} with {seats}; seed {number}")

    def tell(step: Step) -> None:
        steps.append(step)
        text = rules.tell(step.before, step.event, step.after)
        if text and not quiet:
            typer.echo(text)

    try:
        seated = _seated(where, rules, roster, picture)
        with by_option(WORLD):
            played = play(rules, chosen, seated, number, world, on_step=tell, forfeits=True)
    except (Quit, KeyboardInterrupt):
        if record is not None:  # first: where a terminal was closed there is nobody to tell
            records.write(record, records.encode_broken_off(head, rules, chosen, steps))
        typer.echo("The game is broken off.")
        if record is not None:
            typer.echo(f"record so far: {record}")
        raise typer.Exit(130) from None
    finally:
        roster.close()
    if played.forfeit:
        typer.echo(str(played.forfeit))
    winners = ", ".join(f"{who(seat)} ({names[seat]})" for seat in played.winners)
    typer.echo(f"winner: {winners or 'nobody'}")
    if record is not None:
        records.write(record, records.encode(head, rules, played))
        typer.echo(f"record: {record}")


def _seated(where: list[str], rules: Game[Any], roster: Any, picture: Path | None) -> list[Player]:
    """The players by seat; people read from the terminal."""
    from thrillsim.players.human import Human

    def draw(view: Any) -> str:
        if picture is None or not hasattr(view, "layout"):
            return ""
        from thrillsim.players.thrill.picture import write

        return write(view, picture)

    shared = where.count("human") > 1
    seated = roster.players(["random" if name == "human" else name for name in where])
    return [
        Human(rules, _asked, typer.echo, draw, shared) if name == "human" else player
        for name, player in zip(where, seated, strict=True)
    ]


def _asked(prompt: str) -> str:
    """What is typed; where nobody can type or read, the input is at its end."""
    if sys.stdin is None or sys.stdout is None:
        raise EOFError
    return input(prompt)
