"""Playing Tricky by hand: short calls for what happens at the table."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from thrillsim.bidding import Stakes
from thrillsim.games.protocol import Rolled
from thrillsim.games.tricky import Keep, Options, Place, State, Tricky
from thrillsim.games.tricky.types import CHIP, STOCK, column

GAME = Tricky()


class Hand:
    """A game whose every event is given by the test."""

    def __init__(self, players: int, **options: Any) -> None:
        self.state: State = GAME.initial(Options(**options), players)

    def do(self, action: Any) -> None:
        """The active player does this."""
        self.state = GAME.act(self.state, self.state.active, action)

    def throw(self, *faces: int) -> None:
        self.state = GAME.resolve(self.state, Rolled((faces,)))

    def keep(self, *faces: int) -> None:
        self.do(Keep(tuple(sorted(faces))))

    def take(self, *faces: int) -> None:
        """All five dice in one throw."""
        self.throw(*faces)
        self.keep(*faces)

    def place(self, *faces: int) -> None:
        for face in faces:
            self.do(Place(face))

    def turn(self, *faces: int) -> None:
        """A whole turn: five dice at once, placed in the order given."""
        self.take(*faces)
        self.place(*(face for face in faces if face < 6))

    def legal(self) -> tuple[str, ...]:
        legal = GAME.legal(self.state, self.state.active)
        assert isinstance(legal, tuple)
        return tuple(map(GAME.label, legal))

    def fill(self, **spaces: int) -> None:
        """Fill spaces of columns out of the stock: ``fill(c2=3)``."""
        for name, count in spaces.items():
            face = int(name[1:])
            chips = self.state.options.board[face].chips(count) - self.on(face)
            stakes = self.state.stakes.move(CHIP, STOCK, column(face), chips)
            filled = (*self.state.filled[: face - 1], count, *self.state.filled[face:])
            self.state = replace(self.state, stakes=stakes, filled=filled)

    def give(self, *chips: int, stock: int | None = None) -> None:
        """Set what the players have, the rest being stock; then the stock, the rest being the last one's."""
        stakes = self.state.stakes
        for seat, count in enumerate(chips):
            stakes = self._exchange(stakes, seat, STOCK, stakes.held(seat, CHIP) - count)
        if stock is not None:
            last = self.state.seats.n - 1
            stakes = self._exchange(stakes, STOCK, last, stakes.held(STOCK, CHIP) - stock)
        self.state = replace(self.state, stakes=stakes)

    @staticmethod
    def _exchange(stakes: Stakes, source: Any, target: Any, count: int) -> Stakes:
        return (
            stakes.move(CHIP, source, target, count)
            if count >= 0
            else stakes.move(CHIP, target, source, -count)
        )

    def on(self, face: int) -> int:
        """Chips on a column."""
        return self.state.stakes.held(column(face), CHIP)

    @property
    def chips(self) -> tuple[int, ...]:
        return tuple(map(self.state.chips, range(self.state.seats.n)))
