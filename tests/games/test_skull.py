"""Skull, clause by clause, and one game played through by hand."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.games.skull_script import GAME, Hand
from thrillsim.errors import InputError
from thrillsim.games.options import parse_options
from thrillsim.games.protocol import CHANCE, OVER, Draw, Drawn, IllegalAction, IllegalOutcome, decide
from thrillsim.games.skull import FLOWER, SKULL, Bid, Flip, Lay, Options, Pass, Start


def test_start() -> None:
    """SKU-01, SKU-A14: three flowers, a skull and a plain mat for each of 3 to 6, or 2 on request."""
    state = GAME.initial(Options(), 5)
    assert [discs.hand for discs in state.discs] == [(FLOWER, FLOWER, FLOWER, SKULL)] * 5
    assert state.mats == ("plain",) * 5
    for players in (1, 2, 7):
        with pytest.raises(InputError, match=f"players: needs 3 to 6 players, got {players}"):
            GAME.initial(Options(), players)
    two = parse_options(GAME, ["min_players=2"])
    assert GAME.initial(two, 2).seats.n == 2
    with pytest.raises(InputError, match=r"min_players: must be one of 2, 3, got "):
        parse_options(GAME, ["min_players=1"])


def test_first_player_is_an_option() -> None:
    """SKU-A01"""
    hand = Hand(3, first_player=2)
    hand.first("FFF")
    assert GAME.turn(hand.state) == decide(2)
    assert Hand(3).state.first == 0
    with pytest.raises(InputError, match=r"first_player: must be 0 to 2, got 3"):
        GAME.initial(Options(first_player=3), 3)
    with pytest.raises(InputError, match="first_player: must be >= 0, got -1"):
        parse_options(GAME, ["first_player=-1"])


def test_first_discs_are_secret_and_the_first_player_is_asked_last() -> None:
    """SKU-02, SKU-A02: he sees neither faces nor who has chosen; the order of choosing is nothing."""
    hand = Hand(3, first_player=1)
    assert GAME.turn(hand.state) == decide(2, 0, 1)
    before = GAME.view(hand.state, 1)
    hand.do(0, Lay(SKULL))
    hand.do(2, Lay(FLOWER))
    assert GAME.view(hand.state, 1) == before
    assert GAME.view(hand.state, 0).chosen == SKULL
    with pytest.raises(IllegalAction, match="to decide: B"):
        hand.do(0, Lay(FLOWER))
    hand.do(1, Lay(FLOWER))
    assert [discs.stack for discs in hand.state.discs] == [(SKULL,), (FLOWER,), (FLOWER,)]
    other = Hand(3, first_player=1)
    for seat, face in ((1, FLOWER), (2, FLOWER), (0, SKULL)):
        other.do(seat, Lay(face))
    assert other.state == hand.state


def test_turns_are_clockwise_lay_or_bid() -> None:
    """SKU-03, SKU-04, SKU-06, SKU-A05: on top, at most all discs on the mats, and no passing before a bid."""
    hand = Hand(3, first_player=1)
    hand.first("FSF")
    assert hand.legal() == ("flower", "1", "2", "3")  # B's skull is on the mat
    for action in (Pass(), Bid(0), Bid(4), Lay(SKULL), Flip(1)):
        with pytest.raises(IllegalAction):
            hand.do(1, action)
    with pytest.raises(IllegalAction, match="to decide: B"):
        hand.do(2, Lay(FLOWER))
    hand.lay("FSF")
    assert GAME.turn(hand.state) == decide(1)
    assert hand.state.discs[1].stack == (SKULL, FLOWER)
    assert hand.state.discs[2].stack == (FLOWER, SKULL)
    assert [seen.laid for seen in GAME.view(hand.state, 0).table] == [2, 2, 2]
    assert hand.legal() == ("flower", "1", "2", "3", "4", "5", "6")


def test_an_empty_hand_must_bid() -> None:
    """SKU-05, SKU-A06"""
    hand = Hand(3)
    hand.first("SSS")
    hand.lay("FFF" * 3)
    assert hand.state.in_play == 12
    assert hand.legal() == tuple(map(str, range(1, 13)))
    hand.say(1)
    assert hand.legal() == ("pass", *map(str, range(2, 13)))


def test_after_a_bid_raise_or_pass() -> None:
    """SKU-07, SKU-08, SKU-09, SKU-10, SKU-A07"""
    hand = Hand(4)
    hand.first("FFFS")
    hand.lay("FFFF")
    hand.say(2)
    assert hand.legal() == ("pass", "3", "4", "5", "6", "7", "8")
    for action in (Lay(FLOWER), Bid(2), Bid(9)):
        with pytest.raises(IllegalAction):
            hand.do(1, action)
    hand.say(None, 4, None)  # B and D pass
    assert GAME.turn(hand.state) == decide(0)
    assert [seen.passed for seen in GAME.view(hand.state, 0).table] == [False, True, False, True]
    hand.say(5)
    assert GAME.turn(hand.state) == decide(2)  # B is not asked again
    hand.say(None)
    assert (hand.state.phase, hand.state.bidder, hand.state.standing) == ("flip", 0, 5)
    assert [seen.bid for seen in GAME.view(hand.state, 3).table] == [5, 0, 4, 0]


def test_own_discs_first_from_the_top_then_any_order() -> None:
    """SKU-09, SKU-12: the discs of those who passed can be flipped, to and fro between the stacks."""
    hand = Hand(3)
    hand.first("FFS")
    hand.lay("FFF")
    hand.say(5, None, None)
    assert hand.legal() == ("flip A",)
    hand.flip("A")
    assert hand.state.discs[0].shown == (FLOWER,)
    assert hand.legal() == ("flip A",)
    with pytest.raises(IllegalAction, match="legal: flip A"):
        hand.do(0, Flip(1))
    hand.flip("A")
    assert hand.legal() == ("flip B", "flip C")
    hand.flip("BC")  # the flower on top of C's skull
    assert hand.legal() == ("flip B", "flip C")
    assert GAME.view(hand.state, 0).to_flip == 1
    assert GAME.view(hand.state, 1).table[2].shown == (FLOWER,)
    hand.flip("B")
    assert hand.state.mats == ("flower", "plain", "plain")


def test_a_bid_of_all_discs_flips_at_once() -> None:
    """SKU-11, SKU-A03"""
    hand = Hand(3)
    hand.first("FFF")
    hand.say(2, 3)
    assert (hand.state.phase, hand.state.bidder) == ("flip", 1)
    hand.flip("BCA")
    assert hand.state.mats == ("plain", "flower", "plain")
    hand = Hand(3)
    hand.first("FFF")
    hand.say(3)  # already the opening
    assert (hand.state.phase, hand.state.bidder) == ("flip", 0)


def test_a_bid_below_the_own_stack_leaves_the_lower_discs() -> None:
    """SKU-A04, SKU-A15: A's skull at the bottom is neither flipped nor shown afterwards."""
    hand = Hand(3)
    hand.first("SFF")
    hand.lay("FFF")
    hand.say(1, None, None)
    hand.flip("A")
    assert hand.state.mats[0] == "flower"
    assert hand.state.phase == "first"
    view = GAME.view(hand.state, 1)
    assert all(seen.shown == () for seen in view.table)
    assert "skull" not in GAME.show(view).replace("has a skull", "").replace(
        "Your hand: 3 flowers, skull", ""
    )


def test_success_turns_the_mat_and_the_second_wins_at_once() -> None:
    """SKU-13, SKU-18, SKU-19, SKU-20, SKU-A09: nothing is tidied up after the winning flip."""
    hand = Hand(3, first_player=1)
    hand.round("FFS", (1, None, 2, None), "AB")
    assert hand.state.mats == ("flower", "plain", "plain")
    assert all(discs.hand == (FLOWER, FLOWER, FLOWER, SKULL) for discs in hand.state.discs)
    assert (hand.state.first, hand.state.round) == (0, 2)
    hand.round("FSF", (2, None, None), "AC")
    assert GAME.turn(hand.state) == OVER
    assert GAME.winners(hand.state) == (0,)
    assert GAME.places(hand.state) == (1, 2, 2)
    assert hand.state.discs[2].shown == (FLOWER,)


def test_foreign_skull() -> None:
    """SKU-14, SKU-15, SKU-18, SKU-A08: stop at once; any disc of the challenger may be drawn."""
    hand = Hand(3)
    hand.round("FFS", (3,), "AC")
    assert GAME.turn(hand.state) == CHANCE
    assert GAME.chance(hand.state) == Draw(4)
    assert hand.state.turn == 2  # the skull's owner draws
    with pytest.raises(IllegalOutcome):
        GAME.resolve(hand.state, Drawn(4))
    lost = {}
    for index in range(4):
        after = GAME.resolve(hand.state, Drawn(index))
        lost[index] = after.discs[0].box
        assert len(after.discs[0].hand) == 3
        assert after.first == 0
    assert sorted(lost.values()) == [(FLOWER,)] * 3 + [(SKULL,)]
    one, other = (GAME.resolve(hand.state, Drawn(index)) for index in (0, 3))
    assert [GAME.view(one, seat) == GAME.view(other, seat) for seat in range(3)] == [False, True, True]
    assert GAME.view(one, 0).box == (FLOWER,)
    assert GAME.view(one, 1).table[0].lost == ("drawn",)


def test_own_skull() -> None:
    """SKU-16, SKU-A08, SKU-A10: he chooses any disc; nobody else sees which; a flower mat stays."""
    hand = Hand(3)
    hand.round("FFS", (2, None, None), "AB")
    hand.first("SFF")
    hand.lay("FFF")
    hand.say(4, None, None)
    hand.flip("AA")  # the flower on top, then the skull
    assert hand.state.phase == "box"
    assert GAME.turn(hand.state) == decide(0)
    assert hand.legal() == ("box flower", "box skull")
    results = []
    for face in "FS":
        after = Hand(3)
        after.state = hand.state
        after.box(face)
        results.append(after.state)
    assert [len(state.discs[0].hand) for state in results] == [3, 3]
    assert [state.discs[0].box for state in results] == [(FLOWER,), (SKULL,)]
    assert GAME.view(results[0], 1) == GAME.view(results[1], 1)
    assert all(state.mats[0] == "flower" and state.first == 0 for state in results)


def three_without(hand: Hand, seat: int, faces: str) -> None:
    """Let `seat` (first player) lose these faces by its own skull, the last of them excepted."""
    others = "F" * (len(hand.state.seats) - 1)
    for face in faces:
        hand.first(others[:seat] + "S" + others[seat:])
        hand.say(len(hand.state.seats))
        hand.flip("ABCDEF"[seat])
        hand.box(face)


def test_last_disc_gone_by_a_foreign_skull() -> None:
    """SKU-17, SKU-19: the mat goes too, and the owner of the skull is first."""
    hand = Hand(4)
    three_without(hand, 0, "FFS")
    assert hand.left == (1, 4, 4, 4)
    hand.first("FFSF")
    hand.say(4)
    hand.flip("AC")
    assert GAME.chance(hand.state) == Draw(1)
    hand.drawn("F")
    assert hand.state.mats[0] == "gone"
    assert hand.state.seats.living == (1, 2, 3)
    assert (hand.state.first, hand.state.phase) == (2, "first")
    assert GAME.turn(hand.state) == decide(3, 1, 2)
    assert all(not GAME.legal(hand.state, 0) for _ in range(2))


def test_last_disc_is_the_own_skull() -> None:
    """SKU-16, SKU-17, SKU-19, SKU-A11, SKU-A12: he is out, and names one who is still in."""
    hand = Hand(3, first_player=1)
    three_without(hand, 1, "FFF")
    assert hand.state.discs[1].hand == (SKULL,)
    three_without(hand, 1, "S")
    assert hand.state.seats.living == (0, 2)
    assert GAME.turn(hand.state) == decide(1)
    assert hand.legal() == ("start A", "start C")
    with pytest.raises(IllegalAction):
        hand.do(1, Start(1))
    hand.start(2)
    assert GAME.turn(hand.state) == decide(0, 2)
    assert hand.state.first == 2


def test_two_left_go_on_and_the_only_one_left_wins() -> None:
    """SKU-20, SKU-A13, SKU-A16: nobody is named when only one is left."""
    hand = Hand(3)
    three_without(hand, 0, "FFFS")
    hand.start(1)
    assert GAME.turn(hand.state) == decide(2, 1)
    for face in "FFF":
        hand.round("SF", (2,), "B")
        hand.box(face)
    hand.first("SF")
    assert hand.legal() == ("1", "2")  # no disc left to lay
    hand.say(1, None)
    hand.flip("B")
    hand.box("S")
    assert GAME.turn(hand.state) == OVER
    assert GAME.winners(hand.state) == (2,)
    assert hand.state.mats == ("gone", "gone", "plain")


def test_what_the_table_knows_of_a_skull() -> None:
    """Whoever lost nothing has it; after a loss it is open until seen, or only flowers are left."""
    hand = Hand(3)
    hand.round("FFS", (3,), "AC")
    hand.drawn("S")
    assert hand.state.skulls == ("open", "yes", "yes")
    hand.first("FFF")
    hand.lay("FFFF")  # A, B, C, A
    hand.say(1, None, 3, None)
    assert hand.state.phase == "flip"
    hand.flip("AAA")
    assert hand.state.skulls[0] == "no"
    hand = Hand(3)
    hand.round("FFS", (3,), "AC")
    hand.drawn("F")
    hand.round("SFF", (3,), "A")
    assert hand.state.skulls[0] == "yes"
    hand.box("F")
    assert hand.state.skulls[0] == "open"


def test_a_whole_game_by_hand() -> None:
    """Four players: successes, a foreign and an own skull, and a win by the second success."""
    hand = Hand(4)
    hand.first("FSFF")
    hand.lay("FF")  # A, B
    hand.say(2, 3, None, None)  # C, D, A, B
    assert (hand.state.phase, hand.state.turn) == ("bid", 2)
    hand.say(None)
    assert hand.state.bidder == 3
    hand.flip("DCB")  # D, C, then B's upper disc: a flower
    assert hand.state.mats[3] == "flower"
    assert hand.state.first == 3
    hand.first("FFSF")
    hand.say(1, 2, None, 3, None, 4)  # D, A, B, C, D, A
    hand.flip("ADC")
    assert GAME.chance(hand.state) == Draw(4)
    hand.drawn("F")
    assert hand.left == (3, 4, 4, 4)
    assert hand.state.first == 0
    hand.round("SFFF", (1, None, 2, None, 3, None), "A")
    hand.box("F")
    assert hand.left == (2, 4, 4, 4)
    hand.round("FSFF", (1, None, 2, 3, None, None), "DAC")
    assert GAME.winners(hand.state) == (3,)
    assert GAME.places(hand.state) == (2, 2, 2, 1)


def test_the_sheet_is_complete() -> None:
    """SKU-01 to SKU-20 and SKU-A01 to SKU-A16 are all there, in order."""
    sheet = (Path(__file__).parents[2] / "seeds" / "skull.md").read_text(encoding="utf-8")
    found = re.findall(r"^- \*\*(SKU-A?\d\d)\*\*", sheet, re.MULTILINE)
    assert found == [f"SKU-{n:02d}" for n in range(1, 21)] + [f"SKU-A{n:02d}" for n in range(1, 17)]
