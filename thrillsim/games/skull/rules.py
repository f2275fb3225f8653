"""The course of a game of Skull, clause by clause (ids of the rule sheet beside it).  May import bidding."""

from __future__ import annotations

from typing import Any, ClassVar, TypeVar

from msgspec.structs import replace

from thrillsim import bidding
from thrillsim.bidding import CountOrder, OpenBidding, Sealed, Seats, replaced
from thrillsim.games.protocol import CHANCE, OVER, Draw, Drawn, Event, Game, Legal, Turn, decide
from thrillsim.games.skull import tell
from thrillsim.games.skull import types as t
from thrillsim.games.skull.types import (
    SKULL,
    Bid,
    Box,
    Discs,
    Flip,
    Known,
    Lay,
    Pass,
    Start,
    State,
)

T = TypeVar("T")


class Skull(Game[State]):
    """3 to 6 players, 2 on request."""

    name = "skull"
    title = "Skull"
    seats = (3, 6)
    Options = t.Options
    Action: ClassVar[Any] = t.Action
    Outcome: ClassVar[Any] = t.Outcome

    def initial(self, options: t.Options, players: int) -> State:
        """Four discs and a plain mat each; the first discs are still to be chosen (SKU-01)."""
        self.check_players(players, options.min_players)  # SKU-A14
        first = options.first_player  # SKU-A01
        self.check_seat(first, players)
        return State(
            options=options,
            seats=Seats(players),
            discs=(Discs(),) * players,
            mats=_same("plain", players),
            first=first,
            turn=first,
            laying=Sealed.start(range(players)),
            said=(0,) * players,
            skulls=_same("yes", players),
            lost=((),) * players,
        )

    def turn(self, state: State) -> Turn:
        """Who decides, or chance, or nobody any more."""
        if state.phase == "over":
            return OVER
        if state.phase == "draw":
            return CHANCE
        if state.phase == "first":  # SKU-02, SKU-A02: all at once, the first player's disc registered last
            return decide(*(s for s in state.seats.round_from(state.first) if s in state.laying.waiting))
        return decide(state.turn)

    def legal(self, state: State, seat: int) -> Legal:
        """What `seat` may do now."""
        if seat not in self.turn(state).seats:
            return ()
        discs = state.discs[seat]
        match state.phase:
            case "first":
                return tuple(map(Lay, _faces(discs.hand)))
            case "lay":
                # SKU-03, SKU-05, SKU-A06: with an empty hand only a bid; SKU-A05: no passing before a bid.
                lays = tuple(map(Lay, _faces(discs.hand)))
                return (*lays, *(Bid(count) for count in range(1, state.in_play + 1)))  # SKU-06
            case "bid":  # SKU-07: no more laying; SKU-08: higher, up to the discs in play
                assert state.bidding is not None
                return (Pass(), *(Bid(bid.count) for bid in state.bidding.raises()))
            case "flip":  # SKU-12: own discs first, all of them; then any stack, also of those who passed
                if discs.hidden:
                    return (Flip(seat),)
                return tuple(Flip(s) for s in state.seats.living if state.discs[s].hidden)
            case "box":  # SKU-16
                return tuple(map(Box, _faces(discs.left)))
            case _:  # "start", SKU-19; SKU-A11: somebody who is still in
                return tuple(map(Start, state.seats.living))

    def chance(self, state: State) -> Draw:
        """SKU-15: the challenger's discs, laid and in hand, are shuffled and one is drawn blindly."""
        return Draw(len(state.discs[_challenger(state)].left))

    # --- decisions ---------------------------------------------------------------------

    def step(self, state: State, seat: int, action: t.Action) -> State:
        """The state after a legal action."""
        match action:
            case Lay(face) if state.phase == "first":
                state = replace(state, laying=state.laying.commit(seat, face))
                return self._first_discs(state) if state.laying.complete else state
            case Lay(face):
                discs = replaced(state.discs, seat, state.discs[seat].lay(face))
                return replace(state, discs=discs, turn=state.seats.next(seat))  # SKU-03: clockwise
            case Bid(count):
                return self._bid(state, seat, count)
            case Pass():
                assert state.bidding is not None
                return self._after_bidding(replace(state, bidding=state.bidding.pass_(seat)))
            case Flip(owner):
                return self._flip(state, owner)
            case Box(face):
                return self._lose(state, face, owner=seat)
            case Start(first):
                return self._new_round(state, first)

    def _first_discs(self, state: State) -> State:
        """SKU-02: everybody's first disc lies; from now on it is one after the other."""
        laid = state.laying.reveal()
        discs = tuple(d.lay(laid[s]) if s in laid else d for s, d in enumerate(state.discs))
        return replace(state, discs=discs, laying=Sealed(()), phase="lay")

    def _bid(self, state: State, seat: int, count: int) -> State:
        opened = state.bidding or OpenBidding(CountOrder(state.in_play), state.seats, seat, "passing")
        bid = opened.bid(seat, bidding.Bid(count))
        return self._after_bidding(replace(state, bidding=bid, said=replaced(state.said, seat, count)))

    def _after_bidding(self, state: State) -> State:
        """SKU-10: one bidder left, or (SKU-11, SKU-A03) a bid of all discs: he must flip what he bid."""
        assert state.bidding is not None
        if state.bidding.over:
            return replace(state, phase="flip", turn=_challenger(state))
        return replace(state, phase="bid", turn=state.bidding.turn)  # SKU-09, SKU-A07: passing is final

    def _flip(self, state: State, owner: int) -> State:
        discs = state.discs[owner].flip()
        state = replace(state, discs=replaced(state.discs, owner, discs))
        state = replace(state, skulls=replaced(state.skulls, owner, _conclude(state.skulls[owner], discs)))
        challenger = _challenger(state)
        if discs.shown[-1] == SKULL:  # SKU-14: stop at once
            if owner == challenger:
                return replace(state, phase="box")  # SKU-16
            return replace(state, phase="draw", turn=owner)  # SKU-15: the skull's owner draws
        if state.flipped < state.standing:  # SKU-A04: of the own stack too, only as many as were bid
            return state
        if state.mats[challenger] == "flower":  # SKU-13, SKU-20; SKU-A09: at once
            return replace(state, phase="over", winner=challenger)
        state = replace(state, mats=replaced(state.mats, challenger, "flower"))
        return self._new_round(state, challenger)  # SKU-19

    def settle(self, state: State, outcome: Drawn) -> State:
        """SKU-15: the drawn disc goes into the box unseen."""
        return self._lose(state, state.discs[_challenger(state)].left[outcome.index], owner=state.turn)

    # --- the end of a round ----------------------------------------------------------------

    def _lose(self, state: State, face: t.Face, owner: int) -> State:
        """The challenger loses a disc, because of the skull of `owner`.  SKU-A10: his mat stays as it is."""
        seat = _challenger(state)
        discs = state.discs[seat].lose(face)
        how = "chosen" if owner == seat else "drawn"
        known: Known = "open" if discs.hand and state.skulls[seat] == "yes" else state.skulls[seat]
        state = replace(
            state,
            discs=replaced(state.discs, seat, discs),
            skulls=replaced(state.skulls, seat, known if discs.hand else "no"),
            lost=replaced(state.lost, seat, (*state.lost[seat], how)),
        )
        if discs.hand:
            return self._new_round(state, seat)  # SKU-19
        # SKU-17, SKU-A12: no discs left, the mat goes too
        state = replace(state, seats=state.seats.without(seat), mats=replaced(state.mats, seat, "gone"))
        if len(state.seats) == 1:  # SKU-20; SKU-A16: nobody to name
            return replace(state, phase="over", winner=state.seats.living[0])
        if owner == seat:
            return replace(state, phase="start", turn=seat)  # SKU-19: he names the first player
        return self._new_round(state, owner)  # SKU-19: the owner of the skull

    def _new_round(self, state: State, first: int) -> State:
        """SKU-18: everybody takes his discs back; SKU-A15: face-down ones stay unseen.  SKU-A13: as ever."""
        return replace(
            state,
            discs=tuple(discs.gather() for discs in state.discs),
            first=first,
            turn=first,
            phase="first",
            round=state.round + 1,
            laying=Sealed.start(state.seats.living),
            bidding=None,
            said=(0,) * state.seats.n,
        )

    # --- what is seen, and how it ended ----------------------------------------------------

    def view(self, state: State, seat: int) -> t.View:
        """All that `seat` may know.  SKU-A08: the own box, nobody else's."""
        own = state.discs[seat]
        bidders = state.bidding.seats if state.bidding else state.seats
        table = tuple(
            t.Seen(
                left=len(discs.hand) + len(discs.stack),
                laid=len(discs.stack),
                shown=discs.shown,
                mat=state.mats[s],
                bid=state.said[s],
                passed=s in state.seats and s not in bidders,
                skull=state.skulls[s],
                lost=state.lost[s],
            )
            for s, discs in enumerate(state.discs)
        )
        return t.View(
            options=state.options,
            seat=seat,
            living=state.seats.living,
            round=state.round,
            phase=state.phase,
            first=state.first,
            turn=state.turn,
            standing=state.standing,
            bidder=state.bidder,
            to_flip=state.standing - state.flipped if state.phase == "flip" else 0,
            table=table,
            hand=own.hand,
            stack=own.stack,
            box=own.box,
            chosen=state.laying.own(seat),
            winner=state.winner,
        )

    def winners(self, state: State) -> tuple[int, ...]:
        """Who succeeded twice, or was left alone (SKU-20)."""
        return () if state.winner is None else (state.winner,)

    def tell(self, before: State, event: Event, after: State) -> str:
        """The event in words."""
        return tell.event(before, event, after)

    def show(self, view: t.View) -> str:
        """The view as text."""
        return tell.view(view)

    def label(self, action: t.Action) -> str:
        """A short word for an action."""
        return tell.label(action)


def _same(value: T, count: int) -> tuple[T, ...]:
    return (value,) * count


def _challenger(state: State) -> int:
    assert state.bidder is not None
    return state.bidder


def _conclude(known: Known, discs: Discs) -> Known:
    """What everybody knows of a skull after a flip: seen, or all discs left are flowers, or as before."""
    if SKULL in discs.shown:
        return "yes"
    return "no" if len(discs.shown) == len(discs.left) else known


def _faces(discs: tuple[t.Face, ...]) -> tuple[t.Face, ...]:
    return tuple(sorted(set(discs)))
