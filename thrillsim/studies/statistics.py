"""Estimates with confidence intervals.  Pure functions of counts and whole numbers; scipy.

Costs and counts are whole numbers, so sums are taken in Python integers: exact, in any order.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from statistics import NormalDist

from thrillsim.studies.summary import Estimate

CONFIDENCE = 0.95
FEWEST = 5  #: values that an interval for a mean needs
METHODS = {
    "chance": "Wilson score interval",
    "mean": "Student t interval",
    "share": "ratio of two means, Student t interval of its linearised error over pushes",
}


def chance(successes: int, n: int, confidence: float = CONFIDENCE) -> Estimate:
    """Estimate a probability from `successes` in `n` independent trials, with its Wilson score interval.

    E. B. Wilson (1927), J. Am. Stat. Assoc. 22, 209-212, without continuity correction.

    Examples
    --------
    >>> chance(10, 20)
    Estimate(value=0.5, low=0.29929800819821..., high=0.70070199180178..., n=20)
    >>> chance(0, 0)
    Estimate(value=None, low=None, high=None, n=0)
    """
    if not 0 <= successes <= n:
        raise ValueError(f"successes must lie in 0..{n}, got {successes}")
    if n == 0:
        return Estimate(None, None, None, 0)
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    p = successes / n
    middle = p + z * z / (2 * n)
    half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    # At the ends the bound is 0 or 1 exactly; rounding must not say otherwise.
    low = 0.0 if successes == 0 else (middle - half) / scale
    high = 1.0 if successes == n else (middle + half) / scale
    return Estimate(p, low, high, n)


def mean(values: Iterable[int], confidence: float = CONFIDENCE) -> Estimate:
    """Estimate the expectation of whole numbers >= 0, with its Student t interval (cut off at 0).

    No interval below five values (t would span dozens of chips), nor where all are equal: the sample then
    says nothing about the spread.

    Examples
    --------
    >>> mean([0, 1, 2, 5, 2])
    Estimate(value=2.0, low=0.0, high=4.322940635..., n=5)
    >>> mean([1, 1, 1])
    Estimate(value=1.0, low=None, high=None, n=3)
    """
    numbers = [int(v) for v in values]
    return mean_of_sums(len(numbers), sum(numbers), sum(v * v for v in numbers), confidence)


def mean_of_sums(n: int, total: int, squares: int, confidence: float = CONFIDENCE) -> Estimate:
    """The same as `mean` from the number of values, their sum and the sum of their squares."""
    if n == 0:
        return Estimate(None, None, None, 0)
    value = total / n
    spread = n * squares - total * total  # n (n - 1) times the variance, exact
    if n < FEWEST or spread == 0:
        return Estimate(value, None, None, n)
    error = math.sqrt(spread / (n * n * (n - 1)))
    half = _quantile(n, confidence) * error
    return Estimate(value, max(0.0, value - half), value + half, n)


def ratio(parts: Sequence[int], wholes: Sequence[int], confidence: float = CONFIDENCE) -> Estimate:
    """Estimate sum(parts) / sum(wholes) over independent pushes, 0 <= part <= whole in each.

    What happens within one push may hang together as it likes: the interval is that of the mean of
    part - ratio * whole over pushes (W. G. Cochran, Sampling Techniques, 1977, section 6.3), which
    treating every disk as a trial of its own would make too narrow.

    Examples
    --------
    >>> ratio([0, 2, 0, 0, 1, 3], [15, 15, 14, 15, 15, 15])
    Estimate(value=0.0674..., low=0.0..., high=0.1561..., n=6)
    """
    whole = sum(wholes)
    if whole == 0:
        return Estimate(None, None, None, 0)
    part, n = sum(parts), len(parts)
    # sum of squared residuals times whole², in whole numbers; the residuals themselves sum to 0
    spread = sum((p * whole - part * w) ** 2 for p, w in zip(parts, wholes, strict=True))
    if n < FEWEST or spread == 0:
        return Estimate(part / whole, None, None, n)
    error = math.sqrt(n * spread / (n - 1)) / whole**2
    half = _quantile(n, confidence) * error
    return Estimate(part / whole, max(0.0, part / whole - half), min(1.0, part / whole + half), n)


def _quantile(n: int, confidence: float) -> float:
    from scipy import special  # slow to import, and a worker never needs it

    return float(special.stdtrit(n - 1, 0.5 + confidence / 2))
