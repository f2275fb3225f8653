"""Shake It!, clause by clause, and one game played through by hand."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from tests.games.shakeit_script import GAME, Hand
from thrillsim import toml
from thrillsim.bidding import Bid, matching
from thrillsim.errors import InputError
from thrillsim.games.protocol import (
    CHANCE,
    OVER,
    Happened,
    IllegalAction,
    IllegalOutcome,
    Mishap,
    Roll,
    decide,
)
from thrillsim.games.shakeit import NUMBERS, STAR, Bet, Doubt, LayOut, Options, Track, order

DEFAULT = order(Track())


def position(bid: str) -> int:
    """1 for the first square."""
    return DEFAULT.position(Bid(int(bid.lstrip("*")), STAR if bid.startswith("*") else 1)) + 1


# --- the track --------------------------------------------------------------------------


def test_track_positions_in_closed_form() -> None:
    """SHK-22: number n at n + n // 2, star k at 3 k - 1, on and on; a lap adds 20 and 10."""
    assert len(Track().squares) == 30
    assert len(DEFAULT.squares) == 60
    assert [position(str(n)) for n in range(1, 41)] == [n + n // 2 for n in range(1, 41)]
    assert [position(f"*{k}") for k in range(1, 21)] == [3 * k - 1 for k in range(1, 21)]
    assert position("21") == position("1") + 30
    assert position("*11") == position("*1") + 30


def test_three_raises_with_the_examples_of_the_rulebook() -> None:
    """SHK-11, SHK-12, SHK-13, SHK-A10, SHK-A11"""
    hand = Hand(2, first_player=0)
    hand.roll("12345", "12345")
    hand.bet("5x3")
    on_the_square = [bet for bet in hand.bets if bet.startswith("5x")]
    assert on_the_square == ["5x4", "5x5"]  # "from 3 to 4 or 5 at most"
    hand.bet("5x5")
    assert {"6x1", "6x2", "3*", "7x1"} <= set(hand.bets)
    assert not {"5x5", "4x5", "2*"} & set(hand.bets)
    hand.bet("6x2")  # five 5s to six 2s
    assert Bid(5, 4) in DEFAULT.raises(Bid(2, STAR))  # two stars to five 4s
    assert Bid(4, STAR) in DEFAULT.raises(Bid(3, STAR))
    assert Bid(5, STAR) in DEFAULT.raises(Bid(8, 4))  # eight 4s to five stars, the lowest that is possible
    assert Bid(4, STAR) not in DEFAULT.raises(Bid(8, 4))
    for k in range(1, 21):
        up = DEFAULT.raises(Bid(k, STAR))
        numbers = [bid.count for bid in up if bid.face != STAR]
        assert min(numbers) == 2 * k
        assert all(bid.count > k for bid in up if bid.face == STAR)


def test_any_square_may_open() -> None:
    """SHK-A09, SHK-08, SHK-09: 40 number squares with five faces, 20 star squares."""
    hand = Hand(3, first_player=1)
    hand.roll("12345", "12345", "12345")
    assert len(hand.bets) == 40 * 5 + 20
    assert "doubt" not in hand.bets
    assert {"1x1", "40x5", "1*", "20*"} <= set(hand.bets)


def test_the_other_layout_and_a_track_of_ones_own(tmp_path: Path) -> None:
    """SHK-22: counting on holds for any track; an impossible one gets one clear line."""
    after = Hand(2, first_player=0, star_layout="after_even")
    after.roll("12345", "12345")
    after.bet("4*")
    assert "9x1" in after.bets
    assert "8x5" not in after.bets
    file = tmp_path / "track.toml"
    file.write_text('squares = ["1", "*1", "*2", "2", "3"]\n')
    track = toml.load(file, Track)
    two_laps = [f"*{s.count}" if s.faces == (STAR,) else str(s.count) for s in order(track).squares]
    assert two_laps == ["1", "*1", "*2", "2", "3", "4", "*3", "*4", "5", "6"]
    for squares, message in [
        ('["1", "3"]', "squares: number squares must run 1, 2, 3 ... along the arrow, got 3 for 2"),
        ('["1", "*2"]', "squares: star squares must run *1, *2, *3 ... along the arrow, got *2 for *1"),
        ('["*1"]', "squares: the track needs at least one number square"),
        ('["1", "2"]', "squares: the track needs at least one star square"),
        ('["1", "*1", "x"]', 'squares: must be "7" or "*4" and the like, got "x"'),
    ]:
        file.write_text(f"squares = {squares}\n")
        with pytest.raises(InputError) as caught:
            toml.load(file, Track)
        assert str(caught.value) == f"{file}: {message}"


# --- start ------------------------------------------------------------------------------


def test_start() -> None:
    """SHK-01, SHK-A17, SHK-A18: five dice of six faces each, 2 to 6 players."""
    for players in range(2, 7):
        hand = Hand(players)
        assert hand.dice == [5] * players + [0]
        assert GAME.chance(hand.state) == Roll((5,) * players, 6)
    for players in (1, 7):
        with pytest.raises(InputError, match=f"players: needs 2 to 6 players, got {players}"):
            GAME.initial(Options(), players)


def test_highest_total_starts_and_ties_roll_again() -> None:
    """SHK-03, SHK-A01, SHK-A02: stars have no pips; only those who tie roll again."""
    hand = Hand(4)
    hand.roll("****5", "33333", "*5541", "54321")  # 5, 15, 15, 15
    assert hand.state.phase == "start"
    assert hand.state.rolling == (1, 2, 3)
    hand.roll("11111", "22222", "22222")
    assert hand.state.rolling == (2, 3)
    hand.roll("11112", "55555")
    assert hand.state.phase == "shake"
    hand.roll("12345", "12345", "12345", "12345")
    assert hand.turn == 3
    six = Hand(2, start_star_value=6)
    six.roll("*****", "55555")
    six.roll("12345", "12345")
    assert six.turn == 0
    fixed = Hand(4, first_player=2)
    fixed.roll("12345", "12345", "12345", "12345")
    assert fixed.turn == 2
    with pytest.raises(InputError, match=r"first_player: must be 0 to 1, got 2"):
        Hand(2, first_player=2)


# --- a round ----------------------------------------------------------------------------


def test_shake_bet_lift() -> None:
    """SHK-04, SHK-05, SHK-10: dice, then bets clockwise, then cups; nobody acts out of turn or passes."""
    hand = Hand(3, first_player=1)
    assert GAME.turn(hand.state) == CHANCE
    with pytest.raises(IllegalOutcome):
        hand.roll("12345", "1234", "12345")
    hand.roll("54321", "11111", "*2345")
    assert GAME.view(hand.state, 0).hidden == (1, 2, 3, 4, 5)
    assert GAME.view(hand.state, 2).hidden == (2, 3, 4, 5, STAR)
    for seat in (1, 2, 0, 1):
        assert GAME.turn(hand.state) == decide(seat)
        for other in {0, 1, 2} - {seat}:
            with pytest.raises(IllegalAction, match="to decide"):
                GAME.act(hand.state, other, Bet(30, 1))
        hand.bet(f"{len(hand.state.bidding.said) + 1}x1")
        assert set(hand.bets) == {GAME.label(Bet(b.count, b.face)) for b in hand.state.bidding.raises()} | {
            "doubt"
        }
    cups = hand.state.cups
    with pytest.raises(IllegalAction):
        hand.bet("4x1")
    assert hand.state.cups == cups
    hand.doubt()
    assert GAME.turn(hand.state) == CHANCE
    assert hand.state.round == 2


def test_only_the_player_in_turn_doubts_and_only_a_bet() -> None:
    """SHK-14"""
    hand = Hand(3, first_player=0)
    hand.roll("12345", "12345", "12345")
    with pytest.raises(IllegalAction):
        hand.doubt()
    hand.bet("2x1")
    for seat in (0, 2):
        with pytest.raises(IllegalAction, match="to decide: B"):
            GAME.act(hand.state, seat, Doubt())


def test_first_worked_example() -> None:
    """SHK-08, SHK-15, SHK-16: ten 2s are bet; eight 2s and four stars are twelve; two dice are lost."""
    hand = Hand(5, first_player=0)
    hand.roll("22***", "222*1", "22134", "2" + "1345", "11345")
    hand.bet("10x2")
    hand.doubt()
    last = hand.state.last
    assert last is not None
    assert (last.count, last.lost, last.winner) == (12, (0, 2, 0, 0, 0), 0)
    assert hand.dice == [5, 3, 5, 5, 5, 2]


def test_second_worked_example() -> None:
    """SHK-09, SHK-15, SHK-16, SHK-A05: eight stars are bet, there are eight: all but the bettor lose."""
    hand = Hand(5, first_player=3)
    hand.roll("***11", "**234", "1234*", "1234*", "5*555")
    hand.bet("8*")
    hand.doubt()
    assert hand.dice == [4, 4, 4, 5, 4, 4]
    assert hand.state.bidding.turn == 3


def test_bet_too_high() -> None:
    """SHK-15, SHK-16, SHK-17, SHK-19: the bettor loses the difference, and the doubter opens."""
    hand = Hand(3, first_player=0)
    hand.roll("11111", "22222", "3333*")
    hand.bet("4x3")
    hand.bet("8x4")  # only the star counts
    hand.doubt()
    assert hand.dice == [5, 0, 5, 5]
    assert hand.state.bidding.turn == 2
    assert hand.state.seats.living == (0, 2)


def test_stars_are_wild_for_numbers_only() -> None:
    """SHK-08, SHK-09"""
    for bet, count in (("3x3", 5), ("3x5", 3), ("3*", 2)):
        hand = Hand(2, first_player=0)
        hand.roll("33*12", "35*44")
        hand.bet(bet)
        hand.doubt()
        assert hand.state.last is not None
        assert hand.state.last.count == count


def test_losing_more_than_one_has() -> None:
    """SHK-A03, SHK-18, SHK-20, SHK-02: all he has; out; the last one with dice wins."""
    hand = Hand(2, first_player=0)
    hand.roll("11111", "11111")
    hand.bet("20*")
    hand.doubt()
    assert hand.dice == [0, 5, 5]
    assert GAME.turn(hand.state) == OVER
    assert GAME.winners(hand.state) == (1,)
    assert GAME.places(hand.state) == (2, 1)


def lose_to_one_die(hand: Hand) -> None:
    """Four players; A wins, all others come down to a single die."""
    for number in (5, 4, 3, 2):
        rest = ["2" * number] * 3
        hand.roll("11111", *rest)
        hand.bet("5x1")
        hand.doubt()


def test_an_exact_bet_puts_several_out_at_once() -> None:
    """SHK-A04, SHK-A06, SHK-18, SHK-02: players with one die go together; the bettor stays and wins."""
    hand = Hand(4, first_player=0)
    lose_to_one_die(hand)
    assert hand.dice == [5, 1, 1, 1, 12]
    hand.roll("11111", "2", "2", "2")
    hand.bet("5x1")
    hand.doubt()
    assert hand.dice == [5, 0, 0, 0, 15]
    assert GAME.winners(hand.state) == (0,)
    assert GAME.places(hand.state) == (1, 2, 2, 2)


def test_places_follow_the_order_of_going_out() -> None:
    """SHK-18, SHK-20: C first, then B and D together."""
    hand = Hand(4, first_player=0)
    lose_to_one_die(hand)
    hand.roll("11111", "2", "2", "2")
    hand.bet("1x1")
    hand.bet("1x2")
    hand.bet("3*")  # C, and there is no star
    hand.doubt()
    assert hand.state.seats.living == (0, 1, 3)
    assert hand.state.bidding.turn == 3
    hand.roll("11111", "2", "2")
    hand.bet("1x1")
    hand.bet("5x1")
    hand.doubt()
    assert GAME.places(hand.state) == (1, 2, 4, 2)


def test_the_winner_opens_clockwise_over_gaps() -> None:
    """SHK-07, SHK-10, SHK-19"""
    hand = Hand(3, first_player=0)
    hand.roll("11111", "22222", "33333")
    hand.bet("1x1")
    hand.bet("9*")  # B is out; C was right
    hand.doubt()
    hand.roll("11111", "33333")
    assert hand.turn == 2
    hand.bet("1x1")
    assert hand.turn == 0
    hand.bet("2x1")
    assert hand.turn == 2


def test_cocked_dice_are_rolled_again() -> None:
    """SHK-06, SHK-A16: until they lie flat, only by those to whom it happened; never without the option."""
    hand = Hand(3, first_player=0, cocked_prob=0.25)
    hand.roll("11111", "22222", "33333")
    assert GAME.chance(hand.state) == Mishap((0.25, 0.25, 0.25))
    hand.state = GAME.resolve(hand.state, Happened((False, True, True)))
    assert GAME.chance(hand.state) == Roll((5, 5))
    hand.roll("44444", "55555")
    assert GAME.chance(hand.state) == Mishap((0.25, 0.25))
    hand.state = GAME.resolve(hand.state, Happened((False, False)))
    assert GAME.turn(hand.state) == decide(0)
    assert [cup.hidden[0] for cup in hand.state.cups] == [1, 4, 5]
    plain = Hand(2, first_player=0)
    plain.roll("11111", "22222")
    assert GAME.turn(plain.state) == decide(0)


# --- limits of bets ---------------------------------------------------------------------


def test_bets_above_the_dice_in_play() -> None:
    """SHK-A07, SHK-A08, SHK-22: legal to the end of the second lap; or, on request, not above the dice."""
    hand = Hand(2, first_player=0)
    hand.roll("11111", "22222")
    hand.bet("40x4")
    assert hand.bets == ["40x5", "doubt"]
    hand.bet("40x5")
    assert hand.bets == ["doubt"]
    most = Hand(2, first_player=0, bet_limit="dice_in_play")
    most.roll("11111", "22222")
    assert len(most.bets) == 10 * 5 + 10
    most.bet("10x5")  # the highest number; ten stars lie beyond
    assert most.bets == ["6*", "7*", "8*", "9*", "10*", "doubt"]
    most.bet("10*")
    assert most.bets == ["doubt"]
    six = Hand(6, first_player=0, bet_limit="dice_in_play")
    six.roll(*["12345"] * 6)
    assert len(six.bets) == 30 * 5 + 30
    six.bet("30x5")
    assert six.bets[-2:] == ["30*", "doubt"]


def test_raising_an_exact_top_bet_is_a_sacrifice_that_the_text_allows() -> None:
    """SHK-A07: it costs the raiser one die, doubting would cost everybody else one."""
    hand = Hand(3, first_player=0)
    hand.roll("*****", "*****", "*****")
    hand.bet("15x1")
    hand.bet("16x1")
    hand.doubt()
    assert hand.dice == [5, 4, 5, 1]


def test_expected_counts() -> None:
    """SHK-21: over all faces of n dice the mean is n / 3 for a number and n / 6 for stars, exactly."""
    rolls = list(product((*NUMBERS, STAR), repeat=3))
    for face in NUMBERS:
        assert sum(matching(roll, face, wild=STAR) for roll in rolls) * 3 == 3 * len(rolls)
    assert sum(matching(roll, STAR, wild=STAR) for roll in rolls) * 6 == 3 * len(rolls)


# --- extension --------------------------------------------------------------------------


def test_laying_out_and_rolling_again() -> None:
    """SHK-23, SHK-24, SHK-A12, SHK-A13, SHK-A14: after each own bet, as often as dice are left."""
    hand = Hand(2, first_player=0, extension=True)
    hand.roll("33124", "11111")
    assert all(b not in hand.bets for b in ("keep", "lay 3"))  # not before the bet
    hand.bet("2x3")
    assert hand.turn == 0
    assert len(hand.bets) == 1 + 4 + 7 + 7 + 4  # 1 2 3 3 4: subsets of four at most, by face
    with pytest.raises(IllegalAction):
        hand.lay("33124")
    with pytest.raises(IllegalAction):
        hand.lay("5")
    hand.lay("33")
    assert GAME.chance(hand.state) == Roll((3,))
    hand.roll("5*5")
    assert hand.state.cups[0].shown == (3, 3)
    assert hand.state.cups[0].hidden == (5, 5, STAR)
    assert hand.state.rolled_at == (1, 0)
    hand.bet("3x3")
    hand.lay()
    hand.bet("4x3")
    hand.lay("5*")
    assert GAME.chance(hand.state) == Roll((1,))
    hand.roll("3")
    hand.bet("5x3")
    hand.lay("1")
    hand.roll("1112")
    hand.bet("6x3")  # one hidden die left: nothing to lay out
    assert hand.turn == 1
    hand.doubt()
    assert hand.state.last is not None
    assert hand.state.last.dice == ((3, 3, 3, 5, STAR), (1, 1, 1, 1, 2))
    assert hand.state.last.count == 4


def test_dice_laid_out_count_and_return() -> None:
    """SHK-25, SHK-A15: they count in the dispute, and next round all are rolled, whichever were lost."""
    hand = Hand(2, first_player=0, extension=True)
    hand.roll("33333", "12345")
    hand.bet("4x3")
    hand.lay("3333")
    hand.roll("1")
    hand.doubt()
    assert hand.state.last is not None
    assert hand.state.last.count == 5
    assert hand.dice == [5, 4, 1]
    assert GAME.chance(hand.state) == Roll((5, 4))
    assert [cup.all for cup in hand.state.cups] == [(), ()]


def test_without_the_extension_nothing_is_laid_out() -> None:
    """SHK-A12"""
    hand = Hand(2, first_player=0)
    hand.roll("33333", "12345")
    hand.bet("4x3")
    assert hand.turn == 1
    with pytest.raises(IllegalAction):
        GAME.act(hand.state, 0, LayOut((3,)))


# --- a whole game -----------------------------------------------------------------------


def test_a_game_by_hand() -> None:
    """SHK-02 to the end with three players: every sort of bet and outcome, the dice after each round."""
    hand = Hand(3)
    hand.roll("11111", "55555", "*****")
    hand.roll("12345", "*1123", "44*52")  # B begins; in all: 1s 3+2, 4s 3+2, stars 2
    hand.bet("3x1")
    hand.bet("2*")
    hand.bet("4x4")
    hand.bet("5x4")
    hand.doubt()  # C doubts five 4s: 1 + 2 + 2 stars, exact: all but B lose one
    assert hand.dice == [4, 5, 4, 2]
    hand.roll("1111", "2222*", "3333")
    hand.bet("6x2")  # B; there are 5
    hand.doubt()  # C is right, B loses one
    assert hand.dice == [4, 4, 4, 3]
    hand.roll("1111", "2222", "333*")
    hand.bet("3x3")  # C; there are 4
    hand.doubt()  # A is wrong by one
    assert hand.dice == [3, 4, 4, 4]
    hand.roll("111", "2222", "3333")
    hand.bet("3x3")
    hand.bet("4x1")  # A; there are 3
    hand.doubt()
    assert hand.dice == [2, 4, 4, 5]
    hand.roll("11", "2222", "3333")
    hand.bet("4x2")
    hand.bet("4x3")
    hand.doubt()  # A doubts four 3s, exact: all but C lose one
    assert hand.dice == [1, 3, 4, 7]
    hand.roll("1", "222", "3333")
    hand.bet("1x1")
    hand.bet("4x1")  # A bets three too many
    hand.doubt()
    assert hand.dice == [0, 3, 4, 8]
    hand.roll("222", "3333")
    hand.bet("2x2")
    hand.bet("3x2")
    hand.bet("10x2")  # B again, seven too many
    hand.doubt()
    assert hand.dice == [0, 0, 4, 11]
    assert GAME.winners(hand.state) == (2,)
    assert GAME.places(hand.state) == (3, 2, 1)
