"""Thousands of random games of Tricky: always 130 chips, columns without holes, an end in reach."""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from tests.games import golden
from tests.games.machine import machine
from tests.games.tricky_script import GAME
from thrillsim.games.protocol import OVER, Act, Roll, Rolled, pick
from thrillsim.games.tricky import Board, Column, Options, Place, State
from thrillsim.games.tricky.types import CHIP, column
from thrillsim.play.record import encode, header, replay
from thrillsim.play.table import Played, play
from thrillsim.players.random import Random

SMALL = Board(
    (Column("GR", 3, first=2), Column("YYR", 1), Column("YR", 10), *[Column("GGYGGGR", 2, first=5)] * 2)
)
#: Every option away from its default at least once.
MODES: tuple[Options, ...] = (
    Options(),
    Options(first_player=1, order="ascending"),
    Options(end_check="any", empty_stock="skip"),
    Options(board=SMALL, empty_stock="skip"),
)


def check_state(state: State) -> None:
    """What holds in every state."""
    assert state.stakes.total(CHIP) == 130
    for face, filled in enumerate(state.filled, 1):
        line = state.options.board[face]
        assert 0 <= filled < len(line.spaces)  # never rests with its red space filled
        assert state.stakes.held(column(face), CHIP) == line.chips(filled)
    assert 0 <= state.borrowed <= 5
    assert len(state.kept) + len(state.thrown) <= 5
    if state.options.board == Options().board:
        assert sum(state.stakes.held(column(face), CHIP) for face in range(1, 6)) <= 27
    if state.phase == "over" and state.options.end_check == "active":
        assert state.chips(state.active) == 0


def check_step(before: State, after: State) -> None:
    """What holds from one state to the next: only the active player gains; nobody goes on with 0."""
    check_state(after)
    others = [s for s in range(before.seats.n) if s != before.active]
    assert all(after.chips(s) <= before.chips(s) for s in others)
    if after.turns > before.turns:
        assert after.active == (before.active + 1) % before.seats.n
        assert after.chips(before.active) > 0
        assert after.borrowed == 0


def check_game(played: Played, every: int = 1) -> None:
    for step in played.steps[::every]:
        check_step(step.before, step.after)
    for step in played.steps:
        if isinstance(step.event, Act):
            assert step.event.seat == step.before.active
    assert GAME.turn(played.state) == OVER
    chips = [played.state.chips(s) for s in range(played.players)]
    assert played.winners == tuple(s for s in range(played.players) if chips[s] == max(chips))
    assert [sorted(chips, reverse=True)[place - 1] for place in played.places] == chips


def random_game(number: int) -> Played:
    players = 2 + number // len(MODES) % 4
    return play(GAME, MODES[number % len(MODES)], [Random() for _ in range(players)], number)


def test_random_games_conserve_and_end() -> None:
    for number in range(1000):
        check_game(random_game(number), every=1 if number % 8 < 4 else 11)


@pytest.mark.soak
@pytest.mark.parametrize("block", range(20))
def test_a_hundred_thousand_random_games(block: int) -> None:
    for number in range(5000 * block, 5000 * (block + 1)):
        check_game(random_game(number))


def test_random_games_record_and_replay() -> None:
    for number in range(24):
        played = random_game(number)
        raw = encode(header(GAME, played.options, ["random"] * played.players, number), GAME, played)
        again = replay(raw.splitlines())
        assert again.steps == played.steps
        assert again.state == played.state


def test_throws_that_end_every_game() -> None:
    """One player throws ones only, the others sixes only: it ends soon, from anywhere, whatever they do."""
    rng = np.random.default_rng(5)
    for number in range(60):
        steps = random_game(number).steps
        state: State = steps[int(rng.integers(len(steps)))].before
        start = state.turns
        while GAME.turn(state) != OVER:
            request = GAME.chance(state)
            if GAME.turn(state).kind == "chance":
                assert isinstance(request, Roll)
                face = 1 if state.active == 0 else 6
                state = GAME.resolve(state, Rolled(((face,) * request.dice[0],)))
            else:
                state = GAME.act(state, state.active, pick(GAME.legal(state, state.active), rng))
        # column 1 is emptied at least every other turn of A, and nobody has more than 130 chips
        assert state.turns - start <= 2 * 130 * state.seats.n


def test_nothing_is_hidden() -> None:
    """Every seat sees the same, whoever is asked; and nobody else is ever asked."""
    for number in range(12):
        for step in random_game(number).steps:
            views = {
                GAME.show(GAME.view(step.before, seat)).replace(f"You are {'ABCDE'[seat]}", "")
                for seat in range(2)
            }
            assert len(views) == 1


def test_labels_are_unique() -> None:
    for number in range(12):
        for step in random_game(number).steps:
            legal: Any = GAME.legal(step.before, step.before.active)
            assert len(set(map(GAME.label, legal))) == len(legal)


@given(st.lists(st.integers(1, 6), min_size=5, max_size=5), st.integers(0, 3), st.data())
def test_order_of_dice_changes_nothing_without_borrowing(
    faces: list[int], mode: int, data: st.DataObject
) -> None:
    """TRK-A01: with enough chips on all sides every order of placing leads to the same state."""
    state = GAME.initial(MODES[mode], 3)
    while state.turns < 2 + mode:  # some chips on the board first
        state = _turn(state, [1, 2, 3, 4, 5], lambda legal: legal[0])
    once = _turn(state, faces, lambda legal: legal[0])
    again = _turn(state, faces, lambda legal: data.draw(st.sampled_from(legal)))
    assert once == again


def _turn(state: State, faces: list[int], choose: Any) -> State:
    turns = state.turns
    state = GAME.resolve(state, Rolled((tuple(faces),)))
    state = GAME.act(state, state.active, GAME.legal(state, state.active)[-1])  # type: ignore[index]
    while state.turns == turns and GAME.turn(state) != OVER:
        action = choose(GAME.legal(state, state.active))
        assert isinstance(action, Place)
        state = GAME.act(state, state.active, action)
    return state


TestMachine = machine(GAME, st.tuples(st.sampled_from(MODES), st.integers(2, 5)), check_step)


def test_playthrough() -> None:
    """A golden game of two random players."""
    golden.check("tricky", golden.playthrough(GAME, Options(), [Random(), Random()], 3))
