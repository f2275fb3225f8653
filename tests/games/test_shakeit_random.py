"""Thousands of random games of Shake It!: dice only move, bets rise, games end, no seat sees too much."""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from msgspec.structs import replace

from tests.games import golden
from tests.games.machine import machine
from tests.games.shakeit_script import GAME, Hand
from thrillsim.bidding import Cup, matching
from thrillsim.games.protocol import OVER, Act
from thrillsim.games.shakeit import STAR, Options, State
from thrillsim.play.record import encode, header, replay
from thrillsim.play.table import Played, play
from thrillsim.players.protocol import make
from thrillsim.players.random import Random

#: Every option away from its default at least once.
MODES: tuple[dict[str, Any], ...] = (
    {},
    {"extension": True},
    {"bet_limit": "dice_in_play", "star_layout": "after_even"},
    {"extension": True, "cocked_prob": 0.2, "start_star_value": 6, "bet_limit": "dice_in_play"},
    {"first_player": 1},
)


def check_state(state: State) -> None:
    """What holds in every state."""
    n = state.seats.n
    owned = [state.dice.held(seat, "die") for seat in range(n)]
    assert state.dice.total("die") == sum(owned) + state.dice.held("graveyard", "die") == 5 * n
    for seat in range(n):
        assert (owned[seat] > 0) == (seat in state.seats)
        if state.phase in ("bet", "lay"):
            assert len(state.cups[seat].all) == owned[seat]
    assert state.round <= 5 * n  # every round takes a die at least


def check_step(before: State, event: Any, after: State) -> None:
    """What holds from one state to the next."""
    check_state(after)
    if isinstance(event, Act):
        assert event.seat == GAME.turn(before).seats[0]
    old, new = before.bidding.standing, after.bidding.standing
    if old and new and len(after.bidding.said) > len(before.bidding.said):
        position = before.bidding.order.position  # type: ignore[attr-defined]
        assert (position(old), old.face) < (position(new), new.face)
    if after.last is not before.last:
        check_dispute(before, after)
    else:
        assert after.dice == before.dice


def check_dispute(before: State, after: State) -> None:
    last = after.last
    assert last is not None
    everything = [face for cup in before.cups for face in cup.all]
    assert last.count == matching(everything, last.bet.face, wild=STAR)
    losers = [seat for seat, lost in enumerate(last.lost) if lost]
    off = abs(last.bet.count - last.count)
    if off:
        (loser,) = losers
        assert loser == (last.bettor if last.bet.count > last.count else last.doubter)
        assert last.lost[loser] == min(off, before.dice.held(loser, "die"))
    else:
        assert losers == [s for s in before.seats.living if s != last.bettor]
        assert {last.lost[s] for s in losers} == {1}
    assert last.winner not in losers
    if after.phase != "over":
        assert after.bidding.turn == last.winner in after.seats


def check_game(played: Played) -> None:
    for step in played.steps:
        check_step(step.before, step.event, step.after)
    assert GAME.turn(played.state) == OVER
    (winner,) = played.winners
    assert played.state.dice.held(winner, "die") > 0
    assert played.places[winner] == 1
    assert all(played.places.count(place) >= 1 for place in played.places)
    assert sum(1 for place in played.places if place == 1) == 1


def random_game(number: int) -> Played:
    players = 2 + number // len(MODES) % 5
    options = Options(**MODES[number % len(MODES)])
    return play(GAME, options, [Random() for _ in range(players)], number)


def test_random_games_conserve_and_end() -> None:
    """SHK-20: a game has at most as many rounds as dice, a round at most as many bets as the track."""
    for number in range(1200):
        check_game(random_game(number))


@pytest.mark.soak
@pytest.mark.parametrize("block", range(20))
def test_a_hundred_thousand_random_games(block: int) -> None:
    for number in range(5000 * block, 5000 * (block + 1)):
        check_game(random_game(number))


@pytest.mark.parametrize("name", ["heuristic", "bayes"])
def test_games_of_thinking_players_keep_the_rules_too(name: str) -> None:
    for number in range(10):
        options = Options(**MODES[number % len(MODES)])
        check_game(play(GAME, options, [make(name, "shakeit") for _ in range(2 + number % 4)], number))


def test_random_games_record_and_replay() -> None:
    for number in range(60):
        played = random_game(number)
        raw = encode(header(GAME, played.options, ["random"] * played.players, number), GAME, played)
        again = replay(raw.splitlines())
        assert again.steps == played.steps
        assert again.state == played.state


def test_no_leak() -> None:
    """SHK-05: other faces under the cups of others change nothing that a seat sees or may do."""
    rng = np.random.default_rng(3)
    compared = 0
    for number in range(100):
        for step in random_game(number).steps[:: 1 + number % 3]:
            for seat in range(step.before.seats.n):
                other = _hidden_changed(step.before, seat, rng)
                compared += other != step.before
                assert GAME.view(other, seat) == GAME.view(step.before, seat)
                assert GAME.turn(other) == GAME.turn(step.before)
                assert GAME.legal(other, seat) == GAME.legal(step.before, seat)
    assert compared > 3000


def _hidden_changed(state: State, seat: int, rng: np.random.Generator) -> State:
    cups = list(state.cups)
    for other, cup in enumerate(cups):
        if other != seat:
            cups[other] = cup.roll(int(f) for f in rng.integers(1, 7, len(cup.hidden)))
    return replace(state, cups=tuple(cups))


def test_views_do_tell_what_may_be_known() -> None:
    """The counterpart of the no-leak test."""
    state = random_game(1).steps[-1].before
    view = GAME.view(state, 0)
    assert view.dice == tuple(state.dice.held(s, "die") for s in range(state.seats.n))
    assert view.hidden == state.cups[0].hidden
    assert view.said == state.bidding.said
    text = GAME.show(view)
    assert "doubt" not in text or view.last
    assert f"Round {state.round}" in text


def test_labels_are_unique() -> None:
    for number in range(40):
        for step in random_game(number).steps:
            if isinstance(step.event, Act):
                legal = GAME.legal(step.before, step.event.seat)
                assert isinstance(legal, tuple)
                assert len(set(map(GAME.label, legal))) == len(legal) == len(set(legal))


def test_legal_bets_in_one_line() -> None:
    hand = Hand(2, first_player=0)
    hand.roll("11111", "22222")
    assert GAME.tell_legal(GAME.legal(hand.state, 0)) == "1x1-5, 1*, 2x1-5, ..., 40x1-5"
    hand.bet("39x4")
    assert GAME.tell_legal(GAME.legal(hand.state, 1)) == "39x5, 20*, 40x1-5, doubt"
    hand.bet("40x4")
    assert GAME.tell_legal(GAME.legal(hand.state, 0)) == "40x5, doubt"


TestMachine = machine(
    GAME,
    st.tuples(st.sampled_from(MODES).map(lambda mode: Options(**mode)), st.integers(2, 6)),
    lambda before, after: check_step(before, None, after),
)


def test_playthrough() -> None:
    players = [make(name, "shakeit") for name in ("bayes", "heuristic", "random")]
    golden.check("shakeit", golden.playthrough(GAME, Options(), players, 3))


def test_playthrough_of_the_extension() -> None:
    players = [make(name, "shakeit") for name in ("heuristic", "bayes")]
    golden.check("shakeit_extension", golden.playthrough(GAME, Options(extension=True), players, 5))


def test_a_cup_with_nothing_in_it_is_a_fresh_one() -> None:
    """SHK-25: at the start of a round all dice are under the cups, none laid out from before."""
    for number in range(20):
        for step in random_game(5 * number + 1).steps:
            if step.after.round > step.before.round:
                assert set(step.after.cups) == {Cup()}
