"""Playing Thinkaboxin by hand: one short call for each thing that happens at the table."""

from __future__ import annotations

from typing import Any

from thrillsim.games.protocol import Happened, Rolled
from thrillsim.games.thinkaboxin import Call, Lift, Options, Place, State, Thinkaboxin, Way
from thrillsim.games.thinkaboxin.board import square_number

GAME = Thinkaboxin()


def squares(text: str) -> tuple[int, ...]:
    """``"d1 d2"`` as squares."""
    return tuple(map(square_number, text.split()))


class Hand:
    """A game whose every event is given by the test."""

    def __init__(self, players: int, mode: str = "last_man", **options: Any) -> None:
        self.state: State = GAME.initial(Options(mode=mode, **options), players)  # type: ignore[arg-type]

    # --- chance ---

    def roll(self, *cups: str) -> None:
        """The dice of all who shake, in seat order; without any everybody has twos."""
        faces = cups or ["2" * n for n in GAME.chance(self.state).dice]
        self.state = GAME.resolve(self.state, Rolled(tuple(tuple(map(int, cup)) for cup in faces)))

    def donkey(self, *seats: int) -> None:
        to = tuple(seat in seats for seat in self.state.active)
        self.state = GAME.resolve(self.state, Happened(to))

    # --- actions ---

    @property
    def turn(self) -> int:
        return GAME.turn(self.state).seats[0]

    @property
    def legal(self) -> list[str]:
        """What the seat in turn may do, as text."""
        return [GAME.label(a) for a in GAME.legal(self.state, self.turn)]

    def do(self, *actions: Any) -> None:
        for action in actions:
            self.state = GAME.act(self.state, self.turn, action)

    def say(self, text: str) -> None:
        """The action with this label, by whoever is in turn."""
        for action in GAME.legal(self.state, self.turn):
            if GAME.label(action) == text:
                self.do(action)
                return
        raise AssertionError(f"{text} is not among {self.legal}")

    def lose(self, seat: int, way: int = 1) -> None:
        """A round that `seat` loses: all dice are twos, and he bids on ones or lifts at a true bid."""
        self.roll()
        way = way if len(self.state.table) > 2 else 1
        if self.turn == seat:
            self.do(Call(1, 1, way), Lift())
            return
        self.do(Call(1, 2, way))
        while self.turn != seat:
            self.do(Call(len(self.state.bidding.said) + 1, 2))
        self.do(Lift())

    def place(self, text: str) -> None:
        """Parts on squares, one after the other."""
        self.do(*map(Place, squares(text)))

    def way(self, direction: int = 1) -> None:
        self.do(Way(direction))

    # --- what there is ---

    @property
    def cups(self) -> list[int]:
        return [self.state.cup(seat) for seat in range(self.state.seats.n)]

    @property
    def won(self) -> list[int]:
        return [self.state.won(seat) for seat in range(self.state.seats.n)]
