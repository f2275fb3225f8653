"""The random streams: the counters they claim, no two alike, uniform and unrelated over the trials."""

from __future__ import annotations

import numpy as np
from scipy import stats

from thrillsim.studies.streams import opening_seed, stream

PURPOSES = ("layout", "warmup", "place", "weight", "noise")


def test_key_and_counter_are_seed_trial_and_purpose() -> None:
    for number, purpose in enumerate(PURPOSES):
        raw = np.random.Philox(
            key=np.array([11, 2**40], dtype=np.uint64), counter=np.array([0, 0, 0, number], dtype=np.uint64)
        )
        assert np.array_equal(stream(11, 2**40, purpose).random(5), np.random.Generator(raw).random(5))


def test_streams_repeat_and_no_two_are_alike() -> None:
    keys = [(s, k, p) for s in (0, 1, 2**53) for k in (0, 1, 2, 10**11) for p in PURPOSES]
    first = [tuple(stream(*key).random(4)) for key in keys]
    assert first == [tuple(stream(*key).random(4)) for key in reversed(keys)][::-1]
    assert len(set(first)) == len(keys)
    assert len({opening_seed(1, k) for k in range(1000)}) == 1000


def test_neighbouring_trials_and_seeds_are_uniform_and_uncorrelated() -> None:
    by_trial = np.array([stream(1, k, "place").random() for k in range(4000)])
    by_seed = np.array([stream(s, 1, "place").random() for s in range(4000)])
    for draws in (by_trial, by_seed):
        assert stats.kstest(draws, "uniform").pvalue > 0.01
        # standard deviation of each is 1 / sqrt(4000) = 0.016
        assert abs(np.corrcoef(draws[1:], draws[:-1])[0, 1]) < 0.05
    other = np.array([stream(1, k, "noise").random() for k in range(4000)])
    assert abs(np.corrcoef(by_trial, other)[0, 1]) < 0.05
