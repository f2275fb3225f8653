"""Tokens that are moved, never made.  Imports nothing of ours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

Owner = int | str
"""A seat number, or the name of a pile such as ``"bank"``."""


@dataclass(frozen=True, slots=True)
class Stakes:
    """Who holds how many tokens of each kind.

    Tokens come into being once, in :meth:`deal`; afterwards there is only
    :meth:`move`, which takes from one holder exactly what it gives another, so
    the number of tokens of every kind never changes.

    Parameters
    ----------
    kinds
        Names of the kinds of tokens.
    owners
        Seats and piles.
    counts
        ``counts[owner][kind]``, in the orders above.

    Examples
    --------
    >>> s = Stakes.deal({"bank": {"chip": 10}, 0: {"chip": 2}, 1: {}})
    >>> s = s.move("chip", 0, "bank", 2)
    >>> s.held(0, "chip"), s.held("bank", "chip"), s.total("chip")
    (0, 12, 12)
    """

    kinds: tuple[str, ...]
    owners: tuple[Owner, ...]
    counts: tuple[tuple[int, ...], ...]

    @classmethod
    def deal(cls, holdings: Mapping[Owner, Mapping[str, int]]) -> Stakes:
        """The stakes at the start: for every owner, tokens by kind (0 where not named)."""
        kinds = tuple(dict.fromkeys(kind for held in holdings.values() for kind in held))
        counts = tuple(tuple(held.get(kind, 0) for kind in kinds) for held in holdings.values())
        if any(n < 0 for row in counts for n in row):
            raise ValueError("nobody can hold a negative number of tokens")
        return cls(kinds, tuple(holdings), counts)

    def held(self, owner: Owner, kind: str) -> int:
        """How many tokens of `kind` this owner holds."""
        row, column = self._where(owner, kind)
        return self.counts[row][column]

    def each(self, kind: str) -> tuple[int, ...]:
        """How many tokens of `kind` every owner holds, in the order of `owners`."""
        column = self._where(self.owners[0], kind)[1]
        return tuple([row[column] for row in self.counts])

    def total(self, kind: str) -> int:
        """How many tokens of `kind` exist."""
        return sum(self.each(kind))

    def move(self, kind: str, source: Owner, target: Owner, count: int) -> Stakes:
        """The stakes after `count` tokens went from one holder to another.

        Raises
        ------
        ValueError
            If the source holds fewer, or the count is negative.
        """
        (src, column), (dst, _) = self._where(source, kind), self._where(target, kind)
        have = self.counts[src][column]
        if not 0 <= count <= have:
            raise ValueError(
                f"cannot move {count} {kind} from {source!r} to {target!r}: {source!r} holds {have}"
            )
        rows = [list(row) for row in self.counts]
        rows[src][column] -= count
        rows[dst][column] += count
        return Stakes(self.kinds, self.owners, tuple(tuple(row) for row in rows))

    def move_all(self, kind: str, source: Owner, target: Owner) -> Stakes:
        """Everything of one kind from one holder to another."""
        return self.move(kind, source, target, self.held(source, kind))

    def move_up_to(self, kind: str, source: Owner, target: Owner, count: int) -> Stakes:
        """`count` tokens, or all there are if the source holds fewer."""
        return self.move(kind, source, target, min(count, self.held(source, kind)))

    def _where(self, owner: Owner, kind: str) -> tuple[int, int]:
        try:
            return self.owners.index(owner), self.kinds.index(kind)
        except ValueError:
            if owner not in self.owners:
                raise ValueError(f"no such owner: {owner!r}; there are {self.owners}") from None
            raise ValueError(f"no such token: {kind!r}; there are {self.kinds}") from None
