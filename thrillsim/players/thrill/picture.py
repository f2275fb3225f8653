"""The board as one seat sees it, as an SVG file: the disks carry the numbers that the rules use."""

from __future__ import annotations

from pathlib import Path

from thrillsim.board import shapes
from thrillsim.board.files import board_from
from thrillsim.board.svg import board_parts, cup, document, pusher_part
from thrillsim.errors import counted
from thrillsim.games.thrill import KIND_OF, View
from thrillsim.toml import write_whole


def svg(view: View) -> str:
    """The board with all disks, numbered."""
    board = board_from(view.table.board)
    parts = [*board_parts(board), pusher_part(board)]
    for disk, x, y, _ in view.layout:
        kind = KIND_OF[disk]
        parts.append(cup(x, y, view.table.radii[kind], kind, str(disk)))
    lying = counted(len(view.on_board), "disk")
    caption = [f"round {view.round}: {lying} on the board, {len(view.reserve)} in reserve"]
    return document(shapes.extent(board), parts, "the board from above", caption)


def write(view: View, path: Path) -> str:
    """Write the picture; returns the line that tells so, or "" where nothing lies on the board.

    Raises
    ------
    InputError
        If the file cannot be written.
    """
    if not view.layout:
        return ""
    write_whole(path, svg(view))
    return f"The board is drawn in {path}."
