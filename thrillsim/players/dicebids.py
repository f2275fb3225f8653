"""Bids on hidden dice: the odds, what bids betray, and two ways to decide.  Knows no game by name.

May import bidding.  Dice have six faces; one face is wild: it counts as whatever was bid, and when it is bid
itself only it counts.  `prudent` knows binomials, `sharp` weighs every hand an opponent may hold by how well
his bids fit it (Bayes), and answers the neighbour as `prudent` would play him.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from thrillsim.bidding import Bid, matching

FACES = (1, 2, 3, 4, 5, 6)
SAFE = 0.65  #: `prudent` bids as boldly as this probability of being right allows
KEEN = 2.0  #: how much likelier a player bids a face for each die more that he holds of it (log scale)


def odds(face: int, wild: int) -> float:
    """The probability that one die counts for a bid on `face`: 1/3, or 1/6 for the wild face (SHK-21)."""
    return 1 / 6 if face == wild else 2 / 6


@lru_cache(maxsize=4096)
def at_least(need: int, dice: int, p: float) -> float:
    """The probability that at least `need` of `dice` count, each with probability `p` (binomial tail).

    >>> round(at_least(2, 3, 0.5), 3), at_least(0, 3, 0.5), at_least(4, 3, 0.5)
    (0.5, 1.0, 0.0)
    """
    if need <= 0:
        return 1.0
    return math.fsum(math.comb(dice, k) * p**k * (1 - p) ** (dice - k) for k in range(need, dice + 1))


@dataclass(frozen=True, slots=True)
class Round:
    """What one player knows of a round of bids.

    Parameters
    ----------
    wild
        The wild face.
    own
        His dice, hidden and shown.
    seen
        Dice that others have laid out.
    hidden
        Hidden dice of every opponent, by seat.
    said
        Bids in order, as (seat, bid, whether it tells of the dice that the seat holds now).
    raises
        What may be said after a bid, or first.
    """

    wild: int
    own: tuple[int, ...]
    seen: tuple[int, ...]
    hidden: dict[int, int]
    said: tuple[tuple[int, Bid, bool], ...]
    raises: Callable[[Bid | None], Sequence[Bid]]

    @property
    def standing(self) -> Bid | None:
        """The bid that holds."""
        return self.said[-1][1] if self.said else None

    def known(self, face: int) -> int:
        """How many dice in sight count for `face`."""
        return matching(self.own, face, self.wild) + matching(self.seen, face, self.wild)

    def true(self, bid: Bid) -> float:
        """The probability that a bid holds, bids unheard."""
        unseen = sum(self.hidden.values())
        return at_least(bid.count - self.known(bid.face), unseen, odds(bid.face, self.wild))


def prudent(now: Round, candidates: Sequence[Bid]) -> Bid | None:
    """The boldest safe bid, else the likeliest one; None (a challenge) if that is likelier to be right."""
    chances = {bid: now.true(bid) for bid in candidates}
    safe = [bid for bid in candidates if chances[bid] >= SAFE]
    if safe:  # of those that are equally safe the highest
        best: Bid | None = min(reversed(safe), key=chances.__getitem__)
    else:
        best = max(candidates, key=chances.__getitem__, default=None)
    if now.standing is None or best is None:
        return best
    return best if chances[best] >= 1 - now.true(now.standing) else None


# --- what bids betray -------------------------------------------------------------------


@lru_cache(maxsize=64)
def _hands(dice: int, wild: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """All hands of so many dice: counts per face, shape (hands, 6), and how probable each is."""
    hands = list(combinations_with_replacement(FACES, dice))
    fits = np.array([[matching(hand, face, wild) for face in FACES] for hand in hands], dtype=np.int64)
    ways = [math.factorial(dice) / math.prod(math.factorial(hand.count(f)) for f in FACES) for hand in hands]
    return fits.reshape(len(hands), 6), np.array(ways) / 6.0**dice


@lru_cache(maxsize=8192)
def posterior(dice: int, wild: int, bids: tuple[tuple[int, tuple[int, ...]], ...]) -> NDArray[np.float64]:
    """How probable each hand is after somebody's bids.

    Parameters
    ----------
    bids
        Face bid, and the faces that could have been bid, for each of his bids.

    Returns
    -------
    NDArray
        Probabilities, shape (hands,), in the order of `_hands`.
    """
    fits, prior = _hands(dice, wild)
    weights = prior.copy()
    for face, others in bids:
        keen = np.exp(KEEN * fits[:, [f - 1 for f in others]])
        weights *= np.exp(KEEN * fits[:, face - 1]) / keen.sum(axis=1)
    total: NDArray[np.float64] = weights / weights.sum()
    return total


def matches(now: Round, seat: int, face: int) -> NDArray[np.float64]:
    """The distribution of how many hidden dice of an opponent count for `face`, shape (dice + 1,)."""
    bids = []
    before: Bid | None = None
    for who, bid, tells in now.said:
        if who == seat and tells:
            bids.append((bid.face, tuple(sorted({b.face for b in now.raises(before)}))))
        before = bid
    dice = now.hidden[seat]
    fits, _ = _hands(dice, now.wild)
    weights = posterior(dice, now.wild, tuple(bids))
    return np.bincount(fits[:, face - 1], weights, minlength=dice + 1).astype(np.float64)


def total(now: Round, face: int, without: int | None = None) -> NDArray[np.float64]:
    """The distribution of how many dice of all opponents (but one) count for `face`."""
    spread = np.ones(1)
    for seat in now.hidden:
        if seat != without:
            spread = np.convolve(spread, matches(now, seat, face))
    return spread


# --- deciding by expectation ------------------------------------------------------------

Payoff = Callable[[int], float]
"""What it is worth that so many dice count."""


@dataclass(frozen=True, slots=True)
class Stakes:
    """What the end of a round is worth to the one who decides.

    Parameters
    ----------
    challenged
        (bid, seat of the challenger) -> value by count, when the own bid is challenged.
    challenge
        Value by count of challenging the standing bid.
    goes_on
        Value of a bid that is raised instead of challenged: most often others end the round then.
    """

    challenged: Callable[[Bid, int], Payoff]
    challenge: Payoff
    goes_on: float = 0.0


def sharp(now: Round, options: Sequence[tuple[Bid, int]], stakes: Stakes) -> int | None:
    """The option of highest expectation: its index, or None for a challenge.

    Parameters
    ----------
    options
        Bids with the seat that has to answer each.
    """
    best, choice = -math.inf, None
    if now.standing is not None:
        face = now.standing.face
        known = now.known(face)
        best = sum(p * stakes.challenge(known + k) for k, p in enumerate(total(now, face)))
    rests: dict[tuple[int, int], tuple[NDArray[np.float64], NDArray[np.float64]]] = {}
    for index, (bid, neighbour) in enumerate(options):
        key = (bid.face, neighbour)
        if key not in rests:
            rests[key] = (matches(now, neighbour, bid.face), total(now, bid.face, without=neighbour))
        value = _value(now, bid, neighbour, stakes, *rests[key])
        if value > best + 1e-12:
            best, choice = value, index
    return choice


def _value(
    now: Round,
    bid: Bid,
    neighbour: int,
    stakes: Stakes,
    his: NDArray[np.float64],
    rest: NDArray[np.float64],
) -> float:
    """Expectation of a bid that the neighbour challenges or not, as his dice make him."""
    payoff = stakes.challenged(bid, neighbour)
    known, p = now.known(bid.face), odds(bid.face, now.wild)
    in_sight = matching(now.seen, bid.face, now.wild)
    unseen = len(now.own) + sum(now.hidden.values()) - now.hidden[neighbour]
    value = 0.0
    for k, weight in enumerate(his):
        if weight < 1e-9:
            continue
        believes = at_least(bid.count - in_sight - k, unseen, p)
        doubts = 1 / (1 + math.exp((believes - 0.45) / 0.06))
        end = sum(q * payoff(known + k + j) for j, q in enumerate(rest)) if doubts > 1e-4 else 0.0
        value += weight * (doubts * end + (1 - doubts) * stakes.goes_on)
    return value


def nearest(bids: Sequence[Bid], each: int = 3) -> list[Bid]:
    """The lowest few bids of every face: all that is worth thinking about."""
    met: dict[int, int] = {}
    kept = []
    for bid in bids:
        met[bid.face] = met.get(bid.face, 0) + 1
        if met[bid.face] <= each:
            kept.append(bid)
    return kept
