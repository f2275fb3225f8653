"""Crowded pushes that need more than Newton's method: every one is solved, certified and without overlap.

Each group has its reason.  Without the lagged stages of the interior path nine of the ten pushes with strong
rim friction end in a cycle; if a disk driven back into the pusher goes unnoticed, the others overlap.
"""

from __future__ import annotations

import numpy as np
import pytest

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
    ],
)
def test_hard_pushes_are_solved(rim, seed):
    board, layout, one = crowded(rim, seed)
    result = slow(layout, one, board=board)
    assert sound(result), result.certificate
    assert result.advance == board.pusher.travel or result.jammed
    assert result.layout.overlap(board) <= 1e-6


@pytest.mark.soak
@pytest.mark.parametrize(("rim", "doubted"), [(0.0, 0), (0.1, 4), (0.25, 2), (0.5, 2), (1.0, 16)])
def test_few_crowded_pushes_are_doubted(rim, doubted):
    """Of 240 pushes over the whole width; a doubted one says so, and a study counts it."""
    results = [slow(layout, one, board=board) for board, layout, one in (crowded(rim, k) for k in range(240))]
    unsound = [result for result in results if not sound(result)]
    assert len(unsound) <= doubted
    for result in unsound:
        c = result.certificate
        assert c.unconverged > 0 or max(c.force, c.complementarity, c.power) < 1e-6
