"""Thrill's players: what they infer, what they solve, how they decide."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import pytest

from thrillsim.board import opening
from thrillsim.errors import InputError
from thrillsim.games.protocol import Act
from thrillsim.games.thrill import (
    Announce,
    Arranged,
    Bid,
    Options,
    Place,
    Pushed,
    Show,
    State,
    Thrill,
    View,
    Wager,
)
from thrillsim.games.thrill.rows import rows_of
from thrillsim.play.table import play
from thrillsim.play.worlds import PhysicalWorld, TableWorld
from thrillsim.players import make, names
from thrillsim.players.random import Random
from thrillsim.players.thrill import auction
from thrillsim.players.thrill.auction import Auction
from thrillsim.players.thrill.forecast import Forecast, Tried
from thrillsim.players.thrill.inference import chips, past_bids, past_costs, tie_order
from thrillsim.players.thrill.lanes import crowding, lanes, placed
from thrillsim.players.thrill.planner import Planner

GAME = Thrill()
RNG = np.random.default_rng(0)
WORLD = PhysicalWorld(accuracy="draft")
USUAL = (0.4, 0.2, 0.15, 0.15, 0.1)


# --- inference -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options", [{}, {"variant": True}, {"variant": True, "cash_in": "immediate", "rotation": True}]
)
def test_an_attentive_player_counts_everybodys_chips_exactly(options: dict[str, Any]) -> None:
    """THR-21: the counts are secret, but everything that changes them was seen."""
    compared = 0
    for seed in range(25):
        players: list[Any] = [make("cautious", "thrill"), *[Random() for _ in range(2 + seed % 3)]]
        for step in play(GAME, Options(**options), players, seed, TableWorld(in_turning=0.5)).steps:
            state = step.after
            if state.pending:
                continue
            for seat in state.seats.living:
                true = tuple(
                    state.stakes.held(s, "big") if s in state.seats else 0 for s in range(state.seats.n)
                )
                assert chips(GAME.view(state, seat)) == true
                compared += 1
    assert compared > 500


def test_tie_order_and_history() -> None:
    """THR-11: the first of the tie order pushes when all bid the same."""
    for seed in range(20):
        players = [Random() for _ in range(4)]
        for step in play(GAME, Options(), players, seed, TableWorld()).steps:
            if step.after.pusher is not None and step.before.pusher is None:
                view = GAME.view(step.after, step.after.seats.living[0])
                lowest = [s for s in tie_order(view) if view.bids[s] == min(b for b in view.bids if b >= 0)]
                assert lowest[0] == step.after.pusher
                assert tie_order(view)[-1] == view.boss
        last = GAME.view(step.before, step.before.seats.living[0])
        assert len(past_costs(last)) == len(last.history)
        for seat in last.living:
            assert len(past_bids(last, seat)) == len(last.history)


# --- the sealed bid as a game ----------------------------------------------------------------


def test_linear_programming_solves_games_with_known_answers() -> None:
    rock = np.array([[0.0, -1, 1], [1, 0, -1], [-1, 1, 0]])
    mixed, value = auction.solve_matrix(rock)
    assert mixed == pytest.approx([1 / 3] * 3, abs=1e-9)
    assert value == pytest.approx(0, abs=1e-9)
    mixed, value = auction.solve_matrix(np.array([[2.0, -1], [-1, 1]]))  # (d - c) / (a - b - c + d) = 2/5
    assert mixed == pytest.approx([0.4, 0.6], abs=1e-9)
    assert value == pytest.approx(0.2, abs=1e-9)


@pytest.mark.parametrize("held", [(10, 10), (3, 7), (7, 3), (1, 1), (0, 4)])
def test_a_duel_is_solved_exactly(held: tuple[int, int]) -> None:
    """No pure bid beats either side's mixed bid, and both sides agree on the value."""
    duel = Auction(held, (USUAL, USUAL))
    table = auction.duel_matrix(duel)
    first, second = auction.solve(duel)
    value = first @ table @ second
    assert (table @ second).max() == pytest.approx(value, abs=1e-8)
    assert (first @ table).min() == pytest.approx(value, abs=1e-8)


def test_duels_with_an_obvious_answer() -> None:
    """A deadly push: the richer outbids the other; the Boss wins ties, so equal chips are enough for him."""
    deadly = ((*[0.0] * 30, 1.0),) * 2
    for held, winner in (((4, 3), 0), ((4, 4), 1), ((3, 4), 1)):
        duel = Auction(held, deadly)
        first, second = auction.solve(duel)
        value = first @ auction.duel_matrix(duel) @ second
        assert value == pytest.approx(1 - winner, abs=1e-8)
    harmless = Auction((5, 5), ((1.0,),) * 2)
    for mixed in auction.solve(harmless):
        assert mixed[0] == pytest.approx(1, abs=1e-8)  # nothing to fear: nobody pays


@pytest.mark.parametrize("held", [(10, 10, 10), (6, 2, 9, 4), (1, 0, 3, 3, 2, 8), (0, 0, 0)])
def test_fictitious_play_leaves_little_to_gain(held: tuple[int, ...]) -> None:
    game = Auction(held, (USUAL,) * len(held))
    mixed = auction.solve(game)
    for i, own in enumerate(mixed):
        assert own.shape == (held[i] + 1,)
        assert own.sum() == pytest.approx(1)
        assert own.min() >= 0
        assert auction.regret(game, mixed, i) < 0.012
    flat = [np.full(h + 1, 1 / (h + 1)) for h in held]
    if max(held) > 0:
        assert max(auction.regret(game, flat, i) for i in range(len(held))) > 0.02


def test_who_pushes_is_exact() -> None:
    """With a push that costs nothing or everything, a bid's value is the chance not to push."""
    deadly = (*[0.0] * 30, 1.0)
    game = Auction((2, 2, 2), (deadly, (1.0,), (1.0,)))
    others = [np.array([0.0]), np.array([0.5, 0.5, 0.0]), np.array([0.2, 0.3, 0.5])]
    value = auction.payoffs(game, 0, others)
    # First in the tie order: he pushes with bid b if both others bid at least b.
    push = np.array([1.0, 0.5 * 0.8, 0.0])
    assert value[0] == pytest.approx(0, abs=1e-12)
    rest = 1.5 / value[2] - 1.5  # without a chip his strength is 1.5, with one 2.5
    assert value[1] == pytest.approx((1 - push[1]) * 2.5 / (2.5 + rest), rel=1e-9)


# --- lanes and forecasts ---------------------------------------------------------------------


def opened(options: Options | None = None, players: int = 2, seed: int = 1) -> State:
    state = GAME.initial(options or Options(), players)
    layout = opening(WORLD.board, seed)
    numbers = [d for kind in range(3) for d in state.on_board if (d > 6) + (d > 16) == kind]
    return GAME.resolve(state, Arranged(rows_of(numbers, layout), WORLD.table))


def test_lanes_prefer_room() -> None:
    view = GAME.view(GAME.initial(Options(), 2), 0)
    rows = ((2, 21.0, 60.0, 0.0), (3, 21.0, 10.0, 0.0), (17, 100.0, -60.0, 0.0))
    view = msgspec.structs.replace(view, layout=rows, table=WORLD.table)
    assert crowding(view, 0, 60.0) == 42.0  # exactly on top of a big one
    assert crowding(view, 0, -60.0) == 0.0  # the small one lies behind
    assert crowding(view, 0, 39.0) == pytest.approx(21.0 + 13.0)
    best = lanes(view, 0, 3)
    assert len(best) == 3
    assert all(crowding(view, 0, y) == 0 for y in best)
    assert min(abs(a - b) for i, a in enumerate(best) for b in best[:i]) >= 10.5
    assert placed(view, 0, best[0]).x == -22.0


def test_a_forecast_is_what_the_world_does() -> None:
    """Same engine, same accuracy: the planner's trial and the real push agree, the weight included."""
    state = opened(Options(variant=True))
    state = GAME.act(state, 0, Show(0))
    for seat in (0, 1):
        state = GAME.act(state, seat, Bid(0))
    state = GAME.act(state, 1, Announce(True))
    for seat in (0, 1):
        state = GAME.act(state, seat, Wager())
    view = GAME.view(state, 1)
    forecast = Forecast("rigid")
    place = Place(-22.0, 30.0, weight=view.layout[3][0])
    tried = forecast.push(view, 0, place)
    assert tried is not None
    assert forecast.push(view, 0, place) is tried
    after = GAME.act(state, 1, place)
    outcome = WORLD(GAME.chance(after), RNG)
    assert isinstance(outcome, Pushed)
    after = GAME.resolve(after, outcome)
    fallen = list(outcome.fallen)
    if after.phase == "lift":
        lifted = WORLD(GAME.chance(after), RNG)
        fallen += [place.weight] if lifted.fell else []
        after = GAME.resolve(after, lifted)
    assert list(tried.fallen) == fallen
    assert after.history[-1].cost == tried.cost


class FakeForecast(Forecast):
    """Costs by lane, without an engine."""

    def __init__(self, costs: Any) -> None:
        super().__init__("rigid")
        self.costs = costs

    def push(self, view: View, disk: int, place: Place) -> Any:
        cost = self.costs(disk, place)
        return None if cost is None else Tried(place, cost, (view.layout[0][0],) if cost else ())


def planner(costs: Any) -> Planner:
    made = Planner("rigid")
    made.forecast = FakeForecast(costs)
    return made


def test_the_planner_places_where_it_costs_least() -> None:
    state = opened()
    state = GAME.act(state, 0, Show(0))
    for seat in (0, 1):
        state = GAME.act(state, seat, Bid(0))
    view = GAME.view(state, 1)
    ys = lanes(view, 0, 6)
    made = planner(lambda disk, place: 0 if place.y == ys[4] else 3)
    assert made.act(view, GAME.legal(state, 1), RNG).y == ys[4]


def test_the_planner_bids_more_when_the_push_is_dear() -> None:
    state = GAME.act(opened(), 0, Show(0))
    for seat in (0, 1):
        view, legal = GAME.view(state, seat), GAME.legal(state, seat)
        assert planner(lambda disk, place: 0).act(view, legal, RNG) == Bid(0)
        assert planner(lambda disk, place: 3).act(view, legal, RNG).chips > 0


def test_the_planner_uses_the_weight_only_where_it_pays() -> None:
    state = opened(Options(variant=True))
    state = GAME.act(state, 0, Show(0))
    for seat in (0, 1):
        state = GAME.act(state, seat, Bid(0))
    view, legal = GAME.view(state, 1), GAME.legal(state, 1)
    helps = planner(lambda disk, place: 0 if place.weight is not None else 3)
    assert helps.act(view, legal, RNG) == Announce(True)
    assert planner(lambda disk, place: 3).act(view, legal, RNG) == Announce(False)
    assert planner(lambda disk, place: 0).act(view, legal, RNG) == Announce(False)
    nowhere = planner(lambda disk, place: None if place.weight is not None else 3)
    assert nowhere.act(view, legal, RNG) == Announce(False)
    state = GAME.act(state, 1, Announce(True))
    assert helps.act(GAME.view(state, 1), GAME.legal(state, 1), RNG) == Wager(stay=1)
    for seat in (0, 1):
        state = GAME.act(state, seat, Wager())
    place = helps.act(GAME.view(state, 1), GAME.legal(state, 1), RNG)
    assert place in GAME.legal(state, 1)
    assert place.weight is not None


# --- all of them -----------------------------------------------------------------------------


def test_every_player_plays_every_mode_legally() -> None:
    """Without physics, so that only the decisions count."""
    assert names("thrill") == ("random", "cautious", "equilibrium", "planner")
    modes = ({"variant": True, "cash_in": "manual", "rotation": True}, {"max_rounds": 9})
    for seed, options in enumerate(modes):
        players = [make(name, "thrill") for name in names("thrill")]
        played = play(GAME, Options(**options), players, seed, TableWorld())
        assert GAME.turn(played.state).kind == "over"
        assert {s.event.seat for s in played.steps if isinstance(s.event, Act)} == {0, 1, 2, 3}


def test_arguments_of_players() -> None:
    made = make("planner@rigid", "thrill")
    assert isinstance(made, Planner)
    assert made.forecast.engine == "rigid"
    with pytest.raises(InputError, match='random takes no argument, got "x"'):
        make("random@x", "thrill")
    with pytest.raises(InputError, match='no player "nobody"'):
        make("nobody", "thrill")
