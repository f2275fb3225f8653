"""K1 and K2: the limit surface against quadrature, and where free sliding and spinning ends."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import dblquad, quad, solve_ivp

from thrillsim.board import Patch
from thrillsim.physics.friction import patch_friction, ring_friction, solid_friction

RATIOS = [0.0, 1e-9, 1e-4, 0.03, 0.2, 0.5, 0.9, 0.999, 1.0, 1.001, 1.2, 2.0, 7.0, 150.0, 1e5]


def ring_by_quadrature(v: float, w: float) -> tuple[float, float, float]:
    # Both speeds >= 0: a point at angle t moves with (v - w sin t, w cos t); slowest at t = pi/2.
    def speed(t: float) -> float:
        return math.hypot(v - w * math.sin(t), w * math.cos(t))

    def mean(f) -> float:
        return quad(f, -math.pi / 2, math.pi / 2, epsabs=1e-13, epsrel=1e-13, limit=400)[0] / math.pi

    return (
        mean(speed),
        mean(lambda t: (v - w * math.sin(t)) / max(speed(t), 1e-300)),
        mean(lambda t: (w - v * math.sin(t)) / max(speed(t), 1e-300)),
    )


@pytest.mark.parametrize("ratio", RATIOS)
def test_ring_closed_form_is_the_quadrature(ratio):
    assert [float(x) for x in ring_friction(ratio, 1.0)] == pytest.approx(
        ring_by_quadrature(ratio, 1.0), abs=1e-9
    )
    assert [float(x) for x in ring_friction(1.0, ratio)] == pytest.approx(
        ring_by_quadrature(1.0, ratio), abs=1e-9
    )


@pytest.mark.parametrize("ratio", RATIOS)
@pytest.mark.parametrize("swap", [False, True])
def test_solid_disk_is_the_area_mean_of_its_rings(ratio, swap):
    v, w = (1.0, ratio) if swap else (ratio, 1.0)
    kink = [v / w] if 0 < v < w else None  # the ring whose slowest point stands still

    def mean(f) -> float:
        return quad(f, 0, 1, points=kink, epsabs=1e-12, epsrel=1e-12, limit=400)[0]

    right = (
        mean(lambda s: 2 * s * float(ring_friction(v, w * s)[0])),
        mean(lambda s: 2 * s * float(ring_friction(v, w * s)[1])),
        mean(lambda s: 2 * s * s * float(ring_friction(v, w * s)[2])),
    )
    assert [float(x) for x in solid_friction(v, w)] == pytest.approx(right, abs=1e-9)


def test_solid_disk_against_plain_double_quadrature():
    v, w = 1.3, 1.0  # no point of the disk stands still, so plain quadrature is exact
    D = dblquad(
        lambda s, t: s * math.hypot(v - w * s * math.sin(t), w * s * math.cos(t)) / math.pi,
        0,
        2 * math.pi,
        0,
        1,
    )
    assert float(solid_friction(v, w)[0]) == pytest.approx(D[0], abs=1e-9)


def test_values_at_the_ends():
    at_one = [float(x) for x in solid_friction(1.0, 1.0)]
    assert at_one == pytest.approx([32 / (9 * math.pi), 8 / (3 * math.pi), 8 / (9 * math.pi)], rel=1e-14)
    assert [float(x) for x in ring_friction(1.0, 1.0)] == pytest.approx(
        [4 / math.pi, 2 / math.pi, 2 / math.pi]
    )
    assert [float(x) for x in ring_friction(0.0, 0.0)] == [0.0, 0.0, 0.0]
    assert [float(x) for x in solid_friction(0.0, 0.0)] == [0.0, 0.0, 0.0]
    for w in (1e-3, 1e-6):  # next to pure sliding: D = v + w²/(4v) (ring), v + w²/(8v) (disk)
        assert float(ring_friction(1.0, w)[2]) == pytest.approx(w / 2, rel=1e-6)
        assert float(solid_friction(1.0, w)[2]) == pytest.approx(w / 4, rel=1e-6)
        assert 1 - float(solid_friction(1.0, w)[1]) == pytest.approx(w * w / 8, rel=1e-5, abs=1e-15)


@pytest.mark.parametrize("law", [ring_friction, solid_friction])
def test_force_and_torque_are_the_gradient_of_the_dissipation(law):
    v, w = np.meshgrid(np.linspace(0.05, 2, 14), np.linspace(0.06, 2.1, 13))
    h = 1e-6
    _, F, T = law(v, w)
    np.testing.assert_allclose((law(v + h, w)[0] - law(v - h, w)[0]) / (2 * h), F, atol=3e-8)
    np.testing.assert_allclose((law(v, w + h)[0] - law(v, w - h)[0]) / (2 * h), T, atol=3e-8)


def test_annulus_lies_between_disk_and_ring():
    v, spin = 0.7, 0.2
    thin = patch_friction(Patch("annulus", 10.0, 9.9999), v, spin)
    nearly_solid = patch_friction(Patch("annulus", 10.0, 1e-4), v, spin)
    for a, b in zip(thin, patch_friction(Patch("ring", 9.99995), v, spin), strict=True):
        assert float(a) == pytest.approx(float(b), rel=1e-8)
    for a, b in zip(nearly_solid, patch_friction(Patch("disk", 10.0), v, spin), strict=True):
        assert float(a) == pytest.approx(float(b), rel=1e-9)
    # pure spin: torque / (mu N) = 2/3 (R³ - r³)/(R² - r²)
    T = float(patch_friction(Patch("annulus", 10.0, 6.0), 0.0, 1.0)[2])
    assert abs(T - 2 / 3 * (1000 - 216) / (100 - 36)) < 1e-12


@pytest.mark.parametrize(
    ("law", "inertia", "end"),
    [(ring_friction, 1.0, 1.0), (solid_friction, 0.5, 0.653002)],
    ids=["ring", "disk"],
)
@pytest.mark.parametrize("start", [0.2, 3.0])
def test_free_sliding_and_spinning_ends_at_one_ratio(law, inertia, end, start):
    # In the logarithm of the energy the end of the motion is infinitely far away, so the ratio can settle.
    def rate(_: float, y: np.ndarray) -> list[float]:
        ratio = math.exp(y[0])
        _, F, T = law(ratio, 1.0)
        return [-(float(F) / ratio - float(T) / inertia)]

    end_state = solve_ivp(rate, (0, 300), [math.log(start)], rtol=1e-10, atol=1e-12, method="LSODA")
    assert math.exp(end_state.y[0, -1]) == pytest.approx(end, abs=1e-6)
