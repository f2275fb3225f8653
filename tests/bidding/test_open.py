"""Open bidding: strictly upward, in turn, over when it should be."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thrillsim.bidding import (
    Bid,
    BidOrder,
    ComponentwiseOrder,
    CountOrder,
    LexicographicOrder,
    OpenBidding,
    Seats,
)

FACES = (2, 3, 4, 5, 6, 1)
ORDERS: list[BidOrder] = [CountOrder(9), LexicographicOrder(3, FACES), ComponentwiseOrder(3, FACES)]


@given(st.sampled_from(ORDERS), st.integers(2, 6), st.sampled_from(["passing", "challenge"]), st.data())
def test_any_course_rises_stays_in_turn_and_ends(
    order: BidOrder, n: int, ends_by: str, data: st.DataObject
) -> None:
    first = data.draw(st.integers(0, n - 1))
    way = data.draw(st.sampled_from([1, -1]))
    now = OpenBidding(order, Seats(n), first, ends_by)  # type: ignore[arg-type]
    said: list[Bid] = []
    for _ in range(len(order.bids()) + n):
        if now.over:
            break
        seat = now.turn
        assert seat in now.seats
        out = []
        if now.raises():
            out.append("bid")
        if now.may_pass:
            out.append("pass")
        if now.may_challenge:
            out.append("challenge")
        what = data.draw(st.sampled_from(out))
        with pytest.raises(ValueError, match="turn"):
            now.bid((seat + 1) % n, order.bids()[0])
        if what == "bid":
            bid = data.draw(st.sampled_from(now.raises()))
            now = now.bid(seat, bid, direction=way if not said else None)
            assert not said or order.outbids(bid, said[-1])
            said.append(bid)
            assert (now.standing, now.bidder) == (bid, seat)
            assert [one for _, one in now.said] == said
            assert now.said[-1] == (seat, bid)
            assert now.turn == now.seats.next(seat, way)
        elif what == "pass":
            now = now.pass_(seat)
            assert seat not in now.seats
        else:
            now = now.challenge(seat)
            assert now.challenger == seat != now.bidder
    assert now.over
    assert now.bidder is not None
    if ends_by == "passing":
        assert now.bidder in now.seats
        assert len(now.seats) == 1 or not now.raises()
    with pytest.raises(ValueError, match="has ended"):
        now.bid(now.turn, order.bids()[-1])


def test_the_opener_must_bid() -> None:
    start = OpenBidding(CountOrder(3), Seats(3), 1, "passing")
    with pytest.raises(ValueError, match="passing is not allowed"):
        start.pass_(1)
    with pytest.raises(ValueError, match="no bid to challenge"):
        OpenBidding(CountOrder(3), Seats(3), 1, "challenge").challenge(1)


def test_the_top_bid_ends_passing_at_once_and_leaves_only_a_challenge() -> None:
    top = OpenBidding(CountOrder(3), Seats(3), 1, "passing").bid(1, Bid(3))
    assert top.over
    top = OpenBidding(CountOrder(3), Seats(3), 1, "challenge").bid(1, Bid(3))
    assert not top.over
    assert top.raises() == ()
    assert top.may_challenge


def test_only_the_opener_turns_the_direction_and_bids_must_rise() -> None:
    one = OpenBidding(CountOrder(3), Seats(3), 1, "challenge").bid(1, Bid(1), direction=-1)
    assert one.turn == 0
    with pytest.raises(ValueError, match="only the opener"):
        one.bid(0, Bid(2), direction=1)
    with pytest.raises(ValueError, match="does not outbid"):
        one.bid(0, Bid(1))


def test_a_worked_round_of_passing() -> None:
    now = OpenBidding(CountOrder(9), Seats(4, (2,)), 3, "passing").bid(3, Bid(1)).bid(0, Bid(2))
    now = now.pass_(1).pass_(3)
    assert now.over
    assert (now.bidder, now.standing, now.seats.living) == (0, Bid(2), (0,))
