"""Roll and keep with five dice, solved exactly: expectation over all throws.  Uses numpy.

After every throw at least one die is set aside, until all five are (nothing is
ever thrown again once it is set aside).  Only which faces were set aside
matters in the end, so there are 462 positions: the multisets of 0 to 5 faces.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from math import factorial, prod
from typing import Any

import numpy as np

DICE, SIDES = 5, 6
FACES = range(1, SIDES + 1)
Floats = np.ndarray[Any, np.dtype[np.float64]]

POSITIONS: tuple[tuple[int, ...], ...] = tuple(
    kept for size in range(DICE + 1) for kept in combinations_with_replacement(FACES, size)
)
"""Every multiset of 0 to 5 faces, ascending, smaller ones first.

:meta hide-value:
"""
FINAL: tuple[tuple[int, ...], ...] = tuple(kept for kept in POSITIONS if len(kept) == DICE)
"""The 252 results.

:meta hide-value:
"""
_INDEX = {kept: number for number, kept in enumerate(POSITIONS)}


def index(kept: tuple[int, ...]) -> int:
    """The number of a position, the faces in any order."""
    return _INDEX[tuple(sorted(kept))]


def throws(dice: int) -> dict[tuple[int, ...], float]:
    """Every throw of so many dice, ascending, with its probability.

    >>> throws(2)[(1, 1)] * 36, throws(2)[(1, 2)] * 36
    (1.0, 2.0)
    """
    ways = {
        faces: factorial(dice) // prod(map(factorial, Counter(faces).values()))
        for faces in combinations_with_replacement(FACES, dice)
    }
    return {faces: count / SIDES**dice for faces, count in ways.items()}


def expectation(final: Floats) -> Floats:
    """The value of every position when one always sets aside what is best.

    Parameters
    ----------
    final
        The values of the results, in the order of `FINAL`, shape (252,).

    Returns
    -------
    array, shape (462,)
        In the order of `POSITIONS`; the first is the value of a turn before its first throw.
    """
    value = np.empty(len(POSITIONS))
    value[-len(FINAL) :] = final
    for size in reversed(range(DICE)):
        first, following, probability = _level(size)
        value[first : first + len(following)] = value[following].max(axis=2) @ probability
    return value


@lru_cache(maxsize=DICE)
def _level(size: int) -> tuple[int, np.ndarray[Any, np.dtype[np.intp]], Floats]:
    """Positions with `size` dice set aside: first number; what each throw can lead to; its probability."""
    here = [kept for kept in POSITIONS if len(kept) == size]
    coming = throws(DICE - size)
    chosen = [_choices(faces) for faces in coming]
    most = max(map(len, chosen))
    # Throws with fewer choices repeat the first one: that changes no maximum.
    padded = [(*sets, *[sets[0]] * (most - len(sets))) for sets in chosen]
    following = [[[index((*kept, *faces)) for faces in sets] for sets in padded] for kept in here]
    return _INDEX[here[0]], np.array(following), np.array(list(coming.values()))


def _choices(faces: tuple[int, ...]) -> list[tuple[int, ...]]:
    """What can be set aside of a throw: any part of it but nothing."""
    return sorted({part for size in range(1, len(faces) + 1) for part in combinations(faces, size)})
