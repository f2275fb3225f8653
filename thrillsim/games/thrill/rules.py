"""The course of a game of Thrill, clause by clause (ids of the rule sheet in brackets).

May import bidding and board value types.  The push, the turning of the board and
the lifting of the weight are chance: asked for by `chance`, handed in as outcomes.
"""

from __future__ import annotations

from typing import Any, ClassVar

from msgspec.structs import replace

from thrillsim.bidding import Sealed, Seats, lowest, places
from thrillsim.errors import InputError
from thrillsim.games.protocol import CHANCE, OVER, Event, Game, IllegalOutcome, Legal, Turn, decide
from thrillsim.games.thrill import money, tell
from thrillsim.games.thrill import types as t
from thrillsim.games.thrill.placing import Placements
from thrillsim.games.thrill.types import (
    ALL_DISKS,
    KIND_OF,
    PRICE,
    Announce,
    Arrange,
    Arranged,
    Bid,
    Cash,
    Fallen,
    GiveUp,
    Lifted,
    Lifting,
    Place,
    Pushed,
    Pushing,
    Request,
    Round,
    Row,
    Show,
    State,
    TurnBoard,
    Turned,
    Turning,
    View,
    Wager,
)

_STARTING_RESERVE = (0, 1, 7, 8)  # THR-03: two big and two medium disks


class Thrill(Game[State]):
    """Base game and variant for 2 to 6 players."""

    name = "thrill"
    title = "Thrill"
    seats = (2, 6)
    Options = t.Options
    Action: ClassVar[Any] = t.Action
    Outcome: ClassVar[Any] = t.Outcome

    def initial(self, options: t.Options, players: int) -> State:
        """Everything dealt, the board still to be arranged (THR-03, THR-05)."""
        if not options.min_players <= players <= 6:  # THR-A04
            raise InputError(f"needs {options.min_players} to 6 players, got {players}", key="players")
        if options.first_boss >= players:
            raise InputError(f"must be 0 to {players - 1}, got {options.first_boss}", key="first_boss")
        return State(
            options=options,
            seats=Seats(players),
            stakes=money.deal(options, players),
            phase="set_up",
            round=1,
            boss=options.first_boss,  # THR-07, THR-A29
            on_board=tuple(disk for disk in ALL_DISKS if disk not in _STARTING_RESERVE),
            reserve=_STARTING_RESERVE,
        )

    def turn(self, state: State) -> Turn:
        """Who decides, or chance, or nobody any more."""
        match state.phase:
            case "over":
                return OVER
            case "set_up" | "turning" | "push" | "lift":
                return CHANCE
            case "choose":
                return decide(state.boss)
            case "bid":
                return decide(*state.bids.waiting)  # THR-09: secretly, all at once
            case "wager":
                return decide(*state.wagers.waiting)
        assert state.pusher is not None
        return decide(state.pusher)

    def legal(self, state: State, seat: int) -> Legal:
        """What `seat` may do now."""
        if seat not in self.turn(state).seats:
            return ()
        held = state.stakes.held
        actions: list[Any] = []
        match state.phase:
            case "choose":
                # One of each kind stands for all of its kind.  THR-A05: else any disk off the board.
                kinds = {KIND_OF[disk]: disk for disk in reversed(state.reserve)}
                actions += map(Show, sorted(kinds.values()) or state.on_board)
            case "bid":
                actions += map(
                    Bid, range(held(seat, "big") + 1)
                )  # THR-09; THR-A01: without chips 0 is forced
            case "announce":
                actions += [Announce(False), Announce(True)]
            case "wager":
                most = state.options.max_wagers_per_push  # THR-A14
                stay, fall = min(most, held(seat, "stay")), min(most, held(seat, "fall"))
                actions += [Wager(s, f) for s in range(stay + 1) for f in range(fall + 1) if s + f <= most]
            case "turn":
                actions.append(TurnBoard())
                actions += [TurnBoard(q, pace) for q in (1, 2, 3) for pace in ("careful", "brisk")]
            case "place":
                assert state.shown is not None
                return Placements(state.table, state.shown, state.on_board if state.weight else ())
            case "pay":
                actions.append(GiveUp())
        if self._may_cash(state, seat):
            actions.append(Cash())
        return tuple(actions)

    def _may_cash(self, state: State, seat: int) -> bool:
        """THR-A11: whenever the owner decides (but not while he places: it would change nothing)."""
        return state.options.variant and state.options.cash_in != "immediate" and money.can_cash(state, seat)

    def chance(self, state: State) -> Request:
        """Which physical thing happens now; disks fall at no other time (THR-A31)."""
        if state.phase == "set_up":
            return Arrange(state.on_board)
        if state.phase == "turning":
            assert state.turn is not None
            return Turning(state.turn, state.on_board, state.layout)
        assert state.place is not None
        if state.phase == "lift":
            return Lifting(state.place, state.layout)
        assert state.shown is not None
        return Pushing(state.shown, state.place, state.on_board, state.layout)

    # --- decisions ---------------------------------------------------------------------

    def step(self, state: State, seat: int, action: t.Action) -> State:
        """The state after a legal action."""
        match action:
            case Cash():
                paying = state.phase == "pay"
                state = money.cash(replace(state, phase="push") if paying else state, seat)
                return self._after_settling(money.run_pending(state)) if paying else state
            case Show(disk):  # THR-08; THR-A25: before the bids
                return replace(
                    state,
                    shown=disk,
                    reserve=tuple(d for d in state.reserve if d != disk),
                    on_board=tuple(d for d in state.on_board if d != disk),
                    layout=tuple(row for row in state.layout if row[0] != disk),
                    phase="bid",
                    bids=Sealed.start(state.seats.living),
                )
            case Bid(chips):
                state = replace(state, bids=state.bids.commit(seat, chips))
                return self._reveal(state) if state.bids.complete else state
            case Announce(weight):
                return self._announced(state, seat, weight)
            case Wager():
                state = replace(state, wagers=state.wagers.commit(seat, action))
                return self._to_board(state) if state.wagers.complete else state
            case TurnBoard(quarters):
                return replace(state, turn=action, phase="turning" if quarters else "place")
            case Place():
                return replace(state, place=action, phase="push")
            case GiveUp():
                state = money.eliminate(replace(state, phase="push"))
                return self._after_settling(money.run_pending(state))

    def _reveal(self, state: State) -> State:
        """All hands open: everybody loses his bid (THR-13), the lowest one is Max (THR-10)."""
        bids = state.bids.reveal()
        stakes = state.stakes
        for seat, chips in bids.items():
            stakes = stakes.move("big", seat, "pile", chips)
        # THR-11, THR-12, THR-A02, THR-A03, THR-A28: of the tied, the first left of the Boss, who is last.
        pusher = state.seats.first_of(lowest(bids), state.boss)
        state = money.cash_at_once(replace(state, stakes=stakes, pusher=pusher))
        if state.shown is None:  # THR-A05 "skip_push": he becomes Boss, that is all
            return self._end_round(state)
        if state.options.variant and state.on_board and state.stakes.held(pusher, "weight"):
            return replace(state, phase="announce")
        return self._to_wagers(state)

    def _announced(self, state: State, seat: int, weight: bool) -> State:
        """THR-24 (1), THR-25: binding; the card is shown and leaves the game.  THR-A27: before the wagers."""
        stakes = state.stakes.move("weight", seat, "out", 1) if weight else state.stakes
        return self._to_wagers(replace(state, stakes=stakes, weight=weight))

    def _to_wagers(self, state: State) -> State:
        """THR-24 (2): everybody with a wager card left may play one, Max included."""
        held, most = state.stakes.held, state.options.max_wagers_per_push
        seats = [s for s in state.seats.living if most and held(s, "stay") + held(s, "fall")]
        state = replace(state, wagers=Sealed.start(seats))
        return replace(state, phase="wager") if seats else self._to_board(state)

    def _to_board(self, state: State) -> State:
        """Max turns the board if he likes (THR-22, THR-A16: before the placement), then places the disk."""
        return replace(state, phase="turn" if state.options.rotation else "place")

    # --- what happened -----------------------------------------------------------------

    def settle(self, state: State, outcome: t.Outcome) -> State:
        """The state after the physical part."""
        match state.phase, outcome:
            case "set_up", Arranged(layout, table):
                _check(layout, state.on_board)
                return self._begin_round(replace(state, layout=layout, table=table))
            case "turning", Turned(fallen, layout):
                _check_falls(fallen, state.on_board)
                bill = tuple(Fallen(d, PRICE[KIND_OF[d]], "rotation") for d in fallen)  # THR-22: single price
                state = replace(money.owe(state, bill), layout=layout, pending=("pay",))
                _check(layout, state.on_board)
                return self._after_settling(money.run_pending(state))
            case "push", Pushed():
                return self._pushed(state, outcome)
            case "lift", Lifted(fell, layout):
                return self._lifted(state, fell, layout)
        raise IllegalOutcome(f"{outcome!r} cannot follow in the phase {state.phase!r}")

    def _pushed(self, state: State, outcome: Pushed) -> State:
        place, shown = state.place, state.shown
        assert place is not None
        assert shown is not None
        state = replace(state, on_board=tuple(sorted((*state.on_board, shown))))
        _check_falls(outcome.placing + outcome.fallen, state.on_board)
        if outcome.placing and (place.weight is None or shown in outcome.placing):
            raise IllegalOutcome(f"{outcome.placing} cannot have fallen while a weight was put down")
        if outcome.under_weight and (place.weight is None or place.weight not in outcome.fallen):
            raise IllegalOutcome(f"no weighted disk fell: weight on {place.weight}, fallen {outcome.fallen}")
        state = replace(money.owe(state, money.prices(outcome, place)), layout=outcome.layout)
        _check(outcome.layout, state.on_board)
        if place.weight is not None and place.weight in state.on_board:
            return replace(state, phase="lift")  # THR-28
        return self._bill(state)

    def _lifted(self, state: State, fell: bool, layout: tuple[Row, ...]) -> State:
        assert state.place is not None
        disk = state.place.weight
        assert disk is not None
        if fell:  # THR-28: single price.  THR-A21: if it stays, nothing is paid, wherever the weight ended
            state = money.owe(state, (Fallen(disk, PRICE[KIND_OF[disk]], "weight_removal"),))
        _check(layout, state.on_board)
        return self._bill(replace(state, layout=layout))

    def _bill(self, state: State) -> State:
        """Payment and wagers, in the order of THR-A10."""
        pending: tuple[Any, ...] = ("pay", "wagers") if state.options.variant else ("pay",)
        if state.options.settle_order == "wagers_first":
            pending = pending[::-1]
        return self._after_settling(money.run_pending(replace(state, pending=pending)))

    def _after_settling(self, state: State) -> State:
        if state.phase == "pay":
            return state  # Max decides whether he cashes in
        assert state.pusher is not None
        if len(state.seats) > 1 and state.pusher in state.seats and state.place is None:
            return replace(state, phase="place")  # the turning is paid, now the push
        return self._end_round(state)

    # --- from round to round -------------------------------------------------------------

    def _begin_round(self, state: State) -> State:
        state = money.cash_at_once(state)
        if state.options.max_rounds is not None and state.round > state.options.max_rounds:  # THR-A06
            return replace(state, phase="over", round=state.options.max_rounds)
        if not state.reserve and state.options.empty_reserve != "take_from_board":  # THR-A05
            if state.options.empty_reserve == "draw":
                return replace(state, phase="over")
            return replace(state, phase="bid", bids=Sealed.start(state.seats.living))
        return replace(state, phase="choose")

    def _end_round(self, state: State) -> State:
        pusher, bids = state.pusher, dict(state.bids.committed)
        assert pusher is not None
        out = pusher not in state.seats
        done = Round(
            number=state.round,
            boss=state.boss,
            shown=state.shown,
            bids=tuple(bids.get(seat, -1) for seat in range(state.seats.n)),
            pusher=pusher,
            weight=state.weight,
            fallen=state.fallen,
            cost=sum(fall.price for fall in state.fallen),
            paid=state.paid,
            out=out,
            wagers=state.settled,
            cashed=state.cashed,
        )
        back = [fall.disk for fall in state.fallen]  # THR-17
        if state.shown is not None and state.place is None:
            back.append(state.shown)  # THR-A32: never pushed
        over = len(state.seats) == 1  # THR-20, THR-A30
        state = replace(
            state,
            round=state.round if over else state.round + 1,
            boss=state.seats.next(pusher) if out else pusher,  # THR-18; THR-19, THR-31: the left neighbour
            reserve=tuple(sorted((*state.reserve, *back))),
            history=(*state.history, done),
            shown=None,
            bids=Sealed(()),
            pusher=None,
            weight=False,
            wagers=Sealed(()),
            turn=None,
            place=None,
            fallen=(),
            owed=0,
            paid=0,
            pending=(),
            settled=(),
            cashed=(),
        )
        return replace(state, phase="over") if over else self._begin_round(state)

    # --- what is seen, and how it ended ----------------------------------------------------

    def view(self, state: State, seat: int) -> View:
        """All that `seat` may know: neither others' chips nor face-down wagers (THR-21)."""
        held = state.stakes.held
        bids, wagers = dict(state.bids.committed), dict(state.wagers.committed)
        open_bids = state.bids.complete
        return View(
            options=state.options,
            players=state.seats.n,
            seat=seat,
            living=state.seats.living,
            phase=state.phase,
            round=state.round,
            boss=state.boss,
            pusher=state.pusher,
            chips=held(seat, "big"),
            small=held(seat, "small"),
            cards=tuple((s, held(s, "stay"), held(s, "fall"), held(s, "weight")) for s in state.seats.living),
            on_board=state.on_board,
            reserve=state.reserve,
            shown=state.shown,
            layout=state.layout,
            table=state.table,
            bids=tuple(bids.get(s, -1) if open_bids or s == seat else -1 for s in range(state.seats.n)),
            weight=state.weight,
            wagered=tuple(
                wagers[s].stay + wagers[s].fall if state.wagers.complete and s in wagers else 0
                for s in range(state.seats.n)
            ),
            my_wager=wagers.get(seat),
            fallen=state.fallen,
            owed=state.owed,
            cashed=state.cashed,
            eliminated=state.eliminated,
            history=state.history,
        )

    def winners(self, state: State) -> tuple[int, ...]:
        """The last one in, with or without chips (THR-06, THR-20); nobody when it ended undecided."""
        return state.seats.living if len(state.seats) == 1 else ()

    def places(self, state: State) -> tuple[int, ...]:
        """Those still in are first; who went out later stands higher."""
        return places(state.seats.n, [(seat,) for seat in state.eliminated])

    def tell(self, before: State, event: Event, after: State) -> str:
        """The event in words."""
        return tell.event(before, event, after)

    def show(self, view: View) -> str:
        """The view as text."""
        return tell.view(view)

    def label(self, action: t.Action) -> str:
        """A short word for an action."""
        return tell.label(action)


def _check_falls(fallen: tuple[int, ...], on_board: tuple[int, ...]) -> None:
    if len(set(fallen)) != len(fallen) or not set(fallen) <= set(on_board):
        raise IllegalOutcome(f"disks {fallen} cannot have fallen: on the board are {on_board}")


def _check(layout: tuple[Row, ...], on_board: tuple[int, ...]) -> None:
    """A layout names exactly the disks on the board; an empty one claims nothing."""
    if layout and sorted(row[0] for row in layout) != list(on_board):
        raise IllegalOutcome(f"the layout names {[row[0] for row in layout]}, on the board are {on_board}")
