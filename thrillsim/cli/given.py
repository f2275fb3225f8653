"""What several commands are given alike: a board, a layout, options, a file to write.  No command itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from thrillsim.errors import InputError, limits_of, shown, system_reason

if TYPE_CHECKING:
    from thrillsim.board import Board, Layout
    from thrillsim.games.protocol import Game

#: options of the commands that play games
VariantOption = Annotated[
    bool | None,
    typer.Option(
        "--variant/--no-variant", help="Short for --option variant=true.", show_default="no-variant"
    ),
]
EngineOption = Annotated[
    str | None,
    typer.Option(
        help="Who pushes: a physics engine, or table (no physics).", show_default="the package's default"
    ),
]
AccuracyOption = Annotated[str | None, typer.Option(help="draft, standard or fine.", show_default="standard")]
BoardOption = Annotated[
    str | None, typer.Option(help="Board: a name or a TOML file.", show_default="default")
]
#: mm: a layout from a file may overlap by so much, since people round; the engines part such disks
ROUNDING = 0.01
#: what the commands fill in for options: rules without an end (THR-A06) are capped; most games take 5 to 15
DEFAULTS = {"max_rounds": "100"}
#: what errors call the parts of a world -> the options that give them
WORLD = {"engine": "--engine", "accuracy": "--accuracy", "board": "--board", "disks": "--board"}
PICTURES = (".png", ".svg", ".pdf")


@contextmanager
def by_option(options: Mapping[str, str]) -> Iterator[None]:
    """Let an error name the option that the user typed, by its key; what comes from a file names that."""
    try:
        yield
    except InputError as error:
        if error.source:
            raise
        raise InputError(error.reason, key=options.get(error.key or "", error.key)) from None


def board_given(name: str, option: str = "--board") -> Board:
    """The board of that name, or of that file."""
    from thrillsim.board.files import board_from, load_board

    if Path(name).suffix == ".toml":
        return load_board(name)
    with by_option({"board": option}):
        return board_from(name)


def game_given(name: str) -> Game[Any]:
    """The game of that name."""
    from thrillsim import games

    with by_option({"game": "GAME"}):
        return games.get(name)


def check_seed(option: str, seed: int) -> None:
    """Refuse a seed that a scenario could not have either."""
    from thrillsim.toml import WHOLE

    if not 0 <= seed <= WHOLE:
        raise InputError(f"must be {limits_of(ge=0, le=WHOLE)}, got {seed}", key=option)


def layout_given(board: Board, file: Path | None, seed: int | None, option: str = "--board") -> Layout:
    """The layout of a file, or the opening of a seed (1 if neither is given) on the board of that option."""
    from thrillsim import toml
    from thrillsim.board import Layout
    from thrillsim.board.opening import opening

    if file is None:
        check_seed("--opening", 1 if seed is None else seed)
        with by_option({"disks": option}):  # too many for it
            return opening(board, 1 if seed is None else seed)
    if seed is not None:
        raise InputError("give either a layout file or the seed of an opening", key="--layout, --opening")
    text = toml.read_text(file)
    try:
        return Layout.from_json(board, text).check(board, tolerance=ROUNDING)
    except InputError as error:
        raise error.located(str(file)) from None


def options_given(game: Game[Any], given: list[str], variant: bool | None) -> Any:
    """A game's options from ``name=value`` texts; `variant` is the option of that name, None if not given.

    Those of `DEFAULTS` that the game has and the user did not give are filled in.
    """
    from thrillsim.games.options import parse_options

    named = {text.partition("=")[0].strip().replace("-", "_") for text in given}
    filled = [
        f"{name}={value}"
        for name, value in DEFAULTS.items()
        if name in game.Options.__struct_fields__ and name not in named
    ]
    short = [] if variant is None else [f"variant={str(variant).lower()}"]
    if short and "variant" not in game.Options.__struct_fields__:
        raise InputError(f"{game.name} has none", key="--variant")
    if short and "variant" in named:
        raise InputError("give one of them", key="--variant, --option variant")
    try:
        return parse_options(game, [*filled, *given, *short])
    except InputError as error:
        raise error if error.source else InputError(error.reason, key=f"--option {error.key}") from None


def option_names(game: Game[Any]) -> dict[str, str]:
    """What an error calls a game's option, and what the user typed for it."""
    return {name: f"--option {name}" for name in game.Options.__struct_fields__}


def check_picture(path: Path | None, allowed: tuple[str, ...] = PICTURES, option: str = "--picture") -> None:
    """Refuse the name of a picture, or of a page, before any work is done for it."""
    if path is not None and path.suffix.lower() not in allowed:
        raise InputError(f"must end in {', '.join(allowed)}, got {shown(path.name or str(path))}", key=option)


def check_targets(files: dict[str, Path | None]) -> None:
    """Refuse files that cannot be written, by option, before any work is done for them."""
    taken: dict[Path, str] = {}
    for option, path in files.items():
        if path is None:
            continue
        if reason := _unwritable(path):
            raise InputError(f"cannot be written: {reason}", source=str(path), key=option)
        if path.absolute() in taken:
            both = f"{taken[path.absolute()]}, {option}"
            raise InputError("must be different files", source=str(path), key=both)
        taken[path.absolute()] = option


def _unwritable(path: Path) -> str:
    """Why a file cannot be written there; "" if nothing speaks against it."""
    import os

    folder = path.absolute().parent
    try:
        if path.is_dir():
            return "is a directory"
        if not folder.is_dir():
            return "not a directory" if folder.exists() else "no such file or directory"
        return "" if os.access(path if path.exists() else folder, os.W_OK) else "permission denied"
    except OSError as error:  # a name that is too long, say
        return system_reason(error)


def folder(text: str) -> Path:
    """The folder that an option names; an empty text would silently be the current one."""
    if not text.strip():
        raise typer.BadParameter("must name a folder, got an empty text")
    return Path(text)


def a_file(text: str) -> Path:
    """The file that an option or argument names; an empty text would be the current folder."""
    if not text.strip():
        raise typer.BadParameter("must name a file, got an empty text")
    return Path(text)
