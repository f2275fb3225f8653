"""The player who takes the sealed bid for what it is: everybody pays, the lowest pushes.

He counts the others' chips from what everybody saw, estimates what a push costs
from a prior and the pushes of this game, and draws his bid from the mixed
solution of the round (`auction`).  He pushes where it looks emptiest.
"""

from __future__ import annotations

import numpy as np

from thrillsim.games.thrill import KIND_OF, View
from thrillsim.players.thrill.auction import Auction, solve
from thrillsim.players.thrill.habits import Habits
from thrillsim.players.thrill.inference import chips, past_costs, tie_order

#: Prior costs 0, 1, 2, ... of a push by kind (big, medium, small): rough, soon outweighed by what is seen.
PRIOR = (
    (0.35, 0.1, 0.15, 0.2, 0.1, 0.1),
    (0.45, 0.15, 0.2, 0.1, 0.05, 0.05),
    (0.6, 0.2, 0.1, 0.06, 0.02, 0.02),
)
PRIOR_PUSHES = 4  # the prior counts like so many pushes seen
MOST = 9  # costs above this are all the same


def expected_costs(view: View) -> tuple[float, ...]:
    """Probabilities of a push costing 0 .. `MOST` chips."""
    prior = PRIOR[KIND_OF[view.shown]] if view.shown is not None else (1.0,)
    weight = np.zeros(MOST + 1)
    weight[: len(prior)] = np.array(prior) * PRIOR_PUSHES
    for cost in past_costs(view):
        weight[min(cost, MOST)] += 1
    return tuple((weight / weight.sum()).tolist())


class Equilibrium(Habits):
    """Mixed sealed bids."""

    def bid(self, view: View, rng: np.random.Generator) -> int:
        """A draw from the mixed bid of this seat."""
        order, held = tie_order(view), chips(view)
        costs = expected_costs(view)
        auction = Auction(tuple(held[seat] for seat in order), (costs,) * len(order))
        mixed = solve(auction)[order.index(view.seat)]
        return int(rng.choice(len(mixed), p=mixed))

    def chance_of_a_fall(self, view: View) -> float:
        """As the costs are expected."""
        return 1 - expected_costs(view)[0]
