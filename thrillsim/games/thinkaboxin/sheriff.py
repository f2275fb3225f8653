"""Thinkaboxin, The Next Sheriff: duels of all against all, then play-offs (THK-40 to THK-42)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from msgspec.structs import replace

from thrillsim.bidding import Seats
from thrillsim.games.thinkaboxin.course import Mode, finish, start_set
from thrillsim.games.thinkaboxin.types import Duel, Duels, Options, State

PLAYOFFS: dict[int, tuple[tuple[int, int], ...]] = {
    2: ((1, 2),),  # THK-A25: one duel
    3: ((2, 3), (1, -1)),
    4: ((1, 4), (2, 3), (-1, -2)),
    5: ((2, 5), (3, 4), (-1, -2), (1, -3)),
    6: ((1, 6), (2, 5), (3, 4), (-2, -3), (-1, -4)),
}
"""THK-42, by number of players: k is number k of the ranking, -k the winner of play-off k."""


class Sheriff(Mode):
    """Sets of two players; won dice are points."""

    title = "The Next Sheriff"

    def book(self, options: Options, players: int) -> Duels:
        """No duel yet; two players go straight to the final."""
        return Duels(ranking=roster(options, players) if players == 2 else ())

    def begin(self, state: State) -> State:
        """The first duel."""
        return _next_duel(state)

    def set_over(self, state: State, winners: tuple[int, ...], loser: int) -> State:  # noqa: ARG002
        """Note the duel; on to the next, or the new sheriff (THK-40, THK-42)."""
        book = duels(state)
        pair = _pairing(state)
        assert pair
        first, second = pair
        duel = Duel(first, second, (state.won(first), state.won(second)))
        if not book.ranking:
            book = replace(book, league=(*book.league, duel))
            names = roster(state.options, state.seats.n)
            if len(book.league) == len(list(combinations(names, 2))):
                book = replace(book, ranking=ranking(names, book.league))
        else:
            book = replace(book, playoffs=(*book.playoffs, duel))
        state = replace(state, book=book)
        return finish(state, _places(book)) if _pairing(state) == () else _next_duel(state)


def duels(state: State) -> Duels:
    """The duels of a state of this mode."""
    assert isinstance(state.book, Duels)
    return state.book


def roster(options: Options, players: int) -> tuple[int, ...]:
    """The names as the secretary writes them down: the youngest, then clockwise (THK-40)."""
    return tuple((options.first_player + at) % players for at in range(players))


def ranking(names: Sequence[int], league: Sequence[Duel]) -> tuple[int, ...]:
    """Seats, best first: won dice, duels among equals (THK-41), dice there, place in the list (THK-A26)."""
    total = dict.fromkeys(names, 0)
    for duel in league:
        total[duel.first] += duel.won[0]
        total[duel.second] += duel.won[1]

    def key(seat: int) -> tuple[int, int, int, int]:
        won = difference = 0
        for duel in league:
            if seat in (duel.first, duel.second) and total[duel.first] == total[duel.second]:
                won += duel.winner == seat
                mine, his = duel.won if seat == duel.first else reversed(duel.won)
                difference += mine - his
        return -total[seat], -won, -difference, names.index(seat)

    return tuple(sorted(names, key=key))


def _pairing(state: State) -> tuple[()] | tuple[int, int]:
    """Who meet next; nobody after the last final."""
    book, n = duels(state), state.seats.n
    if not book.ranking:
        return list(combinations(roster(state.options, n), 2))[len(book.league)]
    if len(book.playoffs) == len(PLAYOFFS[n]):
        return ()
    first, second = PLAYOFFS[n][len(book.playoffs)]
    return _named(book, first), _named(book, second)


def _named(book: Duels, number: int) -> int:
    return book.ranking[number - 1] if number > 0 else book.playoffs[-number - 1].winner


def _next_duel(state: State) -> State:
    pair = _pairing(state)
    assert pair
    line = duels(state).ranking
    opener = min(pair, key=line.index) if line else pair[0]  # THK-A27: in play-offs the better ranked
    return start_set(state, Seats.only(state.seats.n, pair), opener)


def _places(book: Duels) -> tuple[int, ...]:
    """The winner of the last final, the loser, then by the ranking (THK-42)."""
    final = book.playoffs[-1]
    loser = final.second if final.winner == final.first else final.first
    line = [final.winner, loser, *(seat for seat in book.ranking if seat not in (final.first, final.second))]
    return tuple(line.index(seat) + 1 for seat in range(len(line)))
