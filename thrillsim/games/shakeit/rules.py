"""The course of a game of Shake It!, clause by clause (ids of the rule sheet in brackets).

May import bidding.  Dice are chance: asked for by `chance`, handed in as outcomes.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import Any, ClassVar

from msgspec.structs import replace

from thrillsim.bidding import (
    Bid,
    Cup,
    OpenBidding,
    Seats,
    Stakes,
    TrackOrder,
    highest,
    matching,
    places,
    replaced,
)
from thrillsim.games.protocol import CHANCE, OVER, Event, Game, Legal, Mishap, Roll, Turn, decide
from thrillsim.games.shakeit import tell
from thrillsim.games.shakeit import types as t
from thrillsim.games.shakeit.track import STAR, TRACKS, order
from thrillsim.games.shakeit.types import (
    DICE,
    GRAVEYARD,
    Action,
    Bet,
    Dispute,
    Doubt,
    LayOut,
    Options,
    Outcome,
    State,
    View,
)


class ShakeIt(Game[State]):
    """Base game and extension for 2 to 6 players."""

    name = "shakeit"
    title = "Shake It!"
    seats = (2, 6)  # SHK-01, SHK-A17
    Options = Options
    Action: ClassVar[Any] = Action
    Outcome: ClassVar[Any] = Outcome

    def initial(self, options: t.Options, players: int) -> State:
        """Five dice and a cup each (SHK-01)."""
        self.check_players(players)
        first, seats = options.first_player, Seats(players)
        if first is not None:
            self.check_seat(first, players)
        everybody = seats.living
        state = State(
            options=options,
            seats=seats,
            dice=Stakes.deal({**{seat: {"die": DICE} for seat in everybody}, GRAVEYARD: {"die": 0}}),
            phase="start",  # SHK-03
            rolling=everybody,
            cups=(Cup(),) * players,
            bidding=OpenBidding(bid_order(options, DICE * players), seats, 0, "challenge"),
            rolled_at=(0,) * players,
        )
        return state if first is None else _new_round(state, first)

    def turn(self, state: State) -> Turn:
        """Who decides, or the dice, or nobody any more."""
        match state.phase:
            case "bet":
                return decide(state.bidding.turn)  # SHK-10, SHK-14: only the player in turn
            case "lay":
                assert state.bidding.bidder is not None
                return decide(state.bidding.bidder)
            case "over":
                return OVER
        return CHANCE

    def legal(self, state: State, seat: int) -> Legal:
        """Bets and the doubt, or the dice to lay out."""
        if seat not in self.turn(state).seats:
            return ()
        if state.phase == "lay":
            return _layouts(state.cups[seat].hidden)
        bidding = state.bidding
        raises = _bets(bidding.raises())
        return (*raises, Doubt()) if bidding.may_challenge else raises  # SHK-10: no passing

    def chance(self, state: State) -> Roll | Mishap:
        """The dice of those who roll, or whether they lie cocked."""
        match state.phase:
            case "settle":
                return Mishap((state.options.cocked_prob,) * len(state.rolling))
            case "start":
                return Roll((DICE,) * len(state.rolling))
        return Roll(tuple(state.dice.held(s, "die") - len(state.cups[s].shown) for s in state.rolling))

    def step(self, state: State, seat: int, action: Action) -> State:
        """After a legal action."""
        match action:
            case Bet(count, face):
                state = replace(state, bidding=state.bidding.bid(seat, Bid(count, face)))
                # SHK-23, SHK-A12 to SHK-A14: after each of his bets, one die at least stays under the cup
                may_lay = state.options.extension and len(state.cups[seat].hidden) > 1
                return replace(state, phase="lay" if may_lay else "bet")
            case Doubt():
                return _lift(state, seat)
            case LayOut(()):
                return replace(state, phase="bet")
        # SHK-24: the rest is rolled at once
        cups = replaced(state.cups, seat, state.cups[seat].show(action.faces))
        return replace(state, cups=cups, phase="shake", rolling=(seat,))

    def settle(self, state: State, outcome: Any) -> State:
        """After the dice have spoken."""
        match state.phase:
            case "start":
                return _start_rolled(state, outcome.faces)
            case "shake":
                return _rolled(state, outcome.faces)
        again = tuple(s for s, cocked in zip(state.rolling, outcome.to, strict=True) if cocked)
        return replace(state, phase="shake" if again else "bet", rolling=again)  # SHK-06

    def view(self, state: State, seat: int) -> View:
        """Everything but the dice under other cups (SHK-05)."""
        turn = self.turn(state).seats
        n = state.seats.n
        return View(
            seat=seat,
            options=state.options,
            phase=state.phase,
            round=state.round,
            turn=turn[0] if turn else None,
            dice=tuple(state.dice.held(s, "die") for s in range(n)),
            hidden=state.cups[seat].hidden,
            shown=tuple(cup.shown for cup in state.cups),
            said=state.bidding.said,
            rolled_at=state.rolled_at,
            start_roll=state.start_roll,
            last=state.last,
        )

    def winners(self, state: State) -> tuple[int, ...]:
        """The last with dice (SHK-02, SHK-20)."""
        return state.seats.living if state.phase == "over" else ()

    def places(self, state: State) -> tuple[int, ...]:
        """In the reverse order of going out; who went together shares a place."""
        return places(state.seats.n, state.gone)

    def tell(self, before: State, event: Event, after: State) -> str:
        """The event in words."""
        return tell.event(before, event, after)

    def show(self, view: View) -> str:
        """The view as text."""
        return tell.view(view)

    def tell_legal(self, legal: Legal) -> str:
        """Legal actions in one line; bets by squares, ``4x1-5, 2*, ...``."""
        assert isinstance(legal, tuple)
        return tell.legal(legal)

    def label(self, action: Action) -> str:
        """``4x3``, ``5*``, ``doubt``, ``lay 3 *``, ``keep``."""
        return tell.label(action)


def bid_order(options: Options, dice: int) -> TrackOrder:
    """The bids on the track in use, with so many dice in play (SHK-A07, SHK-A08)."""
    track = options.track or TRACKS[options.star_layout]
    return order(track, dice if options.bet_limit == "dice_in_play" else None)


@lru_cache(maxsize=1024)
def _bets(bids: tuple[Bid, ...]) -> tuple[Bet, ...]:
    return tuple(Bet(bid.count, bid.face) for bid in bids)


@lru_cache(maxsize=1024)
def _layouts(hidden: tuple[int, ...]) -> tuple[LayOut, ...]:
    """All ways to lay out some, none or all but one of the dice (SHK-23)."""
    sizes = range(len(hidden))
    return tuple(LayOut(faces) for size in sizes for faces in sorted(set(combinations(hidden, size))))


def _start_rolled(state: State, faces: tuple[tuple[int, ...], ...]) -> State:
    """The highest total begins; who tie for it roll again (SHK-03, SHK-A02)."""
    star = state.options.start_star_value  # SHK-A01
    rolled = dict(zip(state.rolling, faces, strict=True))
    best = highest({seat: sum(star if f == STAR else f for f in dice) for seat, dice in rolled.items()})
    state = replace(state, start_roll=(*state.start_roll, *rolled.items()), rolling=best)
    return _new_round(state, best[0]) if len(best) == 1 else state


def _new_round(state: State, opener: int) -> State:
    """All dice back under the cups, the opener to bet (SHK-04, SHK-07, SHK-25, SHK-A15)."""
    in_play = sum(state.dice.held(seat, "die") for seat in state.seats.living)
    return replace(
        state,
        phase="shake",
        rolling=state.seats.living,
        cups=(Cup(),) * state.seats.n,
        bidding=OpenBidding(bid_order(state.options, in_play), state.seats, opener, "challenge"),
    )


def _rolled(state: State, faces: tuple[tuple[int, ...], ...]) -> State:
    cups, when = list(state.cups), list(state.rolled_at)
    for seat, dice in zip(state.rolling, faces, strict=True):
        cups[seat] = Cup(tuple(sorted(dice)), cups[seat].shown)
        when[seat] = len(state.bidding.said)
    phase = "settle" if state.options.cocked_prob else "bet"  # SHK-A16
    return replace(state, cups=tuple(cups), rolled_at=tuple(when), phase=phase)


def _lift(state: State, doubter: int) -> State:
    """Cups up: count, lose dice, and on to the next round (SHK-14 to SHK-20)."""
    bidding = state.bidding.challenge(doubter)
    bet, bettor = bidding.standing, bidding.bidder
    assert bet is not None
    assert bettor is not None
    cups = tuple(cup.lift() for cup in state.cups)
    # SHK-08, SHK-09: a star counts as any number; SHK-25: dice laid out count too
    count = sum(matching(cup.shown, bet.face, wild=STAR) for cup in cups)
    if count == bet.count:  # SHK-15, SHK-16: everybody but the bettor loses one
        due = {seat: 1 for seat in state.seats.living if seat != bettor}
    else:
        due = {bettor if bet.count > count else doubter: abs(bet.count - count)}
    dice, out, lost = state.dice, state.seats, [0] * state.seats.n
    for seat, number in due.items():
        lost[seat] = min(number, dice.held(seat, "die"))  # SHK-A03
        dice = dice.move("die", seat, GRAVEYARD, lost[seat])  # SHK-17
        if not dice.held(seat, "die"):  # SHK-18, SHK-A04: several at once
            out = out.without(seat)
    together = tuple(seat for seat in state.seats.living if seat not in out)
    dispute = Dispute(bettor, doubter, bet, count, tuple(cup.shown for cup in cups), tuple(lost))
    state = replace(
        state,
        dice=dice,
        seats=out,
        cups=cups,
        bidding=bidding,
        gone=(*state.gone, together) if together else state.gone,
        last=dispute,
    )
    if len(out) == 1:
        return replace(state, phase="over", rolling=())
    # SHK-19, SHK-A06: the winner of the dispute lost no dice, so he is there
    return _new_round(replace(state, round=state.round + 1), dispute.winner)
