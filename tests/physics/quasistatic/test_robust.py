"""Crowded pushes that need more than Newton's method: every one is solved, certified and without overlap.

Each group has its reason: with strong rim friction the plain interior path ends in a cycle and one of the
other ways is needed; if a disk driven back into the pusher goes unnoticed, the others overlap.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from benchmarks.sets import grown, stored
from tests.physics.quasistatic.scenes import any_push, called, slow, sound, with_rim
from thrillsim.board import Board, Layout
from thrillsim.board.opening import opening
from thrillsim.physics import Push
from thrillsim.physics.quasistatic import kernel, state


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
        # by what solved the hardest of their steps when this was written
        *((1.0, seed) for seed in (12, 13, 15, 128, 274)),  # drag
        *((1.0, seed) for seed in (24, 27, 163)),  # strong drag
        *((1.0, seed) for seed in (7, 120)),  # lagged friction
        *((1.0, seed) for seed in (61, 343)),  # patience
        *((1.0, seed) for seed in (185, 354)),  # nothing but a shorter step
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
@pytest.mark.parametrize(
    ("pusher", "rail", "jams"),
    [(1.0, 1.0, True), (1.05, 1.05, True), (0.95, 0.95, False), (1.4, 0.9, False), (0.9, 1.4, False)],
)
def test_a_disk_between_pusher_and_rail_jams_if_both_friction_angles_reach_45_degrees(
    seed, pusher, rail, jams
):
    """The line through both contacts is at 45 degrees to both normals: in both cones, or one slips."""
    board, layout, one = crowded(1.0, seed)
    board = replace(board, friction=replace(board.friction, pusher=pusher, rail=rail))
    result = slow(layout, one, board=board)
    assert sound(result), result.certificate
    assert result.jammed == jams
    assert (result.advance < board.pusher.travel) == jams


wedged = called(kernel.wedged)


@pytest.mark.parametrize("wall", [60.0, 90.0, 120.0, 180.0])
@pytest.mark.parametrize(
    ("pusher_mu", "wall_mu"), [(0.0, 0.0), (0.4, 0.4), (0.7, 0.7), (1.1, 1.1), (3.0, 0.5)]
)
def test_a_wedge_is_a_line_in_both_friction_cones(wall, pusher_mu, wall_mu):
    """Normals apart by `wall` degrees: the chord is at half of what is left to 180 to each of them."""
    C, CI = np.zeros((2, state.CONTACT_FLOATS)), np.zeros((2, state.CONTACT_INTS), np.int64)
    CI[:, state.A], CI[:, state.ORDER] = (state.WALL, state.PUSHER), (0, 1)
    turn = math.radians(wall)
    C[:, state.NORMAL], C[:, state.NORMAL + 1] = (math.cos(turn), 1.0), (math.sin(turn), 0.0)
    C[:, state.MU] = wall_mu, pusher_mu
    needed = math.radians((180.0 - wall) / 2)
    caught = needed <= min(math.atan(pusher_mu), math.atan(wall_mu))
    assert wedged(C, CI, 2) == caught
    CI[0, state.B] = 1  # two disks, one contact each
    assert not wedged(C, CI, 2)


def test_a_disk_that_was_left_out_is_taken_in_when_it_is_reached():
    """Once a disk drove 0.01 mm into one at rest that was not among those that may move."""
    case = stored("crowded", 0.0, 24)[23]
    result = slow(case.layout, case.push, board=case.board)
    assert sound(result), result.certificate


def test_rounding_does_not_come_back_in_every_iteration():
    """Among 224 disks: solved for the forces, not their changes, they leave rates of 1e-7."""
    case = grown(8, 11)
    assert len(case.layout) > 200
    result = slow(case.layout, case.push, board=case.board)
    assert sound(result), result.certificate


@pytest.mark.soak
@pytest.mark.parametrize(("rim", "doubted"), [(0.0, 0), (0.1, 0), (0.25, 0), (0.5, 0), (1.0, 1)])
def test_few_crowded_pushes_are_doubted(rim, doubted):
    """Of 240 pushes over the whole width; a doubted one says so, and a study counts it."""
    results = [slow(layout, one, board=board) for board, layout, one in (crowded(rim, k) for k in range(240))]
    unsound = [result for result in results if not sound(result)]
    assert len(unsound) <= doubted
    for result in unsound:
        c = result.certificate
        assert c.unconverged > 0 or max(c.force, c.complementarity, c.power) < 1e-6
