"""Who pays, who cashes in, who wins a wager, who is out.  Pure functions on the state.

The two things to settle in a round, payment and wagers, stand in
``state.pending`` in their order (THR-A10); `run_pending` works them off.
"""

from __future__ import annotations

from msgspec.structs import replace

from thrillsim.bidding import Stakes
from thrillsim.games.thrill.types import (
    BIG_CHIPS,
    CARDS_DEALT,
    CHIPS,
    EXCHANGE,
    KIND_OF,
    PRICE,
    SMALL_CHIPS,
    WAGER_CARDS_EACH,
    WEIGHT_CARDS,
    Fallen,
    Options,
    Place,
    Pushed,
    State,
)

_WITHOUT_LIMIT = 10**6  # small chips when they cannot run out


def deal(options: Options, players: int) -> Stakes:
    """What everybody holds at the start (THR-01, THR-05, THR-23)."""
    held = {"big": CHIPS}
    if options.variant:
        held |= {"stay": CARDS_DEALT, "fall": CARDS_DEALT, "weight": CARDS_DEALT}
    stakes = Stakes.deal(
        {
            "box": {
                "big": BIG_CHIPS,
                "stay": WAGER_CARDS_EACH,
                "fall": WAGER_CARDS_EACH,
                "weight": WEIGHT_CARDS,
            },
            "bank": {"small": SMALL_CHIPS if options.small_chip_limit else _WITHOUT_LIMIT},  # THR-A12
            "pile": {},
            "out": {},
            **{seat: {} for seat in range(players)},
        }
    )
    for seat in range(players):
        for kind, count in held.items():
            stakes = stakes.move(kind, "box", seat, count)
    return stakes


# --- small chips ------------------------------------------------------------------------


def can_cash(state: State, seat: int) -> bool:
    """Whether `seat` could exchange three small chips now (THR-30, THR-A13)."""
    supply = state.stakes.held("pile", "big") + state.stakes.held("box", "big")
    return state.stakes.held(seat, "small") >= EXCHANGE and supply > 0


def cash(state: State, seat: int) -> State:
    """Three small chips to the bank, a big one from the pile or, if that is empty, the box (THR-A13)."""
    source = "pile" if state.stakes.held("pile", "big") else "box"
    stakes = state.stakes.move("small", seat, "bank", EXCHANGE).move("big", source, seat, 1)
    return replace(state, stakes=stakes, cashed=(*state.cashed, seat))  # THR-A35: everybody sees it


def cash_at_once(state: State) -> State:
    """With ``cash_in="immediate"``: everybody who has three small chips exchanges them (THR-A11)."""
    if state.options.variant and state.options.cash_in == "immediate":
        for seat in state.seats.living:
            while can_cash(state, seat):
                state = cash(state, seat)
    return state


def _cash_what_is_missing(state: State, seat: int) -> State:
    """Exactly as many exchanges as payment needs; none if all together would not do (THR-A35)."""
    missing = state.owed - state.stakes.held(seat, "big")
    trial = state
    for _ in range(missing):
        if not can_cash(trial, seat):
            return state
        trial = cash(trial, seat)
    return trial


# --- what falls costs ---------------------------------------------------------------------


def prices(pushed: Pushed, place: Place) -> tuple[Fallen, ...]:
    """What the falls of a push cost: small 1, medium 2, big 3 (THR-16), double under the weight (THR-27)."""
    bill = [Fallen(disk, PRICE[KIND_OF[disk]], "placing") for disk in pushed.placing]  # THR-A17: single
    for disk in pushed.fallen:
        double = pushed.under_weight and disk == place.weight  # THR-A22: only with the weight on it
        bill.append(Fallen(disk, PRICE[KIND_OF[disk]] * (2 if double else 1), "push"))
    return tuple(bill)


def owe(state: State, bill: tuple[Fallen, ...]) -> State:
    """Max owes for these falls; the disks have left the board."""
    gone = {fall.disk for fall in bill}
    return replace(
        state,
        on_board=tuple(disk for disk in state.on_board if disk not in gone),
        fallen=state.fallen + bill,
        owed=state.owed + sum(fall.price for fall in bill),
    )


def run_pending(state: State) -> State:
    """Settle what is pending, in order; stops with phase "pay" where Max has to decide."""
    while state.pending and len(state.seats) > 1:  # THR-A30: with one left it is over at once
        if state.pending[0] == "pay":
            state = _pay(state)
            if state.phase == "pay":
                return state
        else:
            state = _wagers(state)
    return state


def _pay(state: State) -> State:
    seat = state.pusher
    assert seat is not None
    state = cash_at_once(state)
    if state.stakes.held(seat, "big") < state.owed and state.options.variant:
        if state.options.cash_in == "auto_when_needed":
            state = _cash_what_is_missing(state, seat)
        elif state.options.cash_in == "manual" and can_cash(state, seat):
            return replace(state, phase="pay")
    if state.stakes.held(seat, "big") < state.owed:
        return eliminate(state)  # THR-19
    # THR-16, THR-18: paid to the pile; exactly zero left is enough.  THR-A07: his bid is gone already.
    return replace(
        state,
        stakes=state.stakes.move("big", seat, "pile", state.owed),
        paid=state.paid + state.owed,
        owed=0,
        pending=state.pending[1:],
    )


def eliminate(state: State) -> State:
    """Max cannot pay in full and is out; only Max ever can be (THR-19, THR-A09, THR-A26).

    All his chips go to the pile (THR-A08); cards and small chips are given up (THR-31).  What is
    pending for the others stays pending; he himself gets nothing (THR-A10).
    """
    seat = state.pusher
    assert seat is not None
    paid = state.stakes.held(seat, "big")
    stakes = state.stakes.move_all("big", seat, "pile").move_all("small", seat, "bank")
    for card in ("stay", "fall", "weight"):
        stakes = stakes.move_all(card, seat, "out")
    pending = tuple(what for what in state.pending if what != "pay")
    if state.place is None and state.options.variant:
        pending = ("wagers",)  # THR-A32: out by turning the board, the wagers are settled all the same
    return replace(
        state,
        stakes=stakes,
        seats=state.seats.without(seat),
        paid=state.paid + paid,
        eliminated=(*state.eliminated, seat),
        pending=pending,
        owed=0,
    )


def _wagers(state: State) -> State:
    """Wager cards up: a wrong one leaves the game, a right one comes back with a small chip (THR-29)."""
    assert state.pusher is not None
    # THR-A15: which falls count.  What falls while the weight is put down falls in pushing's course.
    counting = {{"placing": "push"}.get(fall.during, fall.during) for fall in state.fallen}
    fell = bool(counting & set(state.options.wager_counts))
    stakes, settled = state.stakes, list(state.settled)
    played = state.wagers.reveal()
    for seat in dict.fromkeys((state.pusher, *state.seats.round_from(state.pusher))):
        if seat not in state.seats or seat not in played:
            continue
        wager = played[seat]
        right, wrong, card = (wager.fall, wager.stay, "stay") if fell else (wager.stay, wager.fall, "fall")
        if not right and not wrong:
            continue
        stakes = stakes.move(card, seat, "out", wrong)
        stakes = stakes.move_up_to("small", "bank", seat, right)  # THR-A12, THR-A34: clockwise from Max
        settled.append((seat, wager.stay, wager.fall, right))
    state = replace(state, stakes=stakes, settled=tuple(settled), pending=state.pending[1:])
    return cash_at_once(state)
