"""K13 and K14: the rigid engine converges to this one as its speed goes down, and this one with its step."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.physics.quasistatic.scenes import BOARD, midgame_case, scattered, slow, sound
from thrillsim.board import Layout
from thrillsim.physics import Push, push
from thrillsim.physics.quasistatic.engine import Settings

STEPS = (4.0, 2.0, 1.0, 0.5)
FINEST = Settings(step=0.0625, soft=1e-4, points=48)
#: disks that meet smoothly: no wedge, no jam, nothing at an edge, so nothing can bifurcate
SMOOTH = [
    (Layout([0], [50.0], [6.0]), Push("big", -22.0, 0.0)),
    (Layout([1, 2], [30.0, 63.0], [5.0, -3.0]), Push("big", -25.0, 0.0)),
    (Layout([0, 1, 2], [25.0, 60.0, 60.0], [4.0, 20.0, -14.0]), Push("medium", -20.0, -2.0)),
    (Layout([2, 2, 1], [15.0, 40.0, 70.0], [3.0, 8.0, 2.0]), Push("big", -22.0, -1.0)),
]


def errors(case, steps) -> list[float]:
    layout, one = case
    right = slow(layout, one, settings=FINEST)
    found = []
    for step in steps:
        result = slow(layout, one, settings=replace(FINEST, step=step))
        assert sound(result)
        assert result.fell == right.fell
        found.append(float(np.hypot(*(result.poses[:, :2] - right.poses[:, :2]).T).max()))
    return found


def test_final_positions_converge_at_second_order_in_the_step():
    """Geometric mean over smooth pushes: every halving of the step divides the error by about 4."""
    table = np.array([errors(case, STEPS) for case in SMOOTH])
    mean = np.exp(np.log(table).mean(axis=0))
    order = np.log2(mean[0] / mean[-1]) / (len(STEPS) - 1)
    assert 1.7 < order < 2.8, table
    assert mean[2] < 0.005, table  # mm, at the standard step


@pytest.mark.soak
def test_step_error_of_midgame_pushes():
    """Crowded pushes with their events: fell sets and positions of each named accuracy against a fine one."""
    table = {}
    for accuracy in ("draft", "standard", "fine"):
        means, worst, same = [], [], 0
        for seed in range(40):
            layout, one = midgame_case(seed)
            right = slow(layout, one, settings=FINEST)
            result = slow(layout, one, accuracy=accuracy)
            same += result.fell == right.fell
            stay = [i for i in range(len(result.before)) if i not in (*result.fell, *right.fell)]
            apart = np.hypot(*(result.poses[stay, :2] - right.poses[stay, :2]).T)
            means.append(apart.mean())
            worst.append(apart.max())
        table[accuracy] = (same, np.median(means), np.median(worst), np.quantile(worst, 0.9))
    print(table)
    assert table["standard"][0] >= 38, table
    assert table["standard"][1] < 0.02, table
    assert table["fine"][1] <= table["standard"][1] <= table["draft"][1], table


def test_rigid_engine_comes_closer_as_its_speed_goes_down():
    cases = [(scattered(k), Push("big", -22.0, -50.0 + 40.0 * k)) for k in range(3)]
    limit = [slow(*case, accuracy="fine") for case in cases]

    def apart(speed: float) -> float:
        found = []
        for (layout, one), right in zip(cases, limit, strict=True):
            result = push(BOARD, layout, replace(one, speed=speed), engine="rigid")
            assert result.fell == right.fell
            stay = [i for i in range(len(result.before)) if i not in right.fell]
            found.append(np.hypot(*(result.poses[stay, :2] - right.poses[stay, :2]).T).mean())
        return float(np.mean(found))

    fast, middle, low = apart(40.0), apart(10.0), apart(2.5)
    assert low <= middle < fast
    assert low < 0.03
    assert fast > 3 * low
