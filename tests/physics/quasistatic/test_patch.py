"""K1 and K2 for the compiled friction: closed forms, curvature, gauge, point patches, free motion."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import brentq

from tests.physics.quasistatic.scenes import called
from thrillsim.board import Patch
from thrillsim.physics.friction import patch_friction
from thrillsim.physics.quasistatic import patch, state
from thrillsim.physics.quasistatic.patch import ANNULUS, RING, SOLID

symmetric, gauge, points_eval = map(called, (patch.symmetric, patch.gauge, patch.points_eval))

PATCHES = {
    "ring": (RING, 0.0, Patch("ring", 1.0)),
    "disk": (SOLID, 0.0, Patch("disk", 1.0)),
    "annulus": (ANNULUS, 0.6, Patch("annulus", 1.0, 0.6)),
    "thin annulus": (ANNULUS, 0.97, Patch("annulus", 1.0, 0.97)),
}
RATIOS = [0.0, 1e-9, 1e-6, 9e-5, 1.1e-4, 9.9e-4, 1.1e-3, 0.03, 0.2, 0.5, 0.9, 0.999, 0.999999]
RATIOS += [1.0, 1.000001, 1.001, 1.2, 2.0, 7.0, 99.0, 101.0, 900.0, 1100.0, 1e5, 1e9]


@pytest.mark.parametrize("name", PATCHES)
@pytest.mark.parametrize("ratio", RATIOS)
def test_compiled_closed_forms_are_those_of_the_friction_module(name, ratio):
    shape, hole, kind = PATCHES[name]
    v, q = math.cos(math.atan2(1.0, ratio)), math.sin(math.atan2(1.0, ratio))
    d, fv, tq, _ = symmetric(shape, hole, v, q)
    right = [float(x) for x in patch_friction(kind, v, q)]
    scale = 1.0 if name != "thin annulus" else 20.0  # a difference of two disks: loses 1 / (1 - hole^2)
    assert [d, fv * v, tq * q] == pytest.approx(right, abs=2e-11 * scale)
    assert d == pytest.approx(fv * v * v + tq * q * q, abs=1e-13 * scale)


@pytest.mark.parametrize("eps", [0.05, 0.4, 1.0, 1.7, 30.0])
def test_compiled_ring_is_the_mean_over_its_points(eps):
    angle = (np.arange(200_000) + 0.5) * (2 * math.pi / 200_000)
    speed = np.hypot(eps - np.sin(angle), np.cos(angle))
    d, fv, tq, _ = symmetric(RING, 0.0, eps, 1.0)
    assert d == pytest.approx(speed.mean(), abs=2e-9)
    assert fv * eps == pytest.approx(((eps - np.sin(angle)) / speed).mean(), abs=1e-8)
    assert tq == pytest.approx(((1.0 - eps * np.sin(angle)) / speed).mean(), abs=1e-8)


BENDS = [3e-5, 5e-4, 2e-3, 0.1, 0.45, 0.8, 1.3, 2.5, 11.0, 80.0, 300.0, 2e3]
#: a thin annulus is the difference of two nearly equal disks: no digits left for it at the ends
CURVES = [(n, r) for n in PATCHES for r in BENDS if n != "thin annulus" or 0.01 < r < 100]


@pytest.mark.parametrize(("name", "ratio"), CURVES)
def test_curvature_is_the_slope_of_the_closed_forms(name, ratio):
    # H = kappa (-q, v)(-q, v)^T, so the second derivative across (v, q) of length 1 is kappa
    shape, hole, kind = PATCHES[name]
    angle = math.atan2(1.0, ratio)
    step = 1e-4 * min(1.0, math.sin(angle), math.cos(angle), abs(math.sin(angle) - math.cos(angle)))

    def along(a: float) -> float:  # dD/da at unit length = (F, T).(-sin, cos)
        _, f, t = patch_friction(kind, math.cos(a), math.sin(a))
        return float(t) * math.cos(a) - float(f) * math.sin(a)

    _, _, _, kappa = symmetric(shape, hole, math.cos(angle), math.sin(angle))
    slope = (along(angle + step) - along(angle - step)) / (2 * step)
    d, _, _ = patch_friction(kind, math.cos(angle), math.sin(angle))
    assert kappa == pytest.approx(slope + float(d), rel=3e-6, abs=1e-6)


@pytest.mark.parametrize("name", PATCHES)
def test_gauge_is_one_on_the_limit_surface_and_homogeneous(name):
    shape, hole, kind = PATCHES[name]
    for angle in np.linspace(0.0, math.pi / 2, 41):
        _, f, t = (float(x) for x in patch_friction(kind, math.cos(angle), math.sin(angle)))
        f, t = max(f, 0.0), max(t, 0.0)
        for size in (patch.INSIDE, 1.0, 3.0):
            reach, v, q = gauge(shape, hole, size * f, size * t)
            assert reach == pytest.approx(size, abs=1e-11 * size)
            assert v * v + q * q == pytest.approx(1.0)
            assert (v, q) == pytest.approx((math.cos(angle), math.sin(angle)), abs=2e-5)
        for size in (0.05, 0.7, 0.98):  # what is well inside is not known exactly, but to be inside
            reach, v, q = gauge(shape, hole, size * f, size * t)
            assert size - 1e-11 <= reach < patch.INSIDE + 1e-3
            assert v * v + q * q == pytest.approx(1.0)


@pytest.mark.parametrize("name", ["ring", "disk", "annulus"])
def test_gauge_is_the_polar_of_the_dissipation(name):
    # brute force: largest (f v + t q) / D(v, q) over a fine fan of directions
    shape, hole, kind = PATCHES[name]
    fan = np.linspace(0.0, math.pi / 2, 200_001)
    d, _, _ = patch_friction(kind, np.cos(fan), np.sin(fan))
    for f, t in [(0.3, 0.0), (0.0, 0.5), (0.2, 0.7), (1.1, 0.02), (0.6, 0.6), (1e-3, 0.9), (2.0, 1e-4)]:
        best = np.max((f * np.cos(fan) + t * np.sin(fan)) / d)
        reach, _, _ = gauge(shape, hole, f / best, t / best)
        assert reach == pytest.approx(1.0, rel=1e-8)


@pytest.mark.parametrize("z", [(1.0, 0.0, 0.0), (0.3, -0.4, 0.8), (0.0, 0.0, -1.0), (0.6, 0.6, 0.6)])
def test_point_patch_of_a_whole_ring_is_the_ring(z):
    count = 4096
    angle = (np.arange(count) + 0.5) * (2 * math.pi / count)
    points = np.zeros((1, 4, count))
    points[0, 0], points[0, 1] = np.cos(angle), np.sin(angle)
    points[0, 2] = 1.0 / count
    row = np.zeros((1, state.DISK_FLOATS))
    d = points_eval(points, 0, count, *z, row, state.GRAD, state.METRIC, state.HESS)
    v, q = math.hypot(z[0], z[1]), abs(z[2])
    right_d, fv, tq, _ = symmetric(RING, 0.0, v, q)
    assert d == pytest.approx(right_d, abs=1e-6)
    gradient = row[0, state.GRAD : state.GRAD + 3]
    assert gradient == pytest.approx([fv * z[0], fv * z[1], tq * z[2]], abs=1e-5)
    metric = row[0, state.METRIC : state.METRIC + 9].reshape(3, 3)
    assert np.array(z) @ metric @ np.array(z) == pytest.approx(d * d, rel=1e-12)  # matched: same value
    assert metric @ np.array(z) == pytest.approx(d * gradient, rel=1e-9, abs=1e-12)  # and same gradient


def test_point_patch_hessian_and_gradient_are_derivatives():
    rng = np.random.default_rng(3)
    count = 11
    points = np.zeros((1, 4, count))
    points[0, :2] = rng.uniform(-1, 1, (count, 2)).T
    points[0, 2] = rng.dirichlet(np.ones(count))
    points[0, 3] = rng.uniform(5e-4, 5e-3, count)
    z = np.array([0.5, -0.2, 0.7])

    def value(w):
        row = np.zeros((1, state.DISK_FLOATS))
        d = points_eval(points, 0, count, *w, row, state.GRAD, state.METRIC, state.HESS)
        return (
            d,
            row[0, state.GRAD : state.GRAD + 3].copy(),
            row[0, state.HESS : state.HESS + 9].reshape(3, 3),
        )

    _, gradient, hessian = value(z)
    for j in range(3):
        e = np.eye(3)[j] * 1e-6
        assert gradient[j] == pytest.approx((value(z + e)[0] - value(z - e)[0]) / 2e-6, abs=1e-8)
        assert hessian[j] == pytest.approx((value(z + e)[1] - value(z - e)[1]) / 2e-6, abs=1e-7)
    assert hessian @ z == pytest.approx(0.0, abs=1e-12)  # homogeneous of degree 1


@pytest.mark.parametrize(("name", "inertia", "right"), [("disk", 0.5, 0.653002), ("ring", 1.0, 1.0)])
def test_free_sliding_and_spinning_ends_at_the_known_ratio(name, inertia, right):
    """K2: v' = -F, (R w)' = -T / inertia (of m R^2), so v / (R w) stays where F q = T v / inertia."""
    shape, hole, _ = PATCHES[name]

    def drift(ratio: float) -> float:  # > 0: the ratio v / q grows
        _, fv, tq, _ = symmetric(shape, hole, ratio, 1.0)
        return tq / inertia - fv

    if name == "disk":
        assert brentq(drift, 0.1, 5.0, xtol=1e-13) == pytest.approx(right, abs=1e-6)
    for low in (0.1, 0.4, 0.64, 0.99 * right):
        assert drift(low) > 0
    for high in (1.01 * right, 1.5, 4.0):
        assert drift(high) < 0
