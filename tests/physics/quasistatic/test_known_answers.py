"""K3 and K5 ... K10 for the quasi-static engine: cases with a known right answer."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from tests.physics.quasistatic.scenes import (
    BIG,
    BOARD,
    EMPTY,
    MEDIUM,
    SMALL,
    any_push,
    midgame,
    slow,
    sound,
    with_rim,
)
from thrillsim.board import DiskKind, Layout, Patch, Pusher, rectangular_board
from thrillsim.board.layout import support_margin_of
from thrillsim.board.opening import opening
from thrillsim.physics import ACCURACIES, Push, WeightOn
from thrillsim.physics.quasistatic.engine import TOLERANCE, Settings

TINY_STEPS = Settings(step=0.02, soft=1e-4, points=24)


# -- K3: frictionless rims --------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_without_rim_friction_no_disk_turns(seed):
    board = with_rim(0.0)
    layout = midgame(seed, 0.0) if seed % 2 else opening(board, seed)
    angles = np.linspace(-1.0, 1.0, len(layout))
    layout = Layout(layout.kind, layout.x, layout.y, angles)
    result = slow(layout, any_push(np.random.default_rng(seed)), board=board)
    assert sound(result)
    turned = np.abs(result.poses[:-1, 2] - angles)
    assert np.hypot(result.poses[:-1, 0] - layout.x, result.poses[:-1, 1] - layout.y).max() > 1.0
    assert turned.max() < 1e-9


# -- K5: a lone disk ----------------------------------------------------------------------------


@pytest.mark.parametrize("accuracy", ACCURACIES)
@pytest.mark.parametrize("y", [-89.0, -31.0, 0.0, 1e-3, 88.5])
def test_lone_disk_moves_straight_and_ends_with_its_rim_at_the_blocking_edge(accuracy, y):
    bystander = Layout([SMALL], [90.0], [-20.0], [0.3])
    result = slow(bystander, Push("big", -40.0, y, angle=0.7), accuracy=accuracy)
    assert result.poses[1] == pytest.approx([21.0, y, 0.7], abs=1e-9)
    assert result.poses[0].tolist() == [90.0, -20.0, 0.3]
    assert (result.advance, result.jammed, result.fallen) == (80.0, False, ())
    assert sound(result)


# -- K6: two disks, frictionless, off-centre ------------------------------------------------------


@pytest.mark.parametrize(("first", "second"), [(BIG, BIG), (BIG, SMALL), (SMALL, BIG)])
@pytest.mark.parametrize("lean", [0.05, 0.3, 0.8, 1.2])
def test_two_disks_without_friction_share_the_way_of_least_power(first, second, lean):
    """The pushed disk moves at (1, w), the other at (n . u) along the contact normal n.

    w minimises F1 sqrt(1 + w^2) + F2 |nx + ny w|.
    """
    board = with_rim(0.0)
    r1, r2 = float(board.radii[first]), float(board.radii[second])
    nx, ny = math.cos(lean), math.sin(lean)
    y1 = -5.0
    x1 = max(-r1 + 1.0, r2 + 0.5 - (r1 + r2) * nx)  # where they first touch; the pusher is behind both
    assert x1 < r1
    other = Layout([second], [x1 + (r1 + r2) * nx], [y1 + (r1 + r2) * ny])
    one = Push(first, -r1, y1)
    result = slow(other, one, board=board, settings=TINY_STEPS, trace=True)
    trace = result.trace
    assert trace is not None
    moves = np.diff(trace.poses, axis=0)
    ahead = np.diff(trace.advance)
    at = int(np.argmax(np.abs(moves[:, 1, 1]) > 1e-9))  # the pushed disk gives way: they touch
    mid = 0.5 * (trace.poses[at] + trace.poses[at + 1])
    n = (mid[0, :2] - mid[1, :2]) / np.linalg.norm(mid[0, :2] - mid[1, :2])
    u = moves[at, :, :2] / ahead[at]
    f1, f2 = float(board.masses[first]), float(board.masses[second])

    def power(w: float) -> float:
        return f1 * math.hypot(1.0, w) + f2 * abs(n[0] + n[1] * w)

    best = minimize_scalar(power, bounds=(-20, 20), method="bounded", options={"xatol": 1e-12})
    w = u[1, 1]
    assert u[1, 0] == pytest.approx(1.0, abs=1e-8)
    assert power(w) <= best.fun * (1 + 1e-9)
    assert w == pytest.approx(best.x, abs=2e-4 if abs(n @ u[1]) > 1e-6 else 1e-6)
    assert u[0] == pytest.approx((n @ u[1]) * n, abs=1e-8)


# -- K7: a straight row ---------------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 2, 3, 4])
@pytest.mark.parametrize("accuracy", ACCURACIES)
def test_straight_row_moves_as_one_and_pushes_back_with_all_its_friction(n, accuracy):
    kinds = [MEDIUM, SMALL, BIG, SMALL][: n - 1]
    x, at = [], 0.0
    for kind in kinds:
        r = float(BOARD.radii[kind])
        x.append(at + r)
        at += 2 * r
    board = rectangular_board(depth=220.0)
    result = slow(
        Layout(kinds, x, [3.0] * (n - 1)),
        Push("medium", -16.0, 3.0),
        board=board,
        accuracy=accuracy,
        trace=True,
    )
    moved = result.poses[:, 0] - result.before.x
    assert moved == pytest.approx([32.0] * n, abs=32.0 * TOLERANCE)  # a step is solved to that
    assert result.poses[:, 1] == pytest.approx([3.0] * n, abs=1e-9)
    mass = float(BOARD.masses[[*kinds, MEDIUM]].sum())
    trace = result.trace
    assert trace is not None
    pushed = trace.force[trace.advance > 80.0 - 32.0 + 1e-6]
    assert len(pushed) >= 1
    assert pushed == pytest.approx(BOARD.friction.board * mass * BOARD.gravity, rel=1e-8)
    assert sound(result)


# -- K8: the edge ---------------------------------------------------------------------------------


def column(last: float) -> Layout:
    """Medium disks on y = 0; pushed by a big one they form a row and the last centre ends at 122 mm."""
    return Layout([MEDIUM] * 3, [16.0, 50.0, last], [0.0] * 3)


@pytest.mark.parametrize("accuracy", ACCURACIES)
@pytest.mark.parametrize("short", [1e-5, 0.013, 0.5, 7.77])
def test_disk_falls_exactly_where_its_centre_of_mass_crosses_the_edge(accuracy, short):
    # all three meet at advance 74 at the latest, and the last is then moved one to one
    board = rectangular_board(depth=122.0 - short)
    result = slow(column(90.0), Push("big", -22.0, 0.0), board=board, accuracy=accuracy)
    (fall,) = result.fallen
    assert (fall.index, fall.kind, fall.cost, fall.during, fall.weighted) == (2, MEDIUM, 2, "push", False)
    assert fall.x == pytest.approx(122.0 - short, abs=2e-7)
    assert fall.x >= 122.0 - short - 1e-12  # never before
    assert fall.advance == pytest.approx(80.0 - short, abs=1e-6)
    assert (result.fell, len(result.layout)) == ((2,), 3)


@pytest.mark.parametrize("accuracy", ACCURACIES)
def test_disk_stays_as_long_as_its_centre_of_mass_is_over_the_board(accuracy):
    result = slow(
        column(90.0), Push("big", -22.0, 0.0), board=rectangular_board(depth=122.00001), accuracy=accuracy
    )
    assert result.fallen == ()
    assert result.poses[2, 0] == pytest.approx(122.0, abs=1e-6)


def test_a_fallen_disk_is_gone_at_once():
    board = rectangular_board(depth=60.0)
    result = slow(Layout([SMALL, SMALL], [11.0, 55.0], [0.0, 0.0]), Push("big", -22.0, 0.0), board=board)
    (fall,) = result.fallen
    assert (fall.index, result.poses[1, 0]) == (1, fall.x)
    assert fall.x == pytest.approx(60.0, abs=2e-7)
    assert result.poses[0, 0] == pytest.approx(53.0, abs=1e-6)  # 42 + 11, as if the other had never been


def test_what_a_layout_says_stands_does_so_until_it_is_moved():
    layout = Layout([MEDIUM], [122.5], [0.0])
    assert slow(layout, Push("small", -40.0, 0.0)).fallen == ()


@pytest.mark.parametrize(
    "patch", [Patch("disk", 15.0), Patch("annulus", 15.0, 9.0), Patch("ring", 10.0)], ids=lambda p: p.shape
)
def test_every_patch_shape_falls_at_the_edge(patch):
    board = rectangular_board(kinds=(DiskKind("one", 16.0, 1.6, patch=patch),), depth=75.0)
    result = slow(Layout([0, 0], [16.0, 60.0], [1.0, 0.0]), Push("one", -17.0, 0.0), board=board)
    (fall,) = result.fallen
    assert fall.index == 1
    assert fall.x == pytest.approx(75.0, abs=2e-7)
    assert sound(result)


# -- K9: the weight -------------------------------------------------------------------------------


def with_weight(dx: float, angle: float = 0.7):
    """A weighted big disk is pushed until it hangs 5 mm over the edge: 42 + 42 + 22 + 21 = 122 + 5."""
    layout = Layout([BIG, SMALL, BIG], [22.0, 60.0, 110.0], [0.0] * 3, [0.0, 0.0, angle])
    return slow(layout, Push("big", -22.0, 0.0, weight=WeightOn(2, dx, 0.0)))


def test_weight_holds_a_disk_over_the_edge_and_lifting_it_drops_the_disk():
    # M s = 29.6 * 8 > (m + M) delta = 32.12 * 5
    result = with_weight(-8.0)
    (fall,) = result.fallen
    assert (fall.index, fall.during, fall.weighted, fall.cost) == (2, "lift", False, 3)
    assert fall.x == pytest.approx(127.0, abs=1e-6)
    assert result.cost == 3


@pytest.mark.parametrize("dx", [-5.0, -3.0, 0.0, 2.0])
def test_weighted_disk_falls_where_the_common_centre_crosses_and_costs_double(dx):
    # 32.12 delta = 29.6 |dx| on a straight way
    result = with_weight(dx)
    (fall,) = result.fallen
    assert (fall.index, fall.during, fall.weighted, fall.cost) == (2, "push", True, 6)
    assert fall.x - 29.6 / 32.12 * -dx * math.cos(result.poses[2, 2] - 0.7) == pytest.approx(122.0, abs=3e-7)


@pytest.mark.parametrize("margin", [0.01, -0.01])
def test_counterbalance_is_decided_by_the_lever_rule(margin):
    """(m + M) delta = M s: with the board's edge a hair further the disk stays, a hair nearer it falls."""
    held = 29.6 / 32.12 * 5.0
    board = rectangular_board(depth=127.0 - held + margin)
    layout = Layout([BIG, SMALL, BIG], [22.0, 60.0, 110.0], [0.0] * 3)
    result = slow(layout, Push("big", -22.0, 0.0, weight=WeightOn(2, -5.0, 0.0)), board=board)
    (fall,) = result.fallen
    assert fall.during == ("lift" if margin > 0 else "push")


def test_lifting_the_weight_off_a_supported_disk_drops_nothing():
    result = slow(Layout([MEDIUM], [60.0], [0.0]), Push("small", -40.0, 0.0, weight=WeightOn(0, 4.0, 3.0)))
    assert (result.fallen, len(result.layout)) == ((), 2)


# -- K10: a corner --------------------------------------------------------------------------------


def test_ring_at_a_corner_loses_its_support_with_its_centre_over_the_board():
    assert support_margin_of(BOARD, MEDIUM, 121.0, 109.0) < 0  # 1 mm inside on both sides
    assert support_margin_of(BOARD, MEDIUM, 121.0, 0.0) == pytest.approx(1.0)
    board = rectangular_board(depth=58.0)
    result = slow(Layout([MEDIUM], [35.0], [104.0]), Push("big", -22.0, 88.0), board=board)
    (fall,) = result.fallen
    assert fall.x < 57.0
    assert fall.y < 109.0
    assert support_margin_of(board, MEDIUM, fall.x, fall.y) == pytest.approx(0.0, abs=1e-6)


# -- the pusher -----------------------------------------------------------------------------------


def test_yawed_pusher_stops_when_its_leading_corner_is_at_the_blocking_edge():
    result = slow(EMPTY, Push("small", -60.0, 0.0, yaw=0.05))
    reach = 109.0 * math.sin(0.05)
    assert result.advance == pytest.approx(80.0 - reach, abs=1e-9)
    x, y, _ = result.poses[0]
    assert (x + reach) * math.cos(0.05) + y * math.sin(0.05) == pytest.approx(11.0, abs=1e-6)


def test_profiled_front_centres_a_disk():
    pusher = Pusher(front=((0.0, -109.0), (-20.0, 0.0), (0.0, 109.0)))
    result = slow(EMPTY, Push("small", -20.0, 5.0), board=rectangular_board(pusher=pusher))
    x, y, _ = result.poses[0]
    slope = math.atan2(20.0, 109.0)
    assert (x + 20.0) * math.cos(slope) - abs(y) * math.sin(slope) == pytest.approx(11.0, abs=1e-6)
    assert 0 <= y <= 5.0


@pytest.mark.parametrize("accuracy", ACCURACIES)
def test_jam_is_an_answer(accuracy):
    board = rectangular_board(open_edges="sides")  # a rail at the front: 122 mm for 4 x 32 mm
    result = slow(
        Layout([MEDIUM] * 3, [16.0, 48.0, 80.0], [0.0] * 3),
        Push("medium", -17.0, 0.0),
        board=board,
        accuracy=accuracy,
    )
    assert result.jammed
    assert result.advance == pytest.approx(80.0 - 6.0, abs=1e-3)  # never further, and no earlier than this
    assert result.advance <= 80.0 - 6.0 + 1e-6
    assert result.poses[[3, 0, 1, 2], 0] == pytest.approx([10.0, 42.0, 74.0, 106.0], abs=1e-3)
    assert result.layout.overlap(board) <= 1e-6
    assert (result.fallen, result.certificate.unconverged) == ((), 0)
