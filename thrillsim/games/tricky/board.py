"""The board of Tricky as data: five columns, each a row of coloured spaces.  May import errors.

A user gives another board in TOML::

    [[columns]]
    spaces = "GGYGR"   # from the top: G own stock, Y general stock, R red, the last one
    arrow = 2          # what every other player pays when the column is emptied
    first = 2          # chips on the first space (1 when not given)

five times, for the numbers 1 to 5.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from thrillsim.errors import InputError, shown

CHIPS = 130  # TRK-01
COLUMNS = 5


class Column(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One column, from the top.

    Parameters
    ----------
    spaces
        Letters G (green: paid from the player's stock), Y (yellow: from the
        general stock) and R (red), which is the last one and only there.
    arrow
        Chips every other player pays when the column is completed.
    first
        Chips that the first space takes per die (TRK-06).
    """

    spaces: str
    arrow: Annotated[int, msgspec.Meta(ge=1, le=10)]
    first: Annotated[int, msgspec.Meta(ge=1, le=5)] = 1

    def __post_init__(self) -> None:
        if set(self.spaces) - set("GYR") or not 2 <= len(self.spaces) <= 12:
            raise InputError(f"must be 2 to 12 letters G, Y, R, got {shown(self.spaces)}", key="spaces")
        if self.spaces.find("R") != len(self.spaces) - 1:
            raise InputError(f"must end in its only R, got {shown(self.spaces)}", key="spaces")

    def cost(self, space: int) -> int:
        """Chips that the space (from 0) takes."""
        return self.first if space == 0 else 1  # TRK-06

    def chips(self, filled: int) -> int:
        """Chips that lie on the first `filled` spaces."""
        return filled and self.first + filled - 1


class Board(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The columns of the numbers 1 to 5, in this order."""

    columns: tuple[Column, ...]

    def __post_init__(self) -> None:
        if len(self.columns) != COLUMNS:
            raise InputError(f"must be {COLUMNS} columns, got {len(self.columns)}", key="columns")

    def __getitem__(self, face: int) -> Column:
        """The column of the face 1 .. 5."""
        return self.columns[face - 1]


BOARD = Board(
    (
        Column("GGGR", arrow=1, first=2),
        Column("GGGGR", arrow=1, first=2),  # known from the rulebook's example (TRK-15)
        Column("GGGYGR", arrow=2),
        Column("GGGYGGR", arrow=2),  # its fourth space too
        Column("GGGYGYGR", arrow=3),
    )
)
"""The default: as near as the rulebook lets us know, the rest assumed."""
