"""``thrillsim rules``: the rule sheet of a game, in our own words."""

from __future__ import annotations

from typing import Annotated

import typer


def command(
    game: Annotated[str, typer.Argument(help="thrill, skull, ...; without it the games are listed.")] = "",
    options: Annotated[
        bool,
        typer.Option("--options", help="List the options and their defaults, of all games if none is named."),
    ] = False,
) -> None:
    """Print the rule sheet of a game."""
    from textwrap import indent

    from thrillsim import games
    from thrillsim.cli.given import DEFAULTS, game_given
    from thrillsim.games.sheets import option_table, rule_sheet

    if not game:
        for name in games.names():
            typer.echo(f"{name:<12} {games.get(name).title}")
            if options:
                typer.echo(indent(option_table(games.get(name), DEFAULTS), "  "))
        return
    rules = game_given(game)
    typer.echo(option_table(rules, DEFAULTS) if options else rule_sheet(rules.name), nl=False)
