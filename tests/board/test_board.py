"""The board's derived geometry, by hand: outline of both surfaces, walls, zone, pins."""

from __future__ import annotations

import copy
import math
import pickle

import numpy as np
import pytest

from thrillsim.board import (
    Board,
    Pusher,
    Surface,
    board_by_name,
    default_board,
    front_only_board,
    rectangle,
    rectangular_board,
    reference_board,
)
from thrillsim.board.polygon import crosses_itself, signed_area, spans_at, tight_spot
from thrillsim.errors import InputError


def area(points: np.ndarray) -> float:
    return signed_area(tuple(map(tuple, points.tolist())))


def test_the_outline_is_both_surfaces_as_one() -> None:
    board = default_board()
    assert board.outline.tolist() == [
        [0.0, -110.0],
        [122.0, -110.0],
        [122.0, 110.0],
        [0.0, 110.0],
        [-138.0, 110.0],
        [-138.0, -110.0],
    ]
    assert board.outline_edges == ("open", "open", "open", "railed", "open", "railed")
    assert area(board.outline) == 122 * 220 + 138 * 220


def test_shoulders_are_part_of_the_outline_and_carry_a_wall() -> None:
    board = reference_board()
    assert board.outline_edges == ("open", "open", "open", "railed", "railed", "open", "railed", "railed")
    assert area(board.outline) == 130 * 220 + 128 * 120
    shoulders = [wall for wall in board.walls.tolist() if wall[0] == wall[2] == 0.0]
    assert shoulders == [[0.0, 110.0, 0.0, 60.0], [0.0, -60.0, 0.0, -110.0]]


def test_a_shoulder_on_one_side_only() -> None:
    sliding = Surface(
        ((0.0, -60.0), (0.0, 110.0), (-138.0, 110.0), (-138.0, -60.0)), ("open", "railed", "open", "railed")
    )
    board = Board(rectangle(0.0, 122.0, 220.0), sliding, pusher=Pusher(width=118.0))
    assert [list(p) for p in board.outline.tolist() if p[0] == 0.0] == [
        [0.0, -110.0],
        [0.0, 110.0],
        [0.0, -60.0],
    ]
    assert area(board.outline) == 122 * 220 + 138 * 170
    assert board.outline_edges[-1] == "open"  # rectangle() without rails leaves the shoulder open


@pytest.mark.parametrize("name", ["default", "front-only", "reference"])
def test_the_outline_is_simple_and_counter_clockwise(name: str) -> None:
    board = board_by_name(name)
    points = tuple(map(tuple, board.outline.tolist()))
    assert not crosses_itself(points)
    assert signed_area(points) == pytest.approx(board.playing.area + board.sliding.area, rel=1e-14)
    assert len(board.outline_edges) == len(points)


def test_the_board_lies_left_of_every_wall() -> None:
    from matplotlib.path import Path

    for board in (front_only_board(), reference_board(), rectangular_board(open_edges="sides")):
        path = Path(np.vstack([board.outline, board.outline[:1]]))
        assert len(board.walls) == board.outline_edges.count("railed")
        for x1, y1, x2, y2 in board.walls:
            length = math.hypot(x2 - x1, y2 - y1)
            middle = np.array([(x1 + x2) / 2, (y1 + y2) / 2])
            left = np.array([-(y2 - y1), x2 - x1]) / length
            assert path.contains_point(middle + 0.01 * left)
            assert not path.contains_point(middle - 0.01 * left)


def test_zone_and_pins_of_the_default_board() -> None:
    board = default_board()
    assert board.zone == (-80.0, 0.0)
    assert [x for x, _ in board.pins] == [-128.0, -128.0]
    assert board.pusher.profile() == ((0.0, -109.0), (0.0, 109.0))


def test_facts_per_kind() -> None:
    board = default_board()
    assert board.radii.tolist() == [21.0, 16.0, 11.0]
    assert board.masses.tolist() == [2.52, 1.60, 0.87]
    assert board.prices.tolist() == [3, 2, 1]
    assert [(k.count, k.reserve) for k in board.kinds] == [(7, 2), (10, 2), (15, 0)]  # THR-01, THR-03
    assert board.kinds[0].contact.radius == pytest.approx(20.4)
    assert [board.kind_index(k) for k in ("big", "small", 1, np.int64(2))] == [0, 2, 1, 2]
    for wrong in ("huge", 3, -1, True, "0"):
        with pytest.raises(InputError, match="must be one of big, medium, small"):
            board.kind_index(wrong)


@pytest.mark.parametrize("name", ["radii", "masses", "prices", "outline", "walls"])
def test_the_arrays_of_a_board_cannot_be_changed(name: str) -> None:
    board = front_only_board()
    getattr(board, name)  # cached before it is copied
    for twin in (board, pickle.loads(pickle.dumps(board)), copy.deepcopy(board)):
        assert twin == board
        with pytest.raises(ValueError, match="read-only"):
            getattr(twin, name)[0] = 7


def test_boards_are_equal_by_value_and_can_be_keys() -> None:
    assert default_board() == default_board()
    assert default_board() != front_only_board()
    assert len({default_board(), default_board(), front_only_board()}) == 2


def test_a_boards_hash_stays_in_its_process() -> None:
    """The hash of a text differs from process to process: a copy that brought it along would not be found."""
    board = default_board()
    hash(board)
    assert set(board.__getstate__()) == set(Board.__dataclass_fields__)


def test_unknown_presets_list_the_known_ones() -> None:
    with pytest.raises(InputError, match='board: must be one of default, front-only, reference, got "x"'):
        board_by_name("x")


# -- polygons -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("corners", "crosses"),
    [
        (((0, 0), (2, 0), (2, 2), (0, 2)), False),
        (((0, 0), (2, 2), (2, 0), (0, 2)), True),  # bow tie
        (((0, 0), (2, 0), (2, 2), (1, 0), (0, 2)), True),  # a corner on an edge
        (((0, 0), (2, 0), (2, 0), (0, 2)), True),  # a corner twice in a row
        (((0, 0), (3, 0), (1, 0), (0, 2)), True),  # folds back
        (((0, 0), (1, 0), (2, 0), (2, 2)), False),  # a corner on a straight edge is allowed
        (((0, 0), (4, 0), (4, 4), (2, 1), (0, 4)), False),  # a notch
    ],
)
def test_self_crossing(corners: tuple[tuple[float, float], ...], crosses: bool) -> None:
    for k in range(len(corners)):
        turned = corners[k:] + corners[:k]
        assert crosses_itself(turned) is crosses
        assert crosses_itself(turned[::-1]) is crosses


def test_spans_of_a_notched_shape() -> None:
    notched = ((0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (2.0, 1.0), (0.0, 4.0))
    assert spans_at(notched, 1.0) == [(0.0, 2.5)]
    u = ((0.0, 0.0), (4.0, 0.0), (4.0, 1.0), (1.0, 1.0), (1.0, 3.0), (4.0, 3.0), (4.0, 4.0), (0.0, 4.0))
    assert spans_at(u, 2.0) == [(0.0, 1.0), (3.0, 4.0)]
    assert spans_at(u, 5.0) == []


def test_the_tight_spot_is_found_between_the_ends() -> None:
    waist = ((0.0, -5.0), (0.0, 5.0), (-3.0, 2.0), (-8.0, 5.0), (-8.0, -5.0))
    assert tight_spot(waist, -8.0, 0.0, 1.9) is None
    x, width = tight_spot(waist, -8.0, 0.0, 2.5) or (0.0, 0.0)
    assert x == -3.0
    assert width == pytest.approx(4.0, abs=1e-6)
