"""Nuggets, Goldrush, The Next Sheriff and Last Man Standing: every clause, and a game of each by hand."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.games.thinkaboxin_script import GAME, Hand
from thrillsim.bidding import Owner, Stakes
from thrillsim.games.protocol import OVER, IllegalAction
from thrillsim.games.thinkaboxin import Call, Duel, Lift, Purse, Scores, Stake
from thrillsim.games.thinkaboxin.course import start_set
from thrillsim.games.thinkaboxin.goldrush import SETS, finalists
from thrillsim.games.thinkaboxin.sheriff import PLAYOFFS, ranking


def nuggets(hand: Hand) -> list[int]:
    """What every seat holds, and the pool."""
    assert isinstance(hand.state.book, Purse)
    held = hand.state.book.nuggets
    assert held.total("nugget") == 10 * hand.state.seats.n
    return [held.held(owner, "nugget") for owner in (*range(hand.state.seats.n), "pool")]


def nuggets_set(hand: Hand, *losers: int, stake: int | None = 2) -> None:
    """A set of Nuggets whose rounds these seats lose."""
    for at, seat in enumerate(losers):
        if at == 0 and stake is not None:
            hand.roll()
            hand.do(Stake(stake))
            if hand.turn == seat:
                hand.do(Call(1, 1, 1), Lift())
            else:
                hand.do(Call(1, 2, 1))
                while hand.turn != seat:
                    hand.do(Call(len(hand.state.bidding.said) + 1, 2))
                hand.do(Lift())
        else:
            hand.lose(seat)


def held(hand: Hand, *amounts: int) -> None:
    """Give the seats these nuggets, all others to the pool, and start a set anew."""
    n = hand.state.seats.n
    owners: dict[Owner, dict[str, int]] = {seat: {"nugget": amount} for seat, amount in enumerate(amounts)}
    owners["pool"] = {"nugget": 10 * n - sum(amounts)}
    seats = hand.state.seats
    for seat, amount in enumerate(amounts):
        seats = seats if amount else seats.without(seat)
    state = replace(hand.state, book=Purse(Stakes.deal(owners)), seats=seats)
    hand.state = start_set(state, seats, hand.state.starter)


# --- Nuggets ----------------------------------------------------------------------------


def test_the_starter_fixes_the_stake_after_seeing_his_dice() -> None:
    """THK-20, THK-A21: two or four, once per set, for everybody alike."""
    for stake in (2, 4):
        hand = Hand(3, mode="nuggets", first_player=1)
        assert nuggets(hand) == [10, 10, 10, 0]
        hand.roll("2222", "3333", "4444")
        assert GAME.view(hand.state, 1).hidden == (3, 3, 3, 3)
        assert hand.turn == 1
        assert hand.legal == ["stake 2", "stake 4"]
        hand.do(Stake(stake))
        assert nuggets(hand) == [10 - stake] * 3 + [3 * stake]
        assert hand.turn == 1
        hand.do(Call(1, 1, 1), Lift())
        hand.roll()
        with pytest.raises(IllegalAction):
            hand.do(Stake(2))


def test_four_needs_four_with_everybody() -> None:
    """THK-A17: else two, or what the poorest has."""
    hand = Hand(3, mode="nuggets")
    held(hand, 10, 17, 3)
    hand.roll()
    assert hand.legal == ["stake 2"]
    held_one = Hand(3, mode="nuggets")
    held(held_one, 10, 19, 1)
    held_one.roll()
    assert held_one.legal == ["stake 2"]
    held_one.do(Stake(2))
    assert nuggets(held_one) == [9, 18, 0, 3]


def test_once_somebody_is_out_the_poorest_sets_the_stake() -> None:
    """THK-21, THK-22: it may exceed four, and nobody is asked."""
    hand = Hand(3, mode="nuggets")
    held(hand, 17, 0, 13)
    hand.roll()
    assert hand.state.phase == "bid"
    assert nuggets(hand) == [4, 0, 0, 26]
    hand.do(Call(1, 1, 1), Lift())
    for _ in range(3):
        hand.lose(0)
    assert nuggets(hand) == [4, 0, 26, 0]
    hand.roll()
    assert nuggets(hand) == [0, 0, 22, 8]


def test_pool_and_remainder() -> None:
    """THK-23, THK-A18: shared evenly among all set winners; the remainder waits for the next set."""
    hand = Hand(4, mode="nuggets")
    nuggets_set(hand, 0, 0, 0, 0)
    assert nuggets(hand) == [8, 10, 10, 10, 2]  # 8 for three winners: 2 each, 2 stay
    nuggets_set(hand, 0, 0, 0, 0, stake=4)
    assert nuggets(hand) == [4, 12, 12, 12, 0]  # 18 for three


def test_who_has_nothing_is_out_and_the_next_starts() -> None:
    """THK-22, THK-A20: B has lost everything; the next in the last direction starts."""
    for way, starter in ((1, 2), (-1, 0)):
        hand = Hand(3, mode="nuggets", first_player=1)
        held(hand, 13, 2, 15)
        hand.roll()
        hand.do(Stake(2), Call(1, 1, way), Lift())
        for _ in range(3):
            hand.lose(1, way)
        assert hand.state.seats.living == (0, 2)
        assert hand.state.gone == ((1,),)
        assert hand.cups == [4, 0, 4]
        hand.roll()
        assert hand.turn == starter


def test_the_last_with_nuggets_takes_the_pool() -> None:
    """THK-24, THK-A19: what had stayed in the pool is his too."""
    hand = Hand(3, mode="nuggets")
    held(hand, 2, 2, 19)  # seven in the pool from before
    nuggets_set(hand, 0, 0, 1, 1)  # C wins alone, A and B have nothing left
    assert GAME.turn(hand.state) == OVER
    assert nuggets(hand) == [0, 0, 30, 0]
    assert GAME.winners(hand.state) == (2,)
    assert GAME.places(hand.state) == (2, 2, 1)


def test_nuggets_may_be_cut_short() -> None:
    """THK-A47"""
    hand = Hand(3, mode="nuggets", max_sets=1)
    nuggets_set(hand, 1, 1, 1, 1)
    assert GAME.turn(hand.state) == OVER
    assert nuggets(hand) == [11, 8, 11, 0]
    assert GAME.places(hand.state) == (1, 3, 1)


def test_a_game_of_nuggets_by_hand() -> None:
    """THK-20 to THK-24 with two players, nuggets after every set."""
    hand = Hand(2, mode="nuggets")
    nuggets_set(hand, 0, 1, 0, 0, 0, stake=4)
    assert nuggets(hand) == [6, 14, 0]
    nuggets_set(hand, 1, 1, 1, 1, stake=2)
    assert nuggets(hand) == [8, 12, 0]
    nuggets_set(hand, 0, 0, 0, 0, stake=4)
    nuggets_set(hand, 0, 0, 0, 0, stake=4)
    assert GAME.winners(hand.state) == (1,)
    assert nuggets(hand) == [0, 20, 0]


# --- Goldrush ---------------------------------------------------------------------------


def test_ten_sets() -> None:
    """THK-30, THK-A23: one with 1 die, two with 2, three with 3, four with 4."""
    assert SETS == (1, 2, 2, 3, 3, 3, 4, 4, 4, 4)
    hand = Hand(4, mode="goldrush")
    dice = []
    while hand.state.number <= 10:
        if hand.cups == [max(hand.cups)] * 4:
            dice.append(hand.cups[0])
        number = hand.state.number
        hand.lose(3)
        if number == 1:
            assert hand.state.number == 2  # the set with one die ends at once, with three winners
    assert dice == list(SETS)


def test_points_and_the_final() -> None:
    """THK-31, THK-32, THK-A22: everybody's won dice count, 30 at most; all tied for first play the final."""
    alone = Hand(4, mode="goldrush")
    while alone.state.number <= 10:
        alone.lose(3)
    assert alone.state.book == Scores((30, 30, 30, 0), final=True)
    assert alone.state.table.living == (0, 1, 2)
    assert alone.state.race


def test_points_of_a_set_count_for_losers_too() -> None:
    """THK-31: with two dice C's cup is empty after two rounds, A and B have one won die each."""
    hand = Hand(3, mode="goldrush")
    hand.lose(0)
    assert hand.state.book == Scores((0, 1, 1))
    hand.lose(0)
    hand.lose(1)
    assert hand.state.book == Scores((1, 2, 3))
    assert hand.state.number == 3


def test_finalists() -> None:
    """THK-32, THK-A22, THK-A24"""
    assert finalists((9, 7, 9, 3)) == (0, 2)
    assert finalists((9, 9, 9, 3)) == (0, 1, 2)
    assert finalists((9, 7, 3, 7)) == (0, 1, 3)
    assert finalists((1, 9)) == (0, 1)
    assert finalists((9, 9)) == (0, 1)


def test_the_final_is_opened_by_the_loser_or_the_next_finalist() -> None:
    """THK-A45: D lost last and is no finalist, so it is the next in the last direction."""
    for way, starter in ((1, 0), (-1, 2)):
        hand = Hand(4, mode="goldrush")
        while hand.state.number <= 10:
            hand.lose(3, way)
        hand.roll()
        assert hand.turn == starter
    two = Hand(2, mode="goldrush")
    while two.state.number <= 10:
        two.lose(1)
    two.roll()
    assert two.turn == 1


def test_a_game_of_goldrush_by_hand() -> None:
    """THK-30 to THK-32, THK-A24: two players; B is behind all the way and wins the final."""
    hand = Hand(2, mode="goldrush")
    while hand.state.number <= 10:
        hand.lose(1)
    assert hand.state.book == Scores((30, 0), final=True)
    for _ in range(4):
        hand.lose(0)
    assert GAME.winners(hand.state) == (1,)
    assert GAME.places(hand.state) == (2, 1)
    three = Hand(3, mode="goldrush")
    while three.state.number <= 10:
        three.lose(2)
    assert three.state.table.living == (0, 1)
    for _ in range(4):
        three.lose(0)
    assert GAME.places(three.state) == (2, 1, 3)


# --- The Next Sheriff -------------------------------------------------------------------


def duel(hand: Hand, winner: int) -> None:
    """A duel without a slip."""
    number = hand.state.number
    loser = next(seat for seat in hand.state.table.living if seat != winner)
    while hand.state.number == number and GAME.turn(hand.state) != OVER:
        hand.lose(loser)


def meetings(hand: Hand) -> list[tuple[int, int]]:
    """Play to the end; who met whom.  The lower number of the list always wins."""
    met = []
    while GAME.turn(hand.state) != OVER:
        pair = hand.state.table.living
        met.append((pair[0], pair[1]))
        duel(hand, min(pair))
    return met


def test_round_robin() -> None:
    """THK-40, THK-A27: every two meet once; the first-named opens, then the loser of the round."""
    hand = Hand(4, mode="sheriff", first_player=2)
    pairs = []
    for _ in range(6):
        hand.roll()
        pairs.append((hand.turn, *[s for s in hand.state.table.living if s != hand.turn]))
        opener, other = pairs[-1]
        hand.do(Call(1, 2, 1), Lift())  # true: the other one is wrong, and starts the next round
        hand.roll()
        assert hand.turn == other
        hand.do(Call(1, 1, 1), Lift())
        duel(hand, opener)
    assert pairs == [(2, 3), (2, 0), (2, 1), (3, 0), (3, 1), (0, 1)]
    assert len({frozenset(pair) for pair in pairs}) == 6


def test_points_and_ranking() -> None:
    """THK-40, THK-41: won dice, four for the winner, nought to three for the loser; A and C tie, C beat A."""
    league = (Duel(0, 1, (4, 3)), Duel(0, 2, (0, 4)), Duel(1, 2, (4, 0)))
    assert [duel.winner for duel in league] == [0, 2, 1]
    assert ranking((0, 1, 2), league) == (1, 2, 0)  # 7, 4 and 4
    other = (Duel(0, 1, (4, 3)), Duel(0, 2, (4, 0)), Duel(1, 2, (1, 4)))
    assert ranking((0, 1, 2), other) == (0, 2, 1)  # 8, 4 and 4; C beat B


def test_three_with_equal_points() -> None:
    """THK-A26: duels won among them, then the dice there, then the list."""
    ring = (Duel(0, 1, (4, 2)), Duel(1, 2, (4, 2)), Duel(2, 0, (4, 2)))
    assert ranking((2, 0, 1), ring) == (2, 0, 1)
    # D beats all; A, B and C have seven points each and one duel, but won less lost is 3, -3 and 0 among them
    dice = (
        *(Duel(0, 1, (4, 0)), Duel(1, 2, (4, 3)), Duel(2, 0, (4, 3))),
        *(Duel(0, 3, (0, 4)), Duel(1, 3, (3, 4)), Duel(2, 3, (0, 4))),
    )
    assert ranking((2, 1, 0, 3), dice) == (3, 0, 2, 1)
    # eight points each, and two, one and no duel among them
    duels = (
        *(Duel(0, 1, (4, 3)), Duel(0, 2, (4, 3)), Duel(1, 2, (4, 3))),
        *(Duel(0, 3, (0, 4)), Duel(1, 3, (1, 4)), Duel(2, 3, (2, 4))),
    )
    assert ranking((2, 1, 0, 3), duels) == (3, 0, 1, 2)


@pytest.mark.parametrize(
    ("players", "playoffs"),
    [
        (2, [(0, 1)]),
        (3, [(1, 2), (0, 1)]),
        (4, [(0, 3), (1, 2), (0, 1)]),
        (5, [(1, 4), (2, 3), (1, 2), (0, 1)]),
        (6, [(0, 5), (1, 4), (2, 3), (1, 2), (0, 1)]),
    ],
)
def test_playoffs(players: int, playoffs: list[tuple[int, int]]) -> None:
    """THK-42, THK-A25: the lower seat always wins, so it is the ranking; n (n - 1) / 2 duels before."""
    hand = Hand(players, mode="sheriff")
    met = meetings(hand)
    league = 0 if players == 2 else players * (players - 1) // 2
    assert len(met) == league + len(PLAYOFFS[players])
    assert met[league:] == playoffs
    assert GAME.winners(hand.state) == (0,)
    assert GAME.places(hand.state)[:2] == (1, 2)


def test_upsets_in_the_playoffs() -> None:
    """THK-42, THK-A27: with six players the lowest of the ranking can still become sheriff."""
    hand = Hand(6, mode="sheriff")
    for _ in range(15):
        duel(hand, min(hand.state.table.living))
    met = []
    for winner in (5, 4, 3, 4, 5):
        hand.roll()
        met.append((hand.turn, *[s for s in hand.state.table.living if s != hand.turn]))
        hand.do(Call(1, 1, 1), Lift())
        duel(hand, winner)
    # the better ranked opens; against him even if he lost that first round
    assert met == [(0, 5), (1, 4), (2, 3), (3, 4), (4, 5)]
    assert GAME.winners(hand.state) == (5,)
    assert GAME.places(hand.state) == (3, 4, 5, 6, 2, 1)


def test_a_game_of_the_next_sheriff_by_hand() -> None:
    """THK-40 to THK-42 with three players: the duels with their scores, the ranking, the play-offs."""
    hand = Hand(3, mode="sheriff")
    for losers in ((0, 1, 0, 0, 0), (2, 0, 2, 2, 2), (1, 1, 1, 1)):
        for loser in losers:
            hand.lose(loser)
    book = hand.state.book
    assert [d.won for d in book.league] == [(1, 4), (4, 1), (0, 4)]  # type: ignore[union-attr]
    assert book.ranking == (0, 2, 1)  # type: ignore[union-attr] - 5, 5 and 4 points; A beat C
    assert hand.state.table.living == (1, 2)
    for loser in (2, 1, 2, 2, 2):
        hand.lose(loser)
    assert hand.state.table.living == (0, 1)
    for loser in (0, 0, 1, 1, 1, 0, 0):
        hand.lose(loser)
    assert GAME.winners(hand.state) == (1,)
    assert GAME.places(hand.state) == (2, 1, 3)


# --- Last Man Standing ------------------------------------------------------------------


def test_a_game_of_last_man_standing_by_hand() -> None:
    """THK-50, THK-18, THK-A28: one name is crossed out per set."""
    hand = Hand(3)
    assert hand.state.race
    for loser in (1, 0, 2, 1, 0):
        hand.lose(loser)
    assert hand.cups == [1, 1, 0]
    hand.lose(0)
    assert hand.state.gone == ((0,),)
    assert hand.cups == [0, 4, 4]
    hand.roll()
    assert hand.turn == 1  # B emptied his cup last
    hand.do(Call(1, 2, 1), Lift())
    for loser in (1, 2, 1, 1, 1):
        hand.lose(loser)
    assert GAME.turn(hand.state) == OVER
    assert GAME.winners(hand.state) == (2,)
    assert GAME.places(hand.state) == (3, 2, 1)
