"""Thinkaboxin, Last Man Standing: one knock-out race (THK-50)."""

from __future__ import annotations

from thrillsim.bidding import places
from thrillsim.games.thinkaboxin.course import Mode, finish, start_set
from thrillsim.games.thinkaboxin.types import Options, State


class LastMan(Mode):
    """The secretary crosses out one name per set, until one is left."""

    title = "Last Man Standing"

    def book(self, options: Options, players: int) -> None:
        """Nothing but the order of going out, which every race keeps."""

    def begin(self, state: State) -> State:
        """The whole game is a race (THK-50)."""
        return start_set(state, state.seats, state.options.first_player, race=True)

    def set_over(self, state: State, winners: tuple[int, ...], loser: int) -> State:
        """Never: in a race the set goes on until one player is left with dice."""
        raise AssertionError(f"set {state.number} of a race ended with {winners}, {loser} wrong")

    def race_over(self, state: State, winner: int) -> State:  # noqa: ARG002 - the only one not crossed out
        """The last man standing wins."""
        return finish(state, places(state.seats.n, state.gone))
