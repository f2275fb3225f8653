"""Odds of bids on dice against exact binomials and full enumeration, and decisions that can be worked out."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.stats import binom

from thrillsim.bidding import Bid, LexicographicOrder, matching
from thrillsim.players.dicebids import (
    FACES,
    KEEN,
    Round,
    Stakes,
    at_least,
    matches,
    nearest,
    odds,
    posterior,
    prudent,
    sharp,
    total,
)

ORDER = LexicographicOrder(10, (1, 2, 3, 4, 5, 6))


def a_round(own: tuple[int, ...], said: tuple[tuple[int, Bid, bool], ...] = (), **hidden: int) -> Round:
    return Round(6, own, (), {int(seat[1:]): n for seat, n in hidden.items()}, said, ORDER.raises)


@pytest.mark.parametrize("p", [1 / 6, 1 / 3])
def test_tails_are_the_binomial(p: float) -> None:
    for dice in range(31):
        for need in range(-1, dice + 2):
            assert at_least(need, dice, p) == pytest.approx(binom.sf(need - 1, dice, p), abs=1e-12)


def test_odds_and_expected_counts() -> None:
    """SHK-21: dice / 3 for a number, dice / 6 for stars; so the tails sum to the mean."""
    assert (odds(3, 6), odds(6, 6), odds(1, 1), odds(6, 1)) == (1 / 3, 1 / 6, 1 / 6, 1 / 3)
    for dice in (5, 12, 30):
        for face, share in ((2, 3), (6, 6)):
            mean = sum(at_least(k, dice, odds(face, 6)) for k in range(1, dice + 1))
            assert mean == pytest.approx(dice / share)


def test_probability_of_a_bid_by_enumeration() -> None:
    now = a_round((2, 2, 6), s1=2, s2=1)
    for bid in (Bid(3, 2), Bid(4, 2), Bid(5, 2), Bid(2, 6), Bid(1, 5), Bid(7, 1)):
        hits = sum(
            matching((2, 2, 6, *unseen), bid.face, wild=6) >= bid.count for unseen in product(FACES, repeat=3)
        )
        assert now.true(bid) == pytest.approx(hits / 6**3)


def test_posterior_by_enumeration_of_all_throws() -> None:
    """Bayes' rule written out over the 216 throws of three dice."""
    bids = ((5, FACES), (2, (2, 3, 6)))
    weights: dict[int, float] = dict.fromkeys(range(4), 0.0)
    for hand in product(FACES, repeat=3):
        weight = 1.0
        for face, others in bids:
            held = [matching(hand, f, wild=6) for f in others]
            weight *= np.exp(KEEN * matching(hand, face, wild=6)) / np.exp(KEEN * np.array(held)).sum()
        weights[matching(hand, 5, wild=6)] += weight
    exact = np.array(list(weights.values())) / sum(weights.values())
    assert posterior(3, 6, bids).sum() == pytest.approx(1)
    said = ((1, Bid(1, 5), True), (0, Bid(3, 1), True), (1, Bid(4, 2), True))
    order = {None: FACES, Bid(3, 1): (2, 3, 6)}
    now = Round(6, (1,), (), {1: 3}, said, lambda bid: [Bid(9, f) for f in order.get(bid, FACES)])
    assert matches(now, 1, 5) == pytest.approx(exact)


def test_without_bids_the_belief_is_binomial() -> None:
    now = a_round((1, 2), s1=5, s2=3)
    for face in FACES:
        p = odds(face, 6)
        assert total(now, face) == pytest.approx(binom.pmf(range(9), 8, p))
        assert total(now, face, without=2) == pytest.approx(binom.pmf(range(6), 5, p))


def test_a_bid_makes_its_face_likelier_and_an_outdated_one_does_not() -> None:
    mean = {
        tells: total(a_round((1, 1), ((1, Bid(2, 5), tells),), s1=5), 5) @ np.arange(6)
        for tells in (True, False)
    }
    assert mean[False] == pytest.approx(5 / 3)
    assert mean[True] > 5 / 3 + 0.4


def test_prudent_bids_what_it_holds_and_challenges_the_impossible() -> None:
    first = prudent(a_round((4, 4, 4, 6, 1), s1=5), ORDER.bids())
    assert first is not None
    assert first.face == 4
    assert first.count >= 4
    assert prudent(a_round((4,), ((1, Bid(9, 3), True),), s1=5), [Bid(10, 3)]) is None
    assert prudent(a_round((3, 3), ((1, Bid(1, 3), True),), s1=5), ORDER.raises(Bid(1, 3))) is not None
    assert prudent(a_round((3,), ((1, Bid(10, 6), True),), s1=5), []) is None


def test_sharp_is_right_where_everything_is_known() -> None:
    """One opponent with no hidden die: the count is certain."""
    stakes = Stakes(lambda bid, _: lambda count: 1.0 if count >= bid.count else -1.0, lambda _: -1.0)
    true = a_round((5, 5, 6), ((1, Bid(3, 5), True),), s1=0)
    assert (
        sharp(true, [(Bid(4, 5), 1)], Stakes(stakes.challenged, lambda count: 1.0 if count < 3 else -1.0))
        == 0
    )
    false = a_round((5, 5, 1), ((1, Bid(3, 5), True),), s1=0)
    wins = Stakes(stakes.challenged, lambda count: 1.0 if count < 3 else -1.0)
    assert sharp(false, [(Bid(4, 5), 1)], wins) is None
    assert sharp(a_round((5, 5, 1), s1=0), [(Bid(3, 5), 1), (Bid(2, 5), 1)], wins) == 1


def test_nearest_keeps_the_lowest_of_every_face() -> None:
    kept = nearest(ORDER.raises(Bid(3, 4)), each=2)
    assert kept == [Bid(3, 5), Bid(3, 6), *(Bid(4, f) for f in FACES), *(Bid(5, f) for f in (1, 2, 3, 4))]
