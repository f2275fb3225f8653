"""Playing Thrill by hand: one short call for each thing that happens at the table."""

from __future__ import annotations

from typing import Any

from thrillsim.games.thrill import (
    KIND_OF,
    Announce,
    Arranged,
    Bid,
    Lifted,
    Options,
    Place,
    Pushed,
    Show,
    State,
    Thrill,
    Turned,
    Wager,
)

GAME = Thrill()
BIG, MEDIUM, SMALL = 0, 1, 2
NONE, STAY, FALL = Wager(), Wager(stay=1), Wager(fall=1)


class Hand:
    """A game whose every event is given by the test."""

    def __init__(self, players: int, **options: Any) -> None:
        self.state: State = GAME.initial(Options(**options), players)
        self.out(Arranged())

    def out(self, outcome: Any) -> None:
        self.state = GAME.resolve(self.state, outcome)

    def do(self, seat: int, action: Any) -> None:
        self.state = GAME.act(self.state, seat, action)

    def show(self, kind: int) -> int:
        """The Boss shows the first reserve disk of a kind."""
        disk = next(d for d in self.state.reserve if KIND_OF[d] == kind)
        self.do(self.state.boss, Show(disk))
        return disk

    def bids(self, *chips: int) -> None:
        """Bids of the living seats, in seat order."""
        for seat, count in zip(self.state.seats.living, chips, strict=True):
            self.do(seat, Bid(count))

    def announce(self, weight: bool) -> None:
        assert self.state.pusher is not None
        self.do(self.state.pusher, Announce(weight))

    def wagers(self, *wagers: Wager) -> None:
        """Wagers of those who have a card, in seat order."""
        for seat, wager in zip(self.state.wagers.waiting, wagers, strict=True):
            self.do(seat, wager)

    def place(self, weight: int | None = None) -> None:
        assert self.state.pusher is not None
        self.do(self.state.pusher, Place(-40.0, 0.0, weight))

    def push(self, *fallen: int, weight: int | None = None, **more: Any) -> None:
        """Place in the middle and push; these fall."""
        self.place(weight)
        self.out(Pushed(fallen, **more))

    def lift(self, fell: bool) -> None:
        self.out(Lifted(fell))

    def turned(self, *fallen: int) -> None:
        self.out(Turned(fallen))

    def round(self, kind: int, bids: tuple[int, ...], fallen: tuple[int, ...] = ()) -> None:
        """A whole round of the base game."""
        self.show(kind)
        self.bids(*bids)
        self.push(*fallen)

    def held(self, kind: str) -> tuple[int, ...]:
        return tuple(self.state.stakes.held(seat, kind) for seat in range(self.state.seats.n))

    @property
    def chips(self) -> tuple[int, ...]:
        return self.held("big")

    @property
    def pile(self) -> int:
        return self.state.stakes.held("pile", "big")


def on_board(state: State, kind: int, count: int = 1) -> tuple[int, ...]:
    """The first disks of a kind that lie on the board."""
    return tuple(d for d in state.on_board if KIND_OF[d] == kind)[:count]
