"""Thrill's rulings: what the rulebook leaves open, each with its option."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.games.thrill_script import BIG, FALL, GAME, MEDIUM, NONE, SMALL, STAY, Hand, on_board
from thrillsim.errors import InputError
from thrillsim.games.options import load_options, parse_options
from thrillsim.games.protocol import OVER, IllegalAction, IllegalOutcome
from thrillsim.games.thrill import Arranged, Bid, Options, Show, Table, TurnBoard


def empty_the_reserve(hand: Hand) -> None:
    for kind in (BIG, BIG, MEDIUM, MEDIUM):
        hand.round(kind, tuple(0 for _ in hand.state.seats.living))


def test_without_chips_zero_is_forced() -> None:
    """THR-A01"""
    hand = Hand(2)
    hand.round(BIG, (9, 10))
    hand.show(BIG)
    assert GAME.legal(hand.state, 1) == (Bid(0),)
    hand.bids(1, 0)
    assert hand.state.pusher == 1


def test_everybody_bids_the_same() -> None:
    """THR-A02: the left neighbour pushes; the Boss only when he is alone at the bottom."""
    for boss in range(3):
        hand = Hand(3, first_boss=boss)
        hand.show(BIG)
        hand.bids(4, 4, 4)
        assert hand.state.pusher == (boss + 1) % 3
        hand = Hand(3, first_boss=boss)
        hand.show(BIG)
        hand.bids(*[3 if seat == boss else 4 for seat in range(3)])
        assert hand.state.pusher == boss


def test_two_players() -> None:
    """THR-A04: in a tie the one who is not Boss pushes; the option refuses two."""
    hand = Hand(2, first_boss=1)
    hand.show(BIG)
    hand.bids(2, 2)
    assert hand.state.pusher == 0
    for options, players in ((Options(min_players=3), 2), (Options(), 1), (Options(), 7)):
        with pytest.raises(
            InputError, match=f"players: needs {options.min_players} to 6 players, got {players}"
        ):
            GAME.initial(options, players)


def test_empty_reserve_take_from_board() -> None:
    """THR-A05: after four clean pushes the Boss takes any disk off the board, free of charge."""
    hand = Hand(2)
    empty_the_reserve(hand)
    assert hand.state.reserve == ()
    assert GAME.legal(hand.state, hand.state.boss) == tuple(Show(d) for d in range(32))
    chips = hand.chips
    hand.do(hand.state.boss, Show(31))
    assert 31 not in hand.state.on_board
    assert hand.chips == chips
    hand.bids(0, 1)
    hand.push(31)
    assert hand.state.reserve == (31,)


def test_empty_reserve_skip_and_draw() -> None:
    """THR-A05, THR-A06: "skip_push" loses the bids and passes the Boss on; "draw" ends it undecided."""
    hand = Hand(3, empty_reserve="skip_push", max_rounds=6)
    empty_the_reserve(hand)
    boss = hand.state.boss
    assert hand.state.phase == "bid"
    hand.bids(2, 1, 2)
    assert (hand.chips, hand.state.boss) == ((8, 9, 8), 1)
    assert boss != 1 or hand.state.history[-1].shown is None
    hand.bids(0, 1, 0)
    assert GAME.turn(hand.state) == OVER
    assert GAME.winners(hand.state) == ()
    assert GAME.places(hand.state) == (1, 1, 1)
    hand = Hand(3, empty_reserve="draw")
    empty_the_reserve(hand)
    assert GAME.turn(hand.state) == OVER
    assert GAME.winners(hand.state) == ()


def test_round_limit() -> None:
    """THR-A06"""
    hand = Hand(2, max_rounds=2)
    hand.round(BIG, (0, 0))
    assert hand.state.phase == "choose"
    hand.round(BIG, (0, 0))
    assert GAME.turn(hand.state) == OVER
    assert GAME.winners(hand.state) == ()
    assert hand.state.round == 2


def test_the_bid_does_not_help_to_pay() -> None:
    """THR-A07: ten chips, nine bid, a disk for two: out."""
    hand = Hand(2)
    hand.round(BIG, (9, 10), (7 + 2,))
    assert hand.state.seats.living == (1,)
    assert hand.pile == 20


def test_turning_is_off_by_default() -> None:
    """THR-A16"""
    hand = Hand(2)
    hand.show(BIG)
    hand.bids(0, 1)
    with pytest.raises(IllegalAction):
        hand.do(0, TurnBoard(1))


def test_turning_before_the_placement() -> None:
    """THR-22, THR-A16: what falls costs its single price at once, then comes the push."""
    hand = Hand(2, rotation=True)
    hand.show(BIG)
    hand.bids(0, 1)
    assert len(GAME.legal(hand.state, 0)) == 7  # type: ignore[arg-type]
    hand.do(0, TurnBoard(2, "brisk"))
    with pytest.raises(IllegalOutcome, match="cannot have fallen"):
        hand.turned(0)  # the shown disk is not on the board
    hand.turned(2, 20)
    assert hand.chips[0] == 6
    assert hand.state.phase == "place"
    hand.push(21)
    assert hand.chips[0] == 5
    assert hand.state.history[0].cost == 5
    assert {2, 20, 21} <= set(hand.state.reserve)
    hand.show(BIG)
    hand.bids(0, 1)
    hand.do(0, TurnBoard())
    assert hand.state.phase == "place"


def test_a_fall_in_turning_counts_for_the_wagers() -> None:
    """THR-A15"""
    for counts, small in ((("push", "rotation"), (0, 1)), (("push",), (1, 0))):
        hand = Hand(2, variant=True, rotation=True, wager_counts=counts)
        hand.show(BIG)
        hand.bids(0, 1)
        hand.announce(False)
        hand.wagers(STAY, FALL)
        hand.do(0, TurnBoard(1))
        hand.turned(20)
        hand.push()
        assert hand.held("small") == small


def test_out_by_turning() -> None:
    """THR-A32: no push, the shown disk goes back, the others' wagers are settled."""
    hand = Hand(3, variant=True, rotation=True)
    shown = hand.show(BIG)
    hand.bids(8, 9, 9)
    hand.announce(True)
    hand.wagers(NONE, FALL, STAY)
    hand.do(0, TurnBoard(1))
    hand.turned(2)
    assert hand.state.seats.living == (1, 2)
    assert hand.state.boss == 1
    assert {shown, 2} <= set(hand.state.reserve)
    assert hand.held("small") == (0, 1, 0)
    assert hand.held("stay") == (0, 2, 1)
    assert hand.state.phase == "choose"
    hand = Hand(2, rotation=True)
    hand.show(BIG)
    hand.bids(8, 9)
    hand.do(0, TurnBoard(1))
    hand.turned(2)
    assert GAME.winners(hand.state) == (1,)


def test_layouts_must_name_the_disks_that_are_there() -> None:
    """THR-03: an arrangement that forgets a disk, or knows one of the reserve, is refused."""
    state = GAME.initial(Options(), 2)
    rows = tuple((disk, 50.0, 0.0, 0.0) for disk in state.on_board)
    for wrong in (rows[1:], (*rows, (0, 1.0, 1.0, 0.0))):
        with pytest.raises(IllegalOutcome, match="the layout names"):
            GAME.resolve(state, Arranged(wrong))
    after = GAME.resolve(state, Arranged(rows, Table(zone=(-70.0, 0.0, -60.0, 60.0))))
    assert after.layout == rows
    assert after.table.zone == (-70.0, 0.0, -60.0, 60.0)


def test_options_are_checked() -> None:
    """THR-A05, THR-A06, THR-A14, THR-A15, THR-A29"""
    good = parse_options(
        GAME, ["variant=true", "max-rounds=20", "wager_counts=push,rotation", "first_boss=1"]
    )
    assert good == Options(variant=True, max_rounds=20, wager_counts=("push", "rotation"), first_boss=1)
    assert parse_options(GAME, ["max_rounds=none", "empty_reserve=draw"]) == Options(empty_reserve="draw")
    assert parse_options(GAME, []) == Options(max_rounds=None)
    assert load_options(GAME, {"empty_reserve": "skip_push", "max_rounds": 9}).max_rounds == 9
    for given, message in {
        "max_rounds=0": "max_rounds: must be >= 1 or none, got 0",
        "empty_reserve=skip_push": "empty_reserve: skip_push needs max_rounds",
        "rotation=true rotation=false": "rotation: is given twice",
        "max-rounds=9 max_rounds=9": "max_rounds: is given twice",
        "empty_reserve=cry": 'empty_reserve: must be one of draw, skip_push, take_from_board, got "cry"',
        "max_rounds=x": 'max_rounds: must be a whole number or none, got "x"',
        "variant=maybe": 'variant: must be true or false, got "maybe"',
        "wager_counts=push,luck": "wager_counts: must be a list with commas, each one of push, rotation,",
        "wager_counts=rotation": "wager_counts: must name push at least",
        "max_wagers_per_push=5": "max_wagers_per_push: must be 0 to 4, got 5",
        "first_boss=-1": "first_boss: must be >= 0, got -1",
        "colour=red": "colour: no such option of thrill; there are variant, min_players",
    }.items():
        with pytest.raises(InputError) as caught:
            parse_options(GAME, given.split())
        assert str(caught.value).startswith(message)
    with pytest.raises(InputError, match=r"first_boss: must be 0 to 2, got 3"):
        GAME.initial(Options(first_boss=3), 3)


def test_the_boss_chooses_before_anybody_has_bid() -> None:
    """THR-A25"""
    hand = Hand(3)
    with pytest.raises(IllegalAction):
        hand.do(1, Bid(0))
    hand.show(SMALL if on_board(hand.state, SMALL, 0) else MEDIUM)
    assert hand.state.bids.committed == ()


def test_exchanges_are_seen_by_all() -> None:
    """THR-A35"""
    hand = Hand(2, variant=True)
    hand.state = replace(hand.state, stakes=hand.state.stakes.move("small", "bank", 0, 7))
    hand.show(BIG)
    hand.bids(9, 10)
    hand.announce(False)
    hand.wagers(NONE, NONE)
    hand.push(7 + 2)
    assert GAME.view(hand.state, 1).history[0].cashed == (0,)
    assert hand.held("small")[0] == 4
