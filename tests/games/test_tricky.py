"""Tricky, clause by clause, the rulebook's example, and one game played through by hand."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.games.tricky_script import GAME, Hand
from thrillsim.errors import InputError
from thrillsim.games.options import load_options, parse_options
from thrillsim.games.protocol import CHANCE, OVER, IllegalAction, IllegalOutcome, Roll, Rolled, decide
from thrillsim.games.tricky import BOARD, Board, Column, Keep, Options, Place


def test_start() -> None:
    """TRK-01, TRK-A17"""
    for players, each in ((2, 18), (3, 22), (4, 25), (5, 25)):
        hand = Hand(players)
        assert hand.chips == (each,) * players
        assert hand.state.stock == 130 - players * each
    for players in (1, 6):
        with pytest.raises(InputError, match=f"players: needs 2 to 5 players, got {players}"):
            GAME.initial(Options(), players)


def test_first_player_is_an_option() -> None:
    """TRK-A14"""
    assert Hand(3).state.active == 0
    assert Hand(3, first_player=2).state.active == 2
    with pytest.raises(InputError, match=r"first_player: must be 0 to 2, got 3"):
        GAME.initial(Options(first_player=3), 3)
    with pytest.raises(InputError, match="first_player: must be >= 0, got -1"):
        parse_options(GAME, ["first_player=-1"])


def test_throws() -> None:
    """TRK-02, TRK-03, TRK-04: five dice; at least one is set aside, any mix; the others are thrown again."""
    hand = Hand(2)
    assert GAME.turn(hand.state) == CHANCE
    assert GAME.chance(hand.state) == Roll((5,), 6)
    with pytest.raises(IllegalOutcome):
        GAME.resolve(hand.state, Rolled(((1, 2, 3, 4),)))
    hand.throw(4, 1, 4, 6, 4)
    assert GAME.turn(hand.state) == decide(0)
    legal = GAME.legal(hand.state, 0)
    assert isinstance(legal, tuple)
    assert len(legal) == 2 * 4 * 2 - 1  # a 1 or not, none to three 4s, a 6 or not, but not nothing
    assert GAME.legal(hand.state, 1) == ()
    for faces in ((), (2,), (1, 1), (4, 4, 4, 4)):
        with pytest.raises(IllegalAction):
            hand.do(Keep(faces))
    hand.keep(4, 6, 4)  # two of the three 4s
    assert hand.state.kept == (4, 4, 6)
    assert GAME.chance(hand.state) == Roll((2,), 6)
    hand.throw(2, 2)
    hand.keep(2)
    hand.throw(5)
    assert hand.legal() == ("keep 5",)
    hand.keep(5)
    assert (hand.state.phase, hand.state.kept) == ("place", (2, 4, 4, 5))


def test_five_throws_at_most_and_all_at_once_at_best() -> None:
    """TRK-04, TRK-A18: nobody may stop before all dice are set aside."""
    hand = Hand(2)
    for left in (5, 4, 3, 2, 1):
        assert GAME.chance(hand.state) == Roll((left,), 6)
        hand.throw(*[6] * left)
        hand.keep(6)
    assert hand.state.active == 1
    hand.take(6, 6, 6, 6, 6)
    assert hand.state.active == 0


def test_placing() -> None:
    """TRK-05, TRK-06, TRK-07, TRK-08, TRK-11: topmost empty space, two chips on the first of 1 and 2."""
    hand = Hand(3)
    hand.take(1, 2, 2, 5, 6)
    assert hand.legal() == ("place 1", "place 2", "place 5")
    with pytest.raises(IllegalAction, match="legal: place 1, place 2, place 5"):
        hand.do(Place(6))
    hand.place(2, 5, 1, 2)
    assert [hand.on(face) for face in range(1, 6)] == [2, 3, 0, 0, 1]
    assert hand.chips == (22 - 6, 22, 22)
    assert hand.state.active == 1
    hand.fill(c4=3)
    stock = hand.state.stock
    hand.turn(4, 4, 6, 6, 6)  # yellow, then green
    assert hand.chips == (16, 21, 22)
    assert hand.state.stock == stock - 1
    assert hand.state.active == 2
    hand.turn(6, 6, 6, 6, 6)
    assert hand.state.active == 0


def test_red_space() -> None:
    """TRK-09, TRK-A02, TRK-A03: the player pays the last chip too and takes all; others pay the arrow."""
    hand = Hand(4, first_player=1)
    hand.fill(c5=7)
    stock = hand.state.stock
    hand.turn(5, 6, 6, 6, 6)
    assert hand.chips == (22, 25 - 1 + 8, 22, 22)
    assert hand.state.stock == stock + 9
    assert (hand.on(5), hand.state.filled[4]) == (0, 0)


def test_the_rest_goes_to_the_emptied_column() -> None:
    """TRK-10, TRK-A19: five equal dice may complete a column twice."""
    hand = Hand(2)
    hand.fill(c1=3)
    hand.turn(1, 1, 1, 1, 1)  # red; then 2, 1, 1 and red again
    assert hand.chips == (18 - 1 + 5 - 2 - 1 - 1 - 1 + 5, 18 - 1 - 1)
    assert hand.state.filled == (0, 0, 0, 0, 0)


def test_several_columns_in_one_turn() -> None:
    """TRK-A13"""
    hand = Hand(3)
    hand.fill(c1=3, c3=5)
    stock = hand.state.stock
    hand.turn(3, 1, 6, 6, 6)
    assert hand.chips == (22 - 2 + 5 + 6, 22 - 3, 22 - 3)
    assert hand.state.stock == stock + 6


def test_another_has_less_than_the_arrow() -> None:
    """TRK-A04, TRK-A05: he gives what he has; the game goes on, and in his turn he may borrow."""
    hand = Hand(3)
    hand.fill(c5=7)
    hand.give(20, 2, 3)
    hand.turn(5, 6, 6, 6, 6)
    assert hand.chips == (27, 0, 0)
    assert hand.state.active == 1
    hand.fill(c3=5)
    hand.take(3, 3, 6, 6, 6)
    hand.place(3)
    assert hand.state.borrowed == 1
    hand.place(3)
    assert hand.chips == (25, 4, 0)  # 1 borrowed, 6 taken, 1 placed, 1 given back
    assert hand.state.active == 2
    hand.turn(6, 6, 6, 6, 6)
    assert GAME.turn(hand.state) == OVER


def test_end_check_any() -> None:
    """TRK-A05: with the option the game ends after the turn in which anybody lost the last chip."""
    hand = Hand(3, end_check="any")
    hand.fill(c5=7)
    hand.give(20, 2, 9)
    hand.turn(5, 6, 6, 6, 6)
    assert GAME.turn(hand.state) == OVER
    assert GAME.winners(hand.state) == (0,)
    assert GAME.places(hand.state) == (1, 3, 2)


def test_borrowing() -> None:
    """TRK-12, TRK-13, TRK-A09, TRK-A20: own chips first, then borrowed ones, one by one; given back."""
    hand = Hand(2)
    hand.fill(c3=4)
    hand.give(1, 30)
    hand.take(3, 3, 4, 4, 6)
    stock = hand.state.stock
    hand.place(4)
    assert (hand.chips[0], hand.state.borrowed) == (0, 0)
    hand.place(4)
    assert (hand.chips[0], hand.state.borrowed, hand.state.stock) == (0, 1, stock - 1)
    hand.place(3)
    assert (hand.chips[0], hand.state.borrowed) == (0, 2)
    hand.place(3)
    # The third borrowed chip completed column 3: six chips taken, three given back.
    assert hand.chips == (3, 28)
    assert (hand.state.borrowed, hand.state.active) == (0, 1)
    assert hand.state.stock == stock + 2


def test_a_space_for_two_with_one_chip() -> None:
    """TRK-A12, TRK-A20: the second chip is borrowed."""
    hand = Hand(2)
    hand.give(1, 20)
    hand.take(1, 6, 6, 6, 6)
    hand.place(1)
    assert hand.chips == (0, 20)
    assert hand.on(1) == 2
    assert GAME.turn(hand.state) == OVER


def test_five_borrowed_chips_and_no_more() -> None:
    """TRK-12, TRK-A06, TRK-A07: what cannot be paid may not be chosen; when nothing can, the turn ends."""
    hand = Hand(2)
    hand.give(0, 20)
    hand.fill(c4=2)
    hand.take(1, 1, 1, 4, 5)
    hand.place(1, 1, 1)  # 2 + 1 + 1 borrowed
    assert hand.state.borrowed == 4
    hand.place(5)  # the fifth one; the 4 cannot be paid, and nothing is left to give back
    assert GAME.turn(hand.state) == OVER
    assert hand.state.filled == (3, 0, 0, 2, 1)
    assert GAME.winners(hand.state) == (1,)
    hand = Hand(2)
    hand.give(0, 20)
    hand.take(1, 1, 2, 2, 5)
    hand.place(1, 1, 5)
    assert GAME.turn(hand.state) == OVER  # one chip could still be borrowed, the first 2 asks for two
    assert hand.state.filled == (2, 0, 0, 0, 1)


def test_a_die_that_can_be_paid_is_chosen_before_one_that_cannot() -> None:
    """TRK-A06: a yellow space can always be paid, and a completed column brings the chips for the rest."""
    hand = Hand(2)
    hand.give(0, 20)
    hand.fill(c3=5, c4=3)
    hand.take(1, 1, 3, 4, 5)
    hand.place(1, 1, 5)
    assert hand.legal() == ("place 3", "place 4")
    hand.place(4)
    assert hand.legal() == ("place 3",)
    hand.place(3)
    assert hand.chips == (1, 18)  # 5 borrowed, 6 taken, 5 given back
    assert hand.state.active == 1


def test_exactly_nothing_after_giving_back() -> None:
    """TRK-14, TRK-A08, TRK-A15: the game ends, and chips on the board are nobody's."""
    hand = Hand(3)
    hand.give(0, 7, 7)
    hand.fill(c1=2, c5=5)
    hand.take(1, 1, 2, 6, 6)
    hand.place(1, 1)
    assert (hand.chips[0], hand.state.borrowed) == (5, 2)
    hand.place(2)
    assert hand.chips == (1, 6, 6)
    hand = Hand(3)
    hand.give(0, 7, 7)
    hand.fill(c1=2, c5=5)
    hand.turn(1, 1, 2, 3, 6)
    assert hand.chips == (0, 6, 6)
    assert GAME.turn(hand.state) == OVER
    assert GAME.winners(hand.state) == (1, 2)
    assert GAME.places(hand.state) == (3, 1, 1)


def test_stuck_before_a_space_for_two() -> None:
    """TRK-A06, TRK-A11, TRK-A12: one chip, an empty stock: nothing is placed and the game goes on."""
    hand = Hand(2)
    hand.give(1, stock=0)
    assert hand.chips == (1, 129)
    hand.take(2, 6, 6, 6, 6)
    assert (hand.state.active, hand.state.phase) == (1, "throw")
    assert hand.chips == (1, 129)


def test_the_stock_lends_what_it_has() -> None:
    """TRK-A11"""
    hand = Hand(2)
    hand.give(0, stock=2)
    hand.take(3, 3, 3, 6, 6)
    hand.place(3, 3)
    assert hand.state.filled[2] == 2
    assert GAME.turn(hand.state) == OVER
    assert hand.chips[0] == 0


def test_yellow_space_and_an_empty_stock() -> None:
    """TRK-A10: the player pays; with the option the die cannot be placed."""
    hand = Hand(2)
    hand.fill(c4=3)
    hand.give(9, stock=0)
    hand.turn(4, 6, 6, 6, 6)
    assert (hand.chips[0], hand.on(4)) == (8, 4)
    hand = Hand(2, empty_stock="skip")
    hand.fill(c1=3, c4=3)
    hand.give(9, stock=0)
    hand.take(1, 4, 4, 6, 6)
    assert hand.legal() == ("place 1",)
    hand.place(1)  # the other pays 1 to the stock, which pays the yellow space now
    assert hand.legal() == ("place 4",)
    hand.place(4, 4)
    assert (hand.chips[0], hand.state.stock, hand.on(4)) == (12, 0, 5)
    assert hand.state.active == 1


def test_order_of_placing() -> None:
    """TRK-A01: free, or the lowest number that can be placed."""
    hand = Hand(2, order="ascending")
    hand.give(0, 20)
    hand.take(1, 1, 1, 5, 6)
    assert hand.legal() == ("place 1",)
    hand.place(1, 1, 1)
    assert hand.legal() == ("place 5",)
    free = Hand(2)
    free.take(1, 1, 1, 5, 6)
    assert free.legal() == ("place 1", "place 5")


def test_all_sixes() -> None:
    """TRK-08, TRK-A16: nothing happens; with no chips it is the end all the same."""
    hand = Hand(2)
    hand.turn(6, 6, 6, 6, 6)
    assert (hand.chips, hand.state.active, hand.state.filled) == ((18, 18), 1, (0,) * 5)
    hand.give(20, 0)
    hand.turn(6, 6, 6, 6, 6)
    assert GAME.turn(hand.state) == OVER
    assert GAME.winners(hand.state) == (0,)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_rulebook_example(players: int) -> None:
    """TRK-15"""
    hand = Hand(players)
    hand.give(*[15] * players)  # so that the stock can fill the columns
    hand.fill(c2=3, c4=3, c5=3)
    before, stock = hand.chips[0], hand.state.stock
    hand.throw(4, 5, 3, 1, 1)
    hand.keep(4)
    hand.throw(2, 2, 5, 1)
    hand.keep(2, 2)
    hand.throw(6, 3)
    hand.keep(6)
    hand.throw(2)
    hand.keep(2)
    hand.place(4, 2, 2, 2)
    assert hand.chips == (before + 2, *[before - 1] * (players - 1))
    assert hand.state.stock == stock - 1 + (players - 1)
    assert [hand.on(face) for face in (2, 4, 5)] == [2, 4, 3]
    assert hand.state.active == 1


def test_default_board() -> None:
    """TRK-06, TRK-15: what the rulebook tells of it."""
    assert [column.chips(len(column.spaces)) for column in BOARD.columns] == [5, 6, 6, 7, 8]
    assert [column.first for column in BOARD.columns] == [2, 2, 1, 1, 1]
    assert (len(BOARD[2].spaces), BOARD[2].spaces[3:], BOARD[2].arrow) == (5, "GR", 1)
    assert BOARD[4].spaces[3] == "Y"
    assert sum(column.chips(len(column.spaces) - 1) for column in BOARD.columns) == 27


def test_another_board_from_toml(tmp_path: Path) -> None:
    """Read, played on, recorded as data; an impossible one gets one line."""
    path = tmp_path / "board.toml"
    good = '[[columns]]\nspaces = "GYR"\narrow = 2\n' * 5
    path.write_text(good, encoding="utf-8")
    options = parse_options(GAME, [f"board={path}", "order=ascending"])
    assert options.board == Board((Column("GYR", 2),) * 5)
    state = GAME.initial(options, 2)
    assert load_options(GAME, GAME.snapshot(state)["options"]) == options
    hand = Hand(2, board=options.board)
    hand.turn(3, 3, 3, 6, 6)
    assert hand.chips == (18 - 1 - 1 + 3, 16)
    allowed = "spaces, arrow, first"
    for bad, message in [
        (good.replace("GYR", "GYG", 1), 'columns[0].spaces: must end in its only R, got "GYG"'),
        (good.replace("GYR", "RYR", 1), 'columns[0].spaces: must end in its only R, got "RYR"'),
        (good.replace("GYR", "GXR", 1), 'columns[0].spaces: must be 2 to 12 letters G, Y, R, got "GXR"'),
        (good.replace("GYR", "R", 1), 'columns[0].spaces: must be 2 to 12 letters G, Y, R, got "R"'),
        (good.replace("= 2", "= 0", 1), "columns[0].arrow: must be 1 to 10, got 0"),
        (good + good, "columns: must be 5 columns, got 10"),
        (good + "first = 9", "columns[4].first: must be 1 to 5, got 9"),
        (
            good + "arow = 9",
            f"columns[4].arow: unknown key, did you mean arrow? allowed: {allowed}",
        ),
    ]:
        path.write_text(bad, encoding="utf-8")
        with pytest.raises(InputError) as caught:
            parse_options(GAME, [f"board={path}"])
        assert str(caught.value) == f"{path}: {message}"


def test_a_whole_game_by_hand() -> None:
    """Three players on a small board, counted by hand: A completes 1, B pays dearly, C ends the game."""
    board = Board((Column("GR", 9, first=2), Column("GGR", 9), *[Column("GGGGGGR", 1)] * 3))
    hand = Hand(3, board=board, first_player=1)
    hand.turn(3, 4, 5, 1, 6)
    assert hand.chips == (22, 17, 22)
    hand.turn(1, 2, 2, 6, 6)  # C completes column 1: pays 1, takes 3, the others pay 9
    assert hand.chips == (13, 8, 22)
    hand.turn(2, 2, 6, 6, 6)  # A completes column 2, and starts it anew
    assert hand.chips == (13 - 1 + 3 - 1, 0, 13)
    hand.turn(1, 1, 1, 1, 5)  # B borrows 2 and 1, takes 3, pays 2 and 1, takes 3, borrows nothing, pays 1
    assert hand.chips == (0, 0, 0)
    assert GAME.turn(hand.state) == OVER
    assert GAME.winners(hand.state) == (0, 1, 2)
    assert GAME.places(hand.state) == (1, 1, 1)


def test_the_sheet_is_complete() -> None:
    """TRK-01 to TRK-15 and TRK-A01 to TRK-A20 are all there, in order."""
    sheet = (Path(__file__).parents[2] / "seeds" / "tricky.md").read_text(encoding="utf-8")
    found = re.findall(r"^- \*\*(TRK-A?\d\d)\*\*", sheet, re.MULTILINE)
    assert found == [f"TRK-{n:02d}" for n in range(1, 16)] + [f"TRK-A{n:02d}" for n in range(1, 21)]
