"""Who sits where, who is still in, who is next.  Imports nothing of ours."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Seats:
    """A round table: seat ``s + 1`` (mod n) sits to the left of seat ``s``.

    Parameters
    ----------
    n
        Number of seats, numbered 0 .. n-1 in clockwise order.
    out
        Seats that have left, ascending.

    Examples
    --------
    >>> table = Seats(5).without(1)
    >>> table.next(0), table.next(2, direction=-1), table.round_from(3)
    (2, 0, (4, 0, 2, 3))
    """

    n: int
    out: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if self.n < 1:
            raise ValueError(f"a table needs at least one seat, got {self.n}")
        if any(not 0 <= s < self.n for s in self.out) or tuple(sorted(set(self.out))) != self.out:
            raise ValueError(
                f"seats that are out must be ascending and within 0..{self.n - 1}, got {self.out}"
            )

    @classmethod
    def only(cls, n: int, seats: Collection[int]) -> Seats:
        """A table of `n` at which only these are in.

        >>> Seats.only(4, (2, 0)).living
        (0, 2)
        """
        return cls(n, tuple(s for s in range(n) if s not in seats))

    @property
    def living(self) -> tuple[int, ...]:
        """Seats still in, ascending."""
        return _living(self.n, self.out)

    def __contains__(self, seat: int) -> bool:
        return 0 <= seat < self.n and seat not in self.out

    def __len__(self) -> int:
        return self.n - len(self.out)

    def without(self, seat: int) -> Seats:
        """The table after `seat` has left it.

        Raises
        ------
        ValueError
            If the seat is not in any more.
        """
        if seat not in self:
            raise ValueError(f"seat {seat} is not in; still in are {self.living}")
        return Seats(self.n, tuple(sorted((*self.out, seat))))

    def next(self, seat: int, direction: int = 1) -> int:
        """The first living seat met from `seat`, going left (+1) or right (-1).

        `seat` itself may be out; it is met last, after a full turn.

        Raises
        ------
        ValueError
            If nobody is in, or the direction is neither 1 nor -1.
        """
        order = self.round_from(seat, direction)
        if not order:
            raise ValueError("nobody is in")
        return order[0]

    def round_from(self, start: int, direction: int = 1) -> tuple[int, ...]:
        """All living seats in the order met from `start`; `start` itself (if living) comes last."""
        return _round_from(self.n, self.out, start, direction)

    def first_of(self, candidates: Collection[int], start: int, direction: int = 1) -> int:
        """The first of `candidates` met from `start`; `start` counts as the very last.

        Raises
        ------
        ValueError
            If no candidate is in.
        """
        for seat in self.round_from(start, direction):
            if seat in candidates:
                return seat
        raise ValueError(f"none of {sorted(candidates)} is in; still in are {self.living}")


@lru_cache(maxsize=1024)  # tables are few, and asked for at every turn
def _living(n: int, out: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(s for s in range(n) if s not in out)


@lru_cache(maxsize=4096)
def _round_from(n: int, out: tuple[int, ...], start: int, direction: int) -> tuple[int, ...]:
    if direction not in (1, -1):
        raise ValueError(f"direction must be 1 (left) or -1 (right), got {direction}")
    met = ((start + direction * step) % n for step in range(1, n + 1))
    return tuple(s for s in met if s not in out)


def places(n: int, gone: Iterable[Collection[int]]) -> tuple[int, ...]:
    """The place of every seat by the order of leaving; who left together shares a place.

    Parameters
    ----------
    n
        Number of seats.
    gone
        Groups of seats that left, the first to leave first.  All others share the first place.

    Examples
    --------
    >>> places(5, [(3,), (0, 4)])
    (3, 1, 1, 5, 3)
    """
    placed, ahead = [1] * n, n
    for group in gone:
        ahead -= len(group)
        for seat in group:
            placed[seat] = ahead + 1
    return tuple(placed)


def replaced(values: tuple[T, ...], seat: int, value: T) -> tuple[T, ...]:
    """What belongs to the seats, with another value for one of them.

    >>> replaced((3, 1, 4), 1, 5)
    (3, 5, 4)

    Raises
    ------
    ValueError
        If there is no such seat.
    """
    if not 0 <= seat < len(values):
        raise ValueError(f"no seat {seat} among {len(values)}")
    return (*values[:seat], value, *values[seat + 1 :])
