"""Where Max may put the new disk and the weight: a described set of actions.

Positions are checked against the zone and the sizes in `Table` only; where the
other disks lie is nobody's business here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from thrillsim.games.thrill.types import KIND_OF, KINDS, Place, Table


@dataclass(frozen=True, slots=True)
class Placements:
    """All legal placements of one disk (THR-14, THR-26, THR-A23).

    Parameters
    ----------
    table
        Zone and sizes.
    disk
        The new disk.
    targets
        Disks that may carry the weight; empty when no weight was announced.  The new disk is not among
        them (THR-A19).

    Examples
    --------
    >>> where = Placements(Table(), disk=0, targets=())
    >>> Place(-40.0, 0.0) in where, Place(-10.0, 0.0) in where, Place(-40.0, 0.0, weight=3) in where
    (True, False, False)
    >>> where.parse("-40 12.5")
    Place(x=-40.0, y=12.5, weight=None, dx=0.0, dy=0.0)
    """

    table: Table
    disk: int
    targets: tuple[int, ...]

    @property
    def box(self) -> tuple[float, float, float, float]:
        """x from, x to, y from, y to of the centre: the whole footprint is in the zone (THR-A23)."""
        x0, x1, y0, y1 = self.table.zone
        r = self.table.radii[KIND_OF[self.disk]]
        return x0 + r, x1 - r, y0 + r, y1 - r

    def room(self, target: int) -> float:
        """How far off centre the weight may stand: wholly on its disk, so it touches no other (THR-26)."""
        return max(0.0, self.table.radii[KIND_OF[target]] - self.table.weight_radius)

    def __contains__(self, action: object) -> bool:
        if not isinstance(action, Place):
            return False
        x0, x1, y0, y1 = self.box
        if not (x0 <= action.x <= x1 and y0 <= action.y <= y1):  # not-a-number fails here too
            return False
        if not self.targets:
            return action.weight is None and action.dx == action.dy == 0
        # THR-A18: an announced weight must be put somewhere.
        return action.weight in self.targets and math.hypot(action.dx, action.dy) <= self.room(action.weight)

    def __str__(self) -> str:
        x0, x1, y0, y1 = self.box
        text = f"the {KINDS[KIND_OF[self.disk]]} disk at x in [{x0:g}, {x1:g}], y in [{y0:g}, {y1:g}]"
        if self.targets:
            text += f", the weight wholly on one of the disks {', '.join(map(str, self.targets))}"
        return text

    def sample(self, rng: np.random.Generator) -> Place:
        """A random placement; a weight stands in the middle of its disk."""
        x0, x1, y0, y1 = self.box
        x, y = float(rng.uniform(x0, x1)), float(rng.uniform(y0, y1))
        weight = self.targets[int(rng.integers(len(self.targets)))] if self.targets else None
        return Place(x, y, weight)

    def parse(self, text: str) -> Place:
        """Read ``x y`` or ``x y on DISK`` or ``x y on DISK dx dy``."""
        words = text.replace(",", " ").split()
        try:
            if len(words) == 2:
                place = Place(float(words[0]), float(words[1]))
            elif len(words) in (4, 6) and words[2] == "on":
                dx, dy = map(float, words[4:] or ("0", "0"))
                place = Place(float(words[0]), float(words[1]), int(words[3]), dx, dy)
            else:
                raise ValueError
        except ValueError:
            form = (
                "x y on DISK (a number), or x y on DISK dx dy" if self.targets else "x y (two numbers in mm)"
            )
            raise ValueError(f"write {form}") from None
        if place not in self:
            raise ValueError(f"not allowed; allowed is {self}")
        return place
