"""The player who takes any legal action; plays every game."""

from __future__ import annotations

from typing import Any

import numpy as np

from thrillsim.games.protocol import Legal, pick


class Random:
    """Uniform over the legal actions."""

    def act(self, view: Any, legal: Legal, rng: np.random.Generator) -> Any:  # noqa: ARG002 - sees nothing
        """Any legal action, whatever the view."""
        return pick(legal, rng)
