"""What a push is refused for before any engine sees it, in one line that names the value."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

from thrillsim.board import Layout, default_board
from thrillsim.errors import InputError
from thrillsim.physics import Push, TurnProfile, WeightOn, push, turn
from thrillsim.physics.types import check_push

BOARD = default_board()
LAYOUT = Layout([0, 2], [60.0, 60.0], [0.0, 40.0])


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"disk": 3}, "disk: must be one of big, medium, small, got 3"),
        ({"disk": 1.5}, "disk: must be one of big, medium, small, got 1.5"),
        ({"x": "-30"}, 'push.x: must be a number, got "-30"'),
        ({"y": None}, "push.y: must be a number, got null"),
        ({"x": math.nan}, "push.x: must be -59 to -21 mm so that the disk is in the zone, got nan"),
        ({"angle": "0"}, 'push.angle: must be a number, got "0"'),
        ({"yaw": [0.0]}, "push.yaw: must be a number, got [0.0]"),
        ({"speed": "slow"}, 'push.speed: must be a number, got "slow"'),
        ({"tilt": 0.1}, "push.tilt: must be two numbers, got 0.1"),
        ({"tilt": (0.0, "0")}, 'push.tilt: must be two numbers, got [0.0, "0"]'),
        ({"tilt": (0.0, 0.0, 0.0)}, "push.tilt: must be two numbers, got [0.0, 0.0, 0.0]"),
        ({"x": True}, "push.x: must be a number, got true"),
        ({"y": 10**400}, f"push.y: must be a number, got 1{'0' * 56}..."),
        ({"speed": 10**5000}, "push.speed: must be a number, got int too long to show"),
        ({"tilt": (0, False)}, "push.tilt: must be two numbers, got [0, false]"),
        ({"weight": 0}, "push.weight: must be a WeightOn or None, got 0"),
        ({"weight": WeightOn(1.5)}, "push.weight.disk: must be a whole number, got 1.5"),
        ({"weight": WeightOn("0")}, 'push.weight.disk: must be a whole number, got "0"'),
        ({"weight": WeightOn(0, "1")}, 'push.weight.dx: must be a number, got "1"'),
    ],
)
def test_what_is_no_push_is_named(more, says):
    with pytest.raises(InputError, match=f"^{re.escape(says)}$"):
        push(BOARD, LAYOUT, Push(**{"disk": "big", "x": -40.0, "y": 0.0, **more}))


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"board": "default"}, 'board: must be a Board, got "default"'),
        ({"layout": [["big", 60, 0]]}, 'layout: must be a Layout, got [["big", 60, 0]]'),
        ({"push": ("big", -40, 0)}, 'push: must be a Push, got ["big", -40, 0]'),
        ({"engine": None}, "engine: must be one of rigid, quasistatic, got null"),
        ({"engine": 3}, "engine: must be one of rigid, quasistatic, got 3"),
        ({"accuracy": None}, "accuracy: must be one of draft, standard, fine, got null"),
    ],
)
def test_what_is_none_of_the_things_that_a_push_takes_is_named(given, says):
    with pytest.raises(InputError, match=f"^{re.escape(says)}$"):
        push(**{"board": BOARD, "layout": LAYOUT, "push": Push("big", -40.0, 0.0), **given})


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("key", ["x", "y", "angle", "yaw", "speed", "tilt", "weight"])
def test_huge_numbers_are_refused_or_taken_without_a_warning(key):
    for huge in (1e308, -1e308):
        value = {"tilt": (huge, huge), "weight": WeightOn(0, huge, huge)}.get(key, huge)
        one = Push(**{"disk": "big", "x": -40.0, "y": 0.0, key: value})
        if key == "angle":
            assert len(check_push(BOARD, LAYOUT, one)) == 3
            continue
        with pytest.raises(InputError, match=rf"^push\.{key}"):
            check_push(BOARD, LAYOUT, one)


def test_the_numbers_of_numpy_are_numbers():
    place = WeightOn(np.int64(0), np.float32(1.0), np.int64(0))
    one = Push(np.int64(0), np.float32(-40.0), np.int32(0), tilt=[np.float64(0.0), 0], weight=place)
    assert len(check_push(BOARD, LAYOUT, one)) == 3


def test_kinds_that_the_board_does_not_have_are_refused():
    layout = Layout([0, 7], [60.0, 60.0], [0.0, 40.0])
    with pytest.raises(InputError, match=r"^disks: kind must be 0 to 2, got 7$"):
        push(BOARD, layout, Push("big", -40.0, 0.0))
    with pytest.raises(InputError, match=r"^disks: kind must be 0 to 2, got 7$"):
        turn(BOARD, layout, TurnProfile(1.0, 1.0, 1.0))
