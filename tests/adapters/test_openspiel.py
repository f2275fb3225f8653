"""The wrapped games pass OpenSpiel's own tests, and play what our rules say."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from thrillsim import games

pyspiel = pytest.importorskip("pyspiel")
from thrillsim.adapters.openspiel import UNIVERSES, register  # noqa: E402 - needs the extra
from thrillsim.games.protocol import who  # noqa: E402

GAMES = [
    "thrillsim_skull",
    "thrillsim_skull(players=5,options=first_player:2)",
    "thrillsim_tricky(players=3)",
    "thrillsim_shakeit",
    "thrillsim_shakeit(players=3,options=extension:true;cocked_prob:0.2)",
]


@pytest.fixture(scope="module", autouse=True)
def _registered() -> None:
    for name in UNIVERSES:
        assert register(name) == f"thrillsim_{name}"
        assert register(name) in pyspiel.registered_names()


@pytest.mark.parametrize("name", GAMES)
def test_random_sim_test(name: str) -> None:
    """OpenSpiel's conformance test: legal actions, chance, clones, serialisation, returns."""
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=2, serialize=False, verbose=False)
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("name", GAMES)
def test_the_universe_has_every_action_and_texts_say_what_views_say(name: str) -> None:
    game = pyspiel.load_game(name)
    rng = np.random.default_rng(1)
    for _ in range(3):
        state: Any = game.new_initial_state()
        moves = 0
        while not state.is_terminal():
            if state.is_chance_node():
                numbers, chances = zip(*state.chance_outcomes(), strict=True)
                assert sum(chances) == pytest.approx(1)
                state.apply_action(int(rng.choice(numbers, p=chances)))
            else:
                player = state.current_player()
                legal = state.legal_actions()
                texts = {state.action_to_string(player, number) for number in legal}
                assert len(texts) == len(legal)
                assert all(text.startswith(f"{who(player)}: ") for text in texts)
                assert (
                    state.observation_string(player) == state.information_state_string(player).split("\n")[-1]
                )
                state.apply_action(int(rng.choice(legal)))
            moves += 1
        assert moves <= game.max_game_length()
        assert sum(state.returns()) == pytest.approx(0)
        assert max(state.returns()) > 0


def test_others_see_nothing_of_a_secret_choice() -> None:
    """Skull's first discs are laid one after the other here, and still in secret."""
    game = pyspiel.load_game("thrillsim_skull")
    after = []
    for number in (0, 1):
        state = game.new_initial_state()
        first = state.current_player()
        state.apply_action(number)
        after.append([state.information_state_string(player) for player in range(3)])
    assert [one == other for one, other in zip(*after, strict=True)] == [
        player != first for player in range(3)
    ]


def test_what_cannot_be_wrapped() -> None:
    assert "thrill" in games.names()
    with pytest.raises(KeyError):
        register("thrill")
