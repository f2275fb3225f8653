"""The root of the command tree: ``thrillsim`` itself, with its flags, and a stand-in for its commands."""

from __future__ import annotations

from typing import Annotated

import typer


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"thrillsim {version('thrillsim')}")
        raise typer.Exit


def root(
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version and exit."),
    ] = False,
) -> None:
    """If this disk goes in here, what falls?  Push studies and full games of Thrill."""


def placeholder() -> None:
    """Stands for a command that this call does not run."""
