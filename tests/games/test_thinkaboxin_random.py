"""Thousands of random games of every mode: conservation, winners, an end, and no seat sees too much."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from msgspec.structs import replace

from tests.games import golden
from tests.games.machine import machine
from tests.games.thinkaboxin_script import GAME
from thrillsim.games.protocol import CHANCE, OVER, Act, Chance, Event, pick, sample
from thrillsim.games.thinkaboxin import MODES, Duels, Options, Purse, Scores, Snakes, State
from thrillsim.games.thinkaboxin.goldrush import SETS
from thrillsim.games.thinkaboxin.snakes import PARTS, board
from thrillsim.games.thinkaboxin.types import DICE
from thrillsim.play.record import encode, header, replay
from thrillsim.play.table import play
from thrillsim.players.protocol import make
from thrillsim.players.random import Random

#: Every option away from its default at least once.
VARIANTS: tuple[dict[str, Any], ...] = (
    {},
    {"donkey_prob": 0.1},
    {"raise_rule": "lexicographic", "first_player": 1, "adjacency": 8},
    {"donkey_prob": 0.05, "donkey_at": "turn", "pit_model": "passage", "own_removal": "any"},
    {"pit_reuse": "once", "must_place": True, "opp_removal": "any_part", "freed_squares_reusable": False},
    {"max_sets": 4},
)


# --- what holds in every state ------------------------------------------------------------


def check_state(state: State, before: State | None = None) -> None:
    """Everything that changed: dice of a set, cups and bids of a round, what the mode keeps."""
    n = state.seats.n
    held = state.dice.each("die")
    if before is None or state.dice is not before.dice:
        each = (
            SETS[min(state.number, 10) - 1] if state.options.mode == "goldrush" and not state.race else DICE
        )
        assert [held[s] + held[n + s] for s in range(n)] == [
            each if s in state.table else 0 for s in range(n)
        ]
        assert any(held[:n])
    if state.phase == "bid":
        assert state.bidding.turn in state.bidding.seats
    fresh = before is None or state.cups is not before.cups
    if fresh and state.phase in ("bid", "donkey", "stake"):
        assert [len(cup.hidden) for cup in state.cups] == list(held[:n])
        assert state.starter in state.active
        assert state.active == state.bidding.seats.living
        assert len(state.bidding.order.bids()) == 6 * sum(held[:n])
    if before is None or state.book is not before.book:
        check_book(state)


def check_book(state: State) -> None:
    n = state.seats.n
    match state.book:
        case Purse(nuggets):
            assert nuggets.total("nugget") == 10 * n
        case Scores(points):
            assert all(0 <= had <= 30 for had in points)
        case Duels(league, _, playoffs):
            assert len(league) <= n * (n - 1) // 2
            assert len(playoffs) <= n - 1
            assert all(max(d.won) == 4 and 4 <= sum(d.won) <= 7 for d in (*league, *playoffs))
        case Snakes():
            check_snakes(state, state.book)


def check_snakes(state: State, book: Snakes) -> None:
    marks = board(state.options).marks
    taken = [square for own in book.parts for square in own]
    assert len(taken) == len(set(taken))
    for own, head, dives in zip(book.parts, book.heads, book.dives, strict=True):
        assert len(own) <= PARTS
        assert (head in own) if own else head == -1
        assert sum(marks[square] == "H" for square in own) <= 1
        assert all(marks[square] in ".OH" for square in own)
        assert all(entered != left for _, entered, left in dives)
        assert {square for square, _, _ in dives} <= set(own)
    assert not set(book.dead) & set(taken)


# --- what holds from one state to the next --------------------------------------------------


def check_step(before: State, event: Event | None, after: State) -> None:
    check_state(after, before)
    if isinstance(event, Act):
        assert GAME.turn(before).seats == (event.seat,)
    if after.round > before.round and after.number == before.number:
        left = sum(before.dice.each("die")[: before.seats.n]) - sum(after.dice.each("die")[: after.seats.n])
        wrong = [s for s in before.active if after.lost[s] == before.round]
        assert wrong
        assert left == len(before.active) - len(wrong)
        assert after.starter in wrong
        if not before.options.donkey_prob:
            assert left == len(before.active) - 1
    if isinstance(before.book, Snakes) and isinstance(after.book, Snakes) and before.book is not after.book:
        sizes = [len(b) - len(a) for a, b in zip(before.book.parts, after.book.parts, strict=True)]
        assert sorted(map(abs, sizes))[:-1] == [0] * (len(sizes) - 1)
        assert abs(sum(sizes)) <= 1
    on_table = before.phase in ("bid", "donkey")
    over = after.number > before.number or after.phase in ("way", "place", "over")
    if on_table and over and not before.race:
        winners = [s for s in before.active if before.cup(s) == 1 and after.lost[s] < before.round]
        assert winners
        assert len(winners) == 1 or len(before.table) > 2


def check_end(state: State) -> None:
    assert GAME.turn(state) == OVER
    places = GAME.places(state)
    winners = GAME.winners(state)
    assert winners
    assert winners == tuple(s for s, place in enumerate(places) if place == 1)
    assert all(place == 1 + sum(other < place for other in places) for place in places)
    if state.number < state.options.max_sets or state.options.mode in ("goldrush", "sheriff", "last_man"):
        assert len(winners) == 1
    match state.book:
        case Purse(nuggets) if len(state.seats) == 1:
            assert nuggets.held(winners[0], "nugget") == 10 * state.seats.n
        case Duels(league, ranking):
            n = state.seats.n
            assert len(league) == (n * (n - 1) // 2 if n > 2 else 0)
            assert sorted(ranking) == list(range(n))
        case Snakes(finished=done) if done:
            assert set(winners) <= set(done)


# --- games ------------------------------------------------------------------------------


def random_steps(options: Options, players: int, seed: int) -> Iterator[tuple[State, Event, State]]:
    """A random game, quicker than the table: without views, and legal by construction."""
    rng = np.random.default_rng(seed)
    state = GAME.initial(options, players)
    while (turn := GAME.turn(state)) != OVER:
        event: Event
        if turn == CHANCE:
            event = Chance(sample(GAME.chance(state), rng))
            after = GAME.settle(state, event.outcome)
        else:
            event = Act(turn.seats[0], pick(GAME.legal(state, turn.seats[0]), rng))
            after = GAME.step(state, event.seat, event.action)
        yield state, event, after
        state = after


def most_rounds(state: State) -> int:
    """How many rounds this set can have: each takes a die out, without Donkeys and races n - 1 of them."""
    n = len(state.table)
    dice = sum(state.dice.each("die"))
    if state.race or state.options.donkey_prob:
        return dice
    return (dice - n) // (n - 1) + 1


def check_game(mode: str, number: int) -> None:
    options = Options(mode=mode, **VARIANTS[number % len(VARIANTS)])  # type: ignore[arg-type]
    state: State | None = None
    rounds = 1
    for before, event, after in random_steps(options, 2 + number // len(VARIANTS) % 5, number):
        check_step(before, event, after)
        rounds = 1 if after.number > before.number else rounds + after.round - before.round
        assert rounds <= most_rounds(after)
        state = after
    assert state is not None
    check_end(state)


@pytest.mark.parametrize("mode", MODES)
def test_random_games_conserve_and_end(mode: str) -> None:
    """THK-A47: they end; hundreds of games of each mode, with every option and number of players.

    A set has a bounded number of rounds, a round of bids; three of the modes have a fixed number of sets,
    Nuggets and Rattlesnakes at most `max_sets` and a race.
    """
    for number in range(120 if mode == "rattlesnakes" else 300):
        check_game(mode, number)


@pytest.mark.soak
@pytest.mark.parametrize("block", range(20))
@pytest.mark.parametrize("mode", MODES)
def test_a_hundred_thousand_random_games(mode: str, block: int) -> None:
    for number in range(5000 * block, 5000 * (block + 1)):
        check_game(mode, number)


@pytest.mark.parametrize("mode", MODES)
def test_random_games_record_and_replay(mode: str) -> None:
    for number in range(6):
        options = Options(mode=mode, **VARIANTS[number])  # type: ignore[arg-type]
        played = play(GAME, options, [Random() for _ in range(2 + number % 5)], number)
        for step in played.steps:
            check_step(step.before, step.event, step.after)
        raw = encode(header(GAME, options, ["random"] * played.players, number), GAME, played)
        again = replay(raw.splitlines())
        assert again.steps == played.steps
        assert again.state == played.state


@pytest.mark.parametrize("name", ["heuristic", "bayes"])
@pytest.mark.parametrize("mode", MODES)
def test_games_of_thinking_players_keep_the_rules_too(name: str, mode: str) -> None:
    for number in range(2):
        options = Options(mode=mode, **VARIANTS[number])  # type: ignore[arg-type]
        played = play(GAME, options, [make(name, "thinkaboxin") for _ in range(2 + number)], number)
        for step in played.steps:
            check_step(step.before, step.event, step.after)
        check_end(played.state)


def test_no_leak() -> None:
    """THK-05: other faces under the cups of others change nothing that a seat sees or may do."""
    rng = np.random.default_rng(3)
    compared = 0
    for number, mode in enumerate(MODES):
        for before, _, _ in random_steps(Options(mode=mode, donkey_prob=0.1), 2 + number, number):  # type: ignore[arg-type]
            for seat in range(before.seats.n):
                other = _hidden_changed(before, seat, rng)
                compared += other != before
                assert GAME.view(other, seat) == GAME.view(before, seat)
                assert GAME.turn(other) == GAME.turn(before)
                assert GAME.legal(other, seat) == GAME.legal(before, seat)
    assert compared > 1000


def _hidden_changed(state: State, seat: int, rng: np.random.Generator) -> State:
    cups = [
        cup if s == seat else cup.roll(int(f) for f in rng.integers(1, 7, len(cup.hidden)))
        for s, cup in enumerate(state.cups)
    ]
    return replace(state, cups=tuple(cups))


@pytest.mark.parametrize("mode", MODES)
def test_labels_are_unique_and_views_have_words(mode: str) -> None:
    for number in range(3):
        for before, event, after in random_steps(Options(mode=mode), 3, number):  # type: ignore[arg-type]
            if isinstance(event, Act):
                legal = GAME.legal(before, event.seat)
                assert isinstance(legal, tuple)
                assert len(set(map(GAME.label, legal))) == len(legal) == len(set(legal))
                text = GAME.show(GAME.view(before, event.seat))
                assert "Your turn" in text
                assert f"round {before.round}" in text
                assert len(GAME.tell_legal(legal)) < 700
            assert GAME.tell(before, event, after) or isinstance(event, Chance)


TestMachine = machine(
    GAME,
    st.tuples(
        st.builds(
            lambda mode, variant: Options(mode=mode, **variant),
            st.sampled_from(sorted(MODES)),
            st.sampled_from(VARIANTS),
        ),
        st.integers(2, 6),
    ),
    lambda before, after: check_step(before, None, after),
)


@pytest.mark.parametrize("mode", MODES)
def test_playthrough(mode: str) -> None:
    players = [make(name, "thinkaboxin") for name in ("bayes", "heuristic", "heuristic")]
    donkey = 0.05 if mode == "last_man" else 0.0
    options = Options(mode=mode, donkey_prob=donkey)  # type: ignore[arg-type]
    golden.check(f"thinkaboxin_{mode}", golden.playthrough(GAME, options, players, 4))
