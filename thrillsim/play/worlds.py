"""Where a game's physical chance is found out: a table of outcomes, or a physics engine.

A world is a callable (request, rng) -> outcome.  May import games, board and physics.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from thrillsim.games.protocol import sample
from thrillsim.games.thrill.types import (
    KIND_OF,
    Arrange,
    Arranged,
    Lifted,
    Lifting,
    Pushed,
    Pushing,
    Turned,
    Turning,
)

Falls = tuple[int, int, int]
"""How many big, medium and small disks fell in one push."""

#: Falls of sixteen pushes, about as the default board drops them: 4 in 10 cost nothing, mean near 1.8.
RECORDED: tuple[Falls, ...] = (
    *((0, 0, 0),) * 6,
    (0, 0, 1),
    (0, 0, 1),
    (0, 1, 0),
    (0, 1, 0),
    (1, 0, 0),
    (1, 0, 0),
    (0, 1, 1),
    (1, 0, 1),
    (0, 2, 0),
    (1, 1, 0),
)


@dataclass(frozen=True)
class TableWorld:
    """Pushes without physics: each draws one row of a table of recorded falls.

    Which disks of a kind fall is random among those there are; if there are
    fewer, fewer fall.  The board has no positions.

    Parameters
    ----------
    falls
        The table.
    under_weight, at_lift, in_turning
        Probabilities that the weighted disk falls in the push, falls at the lift, and that a disk
        falls in a turn of the board.
    """

    falls: Sequence[Falls] = RECORDED
    under_weight: float = 0.1
    at_lift: float = 0.2
    in_turning: float = 0.2
    name: str = "table"

    def __call__(self, request: Any, rng: np.random.Generator) -> Any:
        """The outcome of a request of Thrill, or of dice and draws."""
        match request:
            case Arrange():
                return Arranged()
            case Turning():
                return Turned()
            case Pushing(disk, place, on_board):
                return self._push(disk, place.weight, on_board, rng)
            case Lifting():
                return Lifted(bool(rng.random() < self.at_lift))
        return sample(request, rng)

    def _push(
        self, new: int, weight: int | None, on_board: tuple[int, ...], rng: np.random.Generator
    ) -> Pushed:
        row = self.falls[int(rng.integers(len(self.falls)))]
        there = [disk for disk in (*on_board, new) if disk != weight]
        fallen: list[int] = []
        for kind, count in enumerate(row):
            like = [disk for disk in there if KIND_OF[disk] == kind]
            fallen += rng.permutation(like)[:count].tolist()
        under = weight is not None and bool(rng.random() < self.under_weight)
        if under and weight is not None:
            fallen.append(weight)
        return Pushed(tuple(fallen), under_weight=under)
