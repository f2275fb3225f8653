"""Random streams: trial k of a study with seed s has its own, one per purpose.

Philox generators keyed by (s, k), one counter range per purpose (Salmon et al. 2011, "Parallel random
numbers: as easy as 1, 2, 3"): nothing is skipped or split, so trials can be drawn in any order, anywhere.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

Purpose = Literal["layout", "warmup", "place", "weight", "noise"]
_PURPOSES: dict[Purpose, int] = {"layout": 0, "warmup": 1, "place": 2, "weight": 3, "noise": 4}


def stream(seed: int, trial: int, purpose: Purpose) -> np.random.Generator:
    """The generator of one trial for one purpose; two of them never overlap within 2¹⁹² draws."""
    return np.random.Generator(np.random.Philox(key=seed | trial << 64, counter=_PURPOSES[purpose] << 192))


def opening_seed(seed: int, trial: int) -> int:
    """The seed of the opening that trial `trial` starts from, below 2⁴⁸."""
    return int(stream(seed, trial, "layout").integers(2**48))
