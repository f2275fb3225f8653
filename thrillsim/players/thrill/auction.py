"""The sealed bid as a game of its own: everybody pays his bid, the lowest has to push.

One round is a game in which player i chooses a bid b up to his chips h.  Its
value is the chance to win in the end, taken to be proportional to strength: a
living player with h chips has strength ``h + BASE``, one who is out has 0.

* With two players the game is zero-sum; its matrix is built exactly and solved
  by linear programming (von Neumann).
* With more, by fictitious play (Brown 1951; Robinson 1951): everybody answers
  the others' average behaviour so far, and the averages are the mixed bids.
  Who pushes is exact there; the others' strength enters by its mean.

Players stand in the order in which a tie makes them push; the Boss is the last.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

Mixed = NDArray[np.float64]
"""Probabilities of the bids 0, 1, ..., chips."""

BASE = 1.5  # a player without chips can still win
BOSS = 0.4  # what it is worth to be the next Boss, in chips


@dataclass(frozen=True, slots=True)
class Auction:
    """One round.

    Parameters
    ----------
    chips
        Of the players, first in the tie order first, the Boss last.
    costs
        For each player: probabilities of the push costing 0, 1, 2, ... chips if he has to push.
    """

    chips: tuple[int, ...]
    costs: tuple[tuple[float, ...], ...]

    @property
    def players(self) -> int:
        """How many bid."""
        return len(self.chips)


def strength(chips: ArrayLike) -> Mixed:
    """Strength of a living player."""
    return np.asarray(chips, dtype=float) + BASE


@lru_cache(maxsize=256)
def _after_push(auction: Auction, i: int) -> Mixed:
    """Mean strength of i after a push that he began with 0 .. chips chips; 0 counts for being out."""
    costs = np.array(auction.costs[i])
    left = np.arange(auction.chips[i] + 1)[:, None] - np.arange(len(costs))[None, :]
    return np.asarray(np.where(left >= 0, left + BASE + BOSS, 0.0) @ costs)


def payoffs(auction: Auction, i: int, others: Sequence[Mixed]) -> Mixed:
    """Value of each bid 0 .. chips of player i against the mixed bids of all (his own entry is not read).

    Returns
    -------
    (chips + 1,) array
        Chance to win in the end.
    """
    h = auction.chips[i]
    bids = np.arange(h + 1)
    push = np.ones(h + 1)
    rest, stay_loss = 0.0, 0.0
    for j, mixed in enumerate(others):
        if j == i:
            continue
        # j does not push before i: he bids more, or the same and comes later in the tie order.
        at_least = np.append(np.cumsum(mixed[::-1])[::-1], 0.0)  # P(b_j >= b)
        safe = at_least[np.minimum(bids + (j < i), len(at_least) - 1)]
        push *= safe
        kept = auction.chips[j] - np.arange(len(mixed))
        rest += float(np.dot(mixed, strength(kept)))
        after = _after_push(auction, j)
        low = mixed * np.exp(-np.arange(len(mixed)))  # who pushes has probably bid little
        low /= max(low.sum(), 1e-300)
        stay_loss += float(np.dot(low, strength(kept) - after[kept])) / (len(others) - 1)
    own = strength(h - bids)
    costs = np.array(auction.costs[i])
    left = (h - bids)[:, None] - np.arange(len(costs))[None, :]
    mine = np.where(left >= 0, left + BASE + BOSS, 0.0)
    pushing = (mine / (mine + rest)) @ costs
    staying = own / (own + max(rest - stay_loss, 1e-9))
    return np.asarray(push * pushing + (1 - push) * staying)


def duel_matrix(auction: Auction) -> NDArray[np.float64]:
    """Two players, exactly: chance to win of the first, by (first's bid, second's bid)."""
    h0, h1 = auction.chips
    table = np.zeros((h0 + 1, h1 + 1))
    for a in range(h0 + 1):
        for b in range(h1 + 1):
            pusher = 0 if a <= b else 1  # the Boss, second here, comes last in a tie
            held = [h0 - a, h1 - b]
            win = 0.0
            for cost, p in enumerate(auction.costs[pusher]):
                left = held[pusher] - cost
                mine = left + BASE + BOSS if left >= 0 else 0.0
                share = mine / (mine + held[1 - pusher] + BASE)
                win += p * (share if pusher == 0 else 1 - share)
            table[a, b] = win
    return table


def solve_matrix(table: NDArray[np.float64]) -> tuple[Mixed, float]:
    """Optimal mixed row and value of a zero-sum game, by linear programming."""
    from scipy.optimize import linprog

    rows, columns = table.shape
    limits = np.hstack([-table.T, np.ones((columns, 1))])
    found = linprog(
        np.append(np.zeros(rows), -1.0),
        A_ub=limits,
        b_ub=np.zeros(columns),
        A_eq=np.append(np.ones(rows), 0.0)[None, :],
        b_eq=[1.0],
        bounds=[(0, 1)] * rows + [(None, None)],
    )
    mixed = np.maximum(found.x[:-1], 0.0)
    return mixed / mixed.sum(), float(found.x[-1])


def fictitious_play(auction: Auction, rounds: int = 200) -> list[Mixed]:
    """Average best answers after so many rounds, for everybody."""
    mean = [np.full(h + 1, 1.0 / (h + 1)) for h in auction.chips]
    for t in range(1, rounds + 1):
        best = [int(np.argmax(payoffs(auction, i, mean))) for i in range(auction.players)]
        for i, bid in enumerate(best):
            mean[i] *= 1 - 2 / (t + 2)  # later answers count more: what was learnt first is forgotten
            mean[i][bid] += 2 / (t + 2)
    return mean


def solve(auction: Auction, rounds: int = 200) -> list[Mixed]:
    """The mixed bid of every player."""
    if auction.players == 2:
        table = duel_matrix(auction)
        first, _ = solve_matrix(table)
        second, _ = solve_matrix(1 - table.T)
        return [first, second]
    return fictitious_play(auction, rounds)


def regret(auction: Auction, mixed: Sequence[Mixed], i: int) -> float:
    """What player i could still gain by another bid, in chance to win."""
    value = payoffs(auction, i, mixed)
    return float(value.max() - value @ mixed[i])
