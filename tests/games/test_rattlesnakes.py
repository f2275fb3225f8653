"""Rattlesnakes, clause by clause: the board, who places when, pits, removals, and a game by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tests.games.thinkaboxin_script import GAME, Hand, squares
from thrillsim.errors import InputError
from thrillsim.games.options import parse_options
from thrillsim.games.protocol import OVER, IllegalAction, decide
from thrillsim.games.thinkaboxin import Board, Options, RemoveOther, RemoveOwn, Snakes, Stop
from thrillsim.games.thinkaboxin.board import geometry, square_name, square_number
from thrillsim.games.thinkaboxin.snakes import diving, placements, supply

ALL_MOUTHS = "d3 c4 e4 d5 j3 i4 k4 j5 d9 c10 e10 d11 j9 i10 k10 j11"


def at(name: str) -> int:
    return square_number(name)


def book(hand: Hand) -> Snakes:
    assert isinstance(hand.state.book, Snakes)
    return hand.state.book


def parts(hand: Hand, seat: int) -> str:
    return " ".join(map(square_name, book(hand).parts[seat]))


def head(hand: Hand, seat: int) -> str:
    return square_name(book(hand).heads[seat])


def put(
    hand: Hand, seat: int, text: str, at_head: str = "", dives: tuple[tuple[str, str, str], ...] = ()
) -> None:
    """Lay a snake on the board: its parts in order, the last one (or another) the head."""
    own = squares(text)
    new = book(hand)
    heads = at(at_head) if at_head else own[-1] if own else -1
    out = tuple((at(square), at(entered), at(left)) for square, entered, left in dives)
    changed = {"parts": own, "heads": heads, "dives": out}
    for field, value in changed.items():
        kept = getattr(new, field)
        new = replace(new, **{field: (*kept[:seat], value, *kept[seat + 1 :])})
    hand.state = replace(hand.state, book=new)


def may(hand: Hand, seat: int, left: int = 2) -> str:
    """Where the seat may place the first of so many parts, in the order of the alphabet."""
    state = replace(hand.state, book=replace(book(hand), left=left))
    return " ".join(sorted(map(square_name, placements(state, seat))))


def game(players: int = 2, **options: Any) -> Hand:
    return Hand(players, mode="rattlesnakes", **options)


def won_by(hand: Hand, winner: int) -> None:
    """A set in which only `winner` empties the cup; with two players the other has won no dice."""
    others = [seat for seat in range(hand.state.seats.n) if seat != winner]
    for at_round in range(4 if len(others) == 1 else 2 * len(others)):
        if hand.state.phase != "shake":
            break
        hand.lose(others[at_round % len(others)])


# --- the board --------------------------------------------------------------------------


def test_the_default_board() -> None:
    """THK-60, THK-64, THK-65: 143 ordinary, 16 orange, 6 head squares, 4 pits; room for 165 parts."""
    map_ = geometry(Board(), 4)
    assert [map_.marks.count(mark) for mark in ".OHP"] == [143, 16, 6, 4]
    assert map_.room(6) == 165
    assert len(map_.heads) == 6
    rows = Board().rows
    assert rows == rows[::-1] == tuple(row[::-1] for row in rows)
    assert {square_name(s) for s in map_.near[at("a1")]} == {"a2", "b1"}
    assert {square_name(s) for s in map_.near[at("d3")]} == {"c3", "e3", "d2"}  # the pit d4 is no square
    assert len(geometry(Board(), 8).near[at("g7")]) == 8
    for one, sides in enumerate(map_.near):
        assert all(one in map_.near[two] for two in sides if map_.marks[one] not in "P#")


def test_a_board_of_ones_own(tmp_path: Path) -> None:
    """THK-64: any board of this kind; an impossible one gets one clear line."""
    file = tmp_path / "board.toml"
    wide = ["H . . . . . . . . . . . H"] + [". . . . . . . . . . . . ."] * 3
    file.write_text(f"rows = {wide}\n")
    options = parse_options(GAME, ["mode=rattlesnakes", f"board={file}"])
    state = GAME.initial(options, 2)
    assert state.options.board == Board(tuple(wide))
    with pytest.raises(InputError, match="board: the board has 2 snake-head squares, 3 players need 3"):
        GAME.initial(options, 3)
    small = Options(mode="rattlesnakes", board=Board((". . . H . . .",) * 5))
    with pytest.raises(InputError, match="board: the board has room for 32 parts, 2 players have 40"):
        GAME.initial(small, 2)
    for rows, message in [
        ([], "a board has 1 to 26 rows of 1 to 26 squares"),
        (["H.H", "H."], "row 2 has 2 squares, row 1 has 3"),
        (["H.X"], '"X" in row 1: a square is one of . H O P #'),
        (["HOH"], "the orange square b1 must touch exactly one pit with a side, touches 0"),
        (["POP", "H.H"], "the orange square b1 must touch exactly one pit with a side, touches 2"),
        (["HPH"], "the pit b1 has no orange square beside it"),
        (["OPH", "..H"], "one pit alone leads nowhere: none, or two at least"),
        (["..H"], "at least 2 snake-head squares are needed, got 1"),
    ]:
        file.write_text(f"rows = {rows}\n")
        with pytest.raises(InputError) as caught:
            parse_options(GAME, [f"board={file}"])
        assert str(caught.value) == f"{file}: rows: {message}"


# --- who places, and how many -------------------------------------------------------------


def three_rounds(hand: Hand) -> None:
    """A and B win two dice each, C four; B was wrong last."""
    for loser in (0, 1, 0, 1):
        hand.lose(loser)


@pytest.mark.parametrize(("way", "then"), [(1, [2, 0]), (-1, [0, 2])])
def test_fewest_won_dice_place_first_and_say_the_direction(way: int, then: list[int]) -> None:
    """THK-61, THK-62, THK-63: among equals who lost last; the others in seat order; he opens the next set."""
    hand = game(3)
    three_rounds(hand)
    assert hand.won == [2, 2, 4]
    assert GAME.turn(hand.state) == decide(1)
    assert hand.legal == ["left", "right"]
    hand.way(way)
    order = []
    start = iter(("d1", "j1", "a7"))
    while hand.state.phase == "place":
        seat = hand.turn
        order.append(seat)
        begin = next(start)
        line = {"d1": "d1 d2 c2 b2", "j1": "j1 j2 k2 l2", "a7": "a7 a8 a9 a10"}[begin].split()
        placed = 0
        while hand.state.phase == "place" and hand.turn == seat:
            hand.place(line[placed])
            placed += 1
        assert placed == (4 if seat == 2 else 2)
    assert order == [1, *then]
    assert hand.state.number == 2
    hand.roll()
    assert hand.turn == 1
    assert {"1x2 left", "1x2 right"} <= set(hand.legal)


def test_nothing_won_is_still_first() -> None:
    """THK-A31: A has no won dice, says the direction and places nothing."""
    hand = game(3)
    for _ in range(4):
        hand.lose(0)
    assert hand.won == [0, 4, 4]
    assert hand.turn == 0
    hand.way(-1)
    assert hand.turn == 2
    hand.do(Stop())
    hand.do(Stop())
    hand.roll()
    assert hand.turn == 0


def test_two_players_have_no_direction() -> None:
    """THK-62, THK-61"""
    hand = game(2)
    for loser in (0, 1, 0, 0, 0):
        hand.lose(loser)
    assert hand.won == [1, 4]
    assert hand.turn == 0
    hand.place("d1")
    assert hand.turn == 1


def test_snakes_start_on_a_free_head_square() -> None:
    """THK-64, THK-65: six to choose from, then five; later parts never on one; each square once."""
    hand = game(2)
    assert may(hand, 0) == "a7 d1 d13 j1 j13 m7"
    put(hand, 1, "d1 d2")
    assert may(hand, 0) == "a7 d13 j1 j13 m7"
    assert may(hand, 1) == "c2 d3 e2"
    put(hand, 1, "j1 j2 i2 i1 h1 h2 g2 f2 e2")
    put(hand, 0, "a7 b7")
    assert may(hand, 1) == "d2 e1 e3"
    put(hand, 1, "j1 j2 i2 h2 g2 f2 e2 d2")
    assert may(hand, 1) == "c2 d3"  # not d1, a head square, though it is free and adjacent


def test_adjacent_at_corners_on_request() -> None:
    """THK-65: along sides, or `adjacency=8`."""
    hand = game(2)
    put(hand, 0, "a7 b7")
    assert may(hand, 0) == "b6 b8 c7"
    corners = game(2, adjacency=8)
    put(corners, 0, "a7 b7")
    assert may(corners, 0) == "a6 a8 b6 b8 c6 c7 c8"


def test_the_snake_goes_on_from_its_head() -> None:
    """THK-66, THK-70: from the part placed last, in the next set too; parts left are seen by all."""
    hand = game(2)
    won_by(hand, 0)
    hand.place("a7 b7 c7 d7")
    assert head(hand, 0) == "d7"
    won_by(hand, 0)
    assert may(hand, 0) == "d6 d8 e7"
    view = GAME.view(hand.state, 1)
    assert [supply(view.book, seat) for seat in (0, 1)] == [16, 20]  # type: ignore[arg-type]
    assert "A has 16 parts left" in GAME.show(view)
    assert "a a a A" in GAME.show(view)


def test_fewer_parts_than_earned() -> None:
    """THK-A29: the rest lapses; with `must_place` only when blocked."""
    hand = game(2)
    won_by(hand, 0)
    hand.place("a7")
    hand.do(Stop())
    assert hand.state.number == 2
    assert supply(book(hand), 0) == 19
    must = game(2, must_place=True)
    won_by(must, 0)
    with pytest.raises(IllegalAction):
        must.do(Stop())
    must.place("a7 b7 c7")
    with pytest.raises(IllegalAction):
        must.do(Stop())


def test_a_blocked_head() -> None:
    """THK-A30: the rest of the parts lapses at once; a set winner may still remove one."""
    hand = game(2, must_place=True)
    put(hand, 0, "d1 c1 b1 a1 a2 a3 b3 c3 c2")
    put(hand, 1, "j1 j2")
    won_by(hand, 0)
    hand.place("b2")  # a2, b1, b3 and c2 are its own
    assert hand.state.number == 2
    assert len(book(hand).parts[0]) == 10
    won_by(hand, 0)
    assert {text.split()[0] for text in hand.legal} == {"back", "stop"}
    other = game(2)
    put(other, 0, "d1 c1 b1 a1 a2 a3 b3 c3 c2 b2")
    for loser in (0, 1, 0, 0, 0):
        other.lose(loser)  # A has one won die and nowhere to go
    assert other.turn == 1


def test_no_more_parts_than_are_left() -> None:
    """THK-A42"""
    hand = game(2)
    put(hand, 0, "a7 a8 b8 b9 a9 a10 b10 b11 a11 a12 b12 b13 c13 c12 e12 e13 f13 f12")
    won_by(hand, 0)
    assert book(hand).left == 2
    hand.place("g12 g13")
    assert GAME.winners(hand.state) == (0,)


# --- pits -------------------------------------------------------------------------------


def test_into_a_pit_and_out_of_another() -> None:
    """THK-67, THK-A38: the next part on an orange square of another pit, then on over ordinary squares."""
    hand = game(2)
    won_by(hand, 0)
    hand.place("d1 d2 d3")
    assert diving(hand.state.options, book(hand), 0) == at("d4")
    others = sorted(set(ALL_MOUTHS.split()) - {"d3", "c4", "e4", "d5"})
    assert [text for text in hand.legal if text != "stop"] == sorted(
        (f"place {name}" for name in others), key=lambda text: at(text.split()[1])
    )
    hand.place("j3")
    assert book(hand).dives[0] == ((at("j3"), at("d4"), at("j4")),)
    assert diving(hand.state.options, book(hand), 0) == -1
    assert may(hand, 0) == "i3 j2 k3"
    won_by(hand, 0)
    with pytest.raises(IllegalAction):
        hand.place("j4")  # no part lies on a pit


def test_after_coming_out_no_orange_square_at_once() -> None:
    """THK-67: mouths of a pit touch at corners, but the part after an exit stands on an ordinary square."""
    hand = game(2, adjacency=8)
    put(hand, 0, "d1 d2 d3 j3", dives=(("j3", "d4", "j4"),))
    assert not {"i4", "k4"} & set(may(hand, 0).split())
    assert {"i3", "k3", "i2", "j2", "k2"} == set(may(hand, 0).split())


def test_a_pit_just_used_is_closed() -> None:
    """THK-67, THK-A39: not where it came out last; with `once` no pit a second time."""
    for rule, back in (("not_immediate", True), ("once", False)):
        hand = game(2, pit_reuse=rule)
        put(hand, 0, "d1 d2 d3 j3 i3", dives=(("j3", "d4", "j4"),))
        assert "i4" not in may(hand, 0)  # an orange square of the pit it came out of
        put(hand, 0, "d1 d2 d3 j3 i3 h3 g3 f3 f4", dives=(("j3", "d4", "j4"),))
        assert ("e4" in may(hand, 0)) == back
        put(hand, 0, "d1 d2 d3 j3 i3 h3 h4 h5 h6 h7 h8 i8 j8 j9", dives=(("j3", "d4", "j4"),))
        out = set(may(hand, 0).split())
        assert ("j5" in out) == back  # out of any pit but the one entered
        assert {"d9", "c10", "e10", "d11"} <= out
        assert not {"j11", "i10", "k10"} & out


def test_no_way_in_without_a_way_out() -> None:
    """THK-A37, THK-A40: with the last part of a set only; the snake waits until there is a way out."""
    hand = game(2)
    free = set(ALL_MOUTHS.split()) - {"d3", "c4", "e4", "d5"}
    put(hand, 1, "j1 " + " ".join(sorted(free)))
    put(hand, 0, "d1 d2")
    assert may(hand, 0, left=2) == "c2 e2"
    assert may(hand, 0, left=1) == "c2 d3 e2"
    put(hand, 0, "d1 d2 d3")
    assert may(hand, 0) == ""
    put(hand, 1, "j1 " + " ".join(sorted(free - {"k10"})))
    assert may(hand, 0) == "k10"


def test_the_obligation_carries_over() -> None:
    """THK-A40: A ends the set on an orange square and has to come out in the next."""
    hand = game(2)
    won_by(hand, 0)
    hand.place("d1 d2 d3")
    hand.do(Stop())
    assert hand.state.number == 2
    won_by(hand, 0)
    assert may(hand, 0) == " ".join(sorted(set(ALL_MOUTHS.split()) - {"d3", "c4", "e4", "d5"}))


def test_pits_as_a_passage() -> None:
    """THK-67 with `pit_model=passage`: from beside a pit to any free square beside another."""
    hand = game(2, pit_model="passage")
    put(hand, 0, "d1 d2 d3")
    beside = set(ALL_MOUTHS.split()) - {"d3", "c4", "e4", "d5"}
    assert set(may(hand, 0).split()) == {"c3", "e3"} | beside
    won_by(hand, 0)
    hand.place("j5")
    assert book(hand).dives[0] == ((at("j5"), at("d4"), at("j4")),)
    assert set(may(hand, 0).split()) == {"i5", "j6", "k5"}  # not straight back through j4
    put(hand, 0, "d1 d2 d3 e3 e4", dives=())
    assert "j5" in may(hand, 0)
    once = game(2, pit_model="passage", pit_reuse="once")
    put(once, 0, "d1 d2 d3 j5 i5 h5 g5 f5 e5 d5", dives=(("j5", "d4", "j4"),))
    assert set(may(once, 0).split()) == {"c5", "d6"}


# --- removals ---------------------------------------------------------------------------


def test_a_set_winner_has_three_options() -> None:
    """THK-68: four parts, or one own part off, or one of an opponent; nobody else may remove."""
    hand = game(3)
    put(hand, 0, "a7 b7 c7")
    put(hand, 1, "d1 d2 c2 c3")
    put(hand, 2, "d13 d12 c12 c11 b11 b10 b9 b8")
    for _ in range(2):
        for loser in (1, 2):
            hand.lose(loser)  # A wins four, B and C two each, C was wrong last
    hand.way()
    assert hand.turn == 2
    assert {text.split()[0] for text in hand.legal} == {"place", "stop"}
    hand.do(Stop())
    assert hand.turn == 0
    assert {text for text in hand.legal if not text.startswith("place")} == {"back c7 head b7", "stop"}
    put(hand, 2, "d13 d12 c12 c11 c10 c9 c8")
    assert "remove c8" in hand.legal
    hand.place("d7")
    assert {text.split()[0] for text in hand.legal} == {"place", "stop"}


def test_removing_an_opponents_part() -> None:
    """THK-68, THK-A34, THK-A36: one that touches the head goes back to its owner, whatever gap that makes."""
    hand = game(2)
    put(hand, 0, "a7 b7 c7")
    put(hand, 1, "d13 d12 c12 c11 c10 c9 c8 d8 d7 e7")
    won_by(hand, 0)
    assert {"remove c8", "remove d7"} == {text for text in hand.legal if text.startswith("remove")}
    hand.do(RemoveOther(at("d7")))
    assert parts(hand, 1) == "d13 d12 c12 c11 c10 c9 c8 d8 e7"
    assert head(hand, 1) == "e7"
    assert supply(book(hand), 1) == 11
    assert hand.state.number == 2
    anywhere = game(2, opp_removal="any_part")
    put(anywhere, 0, "a7 b7 c7 c6")
    put(anywhere, 1, "d13 d12 c12 c11 c10 c9 c8 d8 d7 e7")
    won_by(anywhere, 0)
    assert {"remove c8", "remove d7"} == {text for text in anywhere.legal if text.startswith("remove")}


def test_other_set_winners_are_immune() -> None:
    """THK-68: not from somebody who won this set with four dice too."""
    hand = game(3)
    put(hand, 0, "a7 b7 c7")
    put(hand, 1, "d1 d2 c2 c3 b3 b4 b5 c5 c6")
    put(hand, 2, "d13 d12 c12 c11 c10 c9 c8")
    for _ in range(4):
        hand.lose(2)
    assert book(hand).immune == (0, 1)
    hand.way()
    assert hand.turn == 0
    assert {text for text in hand.legal if text.startswith("remove")} == {"remove c8"}


@pytest.mark.parametrize(
    ("own", "at_head", "off", "then"),
    [
        ("d13 d12 d11 i10 i9", "", "i9", "i10"),  # the head: the part before it
        ("d13 d12", "d13", "d13", "d12"),  # the head was the first: the latest of the others
        ("d13", "", "d13", ""),  # the only part: start again on a head square
        ("d13 d12 c12", "", "d12", "c12"),  # not the head: it stays
    ],
)
def test_an_opponent_who_loses_a_part(own: str, at_head: str, off: str, then: str) -> None:
    """THK-A35, THK-A36"""
    hand = game(2, opp_removal="any_part")
    put(hand, 1, own, at_head)
    beside = {"i9": "i8", "d13": "e13", "d12": "e12"}[off]
    put(hand, 0, f"a7 {beside}")
    won_by(hand, 0)
    hand.do(RemoveOther(at(off)))
    if then:
        assert head(hand, 1) == then
    else:
        assert book(hand).heads[1] == -1
        assert may(hand, 1) == "d1 d13 j1 j13 m7"


def test_crossing_the_own_snake() -> None:
    """THK-69, THK-A33: the head is taken off, an adjacent own part is the head now."""
    hand = game(2)
    put(hand, 0, "a7 b7 c7 d7 d6 c6 b6")
    won_by(hand, 0)
    back = {text for text in hand.legal if text.startswith("back")}
    assert back == {"back b6 head b7", "back b6 head c6"}
    hand.do(RemoveOwn(at("b6"), at("b7")))
    assert parts(hand, 0) == "a7 b7 c7 d7 d6 c6"
    assert head(hand, 0) == "b7"
    assert hand.state.number == 2
    won_by(hand, 0)
    assert may(hand, 0) == "b6 b8"
    hand.place("b8")
    assert parts(hand, 0) == "a7 b7 c7 d7 d6 c6 b8"


def test_taking_the_head_back_where_no_own_part_touches() -> None:
    """THK-A33: after an exit the part before it, the dive is due again; with one part left start again."""
    hand = game(2)
    put(hand, 0, "d1 d2 d3 j3", dives=(("j3", "d4", "j4"),))
    won_by(hand, 0)
    hand.do(RemoveOwn(at("j3"), at("d3")))
    assert head(hand, 0) == "d3"
    assert book(hand).dives[0] == ()
    assert diving(hand.state.options, book(hand), 0) == at("d4")
    assert "j3" in may(hand, 0)
    one = game(2)
    put(one, 0, "d1")
    won_by(one, 0)
    assert "back d1" in one.legal
    one.do(RemoveOwn(at("d1"), -1))
    assert may(one, 0) == "a7 d1 d13 j1 j13 m7"


def test_any_own_part_on_request() -> None:
    """THK-A33 with `own_removal=any`: the head stays unless it is the one."""
    hand = game(2, own_removal="any")
    put(hand, 0, "a7 b7 c7")
    won_by(hand, 0)
    assert {text for text in hand.legal if text.startswith("back")} == {
        "back c7 head b7",
        "back a7 head c7",
        "back b7 head c7",
    }
    hand.do(RemoveOwn(at("b7"), at("c7")))
    assert parts(hand, 0) == "a7 c7"
    assert head(hand, 0) == "c7"


def test_squares_that_become_free() -> None:
    """THK-A32: may be used again, or not."""
    for reusable in (True, False):
        hand = game(2, freed_squares_reusable=reusable)
        put(hand, 0, "a7 b7 c7")
        won_by(hand, 0)
        hand.do(RemoveOwn(at("c7"), at("b7")))
        assert ("c7" in may(hand, 0)) == reusable
        assert ("+" in GAME.show(GAME.view(hand.state, 0)).split("H snake")[0]) != reusable


# --- the end ----------------------------------------------------------------------------

NEARLY = {  # 18 parts each
    0: "a7 a8 b8 b9 a9 a10 b10 b11 a11 a12 b12 b13 c13 c12 e12 e13 f13 f12",
    1: "m7 m6 l6 l5 m5 m4 l4 l3 m3 m2 l2 l1 k1 k2 i2 i1 h1 h2",
}


def test_one_finisher_wins() -> None:
    """THK-60, THK-A41: decided when all have placed in this set."""
    hand = game(2)
    put(hand, 0, NEARLY[0])
    for loser in (0, 1, 0, 1, 1, 1):
        hand.lose(loser)
    assert hand.won == [4, 2]
    assert hand.turn == 1
    hand.place("d1 d2")
    hand.place("g12 g13")
    assert GAME.turn(hand.state) == OVER
    assert GAME.winners(hand.state) == (0,)
    assert GAME.places(hand.state) == (1, 2)


def test_several_finishers_race() -> None:
    """THK-71, THK-A45: a knock-out race, started by the loser of the last round."""
    hand = game(3)
    put(hand, 0, NEARLY[0])
    put(hand, 1, NEARLY[1])
    for _ in range(4):
        hand.lose(2)
    hand.way()
    assert hand.turn == 0
    hand.place("g12 g13")
    assert hand.turn == 1
    assert GAME.turn(hand.state) != OVER
    hand.place("g2 g1")
    assert hand.state.race
    assert hand.state.table.living == (0, 1)
    hand.roll()
    assert hand.turn == 0  # C, the loser, takes no part: the next to the left
    hand.say("1x1 left")
    hand.say("lift")
    for _ in range(3):
        hand.lose(0)
    assert GAME.winners(hand.state) == (1,)
    assert GAME.places(hand.state) == (2, 1, 3)


def test_a_last_part_taken_back_counts_all_the_same() -> None:
    """THK-A41, THK-A43: A finishes with two dice and is not safe from C, who won the set."""
    hand = game(3)
    put(hand, 0, NEARLY[0])
    put(hand, 1, NEARLY[1])
    put(hand, 2, "d13 d12 d11 e11 f11 g11 g10 h10 h11 h12 h13")
    three_rounds(hand)
    hand.way(-1)
    assert hand.turn == 1
    hand.do(Stop())
    hand.place("g12 g13")
    assert book(hand).finished == (0,)
    assert hand.turn == 2
    hand.say("remove g13")
    assert supply(book(hand), 0) == 1
    assert GAME.winners(hand.state) == (0,)


def test_a_finisher_with_four_dice_is_safe() -> None:
    """THK-A43"""
    hand = game(3)
    put(hand, 0, NEARLY[0])
    put(hand, 2, "d13 d12 d11 e11 f11 g11 g10 h10 h11 h12 h13")
    for _ in range(4):
        hand.lose(1)
    hand.way(-1)
    hand.place("g12 g13")
    assert hand.turn == 2
    assert not [text for text in hand.legal if text.startswith("remove")]


def test_the_end_without_a_finisher() -> None:
    """THK-A46: after `max_sets` the most parts, ties by a race; and at once if nobody could do anything."""
    hand = game(2, max_sets=1)
    won_by(hand, 0)
    hand.place("a7")
    hand.do(Stop())
    assert GAME.winners(hand.state) == (0,)
    tie = game(2, max_sets=1)
    won_by(tie, 0)
    tie.do(Stop())
    assert tie.state.race
    assert book(tie).final
    stuck = game(2)
    heads = "a7 d1 d13 j1 j13 m7"
    put(stuck, 1, heads)  # no head square is left for A, who has nothing to remove either
    assert may(stuck, 0) == ""
    won_by(stuck, 0)
    assert GAME.winners(stuck.state) == (1,)


def test_a_game_by_hand() -> None:
    """THK-60 to THK-70: A wins every set and goes through two pits; B picks a part off with his only win."""
    hand = game(2)
    won_by(hand, 0)
    hand.place("d1 d2 d3 j3")
    won_by(hand, 0)
    hand.place("j2 k2 l2 l3")
    won_by(hand, 1)
    hand.place("m7 m6 m5 m4")
    won_by(hand, 1)
    assert hand.turn == 1
    hand.place("m3")
    hand.do(Stop())
    won_by(hand, 1)
    hand.say("remove l3")
    assert head(hand, 0) == "l2"
    won_by(hand, 0)
    hand.place("l3 l4 l5 l6")
    won_by(hand, 0)
    hand.place("l7 k7 j7 j8")
    won_by(hand, 0)
    hand.place("j9 d9 d8 c8")
    assert [supply(book(hand), seat) for seat in (0, 1)] == [1, 15]
    won_by(hand, 1)
    hand.do(Stop())
    assert hand.state.number == 10
    won_by(hand, 0)
    hand.place("b8")
    assert GAME.winners(hand.state) == (0,)
    assert len(book(hand).dives[0]) == 2
