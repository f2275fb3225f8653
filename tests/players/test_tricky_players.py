"""Players of Tricky: the turn solved exactly, the quick model beside the rules, and who beats whom."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import comb

import numpy as np
import pytest
from msgspec.structs import replace

from tests.games.test_tricky_random import MODES, random_game
from tests.games.tricky_script import GAME, Hand
from thrillsim.games.protocol import OVER, Act
from thrillsim.games.tricky import BOARD, Keep, Options, State
from thrillsim.games.tricky.rules import place, placeable
from thrillsim.play.table import play
from thrillsim.players import fivedice
from thrillsim.players.protocol import Player
from thrillsim.players.random import Random
from thrillsim.players.tricky import Heuristic, Solver, offer
from thrillsim.players.turn_model import Turn


def test_throws_are_multinomial() -> None:
    for dice in range(6):
        chances = fivedice.throws(dice)
        assert sum(chances.values()) == pytest.approx(1)
        assert len(chances) == comb(dice + 5, 5)
        counted = Counter(tuple(sorted(faces)) for faces in product(range(1, 7), repeat=dice))
        assert chances == {faces: count / 6**dice for faces, count in counted.items()}
    sixes = [sum(p for faces, p in fivedice.throws(5).items() if faces.count(6) == k) for k in range(6)]
    assert sixes == pytest.approx([comb(5, k) * 5 ** (5 - k) / 6**5 for k in range(6)])


def test_at_least_one_six_in_closed_form() -> None:
    """Whoever has no six yet keeps one die only: 5 + 4 + 3 + 2 + 1 throws of a die have to fail."""
    value = fivedice.expectation(np.array([float(6 in kept) for kept in fivedice.FINAL]))
    assert value[0] == pytest.approx(1 - (5 / 6) ** 15)
    assert value[fivedice.index((3, 1))] == pytest.approx(1 - (5 / 6) ** 6)
    assert value[fivedice.index((1, 6, 2))] == 1


@pytest.mark.parametrize("worth", [(0, 3, 1, 4, 1, 5), (-2, -2, 0, 1, -1, 0)])
def test_expectation_beside_plain_recursion(worth: tuple[int, ...]) -> None:
    """A goal with pairs in it, by a recursion over ordered throws in exact fractions, from three dice on."""

    def result(kept: tuple[int, ...]) -> int:
        return sum(worth[face - 1] * count**2 for face, count in Counter(kept).items())

    @cache
    def exact(kept: tuple[int, ...]) -> Fraction:
        left = 5 - len(kept)
        if not left:
            return Fraction(result(kept))
        total = Fraction(0)
        for throw in product(range(1, 7), repeat=left):
            total += max(
                exact(tuple(sorted((*kept, *part))))
                for size in range(1, left + 1)
                for part in set(combinations(throw, size))
            )
        return total / 6**left

    value = fivedice.expectation(np.array([float(result(kept)) for kept in fivedice.FINAL]))
    for kept in ((1, 2), (4, 4), (2, 6, 6), (1, 3, 5, 5)):
        assert value[fivedice.index(kept)] == pytest.approx(float(exact(kept)), abs=1e-12)


def _placing() -> list[State]:
    """States of random games in which dice are placed, also with few chips and odd boards."""
    return [
        step.before
        for number in range(60)
        for step in random_game(number).steps
        if step.before.phase == "place"
    ]


def test_the_model_follows_the_rules() -> None:
    """Own chips, stock, loans and columns after every single die, and which die can be placed at all."""
    states = _placing()
    assert sum(state.borrowed > 0 for state in states) > 10
    for state in states:
        turn = Turn.of(GAME.view(state, state.active))
        for face in set(state.kept):
            then = turn.place(face)
            if turn.ascending and face not in placeable(state):
                continue
            assert (then is not None) == (face in placeable(state))
            if then is not None:
                after = place(state, face)
                assert (then.own, then.borrowed, then.filled) == (
                    after.chips(state.active),
                    after.borrowed,
                    after.filled,
                )
                arrows = state.options.board[face].arrow
                if min(state.chips(s) for s in state.seats.living) >= arrows:
                    assert then.stock == after.stock


def test_columns_add_up_when_nothing_runs_out() -> None:
    """The short way for rich players is the search over all orders."""
    hand = Hand(2)
    hand.fill(c1=2, c2=3, c3=4, c4=6, c5=5)
    turn = Turn.of(GAME.view(hand.state, 0))
    assert turn.easy
    poor = Turn(turn.board, turn.filled, 10, turn.stock, turn.rich)
    assert not poor.easy
    for kept in fivedice.FINAL[::3]:
        worth = poor.best(kept)[0]
        assert worth == turn.best(kept)[0] or worth < -20  # or ruined


def test_the_rulebook_example_is_worth_three() -> None:
    """TRK-15: he gains 2 and the others pay 1."""
    hand = Hand(3)
    hand.fill(c2=3, c4=3, c5=3)
    turn = Turn.of(GAME.view(hand.state, 0))
    assert turn.best((2, 2, 2, 4, 6))[0] == 3
    assert turn.after((2, 2, 2, 4, 6)) == (0, 1, 0, 4, 3)


def test_order_saves_from_ruin() -> None:
    """TRK-A01: without chips the column that is nearly full comes first; both players see it."""
    hand = Hand(2)
    hand.give(0, 20)
    hand.fill(c5=7)
    hand.take(1, 1, 2, 2, 5)
    rng = np.random.default_rng(0)
    ruined = Hand(2)
    ruined.state = hand.state
    ruined.place(1, 1, 2)
    assert GAME.turn(ruined.state) == OVER  # five chips borrowed, neither the 2 nor the 5 can be paid
    for player in (Heuristic(), Solver()):
        saved = Hand(2)
        saved.state = hand.state
        while saved.state.phase == "place":
            saved.do(player.act(GAME.view(saved.state, 0), GAME.legal(saved.state, 0), rng))
        assert saved.chips == (1, 17)
        assert saved.state.filled == (2, 2, 0, 0, 0)


def test_an_empty_board_is_worth_less_than_a_full_one() -> None:
    empty, full = offer(BOARD, (0, 0, 0, 0, 0)), offer(BOARD, (3, 4, 5, 6, 7))
    assert empty < 0.5
    assert full > 20
    assert offer(BOARD, (3, 4, 5, 6, 6)) < full


def test_what_is_set_aside() -> None:
    """Column 5 lacks its red space only: of five 6s one is enough, others may yet find the 5.  A 5 is kept.

    And four 1s are kept together: they fill column 1, which comes to nothing but costs the others a chip.
    """
    rng = np.random.default_rng(0)
    hand = Hand(2)
    hand.fill(c5=7)
    for throw, solved in (((6, 6, 6, 6, 6), (6,)), ((1, 1, 1, 1, 5), (1, 1, 1, 1, 5))):
        hand.throw(*throw)
        view, legal = GAME.view(hand.state, 0), GAME.legal(hand.state, 0)
        assert Solver().act(view, legal, rng) == Keep(solved)
        assert (5 in throw) == (5 in Heuristic().act(view, legal, rng).faces)
        hand.state = replace(hand.state, phase="throw", thrown=())


def _wins(first: type[Player], second: type[Player], games: int) -> int:
    won = 0
    for number in range(games):
        seat = number % 2
        players = [second(), second()]
        players[seat] = first()
        won += seat in play(GAME, Options(), players, number).winners
    return won


def test_heuristic_beats_random() -> None:
    """Of 30 games at least 24: less than one chance in a thousand between equals."""
    assert _wins(Heuristic, Random, 30) >= 24


@pytest.mark.soak
def test_solver_beats_heuristic() -> None:
    """Of 200 games at least 130: five standard deviations above a half."""
    assert _wins(Solver, Heuristic, 200) >= 130


@pytest.mark.parametrize("options", MODES)
def test_players_finish_games_under_every_option(options: Options) -> None:
    played = play(GAME, options, [Heuristic(), Solver(), Random()], 2)
    assert GAME.turn(played.state) == OVER
    assert any(isinstance(step.event, Act) for step in played.steps)
