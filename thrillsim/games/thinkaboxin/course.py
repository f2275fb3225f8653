"""Rounds, sets and knock-out races: what the five modes of Thinkaboxin have in common.

May import bidding.  Clause ids of the rule sheet in brackets.  A mode says what
happens before the bidding and when a set or a race is over; everything between is here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from thrillsim.bidding import (
    Bid,
    BidOrder,
    ComponentwiseOrder,
    Cup,
    LexicographicOrder,
    OpenBidding,
    Owner,
    Seats,
    Stakes,
    matching,
)
from thrillsim.games.thinkaboxin.types import DICE, VALUES, WILD, Action, Book, Call, Lifted, Options, State


class Mode(ABC):
    """One of the five games: what stands around the sets."""

    title: str

    def check(self, options: Options, players: int) -> None:  # noqa: B027 - most modes refuse nothing
        """Refuse options that cannot be played by so many."""

    @abstractmethod
    def book(self, options: Options, players: int) -> Book:
        """What the mode keeps, at the start."""

    def begin(self, state: State) -> State:
        """Start the first set: the youngest opens (THK-06)."""
        return start_set(state, state.seats, state.options.first_player)

    def ready(self, state: State) -> State:
        """Everybody has shaken and looked: before the bidding."""
        return replace(state, phase="bid")

    @abstractmethod
    def set_over(self, state: State, winners: tuple[int, ...], loser: int) -> State:
        """Somebody's cup is empty; `loser` was wrong in the last round."""

    def race_over(self, state: State, winner: int) -> State:
        """A knock-out race has its winner."""
        raise AssertionError(f"{self.title} has no race, won by {winner} in set {state.number}")

    def legal(self, state: State, seat: int) -> tuple[Any, ...]:
        """Legal actions in the mode's own phases."""
        raise AssertionError(f"{self.title} asks {seat} nothing in phase {state.phase}")

    def step(self, state: State, seat: int, action: Action) -> State:
        """The state after an action in the mode's own phases."""
        raise AssertionError(f"{self.title} knows no {action} of {seat} in phase {state.phase}")

    def decider(self, state: State) -> int:
        """Who decides in the mode's own phases."""
        return state.starter


# --- sets -------------------------------------------------------------------------------


def order(options: Options, dice: int) -> BidOrder:
    """Bids with so many dice under the cups, no more than there are (THK-03, THK-10, THK-A03, THK-A07)."""
    if options.raise_rule == "lexicographic":
        return LexicographicOrder(dice, VALUES)
    return ComponentwiseOrder(dice, VALUES)  # THK-A01, THK-A02


def deal(seats: Seats, table: Seats, dice: int) -> Stakes:
    """So many dice in every cup of those who take part, none won yet (THK-02)."""
    held: dict[Owner, dict[str, int]] = {s: {"die": dice if s in table else 0} for s in range(seats.n)}
    held.update({f"won {seat}": {"die": 0} for seat in range(seats.n)})
    return Stakes.deal(held)


def start_set(state: State, table: Seats, starter: int, *, dice: int = DICE, race: bool = False) -> State:
    """A new set: dice back into the cups (THK-02), four in a race (THK-A16)."""
    state = replace(
        state,
        number=state.number + 1,
        table=table,
        race=race,
        dice=deal(state.seats, table, dice),
    )
    return start_round(state, starter)


def start_round(state: State, starter: int) -> State:
    """Everybody with dice shakes (THK-05); who starts bids first (THK-15)."""
    state = replace(state, phase="shake", round=state.round + 1, starter=starter)
    return reshake(state)


def reshake(state: State) -> State:
    """Cups empty on the table, to be filled by a throw."""
    table = Seats.only(state.seats.n, state.active)
    in_play = sum(state.dice.each("die")[: state.seats.n])
    bids = order(state.options, in_play)
    bidding = OpenBidding(bids, table, state.starter, "challenge", state.direction)
    return replace(state, phase="shake", cups=(Cup(),) * state.seats.n, bidding=bidding)


def shaken(mode: Mode, state: State, faces: Sequence[tuple[int, ...]]) -> State:
    """The dice lie; perhaps not all of them under their cups."""
    cups = list(state.cups)
    for seat, dice in zip(state.active, faces, strict=True):
        cups[seat] = Cup.of(dice)
    state = replace(state, cups=tuple(cups))
    return replace(state, phase="donkey") if state.options.donkey_prob else mode.ready(state)


def call(state: State, seat: int, action: Call) -> State:
    """A bid; the first of a round turns it left or right (THK-07 to THK-11)."""
    way = action.direction or None
    bidding = state.bidding.bid(seat, Bid(action.count, action.face), way)
    # THK-A44: dice can fall out until a cup is lifted
    watch = state.options.donkey_prob and state.options.donkey_at == "turn"
    return replace(state, bidding=bidding, direction=bidding.direction, phase="donkey" if watch else "bid")


def lift(mode: Mode, state: State, seat: int) -> State:
    """All cups up: count, and who was right takes a die out (THK-12 to THK-14)."""
    bidding = state.bidding.challenge(seat)
    bid, bidder = bidding.standing, bidding.bidder
    assert bid is not None
    assert bidder is not None
    # THK-04, THK-A05: a one counts as any value, and for a bid on ones only ones count
    count = sum(matching(cup.hidden, bid.face, wild=WILD) for cup in state.cups)
    lifted = Lifted(bidder, seat, bid, count, tuple(cup.hidden for cup in state.cups))
    state = replace(state, bidding=bidding, last=lifted)
    return _round_over(mode, state, (lifted.loser,), lifted.loser)


def donkeys(mode: Mode, state: State, to: Sequence[bool]) -> State:
    """Whose dice fell out or lie on one another is a Donkey (THK-17)."""
    fallen = tuple(seat for seat, fell in zip(state.active, to, strict=True) if fell)
    if not fallen:
        return replace(state, phase="bid") if state.bidding.said else mode.ready(state)
    if fallen == state.active:  # THK-A12
        return reshake(state)
    return _round_over(mode, state, fallen, state.seats.first_of(fallen, state.starter))


def _round_over(mode: Mode, state: State, wrong: Sequence[int], next_starter: int) -> State:
    """All but those who were wrong take a die out; then the next round, unless the set is over."""
    dice, lost = state.dice, list(state.lost)
    for seat in state.active:
        if seat not in wrong:
            dice = dice.move("die", seat, f"won {seat}", 1)
    for seat in wrong:
        lost[seat] = state.round
    before = state.active
    state = replace(state, dice=dice, lost=tuple(lost))
    emptied = tuple(seat for seat in before if not state.cup(seat))
    if emptied and not state.race:
        return mode.set_over(state, emptied, next_starter)  # THK-16, THK-A08, THK-A13
    if len(state.active) == 1:
        return _race_set_over(mode, state, state.active[0], emptied)
    return start_round(state, next_starter)  # THK-15


def _race_set_over(mode: Mode, state: State, last: int, emptied: tuple[int, ...]) -> State:
    """The last with dice is knocked out; the others go on until one is left (THK-18)."""
    table = state.table.without(last)
    state = replace(state, gone=(*state.gone, (last,)))
    if len(table) == 1:
        return mode.race_over(state, table.living[0])
    # THK-A09, THK-A10, THK-A28: the last but one loser begins
    recent = [seat for seat in emptied if state.lost[seat] == max(state.lost[s] for s in emptied)]
    return start_set(state, table, table.first_of(recent, last), race=True)


# --- between sets -----------------------------------------------------------------------


def next_starter(table: Seats, loser: int, direction: int) -> int:
    """The loser if he takes part, else the next in the last direction (THK-A09, THK-A20, THK-A45)."""
    return loser if loser in table else table.next(loser, direction)


def start_race(state: State, racers: Sequence[int], loser: int) -> State:
    """A knock-out race of some, to decide the game (THK-18)."""
    table, state = Seats.only(state.seats.n, racers), replace(state, gone=())
    return start_set(state, table, next_starter(table, loser, state.direction), race=True)


def finish(state: State, places: tuple[int, ...]) -> State:
    """The game is over."""
    return replace(state, phase="over", final=places)


def ranked(keys: Sequence[Any]) -> tuple[int, ...]:
    """The place of every seat by a key, the highest first; equal keys share a place."""
    return tuple(1 + sum(other > key for other in keys) for key in keys)


def after_race(state: State, winner: int, keys: Sequence[int]) -> tuple[int, ...]:
    """Places when a race decided: the racers in reverse order of going, then the others by `keys`."""
    fell = {seat: at for at, (seat,) in enumerate(state.gone, 1)}
    fell[winner] = len(fell) + 1
    return ranked([(fell.get(seat, 0), key) for seat, key in enumerate(keys)])
