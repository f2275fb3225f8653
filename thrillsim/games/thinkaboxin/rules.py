"""Thinkaboxin as a game of the protocol: one mode around the common course of rounds and sets.

May import bidding.  Dice and Donkeys are chance: asked for by `chance`, handed in as outcomes.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, ClassVar

from thrillsim.bidding import Bid, Cup, OpenBidding, Seats
from thrillsim.games.protocol import CHANCE, OVER, Event, Game, Legal, Mishap, Roll, Turn, decide
from thrillsim.games.thinkaboxin import course, tell
from thrillsim.games.thinkaboxin import types as t
from thrillsim.games.thinkaboxin.goldrush import Goldrush
from thrillsim.games.thinkaboxin.lastman import LastMan
from thrillsim.games.thinkaboxin.nuggets import Nuggets
from thrillsim.games.thinkaboxin.rattlesnakes import Rattlesnakes
from thrillsim.games.thinkaboxin.sheriff import Sheriff
from thrillsim.games.thinkaboxin.types import Action, Call, Lift, Outcome, State, View

MODES: dict[str, course.Mode] = {
    "nuggets": Nuggets(),
    "goldrush": Goldrush(),
    "sheriff": Sheriff(),
    "last_man": LastMan(),
    "rattlesnakes": Rattlesnakes(),
}


class Thinkaboxin(Game[State]):
    """Five games on one set of dice, for 2 to 6 players."""

    name = "thinkaboxin"
    title = "Thinkaboxin"
    seats = (2, 6)  # THK-01
    Options = t.Options
    Action: ClassVar[Any] = Action
    Outcome: ClassVar[Any] = Outcome

    def initial(self, options: t.Options, players: int) -> State:
        """Before the first shake (THK-02, THK-06)."""
        self.check_players(players)
        first, mode, seats = options.first_player, MODES[options.mode], Seats(players)
        self.check_seat(first, players)
        mode.check(options, players)
        nothing = OpenBidding(course.order(options, 1), seats, first, "challenge")
        return mode.begin(
            State(
                options=options,
                seats=seats,
                phase="shake",
                number=0,
                round=0,
                table=seats,
                race=False,
                dice=course.deal(seats, seats, 0),
                cups=(Cup(),) * players,
                bidding=nothing,
                starter=first,
                lost=(0,) * players,
                book=mode.book(options, players),
            )
        )

    def turn(self, state: State) -> Turn:
        """Who decides, or the dice, or nobody any more."""
        match state.phase:
            case "bid":
                return decide(state.bidding.turn)  # THK-09, THK-A06: only the player in turn
            case "over":
                return OVER
            case "shake" | "donkey":
                return CHANCE
        return decide(MODES[state.options.mode].decider(state))

    def legal(self, state: State, seat: int) -> Legal:
        """Bids and the lift, or what the mode asks."""
        if seat not in self.turn(state).seats:
            return ()
        if state.phase != "bid":
            return MODES[state.options.mode].legal(state, seat)
        bidding = state.bidding
        if bidding.may_challenge:
            return _calls(bidding.raises(), (0,))  # THK-A04: at the top nothing but the lift is left
        # THK-07; THK-A14: with two players there is only one neighbour
        return _calls(bidding.raises(), (1, -1) if len(state.table) > 2 else (1,))

    def chance(self, state: State) -> Roll | Mishap:
        """The dice of all who shake (THK-05), or whether they are Donkeys (THK-17, THK-A11)."""
        if state.phase == "donkey":
            return Mishap((state.options.donkey_prob,) * len(state.active))
        return Roll(tuple(map(state.cup, state.active)))

    def step(self, state: State, seat: int, action: Action) -> State:
        """After a legal action."""
        mode = MODES[state.options.mode]
        match action:
            case Call():
                return course.call(state, seat, action)
            case Lift():
                return course.lift(mode, state, seat)
        return mode.step(state, seat, action)

    def settle(self, state: State, outcome: Any) -> State:
        """After the dice have spoken."""
        mode = MODES[state.options.mode]
        if state.phase == "donkey":
            return course.donkeys(mode, state, outcome.to)
        return course.shaken(mode, state, outcome.faces)

    def view(self, state: State, seat: int) -> View:
        """Everything but the dice under other cups (THK-05)."""
        turn = self.turn(state).seats
        held, n = state.dice.each("die"), state.seats.n
        return View(
            seat=seat,
            options=state.options,
            phase=state.phase,
            number=state.number,
            round=state.round,
            turn=turn[0] if turn else None,
            seats=state.seats,
            table=state.table.living,
            race=state.race,
            cups=held[:n],
            won=held[n:],
            hidden=state.cups[seat].hidden,
            said=state.bidding.said,
            direction=state.direction,
            lost=state.lost,
            gone=state.gone,
            last=state.last,
            book=state.book,
            final=state.final,
        )

    def winners(self, state: State) -> tuple[int, ...]:
        """All in the first place, once the game is over."""
        return tuple(seat for seat, place in enumerate(state.final) if place == 1)

    def places(self, state: State) -> tuple[int, ...]:
        """As the mode ranks them."""
        return state.final or (1,) * state.seats.n

    def tell(self, before: State, event: Event, after: State) -> str:
        """The event in words."""
        return tell.event(before, event, after)

    def show(self, view: View) -> str:
        """The view as text."""
        return tell.view(view)

    def tell_legal(self, legal: Legal) -> str:
        """Legal actions in one line; bids by their amount, ``4x2-6 1, ...``."""
        assert isinstance(legal, tuple)
        return tell.legal(legal)

    def label(self, action: Action) -> str:
        """``4x3``, ``4x3 left``, ``lift``, ``stake 2``, ``place 17``."""
        return tell.label(action)


@lru_cache(maxsize=4096)
def _calls(bids: tuple[Bid, ...], ways: tuple[int, ...]) -> tuple[Call | Lift, ...]:
    calls = [Call(bid.count, bid.face, way) for way in ways for bid in bids]
    return tuple(calls) if any(ways) else (*calls, Lift())
