"""The card and dice games as OpenSpiel games (extra ``openspiel``).  May import games.

>>> import pyspiel                                             # doctest: +SKIP
>>> from thrillsim.adapters.openspiel import register          # doctest: +SKIP
>>> register("skull")                                          # doctest: +SKIP
'thrillsim_skull'
>>> game = pyspiel.load_game("thrillsim_skull(players=4)")     # doctest: +SKIP

What OpenSpiel wants otherwise than our protocol:

* actions are numbers with a fixed meaning: `UNIVERSES` lists every action that a
  game can ever ask for, and the place in the list is the number;
* chance is small: dice are rolled one at a time, so that a chance node has six
  outcomes and not six to the number of dice;
* secret simultaneous choices are made one after the other (the views show nobody
  another's choice, so this makes no difference);
* returns: the winners share one chip from every player.

Thrill itself is left out: its placements are points of a plane, its chance is
the physics of a push.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Any

import msgspec
import numpy as np
import pyspiel

from thrillsim import games
from thrillsim.games.options import parse_options
from thrillsim.games.protocol import Draw, Drawn, Event, Game, Happened, Mishap, Roll, Rolled, who


@dataclass(frozen=True, slots=True)
class Universe:
    """What has to be known of a whole game at its start.

    Parameters
    ----------
    actions
        Every action that can ever be legal, in the order of their numbers.
    length
        An upper bound of decisions and chance outcomes; `None` becomes 10 000
        (the game is not bounded, only ends with probability one).
    """

    actions: tuple[Any, ...]
    length: int | None = None


def skull_universe(options: Any, players: int) -> Universe:  # noqa: ARG001 - the options change no action
    """Skull: 5 n rounds at most, each of 4 n discs laid, 4 n bids, n passes, 4 n flips and three more."""
    from thrillsim.games.skull import FLOWER, SKULL, Bid, Box, Flip, Lay, Pass, Start

    actions: list[Any] = [Lay(FLOWER), Lay(SKULL), Pass(), Box(FLOWER), Box(SKULL)]
    actions += [Bid(count) for count in range(1, 4 * players + 1)]
    actions += [Flip(seat) for seat in range(players)] + [Start(seat) for seat in range(players)]
    return Universe(tuple(actions), 5 * players * (13 * players + 3))


def shakeit_universe(options: Any, players: int) -> Universe:
    """Shake It!: every bet on the track, the doubt, and every set of dice that can be laid out."""
    from thrillsim.games.shakeit import Bet, Doubt, LayOut
    from thrillsim.games.shakeit.rules import bid_order
    from thrillsim.games.shakeit.types import DICE

    actions: list[Any] = [Bet(bid.count, bid.face) for bid in bid_order(options, DICE * players).bids()]
    actions.append(Doubt())
    if options.extension:
        actions += map(LayOut, _multisets(DICE, 6))
    return Universe(tuple(actions))


def tricky_universe(options: Any, players: int) -> Universe:  # noqa: ARG001 - always the same
    """Tricky: every set of dice to set aside, and the five columns."""
    from thrillsim.games.tricky import Keep, Place

    actions: list[Any] = [Keep(faces) for faces in _multisets(5, 6) if faces]
    return Universe((*actions, *(Place(face) for face in range(1, 6))))


def _multisets(most: int, faces: int) -> list[tuple[int, ...]]:
    return [
        chosen
        for size in range(most + 1)
        for chosen in combinations_with_replacement(range(1, faces + 1), size)
    ]


UNIVERSES: dict[str, Callable[[Any, int], Universe]] = {
    "skull": skull_universe,
    "shakeit": shakeit_universe,
    "tricky": tricky_universe,
}
"""The games that can be wrapped."""

_UNBOUNDED = 10_000
_MOST_OUTCOMES = 6  # a die; a draw is among fewer things


def register(name: str) -> str:
    """Make a game known to OpenSpiel and return its name there.

    Its parameters are ``players``, and ``options`` as ``name:value`` separated
    by semicolons (OpenSpiel keeps the equals sign for itself).

    Raises
    ------
    InputError
        If there is no such game.
    KeyError
        If it is there, but cannot be wrapped.
    """
    rules = games.get(name)
    universe = UNIVERSES[name]
    short = f"thrillsim_{name}"
    if short not in pyspiel.registered_names():
        kind = _game_type(rules, short)

        class Wrapped(SpielGame):
            def __init__(self, params: Any = None) -> None:
                super().__init__(kind, rules, universe, dict(params or {}))

        pyspiel.register_game(kind, Wrapped)
    return short


def _game_type(rules: Game[Any], short: str) -> Any:
    fewest, most = rules.seats
    return pyspiel.GameType(
        short_name=short,
        long_name=rules.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=most,
        min_num_players=fewest,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=False,
        provides_factored_observation_string=False,
        parameter_specification={"players": fewest, "options": ""},
    )


class Setup:
    """Everything about a game that no state changes; all states share it, copies of states too."""

    def __init__(
        self, rules: Game[Any], universe: Callable[[Any, int], Universe], params: dict[str, Any]
    ) -> None:
        self.rules = rules
        self.players = int(params.get("players", rules.seats[0]))
        given = str(params.get("options", "")).split(";")
        options = parse_options(rules, [text.replace(":", "=", 1) for text in given if text])
        self.start = rules.initial(options, self.players)
        self.universe = universe(options, self.players)
        self.number = {action: number for number, action in enumerate(self.universe.actions)}

    def __deepcopy__(self, _: object) -> Setup:
        return self


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """One of our games, with fixed players and options, as OpenSpiel sees it."""

    def __init__(
        self, kind: Any, rules: Game[Any], universe: Callable[[Any, int], Universe], params: dict[str, Any]
    ) -> None:
        self.setup = Setup(rules, universe, params)
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.setup.universe.actions),
            max_chance_outcomes=_MOST_OUTCOMES,
            num_players=self.setup.players,
            min_utility=-1.0,
            max_utility=float(self.setup.players - 1),
            utility_sum=0.0,
            max_game_length=self.setup.universe.length or _UNBOUNDED,
        )
        super().__init__(kind, info, params)

    def new_initial_state(self, _: str | None = None) -> SpielState:
        """The state before the first decision."""
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SpielObserver:
        """What shows a state to one player."""
        if params:
            raise ValueError(f"no parameters here, got {params}")
        return SpielObserver(iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))


class SpielState(pyspiel.State):  # type: ignore[misc]
    """One of our frozen states, and the dice of a throw that already lie there."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.setup, self.rules = game.setup, game.setup.rules
        self.state = game.setup.start
        self.thrown: tuple[int, ...] = ()
        self.seen: list[tuple[str, ...]] = [()] * game.setup.players
        self._look()

    def current_player(self) -> int:
        """Who decides; chance and the end have numbers of their own."""
        turn = self.rules.turn(self.state)
        if turn.kind == "over":
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if turn.kind == "chance" else turn.seats[0]

    def _legal_actions(self, player: int) -> list[int]:
        legal = self.rules.legal(self.state, player)
        assert isinstance(legal, tuple)
        return sorted(self.setup.number[action] for action in legal)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The next die, the drawn thing, or whether the next mishap happens."""
        request = self.rules.chance(self.state)
        if isinstance(request, Mishap):
            chance = request.probabilities[len(self.thrown)]
            return [(number, p) for number, p in ((0, 1 - chance), (1, chance)) if p > 0]
        size = request.sides if isinstance(request, Roll) else request.size
        return [(number, 1 / size) for number in range(size)]

    def _apply_action(self, action: int) -> None:
        if self.is_chance_node():
            self.thrown = (*self.thrown, action)
            outcome = _outcome(self.rules.chance(self.state), self.thrown)
            if outcome is None:
                return
            self.state, self.thrown = self.rules.resolve(self.state, outcome), ()
        else:
            self.state = self.rules.act(
                self.state, self.current_player(), self.setup.universe.actions[action]
            )
        while self.rules.turn(self.state).kind == "chance":  # a throw of no dice needs nobody
            outcome = _outcome(self.rules.chance(self.state), ())
            if outcome is None:
                break
            self.state = self.rules.resolve(self.state, outcome)
        self._look()

    def _look(self) -> None:
        """Everybody remembers what he sees (an information state needs perfect recall)."""
        for player in range(self.setup.players):
            view = show(self, player)
            if not self.seen[player] or self.seen[player][-1] != view:
                self.seen[player] = (*self.seen[player], view)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"chance {action}"
        return f"{who(player)}: {self.rules.label(self.setup.universe.actions[action])}"

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.rules.turn(self.state).kind == "over"

    def returns(self) -> list[float]:
        """The winners share one chip of every player; nobody pays while there is no winner."""
        won = self.rules.winners(self.state) if self.is_terminal() else ()
        players = self.setup.players
        if not won:
            return [0.0] * players
        return [(players / len(won) if seat in won else 0.0) - 1 for seat in range(players)]

    def __str__(self) -> str:
        return f"{msgspec.json.encode(self.state).decode()} {self.thrown}"


class SpielObserver:
    """What a player sees, as text; there are no tensors, for a view is no fixed row of numbers."""

    def __init__(self, iig_obs_type: Any) -> None:
        self.recall = bool(iig_obs_type.perfect_recall)
        self.tensor = np.zeros(0, np.float32)
        self.dict: dict[str, Any] = {}

    def set_from(self, state: SpielState, player: int) -> None:
        """Nothing to do: there is no tensor."""

    def string_from(self, state: SpielState, player: int) -> str:
        """The view of the player, or all views so far where recall is perfect."""
        return "\n".join(state.seen[player]) if self.recall else show(state, player)


def show(state: SpielState, player: int) -> str:
    """The view of one player as JSON: what the protocol promises to be all that he may know."""
    return msgspec.json.encode(state.rules.view(state.state, player)).decode()


def _outcome(request: Any, found: tuple[int, ...]) -> Event | Any | None:
    """Our outcome, once enough of OpenSpiel's small ones are there."""
    match request:
        case Draw():
            return Drawn(found[0]) if found else None
        case Roll(dice):
            if len(found) < sum(dice):
                return None
            faces = iter(face + 1 for face in found)
            return Rolled(tuple(tuple(next(faces) for _ in range(count)) for count in dice))
        case Mishap(probabilities):
            return Happened(tuple(map(bool, found))) if len(found) == len(probabilities) else None
    raise TypeError(f"{type(request).__name__} is no dice and no draw")
