"""Thousands of random games of Skull: discs are only moved, rounds are bounded, no seat sees too much."""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from msgspec.structs import replace

from tests.games import golden
from tests.games.machine import machine
from tests.games.skull_script import GAME
from thrillsim.bidding import Sealed
from thrillsim.games.protocol import OVER, Act
from thrillsim.games.skull import FLOWER, SKULL, Discs, Lay, Options, State
from thrillsim.games.skull.types import ALL_DISCS
from thrillsim.play.record import encode, header, replay
from thrillsim.play.table import Played, play
from thrillsim.players.random import Random


def check_state(state: State) -> None:
    """What holds in every state."""
    for seat, discs in enumerate(state.discs):
        assert tuple(sorted(discs.hand + discs.stack + discs.box)) == ALL_DISCS
        assert 0 <= discs.flipped <= len(discs.stack)
        assert (state.mats[seat] == "gone") == (seat not in state.seats) == (not discs.left)
        assert (state.skulls[seat] == "yes") <= (SKULL in discs.left)
        assert (state.skulls[seat] == "no") <= (SKULL not in discs.left)
        assert len(state.lost[seat]) == len(discs.box)
    if state.bidder is None or state.bidder in state.seats:  # else his discs are gone already
        assert state.flipped <= state.standing <= state.in_play
    others = sum(discs.flipped for seat, discs in enumerate(state.discs) if seat != state.bidder)
    if others:
        assert state.bidder is not None
        assert state.discs[state.bidder].hidden == 0
    assert state.round <= 5 * state.seats.n


def check_step(before: State, after: State) -> None:
    """What holds from one state to the next: bids rise; a failure costs one disc, a success none."""
    check_state(after)
    lost = [len(b.left) - len(a.left) for b, a in zip(before.discs, after.discs, strict=True)]
    won = [b == "plain" and a == "flower" for b, a in zip(before.mats, after.mats, strict=True)]
    if before.phase in ("draw", "box"):
        assert sum(lost) == 1
        assert lost[before.bidder or 0] == 1
        assert not any(won)
    else:
        assert not any(lost)
    if before.phase in ("lay", "bid") and after.standing:
        assert after.standing > before.standing or after.said == before.said
    if any(won) or (after.winner is not None and len(after.seats) > 1):
        assert before.flipped + 1 == before.standing


def check_game(played: Played, every: int = 1) -> None:
    for step in played.steps[::every]:
        check_step(step.before, step.after)
    for step in played.steps:
        if isinstance(step.event, Act):
            assert step.event.seat in GAME.turn(step.before).seats
    assert GAME.turn(played.state) == OVER
    (winner,) = played.winners
    assert winner in played.state.seats
    assert played.state.mats[winner] == "flower" or len(played.state.seats) == 1
    assert played.places == tuple(1 if seat == winner else 2 for seat in range(played.players))


def random_game(number: int) -> Played:
    players = 2 + number % 5
    options = Options(first_player=number % players, min_players=2)
    return play(GAME, options, [Random() for _ in range(players)], number)


def test_random_games_conserve_and_end() -> None:
    """SKU-A13: with two players too.  A game has at most 5 n rounds, whatever is played."""
    for number in range(1000):
        check_game(random_game(number), every=1 if number % 5 == 0 else 7)


@pytest.mark.soak
@pytest.mark.parametrize("block", range(20))
def test_a_hundred_thousand_random_games(block: int) -> None:
    for number in range(5000 * block, 5000 * (block + 1)):
        check_game(random_game(number))


def test_random_games_record_and_replay() -> None:
    for number in range(25):
        played = random_game(number)
        raw = encode(header(GAME, played.options, ["random"] * played.players, number), GAME, played)
        again = replay(raw.splitlines())
        assert again.steps == played.steps
        assert again.state == played.state


def test_no_leak() -> None:
    """SKU-15, SKU-16, SKU-A08, SKU-A15: what is face down, in hand or boxed shows in no other view."""
    rng = np.random.default_rng(3)
    compared = 0
    for number in range(60):
        for step in random_game(number).steps[:: 2 + number % 3]:
            for seat in range(step.before.seats.n):
                other = _hidden_changed(step.before, seat, rng)
                compared += other != step.before
                assert GAME.view(other, seat) == GAME.view(step.before, seat)
                assert GAME.turn(other).seats == GAME.turn(step.before).seats
    assert compared > 1500


def _hidden_changed(state: State, seat: int, rng: np.random.Generator) -> State:
    """The state with the discs of all others shuffled, except those that lie face up."""
    discs = list(state.discs)
    for s, own in enumerate(state.discs):
        if s != seat:
            loose = list(own.hand + own.stack[: own.hidden] + own.box)
            rng.shuffle(loose)  # type: ignore[arg-type]
            hand, hidden = len(own.hand), own.hidden
            discs[s] = Discs(
                tuple(sorted(loose[:hand])),
                (*loose[hand : hand + hidden], *own.stack[hidden:]),
                own.flipped,
                tuple(sorted(loose[hand + hidden :])),
            )
    laying = state.laying
    if laying.waiting:  # who has chosen at all is not seen either
        chosen = {s: (FLOWER, SKULL)[int(rng.integers(2))] for s in state.seats.living if rng.random() < 0.5}
        chosen.pop(seat, None)
        chosen.update({s: face for s, face in laying.committed if s == seat})
        if len(chosen) < len(state.seats):
            waiting = tuple(s for s in state.seats.living if s not in chosen)
            laying = Sealed(waiting, tuple(sorted(chosen.items())))
            changed = replace(state, discs=tuple(discs), laying=laying)
            assert GAME.view(changed, seat) == GAME.view(state, seat)
    return replace(state, discs=tuple(discs))


def test_telling_and_labels_give_nothing_away() -> None:
    """What is told to the table is the same whichever disc was laid, boxed or drawn; labels are unique."""
    for number in range(40):
        for step in random_game(number).steps:
            if isinstance(step.event, Act):
                legal = GAME.legal(step.before, step.event.seat)
                assert isinstance(legal, tuple)
                assert len(set(map(GAME.label, legal))) == len(legal)
                same = [a for a in legal if a.__class__ is step.event.action.__class__ and hasattr(a, "face")]
                tales = {
                    GAME.tell(step.before, Act(step.event.seat, a), GAME.act(step.before, step.event.seat, a))
                    for a in same
                }
                assert len(tales) <= 1


TestMachine = machine(
    GAME,
    st.integers(2, 6).flatmap(
        lambda n: st.tuples(st.integers(0, n - 1).map(lambda first: Options(first, 2)), st.just(n))
    ),
    check_step,
)


class Eager:
    """Lays flowers on flowers, and bids one more than the standing bid as long as it can."""

    def act(self, view: Any, legal: Any, rng: np.random.Generator) -> Any:
        flowers = [action for action in legal if action == Lay(FLOWER)]
        if flowers and len(view.stack) < 2:
            return flowers[0]
        return legal[min(1, len(legal) - 1)] if view.phase == "bid" else legal[-1]


def test_playthrough() -> None:
    """A golden game: three eager players, and one who does anything."""
    text = golden.playthrough(GAME, Options(first_player=1), [Eager(), Random(), Eager(), Eager()], 6)
    golden.check("skull", text)
