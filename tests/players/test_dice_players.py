"""Players of Shake It! and Thinkaboxin: better ones win more, and snakes keep room to go on."""

from __future__ import annotations

from typing import Any

import pytest
from scipy.stats import binomtest

from thrillsim import games
from thrillsim.games.options import parse_options
from thrillsim.games.thinkaboxin import Board, Options, Snakes
from thrillsim.games.thinkaboxin.board import square_number
from thrillsim.play.table import play
from thrillsim.players import make, snakepath


def wins(game: str, options: list[str], one: str, other: str, number: int) -> int:
    """How many of so many games of two `one` wins, the seats taken in turn; the same every time."""
    rules: Any = games.get(game)
    chosen = parse_options(rules, options)
    won = 0
    for seed in range(number):
        names = (one, other) if seed % 2 == 0 else (other, one)
        won += play(rules, chosen, [make(name, game) for name in names], seed).winners == (seed % 2,)
    return won


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("shakeit", []),
        ("shakeit", ["extension=true"]),
        *(
            ("thinkaboxin", [f"mode={mode}"])
            for mode in ("nuggets", "goldrush", "sheriff", "last_man", "rattlesnakes")
        ),
    ],
)
def test_heuristic_beats_random(game: str, options: list[str]) -> None:
    assert binomtest(wins(game, options, "heuristic", "random", 20), 20, 0.5, "greater").pvalue < 0.01


@pytest.mark.parametrize(
    ("game", "options", "number"),
    [("shakeit", [], 60), ("shakeit", ["extension=true"], 60), ("thinkaboxin", ["mode=last_man"], 200)],
)
def test_bayes_beats_heuristic(game: str, options: list[str], number: int) -> None:
    assert binomtest(wins(game, options, "bayes", "heuristic", number), number, 0.5, "greater").pvalue < 0.01


def book(*snakes: str) -> Snakes:
    own = tuple(tuple(map(square_number, text.split())) for text in snakes)
    return Snakes(parts=own, heads=tuple(parts[-1] for parts in own), dives=((),) * len(own))


def test_a_snake_does_not_crawl_into_a_dead_end() -> None:
    """Left of the head are seven squares, shut off by an opponent; right of it are more than it needs."""
    options = Options(mode="rattlesnakes", board=Board(("H.....H", ".......", ".......", ".......")))
    snakes = book("g1 f1 e1 d1 c1 c2", "c4 c3 a1")
    for depth in (1, 3):
        score = snakepath.outlook(options, snakes, 0, depth)
        assert score(square_number("b2"))[0] == score(square_number("d2"))[0] == depth
        assert score(square_number("b2"))[1] <= 7 - depth
        assert score(square_number("d2")) > score(square_number("b2"))


def test_looking_ahead_counts_the_parts_that_fit() -> None:
    """In one row three more parts fit to the left of g1, two to its right."""
    options = Options(mode="rattlesnakes", board=Board(("H.#...H..",)))
    snakes = book("g1", "a1")
    score = snakepath.outlook(options, snakes, 0, 3)
    assert [score(square_number(name))[0] for name in ("f1", "h1")] == [3, 2]
    assert snakepath.distance(snakes)(square_number("d1")) == (3.0,)
