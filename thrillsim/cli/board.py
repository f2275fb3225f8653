"""``thrillsim board``: list the boards, show one, check it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from thrillsim.cli.given import a_file
from thrillsim.errors import InputError, counted

if TYPE_CHECKING:
    from thrillsim.board import Board, Layout


def command(
    board: Annotated[
        str | None,
        typer.Argument(help="Name or TOML file; without it the names are listed.", show_default=False),
    ] = None,
    opening: Annotated[
        int | None, typer.Option(metavar="SEED", help="Lay out the opening of this seed.", show_default=False)
    ] = None,
    picture: Annotated[
        Path | None,
        typer.Option(parser=a_file, help="Draw the board from above (png, svg, pdf).", show_default=False),
    ] = None,
    toml: Annotated[
        bool, typer.Option("--toml", help="Print the board as a TOML file, nothing else.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the facts as JSON, nothing else.")] = False,
) -> None:
    """Show a board and check it: measures, edges, placement zone, room for the opening.

    A board file that is wrong gets one line that says where, and exit code 2.
    """
    from thrillsim.cli.given import board_given, check_picture, check_targets, layout_given

    if board is None:
        if opening is not None or picture or toml or json:
            raise InputError("name a board; thrillsim board alone lists them", key="BOARD")
        _list()
        return
    if toml and json:
        raise InputError("give one of them", key="--toml, --json")
    if toml and opening is not None:
        raise InputError("give one of them: the file describes the board alone", key="--toml, --opening")
    check_picture(picture)
    check_targets({"--picture": picture})
    table = board_given(board, "BOARD")
    layout = None if opening is None else layout_given(table, None, opening, "BOARD")
    if picture is not None:
        from thrillsim.view import plot_board, save

        save(plot_board(table, layout), picture)
    if toml:
        from thrillsim.board.files import board_to_toml

        typer.echo(board_to_toml(table), nl=False)
    elif json:
        from msgspec.json import encode

        typer.echo(encode(document(table, layout)).decode())
    else:
        _print(table, layout)
        if picture is not None:
            typer.echo(f"{'picture':<16} {picture}")


def _list() -> None:
    from rich.console import Console
    from rich.table import Table

    from thrillsim.board import PRESETS

    rows = Table(header_style="")
    for head in ("board", "playing surface", "open edges", "disks"):
        rows.add_column(head)
    for name, make in PRESETS.items():
        table = make()
        rows.add_row(name, _size(table), _open_edges(table), _diameters(table))
    Console().print(rows)
    typer.echo("thrillsim board NAME shows one; thrillsim board FILE.toml checks your own.")


def _size(board: Board) -> str:
    low, high = board.playing.blocking_span()
    ys = [y for _, y in board.playing.vertices]
    depth = max(x for x, _ in board.playing.vertices)
    width = max(ys) - min(ys)
    shape = "" if len(board.playing.vertices) == 4 and width == high - low else ", shaped"
    return f"{depth:g} x {width:g} mm{shape}"


def _open_edges(board: Board) -> str:
    """Which sides of the playing surface are open, by where they look, with their length."""
    import numpy as np

    lengths = dict.fromkeys(("front", "left", "right", "rear"), 0.0)
    for (x0, y0), (x1, y1), kind in zip(
        board.outline, np.roll(board.outline, -1, axis=0), board.outline_edges, strict=True
    ):
        if kind == "open" and min(x0, x1) >= 0:
            across, along = y1 - y0, x1 - x0  # the board lies left: dy > 0 looks to the front
            side = (
                ("front" if across > 0 else "rear")
                if abs(across) >= abs(along)
                else ("right" if along > 0 else "left")
            )
            lengths[side] += float(np.hypot(along, across))
    return ", ".join(f"{side} {length:.0f} mm" for side, length in lengths.items() if length)


def _diameters(board: Board) -> str:
    return ", ".join(f"{k.name} {2 * k.radius:g}" for k in board.kinds) + " mm"


def opening_packing(board: Board) -> tuple[int, float]:
    """How many disks open the game, and the share of the playing surface that they cover."""
    import math

    counts = [k.count - k.reserve for k in board.kinds]
    area = sum(n * math.pi * k.radius**2 for n, k in zip(counts, board.kinds, strict=True))
    return sum(counts), area / board.playing.area


def _no_room(board: Board) -> str:
    """Why the disks that open the game find no place, as far as one seed can tell; "" if they do."""
    from thrillsim.board.opening import opening

    try:
        opening(board, 1)
    except InputError as error:
        return error.reason
    return ""


def document(board: Board, layout: Layout | None) -> dict[str, Any]:
    """What ``--json`` prints."""
    import msgspec

    count, packing = opening_packing(board)
    facts: dict[str, Any] = {
        "board": msgspec.to_builtins(board),
        "zone": list(board.zone),
        "opening": {"disks": count, "packing": packing, "fits": layout is not None or not _no_room(board)},
    }
    if layout is not None:
        facts["layout"] = [list(row) for row in layout.to_rows(board)]
    return facts


def _print(board: Board, layout: Layout | None) -> None:
    from rich.console import Console
    from rich.table import Table

    pusher, mu = board.pusher, board.friction
    low, high = board.sliding.blocking_span()
    reach = -min(x for x, _ in board.sliding.vertices)
    count, packing = opening_packing(board)
    facts = {
        "board": board.name,
        "playing surface": f"{_size(board)}, {board.playing.area:.0f} mm²",
        "open edges": _open_edges(board),
        "sliding surface": f"{reach:g} x {high - low:g} mm",
        "placement zone": f"x {board.zone[0]:g}..{board.zone[1]:g} mm, whole footprint inside (THR-14)",
        "pusher": f"{pusher.width:g} wide, {pusher.depth:g} deep, travel {pusher.travel:g} mm,"
        f" {'shaped' if pusher.front else 'flat'} front",
        "friction": f"board {mu.board:g}, rim {mu.rim:g}, pusher {mu.pusher:g}, rail {mu.rail:g}",
        "weight": f"Ø {2 * board.weight.radius:g} mm, {board.weight.mass:g} g",
    }
    for key, value in facts.items():
        typer.echo(f"{key:<16} {value}")
    rows = Table(header_style="")
    for i, head in enumerate(
        ("disk", "Ø mm", "mass g", "stands on", "chips", "in the box", "in the reserve")
    ):
        rows.add_column(head, justify="right" if i not in {0, 3} else "left", no_wrap=True)
    for kind in board.kinds:
        patch = kind.contact
        rows.add_row(
            kind.name,
            f"{2 * kind.radius:g}",
            f"{kind.mass:.3g}",
            f"{patch.shape} Ø {2 * patch.radius:.3g}",
            str(kind.price),
            str(kind.count),
            str(kind.reserve),
        )
    Console().print(rows)
    room = f"{counted(count, 'disk')} at packing {packing:.3f}"
    if layout is not None:
        room += f": laid out, largest overlap {layout.check(board, tolerance=1e-6).overlap(board):.2g} mm"
    elif reason := _no_room(board):  # no mistake: the board may be for layouts of one's own
        room = f"none: {reason}"
    typer.echo(f"{'opening':<16} {room}")
