"""Dice under a cup, hidden, and beside it, shown.  Imports nothing of ours.

How many dice somebody still owns is a stake (:class:`~thrillsim.bidding.Stakes`);
a cup is how they lie in one round.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Cup:
    """The dice of one player in one round, faces ascending.

    Examples
    --------
    >>> cup = Cup.of([3, 1, 3]).show([3])
    >>> cup.hidden, cup.shown, cup.roll([6, 6]).all
    ((1, 3), (3,), (3, 6, 6))
    """

    hidden: tuple[int, ...] = ()
    shown: tuple[int, ...] = ()

    @classmethod
    def of(cls, faces: Iterable[int]) -> Cup:
        """All dice freshly rolled and hidden."""
        return cls(tuple(sorted(faces)))

    @property
    def all(self) -> tuple[int, ...]:
        """Hidden and shown faces together, ascending."""
        return tuple(sorted(self.hidden + self.shown))

    def show(self, faces: Iterable[int]) -> Cup:
        """After dice with these faces were laid out beside the cup, unchanged.

        Raises
        ------
        ValueError
            If such dice are not under the cup.
        """
        out = Counter(faces)
        left = Counter(self.hidden)
        if out - left:
            raise ValueError(f"no {sorted((out - left).elements())} under the cup; there are {self.hidden}")
        return Cup(tuple(sorted((left - out).elements())), tuple(sorted((*self.shown, *out.elements()))))

    def roll(self, faces: Iterable[int]) -> Cup:
        """After the hidden dice were rolled again, to `faces`; shown ones stay.

        Raises
        ------
        ValueError
            If the number of dice changed.
        """
        rolled = tuple(sorted(faces))
        if len(rolled) != len(self.hidden):
            raise ValueError(f"{len(self.hidden)} dice are under the cup, got {len(rolled)} faces")
        return Cup(rolled, self.shown)

    def lift(self) -> Cup:
        """After the cup is lifted: everything is shown."""
        return Cup((), self.all)


def matching(dice: Iterable[int], face: int, wild: int | None = None) -> int:
    """How many dice show `face`, or the wild face, which counts as any.

    >>> matching([1, 3, 3, 6], 3, wild=6), matching([1, 3, 3, 6], 6, wild=6)
    (3, 1)
    """
    return sum(1 for die in dice if die in (face, wild))
