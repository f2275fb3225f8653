"""Thinkaboxin, Goldrush: ten sets for points, then a race of the best (THK-30 to THK-32)."""

from __future__ import annotations

from msgspec.structs import replace

from thrillsim.games.thinkaboxin.course import (
    Mode,
    after_race,
    finish,
    next_starter,
    start_race,
    start_set,
)
from thrillsim.games.thinkaboxin.types import Options, Scores, State

SETS = (1, 2, 2, 3, 3, 3, 4, 4, 4, 4)  # THK-30: dice in each set


class Goldrush(Mode):
    """Most won dice over ten sets, then the final."""

    title = "Goldrush"

    def book(self, options: Options, players: int) -> Scores:  # noqa: ARG002 - the same for all options
        """Nobody has points."""
        return Scores((0,) * players)

    def begin(self, state: State) -> State:
        """One die each in the first set (THK-30, THK-A23)."""
        return start_set(state, state.seats, state.options.first_player, dice=SETS[0])

    def set_over(self, state: State, winners: tuple[int, ...], loser: int) -> State:  # noqa: ARG002
        """Won dice are points for everybody, winners or not (THK-31)."""
        points = tuple(had + state.won(seat) for seat, had in enumerate(scores(state).points))
        state = replace(state, book=Scores(points))
        if state.number < len(SETS):
            starter = next_starter(state.seats, loser, state.direction)
            return start_set(state, state.seats, starter, dice=SETS[state.number])
        return start_race(replace(state, book=Scores(points, final=True)), finalists(points), loser)

    def race_over(self, state: State, winner: int) -> State:
        """The final decides (THK-32)."""
        return finish(state, after_race(state, winner, scores(state).points))


def scores(state: State) -> Scores:
    """The points of a state of this mode."""
    assert isinstance(state.book, Scores)
    return state.book


def finalists(points: tuple[int, ...]) -> tuple[int, ...]:
    """Numbers 1 and 2 with ties (THK-32, THK-A22, THK-A24).

    >>> finalists((9, 7, 9, 3)), finalists((9, 7, 3, 7))
    ((0, 2), (0, 1, 3))
    """
    best = max(points)
    if points.count(best) > 1:
        return tuple(seat for seat, had in enumerate(points) if had == best)
    second = max(had for had in points if had < best)
    return tuple(seat for seat, had in enumerate(points) if had >= second)
