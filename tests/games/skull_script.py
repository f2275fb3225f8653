"""Playing Skull by hand: short calls for what happens at the table.  F is a flower, S the skull."""

from __future__ import annotations

from typing import Any

from thrillsim.games.protocol import Drawn
from thrillsim.games.skull import FLOWER, SKULL, Bid, Box, Flip, Lay, Options, Pass, Skull, Start, State

GAME = Skull()
FACES = {"F": FLOWER, "S": SKULL}


class Hand:
    """A game whose every event is given by the test."""

    def __init__(self, players: int, **options: Any) -> None:
        self.state: State = GAME.initial(Options(**options), players)

    def do(self, seat: int, action: Any) -> None:
        self.state = GAME.act(self.state, seat, action)

    def turn(self, action: Any) -> None:
        """Whoever is in turn does this."""
        self.do(GAME.turn(self.state).seats[0], action)

    def first(self, faces: str) -> None:
        """The first discs of those still in, in seat order."""
        for seat, face in zip(self.state.seats.living, faces, strict=True):
            self.do(seat, Lay(FACES[face]))

    def lay(self, faces: str) -> None:
        """Further discs, one by each in turn."""
        for face in faces:
            self.turn(Lay(FACES[face]))

    def say(self, *bids: int | None) -> None:
        """Bids in turn, None for a pass."""
        for count in bids:
            self.turn(Pass() if count is None else Bid(count))

    def flip(self, owners: str) -> None:
        """The challenger flips discs of these players, named A, B, ..."""
        for owner in owners:
            self.turn(Flip("ABCDEF".index(owner)))

    def drawn(self, face: str) -> None:
        """The blind draw finds this face."""
        assert self.state.bidder is not None
        left = self.state.discs[self.state.bidder].left
        self.state = GAME.resolve(self.state, Drawn(left.index(FACES[face])))

    def box(self, face: str) -> None:
        self.turn(Box(FACES[face]))

    def start(self, seat: int) -> None:
        self.turn(Start(seat))

    def round(self, faces: str, bids: tuple[int | None, ...], flips: str) -> None:
        """A whole round up to the last flip."""
        self.first(faces)
        self.say(*bids)
        self.flip(flips)

    @property
    def left(self) -> tuple[int, ...]:
        """Discs that everybody still has."""
        return tuple(len(discs.left) for discs in self.state.discs)

    def legal(self) -> tuple[str, ...]:
        """What the one in turn may do, in words, a bid as its number."""
        seat = GAME.turn(self.state).seats[0]
        legal = GAME.legal(self.state, seat)
        assert isinstance(legal, tuple)
        return tuple(GAME.label(action).removeprefix("bid ") for action in legal)
