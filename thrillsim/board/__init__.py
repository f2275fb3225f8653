"""The things on the table: disks, board geometry, layouts, opening arrangements.  Frozen value types."""

from thrillsim.board.board import GRAVITY, Board, Friction, Pusher, Surface, rectangle, rectangular_board
from thrillsim.board.disks import THRILL_KINDS, DiskKind, Patch, Weight
from thrillsim.board.files import board_to_toml, load_board
from thrillsim.board.layout import Layout
from thrillsim.board.opening import opening, verified_opening
from thrillsim.board.presets import PRESETS, board_by_name, default_board, front_only_board, reference_board

__all__ = [
    "GRAVITY",
    "PRESETS",
    "THRILL_KINDS",
    "Board",
    "DiskKind",
    "Friction",
    "Layout",
    "Patch",
    "Pusher",
    "Surface",
    "Weight",
    "board_by_name",
    "board_to_toml",
    "default_board",
    "front_only_board",
    "load_board",
    "opening",
    "rectangle",
    "rectangular_board",
    "reference_board",
    "verified_opening",
]
