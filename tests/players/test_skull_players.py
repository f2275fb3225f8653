"""Players of Skull: chances by counting, guesses that fit what was seen, the quick model beside the rules."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest

from tests.games.skull_script import GAME, Hand
from tests.games.test_skull_random import random_game
from thrillsim.games.protocol import OVER
from thrillsim.games.skull import SKULL, Bid, Box, Flip, Lay, Options, Pass, State
from thrillsim.play.table import play
from thrillsim.players import skull_model as model
from thrillsim.players.protocol import Player
from thrillsim.players.random import Random
from thrillsim.players.skull import Heuristic, Sampler, world
from thrillsim.players.skull_model import LAY_FLOWER, LAY_SKULL, PASS, Stack


@pytest.mark.parametrize("need", range(5))
def test_success_by_counting(need: int) -> None:
    """One skull among four discs each, all places alike: the best plan, over all places."""
    stacks = (1, 2, 3)
    plans = [plan for plan in product(*(range(n + 1) for n in stacks)) if sum(plan) == need]
    places = list(product(range(4), repeat=3))

    def safe(plan: tuple[int, ...]) -> int:
        return sum(all(at >= n for at, n in zip(where, plan, strict=True)) for where in places)

    best = max(map(safe, plans)) / len(places)
    assert model.success(need, [Stack(n, 0.25) for n in stacks]) == pytest.approx(best)


def test_success_of_what_cannot_be() -> None:
    assert model.success(3, [Stack(1, 0.25), Stack(1, 0.25)]) == 0
    assert model.success(1, [Stack(1, 1.0)]) == 0
    assert model.success(2, [Stack(2, 0.0), Stack(1, 0.9)]) == 1


def test_has_skull() -> None:
    """SKU-15: drawn blindly from 4, then from 3, a skull is left with 3/4 and 2/3 of that."""
    hand = Hand(3)
    assert [model.has_skull(seen) for seen in GAME.view(hand.state, 0).table] == [1, 1, 1]
    for chance in (3 / 4, 2 / 4):
        hand.round("FFS", (3,), "AC")
        hand.drawn("F")
        assert model.has_skull(GAME.view(hand.state, 1).table[0]) == pytest.approx(chance)


def _stream(seed: int) -> model.Dice:
    rng = np.random.default_rng(seed)
    return lambda: float(rng.random())


def test_guesses_fit_what_was_seen() -> None:
    """Own discs as they are; others: so many discs, at most one skull, none or one where it is known."""
    dice = _stream(1)
    for number in range(40):
        for step in random_game(number).steps:
            for seat in step.before.seats.living[:2]:
                view = GAME.view(step.before, seat)
                guess = model.guess(view, dice)
                for s, (seen, discs) in enumerate(zip(view.table, guess, strict=True)):
                    assert len(discs) == seen.left - len(seen.shown)
                    skulls = sum(discs) + (SKULL in seen.shown)
                    assert skulls <= 1
                    assert seen.skull == "open" or skulls == (seen.skull == "yes")
                    if s == seat:
                        assert discs == _true_discs(step.before, s)


def test_guesses_are_as_likely_as_they_should_be() -> None:
    """B showed a flower; its skull is under it or among two in the hand, a laid disc counting twice."""
    hand = Hand(3)
    hand.first("FFF")
    hand.lay("FFS")
    hand.say(5, None, None)
    hand.flip("AAB")
    view = GAME.view(hand.state, 0)
    dice = _stream(2)
    where = Counter(model.guess(view, dice)[1].index(True) for _ in range(4000))
    assert [where[i] / 4000 for i in range(3)] == pytest.approx([0.5, 0.25, 0.25], abs=0.03)


def _true_discs(state: State, seat: int) -> list[bool]:
    discs = state.discs[seat]
    return [face == SKULL for face in (*discs.stack[: discs.hidden], *discs.hand)]


def test_the_model_follows_the_rules() -> None:
    """Every lay, bid and pass of random games leads to the same table, and to a challenge when it should."""
    compared = 0
    for number in range(60):
        for step in random_game(number).steps:
            before, after = step.before, step.after
            if before.phase not in ("lay", "bid"):
                continue
            seat, action = before.turn, step.event.action
            match action:
                case Lay(face):
                    what = LAY_SKULL if face == SKULL else LAY_FLOWER
                case Bid(count):
                    what = count
                case _:
                    what = PASS
            known = [_true_discs(before, s) for s in range(before.seats.n)]
            trial = world(GAME.view(before, seat), known).copy()
            assert trial.do(seat, what) == (after.phase == "flip")
            then = world(GAME.view(after, seat), [_true_discs(after, s) for s in range(after.seats.n)])
            if after.phase == "flip":
                trial.turn = then.turn
            assert trial == then
            compared += 1
    assert compared > 1000


def test_a_challenge_ends_at_the_skull_that_is_met() -> None:
    hand = Hand(3)
    hand.first("SFF")
    hand.lay("FFS")
    hand.say(1)
    for bid, met in ((1, {-1}), (2, {0})):
        trial = world(GAME.view(hand.state, 0), [_true_discs(hand.state, s) for s in range(3)])
        trial.standing = bid
        assert {trial.challenge(_stream(seed)) for seed in range(20)} == met
    trial.bidder, trial.standing = 1, 4
    assert trial.challenge(_stream(0)) in (0, 2)


def test_worth_is_a_share() -> None:
    discs, mats = (4, 1, 0, 2), (False, True, False, False)
    shares = [model.worth(seat, discs, mats) for seat in range(4)]
    assert sum(shares) == pytest.approx(1)
    assert shares[2] == 0
    assert model.worth(1, (0, 3, 0), (True, False, False)) == 1


@pytest.mark.parametrize("player", [Heuristic, Sampler])
def test_plain_cases(player: type[Player]) -> None:
    """Nobody bids all discs on his own skull; others' discs come last, a flower stays."""
    rng = np.random.default_rng(0)

    def asked(hand: Hand) -> object:
        seat = GAME.turn(hand.state).seats[0]
        return player().act(GAME.view(hand.state, seat), GAME.legal(hand.state, seat), rng)

    hand = Hand(3)
    hand.first("SFF")
    hand.lay("FFF")
    hand.say(2, 5)
    hand.say(None)
    assert asked(hand) == Pass()  # its skull lies there, and nobody could raise a bid of all six
    hand = Hand(3)
    hand.round("FFS", (3,), "AC")
    hand.drawn("S")
    hand.round("FFS", (3,), "AC")
    hand.drawn("F")
    assert hand.left == (2, 4, 4)
    hand.round("FSF", (2, None, None), "A")
    assert asked(hand) in (Flip(1), Flip(2))
    hand = Hand(3)
    for face in "FF":
        hand.round("SFF", (3,), "A")
        hand.box(face)
    hand.round("SFF", (3,), "A")
    assert asked(hand) == Box(SKULL)


def _wins(first: type[Player], second: type[Player], games: int) -> int:
    won = 0
    for number in range(games):
        seats: list[Player] = [second() for _ in range(3)]
        seats[number % 3] = first()
        won += number % 3 in play(GAME, Options(), seats, number).winners
    return won


def test_sampler_beats_two_heuristics() -> None:
    """Of 18 games at least 12, where 6 would be its share: three standard deviations."""
    assert _wins(Sampler, Heuristic, 18) >= 12


def test_heuristic_beats_two_random_players() -> None:
    """Of 150 games at least 68, where 50 would be its share: three standard deviations."""
    assert _wins(Heuristic, Random, 150) >= 68


@pytest.mark.parametrize("players", [2, 4, 6])
def test_players_finish_games(players: int) -> None:
    kinds: tuple[type[Player], ...] = (Heuristic, Sampler, Random)
    for seed in range(2):
        seats = [kinds[seat % 3]() for seat in range(players)]
        assert GAME.turn(play(GAME, Options(min_players=2), seats, seed).state) == OVER
