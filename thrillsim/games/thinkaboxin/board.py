"""The Rattlesnakes board as data: squares, snake-head squares, pits and their orange mouths.

May import errors.  The rulebook has no picture; the default is invented, with room for all parts.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import msgspec

from thrillsim.errors import InputError, counted, shown

ORDINARY, HEAD, ORANGE, PIT, NOTHING = ".HOP#"
STRIDE = 26  #: squares are numbered as if every row had 26, so that a square has one name on all boards

_DEFAULT = (
    "...H.....H...",
    ".............",
    "...O.....O...",
    "..OPO...OPO..",
    "...O.....O...",
    ".............",
    "H...........H",
    ".............",
    "...O.....O...",
    "..OPO...OPO..",
    "...O.....O...",
    ".............",
    "...H.....H...",
)


class Board(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A board drawn in text.

    Parameters
    ----------
    rows
        One text per row, spaces ignored: ``.`` ordinary square, ``H`` snake-head square, ``O`` orange square,
        ``P`` snake pit, ``#`` no square.

    Raises
    ------
    InputError
        If it is no such board: every orange square touches exactly one pit with a side, every pit an orange
        square, and one pit alone leads nowhere.
    """

    rows: tuple[str, ...] = _DEFAULT

    def __post_init__(self) -> None:
        rows = self.grid
        if not 1 <= len(rows) <= 26 or any(not 1 <= len(row) <= 26 for row in rows):
            raise InputError("a board has 1 to 26 rows of 1 to 26 squares", key="rows")
        for at, row in enumerate(rows):
            if len(row) != len(rows[0]):
                raise InputError(
                    f"row {at + 1} has {counted(len(row), 'square')}, row 1 has {len(rows[0])}", key="rows"
                )
            for mark in row:
                if mark not in ".HOP#":
                    what = f"{shown(mark)} in row {at + 1}: a square is one of . H O P #"
                    raise InputError(what, key="rows")
        map_ = geometry(self, 4)
        pits = [square for square, mark in enumerate(map_.marks) if mark == PIT]
        for square, mark in enumerate(map_.marks):
            touching = [pit for pit in pits if square in map_.sides[pit]]
            if mark == ORANGE and len(touching) != 1:
                what = f"must touch exactly one pit with a side, touches {len(touching)}"
                raise InputError(f"the orange square {square_name(square)} {what}", key="rows")
        for pit in pits:
            if not any(map_.marks[square] == ORANGE for square in map_.sides[pit]):
                raise InputError(f"the pit {square_name(pit)} has no orange square beside it", key="rows")
        if len(pits) == 1:
            raise InputError("one pit alone leads nowhere: none, or two at least", key="rows")
        if len(map_.heads) < 2:
            raise InputError(f"at least 2 snake-head squares are needed, got {len(map_.heads)}", key="rows")

    @property
    def grid(self) -> tuple[str, ...]:
        """The rows without spaces."""
        return tuple("".join(row.split()) for row in self.rows)


@dataclass(frozen=True, slots=True)
class Geometry:
    """A board worked out: the square in row y and column x (from 0) has the number 26 y + x.

    Parameters
    ----------
    marks
        The mark of every square.
    near
        Adjacent squares that exist and are no pits.
    sides
        Squares that touch with a side, pits included.
    pit_of
        For an orange square the pit it belongs to, else -1.
    heads
        The snake-head squares.
    pits
        For every pit (by its square): the orange squares, and the ordinary squares beside it.
    """

    marks: str
    near: tuple[tuple[int, ...], ...]
    sides: tuple[tuple[int, ...], ...]
    pit_of: tuple[int, ...]
    heads: tuple[int, ...]
    pits: dict[int, tuple[tuple[int, ...], tuple[int, ...]]]

    def room(self, players: int) -> int:
        """How many parts the board can hold: a player uses one snake-head square only."""
        return sum(mark in (ORDINARY, ORANGE) for mark in self.marks) + min(players, len(self.heads))


def square_name(square: int) -> str:
    """A letter for the column, a number for the row.

    >>> square_name(0), square_name(26 * 6 + 2)
    ('a1', 'c7')
    """
    row, column = divmod(square, STRIDE)
    return f"{chr(ord('a') + column)}{row + 1}"


def square_number(name: str) -> int:
    """The opposite of `square_name`."""
    return (int(name[1:]) - 1) * STRIDE + ord(name[0]) - ord("a")


@lru_cache(maxsize=64)
def geometry(board: Board, adjacency: int) -> Geometry:
    """Work out a board for `adjacency` 4 (sides) or 8 (corners too)."""
    rows = board.grid
    marks = "".join(row.ljust(STRIDE, NOTHING) for row in rows)

    def around(square: int, corners: bool) -> tuple[int, ...]:
        y, x = divmod(square, STRIDE)
        steps = [(dy, dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if (dy, dx) != (0, 0)]
        return tuple(
            (y + dy) * STRIDE + x + dx
            for dy, dx in steps
            if (corners or not dy or not dx)
            and 0 <= y + dy < len(rows)
            and 0 <= x + dx < len(rows[0])
            and marks[(y + dy) * STRIDE + x + dx] != NOTHING
        )

    squares = range(len(marks))
    sides = tuple(around(square, corners=False) for square in squares)
    near = tuple(tuple(s for s in around(square, adjacency == 8) if marks[s] != PIT) for square in squares)
    pit_of = [-1] * len(marks)
    pits = {}
    for pit in squares:
        if marks[pit] == PIT:
            mouths = tuple(s for s in sides[pit] if marks[s] == ORANGE)
            # THK-67, passage: what lies beside a pit; orange squares are ordinary ones there
            pits[pit] = (mouths, tuple(s for s in sides[pit] if marks[s] in (ORANGE, ORDINARY)))
            for mouth in mouths:
                pit_of[mouth] = pit
    heads = tuple(square for square in squares if marks[square] == HEAD)
    return Geometry(marks, near, sides, tuple(pit_of), heads, pits)
