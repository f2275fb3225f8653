"""Thrill's physical side in a real engine: what the rules leave to chance."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from thrillsim.board import default_board, opening
from thrillsim.board.layout import support_margin_of
from thrillsim.errors import InputError
from thrillsim.games.thrill import (
    ALL_DISKS,
    KIND_OF,
    Arrange,
    Lifting,
    Options,
    Place,
    Pushed,
    Pushing,
    Table,
    Thrill,
    TurnBoard,
    Turning,
)
from thrillsim.games.thrill.rows import layout_of
from thrillsim.physics import Push, push
from thrillsim.play.record import encode, header, replay
from thrillsim.play.table import play
from thrillsim.play.worlds import RECORDED, PhysicalWorld, TableWorld, world_by_name
from thrillsim.players.random import Random

WORLD = PhysicalWorld("rigid", "draft")
STARTERS = tuple(d for d in ALL_DISKS if d not in (0, 1, 7, 8))
RNG = np.random.default_rng(3)


def test_opening_leaves_the_sliding_surface_free() -> None:
    """THR-03, THR-04: 28 disks, none reaches behind the blocking edge."""
    arranged = WORLD(Arrange(STARTERS), np.random.default_rng(1))
    assert sorted(row[0] for row in arranged.layout) == list(STARTERS)
    assert min(x - WORLD.board.radii[KIND_OF[disk]] for disk, x, _, _ in arranged.layout) >= 0
    assert layout_of(arranged.layout).overlap(WORLD.board) == 0


def test_the_pusher_goes_from_the_pins_to_the_blocking_edge_and_no_further() -> None:
    """THR-02, THR-15, THR-A24: the whole travel, forwards only, although disks fall on the way."""
    board = default_board()
    layout = opening(board, 1)
    result = push(board, layout, Push("medium", -30.0, 60.0), accuracy="draft", trace=True)
    assert result.fallen
    assert not result.jammed
    assert result.advance == board.pusher.travel == -board.zone[0]
    assert min(fall.advance for fall in result.fallen) < board.pusher.travel
    assert result.trace is not None
    assert (np.diff(result.trace.advance) >= 0).all()
    assert result.trace.advance.max() <= board.pusher.travel + 1e-9
    assert (result.layout.x - result.layout.radii(board)).min() >= -1e-3


def test_what_counts_as_fallen() -> None:
    """THR-A20: a disk that hangs over the edge stays while the board carries it, and not a moment longer."""
    board = default_board()
    edge = 122.0
    assert support_margin_of(board, 0, edge - 0.1, 0.0) >= 0
    assert support_margin_of(board, 0, edge + 0.1, 0.0) < 0
    rows = ((2, edge - 0.1, 0.0, 0.0),)
    after = WORLD(Pushing(17, Place(-15.0, 90.0), (2,), rows), RNG)  # far from it
    assert after.fallen == ()
    assert {row[0] for row in after.layout} == {2, 17}


def test_the_new_disk_pushes_the_others() -> None:
    """THR-16: the outcome names disks, and the layout holds the others where they came to rest."""
    rows = ((2, 100.0, 0.0, 0.0), (3, 57.0, 0.0, 0.0), (17, 20.0, -80.0, 0.0))
    after = WORLD(Pushing(0, Place(-25.0, 0.0), (2, 3, 17), rows), RNG)
    # 0 comes to x = 21, pushes 3 to 63 or more and 2 to 105 or more: nothing falls.
    assert after.fallen == ()
    assert [row[0] for row in after.layout] == [2, 3, 17, 0]
    xs = {row[0]: row[1] for row in after.layout}
    assert xs[0] == pytest.approx(21.0, abs=0.3)
    assert xs[3] == pytest.approx(63.0, abs=0.5)
    assert xs[17] == 20.0
    rows = ((2, 119.0, 0.0, 0.0), (3, 76.5, 0.0, 0.0), (17, 20.0, -80.0, 0.0), (4, 34.2, 0.0, 0.0))
    after = WORLD(Pushing(0, Place(-25.0, 0.0), (2, 3, 17, 4), rows), RNG)
    assert after.fallen == (2,)
    assert {row[0] for row in after.layout} == {3, 17, 4, 0}


def test_the_lift_drops_a_disk_that_only_the_weight_held() -> None:
    """THR-28, THR-A21: its own centre is outside, the weight's place inside held it."""
    outside, inside = ((2, 122.5, 0.0, 0.0),), ((2, 121.5, 0.0, 0.0),)
    place = Place(-15.0, 90.0, weight=2, dx=-11.0)
    held = WORLD(Pushing(17, place, (2,), outside), RNG)
    assert held.fallen == held.placing == ()
    lifted = WORLD(Lifting(place, held.layout), RNG)
    assert lifted.fell
    assert {row[0] for row in lifted.layout} == {17}
    stays = WORLD(Lifting(place, inside), RNG)
    assert not stays.fell
    assert stays.layout == inside


def test_a_disk_that_tips_under_the_weight() -> None:
    """THR-A17: it falls while the weight is put down, then the push goes on without it."""
    rows = ((2, 121.0, 0.0, 0.0),)
    after = WORLD(Pushing(17, Place(-15.0, 90.0, weight=2, dx=11.0), (2,), rows), RNG)
    assert after.placing == (2,)
    assert after.fallen == ()
    assert {row[0] for row in after.layout} == {17}


def test_a_stuck_quick_engine_is_replaced_by_the_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    """THR-15: a push is always carried through."""
    from thrillsim import physics

    asked: list[str] = []
    real = physics.push
    jam: set[str] = set()
    unsure: set[str] = set()

    def stuck(*given: Any, engine: str, **more: Any) -> Any:
        asked.append(engine)
        result = real(*given, engine="rigid", **more)
        doubt = replace(result.certificate, unconverged=int(engine in unsure))
        return replace(result, jammed=engine in jam, certificate=doubt)

    monkeypatch.setattr(physics, "push", stuck)
    request = Pushing(17, Place(-15.0, 0.0), (2,), ((2, 100.0, 0.0, 0.0),))
    quick = PhysicalWorld("quasistatic", "draft")
    for jam, unsure in (({"quasistatic"}, set()), (set(), {"quasistatic"})):  # noqa: B007 - `stuck` reads them
        asked.clear()
        assert quick(request, RNG) == WORLD(request, RNG)
        assert asked == ["quasistatic", "rigid", "rigid"]
    jam = {"quasistatic", "rigid"}
    with pytest.raises(InputError, match="no engine carries this push through"):
        quick(request, RNG)


def test_turning_the_board() -> None:
    """THR-22: a careful turn drops nothing and moves nothing; a brisk one may."""
    arranged = WORLD(Arrange(STARTERS), np.random.default_rng(1))
    careful = WORLD(Turning(TurnBoard(1), STARTERS, arranged.layout), RNG)
    assert careful.fallen == ()
    assert careful.layout == arranged.layout
    rows = ((2, 100.0, 0.0, 0.0), (17, 121.0, 105.0, 0.0))
    brisk = WORLD(Turning(TurnBoard(2, "brisk"), (2, 17), rows), RNG)
    assert brisk.fallen == (17,)  # far out: 16 rad/s² and 16 rad²/s² times 160 mm are more than 0.3 g
    assert [row[0] for row in brisk.layout] == [2]


def test_a_whole_game_is_the_same_again_and_replays() -> None:
    game, options = Thrill(), Options(variant=True, rotation=True)
    once, twice = (play(game, options, [Random(), Random()], 2, WORLD) for _ in range(2))
    raw = encode(header(game, options, ["random"] * 2, 2, WORLD.name), game, once)
    assert raw == encode(header(game, options, ["random"] * 2, 2, WORLD.name), game, twice)
    assert replay(raw.splitlines()).state == once.state
    assert once.winners


def test_worlds_by_name() -> None:
    assert world_by_name(WORLD.name) == WORLD
    assert world_by_name("table") == TableWorld()
    assert WORLD.table == Table(zone=(-80.0, 0.0, -109.0, 109.0))
    for name, message in {
        "dream": "world: must be table or engine/accuracy/board",
        "rigid/standard/reference": "board: needs the disks of Thrill, 7 big at 3 chips, 10 medium",
        "rigid/rough/default": 'accuracy: must be one of draft, standard, fine, got "rough"',
        "magic/draft/default": "engine: must be one of",
    }.items():
        with pytest.raises(InputError, match=message.replace("(", r"\(")):
            world_by_name(name)


def test_the_table_of_recorded_pushes() -> None:
    """Sixteen rows; mean cost and share of clean pushes as a density study of the board gives them."""
    cost = [3 * big + 2 * medium + small for big, medium, small in RECORDED]
    assert len(RECORDED) == 16
    assert sum(c == 0 for c in cost) / 16 == pytest.approx(0.4, abs=0.05)
    assert sum(cost) / 16 == pytest.approx(1.8, abs=0.2)
    world, rng = TableWorld(under_weight=1.0), np.random.default_rng(0)
    for _ in range(50):
        outcome = world(Pushing(0, Place(-40.0, 0.0, 2), (2, 20), ()), rng)
        assert isinstance(outcome, Pushed)
        assert outcome.under_weight
        assert outcome.fallen[-1] == 2
        assert set(outcome.fallen) <= {0, 2, 20}
