"""THR-25 ... THR-28: where the weight may stand, what it adds to its disk, what lifting it does."""

from __future__ import annotations

import math

import numpy as np
import pytest

from thrillsim.board import Layout, default_board
from thrillsim.board.opening import opening
from thrillsim.errors import InputError
from thrillsim.physics import Push, WeightOn, push
from thrillsim.physics.weight import (
    check_weight,
    falls_when_lifted,
    standing_margin,
    weight_places,
    weight_problem,
    weighted_load,
)

BOARD = default_board()
BIG, MEDIUM, SMALL = 0, 1, 2


def test_common_centre_and_inertia_are_those_of_the_two_bodies():
    dx, dy = 6.0, -8.0
    load = weighted_load(BOARD, BIG, dx, dy)
    m, M, s = 2.52, 29.6, 10.0
    assert load.mass == pytest.approx(m + M)
    assert (load.dx, load.dy) == pytest.approx((M * dx / (m + M), M * dy / (m + M)))
    d = math.hypot(load.dx, load.dy)
    # parallel axes, each body about the common centre
    right = m * (21.0**2 / 2 + d**2) + M * (10.0**2 / 2 + (s - d) ** 2)
    assert load.inertia == pytest.approx(right, rel=1e-12)


@pytest.mark.parametrize(
    ("place", "says"),
    [
        (WeightOn(2), "disk of the layout, 0 to 1, got 2"),  # THR-A19: not the new disk
        (WeightOn(-1), "disk of the layout"),
        (WeightOn(0, 21.5, 0.0), "within 21 mm"),
        (WeightOn(0, math.nan, 0.0), "finite"),
        (WeightOn(0, 0.0, 15.0), "may touch no other disk"),  # THR-26
    ],
)
def test_places_where_the_weight_may_not_stand(place, says):
    layout = Layout([BIG, SMALL], [60.0, 60.0], [0.0, 33.0])
    with pytest.raises(InputError, match=says):
        check_weight(BOARD, layout, place)
    with pytest.raises(InputError, match=says):
        push(BOARD, layout, Push("big", -40.0, 0.0, weight=place))


def test_touching_is_not_allowed_and_a_hair_more_room_is():
    layout = Layout([BIG, SMALL], [60.0, 60.0], [0.0, 33.0])  # rim of the small one at y = 22
    assert weight_problem(BOARD, layout, WeightOn(0, 0.0, 12.0)) is not None
    check_weight(BOARD, layout, WeightOn(0, 0.0, 11.999))


def test_weight_that_would_tip_its_disk_is_refused():
    layout = Layout([BIG], [115.0], [0.0])  # 7 mm inside: the common centre may be 7 mm off at most
    limit = 7.0 * 32.12 / 29.6
    check_weight(BOARD, layout, WeightOn(0, limit - 1e-6, 0.0))
    with pytest.raises(InputError, match="tip over"):
        check_weight(BOARD, layout, WeightOn(0, limit + 1e-6, 0.0))
    assert standing_margin(BOARD, layout, WeightOn(0, limit, 0.0)) == pytest.approx(0.0, abs=1e-9)


def test_weight_at_the_centre_fits_every_disk_of_an_opening():
    # it is smaller than the smallest disk (THR-A18)
    layout = opening(BOARD, 1)
    places = weight_places(BOARD, layout)
    assert {place.disk for place in places if place.dx == place.dy == 0} == set(range(len(layout)))
    assert len(places) > len(layout)


def test_places_are_exactly_the_legal_points_of_the_grid():
    layout = opening(BOARD, 2)
    listed = set(weight_places(BOARD, layout, spacing=7.0))
    for i, radius in enumerate(layout.radii(BOARD)):
        for a in range(-3, 4):
            for b in range(-3, 4):
                place = WeightOn(i, 7.0 * a, 7.0 * b)
                x, y = layout.x[i] + place.dx, layout.y[i] + place.dy
                others = np.delete(np.hypot(layout.x - x, layout.y - y) - layout.radii(BOARD), i)
                legal = math.hypot(place.dx, place.dy) <= radius and others.min() > 10.0
                if legal:
                    legal = standing_margin(BOARD, layout, place) >= 0
                assert (place in listed) == legal
    with pytest.raises(InputError, match="spacing"):
        weight_places(BOARD, layout, spacing=0.0)


def test_lift_is_the_support_test_of_the_disk_alone():
    assert not falls_when_lifted(BOARD, BIG, 121.9, 0.0)
    assert falls_when_lifted(BOARD, BIG, 122.1, 0.0)
