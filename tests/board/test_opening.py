"""Openings: legal, repeatable, unbiased, and refused when they cannot fit."""

from __future__ import annotations

import dataclasses
import itertools
import math

import numpy as np
import pytest
from scipy import stats

from thrillsim.board import (
    THRILL_KINDS,
    Board,
    Surface,
    default_board,
    front_only_board,
    opening,
    rectangle,
    rectangular_board,
    reference_board,
    verified_opening,
)
from thrillsim.board.layout import Layout
from thrillsim.errors import InputError

SLIDING = rectangle(-138.0, 0.0, 220.0, railed=("left", "right"))


def outline_board(*corners: tuple[float, float]) -> Board:
    return Board(Surface(corners, ("open",) * len(corners)), SLIDING)


def clearance(board: Board, layout: Layout) -> float:
    """Smallest distance of a rim to the edge of the playing surface, by an independent route (mpl path)."""
    from matplotlib.path import Path

    corners = np.array(board.playing.vertices)
    closed = np.vstack([corners, corners[:1]])
    # 0.05 mm apart all along the outline: the nearest sample is at most 0.025 mm off the true foot
    samples = np.concatenate(
        [
            a + np.linspace(0, 1, int(np.hypot(*(b - a)) / 0.05) + 2)[:, None] * (b - a)
            for a, b in itertools.pairwise(closed)
        ]
    )
    centres = np.stack([layout.x, layout.y], axis=1)
    assert Path(closed).contains_points(centres).all()
    nearest = [np.hypot(*(samples - c).T).min() for c in centres]
    return float((np.array(nearest) - layout.radii(board)).min())


def smallest_gap(board: Board, layout: Layout) -> float:
    r = layout.radii(board)
    return min(
        math.dist((layout.x[i], layout.y[i]), (layout.x[j], layout.y[j])) - r[i] - r[j]
        for i in range(len(layout))
        for j in range(i)
    )


BOARDS = {
    "default": default_board(),
    "front-only": front_only_board(),
    "reference": reference_board(),
    "round front": outline_board(
        (0.0, -110.0),
        *[(60 + 70 * math.cos(t), 110 * math.sin(t)) for t in np.linspace(-math.pi / 2, math.pi / 2, 25)],
        (0.0, 110.0),
    ),
    "u": outline_board(
        (0, -110), (160, -110), (160, -30), (90, -30), (90, 30), (160, 30), (160, 110), (0, 110)
    ),
    "triangle": outline_board((0, -110), (60, -140), (260, 0), (60, 140), (0, 110)),
}


@pytest.mark.parametrize("name", BOARDS)
def test_every_opening_is_legal(name: str) -> None:
    board = BOARDS[name]
    for seed in range(6):
        layout = opening(board, seed)
        counts = np.bincount(layout.kind, minlength=len(board.kinds)).tolist()
        assert counts == [k.count - k.reserve for k in board.kinds]
        assert smallest_gap(board, layout) >= 0.0
        assert clearance(board, layout) >= -1e-9
        assert layout.check(board, tolerance=0.0) is layout


def test_the_default_opening_has_28_disks_at_packing_071() -> None:
    board = default_board()
    layout = opening(board, 0)
    assert np.bincount(layout.kind).tolist() == [5, 8, 15]
    area = math.pi * (5 * 21**2 + 8 * 16**2 + 15 * 11**2)
    assert layout.packing(board) == pytest.approx(area / (122 * 220), rel=1e-12)
    assert round(layout.packing(board), 3) == 0.710


def test_the_same_seed_gives_the_same_bytes_whatever_ran_before() -> None:
    board = default_board()
    first = opening(board, 42)
    assert opening(board, 43) != first
    assert opening(board, 42) == first
    rng = np.random.default_rng(42)
    assert opening(board, rng) == first
    assert opening(board, rng) != first  # the generator has moved on


@pytest.fixture(scope="module")
def sample() -> tuple[np.ndarray, np.ndarray]:
    """Centres of 200 openings, (200, 28) each; disk i has the same kind in all of them."""
    board = default_board()
    layouts = [opening(board, seed) for seed in range(200)]
    return np.array([o.x for o in layouts]), np.array([o.y for o in layouts])


@pytest.mark.parametrize("axis", ["left/right", "rear/front"])
def test_openings_have_no_preferred_side(sample: tuple[np.ndarray, np.ndarray], axis: str) -> None:
    """The surface is its own mirror image in both axes, and so must the distribution be.

    Disks of one opening depend on each other, openings do not: the tests therefore compare one number
    per opening.  For each kind: mean (t), spread between the two halves (sign of the median), share
    near one edge against share near the other (t of the difference).  All at 1 in 1000.
    """
    x, y = sample
    u = y / 110 if axis == "left/right" else (x - 61) / 61
    first = 0
    for count in (5, 8, 15):
        mine = u[:, first : first + count]
        first += count
        assert stats.ttest_1samp(mine.mean(axis=1), 0.0).pvalue > 1e-3
        assert stats.wilcoxon(np.median(mine, axis=1)).pvalue > 1e-3
        for quantile in (0.5, 0.75):
            edge = np.quantile(np.abs(mine), quantile)
            balance = (mine > edge).sum(axis=1) - (mine < -edge).sum(axis=1)
            assert stats.ttest_1samp(balance, 0.0).pvalue > 1e-3


def test_the_test_above_sees_a_bias_of_two_millimetres(sample: tuple[np.ndarray, np.ndarray]) -> None:
    _, y = sample
    for kind in (slice(0, 5), slice(5, 13), slice(13, 28)):
        assert stats.ttest_1samp((y[:, kind] + 6.0).mean(axis=1), 0.0).pvalue < 1e-3


def test_openings_that_cannot_fit_are_refused_with_their_packing() -> None:
    crowded = rectangular_board(depth=100.0, width=200.0)
    with pytest.raises(InputError, match=r"^disks: 28 disks at packing 0\.953 cannot fit"):
        opening(crowded, 0)
    tight = rectangular_board(depth=108.0, width=208.0)
    with pytest.raises(InputError, match=r"^disks: 28 disks at packing 0\.849 found no place"):
        opening(tight, 0)
    narrow = rectangular_board(depth=40.0, width=800.0)
    with pytest.raises(InputError, match=r"packing 0\.596: the playing surface has no room even for one big"):
        opening(narrow, 0)


@pytest.mark.parametrize("rng", [-1, 1.5, "1", None, True])
def test_a_seed_is_a_whole_number(rng: object) -> None:
    with pytest.raises(InputError, match=r"^rng: must be a Generator or a whole number >= 0, got "):
        opening(default_board(), rng)  # type: ignore[arg-type]


def test_a_strip_as_deep_as_its_disks_is_enough() -> None:
    kinds = (dataclasses.replace(THRILL_KINDS[0], count=4, reserve=0),)
    layout = opening(rectangular_board(depth=42.05, width=220.0, kinds=kinds), 3)
    assert np.all((layout.x >= 21.0) & (layout.x <= 21.05))


def test_a_board_whose_disks_all_start_beside_it_opens_empty() -> None:
    kinds = (dataclasses.replace(THRILL_KINDS[0], reserve=7),)
    assert len(opening(rectangular_board(kinds=kinds), 0)) == 0


def test_the_verified_opening_keeps_its_promise() -> None:
    board = default_board()
    layout = verified_opening(board)
    assert np.bincount(layout.kind).tolist() == [5, 8, 15]
    assert 0.27 <= smallest_gap(board, layout) < 0.28
    assert clearance(board, layout) >= -1e-9
    with pytest.raises(InputError, match="must be one of"):
        verified_opening(rectangular_board(kinds=THRILL_KINDS[:2]))
