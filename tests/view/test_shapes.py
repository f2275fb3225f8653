"""The outlines that both the SVG and the plots draw: areas and places in closed form, colours told apart."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from thrillsim.board import Pusher, default_board, front_only_board, rectangular_board, reference_board
from thrillsim.board.shapes import (
    PALETTE,
    edge_chains,
    extent,
    kind_colour,
    placement_zone,
    pusher_outline,
    rail_band,
    tint,
)


def area(points: np.ndarray) -> float:
    x, y = points[:, 0], points[:, 1]
    return float(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)) / 2)


def test_chains_of_the_default_board() -> None:
    chains = edge_chains(default_board())
    assert [c.kind for c in chains].count("railed") == 2  # beside the sliding surface
    playing = next(c for c in chains if c.kind == "open" and c.points[:, 0].max() > 0)
    assert playing.points.tolist() == [[0, -110], [122, -110], [122, 110], [0, 110]]


@pytest.mark.parametrize(
    "board", [default_board(), front_only_board(), reference_board()], ids=lambda b: b.name
)
def test_chains_go_once_round_the_outline(board) -> None:
    chains = edge_chains(board)
    for a, b in itertools.pairwise([*chains, chains[0]]):
        assert a.kind != b.kind
        assert a.points[-1].tolist() == b.points[0].tolist()
    length = sum(float(np.sum(np.hypot(*np.diff(c.points, axis=0).T))) for c in chains)
    step = np.roll(board.outline, -1, axis=0) - board.outline
    assert length == pytest.approx(float(np.sum(np.hypot(*step.T))), rel=1e-12)
    walls = board.walls
    railed = sum(float(np.sum(np.hypot(*np.diff(c.points, axis=0).T))) for c in chains if c.kind == "railed")
    assert railed == pytest.approx(
        float(np.sum(np.hypot(walls[:, 2] - walls[:, 0], walls[:, 3] - walls[:, 1])))
    )


def test_a_straight_rail_lies_outside_its_edge() -> None:
    band = rail_band(np.array([[0.0, 0.0], [10.0, 0.0]]), width=3.0)  # the board lies at y > 0
    assert band[:, 1].min() == -3.0
    assert band[:, 1].max() == 0.0
    assert abs(area(band)) == pytest.approx(30.0)


def test_rails_meet_in_a_mitre() -> None:
    corner = np.array([[0.0, 0.0], [10.0, 0.0], [10.0, 20.0]])
    assert abs(area(rail_band(corner, width=2.0))) == pytest.approx(2 * (10 + 20) + 2 * 2)
    square = np.array([[0.0, 0.0], [10.0, 0.0], [10.0, 10.0], [0.0, 10.0], [0.0, 0.0]])
    assert abs(area(rail_band(square, width=2.0))) == pytest.approx(14**2 - 10**2)
    inner = np.array([[0.0, 0.0], [10.0, 0.0], [10.0, -20.0]])  # a corner that points into the board
    assert abs(area(rail_band(inner, width=2.0))) == pytest.approx(2 * (10 + 20) - 2 * 2)


def test_a_sharp_corner_does_not_send_its_rail_far_away() -> None:
    needle = np.array([[0.0, 0.0], [100.0, 0.0], [0.0, 1.0]])
    assert rail_band(needle, width=3.0)[:, 0].max() < 100 + 2 * 3.0 + 1e-9


def test_the_pusher_goes_from_the_rear_stop_to_the_blocking_edge() -> None:
    board = default_board()
    back, front = pusher_outline(board), pusher_outline(board, board.pusher.travel)
    assert (back[:, 0].min(), back[:, 0].max()) == (-128.0, -80.0)
    assert (front[:, 0].min(), front[:, 0].max()) == (-48.0, 0.0)
    assert area(back) == pytest.approx(48 * 218)


def test_yaw_turns_the_pusher_counter_clockwise_about_the_middle_of_its_front() -> None:
    board = default_board()
    turned = pusher_outline(board, yaw=0.05)
    right, left = turned[1], turned[2]  # ends of the front, low y first
    assert ((right + left) / 2).tolist() == pytest.approx([-80.0, 0.0])
    assert math.atan2(-(left - right)[0], (left - right)[1]) == pytest.approx(0.05)
    assert area(turned) == pytest.approx(48 * 218)


def test_front_profile_is_drawn() -> None:
    board = rectangular_board(pusher=Pusher(width=218, front=((-5.0, -109.0), (0.0, 0.0), (-5.0, 109.0))))
    assert area(pusher_outline(board)) == pytest.approx(48 * 218 - 2 * 0.5 * 5 * 109)


def test_placement_zone_ends_at_pusher_and_blocking_edge() -> None:
    zone = placement_zone(reference_board())
    assert (zone[:, 0].min(), zone[:, 0].max()) == (-80.0, 0.0)
    assert (zone[:, 1].min(), zone[:, 1].max()) == (-60.0, 60.0)
    assert area(zone) == pytest.approx(80 * 120)


def test_extent_has_room_for_the_rails() -> None:
    assert extent(default_board()) == (-141.0, 125.0, -113.0, 113.0)


def test_tint_ends_at_white() -> None:
    assert tint("#123456", 0.0) == "#123456"
    assert tint("#123456", 1.0) == "#ffffff"


# Linear-RGB matrices of full protanopia, deuteranopia, tritanopia: Machado, Oliveira, Fernandes (2009),
# IEEE Trans. Vis. Comput. Graph. 15, 1291-1298.
VISION = {
    "normal": np.eye(3),
    "protan": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deutan": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritan": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}


def lab(colour: str, vision: str) -> np.ndarray:
    """CIELAB (D65) of #rrggbb as somebody with that colour vision sees it."""
    srgb = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    linear = np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
    seen = np.clip(np.asarray(VISION[vision]) @ linear, 0, 1)
    to_xyz = [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
    xyz = np.asarray(to_xyz) @ seen / [0.95047, 1.0, 1.08883]
    f = np.where(xyz > (6 / 29) ** 3, np.cbrt(xyz), xyz / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("vision", VISION)
def test_the_three_sizes_are_told_apart_by_every_colour_vision(vision: str) -> None:
    for a, b in itertools.combinations(range(3), 2):
        distance = np.linalg.norm(lab(kind_colour(a), vision) - lab(kind_colour(b), vision))
        assert distance > 25, (a, b)  # 2 is just noticeable side by side


def test_red_and_green_of_traffic_lights_would_fail_that_test() -> None:
    assert np.linalg.norm(lab("#c04000", "deutan") - lab("#608000", "deutan")) < 25


def test_more_kinds_than_colours_go_round() -> None:
    assert kind_colour(len(PALETTE)) == kind_colour(0)
