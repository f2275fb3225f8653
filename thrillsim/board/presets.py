"""Boards by name: the default of the rule sheet, its one-edge variant, the board of the reference cases."""

from __future__ import annotations

import math
from collections.abc import Callable

from thrillsim.board.board import Board, Friction, Pusher, rectangular_board
from thrillsim.board.disks import DiskKind, Patch
from thrillsim.errors import InputError, shown


def default_board() -> Board:
    """Playing surface 122 x 220, front and sides open, disks 42/32/22 mm (assumed, self-consistent)."""
    return rectangular_board(name="default")


def front_only_board() -> Board:
    """The default board with rails at both sides of the playing surface."""
    return rectangular_board(open_edges="front", name="front-only")


def reference_board() -> Board:
    """The ten reference pushes: shoulders beside the sliding surface, disks 40/30/22, patch at 2r/3."""
    kinds = tuple(
        DiskKind(name, r, 4e-3 * math.pi * r * r, price=p, patch=Patch("ring", 2 * r / 3), count=n)
        for name, r, p, n in (("big", 20.0, 3, 5), ("medium", 15.0, 2, 9), ("small", 11.0, 1, 15))
    )
    return rectangular_board(
        depth=130.0,
        width=220.0,
        slide_depth=128.0,
        slide_width=120.0,
        pusher=Pusher(width=110.0, depth=40.0, travel=80.0),
        friction=Friction(board=0.3, rim=0.2, pusher=0.2, rail=0.2),
        kinds=kinds,
        name="reference",
    )


PRESETS: dict[str, Callable[[], Board]] = {
    "default": default_board,
    "front-only": front_only_board,
    "reference": reference_board,
}


def board_by_name(name: str) -> Board:
    """The preset of that name.

    Raises
    ------
    InputError
        If there is none; the message lists the names.
    """
    try:
        return PRESETS[name]()
    except KeyError:
        raise InputError(f"must be one of {', '.join(PRESETS)}, got {shown(name)}", key="board") from None
