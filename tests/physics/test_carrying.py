"""The quick answers beside one straight edge against the full support rule and pressure law."""

from __future__ import annotations

import numpy as np
import pytest

from thrillsim.board import Patch, default_board
from thrillsim.board.support import support_margin
from thrillsim.physics.carrying import Carrier
from thrillsim.physics.pressure import pressure_points
from thrillsim.physics.weight import Load

BOARD = default_board()
PATCHES = [Patch("ring", 10.0), Patch("disk", 10.0), Patch("annulus", 10.0, 6.0)]
ALONE = Load(1.0, 0.0, 0.0, 50.0)
WEIGHTED = Load(30.0, -3.0, 4.0, 500.0)


@pytest.mark.parametrize("patch", PATCHES)
@pytest.mark.parametrize("load", [ALONE, WEIGHTED])
def test_margin_is_the_support_rule_everywhere(patch, load):
    carrier = Carrier(BOARD.outline, 12)
    rng = np.random.default_rng(3)
    inner = 10.0 if patch.shape == "ring" else patch.inner
    for x, y, angle in rng.uniform([40, -115, -4], [127, 115, 4], size=(400, 3)):
        c, s = np.cos(angle), np.sin(angle)
        px, py = x + c * load.dx - s * load.dy, y + s * load.dx + c * load.dy
        right = support_margin(BOARD.outline, x, y, 10.0, inner, px, py)
        got = carrier.margin(patch, load, x, y, angle)
        assert (got < 0) == (right < 0)
        assert got == pytest.approx(right, abs=1e-9) or (got < 0 and right < 0)


@pytest.mark.parametrize("patch", PATCHES)
@pytest.mark.parametrize(("x", "y"), [(115.3, 20.0), (60.0, -103.7), (121.4, -3.0), (80.0, 109.9)])
def test_remembered_pressure_is_the_law_in_the_disks_own_frame(patch, x, y):
    angle = 0.6
    points, shares = Carrier(BOARD.outline, 16).carry(patch, ALONE, x, y, angle)
    c, s = np.cos(angle), np.sin(angle)
    points = points @ np.array([[c, s], [-s, c]])  # back into the table's frame
    right_points, right = pressure_points(BOARD, patch, x, y, n=16)
    assert shares.sum() == pytest.approx(1)
    assert abs(shares @ points).max() < 0.02  # told apart by 1/2000 of the radius
    # the quadrature may start elsewhere on the arc: compare moments of the pressure
    for f in (lambda p: np.hypot(*p.T), lambda p: p[:, 0] ** 2, lambda p: p[:, 0] * p[:, 1]):
        assert shares @ f(points) == pytest.approx(right @ f(right_points), abs=0.3)


def test_corner_and_weight_get_the_law_itself():
    patch = Patch("ring", 10.0)
    for load, x, y in ((ALONE, 113.0, 105.0), (WEIGHTED, 115.0, 20.0), (WEIGHTED, 60.0, 0.0)):
        points, shares = Carrier(BOARD.outline, 12).carry(patch, load, x, y, 0.0)
        right_points, right = pressure_points(BOARD, patch, x, y, (load.dx, load.dy), n=12)
        np.testing.assert_allclose(points, right_points)
        np.testing.assert_allclose(shares, right)
