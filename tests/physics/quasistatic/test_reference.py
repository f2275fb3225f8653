"""Ten pushes with reference answers (tests/data/reference_pushes.json), by the quasi-static engine.

The fell sets must be those of the file.  Its positions carry an artefact of the dynamic simulation that made
them: the friction of each contact point is turned by the anisotropy of its effective mass.  Both our engines,
which share neither code nor method, differ from it alike (case 4 by 0.385 mm in the mean) and from each other
far less.  So the positions are held against the file within its own error, and against the rigid engine at a
low speed tightly.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.physics.quasistatic.scenes import slow, sound
from thrillsim.board import Layout, reference_board
from thrillsim.physics import Push, push

DATA = json.loads((Path(__file__).parents[2] / "data" / "reference_pushes.json").read_text())
BOARD = reference_board()
NAMES = {20.0: "big", 15.0: "medium", 11.0: "small"}


def case_of(case) -> tuple[Layout, Push]:
    layout = Layout.from_rows(BOARD, [[NAMES[r], x, y] for x, y, r in case["layout"]])
    return layout, Push("medium", case["x0"], case["y0"], speed=2.5)


def apart(result, fell, poses):
    stay = [i for i in range(len(result.before)) if i not in (*result.fell, *fell)]
    return np.hypot(*(result.poses[stay, :2] - np.asarray(poses)[stay, :2]).T)


@pytest.mark.parametrize("accuracy", ["standard", "fine"])  # case 3 is a near tie, too near for draft
def test_ten_reference_pushes(accuracy):
    means = []
    for case in DATA["cases"]:
        result = slow(*case_of(case), board=BOARD, accuracy=accuracy)
        right = case["ring_2r_over_3"]
        assert sound(result), case["id"]
        assert list(result.fell) == right["fell"], case["id"]
        assert (result.advance, result.jammed) == (80.0, False)
        means.append(apart(result, right["fell"], right["final"]).mean())
    assert len(means) == 10
    assert np.median(means) <= 0.1  # the file's own error
    assert max(means) <= 0.45


@pytest.mark.parametrize("number", [0, 9])
def test_reference_pushes_against_the_rigid_engine(number):
    layout, one = case_of(DATA["cases"][number])
    right = push(BOARD, layout, one, engine="rigid")
    result = slow(layout, one, board=BOARD)
    assert result.fell == right.fell
    assert apart(result, right.fell, right.poses).mean() < 0.05


@pytest.mark.soak
def test_all_reference_pushes_against_the_fine_rigid_engine():
    means = []
    for case in DATA["cases"]:
        layout, one = case_of(case)
        right = push(BOARD, layout, one, engine="rigid", accuracy="fine")
        result = slow(layout, one, board=BOARD, accuracy="fine")
        assert result.fell == right.fell, case["id"]
        means.append(apart(result, right.fell, right.poses).mean())
    assert np.median(means) < 0.01, means
    assert sorted(means)[-2] < 0.03, means
    assert max(means) < 0.15, means
