"""The linear pressure law against closed forms, and its convergence in the number of points."""

from __future__ import annotations

import math

import numba
import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq

from thrillsim.board import Patch, default_board, support
from thrillsim.physics import pressure
from thrillsim.physics.pressure import pressure_points

BOARD = default_board()
DEPTH = 122.0
MIDDLE = (60.0, 0.0)


def spin_coefficient(points, shares, d, radius) -> float:
    """c_p of physics: torque of pure spin about the load point, per (mu W R)."""
    return float(shares @ np.hypot(points[:, 0] - d[0], points[:, 1] - d[1])) / radius


@pytest.mark.parametrize("d", [0.0, 1.0, 3.0, 5.0])
def test_whole_ring_has_the_cosine_law(d):
    points, shares = pressure_points(BOARD, Patch("ring", 10.0), *MIDDLE, (d, 0.0), n=24)
    angle = np.arctan2(points[:, 1], points[:, 0])
    np.testing.assert_allclose(shares, (1 + 2 * d * np.cos(angle) / 10.0) / 24, atol=1e-12)


@pytest.mark.parametrize(("d", "x0"), [(0.35, -0.661), (0.5, -0.234)])
def test_solid_disk_lifts_off_along_the_chord_of_the_closed_form(d, x0):
    points, shares = pressure_points(BOARD, Patch("disk", 10.0), *MIDDLE, (10 * d, 0.0), n=120)
    carried = shares > 0
    # the chord lies between the last point that carries nothing and the first that does
    assert points[~carried, 0].max() / 10 == pytest.approx(x0, abs=0.03)
    assert points[carried, 0].min() / 10 == pytest.approx(x0, abs=0.03)

    def first_moment(x: float) -> float:
        theta = math.acos(x)
        s, c = math.sin(theta), math.cos(theta)
        A0, A1, A2 = theta - s * c, 2 / 3 * s**3, (theta - s * c + 2 * s**3 * c) / 4
        return (A2 - x * A1) / (A1 - x * A0)

    exact = brentq(lambda x: first_moment(x) - d, -0.99, 0.5)
    assert exact == pytest.approx(x0, abs=1e-3)

    def chord_mean(x: float) -> float:  # of p |s - d| over the chord at x, per kappa
        half = math.sqrt(1 - x * x)
        return quad(lambda y: (x - exact) * math.hypot(x - d, y), -half, half, points=[0.0])[0]

    theta = math.acos(exact)
    A0, A1 = theta - math.sin(theta) * exact, 2 / 3 * math.sin(theta) ** 3
    right = quad(chord_mean, exact, 1.0, points=[d])[0] / (A1 - exact * A0)
    assert spin_coefficient(points, shares, (10 * d, 0.0), 10.0) == pytest.approx(right, abs=2e-4)


def test_solid_disk_without_lift_off_has_the_plane_of_the_closed_form():
    d, R = 2.0, 10.0
    points, shares = pressure_points(BOARD, Patch("disk", R), *MIDDLE, (0.0, d), n=40)
    free, uniform = pressure_points(BOARD, Patch("disk", R), *MIDDLE, n=40)
    np.testing.assert_array_equal(points, free)
    np.testing.assert_allclose(shares / uniform, 1 + 4 * d * points[:, 1] / R**2, atol=1e-10)


@pytest.mark.parametrize(
    ("d", "c_p"),
    [(0, 0.667), (0.1, 0.658), (0.2, 0.634), (0.25, 0.616), (0.35, 0.575), (0.5, 0.503), (0.7, 0.387)],
)
def test_spin_coefficient_of_an_off_centre_load(d, c_p):
    points, shares = pressure_points(
        BOARD, Patch("disk", 1.0), *MIDDLE, (d * math.cos(2), d * math.sin(2)), n=80
    )
    assert spin_coefficient(points, shares, (d * math.cos(2), d * math.sin(2)), 1.0) == pytest.approx(
        c_p, abs=6e-4
    )


@pytest.mark.parametrize(("h", "c_p"), [(1, 0.667), (0.75, 0.643), (0.5, 0.595), (0.3, 0.545), (0.1, 0.508)])
def test_spin_coefficient_of_an_overhanging_disk(h, c_p):
    points, shares = pressure_points(BOARD, Patch("disk", 10.0), DEPTH - 10 * h, 0.0, n=80)
    assert points[:, 0].max() <= 10 * h
    assert spin_coefficient(points, shares, (0.0, 0.0), 10.0) == pytest.approx(c_p, abs=6e-4)


PLACES = [  # x, y, load: overhang, corner, off-centre, all at once
    (DEPTH - 6.0, 0.0, (0.0, 0.0)),
    (DEPTH - 1.0, 30.0, (0.0, 0.0)),
    (DEPTH - 9.0, 105.0, (0.0, 0.0)),
    (DEPTH - 8.0, 103.0, (0.0, 0.0)),
    (DEPTH - 2.0, 20.0, (-4.0, 3.0)),
    (DEPTH + 1.0, 20.0, (-4.0, 3.0)),
    (50.0, -110.5, (0.5, 2.0)),
]


@pytest.mark.parametrize("patch", [Patch("ring", 10.0), Patch("disk", 10.0), Patch("annulus", 10.0, 7.0)])
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("n", [12, 37])
def test_force_and_moment_balance_and_every_point_lies_on_the_board(patch, place, n):
    x, y, load = place
    points, shares = pressure_points(BOARD, patch, x, y, load, n=n)
    assert shares.sum() == pytest.approx(1, abs=1e-12)
    assert (shares >= 0).all()
    np.testing.assert_allclose(shares @ points, load, atol=1e-8)
    assert all(support.inside(BOARD.outline, x + p, y + q) for p, q in points)
    if patch.shape == "ring":
        assert len(points) == n  # an engine that hangs one joint on each can rely on it


def ring_by_arc_integrals(h: float) -> tuple[float, float]:
    """Mass and zero x0 of p = (x - x0)+ on the arc x <= h of a unit ring whose load is at its centre.

    The arc's own centroid lies behind the centre, so the pressure rises towards the edge.
    """

    def moment(x0: float, power: int) -> float:
        high = math.pi if x0 <= -1 else math.acos(x0)
        return quad(lambda t: (math.cos(t) - x0) * math.cos(t) ** power, math.acos(h), high)[0]

    x0 = brentq(lambda x: moment(x, 1) / moment(x, 0), -60.0, h - 1e-6)
    return moment(x0, 0), x0


@pytest.mark.parametrize("h", [0.8, 0.5, 0.2])
def test_overhanging_ring_has_the_pressure_of_the_arc_integrals_and_converges(h):
    mass, x0 = ring_by_arc_integrals(h)

    def error(n: int) -> float:
        # second moment along the edge: not fixed by the balance, so it measures the distribution itself
        points, shares = pressure_points(BOARD, Patch("ring", 1.0), DEPTH - h, 0.0, n=n)
        return abs(float(shares @ points[:, 0] ** 2) - right)

    high = math.pi if x0 <= -1 else math.acos(x0)
    right = quad(lambda t: (math.cos(t) - x0) * math.cos(t) ** 2, math.acos(h), high)[0] / mass
    errors = [error(n) for n in (8, 16, 32, 64)]
    assert errors[-1] < 2e-4
    assert errors[-1] < errors[0] / 8
    assert error(16) < 6e-3


def test_load_at_the_brink_still_gives_a_distribution_at_the_ends_of_the_arc():
    points, shares = pressure_points(BOARD, Patch("ring", 10.0), DEPTH - 1e-6, 0.0, n=16)
    assert shares.sum() == pytest.approx(1)
    assert abs(shares @ points[:, 0]) < 0.05
    np.testing.assert_allclose(np.abs(shares @ points[:, 1]), 0, atol=1e-6)
    assert float(shares @ np.abs(points[:, 1])) > 9.9


def test_mirrored_place_has_mirrored_shares():
    p, s = pressure_points(BOARD, Patch("ring", 10.0), DEPTH - 6.0, 103.0, (-2.0, -1.0), n=16)
    q, t = pressure_points(BOARD, Patch("ring", 10.0), DEPTH - 6.0, -103.0, (-2.0, 1.0), n=16)
    order = np.lexsort((p[:, 1], p[:, 0])), np.lexsort((-q[:, 1], q[:, 0]))
    np.testing.assert_allclose(p[order[0]], q[order[1]] * [1, -1], atol=1e-12)
    np.testing.assert_allclose(s[order[0]], t[order[1]], atol=1e-9)


def test_compiled_and_plain_give_the_same():
    balance = numba.njit(pressure.balance_shares)
    angle = np.linspace(0, math.pi, 9)
    points = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    plain, compiled = np.empty(9), np.empty(9)
    left = pressure.balance_shares(points, np.ones(9), 9, 0.1, 0.4, plain)
    assert balance(points, np.ones(9), 9, 0.1, 0.4, compiled) == pytest.approx(left, abs=1e-12)
    np.testing.assert_allclose(compiled, plain, atol=1e-12)


@pytest.mark.parametrize("beyond", [0.1, 1e-3, 1e-6])
def test_a_load_beyond_all_points_stands_on_the_nearest_and_the_imbalance_says_how_far_off(beyond):
    end = math.acos(beyond)
    angle = np.linspace(-end, end, 24)
    points = 8.0 * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    shares = np.empty(24)
    left = pressure.balance_shares(points, np.ones(24), 24, 0.0, 0.0, shares)
    assert left == pytest.approx(beyond, rel=1e-3)
    np.testing.assert_allclose(shares[[0, -1]], 0.5, atol=1e-3)


@pytest.mark.parametrize("within", [1e-1, 1e-3, 1e-5, 1e-7])
def test_a_load_just_within_the_points_is_balanced_however_steep_the_pressure(within):
    end = math.acos(-within)
    angle = np.linspace(-end, end, 24)
    points = 8.0 * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    shares = np.empty(24)
    assert pressure.balance_shares(points, np.ones(24), 24, 0.0, 0.0, shares) < 1e-9
    assert (shares >= 0.0).all()
    np.testing.assert_allclose(shares @ points, 0.0, atol=1e-8)
