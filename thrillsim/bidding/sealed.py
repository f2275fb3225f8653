"""Sealed choices: made in secret, all at once, revealed together.  Imports nothing of ours."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Sealed(Generic[T]):
    """Choices of several seats, hidden until the last of them is in.

    The value does not depend on the order in which the seats committed.

    Parameters
    ----------
    waiting
        Seats that have not chosen yet, ascending.
    committed
        (seat, choice) pairs, ascending by seat.

    Examples
    --------
    >>> bids = Sealed.start((0, 2)).commit(2, 5).commit(0, 1)
    >>> bids.complete, bids.reveal(), lowest(bids.reveal())
    (True, {0: 1, 2: 5}, (0,))
    """

    waiting: tuple[int, ...]
    committed: tuple[tuple[int, T], ...] = ()

    @classmethod
    def start(cls, seats: Iterable[int]) -> Sealed[T]:
        """Nobody has chosen yet."""
        return cls(tuple(sorted(seats)))

    @property
    def complete(self) -> bool:
        """Whether everybody has chosen."""
        return not self.waiting

    def commit(self, seat: int, choice: T) -> Sealed[T]:
        """After `seat` has chosen.

        Raises
        ------
        ValueError
            If the seat has chosen already or takes no part.
        """
        if seat not in self.waiting:
            raise ValueError(f"seat {seat} has nothing to choose; still to choose: {self.waiting}")
        waiting = tuple(s for s in self.waiting if s != seat)
        order = sorted([*self.committed, (seat, choice)], key=lambda pair: pair[0])
        return Sealed(waiting, tuple(order))

    def own(self, seat: int) -> T | None:
        """What `seat` itself may see: its own choice, None before it is made."""
        return next((choice for s, choice in self.committed if s == seat), None)

    def reveal(self) -> dict[int, T]:
        """Every choice by seat.

        Raises
        ------
        ValueError
            While somebody has still to choose.
        """
        if self.waiting:
            raise ValueError(f"not to be revealed before seats {self.waiting} have chosen")
        return dict(self.committed)


def lowest(bids: Mapping[int, int]) -> tuple[int, ...]:
    """The seats with the lowest bid, ascending; several when they tie."""
    least = min(bids.values())
    return tuple(sorted(seat for seat, bid in bids.items() if bid == least))


def highest(bids: Mapping[int, int]) -> tuple[int, ...]:
    """The seats with the highest bid, ascending; several when they tie."""
    most = max(bids.values())
    return tuple(sorted(seat for seat, bid in bids.items() if bid == most))
