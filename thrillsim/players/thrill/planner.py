"""The player who tries every push in the simulator before he bids.

For the shown disk he simulates a few lanes, the emptiest first.  The costs say
what he would pay, and what somebody who cannot simulate might pay.  He answers
with the bid of the highest value against what the others have bid so far in
this game, on top of the round's mixed solution (`auction`).  As Disk Boss he
compares the disks in the same way; as Max he looks for a place for the weight
when the best push is dear.
"""

from __future__ import annotations

import numpy as np

from thrillsim.errors import InputError, shown
from thrillsim.games.thrill import KIND_OF, PRICE, Place, View, Wager
from thrillsim.games.thrill.placing import Placements
from thrillsim.physics import ENGINES
from thrillsim.players.thrill.auction import Auction, Mixed, fictitious_play, payoffs
from thrillsim.players.thrill.equilibrium import MOST, expected_costs
from thrillsim.players.thrill.forecast import QUICK, Forecast, Tried
from thrillsim.players.thrill.habits import Habits
from thrillsim.players.thrill.inference import chips, past_bids, tie_order
from thrillsim.players.thrill.lanes import lanes, placed

LANES = 6  # tried for the shown disk
GLANCE = 2  # tried for each disk the Boss compares
WEIGHTS = 4  # places tried for the weight
TRUST = 0.85  # how far a forecast is believed; the rest is what pushes usually cost
HABIT = 4.0  # bids seen that weigh as much as the mixed solution


class Planner(Habits):
    """Simulates, then chooses disk, bid, weight, wager and placement by expected value.

    Parameters
    ----------
    engine
        Physics engine for the forecasts, one of `thrillsim.physics.ENGINES`.

    Raises
    ------
    InputError
        If there is no such engine.
    """

    def __init__(self, engine: str = QUICK) -> None:
        if engine not in ENGINES:
            known = ", ".join(ENGINES)
            raise InputError(
                f"the engine in planner@ENGINE must be one of {known}, got {shown(engine)}", key="players"
            )
        self.forecast = Forecast(engine)
        self._plan: Place | None = None

    # --- forecasts -------------------------------------------------------------------

    def tries(self, view: View, disk: int, count: int) -> list[Tried]:
        """Pushes without weight in the emptiest lanes, cheapest first; none where nobody sees the board."""
        if not view.layout:
            return []
        places = [placed(view, disk, y) for y in lanes(view, disk, count)]
        tried = [self.forecast.push(view, disk, place) for place in places]
        return sorted((one for one in tried if one), key=lambda one: one.cost)

    def _value(self, view: View, disk: int, count: int) -> tuple[float, int]:
        """Best chance to win in this round if `disk` is pushed, and the bid that gives it."""
        usual = np.array(expected_costs(view))
        tried = [min(one.cost, MOST) for one in self.tries(view, disk, count)]
        mine = others = usual
        if tried:
            mine = (1 - TRUST) * usual
            mine[tried[0]] += TRUST
            others = (usual + np.bincount(tried, minlength=MOST + 1) / len(tried)) / 2
        order, held = tie_order(view), chips(view)
        me = order.index(view.seat)
        costs = tuple(tuple((mine if seat == view.seat else others).tolist()) for seat in order)
        auction = Auction(tuple(held[seat] for seat in order), costs)
        expected = [
            _habit(mixed, past_bids(view, seat))
            for mixed, seat in zip(fictitious_play(auction, 60), order, strict=True)
        ]
        values = payoffs(auction, me, expected)
        return float(values.max()), int(np.argmax(values))

    # --- decisions -------------------------------------------------------------------

    def choose(self, view: View, disks: list[int], rng: np.random.Generator) -> int:  # noqa: ARG002
        """The disk that leaves this seat the best chance."""
        kinds = {KIND_OF[disk]: disk for disk in reversed(disks)}
        if len(kinds) == 1:
            return disks[0]
        return max(sorted(kinds.values()), key=lambda disk: self._value(view, disk, GLANCE)[0])

    def bid(self, view: View, rng: np.random.Generator) -> int:  # noqa: ARG002
        """The bid of the highest value."""
        self._plan = None
        return 0 if view.shown is None else self._value(view, view.shown, LANES)[1]

    def use_weight(self, view: View, rng: np.random.Generator) -> bool:  # noqa: ARG002
        """Whether the weight makes the best push cheaper by two chips, or by what keeps this seat in."""
        assert view.shown is not None
        best = self.tries(view, view.shown, LANES)
        if not best or best[0].cost < 1:
            return False
        weighted = self._weighted(view, best)
        if weighted is None:
            return False
        saves = best[0].cost - weighted.cost
        if saves >= 2 or (best[0].cost > view.chips >= weighted.cost):
            self._plan = weighted.place
            return True
        return False

    def _weighted(self, view: View, best: list[Tried]) -> Tried | None:
        """The cheapest of a few pushes with the weight on a disk that would fall, or right behind one."""
        assert view.shown is not None
        where = {row[0]: row[1:3] for row in view.layout}
        found: list[Tried] = []
        for one in best[:2]:
            first = [disk for disk in one.fallen if disk in where]
            if not first:
                continue
            lost = max(first, key=lambda disk: PRICE[KIND_OF[disk]])
            x, y = where[lost]
            near = sorted(where, key=lambda disk: (where[disk][0] - x) ** 2 + (where[disk][1] - y) ** 2)
            for disk in near[: WEIGHTS // 2]:
                room = Placements(view.table, view.shown, (disk,)).room(disk)
                place = Place(one.place.x, one.place.y, disk, -0.99 * room)
                tried = self.forecast.push(view, view.shown, place)
                if tried:
                    found.append(tried)
        return min(found, key=lambda one: one.cost, default=None)

    def wager(self, view: View, rng: np.random.Generator) -> Wager:
        """As Max by his own plan, else by how many lanes drop something."""
        if view.pusher == view.seat and view.layout:
            place = self.place(view, rng)
            assert view.shown is not None
            mine = self.forecast.push(view, view.shown, place)
            if mine is not None:
                return Wager(fall=1) if mine.cost else Wager(stay=1)
        return super().wager(view, rng)

    def chance_of_a_fall(self, view: View) -> float:
        """Of the lanes tried, counting the cheapest twice, mixed with what pushes usually do."""
        usual = 1 - expected_costs(view)[0]
        if view.shown is None:
            return usual
        tried = self.tries(view, view.shown, LANES)
        if not tried:
            return usual
        falls = [one.cost > 0 for one in [tried[0], *tried]]
        return 0.3 * usual + 0.7 * sum(falls) / len(falls)

    def place(self, view: View, rng: np.random.Generator) -> Place:
        """The cheapest push found."""
        assert view.shown is not None
        if view.weight:
            return self._plan or super().place(view, rng)
        tried = self.tries(view, view.shown, LANES)
        return tried[0].place if tried else super().place(view, rng)


def _habit(mixed: Mixed, seen: tuple[int, ...]) -> Mixed:
    """The mixed solution, moved towards what this seat has bid so far."""
    counts = np.bincount(np.minimum(seen, len(mixed) - 1), minlength=len(mixed)) if seen else 0.0 * mixed
    total = HABIT * mixed + counts
    return np.asarray(total / total.sum())
