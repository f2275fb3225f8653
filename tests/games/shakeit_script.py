"""Playing Shake It! by hand: one short call for each thing that happens at the table."""

from __future__ import annotations

from typing import Any

from thrillsim.games.protocol import Rolled
from thrillsim.games.shakeit import STAR, Bet, Doubt, LayOut, Options, ShakeIt, State

GAME = ShakeIt()


def faces(text: str) -> tuple[int, ...]:
    """``"13*"`` as dice."""
    return tuple(STAR if c == "*" else int(c) for c in text)


class Hand:
    """A game whose every event is given by the test."""

    def __init__(self, players: int, **options: Any) -> None:
        self.state: State = GAME.initial(Options(**options), players)

    def roll(self, *cups: str) -> None:
        """The dice of all who have to roll, in seat order."""
        self.state = GAME.resolve(self.state, Rolled(tuple(map(faces, cups))))

    def bet(self, text: str) -> None:
        """``"4x3"`` or ``"5*"``, by whoever is in turn."""
        count, _, face = text.partition("*" if "*" in text else "x")
        self.do(Bet(int(count), int(face) if face else STAR))

    def doubt(self) -> None:
        self.do(Doubt())

    def lay(self, text: str = "") -> None:
        self.do(LayOut(faces(text)))

    def do(self, action: Any) -> None:
        self.state = GAME.act(self.state, self.turn, action)

    @property
    def turn(self) -> int:
        return GAME.turn(self.state).seats[0]

    @property
    def bets(self) -> list[str]:
        """What the seat in turn may do, as text."""
        return [GAME.label(a) for a in GAME.legal(self.state, self.turn)]

    @property
    def dice(self) -> list[int]:
        """How many dice each seat owns, and the graveyard."""
        owners = (*range(self.state.seats.n), "graveyard")
        return [self.state.dice.held(owner, "die") for owner in owners]
