"""Thinkaboxin, what all modes share: rounds, sets, Donkeys and races, clause by clause."""

from __future__ import annotations

from itertools import product

import pytest

from tests.games.thinkaboxin_script import GAME, Hand
from thrillsim.bidding import matching
from thrillsim.errors import InputError
from thrillsim.games.options import parse_options
from thrillsim.games.protocol import CHANCE, IllegalAction, IllegalOutcome, Mishap, Roll, decide
from thrillsim.games.thinkaboxin import MODES, VALUES, WILD, Call, Lift, Options


def test_start() -> None:
    """THK-01, THK-02, THK-06: four dice each; the youngest starts."""
    for players in range(2, 7):
        hand = Hand(players, first_player=1)
        assert GAME.chance(hand.state) == Roll((4,) * players)
        hand.roll()
        assert GAME.turn(hand.state) == decide(1)
    for players in (1, 7):
        with pytest.raises(InputError, match=f"players: needs 2 to 6 players, got {players}"):
            GAME.initial(Options(), players)
    with pytest.raises(InputError, match=r"first_player: must be 0 to 1, got 2"):
        Hand(2, first_player=2)


def test_options_have_one_clear_line() -> None:
    assert parse_options(GAME, ["mode=rattlesnakes", "adjacency=8", "must_place=true"]) == Options(
        mode="rattlesnakes", adjacency=8, must_place=True
    )
    for given, message in [
        ("mode=chess", 'mode: must be one of .*goldrush.*, got "chess"'),
        ("donkey_prob=1", 'donkey_prob: must be a number >= 0 and < 1, got "1"'),
        ("first_player=9", 'first_player: must be a whole number from 0 to 5, got "9"'),
        ("max_sets=0", "max_sets: must be a whole number >= 1"),
        ("pit_reuse=never", "pit_reuse: must be one of .*not_immediate, once"),
    ]:
        with pytest.raises(InputError, match=message):
            parse_options(GAME, [given])


# --- bids -------------------------------------------------------------------------------


def test_values_and_the_highest_bid() -> None:
    """THK-03, THK-10, THK-11, THK-A03, THK-A04: 6 T bids with T dice, from one 2 to all ones."""
    assert VALUES == (2, 3, 4, 5, 6, 1)
    hand = Hand(4)
    hand.roll()
    assert len(hand.legal) == 6 * 16 * 2
    assert hand.legal[0] == "1x2 left"
    assert hand.legal[95] == "16x1 left"
    hand.say("16x6 left")
    assert hand.legal == ["16x1", "lift"]
    hand.say("16x1")
    assert hand.legal == ["lift"]


def test_raising_by_amount_value_or_both() -> None:
    """THK-10, THK-A01: the three examples; neither may drop."""
    hand = Hand(3)
    hand.roll()
    hand.say("3x5 left")
    assert {"3x6", "3x1", "4x5", "7x6"} <= set(hand.legal)
    assert not {"3x5", "2x1", "4x2", "12x4"} & set(hand.legal)
    hand.say("5x5")
    hand.say("7x6")
    assert {b for b in hand.legal if b.startswith("7x")} == {"7x1"}
    free = Hand(3, raise_rule="lexicographic")
    free.roll()
    free.say("3x5 left")
    assert {"3x6", "3x1", "4x2", "12x4"} <= set(free.legal)
    assert not {"3x5", "2x1", "3x4"} & set(free.legal)


def test_one_one_blocks_all_other_values() -> None:
    """THK-A02"""
    hand = Hand(2)
    hand.roll()
    hand.say("1x1 left")
    assert hand.legal == [*(f"{n}x1" for n in range(2, 9)), "lift"]


@pytest.mark.parametrize("way", [1, -1])
def test_the_starter_turns_the_round(way: int) -> None:
    """THK-07, THK-08, THK-09, THK-A06: to his left or right; nobody else may bid or lift."""
    hand = Hand(4, first_player=1)
    hand.roll()
    with pytest.raises(IllegalAction):
        hand.do(Call(1, 2))
    hand.do(Call(1, 2, way))
    for step in range(1, 6):
        seat = (1 + way * step) % 4
        assert GAME.turn(hand.state) == decide(seat)
        for other in set(range(4)) - {seat}:
            for action in (Call(9, 1), Lift()):
                with pytest.raises(IllegalAction, match="to decide"):
                    GAME.act(hand.state, other, action)
        with pytest.raises(IllegalAction):
            hand.do(Call(step + 1, 2, -way))
        hand.do(Call(step + 1, 2))
    assert hand.state.direction == way


def test_with_two_players_there_is_no_direction() -> None:
    """THK-A14"""
    hand = Hand(2)
    hand.roll()
    assert len(hand.legal) == 6 * 8


def test_counting_with_jokers() -> None:
    """THK-04, THK-12, THK-13, THK-A05: ones count for any value; for ones only ones do."""
    for bid, wrong in (("4x5", 1), ("5x5", 0), ("2x1", 1), ("3x1", 0)):
        hand = Hand(2)
        hand.roll("1552", "1366")
        hand.say(f"{bid} left")
        hand.do(Lift())
        last = hand.state.last
        assert last is not None
        assert last.count == (4 if "5" in bid[2:] else 2)
        assert last.loser == wrong
    for face in VALUES:
        rolls = list(product(VALUES, repeat=2))
        mean = sum(matching(roll, face, WILD) for roll in rolls) / len(rolls)
        assert mean == pytest.approx(2 / 6 if face == WILD else 2 / 3)


def test_two_dice_showdown() -> None:
    """THK-11, THK-A05, THK-A07: two ones on the table: who bids "two ones" wins against "two sixes"."""
    hand = Hand(2)
    for loser in (0, 1, 0, 1, 0, 1):
        hand.lose(loser)
    assert hand.cups == [1, 1]
    assert hand.won == [3, 3]
    hand.roll("1", "1")
    assert hand.turn == 1
    assert len(hand.legal) == 6 * 2  # won dice are not in play
    hand.say("2x6 left")
    hand.say("2x1")
    assert hand.legal == ["lift"]
    hand.do(Lift())
    assert hand.state.last is not None
    assert hand.state.last.loser == 1
    assert GAME.winners(hand.state) == (0,)


# --- rounds and sets --------------------------------------------------------------------


def test_won_dice() -> None:
    """THK-05, THK-14, THK-15: all but the one who was wrong take a die out; he starts and turns again."""
    hand = Hand(4)
    assert GAME.turn(hand.state) == CHANCE
    hand.lose(2, way=-1)
    assert hand.cups == [3, 3, 4, 3]
    assert hand.won == [1, 1, 0, 1]
    with pytest.raises(IllegalOutcome):
        hand.roll("222", "222", "222", "222")
    hand.roll()
    assert hand.turn == 2
    assert {"1x2 left", "1x2 right"} <= set(hand.legal)


def test_several_set_winners() -> None:
    """THK-16, THK-A08: A loses all rounds; everybody else empties the cup in the fourth."""
    hand = Hand(4, mode="nuggets")
    for _ in range(4):
        if hand.state.phase == "shake" and hand.state.round == 1:
            hand.roll()
            hand.say("stake 2")
            hand.do(Call(1, 1, 1), Lift())
        else:
            hand.lose(0)
    assert hand.state.number == 2
    assert [hand.state.book.nuggets.held(s, "nugget") for s in range(4)] == [8, 10, 10, 10]  # type: ignore[union-attr]
    assert hand.cups == [4] * 4


# --- Donkeys ----------------------------------------------------------------------------


def test_donkey() -> None:
    """THK-17, THK-A11: all others take a die out, all shake again, the Donkey begins."""
    hand = Hand(4, donkey_prob=0.3)
    hand.roll()
    assert GAME.chance(hand.state) == Mishap((0.3,) * 4)
    hand.donkey()
    assert GAME.turn(hand.state) == decide(0)
    hand.do(Call(1, 1, 1), Lift())
    assert hand.cups == [4, 3, 3, 3]
    hand.roll()
    hand.donkey(2)
    assert hand.cups == [3, 2, 3, 2]
    assert GAME.chance(hand.state) == Roll((3, 2, 3, 2))
    hand.roll()
    hand.donkey()
    assert hand.turn == 2
    plain = Hand(4)
    plain.roll()
    assert GAME.turn(plain.state).kind == "decide"


def test_several_donkeys() -> None:
    """THK-A12: the first of them clockwise from the starter, himself last; all: just shake again."""
    for fallen, begins in (((0, 3), 3), ((1, 2, 3), 3), ((0, 1), 0), ((1, 2), 1)):
        hand = Hand(4, donkey_prob=0.3, first_player=2)
        hand.roll()
        hand.donkey(*fallen)
        hand.roll()
        hand.donkey()
        assert hand.turn == begins
        assert hand.cups == [4 if seat in fallen else 3 for seat in range(4)]
    hand = Hand(3, donkey_prob=0.3, first_player=2)
    hand.roll()
    hand.donkey(0, 1, 2)
    assert hand.cups == [4, 4, 4]
    assert hand.state.lost == (0, 0, 0)
    hand.roll()
    hand.donkey()
    assert hand.turn == 2


def test_a_donkey_can_end_a_set() -> None:
    """THK-A13: B's mishap empties the cups of A and C, who win the set and share the pool."""
    hand = Hand(3, mode="nuggets", donkey_prob=0.3)
    hand.roll()
    hand.donkey()
    hand.say("stake 4")
    hand.do(Call(1, 2, 1), Lift())
    for _ in range(3):
        hand.roll()
        hand.donkey(1)
    assert hand.state.number == 2
    assert [hand.state.book.nuggets.held(s, "nugget") for s in range(3)] == [12, 6, 12]  # type: ignore[union-attr]
    hand.roll()
    hand.donkey()
    assert hand.turn == 1


def test_donkeys_until_the_lift() -> None:
    """THK-A44: with `donkey_at=turn` also after every bid; it counts as a lost round."""
    hand = Hand(3, donkey_prob=0.3, donkey_at="turn")
    hand.roll()
    hand.donkey()
    hand.do(Call(1, 2, -1))
    assert GAME.chance(hand.state) == Mishap((0.3,) * 3)
    hand.donkey()
    assert hand.turn == 2
    hand.do(Call(2, 2))
    hand.donkey(0)
    assert hand.cups == [4, 3, 3]
    assert hand.state.lost == (1, 0, 0)
    hand.roll()
    hand.donkey()
    assert hand.turn == 0
    assert "lift" not in hand.legal
    once = Hand(3, donkey_prob=0.3)
    once.roll()
    once.donkey()
    once.do(Call(1, 2, -1))
    assert GAME.turn(once.state) == decide(2)


# --- knock-out races --------------------------------------------------------------------


def test_a_race_round_by_round() -> None:
    """THK-18, THK-A15, THK-A16: empty cups are skipped; the last with dice is out; then four dice again."""
    hand = Hand(3)
    course = []
    for loser in (2, 2, 1, 2, 1, 1):
        hand.lose(loser)
        course.append(hand.cups)
    assert course == [[3, 3, 4], [2, 2, 4], [1, 2, 3], [0, 1, 3], [0, 1, 2], [0, 1, 1]]
    hand.roll()
    assert hand.turn == 1
    assert "1x2 left" in hand.legal
    hand.say("1x2 right")
    assert hand.turn == 2  # A has nothing in his cup
    hand.do(Lift())
    assert hand.state.gone == ((2,),)
    assert hand.cups == [4, 4, 0]
    assert hand.state.table.living == (0, 1)


def test_the_last_but_one_loser_starts_the_next_set() -> None:
    """THK-A09, THK-A10, THK-A28: of those who emptied last the one who was wrong most recently."""
    hand = Hand(3)
    for loser in (2, 2, 1, 2, 1, 1, 2):
        hand.lose(loser)
    hand.roll()
    assert hand.turn == 1  # B emptied last
    both = Hand(3)
    for loser in (0, 1, 2, 2, 2):
        both.lose(loser)
    assert both.state.gone == ((2,),)  # A and B emptied together; B was wrong later
    both.roll()
    assert both.turn == 1
    never = Hand(4)
    for _ in range(4):
        never.lose(2)
    assert never.state.gone == ((2,),)  # nobody else was ever wrong: the nearest to the left of C
    never.roll()
    assert never.turn == 3


def test_every_mode_is_there() -> None:
    assert sorted(MODES) == ["goldrush", "last_man", "nuggets", "rattlesnakes", "sheriff"]
    for mode in MODES:
        for players in range(2, 7):
            hand = Hand(players, mode=mode)
            assert GAME.turn(hand.state) == CHANCE
