"""Ratings and intervals against closed forms and known strengths."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from thrillsim.play.ratings import ELO, bradley_terry, mean, rate, ratio


@pytest.mark.parametrize(("count", "of"), [(0, 5), (3, 7), (50, 100), (20, 20), (1, 1000)])
def test_wilson_interval_is_scipys(count: int, of: int) -> None:
    mine = rate(count, of)
    other = stats.binomtest(count, of).proportion_ci(0.95, method="wilson")
    assert (mine.low, mine.high) == pytest.approx((other.low, other.high), abs=1e-12)


def test_mean_and_ratio() -> None:
    values = [1.0, 4.0, 4.0, 7.0]
    assert mean(values).value == 4.0
    assert mean(values).error == pytest.approx(stats.sem(values))
    tops, bottoms = np.array([2.0, 3.0, 1.0]), np.array([4.0, 4.0, 4.0])
    assert ratio(tops, bottoms).value == 0.5
    assert ratio(tops, bottoms).error == pytest.approx(stats.sem(tops / 4))  # equal weights: a plain mean
    assert math.isnan(ratio([0.0], [0.0]).value)


def test_two_players_have_the_log_odds() -> None:
    """With one virtual draw: 30 + 1/2 wins against 10 + 1/2."""
    games = [((0, 1), (1, 2))] * 30 + [((0, 1), (2, 1))] * 10
    first, second = bradley_terry(games, 2)
    assert first.value - second.value == pytest.approx(ELO * math.log(30.5 / 10.5), abs=1e-9)
    assert first.value + second.value == pytest.approx(0, abs=1e-9)
    # var(log odds) = 1/a + 1/b for a binomial; half of it on either side of 0
    assert first.error == pytest.approx(ELO * math.sqrt(1 / 30 + 1 / 10) / 2, rel=0.05)


def test_known_strengths_are_recovered_within_their_errors() -> None:
    truth = np.array([0.8, 0.1, -0.3, -0.6])
    rng = np.random.default_rng(8)
    outside = 0
    for _ in range(40):
        games = []
        for _ in range(300):
            # Gumbel noise gives Plackett-Luce orders, whose pairs are Bradley-Terry
            order = np.argsort(-(truth + rng.gumbel(size=4)))
            places = np.empty(4, dtype=int)
            places[order] = np.arange(1, 5)
            games.append((range(4), places.tolist()))
        found = bradley_terry(games, 4)
        outside += sum(abs(r.value - ELO * t) > 1.96 * r.error for r, t in zip(found, truth, strict=True))
    assert 1 <= outside <= 20  # 160 times 5 % is 8


def test_ties_and_whitewashes_stay_finite() -> None:
    even = bradley_terry([((0, 1, 2), (1, 1, 1))] * 5, 3)
    assert [r.value for r in even] == pytest.approx([0, 0, 0], abs=1e-9)
    white = bradley_terry([((0, 1), (1, 2))] * 50, 2)
    assert math.isfinite(white[0].value)
    assert white[0].value == pytest.approx(400 * math.log10(101) / 2)
    assert white[0].error > 100  # nobody knows by how much the better one is better
