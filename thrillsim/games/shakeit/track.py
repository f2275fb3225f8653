"""The track of Shake It!: which squares follow one another, as data, and the bid order it makes.

May import bidding and errors.  The picture of the board is missing; the order of the squares is known from
outside sources and fits every example of the rulebook.
"""

from __future__ import annotations

import re
from functools import lru_cache

import msgspec

from thrillsim.bidding import Square, TrackOrder
from thrillsim.errors import InputError

NUMBERS = (1, 2, 3, 4, 5)
STAR = 6  #: the sixth face of every die; joker of a number bet (SHK-01, SHK-08)

_BEFORE_EVEN = "1 *1 2 3 *2 4 5 *3 6 7 *4 8 9 *5 10 11 *6 12 13 *7 14 15 *8 16 17 *9 18 19 *10 20"
_AFTER_EVEN = "1 2 *1 3 4 *2 5 6 *3 7 8 *4 9 10 *5 11 12 *6 13 14 *7 15 16 *8 17 18 *9 19 20 *10"


class Track(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One lap of the track.

    Parameters
    ----------
    squares
        In the direction of the arrow: ``"7"`` is the number square of seven dice, ``"*4"`` the star
        square of four.  Each sort counts 1, 2, 3 ...; the next lap counts on (SHK-22).

    Raises
    ------
    InputError
        If it is no such track.
    """

    squares: tuple[str, ...] = tuple(_BEFORE_EVEN.split())

    def __post_init__(self) -> None:
        for sort, name in (("", "number"), ("*", "star")):
            seen = [s for s in self.squares if s.startswith("*") == bool(sort)]
            if not seen:
                raise InputError(f"the track needs at least one {name} square", key="squares")
            for at, text in enumerate(seen, 1):
                if not re.fullmatch(r"\*?[0-9]+", text):
                    raise InputError(f'must be "7" or "*4" and the like, got "{text}"', key="squares")
                if text != f"{sort}{at}":
                    what = f"{name} squares must run {sort}1, {sort}2, {sort}3 ... along the arrow"
                    raise InputError(f"{what}, got {text} for {sort}{at}", key="squares")


TRACKS = {"before_even": Track(), "after_even": Track(tuple(_AFTER_EVEN.split()))}


@lru_cache(maxsize=256)
def order(track: Track, dice: int | None = None) -> TrackOrder:
    """The bids on a track, as an order (SHK-11 to SHK-13).

    Any of them may open (SHK-A09).  A star square has one face, so it cannot be raised on itself (SHK-A10);
    a number further along than star k is at least 2k on the default track (SHK-A11).

    Parameters
    ----------
    dice
        The highest count that may be bid; None for all squares of two laps (SHK-A07).
    """
    numbers = sum(1 for s in track.squares if s[0] != "*")
    stars = len(track.squares) - numbers
    laps = 2 if dice is None else max(-(-dice // numbers), -(-dice // stars))
    squares: list[Square] = []
    for lap in range(laps):  # SHK-22: square 1 becomes 21, star 1 becomes star 11
        for text in track.squares:
            star = text[0] == "*"
            count = int(text.lstrip("*")) + lap * (stars if star else numbers)
            if dice is None or count <= dice:
                squares.append(Square(count, (STAR,) if star else NUMBERS))
    return TrackOrder(tuple(squares))
