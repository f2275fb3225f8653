"""What the trials are: independent of order, spread as asked, legal, and comparable between studies."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from tests.studies.fake import FakeEngine
from thrillsim.board import Board, Layout
from thrillsim.board.opening import opening
from thrillsim.physics import Push, PushResult
from thrillsim.physics.types import check_push
from thrillsim.physics.weight import weight_problem
from thrillsim.studies import Plan, Scenario, resolve
from thrillsim.studies.design import Design, Trial
from thrillsim.studies.scenario import NoiseSpec, PushSpec
from thrillsim.toml import decode


def design(text: str) -> Design:
    return Design(resolve(decode(text, Scenario, "test"), Path()), FakeEngine())


FIXED = "[opening]\nseed = 4\n"


def test_a_trial_is_the_same_whatever_was_drawn_before() -> None:
    text = "[opening]\nwarmup = 2\n[push]\nweight = 'random'\n[noise]\nx = 1.0\nyaw = 0.01"
    one, other = design(text), design(text)
    forward = [one.trial(k) for k in range(6)]
    backward = [other.trial(k) for k in reversed(range(6))][::-1]
    assert forward == backward
    assert len({t.layout for t in forward}) == 6


def test_every_trial_names_the_seed_of_its_opening() -> None:
    trial = design("seed = 9").trial(7)
    assert trial.layout == opening(trial.board, trial.layout_seed)


@dataclasses.dataclass(frozen=True)
class HalfWay(FakeEngine):
    """The pusher is stuck on the way of every push that would let a disk fall."""

    def run(self, board: Board, before: Layout, push: Push, **how: Any) -> PushResult:
        result = super().run(board, before, push, **how)
        return dataclasses.replace(result, advance=50.0) if result.fallen else result


def test_a_warm_up_push_that_gets_stuck_is_taken_back() -> None:
    plan = resolve(decode("[opening]\nwarmup = 1", Scenario, "test"), Path())
    pairs = [(Design(plan, FakeEngine()).trial(k), Design(plan, HalfWay()).trial(k)) for k in range(30)]
    whole = [len(free.layout) > len(opening(plan.board, free.layout_seed)) for free, _ in pairs]
    assert 3 < sum(whole) < 27  # in the others something fell
    for (free, stuck), nothing_fell in zip(pairs, whole, strict=True):
        assert stuck.layout == (free.layout if nothing_fell else opening(plan.board, free.layout_seed))


def test_uniform_placement_is_uniform_over_the_zone() -> None:
    trials = [design_.trial(k) for design_ in [design(FIXED)] for k in range(1500)]
    for kind, r in ((0, 21.0), (1, 16.0)):
        chosen = [t.push for t in trials if t.kind == kind]
        # two of the four disks in the reserve are of this size: half of the trials, standard deviation 19
        assert abs(len(chosen) - 750) < 60
        x, y = np.array([(p.x, p.y) for p in chosen]).T
        assert stats.kstest((x + 80 - r) / (80 - 2 * r), "uniform").pvalue > 0.01
        assert stats.kstest((y + 110 - r) / (220 - 2 * r), "uniform").pvalue > 0.01
        assert abs(np.corrcoef(x, y)[0, 1]) < 0.12


def test_uniform_placement_on_a_tapered_surface_stays_on_it() -> None:
    text = """
    [board.sliding]
    vertices = [[-138, -60], [-80, -60], [0, -110], [0, 110], [-80, 60], [-138, 60]]
    edges = "railed"
    [board.pusher]
    width = 110
    [push]
    disk = "small"
    """
    one = design(FIXED + text)
    trials = [one.trial(k) for k in range(1200)]
    for trial in trials[:40]:
        check_push(trial.board, trial.layout, trial.push)
    # Half width for the centre: 92.125 + 0.625 x over -69 < x < -11, so the mean is
    # -40 + 0.625 (58²/12) / 67.125 = -37.39; over the rectangle it would be -40.  Standard deviation 0.48.
    assert np.mean([t.push.x for t in trials]) == pytest.approx(-37.39, abs=1.4)


def test_lists_and_grids_are_taken_in_turn() -> None:
    places = "placement = 'points'\npoints = [[-30, 0], [-30, 40]]\n"
    one = design(FIXED + f"[push]\ndisk = ['big', 'small']\n{places}[noise]\nyaw = 0.01")
    got = [(t.kind, t.aim[1]) for t in (one.trial(k) for k in range(6))]
    assert got == [(0, 0), (2, 0), (0, 40), (2, 40), (0, 0), (2, 0)]


def test_random_weights_are_legal_and_spread_over_the_lids() -> None:
    one = design(FIXED + "[push]\nweight = 'random'")
    trials = [one.trial(k) for k in range(400)]
    layout, board = trials[0].layout, one.plan.board
    assert all(weight_problem(board, layout, t.push.weight) is None for t in trials if t.push.weight)
    # against an independent count: of many places over all lids, the share of the legal ones on big disks
    rng = np.random.default_rng(1)
    legal = []
    for _ in range(6000):
        disk = int(rng.choice(len(layout), p=layout.radii(board) ** 2 / np.sum(layout.radii(board) ** 2)))
        r, phi = float(layout.radii(board)[disk]) * rng.random() ** 0.5, 2 * np.pi * rng.random()
        place = dataclasses.replace(trials[0].push.weight, disk=disk, dx=r * np.cos(phi), dy=r * np.sin(phi))
        if weight_problem(board, layout, place) is None:
            legal.append(layout.kind[disk] == 0)
    share = np.mean([layout.kind[t.push.weight.disk] == 0 for t in trials])
    assert share == pytest.approx(np.mean(legal), abs=0.09)


def test_noise_has_the_spread_that_was_asked_for_and_moves_nothing_else() -> None:
    quiet = design(FIXED + "[push]\ndisk = 'small'\nx = -40\ny = 0")
    noisy = Design(
        _with(
            quiet.plan,
            noise=NoiseSpec(
                x=2.0, y=3.0, yaw=0.01, tilt=0.01, speed=0.2, friction_board=0.1, friction_rim=0.3
            ),
        ),
        FakeEngine(),
    )
    trials = [noisy.trial(k) for k in range(800)]
    draws = {
        "x": ([t.push.x + 40 for t in trials], 2.0),
        "y": ([t.push.y for t in trials], 3.0),
        "yaw": ([t.push.yaw for t in trials], 0.01),
        "tilt_x": ([t.push.tilt[0] for t in trials], 0.01),
        "tilt_y": ([t.push.tilt[1] for t in trials], 0.01),
        "speed": (np.log([t.push.speed / 20 for t in trials]), 0.2),
        "board": (np.log([t.board.friction.board / 0.3 for t in trials]), 0.1),
        "rim": (np.log([t.board.friction.rim / 0.25 for t in trials]), 0.3),
    }
    for name, (values, sd) in draws.items():
        # eight tests at once: 0.01 / 8
        assert stats.kstest(np.asarray(values) / sd, "norm").pvalue > 0.00125, name
    assert [t.aim for t in trials[:9]] == [quiet.trial(k).aim for k in range(9)]
    only_yaw = Design(_with(quiet.plan, noise=NoiseSpec(yaw=0.01)), FakeEngine())
    assert [only_yaw.trial(k).push.yaw for k in range(9)] == [t.push.yaw for t in trials[:9]]


def test_noise_never_makes_a_push_illegal() -> None:
    text = (
        FIXED
        + "[push]\ndisk = 'big'\n[noise]\nx = 60.0\ny = 60.0\nyaw = 1.0\ntilt = 1.0\nfriction_board = 0.5"
    )
    one = design(text)
    for k in range(60):
        trial = one.trial(k)
        check_push(trial.board, trial.layout, trial.push)


def _with(plan: Plan, **changes: object) -> Plan:
    import msgspec

    return msgspec.structs.replace(plan, **changes)


def test_studies_that_differ_in_one_respect_share_all_other_draws() -> None:
    base = design("")
    weighted = Design(_with(base.plan, push=PushSpec(weight="random")), FakeEngine())
    slippery = design("[board.friction]\nboard = 0.2")
    railed = design("[board.playing]\nopen_edges = 'front'")
    for k in range(4):
        wanted = base.trial(k)
        for other in (weighted, slippery, railed):
            trial = other.trial(k)
            assert (trial.layout, trial.aim, trial.kind) == (wanted.layout, wanted.aim, wanted.kind)


def _in_play(trial: Trial) -> np.ndarray:
    return np.bincount(trial.layout.kind, minlength=3)


def test_warm_ups_move_disks_between_board_and_reserve() -> None:
    played = design(FIXED + "warmup = 3\n")
    for k in range(5):
        trial = played.trial(k)
        assert trial.warmups == 3
        reserve = played.plan.reserve(trial.layout)
        assert np.array_equal(_in_play(trial) + reserve, [7, 10, 15])  # none is lost: THR-17
        assert reserve[trial.kind] > 0
    start = played.plan.start
    assert played.trial(0).layout != start


def test_warm_ups_end_before_the_reserve_is_empty() -> None:
    plan = design(FIXED + "warmup = 9\n").plan
    trial = Design(plan, _Nothing()).trial(0)
    # four disks beside the board, one must be left for the push that is studied
    assert trial.warmups == 3
    assert plan.reserve(trial.layout).sum() == 1


class _Nothing(FakeEngine):
    """Nothing ever falls."""

    def run(self, board, before, push, *, accuracy, trace):  # type: ignore[no-untyped-def]
        result = super().run(board, before, push, accuracy=accuracy, trace=trace)
        on_board = np.maximum(before.x, before.radii(board))
        return dataclasses.replace(result, fallen=(), layout=Layout(before.kind, on_board, before.y))
