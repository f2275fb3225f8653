"""The cautious player: bids by a table, pushes where it looks emptiest, wagers on the size of the disk."""

from __future__ import annotations

import numpy as np

from thrillsim.games.thrill import KIND_OF, View
from thrillsim.players.thrill.habits import Habits

#: Bids by kind (big, medium, small) for 0, 1-2, 3-5, 6 or more chips.
TABLE = ((0, 1, 2, 2), (0, 1, 1, 2), (0, 0, 1, 1))
#: How likely a push of this kind makes something fall.
FALLS = (0.7, 0.55, 0.4)


class Cautious(Habits):
    """Looks at the shown disk and at its own chips, at nothing else."""

    def bid(self, view: View, rng: np.random.Generator) -> int:
        """The table's bid, one less as Boss (ties are his), one more or less now and then."""
        if view.shown is None:
            return 0
        wealth = 0 if view.chips == 0 else 1 if view.chips < 3 else 2 if view.chips < 6 else 3
        bid = TABLE[KIND_OF[view.shown]][wealth] - (view.seat == view.boss)
        return bid + int(rng.choice((-1, 0, 0, 0, 1)))

    def chance_of_a_fall(self, view: View) -> float:
        """By the size of the disk."""
        return 0.5 if view.shown is None else FALLS[KIND_OF[view.shown]]
