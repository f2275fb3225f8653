"""Crowded pushes that need more than Newton's method: every one is solved, certified and without overlap.

Each group has its reason.  Without the lagged stages of the interior path nine of the ten pushes with strong
rim friction end in a cycle; if a disk driven back into the pusher goes unnoticed, the others overlap.
"""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.sets import stored
from tests.physics.quasistatic.scenes import any_push, slow, sound, with_rim
from thrillsim.board import Board, Layout
from thrillsim.board.opening import opening
from thrillsim.physics import Push


def crowded(rim: float, seed: int) -> tuple[Board, Layout, Push]:
    """A random push into a fresh opening: packing 0.71."""
    board = with_rim(rim)
    rng = np.random.default_rng([9, seed])
    return board, opening(board, rng), any_push(rng, board)


@pytest.mark.parametrize(
    ("rim", "seed"),
    [
        *((0.0, seed) for seed in (1, 16, 21, 31, 51, 101, 112)),  # disks driven back into the pusher
        *((0.5, seed) for seed in (1, 12, 20, 30, 49)),  # loops of contacts, where coupled friction cycles
        *((1.0, seed) for seed in (7, 12, 15, 24, 27)),
        *((1.0, seed) for seed in (109, 119)),  # loads that jump from one spread to another between solutions
    ],
)
def test_hard_pushes_are_solved(rim, seed):
    board, layout, one = crowded(rim, seed)
    result = slow(layout, one, board=board)
    assert sound(result), result.certificate
    assert result.advance == board.pusher.travel or result.jammed
    assert result.layout.overlap(board) <= 1e-6


@pytest.mark.parametrize("seed", [0, 36, 57])
def test_a_disk_wedged_between_pusher_and_rail_is_a_jam(seed):
    """Friction 1 on both: a loop of two contacts that carries any force without moving (mu_1 mu_2 >= 1)."""
    board, layout, one = crowded(1.0, seed)
    result = slow(layout, one, board=board)
    assert result.jammed
    assert result.advance < board.pusher.travel
    assert sound(result), result.certificate
    lower = with_rim(0.9)
    assert not slow(layout, one, board=lower).jammed


def test_a_disk_that_was_left_out_is_taken_in_when_it_is_reached():
    """Once a disk drove 0.01 mm into one at rest that was not among those that may move."""
    case = stored("crowded", 0.0, 24)[23]
    result = slow(case.layout, case.push, board=case.board)
    assert sound(result), result.certificate


@pytest.mark.soak
@pytest.mark.parametrize(("rim", "doubted"), [(0.0, 0), (0.1, 1), (0.25, 1), (0.5, 1), (1.0, 5)])
def test_few_crowded_pushes_are_doubted(rim, doubted):
    """Of 240 pushes over the whole width; a doubted one says so, and a study counts it."""
    results = [slow(layout, one, board=board) for board, layout, one in (crowded(rim, k) for k in range(240))]
    unsound = [result for result in results if not sound(result)]
    assert len(unsound) <= doubted
    for result in unsound:
        c = result.certificate
        assert c.unconverged > 0 or max(c.force, c.complementarity, c.power) < 1e-6
