"""Thousands of random games of Thrill: nothing is made or lost, one survives, no seat sees too much."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from tests.games import golden
from tests.games.thrill_script import FALL, GAME, NONE, STAY, Hand
from thrillsim.bidding import Sealed
from thrillsim.games.protocol import Act
from thrillsim.games.thrill import ALL_DISKS, KIND_OF, Options, Show, State, Wager
from thrillsim.play.record import encode, header, replay
from thrillsim.play.table import Played, play
from thrillsim.play.worlds import TableWorld
from thrillsim.players.random import Random

#: Every option away from its default at least once.
MODES: tuple[dict[str, Any], ...] = (
    {},
    {"variant": True},
    {"variant": True, "cash_in": "immediate", "settle_order": "wagers_first", "rotation": True},
    {"variant": True, "cash_in": "manual", "small_chip_limit": False, "max_wagers_per_push": 2},
    {"max_rounds": 5, "empty_reserve": "skip_push", "rotation": True},
    {"variant": True, "empty_reserve": "draw", "wager_counts": ("push",), "min_players": 3},
)


def check_state(state: State, options: Options, before: State | None) -> None:
    """Conservation and progress, at every single step."""
    stakes = state.stakes
    small = 15 if options.small_chip_limit else 10**6
    totals = [stakes.total(kind) for kind in ("big", "small", "stay", "fall", "weight")]
    assert totals == [60, small, 12, 12, 12]
    fallen = [fall.disk for fall in state.fallen]
    shown = [] if state.shown is None or state.phase in ("lift", "pay") else [state.shown]
    if state.shown in (*fallen, *state.on_board):
        shown = []
    assert sorted((*state.on_board, *state.reserve, *fallen, *shown)) == list(ALL_DISKS)
    assert len(state.seats) >= 1
    assert state.boss in state.seats or state.phase == "pay"
    if state.pusher is not None:
        assert state.pusher in state.seats
    if before is not None:
        assert len(before.seats) - len(state.seats) in (0, 1)
        if not options.variant:
            chips = [(before.stakes.held(s, "big"), stakes.held(s, "big")) for s in range(state.seats.n)]
            assert all(was >= now for was, now in chips)
        if len(state.history) > len(before.history):
            done = state.history[-1]
            living = [bid for bid in done.bids if bid >= 0]
            assert done.bids[done.pusher] == min(living)
            if done.pusher == done.boss:
                assert living.count(min(living)) == 1
            assert state.boss == (before.seats.next(done.pusher) if done.out else done.pusher)
            assert done.out == (done.paid < done.cost)


def check_game(played: Played) -> None:
    before: State | None = None
    for step in played.steps:
        check_state(step.before, played.options, before)
        if isinstance(step.event, Act):
            assert step.event.seat in GAME.turn(step.before).seats
        before = step.before
    final = played.state
    check_state(final, played.options, before)
    assert GAME.turn(final).kind == "over"
    assert min(played.places) == 1
    if len(final.seats) == 1:
        assert played.winners == final.seats.living
        assert sorted(played.places) == list(range(1, played.players + 1))
    else:
        assert played.options.max_rounds or played.options.empty_reserve == "draw"
        assert played.winners == ()


def random_game(number: int) -> Played:
    options = Options(**MODES[number % len(MODES)])
    players = options.min_players + number // len(MODES) % (7 - options.min_players)
    return play(GAME, options, [Random() for _ in range(players)], number, TableWorld(in_turning=0.3))


def test_random_games_conserve_and_end() -> None:
    for number in range(1200):
        check_game(random_game(number))


@pytest.mark.soak
@pytest.mark.parametrize("block", range(20))
def test_a_hundred_thousand_random_games(block: int) -> None:
    for number in range(5000 * block, 5000 * (block + 1)):
        check_game(random_game(number))


def test_random_games_record_and_replay() -> None:
    for number in range(120):
        played = random_game(number)
        names = ["random"] * played.players
        raw = encode(header(GAME, played.options, names, number, "table"), GAME, played)
        again = replay(raw.splitlines())
        assert again.steps == played.steps
        assert again.state == played.state


def test_the_driver_asks_simultaneous_seats_in_any_order() -> None:
    """THR-09: sealed bids and wagers commute."""
    for order in ((0, 1, 2), (2, 0, 1)):
        hand = Hand(3, variant=True)
        hand.show(0)
        for seat in order:
            hand.do(seat, GAME.legal(hand.state, seat)[seat + 1])  # type: ignore[index]
        hand.announce(False)
        for seat in order:
            hand.do(seat, (STAY, FALL, NONE)[seat])
        if order == (0, 1, 2):
            first = hand.state
    assert hand.state == first


def test_no_leak() -> None:
    """THR-21: states that differ only in what a seat may not know give it equal views."""
    rng = np.random.default_rng(4)
    compared = 0
    for number in range(72):
        played = random_game(number)
        for step in played.steps[:: 1 + number % 3]:
            for seat in step.before.seats.living:
                other = _hidden_changed(step.before, seat, rng)
                compared += other != step.before
                assert GAME.view(other, seat) == GAME.view(step.before, seat)
    assert compared > 1000


def _hidden_changed(state: State, seat: int, rng: np.random.Generator) -> State:
    """The same state as `seat` sees it, with other chips, sealed bids and face-down wagers of the others."""
    stakes = state.stakes
    others = [s for s in state.seats.living if s != seat]
    for kind in ("big", "small"):
        for source in others:
            target = others[int(rng.integers(len(others)))] if others else "pile"
            stakes = stakes.move(kind, source, target, int(rng.integers(stakes.held(source, kind) + 1)))
    bids, wagers = state.bids, state.wagers
    if not bids.complete:
        bids = Sealed(
            bids.waiting, tuple((s, b if s == seat else int(rng.integers(11))) for s, b in bids.committed)
        )
    if wagers.committed and not wagers.complete:
        faces = (NONE, STAY, FALL)
        wagers = Sealed(
            wagers.waiting,
            tuple((s, w if s == seat else faces[int(rng.integers(3))]) for s, w in wagers.committed),
        )
    elif wagers.committed:  # all have decided: how many cards lie there is seen, which ones is not
        wagers = Sealed(
            (), tuple((s, w if s == seat else Wager(w.fall, w.stay)) for s, w in wagers.committed)
        )
    return replace(state, stakes=stakes, bids=bids, wagers=wagers)


def test_views_do_tell_what_may_be_known() -> None:
    """The counterpart of the no-leak test: own chips, own wager and the number of cards are there."""
    hand = Hand(3, variant=True)
    hand.do(0, Show(0))
    hand.bids(1, 2, 3)
    hand.announce(False)
    hand.do(0, STAY)
    assert GAME.view(hand.state, 0).my_wager == STAY
    assert GAME.view(hand.state, 1).wagered == (0, 0, 0)
    hand.do(1, FALL)
    hand.do(2, NONE)
    view = GAME.view(hand.state, 2)
    assert (view.chips, view.bids, view.wagered, view.my_wager) == (7, (1, 2, 3), (1, 1, 0), NONE)
    assert KIND_OF[view.shown or 0] == 0


@pytest.mark.parametrize(
    ("name", "options"),
    [("thrill", Options()), ("thrill_variant", Options(variant=True, cash_in="manual", rotation=True))],
)
def test_playthrough(name: str, options: Options) -> None:
    golden.check(name, golden.playthrough(GAME, options, [Random() for _ in range(3)], 12, TableWorld()))
