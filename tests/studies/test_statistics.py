"""Intervals against published values, scipy, and their coverage where the truth is known."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from thrillsim.studies.statistics import chance, mean, mean_of_sums, ratio
from thrillsim.studies.summary import Estimate


@pytest.mark.parametrize(
    ("hits", "n", "low", "high"),
    # R. G. Newcombe (1998), Statistics in Medicine 17, 857-872, table I, method 3
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_gives_the_published_intervals(hits: int, n: int, low: float, high: float) -> None:
    estimate = chance(hits, n)
    assert estimate.value == hits / n
    assert (estimate.low, estimate.high) == pytest.approx((low, high), abs=5e-5)


@given(st.integers(1, 100_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_agrees_with_scipy_and_is_symmetric(case: tuple[int, int]) -> None:
    hits, n = case
    estimate, mirrored = chance(hits, n), chance(n - hits, n)
    wanted = stats.binomtest(hits, n).proportion_ci(method="wilson")
    assert (estimate.low, estimate.high) == pytest.approx((wanted.low, wanted.high), abs=1e-12)
    assert estimate.low <= estimate.value <= estimate.high
    assert (estimate.low, estimate.high) == pytest.approx((1 - mirrored.high, 1 - mirrored.low), abs=1e-12)


@pytest.mark.parametrize("n", [40, 400])
def test_wilson_covers_the_truth_as_often_as_it_says(n: int) -> None:
    truth = np.linspace(0.05, 0.95, 181)
    hits = np.arange(n + 1)
    bounds = [chance(int(k), n) for k in hits]
    covers = np.array([[e.low <= p <= e.high for e in bounds] for p in truth])
    coverage = (covers * stats.binom.pmf(hits, n, truth[:, None])).sum(axis=1)  # exact, no simulation
    assert coverage.mean() == pytest.approx(0.95, abs=0.004)
    assert coverage.min() > 0.91


@given(st.lists(st.integers(0, 60), min_size=5, max_size=200))
def test_mean_agrees_with_scipy(values: list[int]) -> None:
    estimate = mean(values)
    assert estimate.value == pytest.approx(np.mean(values), abs=1e-12)
    if len(set(values)) == 1:
        assert estimate.low is None
        assert estimate.high is None
        return
    low, high = stats.t.interval(0.95, len(values) - 1, np.mean(values), stats.sem(values))
    assert (estimate.low, estimate.high) == pytest.approx((max(low, 0.0), high), rel=1e-9)


def test_mean_covers_the_truth_as_often_as_it_says() -> None:
    rng = np.random.default_rng(5)
    samples = rng.poisson(1.4, (4000, 100))
    estimates = [mean_of_sums(100, int(s.sum()), int((s * s).sum())) for s in samples]
    coverage = np.mean([e.low <= 1.4 <= e.high for e in estimates])
    # binomial standard deviation of the share: 0.0034
    assert coverage == pytest.approx(0.95, abs=0.012)


def test_the_share_of_equal_wholes_is_a_mean() -> None:
    parts = [0, 2, 0, 0, 1, 3, 0, 1]
    share, each = ratio(parts, [15] * 8), mean(parts)
    assert (share.value, share.low, share.high) == pytest.approx(
        (each.value / 15, each.low / 15, each.high / 15)
    )


def test_the_share_covers_the_truth_where_disks_fall_together() -> None:
    # All disks of a push fall or none, each push with chance 0.3, from 4 to 8 disks in play.
    rng = np.random.default_rng(6)
    covered, naive = [], []
    for _ in range(2000):
        wholes = rng.integers(4, 9, 120)
        parts = wholes * (rng.random(120) < 0.3)
        share = ratio(parts.tolist(), wholes.tolist())
        covered.append(share.low <= 0.3 <= share.high)
        disks = chance(int(parts.sum()), int(wholes.sum()))
        naive.append(disks.low <= 0.3 <= disks.high)
    assert np.mean(covered) == pytest.approx(
        0.95, abs=0.017
    )  # standard deviation 0.005, and t is approximate
    assert np.mean(naive) < 0.7  # what counting disks one by one would claim


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=40))
def test_a_share_lies_in_its_interval_between_0_and_1(pairs: list[tuple[int, int]]) -> None:
    share = ratio([min(p) for p in pairs], [max(p) for p in pairs])
    if share.value is not None and share.low is not None:
        assert 0 <= share.low <= share.value <= share.high <= 1


def test_the_interval_shrinks_like_one_over_the_root() -> None:
    narrow, wide = mean([0, 1, 2, 3] * 2500), mean([0, 1, 2, 3] * 25)
    ratio = (wide.high - wide.low) / (narrow.high - narrow.low)
    assert ratio == pytest.approx(10, rel=0.02)


def test_nothing_is_claimed_from_nothing() -> None:
    assert chance(0, 0).value is None
    assert mean([]).value is None
    assert mean([3, 4, 3, 3]).low is None
    assert mean([2] * 50) == Estimate(2.0, None, None, 50)
    with pytest.raises(ValueError, match=r"0\.\.4"):
        chance(5, 4)
