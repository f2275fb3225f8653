"""Thrill's base game, clause by clause, and one game played through by hand."""

from __future__ import annotations

import pytest

from tests.games.thrill_script import BIG, GAME, MEDIUM, SMALL, Hand, on_board
from thrillsim.games.protocol import OVER, IllegalAction, IllegalOutcome
from thrillsim.games.thrill import KIND_OF, KINDS, PRICE, Bid, Options, Place, Pushed, Show


def test_material() -> None:
    """THR-01"""
    assert [(KINDS[k], KIND_OF.count(k)) for k in range(3)] == [("big", 7), ("medium", 10), ("small", 15)]
    stakes = GAME.initial(Options(variant=True), 6).stakes
    totals = [stakes.total(kind) for kind in ("big", "small", "stay", "fall", "weight")]
    assert totals == [60, 15, 12, 12, 12]
    assert sum(PRICE[k] for k in KIND_OF) == 56


def test_start() -> None:
    """THR-03, THR-05: the reserve, and ten chips each; cards and small chips stay in the box."""
    state = GAME.initial(Options(), 4)
    assert sorted(KIND_OF[d] for d in state.reserve) == [BIG, BIG, MEDIUM, MEDIUM]
    assert [sum(KIND_OF[d] == k for d in state.on_board) for k in range(3)] == [5, 8, 15]
    assert sum(PRICE[KIND_OF[d]] for d in state.on_board) == 46
    assert [state.stakes.held(s, "big") for s in range(4)] == [10, 10, 10, 10]
    for kind in ("small", "stay", "fall", "weight"):
        assert all(state.stakes.held(s, kind) == 0 for s in range(4))


def test_first_boss_shows_a_reserve_disk_openly() -> None:
    """THR-07, THR-08, THR-A25, THR-A29: before any bid, with the whole board in view."""
    hand = Hand(3, first_boss=2)
    assert hand.state.boss == 2
    view = GAME.view(hand.state, 2)
    assert view.on_board == hand.state.on_board
    assert GAME.legal(hand.state, 2) == (Show(0), Show(7))  # one big, one medium
    assert GAME.legal(hand.state, 0) == ()
    with pytest.raises(IllegalAction, match=r"player A: Show\(disk=0\) is illegal; legal: nothing now"):
        hand.do(0, Show(0))
    with pytest.raises(IllegalAction, match="legal: big 0, medium 7"):
        hand.do(2, Show(20))
    assert hand.show(BIG) == 0
    assert all(GAME.view(hand.state, seat).shown == 0 for seat in range(3))
    assert hand.state.phase == "bid"


def test_bids_are_secret_and_bounded_by_what_one_has() -> None:
    """THR-09"""
    hand = Hand(3)
    hand.show(BIG)
    assert GAME.legal(hand.state, 1) == tuple(Bid(n) for n in range(11))
    with pytest.raises(IllegalAction, match="Bid"):
        hand.do(1, Bid(11))
    hand.do(1, Bid(4))
    assert GAME.view(hand.state, 1).bids == (-1, 4, -1)
    assert GAME.view(hand.state, 0).bids == (-1, -1, -1)
    with pytest.raises(IllegalAction, match="to decide: A, C"):
        hand.do(1, Bid(3))
    hand.do(0, Bid(5))
    assert hand.chips == (10, 10, 10)
    hand.do(2, Bid(6))
    assert all(GAME.view(hand.state, seat).bids == (5, 4, 6) for seat in range(3))


def test_the_lowest_bid_pushes_and_all_bids_are_lost() -> None:
    """THR-10, THR-13"""
    hand = Hand(4)
    hand.show(BIG)
    hand.bids(5, 3, 2, 10)
    assert hand.state.pusher == 2
    assert (hand.chips, hand.pile) == ((5, 7, 8, 0), 20)


@pytest.mark.parametrize(("boss", "pusher"), [(0, 2), (1, 2), (2, 4), (3, 4), (4, 0)])
def test_five_way_tie_table(boss: int, pusher: int) -> None:
    """THR-11, THR-12, THR-A28: the rulebook's example for every Disk Boss."""
    hand = Hand(5, first_boss=boss)
    hand.show(BIG)
    hand.bids(0, 1, 0, 2, 0)
    assert hand.state.pusher == pusher


def test_placement_is_inside_the_zone_and_final() -> None:
    """THR-14, THR-A23: the whole footprint between pusher and blocking edge."""
    hand = Hand(2)
    hand.show(BIG)
    hand.bids(0, 1)
    where = GAME.legal(hand.state, 0)
    r = 21.0
    for x, y in ((-80 + r, 0), (-r, 0), (-40, 110 - r), (-40, -110 + r)):
        assert Place(float(x), float(y)) in where
    for x, y in ((-80 + r - 0.1, 0), (-r + 0.1, 0), (-40, 110.1 - r), (-40, -110.1 + r), (float("nan"), 0)):
        with pytest.raises(IllegalAction, match="big disk at x in"):
            hand.do(0, Place(float(x), float(y)))
    with pytest.raises(IllegalAction):
        hand.do(0, Place(-40.0, 0.0, weight=3))  # no weight in the base game
    hand.place()
    with pytest.raises(IllegalAction, match="chance"):
        hand.do(0, Place(-40.0, 0.0))  # no correcting once it is pushed


def test_prices_the_new_disk_included() -> None:
    """THR-16, THR-A31: small 1, medium 2, big 3; and only disks that were on the board can fall."""
    hand = Hand(2)
    new = hand.show(BIG)
    hand.bids(0, 1)
    fallen = (*on_board(hand.state, SMALL, 2), *on_board(hand.state, MEDIUM), new)
    with pytest.raises(IllegalOutcome, match="no chance event is due"):
        hand.out(Pushed(fallen))  # nothing falls by a bump at the table
    hand.place()
    for wrong in ((1,), (*fallen, new)):  # in the reserve; twice the same
        with pytest.raises(IllegalOutcome, match="cannot have fallen"):
            hand.out(Pushed(wrong))
    hand.out(Pushed(fallen))
    assert (hand.chips, hand.pile) == ((10 - 1 - 1 - 2 - 3, 9), 8)


def test_fallen_disks_join_the_reserve_for_the_next_round() -> None:
    """THR-17"""
    hand = Hand(2)
    new = hand.show(MEDIUM)
    hand.bids(0, 1)
    small = on_board(hand.state, SMALL)
    hand.push(*small)
    assert hand.state.round == 2
    assert hand.state.reserve == tuple(sorted((0, 1, 8, *small)))
    assert new in hand.state.on_board
    assert Show(small[0]) in GAME.legal(hand.state, 0)  # type: ignore[operator]


def test_exactly_zero_stays_in_and_becomes_boss() -> None:
    """THR-18, THR-06: he must pay 4 and has exactly 4; no chips is not out."""
    hand = Hand(3)
    hand.show(BIG)
    hand.bids(6, 7, 7)  # A pushes
    assert hand.chips == (4, 3, 3)
    hand.push(*on_board(hand.state, BIG), *on_board(hand.state, SMALL))
    assert hand.chips == (0, 3, 3)
    assert hand.state.boss == 0
    assert hand.state.seats.living == (0, 1, 2)
    hand.show(BIG)
    assert GAME.legal(hand.state, 0) == (Bid(0),)


def test_one_too_many_is_out_and_the_left_neighbour_is_boss() -> None:
    """THR-19, THR-A03, THR-A08, THR-A09, THR-A26: all chips go, no debts, only Max; seats out are skipped."""
    hand = Hand(4)
    hand.show(BIG)
    hand.bids(7, 7, 7, 6)
    big, small = on_board(hand.state, BIG), on_board(hand.state, SMALL, 2)
    hand.push(*big, *small)  # owes 5, has 4
    assert (hand.chips, hand.pile) == ((3, 3, 3, 0), 31)
    assert hand.state.seats.living == (0, 1, 2)
    assert hand.state.boss == 0
    hand.show(SMALL)
    hand.bids(0, 0, 0)  # B is first to the left of A
    assert hand.state.pusher == 1
    hand.push(*on_board(hand.state, BIG), *on_board(hand.state, MEDIUM))  # owes 5, has 3
    assert hand.state.seats.living == (0, 2)
    assert hand.state.boss == 2
    hand.show(SMALL)
    hand.bids(0, 0)  # left of C is D (out), then A
    assert hand.state.pusher == 0


def test_the_last_one_wins_without_a_chip() -> None:
    """THR-20, THR-A30"""
    hand = Hand(2)
    hand.show(BIG)
    hand.bids(9, 10)
    assert hand.chips == (1, 0)
    hand.push(*on_board(hand.state, MEDIUM))
    assert GAME.turn(hand.state) == OVER
    assert GAME.winners(hand.state) == (1,)
    assert GAME.places(hand.state) == (2, 1)
    assert hand.chips == (0, 0)


def test_a_base_game_by_hand() -> None:
    """THR-13, THR-16, THR-18, THR-19, THR-20: the ledger after every round of a whole game of three."""
    hand = Hand(3)  # seats A B C, disks: big 0-6, medium 7-16, small 17-31
    ledger = []

    def note() -> None:
        ledger.append((hand.chips, hand.pile, hand.state.boss, len(hand.state.reserve)))

    # 1. A shows a big disk. Bids 2 1 1: B, first to A's left, pushes; two small ones fall, he pays 2.
    hand.round(BIG, (2, 1, 1), (17, 18))
    note()
    # 2. B shows a small one. Bids 0 2 3: A pushes, nothing falls.
    hand.round(SMALL, (0, 2, 3))
    note()
    # 3. A shows a medium one. Bids 3 2 4: B pushes, medium 9 and small 19 fall: 3, all that B has. He stays.
    hand.round(MEDIUM, (3, 2, 4), (9, 19))
    note()
    # 4. B shows big 1. Bids 1 0 2: B himself pushes, nothing falls.
    hand.round(BIG, (1, 0, 2))
    note()
    # 5. B shows a medium one. Bids 2 0 0: B and C tie, B as Boss comes last: C pushes, nothing falls.
    hand.round(MEDIUM, (2, 0, 0))
    note()
    # 6. C shows a small one. Bids 1 0 0: B and C tie, now C comes last: B pushes, small 20 falls, B is out.
    hand.round(SMALL, (1, 0, 0), (20,))
    note()
    # 7. C, to B's left, is Boss, shows a medium one. Bids A 1, C 0: C pushes, nothing falls.
    hand.round(MEDIUM, (1, 0))
    note()
    # 8. C shows a small one. Bids A 0, C 0: A pushes, big 2 falls, A cannot pay: C wins without a chip.
    hand.round(SMALL, (0, 0), (2,))
    note()
    assert ledger == [
        ((8, 7, 9), 6, 1, 5),
        ((8, 5, 6), 11, 0, 4),
        ((5, 0, 2), 23, 1, 5),
        ((4, 0, 0), 26, 1, 4),
        ((2, 0, 0), 28, 2, 3),
        ((1, 0, 0), 29, 2, 3),
        ((0, 0, 0), 30, 2, 2),
        ((0, 0, 0), 30, 2, 2),
    ]
    assert GAME.turn(hand.state) == OVER
    assert GAME.winners(hand.state) == (2,)
    assert GAME.places(hand.state) == (2, 3, 1)
    assert [(r.pusher, r.cost, r.paid, r.out) for r in hand.state.history] == [
        (1, 2, 2, False),
        (0, 0, 0, False),
        (1, 3, 3, False),
        (1, 0, 0, False),
        (2, 0, 0, False),
        (1, 1, 0, True),
        (2, 0, 0, False),
        (0, 3, 0, True),
    ]
