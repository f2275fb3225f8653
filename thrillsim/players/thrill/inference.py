"""What an attentive player knows of the others' chips: everybody's bids and payments were seen (THR-21)."""

from __future__ import annotations

from thrillsim.games.thrill import View
from thrillsim.games.thrill.types import CHIPS


def chips(view: View) -> tuple[int, ...]:
    """Big chips of every seat, counted from what was seen publicly; 0 for seats that are out.

    Exact for somebody who remembers everything: ten at the start, less all bids and payments, plus one
    for every exchange.
    """
    held = [CHIPS] * view.players
    for done in view.history:
        for seat, bid in enumerate(done.bids):
            held[seat] -= max(bid, 0)
        held[done.pusher] -= done.paid
        for seat in done.cashed:
            held[seat] += 1
    for seat in view.cashed:
        held[seat] += 1
    if view.pusher is not None:  # this round's bids are on the table
        for seat, bid in enumerate(view.bids):
            held[seat] -= max(bid, 0)
        held[view.pusher] -= sum(fall.price for fall in view.fallen) - view.owed
    held[view.seat] = view.chips
    return tuple(count if seat in view.living else 0 for seat, count in enumerate(held))


def tie_order(view: View) -> tuple[int, ...]:
    """The living seats in the order in which a tie makes them push: left of the Boss first, the Boss last."""
    n = view.players
    return tuple(sorted(view.living, key=lambda seat: (seat - view.boss - 1) % n))


def past_bids(view: View, seat: int) -> tuple[int, ...]:
    """What a seat has bid so far."""
    return tuple(done.bids[seat] for done in view.history if done.bids[seat] >= 0)


def past_costs(view: View) -> tuple[int, ...]:
    """What the pushes of this game have cost."""
    return tuple(
        sum(fall.price for fall in done.fallen if fall.during != "rotation")
        for done in view.history
        if done.shown is not None
    )
