"""Bid orders as named data: which bid is higher than which.  Imports nothing of ours.

A bid is a count, with a face where the game has faces.  Which bids exist and
which of them outbid another is an order:

===========================  ============================================================
:class:`CountOrder`          a higher count
:class:`ComponentwiseOrder`  neither count nor face drops, at least one rises
:class:`LexicographicOrder`  a higher count with any face, or the same with a higher face
:class:`TrackOrder`          a square further along a track, or a higher face on the same
===========================  ============================================================
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Protocol

import msgspec


class Bid(msgspec.Struct, frozen=True):
    """At least `count` things, of `face` where faces matter (0: they do not)."""

    count: int
    face: int = 0

    def __str__(self) -> str:
        return f"{self.count}" if not self.face else f"{self.count} x {self.face}"


class BidOrder(Protocol):
    """Which bids there are, lowest first, and which outbid a standing one."""

    name: ClassVar[str]

    def bids(self) -> tuple[Bid, ...]:
        """Every bid; no bid comes before one that it outbids."""
        ...

    def outbids(self, new: Bid, standing: Bid) -> bool:
        """Whether `new` may be said after `standing`."""
        ...

    def raises(self, standing: Bid | None) -> tuple[Bid, ...]:
        """Every bid that may be said after `standing` (all of them after None)."""
        ...


class _Raises:
    """The one method that is the same for every order."""

    __slots__ = ()

    def raises(self: BidOrder, standing: Bid | None) -> tuple[Bid, ...]:
        if standing is None:
            return self.bids()
        return tuple(bid for bid in self.bids() if self.outbids(bid, standing))


@dataclass(frozen=True)
class CountOrder(_Raises):
    """Counts `least` .. `most`; higher is higher."""

    most: int
    least: int = 1
    name: ClassVar[str] = "count"

    def bids(self) -> tuple[Bid, ...]:
        """Every count once."""
        return tuple(Bid(count) for count in range(self.least, self.most + 1))

    def outbids(self, new: Bid, standing: Bid) -> bool:
        """A higher count."""
        return new.count > standing.count


@dataclass(frozen=True)
class LexicographicOrder(_Raises):
    """Counts 1 .. `most` of `faces` (lowest first); the count decides, then the face."""

    most: int
    faces: tuple[int, ...]
    name: ClassVar[str] = "lexicographic"

    def bids(self) -> tuple[Bid, ...]:
        """Every count with every face."""
        return _count_by_face(self.most, self.faces)

    def outbids(self, new: Bid, standing: Bid) -> bool:
        """A higher count, or the same count with a higher face."""
        rank = self.faces.index
        return (new.count, rank(new.face)) > (standing.count, rank(standing.face))


@dataclass(frozen=True)
class ComponentwiseOrder(_Raises):
    """Counts 1 .. `most` of `faces` (lowest first); neither may drop, one must rise.

    A partial order: (2, high face) and (3, low face) do not outbid each other.
    """

    most: int
    faces: tuple[int, ...]
    name: ClassVar[str] = "componentwise"

    def bids(self) -> tuple[Bid, ...]:
        """Every count with every face."""
        return _count_by_face(self.most, self.faces)

    def outbids(self, new: Bid, standing: Bid) -> bool:
        """Neither part lower, at least one higher."""
        rank = self.faces.index
        up, higher = new.count - standing.count, rank(new.face) - rank(standing.face)
        return up >= 0 and higher >= 0 and up + higher > 0


@dataclass(frozen=True, slots=True)
class Square:
    """One square of a track: a count, and the faces (lowest first) it may be bid with."""

    count: int
    faces: tuple[int, ...]


@dataclass(frozen=True)
class TrackOrder(_Raises):
    """Squares in a row; a later square outbids, on the same square a later face does.

    Raises
    ------
    ValueError
        If two squares carry the same bid, or a square has no face.
    """

    squares: tuple[Square, ...]
    name: ClassVar[str] = "track"

    def __post_init__(self) -> None:
        bids = self.bids()
        if len(set(bids)) != len(bids):
            twice = next(bid for bid in bids if bids.count(bid) > 1)
            raise ValueError(f"the track carries the bid {twice} twice")
        if not all(square.faces for square in self.squares):
            raise ValueError("every square of the track needs at least one face")

    def bids(self) -> tuple[Bid, ...]:
        """Square by square, face by face."""
        return tuple(Bid(square.count, face) for square in self.squares for face in square.faces)

    def position(self, bid: Bid) -> int:
        """The index of the bid's square, from 0.

        Raises
        ------
        ValueError
            If the track has no such bid.
        """
        for index, square in enumerate(self.squares):
            if square.count == bid.count and bid.face in square.faces:
                return index
        raise ValueError(f"the track has no square for the bid {bid}")

    def outbids(self, new: Bid, standing: Bid) -> bool:
        """A later square, or a later face of the same square."""
        at, old = self.position(new), self.position(standing)
        faces = self.squares[at].faces
        return at > old or (at == old and faces.index(new.face) > faces.index(standing.face))


def _count_by_face(most: int, faces: tuple[int, ...]) -> tuple[Bid, ...]:
    return tuple(Bid(count, face) for count in range(1, most + 1) for face in faces)
