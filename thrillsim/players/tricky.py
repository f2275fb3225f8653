"""Players for Tricky: `heuristic` counts chips die by die, `solver` solves the whole turn exactly.

May import games.  Nothing is hidden in Tricky, so a view says all that the
rules need; `turn_model` follows them on plain numbers, quickly.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import Any

import numpy as np

from thrillsim.games.protocol import Legal
from thrillsim.games.tricky import Board, Keep, Place, View
from thrillsim.games.tricky.types import DICE, SIDES
from thrillsim.players import fivedice
from thrillsim.players.turn_model import Turn

PLAYERS = {
    "heuristic": "thrillsim.players.tricky:Heuristic",
    "solver": "thrillsim.players.tricky:Solver",
}

_PLENTY = 25
"""So many chips and such a stock never run out within a turn on the default board."""
_LOOK_AHEAD = 0.8
"""Weight of what the board offers to the next player; 1 would be right for two players and a last turn."""


class Heuristic:
    """Takes the dice that bring most chips now, the rest counted at what a die brings on average."""

    def act(self, view: View, legal: Legal, rng: np.random.Generator) -> Any:  # noqa: ARG002 - no dice needed
        """The action with the best expectation, one die at a time."""
        assert isinstance(legal, tuple)
        turn = Turn.of(view)
        if isinstance(legal[0], Place):
            return Place(turn.best(view.kept)[1])

        def worth(action: Keep) -> float:
            kept = (*view.kept, *action.faces)
            now = turn.best(kept)[0]
            left = DICE - len(kept)
            if not left:
                return now
            more = sum(turn.best((*kept, face))[0] for face in range(1, SIDES + 1)) / SIDES
            return now + left * (more - now)

        return max(legal, key=worth)


class Solver:
    """Maximises the expected lead after the turn, less what the board then offers to the next player."""

    def act(self, view: View, legal: Legal, rng: np.random.Generator) -> Any:  # noqa: ARG002 - no dice needed
        """The best action, by exact expectation over all throws still to come."""
        assert isinstance(legal, tuple)
        turn = Turn.of(view)
        if isinstance(legal[0], Place):
            return Place(turn.best(view.kept)[1])
        worth = _worth(turn)
        return max(legal, key=lambda action: worth[fivedice.index((*view.kept, *action.faces))])


@lru_cache(maxsize=64)
def _worth(turn: Turn) -> np.ndarray[Any, np.dtype[np.float64]]:
    """For every way to have dice set aside: the expected worth of the turn, played on at its best."""
    final = [
        turn.best(kept)[0] - _LOOK_AHEAD * offer(turn.board, turn.after(kept)) for kept in fivedice.FINAL
    ]
    return fivedice.expectation(np.array(final))


@lru_cache(maxsize=20_000)
def offer(board: Board, filled: tuple[int, ...]) -> float:
    """What a turn from here brings, in chips of lead, to somebody who has plenty and plays it best."""
    turn = Turn(board, filled, _PLENTY, _PLENTY, _PLENTY)
    faces = [[turn.column(face, count)[0] for count in range(DICE + 1)] for face in range(1, SIDES)]
    final = [
        sum(faces[face - 1][count] for face, count in Counter(kept).items() if face < SIDES)
        for kept in fivedice.FINAL
    ]
    return float(fivedice.expectation(np.array(final))[0])
