"""Strength of players from the places they took: win rates with intervals, Bradley-Terry ratings with errors.

Pure functions; knows nothing of games.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec
import numpy as np

Z95 = 1.959963984540054
ELO = 400 / math.log(10)
"""A rating difference of 400 means odds of 10 to 1."""


class Rate(msgspec.Struct, frozen=True):
    """A share with its 95 % interval (Wilson's)."""

    value: float
    low: float
    high: float
    count: float
    of: int


def rate(count: float, of: int) -> Rate:
    """Share `count / of` with Wilson's score interval; a shared win counts as a fraction.

    References
    ----------
    Wilson (1927), J. Am. Stat. Assoc. 22, 209.

    Examples
    --------
    >>> r = rate(8, 10)
    >>> round(r.low, 3), round(r.high, 3)
    (0.49, 0.943)
    """
    if of == 0:
        return Rate(math.nan, 0.0, 1.0, count, of)
    p, z2 = count / of, Z95 * Z95
    middle = (p + z2 / (2 * of)) / (1 + z2 / of)
    half = Z95 / (1 + z2 / of) * math.sqrt(p * (1 - p) / of + z2 / (4 * of * of))
    return Rate(p, max(0.0, middle - half), min(1.0, middle + half), count, of)


class Mean(msgspec.Struct, frozen=True):
    """A mean with its standard error."""

    value: float
    error: float
    of: int


def mean(values: Sequence[float]) -> Mean:
    """Mean and standard error of independent values."""
    n = len(values)
    if n == 0:
        return Mean(math.nan, math.nan, 0)
    spread = float(np.std(values, ddof=1)) / math.sqrt(n) if n > 1 else math.nan
    return Mean(float(np.mean(values)), spread, n)


def ratio(tops: Sequence[float], bottoms: Sequence[float]) -> Mean:
    """Ratio of two sums over games, with the error of a ratio estimate (games are the independent units)."""
    top, bottom = np.asarray(tops, dtype=float), np.asarray(bottoms, dtype=float)
    n, total = len(top), float(bottom.sum())
    if total == 0:
        return Mean(math.nan, math.nan, 0)
    value = float(top.sum()) / total
    rest = top - value * bottom
    error = math.sqrt(n / (n - 1) * float(rest @ rest)) / total if n > 1 else math.nan
    return Mean(value, error, int(total))


class Rating(msgspec.Struct, frozen=True):
    """Strength on the Elo scale, all players' mean is 0, with its standard error."""

    value: float
    error: float


def bradley_terry(games: Sequence[tuple[Sequence[int], Sequence[int]]], players: int) -> list[Rating]:
    """Bradley-Terry strengths from games of two or more.

    Every game counts once for each pair of its players: the better place wins, equal places are half a
    win each.  One virtual draw between every two players keeps the estimate finite.  Errors are of the
    sandwich kind with games as the independent units, because the pairs of one game hang together; where
    one side always wins that says too little, so the error is never below the model's own.

    Parameters
    ----------
    games
        (players, places) of each game: who took part, and their places, 1 is best.
    players
        How many players there are, numbered from 0.

    References
    ----------
    Bradley and Terry (1952), Biometrika 39, 324; Hunter (2004), Ann. Stat. 32, 384.
    """
    won = np.zeros((len(games), players, players))
    for g, (who, places) in enumerate(games):
        for a, place_a in zip(who, places, strict=True):
            for b, place_b in zip(who, places, strict=True):
                if a != b:
                    won[g, a, b] += 1.0 if place_a < place_b else 0.5 if place_a == place_b else 0.0
    score = won.sum(axis=0) + 0.5 * (1 - np.eye(players))
    met = score + score.T
    theta = np.zeros(players)
    centre = np.full((players, players), 1.0 / players)
    for _ in range(100):
        p = _chances(theta)
        slope = (score - met * p).sum(axis=1)
        curve = met * p * (1 - p)
        bend = np.diag(curve.sum(axis=1)) - curve
        step = np.linalg.solve(bend + centre, slope)  # the sum of all strengths stays 0
        theta += np.clip(step, -2.0, 2.0)
        if np.abs(step).max() < 1e-12:
            break
    p = _chances(theta)
    curve = met * p * (1 - p)
    bend = np.linalg.inv(np.diag(curve.sum(axis=1)) - curve + centre)
    slopes = (won - (won + won.transpose(0, 2, 1)) * p).sum(axis=2)
    model = np.diag(bend) - 1.0 / players  # what `centre` put in comes out again
    variance = np.maximum(np.diag(bend @ (slopes.T @ slopes) @ bend), model)
    return [Rating(float(ELO * t), float(ELO * math.sqrt(v))) for t, v in zip(theta, variance, strict=True)]


def _chances(
    theta: np.ndarray[tuple[int], np.dtype[np.float64]],
) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    return np.asarray(1.0 / (1.0 + np.exp(theta[None, :] - theta[:, None])))
