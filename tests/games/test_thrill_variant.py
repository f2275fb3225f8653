"""Thrill's variant: weight, wagers, small chips, and one game played through by hand."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from tests.games.thrill_script import BIG, FALL, GAME, MEDIUM, NONE, SMALL, STAY, Hand, on_board
from thrillsim.games.protocol import OVER, IllegalAction, IllegalOutcome
from thrillsim.games.thrill import Announce, Bid, Cash, GiveUp, Lifted, Pushed, Show, Wager


def variant(players: int = 3, **options: Any) -> Hand:
    return Hand(players, variant=True, **options)


def give(hand: Hand, kind: str, source: int | str, target: int | str, count: int) -> None:
    """Move tokens before the play, to reach a situation quickly."""
    hand.state = replace(hand.state, stakes=hand.state.stakes.move(kind, source, target, count))


def to_wagers(hand: Hand, *bids: int, weight: bool = False) -> None:
    hand.show(MEDIUM)
    hand.bids(*bids)
    hand.announce(weight)


def test_cards_are_dealt() -> None:
    """THR-23"""
    hand = variant(6)
    for card in ("stay", "fall", "weight"):
        assert hand.held(card) == (2,) * 6
        assert hand.state.stakes.held("box", card) == 0
    assert hand.held("small") == (0,) * 6


def test_order_of_a_round() -> None:
    """THR-24, THR-A27: bids, announcement, wagers, placement, push, lift, settlement."""
    hand = variant(3)
    seen = [hand.state.phase]

    def then() -> None:
        seen.append(hand.state.phase)

    hand.show(MEDIUM)
    then()
    hand.bids(0, 1, 1)
    then()
    assert GAME.legal(hand.state, 0) == (Announce(False), Announce(True))
    assert GAME.legal(hand.state, 1) == ()
    hand.announce(True)
    then()
    assert GAME.turn(hand.state).seats == (0, 1, 2)  # Max included
    assert GAME.legal(hand.state, 1) == (NONE, FALL, STAY)
    hand.wagers(STAY, FALL, NONE)
    then()
    hand.place(weight=20)
    then()
    hand.out(Pushed())
    then()
    hand.lift(False)
    then()
    assert seen == ["choose", "bid", "announce", "wager", "place", "push", "lift", "choose"]


def test_the_announcement_binds_and_costs_a_card() -> None:
    """THR-25, THR-A18: only Max, shown openly, twice at most; announced means placed."""
    hand = variant(2)
    for left in (1, 0):
        to_wagers(hand, 0, 1, weight=True)
        assert hand.held("weight") == (left, 2)
        assert hand.state.stakes.held("out", "weight") == 2 - left
        assert GAME.view(hand.state, 1).cards == ((0, 2, 2, left), (1, 2, 2, 2))
        hand.wagers(NONE, NONE)
        with pytest.raises(IllegalAction, match="the weight wholly on one of"):
            hand.place()
        hand.push(weight=20)
        hand.lift(False)
        give(hand, "big", 0, 1, hand.chips[0])
    hand.show(BIG)
    hand.bids(0, 1)
    assert hand.state.phase == "wager"  # A has no weight card left, nothing to announce


def test_not_announced_means_not_placed() -> None:
    """THR-24, THR-25"""
    hand = variant(2)
    to_wagers(hand, 0, 1, weight=False)
    hand.wagers(NONE, NONE)
    with pytest.raises(IllegalAction):
        hand.place(weight=20)
    hand.push()
    assert hand.held("weight") == (2, 2)


def test_where_the_weight_may_stand() -> None:
    """THR-26, THR-A19: on any one disk of the playing surface, wholly; not on the new one."""
    hand = variant(2)
    to_wagers(hand, 0, 1, weight=True)
    hand.wagers(NONE, NONE)
    new = hand.state.shown
    legal: Any = GAME.legal(hand.state, 0)
    assert set(legal.targets) == set(hand.state.on_board)
    assert new not in legal.targets
    place = legal.parse("-40 0 on 2 11 0")  # a big disk (21) leaves 11 mm for a weight of 10
    assert place in legal
    for wrong in (f"-40 0 on {new}", "-40 0 on 2 11.1 0", "-40 0 on 20 1.1 0", "-40 0"):
        with pytest.raises(ValueError, match="not allowed"):
            legal.parse(wrong)
    with pytest.raises(ValueError, match="write x y on DISK"):
        legal.parse("here")


@pytest.mark.parametrize(("kind", "price"), [(BIG, 6), (MEDIUM, 4), (SMALL, 2)])
def test_double_price_under_the_weight(kind: int, price: int) -> None:
    """THR-27: 2, 4, 6; other disks keep their price."""
    hand = variant(2)
    to_wagers(hand, 0, 1, weight=True)
    hand.wagers(NONE, NONE)
    disk, other = on_board(hand.state, kind)[0], on_board(hand.state, SMALL, 2)[1]
    hand.push(other, disk, weight=disk, under_weight=True)
    assert hand.chips[0] == 10 - price - 1
    assert hand.state.phase == "choose"  # no lift: its disk is gone


def test_single_price_when_the_weight_slid_off_before() -> None:
    """THR-A22"""
    hand = variant(2)
    to_wagers(hand, 0, 1, weight=True)
    hand.wagers(NONE, NONE)
    hand.push(2, weight=2, under_weight=False)
    assert hand.chips[0] == 7


def test_impossible_weight_outcomes_are_refused() -> None:
    """THR-27, THR-A33: double price needs a fallen weighted disk; at the lift nothing else falls."""
    hand = variant(2)
    to_wagers(hand, 0, 1, weight=True)
    hand.wagers(NONE, NONE)
    hand.place(weight=2)
    with pytest.raises(IllegalOutcome, match="no weighted disk fell"):
        hand.out(Pushed((20,), under_weight=True))
    hand.out(Pushed())
    rows = tuple((disk, 50.0, 0.0, 0.0) for disk in hand.state.on_board if disk not in (2, 20))
    with pytest.raises(IllegalOutcome, match="the layout names"):
        hand.out(Lifted(True, rows))  # disk 20 has gone too


def test_lift_price() -> None:
    """THR-28, THR-A21: single price at the lift; nothing if the disk stays."""
    for fell, left in ((True, 7), (False, 10)):
        hand = variant(2)
        to_wagers(hand, 0, 1, weight=True)
        hand.wagers(NONE, NONE)
        hand.push(weight=2)
        assert hand.chips[0] == 10
        hand.lift(fell)
        assert hand.chips[0] == left
        assert (2 in hand.state.reserve) == fell


def test_falls_under_the_hand_that_puts_the_weight_down() -> None:
    """THR-A17: single price, the weighted disk too, and no lift afterwards."""
    hand = variant(2)
    to_wagers(hand, 0, 1, weight=True)
    hand.wagers(NONE, FALL)
    hand.push(weight=2, placing=(2,))
    assert hand.chips[0] == 7
    assert hand.state.phase == "choose"
    assert hand.held("small") == (0, 1)  # it counts for the wagers like the push


@pytest.mark.parametrize(
    ("falls", "small", "stay", "fall"),
    [((), (1, 0, 0), (2, 2, 2), (2, 1, 2)), ((20,), (0, 1, 0), (1, 2, 2), (2, 2, 2))],
)
def test_wager_outcomes(falls: tuple[int, ...], small: Any, stay: Any, fall: Any) -> None:
    """THR-29: right comes back with a small chip, wrong leaves the game, not played changes nothing."""
    hand = variant(3)
    to_wagers(hand, 0, 1, 1)
    hand.wagers(STAY, FALL, NONE)
    assert hand.held("stay") == hand.held("fall") == (2, 2, 2)  # until they are turned up
    hand.push(*falls)
    assert (hand.held("small"), hand.held("stay"), hand.held("fall")) == (small, stay, fall)


def test_a_fall_at_the_lift_decides_wagers_unless_the_option_says_no() -> None:
    """THR-A15"""
    for counts, small in ((("push", "weight_removal"), (0, 1)), (("push",), (1, 0))):
        hand = variant(2, wager_counts=counts)
        to_wagers(hand, 0, 1, weight=True)
        hand.wagers(STAY, FALL)
        hand.push(weight=20)
        hand.lift(True)
        assert hand.held("small") == small


def test_three_small_chips_for_a_big_one() -> None:
    """THR-30, THR-A11, THR-A13, THR-A35: at the owner's word, public, from the pile, and usable at once."""
    hand = variant(2)
    give(hand, "small", "bank", 1, 3)
    hand.show(BIG)
    assert Cash() not in GAME.legal(hand.state, 0)
    before = hand.state.stakes.held("box", "big")
    hand.do(1, Cash())
    assert hand.chips == (10, 11)
    assert hand.held("small") == (0, 0)
    assert hand.state.stakes.held("box", "big") == before - 1  # the pile was empty
    assert Bid(11) in GAME.legal(hand.state, 1)
    hand.bids(0, 11)
    hand.announce(False)
    hand.wagers(NONE, NONE)
    give(hand, "small", "bank", 1, 3)
    hand.push()
    assert hand.state.history[0].cashed == (1,)
    hand.do(0, Show(1))
    hand.do(1, Cash())
    assert hand.pile == 10  # this one came from the pile


def test_no_big_chip_to_exchange_for() -> None:
    """THR-A13: six players, nothing in the pile."""
    hand = variant(6)
    give(hand, "small", "bank", 0, 3)
    assert Cash() not in GAME.legal(hand.state, 0)


def test_the_third_small_chip_saves_max_only_when_it_is_there_in_time() -> None:
    """THR-A10, THR-30: with the payment first it comes too late, with the wagers first in time."""
    for order, living in (("payment_first", (1, 2)), ("wagers_first", (0, 1, 2))):
        hand = variant(3, settle_order=order)
        give(hand, "small", "bank", 0, 2)
        to_wagers(hand, 8, 9, 9)
        hand.wagers(FALL, NONE, NONE)
        hand.push(2)  # owes 3, has 2, and a right wager with his third small chip
        assert hand.state.seats.living == living
        assert hand.chips[0] == 0
        assert hand.held("small")[0] == 0


def test_cashing_to_stay_solvent() -> None:
    """THR-A11, THR-A35: exactly what is missing, and nothing if it would not do."""
    hand = variant(3)
    give(hand, "small", "bank", 0, 7)
    to_wagers(hand, 8, 9, 9)
    hand.wagers(NONE, NONE, NONE)
    hand.push(2)  # owes 3, has 2: one exchange of the two possible
    assert (hand.chips[0], hand.held("small")[0]) == (0, 4)
    assert hand.state.history[0].cashed == (0,)
    hand = variant(3)
    give(hand, "small", "bank", 0, 7)
    to_wagers(hand, 9, 10, 10)
    hand.wagers(NONE, NONE, NONE)
    hand.push(2, 3)  # owes 6, has 1 and two exchanges: out, and none is made
    assert 0 not in hand.state.seats
    assert hand.state.history[0].cashed == ()
    assert hand.state.history[0].paid == 1


def test_cashing_by_hand_and_at_once() -> None:
    """THR-A11: "manual" asks Max before he goes out; "immediate" needs no word."""
    for save in (True, False):
        hand = variant(3, cash_in="manual")
        give(hand, "small", "bank", 0, 3)
        to_wagers(hand, 8, 9, 9)
        hand.wagers(NONE, NONE, STAY)
        hand.push(2)
        assert (hand.state.phase, GAME.legal(hand.state, 0)) == ("pay", (GiveUp(), Cash()))
        hand.do(0, Cash() if save else GiveUp())
        assert (0 in hand.state.seats) == save
        assert hand.state.stakes.held("out", "stay") == (1 if save else 3)  # C's wrong one, and A's if out
        assert (hand.state.phase, hand.state.boss) == ("choose", 0 if save else 1)
    hand = variant(2, cash_in="immediate")
    give(hand, "small", "bank", 0, 2)
    to_wagers(hand, 0, 1)
    hand.wagers(STAY, NONE)
    hand.push()
    assert (hand.chips, hand.held("small")) == ((11, 9), (0, 0))
    give(hand, "small", "bank", 0, 3)
    assert Cash() not in GAME.legal(hand.state, 0)


def test_giving_up_with_two_left_ends_the_game() -> None:
    """THR-A11, THR-A30"""
    hand = variant(2, cash_in="manual")
    give(hand, "small", "bank", 0, 3)
    to_wagers(hand, 8, 9)
    hand.wagers(NONE, FALL)
    hand.push(2)
    hand.do(0, GiveUp())
    assert GAME.turn(hand.state) == OVER
    assert GAME.winners(hand.state) == (1,)
    assert hand.held("small") == (0, 0)  # B's right wager is not settled any more


def test_small_chips_run_out() -> None:
    """THR-A12, THR-A34: the last one goes to Max, then left; cards come back all the same."""
    for limit, small in ((True, (0, 0, 1)), (False, (1, 1, 1))):
        hand = variant(3, small_chip_limit=limit)
        give(hand, "small", "bank", "out", hand.state.stakes.held("bank", "small") - (1 if limit else 3))
        to_wagers(hand, 1, 1, 0)  # C is Max
        hand.wagers(STAY, STAY, STAY)
        hand.push()
        assert hand.held("small") == small
        assert hand.held("stay") == (2, 2, 2)
    assert hand.state.stakes.total("small") == 10**6


def test_two_chips_for_three_right_wagers_go_clockwise_from_max() -> None:
    """THR-A34"""
    hand = variant(4)
    give(hand, "small", "bank", "out", 13)
    to_wagers(hand, 1, 1, 0, 1)  # C is Max, without a wager; to his left D, A, B
    hand.wagers(STAY, STAY, NONE, STAY)
    hand.push()
    assert hand.held("small") == (1, 0, 0, 1)


def test_wager_cards_per_push() -> None:
    """THR-A14"""
    hand = variant(2, max_wagers_per_push=2)
    to_wagers(hand, 0, 1)
    assert set(GAME.legal(hand.state, 1)) == {  # type: ignore[arg-type]
        Wager(s, f) for s in range(3) for f in range(3) if s + f <= 2
    }
    hand.wagers(Wager(2, 0), Wager(1, 1))
    hand.push()
    assert (hand.held("small"), hand.held("stay"), hand.held("fall")) == ((2, 1), (2, 2), (2, 1))
    hand = variant(2, max_wagers_per_push=0)
    hand.show(BIG)
    hand.bids(0, 1)
    hand.announce(False)
    assert hand.state.phase == "place"


def test_who_is_out_gives_up_cards_and_small_chips() -> None:
    """THR-31, THR-A10: his right wager brings him nothing, the others' wagers are settled."""
    hand = variant(3)
    give(hand, "small", "bank", 0, 2)
    to_wagers(hand, 9, 10, 10)
    hand.wagers(FALL, FALL, STAY)
    hand.push(2)
    assert hand.state.seats.living == (1, 2)
    assert hand.state.boss == 1
    assert hand.held("small") == (0, 1, 0)
    assert hand.held("stay") == (0, 2, 1)
    assert hand.held("fall") == (0, 2, 2)
    assert hand.held("weight") == (0, 2, 2)
    assert hand.state.stakes.held("bank", "small") == 14


def test_game_over_leaves_wagers_unsettled() -> None:
    """THR-A30: with two left the other wins at once."""
    hand = variant(2)
    to_wagers(hand, 9, 10)
    hand.wagers(STAY, STAY)
    hand.push(2)
    assert GAME.turn(hand.state) == OVER
    assert GAME.winners(hand.state) == (1,)
    assert hand.held("stay") == (0, 2)


def test_a_variant_game_by_hand() -> None:
    """THR-24 to THR-31: the whole ledger after every round of a game of three."""
    hand = variant(3)
    ledger = []

    def note() -> None:
        ledger.append((hand.chips, hand.held("small"), hand.held("weight"), hand.pile, hand.state.boss))

    # 1. A shows a big disk. Bids 1 1 2: B is Max, no weight. A wagers fall, B stay, C nothing.
    #    Small 17 falls: B pays 1, loses his card; A gets his back and a small chip.
    hand.show(BIG)
    hand.bids(1, 1, 2)
    hand.announce(False)
    hand.wagers(FALL, STAY, NONE)
    hand.push(17)
    note()
    # 2. B shows a medium one. Bids 0 0 0: C is Max (left of B), with the weight on big 2. All wager stay.
    #    It falls under the weight: double, 6. All three cards are lost.
    hand.show(MEDIUM)
    hand.bids(0, 0, 0)
    hand.announce(True)
    hand.wagers(STAY, STAY, STAY)
    hand.push(2, weight=2, under_weight=True)
    note()
    # 3. C shows small 17. Bids 3 2 0: C is Max again, with his second weight card on medium 9.
    #    It falls at the lift: 2, exactly all he has. A and B wagered fall: a small chip each.
    hand.show(SMALL)
    hand.bids(3, 2, 0)
    hand.announce(True)
    hand.wagers(FALL, FALL, NONE)
    hand.push(weight=9)
    hand.lift(True)
    note()
    # 4. C shows a big one. Bids 2 3 0: C is Max without weight cards, so nothing to announce. A and C
    #    wager stay, nothing falls: a small chip each, A's third.
    hand.show(BIG)
    hand.bids(2, 3, 0)
    assert hand.state.phase == "wager"
    hand.wagers(STAY, NONE, STAY)
    hand.push()
    note()
    # 5. C shows a medium one. A cashes in. Bids 1 2 0: C is Max; A wagers fall, C stay. Small 18 falls:
    #    C cannot pay 1 and is out with cards and small chip; A's wager was right.
    hand.show(MEDIUM)
    hand.do(0, Cash())
    assert (hand.chips, hand.pile) == ((5, 3, 0), 22)
    hand.bids(1, 2, 0)
    hand.wagers(FALL, NONE, STAY)
    hand.push(18)
    note()
    assert hand.held("stay") == (1, 0, 0)
    assert hand.held("fall") == (2, 2, 0)
    # 6. A, to C's left, is Boss. Bids 0 0: B is Max, with the weight on medium 10. It falls under the weight
    #    together with small 19: 4 + 1, and B has 1: A wins.
    hand.show(SMALL)
    hand.bids(0, 0)
    hand.announce(True)
    hand.wagers(NONE, NONE)
    hand.push(19, 10, weight=10, under_weight=True)
    note()
    assert ledger == [
        ((9, 8, 8), (1, 0, 0), (2, 2, 2), 5, 1),
        ((9, 8, 2), (1, 0, 0), (2, 2, 1), 11, 2),
        ((6, 6, 0), (2, 1, 0), (2, 2, 0), 18, 2),
        ((4, 3, 0), (3, 1, 1), (2, 2, 0), 23, 2),
        ((4, 1, 0), (1, 1, 0), (2, 2, 0), 25, 0),
        ((4, 0, 0), (1, 0, 0), (2, 0, 0), 26, 0),
    ]
    assert GAME.winners(hand.state) == (0,)
    assert GAME.places(hand.state) == (1, 2, 3)
