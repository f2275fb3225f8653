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
from functools import cached_property, lru_cache
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


class _Total:
    """Raises of an order in which every bid outbids all that come before it."""

    __slots__ = ()

    def raises(self: BidOrder, standing: Bid | None) -> tuple[Bid, ...]:
        """All bids after `standing`, or all there are."""
        bids = self.bids()
        return bids if standing is None else bids[bids.index(standing) + 1 :]


@dataclass(frozen=True)
class CountOrder(_Total):
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
class LexicographicOrder(_Total):
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
class ComponentwiseOrder:
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

    def raises(self, standing: Bid | None) -> tuple[Bid, ...]:
        """All bids with neither part lower, except `standing` itself."""
        if standing is None:
            return self.bids()
        return _neither_lower(self.most, self.faces[self.faces.index(standing.face) :], standing.count)


@dataclass(frozen=True, slots=True)
class Square:
    """One square of a track: a count, and the faces (lowest first) it may be bid with."""

    count: int
    faces: tuple[int, ...]


@dataclass(frozen=True)
class TrackOrder(_Total):
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
            twice = next(bid for at, bid in enumerate(bids) if bid in bids[:at])
            raise ValueError(f"the track carries the bid {twice} twice")
        if not all(square.faces for square in self.squares):
            raise ValueError("every square of the track needs at least one face")

    def bids(self) -> tuple[Bid, ...]:
        """Square by square, face by face."""
        return self._bids

    @cached_property
    def _bids(self) -> tuple[Bid, ...]:
        return tuple(Bid(square.count, face) for square in self.squares for face in square.faces)

    def position(self, bid: Bid) -> int:
        """The index of the bid's square, from 0.

        Raises
        ------
        ValueError
            If the track has no such bid.
        """
        if bid not in self._square_of:
            raise ValueError(f"the track has no square for the bid {bid}")
        return self._square_of[bid]

    @cached_property
    def _square_of(self) -> dict[Bid, int]:
        return {Bid(s.count, face): at for at, s in enumerate(self.squares) for face in s.faces}

    def outbids(self, new: Bid, standing: Bid) -> bool:
        """A later square, or a later face of the same square."""
        at, old = self.position(new), self.position(standing)
        faces = self.squares[at].faces
        return at > old or (at == old and faces.index(new.face) > faces.index(standing.face))


@lru_cache(maxsize=1024)  # a rules engine asks for the same few lists again and again
def _count_by_face(most: int, faces: tuple[int, ...], least: int = 1) -> tuple[Bid, ...]:
    return tuple(Bid(count, face) for count in range(least, most + 1) for face in faces)


@lru_cache(maxsize=4096)
def _neither_lower(most: int, faces: tuple[int, ...], least: int) -> tuple[Bid, ...]:
    return _count_by_face(most, faces, least)[1:]
