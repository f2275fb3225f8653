"""THR-22: turning the board.  Friction against the pseudo-forces, and their signs against a frame at rest."""

from __future__ import annotations

import math

import numpy as np
import pytest

from thrillsim.board import Friction, Layout, default_board, rectangular_board
from thrillsim.board.opening import opening
from thrillsim.errors import InputError
from thrillsim.physics.turning import TurnProfile, turn

BOARD = default_board()
MU_G = BOARD.friction.board * BOARD.gravity
SMALL = 2
PIVOT_X = -8.0  # the middle of the board: x from -138 to 122


def moved(result) -> float:
    return float(np.hypot(*(result.poses[:, :2] - np.c_[result.before.x, result.before.y]).T).max())


def test_profile_is_a_trapezoid_that_turns_by_its_angle():
    for profile in (
        TurnProfile(2.0, 1.0, 0.5),
        TurnProfile(-0.1, 3.0, 0.4),
    ):  # the second never gets to its rate
        times = np.linspace(0, profile.duration, 20001)
        rates = np.array([profile.at(t)[0] for t in times])
        assert np.trapezoid(rates, times) == pytest.approx(profile.angle, abs=1e-6)
        assert np.abs(rates).max() == pytest.approx(abs(profile.peak))
    assert abs(TurnProfile(-0.1, 3.0, 0.4).peak) == pytest.approx(math.sqrt(0.1 * 7.5))
    assert TurnProfile(0.0, 1.0, 1.0).duration == 0.0


def test_careful_turn_drops_nothing_and_moves_nothing():
    layout = opening(BOARD, 4)
    result = turn(BOARD, layout, TurnProfile(math.pi, rate=1.0, ramp=1.0))
    assert result.fallen == ()
    assert result.layout == layout
    assert result.cost == 0


@pytest.mark.parametrize("sign", [1, -1])
def test_sliding_begins_where_alpha_r_passes_mu_g(sign):
    r = 100.0 - PIVOT_X
    layout = Layout([SMALL], [100.0], [0.0])

    def far(part: float) -> float:
        alpha = part * MU_G / r
        return moved(turn(BOARD, layout, TurnProfile(sign * 0.02, rate=0.02 * alpha, ramp=0.02)))

    # the disk's own spin takes a little of the friction: ((r_disk/2)/r)²/2 = 0.1 % of it
    assert far(0.97) < 1e-6
    assert far(1.03) > 1e-4  # it slides back as the board slows down, but not by quite as much


def test_sliding_begins_where_omega_squared_r_passes_mu_g():
    r = math.hypot(60.0 - PIVOT_X, 80.0)
    layout = Layout([SMALL], [60.0], [80.0])

    def result(part: float):
        rate = math.sqrt(part * MU_G / r)
        return turn(BOARD, layout, TurnProfile(3.0 * rate + 4.0, rate=rate, ramp=3.0))

    assert moved(result(0.97)) < 1e-6
    over = result(1.03)
    assert moved(over) > 1e-2
    x, y = over.poses[0, 0] - PIVOT_X, over.poses[0, 1]
    assert math.hypot(x, y) > r  # outwards


def test_wild_turn_throws_disks_off_and_names_the_price():
    layout = opening(BOARD, 4)
    result = turn(BOARD, layout, TurnProfile(math.pi, rate=12.0, ramp=0.2), accuracy="draft")
    assert len(result.fallen) > 3
    assert result.cost == sum(BOARD.kinds[layout.kind[i]].price for i in result.fell)
    assert len(result.layout) == len(layout) - len(result.fell)
    assert [f.time for f in result.fallen] == sorted(f.time for f in result.fallen)
    assert result.layout.overlap(BOARD) < 1e-6
    assert result.to_dict()["cost"] == result.cost


def test_without_friction_a_disk_stays_where_it_was_in_the_room():
    # Euler, centrifugal and Coriolis force together must give rest in the frame that does not turn.
    board = rectangular_board(depth=400.0, width=600.0, friction=Friction(board=1e-7))
    layout = Layout([SMALL], [200.0], [60.0])
    angle = 0.6
    result = turn(board, layout, TurnProfile(angle, rate=2.0, ramp=0.1, pivot=(10.0, -20.0)), accuracy="fine")
    # once the board has stopped, the disk is at rest on it
    start = np.array([190.0, 80.0])
    c, s = math.cos(angle), math.sin(angle)
    right = np.array([c * start[0] + s * start[1], -s * start[0] + c * start[1]]) + np.array([10.0, -20.0])
    assert result.poses[0, :2] == pytest.approx(right, abs=0.5)
    assert result.poses[0, 2] == pytest.approx(-angle, abs=1e-3)


def test_disk_is_dragged_along_by_the_full_friction():
    # So far from the pivot that the board moves straight, at 3 mu g for T, then at -3 mu g for T.  The disk
    # gains mu g: the board gets 1.5 mu g T² ahead until their speeds meet at 1.5 T; then the disk gains 0.75.
    T, far = 0.05, 1e5
    rate = 3 * MU_G * T / far
    layout = Layout([SMALL], [60.0], [50.0])
    profile = TurnProfile(rate * T, rate=rate, ramp=T, pivot=(60.0 - far, 50.0))
    result = turn(BOARD, layout, profile, accuracy="fine")
    assert result.poses[0, :2] == pytest.approx([60.0, 50.0 - 0.75 * MU_G * T**2], abs=0.1)


@pytest.mark.parametrize(
    ("kwargs", "says"),
    [
        ({"angle": math.nan, "rate": 1.0, "ramp": 1.0}, "finite"),
        ({"angle": 1.0, "rate": 0.0, "ramp": 1.0}, "turn.rate: must be > 0"),
        ({"angle": 1.0, "rate": 1.0, "ramp": -1.0}, "turn.ramp: must be 0.01 to 1000 s"),
    ],
)
def test_impossible_profiles_are_refused(kwargs, says):
    with pytest.raises(InputError, match=says):
        TurnProfile(**kwargs)


def test_unknown_accuracy_is_refused():
    with pytest.raises(InputError, match="draft, standard, fine"):
        turn(BOARD, Layout([], [], []), TurnProfile(1.0, 1.0, 1.0), accuracy="best")
