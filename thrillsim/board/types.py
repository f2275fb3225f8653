"""What is a number, and array aliases, shared by the board room and those above."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from thrillsim.toml import WHOLE

FloatArray = NDArray[np.float64]
_OTHERS = (float, np.integer, np.floating)  # asked for several times a push


def is_number(value: object) -> bool:
    """Whether a value is a number to reckon with: no truth value, no integer too long for a float."""
    if isinstance(value, int):
        return not isinstance(value, bool) and abs(value) <= WHOLE
    return isinstance(value, _OTHERS)
