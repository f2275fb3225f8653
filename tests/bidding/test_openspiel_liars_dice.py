"""Open bidding, configured as the liar's dice of OpenSpiel, says the same along its random playouts.

There the last bid is true if at least so many dice show its face, the highest face counting as any.
"""

from __future__ import annotations

import numpy as np
import pytest

from thrillsim.bidding import (
    Bid,
    BidOrder,
    LexicographicOrder,
    OpenBidding,
    Seats,
    Square,
    TrackOrder,
    matching,
)

pyspiel = pytest.importorskip("pyspiel")

SIDES = 6
FACES = tuple(range(1, SIDES + 1))


def quantity_first(dice: int) -> BidOrder:
    """More dice of any face, or as many of a higher face."""
    return LexicographicOrder(dice, FACES)


def face_first(dice: int) -> BidOrder:
    """A higher face in any number, or more of the same face: the same core, as a track."""
    return TrackOrder(tuple(Square(count, (face,)) for face in FACES for count in range(1, dice + 1)))


def read(text: str) -> Bid:
    count, face = text.split("-")
    return Bid(int(count), int(face))


@pytest.mark.parametrize(
    ("rule", "make", "each", "playouts"),
    [
        ("reset-face", quantity_first, 1, 3000),
        ("reset-quantity", face_first, 1, 1000),
        ("reset-face", quantity_first, 2, 500),
    ],
)
def test_same_legal_bids_and_returns(rule: str, make: object, each: int, playouts: int) -> None:
    peer = pyspiel.load_game(f"liars_dice(players=2,numdice={each},dice_sides={SIDES},bidding_rule={rule})")
    order = make(2 * each)  # type: ignore[operator]
    liar = peer.num_distinct_actions() - 1
    rng = np.random.default_rng(20)
    results = {-1.0: 0, 1.0: 0}
    for _ in range(playouts):
        theirs = peer.new_initial_state()
        dice: list[int] = []
        while theirs.is_chance_node():
            action = int(rng.choice([a for a, _ in theirs.chance_outcomes()]))
            dice.append(int(theirs.action_to_string(-1, action).rsplit(maxsplit=1)[-1]))
            theirs.apply_action(action)
        ours = OpenBidding(order, Seats(2), 0, "challenge")
        while not theirs.is_terminal():
            seat = theirs.current_player()
            assert ours.turn == seat
            legal = theirs.legal_actions()
            bids = {read(theirs.action_to_string(seat, a)) for a in legal if a != liar}
            assert set(ours.raises()) == bids
            assert ours.may_challenge == (liar in legal)
            action = int(rng.choice(legal))
            if action == liar:
                ours = ours.challenge(seat)
            else:
                ours = ours.bid(seat, read(theirs.action_to_string(seat, action)))
            theirs.apply_action(action)
        assert ours.over
        assert ours.standing is not None
        assert ours.bidder is not None
        assert ours.challenger is not None
        true = matching(dice, ours.standing.face, wild=SIDES) >= ours.standing.count
        winner = ours.bidder if true else ours.challenger
        returns = theirs.returns()
        assert returns == [1.0 if seat == winner else -1.0 for seat in (0, 1)]
        results[returns[0]] += 1
    assert min(results.values()) > playouts // 10  # both ways to end were met
