"""Bid orders: strict orders, with the counts and examples that can be worked out by hand."""

from __future__ import annotations

import itertools

import pytest

from thrillsim.bidding import (
    Bid,
    BidOrder,
    ComponentwiseOrder,
    CountOrder,
    LexicographicOrder,
    Square,
    TrackOrder,
)

FACES = (2, 3, 4, 5, 6, 1)
NUMBERS = (1, 2, 3, 4, 5)
TRACK = TrackOrder(
    (Square(1, NUMBERS), Square(1, (6,)), Square(2, NUMBERS), Square(3, NUMBERS), Square(2, (6,)))
)
ORDERS: list[BidOrder] = [CountOrder(7), LexicographicOrder(4, FACES), ComponentwiseOrder(4, FACES), TRACK]


@pytest.mark.parametrize("order", ORDERS, ids=lambda order: order.name)
def test_a_strict_order_listed_lowest_first(order: BidOrder) -> None:
    bids = order.bids()
    assert len(set(bids)) == len(bids)
    for i, j in itertools.product(range(len(bids)), repeat=2):
        if order.outbids(bids[i], bids[j]):
            assert i > j
    for a, b, c in itertools.product(bids, repeat=3):
        if order.outbids(a, b) and order.outbids(b, c):
            assert order.outbids(a, c)
    assert order.raises(None) == bids
    assert order.raises(bids[-1]) == ()


@pytest.mark.parametrize(
    "order", [CountOrder(7), LexicographicOrder(4, FACES), TRACK], ids=lambda order: order.name
)
def test_total_orders_leave_everything_after_the_standing_bid(order: BidOrder) -> None:
    bids = order.bids()
    for i, bid in enumerate(bids):
        assert order.raises(bid) == bids[i + 1 :]


@pytest.mark.parametrize("order", ORDERS, ids=lambda order: order.name)
def test_raises_are_the_bids_that_outbid(order: BidOrder) -> None:
    for standing in order.bids():
        assert order.raises(standing) == tuple(bid for bid in order.bids() if order.outbids(bid, standing))


def test_componentwise_never_lets_either_part_drop() -> None:
    order = ComponentwiseOrder(4, FACES)
    for bid in order.bids():
        above = (4 - bid.count + 1) * (len(FACES) - FACES.index(bid.face)) - 1
        assert len(order.raises(bid)) == above
    assert not order.outbids(Bid(3, 2), Bid(2, 6))
    assert order.outbids(Bid(2, 1), Bid(2, 6))  # ones are the highest face here


def test_lexicographic_counts_first() -> None:
    order = LexicographicOrder(4, FACES)
    assert order.outbids(Bid(3, 2), Bid(2, 1))
    assert len(order.bids()) == 24
    assert order.bids()[-1] == Bid(4, 1)


def test_track_by_square_then_face() -> None:
    assert TRACK.raises(Bid(2, 6)) == ()
    assert TRACK.raises(Bid(3, 4)) == (Bid(3, 5), Bid(2, 6))
    assert TRACK.position(Bid(2, 6)) == 4
    with pytest.raises(ValueError, match="no square"):
        TRACK.position(Bid(9, 1))
    with pytest.raises(ValueError, match="twice"):
        TrackOrder((Square(1, (1,)), Square(1, (2, 1))))
    with pytest.raises(ValueError, match="needs at least one face"):
        TrackOrder((Square(1, ()),))
