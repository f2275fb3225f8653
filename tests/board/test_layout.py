"""Layouts: immutable, equal by value, exact in JSON, and refused with the disk's name when illegal."""

from __future__ import annotations

import copy
import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from thrillsim.board import Layout, board_by_name, default_board, front_only_board, opening, reference_board
from thrillsim.board.layout import wall_distance
from thrillsim.errors import InputError
from thrillsim.physics import Push, TurnProfile, push, turn

BOARD = default_board()
TWO = Layout([0, 2], [30.0, 80.0], [0.0, 5.0], [0.5, -0.25])


# -- values ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["kind", "x", "y", "angle"])
def test_nothing_of_a_layout_can_be_changed(name: str) -> None:
    for layout in (
        TWO,
        pickle.loads(pickle.dumps(TWO)),
        copy.deepcopy(TWO),
        TWO.take([0]),
        TWO.with_disk(1, 60.0, 60.0),
    ):
        with pytest.raises(ValueError, match="read-only"):
            getattr(layout, name)[0] = 1
        with pytest.raises(AttributeError):
            setattr(layout, name, np.zeros(2))


def test_a_layout_does_not_share_the_arrays_it_was_given() -> None:
    x = np.array([30.0, 80.0])
    layout = Layout([0, 2], x, [0.0, 5.0])
    x[0] = 99.0
    assert layout.x.tolist() == [30.0, 80.0]


def test_layouts_are_equal_by_value() -> None:
    twin = pickle.loads(pickle.dumps(TWO))
    assert twin == TWO
    assert hash(twin) == hash(TWO)
    assert Layout([0, 2], [30.0, 80.0], [0.0, 5.0]) != TWO  # other angles
    assert Layout([2, 0], [80.0, 30.0], [5.0, 0.0], [-0.25, 0.5]) != TWO  # the order counts
    assert TWO != "layout"


def test_taking_and_adding() -> None:
    three = TWO.with_disk(1, 60.0, 60.0, 1.5)
    assert three.to_rows(BOARD)[2] == ("medium", 60.0, 60.0, 1.5)
    assert three.take([0, 1]) == TWO
    assert three.take(np.array([True, True, False])) == TWO
    assert three.take(np.arange(3) < 2) == TWO
    assert len(three.take([])) == 0
    assert len(TWO) == 2


def test_packing_of_two_disks() -> None:
    assert TWO.packing(BOARD) == pytest.approx(math.pi * (21**2 + 11**2) / (122 * 220), rel=1e-14)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (([0, 1], [1.0], [1.0, 2.0]), "x: needs 2 values like kind, got 1"),
        (([0], [1.0], [math.nan]), "y[0]: must be a finite number, got nan"),
        (([0], [1.0], [1.0], [math.inf]), "angle[0]: must be a finite number, got inf"),
        (([0.5], [1.0], [1.0]), "kind: must be whole numbers >= 0"),
        (([-1], [1.0], [1.0]), "kind: must be whole numbers >= 0"),
        (([math.nan], [1.0], [1.0]), "kind: must be whole numbers >= 0"),
        ((["big"], [1.0], [1.0]), 'kind: must be numbers, got ["big"]'),
        (([0], ["1"], [1.0]), 'x: must be numbers, got ["1"]'),
        (([0], [1.0], [True]), "y: must be numbers, got [true]"),
        (([0], [1.0], [[1.0], []]), "y: must be numbers, got [[1.0], []]"),
        (([0], [1.0], [1.0], [None]), "angle: must be numbers, got [null]"),
    ],
)
def test_columns_that_make_no_layout(columns: tuple[list[float], ...], message: str) -> None:
    with pytest.raises(InputError) as caught:
        Layout(*columns)
    assert str(caught.value) == message


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("far", [1.1e5, 1e150, 1e308])
def test_a_place_that_lies_on_no_board_is_refused(far: float) -> None:
    """Before anything is reckoned with it: that would overflow."""
    for x, y, says in (
        (far, 0.0, f"disks[1][1]: must be -100000 to 100000 mm, got {far:g}"),
        (30.0, -far, f"disks[1][2]: must be -100000 to 100000 mm, got {-far:g}"),
    ):
        layout = Layout([0, 2], [60.0, x], [0.0, y])
        for check in (
            lambda it: it.check(BOARD),
            lambda it: push(BOARD, it, Push("big", -40.0, 0.0)),
            lambda it: turn(BOARD, it, TurnProfile(1.0, 1.0, 1.0)),
        ):
            with pytest.raises(InputError) as caught:
                check(layout)
            assert str(caught.value) == says


# -- JSON -----------------------------------------------------------------------------------


@given(
    npst.arrays(
        np.float64,
        st.tuples(st.integers(0, 6), st.just(3)),
        elements=st.floats(allow_nan=False, allow_infinity=False),
    ),
    st.data(),
)
def test_json_gives_every_bit_back(poses: np.ndarray, data: st.DataObject) -> None:
    kind = data.draw(st.lists(st.integers(0, 2), min_size=len(poses), max_size=len(poses)))
    layout = Layout(kind, poses[:, 0], poses[:, 1], poses[:, 2])
    text = layout.to_json(BOARD)
    again = Layout.from_json(BOARD, text)
    for name in ("kind", "x", "y", "angle"):
        assert getattr(again, name).tobytes() == getattr(layout, name).tobytes()
    assert again.to_json(BOARD) == text


def test_an_opening_survives_json() -> None:
    layout = opening(BOARD, 5)
    assert Layout.from_json(BOARD, layout.to_json(BOARD)) == layout


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[", "is not JSON: ends in the middle"),
        ("[]", "must be a table, got []"),
        ("{}", "disks: is required"),
        ('{"disk": []}', "disk: unknown key, did you mean disks? allowed: disks"),
        (
            '{"disks": [["big", 1]]}',
            'disks[0]: must be [kind, x, y] or [kind, x, y, angle], got ["big", 1]',
        ),
        (
            '{"disks": [["big", 50, "2"]]}',
            'disks[0][2]: must be a number, got "2"',
        ),
        (
            '{"disks": [["big", 50, 2], ["huge", 5, 2]]}',
            'disks[1]: must be one of big, medium, small, got "huge"',
        ),
        ('{"disks": [["big", 50, true]]}', "disks[0][2]: must be a number, got true"),
        ('{"disks": [[0, 50, 2]]}', "disks[0]: must be [kind, x, y] or [kind, x, y, angle], got [0, 50, 2]"),
        (
            f'{{"disks": [["big", 50, 2], ["big", 1{"0" * 400}, 2]]}}',
            f"disks[1][1]: must be a number, got 1{'0' * 56}...",
        ),
    ],
)
def test_json_that_is_no_layout(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        Layout.from_json(BOARD, text)
    assert str(caught.value) == message


# -- legality --------------------------------------------------------------------------------


def refusal(layout: Layout, board: str = "default") -> str:
    with pytest.raises(InputError) as caught:
        layout.check(board_by_name(board))
    return str(caught.value)


def test_checks_name_the_disk_and_the_amount() -> None:
    assert refusal(Layout([0, 1], [30.0, 60.0], [0.0, 0.0])) == "disks[1]: overlaps disks[0] by 7 mm"
    assert (
        refusal(Layout([0, 2, 2], [30.0, 80.0, 90.0], [0.0, 0.0, 0.0]))
        == "disks[2]: overlaps disks[1] by 12 mm"
    )
    assert refusal(Layout([2], [10.0], [0.0])) == "disks[0]: reaches 1 mm into the sliding surface"
    assert refusal(Layout([2], [122.5], [0.0])) == "disks[0]: has no support on the board at (122.5, 0)"
    assert refusal(Layout([2], [50.0], [200.0])) == "disks[0]: has no support on the board at (50, 200)"
    assert refusal(Layout([2], [50.0], [100.0]), "front-only") == "disks[0]: overlaps a rail by 1 mm"
    assert refusal(Layout([7], [50.0], [0.0])) == "disks: kind must be 0 to 2, got 7"


def test_legal_places() -> None:
    assert len(Layout([], [], []).check(BOARD)) == 0
    touching = Layout(
        [0, 1, 2], [30.0, 67.0, 11.0], [0.0, 0.0, 60.0]
    )  # 21 + 16 apart; 11 from the blocking edge
    assert touching.check(BOARD, tolerance=0.0) is touching
    assert touching.overlap(BOARD) == 0.0
    # as long as the centre of mass is on the board a disk may overhang
    overhanging = Layout([0, 1], [121.9, 60.0], [0.0, 109.9])
    assert overhanging.check(BOARD) is overhanging
    # beside the sliding surface the reference board has a wall at x = 0
    assert len(Layout([1], [15.0], [90.0]).check(reference_board())) == 1


def test_the_tolerance_is_the_limit() -> None:
    layout = Layout([2, 2], [40.0, 61.99], [0.0, 0.0])
    assert layout.overlap(BOARD) == pytest.approx(0.01, rel=1e-9)
    assert layout.check(BOARD, tolerance=0.02) is layout
    with pytest.raises(InputError, match=r"disks\[1\]: overlaps disks\[0\] by 0\.01 mm"):
        layout.check(BOARD, tolerance=0.005)


def test_wall_distance_at_sides_ends_and_corners() -> None:
    walls = np.array([(0.0, 0.0, 10.0, 0.0), (10.0, 0.0, 10.0, 5.0)])
    points = np.array([(5.0, 3.0), (-3.0, 4.0), (13.0, -4.0), (7.0, 9.0)])
    expected = [[3.0, 5.0], [5.0, math.hypot(13, 4)], [5.0, 5.0], [9.0, 5.0]]
    expected[1][1] = 13.0  # (-3, 4) looks across to (10, 4)
    assert wall_distance(points[:, 0], points[:, 1], walls) == pytest.approx(np.array(expected), abs=1e-12)


def test_a_rail_counts_only_where_it_is() -> None:
    side = front_only_board()
    assert Layout([2], [111.0], [99.0]).check(side, tolerance=0.0).overlap(side) == 0.0
    assert (
        Layout([2], [121.0], [98.9]).check(side).overlap(side) == 0.0
    )  # over the open front, beside the rail


@pytest.mark.parametrize(
    "more", [(-1, 1.0, 1.0), (0.5, 1.0, 1.0), (0, float("nan"), 1.0), (0, 1.0, 1.0, float("-inf"))]
)
def test_a_disk_added_is_looked_at_like_any_other(more):
    with pytest.raises(InputError):
        TWO.with_disk(*more)


def test_a_layout_with_one_more_disk_is_as_immutable():
    three = TWO.with_disk(1, 5.0, 6.0)
    assert three == Layout([*TWO.kind, 1], [*TWO.x, 5.0], [*TWO.y, 6.0], [*TWO.angle, 0.0])
    assert len(TWO) == 2
    for column in (three.kind, three.x, three.y, three.angle):
        assert not column.flags.writeable
