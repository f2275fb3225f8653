"""Thinkaboxin, Nuggets: a stake from everybody, the pool to the set winners (THK-20 to THK-24).

May import bidding.
"""

from __future__ import annotations

from msgspec.structs import replace

from thrillsim.bidding import Owner, Stakes, places
from thrillsim.games.thinkaboxin.course import Mode, finish, next_starter, ranked, start_set
from thrillsim.games.thinkaboxin.types import Action, Options, Purse, Stake, State

NUGGETS = 10  # THK-20
POOL = "pool"


class Nuggets(Mode):
    """Whoever has all nuggets wins."""

    title = "Nuggets"

    def book(self, options: Options, players: int) -> Purse:  # noqa: ARG002 - the same for all options
        """Ten nuggets each (THK-20)."""
        held: dict[Owner, dict[str, int]] = {seat: {"nugget": NUGGETS} for seat in range(players)}
        held[POOL] = {"nugget": 0}
        return Purse(Stakes.deal(held))

    def ready(self, state: State) -> State:
        """After a look at the dice the stake is due (THK-20), still so after a Donkey (THK-A44)."""
        if not purse(state).due:
            return replace(state, phase="bid")
        if state.seats.out:  # THK-21: somebody is out, so nobody has a choice
            return _pay(state, _poorest(state))
        return replace(state, phase="stake")

    def legal(self, state: State, seat: int) -> tuple[Stake, ...]:  # noqa: ARG002 - only the starter is asked
        """Two always, four if everybody has them (THK-20, THK-A17)."""
        return (Stake(2), Stake(4)) if _poorest(state) >= 4 else (Stake(2),)

    def step(self, state: State, seat: int, action: Action) -> State:  # noqa: ARG002 - binds all alike
        """Everybody puts in the same; nobody folds (THK-A17, THK-A21)."""
        assert isinstance(action, Stake)
        return _pay(state, min(action.nuggets, _poorest(state)))

    def set_over(self, state: State, winners: tuple[int, ...], loser: int) -> State:
        """The pool goes to the winners; who has nothing is out (THK-22, THK-23)."""
        nuggets = purse(state).nuggets
        share = nuggets.held(POOL, "nugget") // len(winners)  # THK-A18: the remainder stays
        for seat in winners:
            nuggets = nuggets.move("nugget", POOL, seat, share)
        broke = tuple(seat for seat in state.seats.living if not nuggets.held(seat, "nugget"))
        seats = state.seats
        for seat in broke:
            seats = seats.without(seat)
        gone = (*state.gone, broke) if broke else state.gone
        if len(seats) == 1:  # THK-24, THK-A19
            nuggets = nuggets.move_all("nugget", POOL, seats.living[0])
        state = replace(state, seats=seats, gone=gone, book=Purse(nuggets))
        if len(seats) == 1:
            return finish(state, places(seats.n, gone))
        if state.number >= state.options.max_sets:  # THK-A47
            left = places(seats.n, gone)
            return finish(state, ranked([(-left[s], nuggets.held(s, "nugget")) for s in range(seats.n)]))
        return start_set(state, seats, next_starter(seats, loser, state.direction))


def purse(state: State) -> Purse:
    """The nuggets of a state of this mode."""
    assert isinstance(state.book, Purse)
    return state.book


def _poorest(state: State) -> int:
    return min(purse(state).nuggets.held(seat, "nugget") for seat in state.seats.living)


def _pay(state: State, stake: int) -> State:
    nuggets = purse(state).nuggets
    for seat in state.seats.living:
        nuggets = nuggets.move("nugget", seat, POOL, stake)
    return replace(state, book=Purse(nuggets, due=False), phase="bid")
