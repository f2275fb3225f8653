"""A stateful hypothesis test for any game: every sequence of legal events, nothing to say for others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import hypothesis.strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from thrillsim.games.protocol import OVER, Draw, Drawn, Game, Happened, Mishap, Roll, Rolled


def outcomes(request: Any) -> st.SearchStrategy[Any]:
    """Every outcome of a chance request that needs no physics."""
    match request:
        case Roll(dice, sides):
            groups = (st.tuples(*[st.integers(1, sides)] * count) for count in dice)
            return st.tuples(*groups).map(Rolled)
        case Draw(size):
            return st.integers(0, size - 1).map(Drawn)
        case Mishap(probabilities):
            return st.tuples(*[st.booleans()] * len(probabilities)).map(Happened)
    raise TypeError(f"no outcomes for {request!r}")


def machine(
    game: Game[Any], starts: st.SearchStrategy[tuple[Any, int]], check: Callable[[Any, Any], None]
) -> type[Any]:
    """The test case to assign to a name that begins with ``Test``.

    `starts` gives options and number of players; `check(before, after)` asserts
    what holds from one state to the next.
    """

    class Machine(RuleBasedStateMachine):
        def __init__(self) -> None:
            super().__init__()
            self.state: Any = None

        @initialize(start=starts)
        def sit_down(self, start: tuple[Any, int]) -> None:
            self.state = game.initial(*start)

        @precondition(lambda self: self.state is not None and game.turn(self.state).kind == "decide")
        @rule(data=st.data())
        def act(self, data: st.DataObject) -> None:
            seat = data.draw(st.sampled_from(game.turn(self.state).seats))
            legal: Any = game.legal(self.state, seat)
            self._to(game.act(self.state, seat, data.draw(st.sampled_from(legal))))

        @precondition(lambda self: self.state is not None and game.turn(self.state).kind == "chance")
        @rule(data=st.data())
        def chance(self, data: st.DataObject) -> None:
            self._to(game.resolve(self.state, data.draw(outcomes(game.chance(self.state)))))

        @precondition(lambda self: self.state is not None and game.turn(self.state) == OVER)
        @rule(start=starts)
        def again(self, start: tuple[Any, int]) -> None:
            assert game.winners(self.state)
            self.state = game.initial(*start)

        def _to(self, after: Any) -> None:
            check(self.state, after)
            self.state = after

        @invariant()
        def others_have_nothing_to_say(self) -> None:
            if self.state is not None:
                turn = game.turn(self.state)
                for seat in range(game.players(self.state)):
                    assert bool(game.legal(self.state, seat)) == (seat in turn.seats)
                    game.show(game.view(self.state, seat))

    return Machine.TestCase
