"""The support rule: closed forms at edges and corners, and the hull of densely sampled patch points."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from matplotlib.path import Path
from scipy.spatial import ConvexHull, QhullError

from thrillsim.board import support
from thrillsim.board.layout import support_margin_of
from thrillsim.board.presets import default_board, reference_board
from thrillsim.board.support import (
    MAX_CROSSINGS,
    circle_crossings,
    edge_distance,
    inside,
    support_margin,
    supported_arcs,
)

HALF_PLANE = np.array([(-500.0, -500.0), (0.0, -500.0), (0.0, 500.0), (-500.0, 500.0)])  # board: x < 0
QUADRANT = np.array(
    [(0.0, 0.0), (500.0, 0.0), (500.0, 500.0), (0.0, 500.0)]
)  # 90 degree corner at the origin
R = 15.0
PATCHES = {"ring": R, "disk": 0.0, "annulus": 9.0}  # inner radius


@pytest.mark.parametrize("shape", PATCHES)
@pytest.mark.parametrize("d", [14.9, 9.0, 5.0, 1e-6, 0.0, -1e-6, -4.0, -14.9])
def test_at_a_straight_edge_the_margin_is_the_distance_of_the_load(shape: str, d: float) -> None:
    """K9: whatever the patch, the chord (or the area behind it) ends at the edge."""
    margin = support_margin(HALF_PLANE, -d, 3.0, R, PATCHES[shape], -d, 3.0)
    assert margin == pytest.approx(min(d, R), abs=1e-9)


@pytest.mark.parametrize("shape", PATCHES)
def test_a_load_off_centre_counts_not_the_centre(shape: str) -> None:
    """A weight on the inner side holds a disk whose own centre is outside, and the other way round."""
    inner = PATCHES[shape]
    assert support_margin(HALF_PLANE, 4.0, 0.0, R, inner, -2.0, 0.0) == pytest.approx(2.0, abs=1e-9)
    assert support_margin(HALF_PLANE, -4.0, 0.0, R, inner, 2.0, 0.0) == pytest.approx(-2.0, abs=1e-9)
    # far from any edge the whole circle supports
    assert support_margin(HALF_PLANE, -200.0, 0.0, R, inner, -192.0, 6.0) == pytest.approx(R - 10.0, abs=1e-9)


def test_k10_a_ring_loses_its_support_in_a_corner_where_a_disk_still_stands() -> None:
    assert support_margin(QUADRANT, 1.0, 1.0, R, R, 1.0, 1.0) < 0  # ring
    # the solid disk reaches into the corner itself: 1 mm to either edge
    assert support_margin(QUADRANT, 1.0, 1.0, R, 0.0, 1.0, 1.0) == pytest.approx(1.0, abs=1e-9)
    # and an annulus whose hole swallows the corner falls
    assert support_margin(QUADRANT, 1.0, 1.0, R, 9.0, 1.0, 1.0) < 0


@pytest.mark.parametrize("d", [0.1, 1.0, 5.0, R / math.sqrt(2) - 1e-9, R / math.sqrt(2) + 1e-9, 12.0, 14.9])
def test_a_ring_in_a_corner_hangs_on_its_chord(d: float) -> None:
    """Centre (d, d), d < R / sqrt 2: the ring leaves the board at (s, 0) and (0, s), s = d + sqrt(R^2 - d^2).

    The chord between them passes the centre at (2 d - s) / sqrt 2.  From d = R / sqrt 2 on the ring also
    holds beyond both edges, and the nearest chord is the edge itself: d.
    """
    s = d + math.sqrt(R * R - d * d)
    expected = (2 * d - s) / math.sqrt(2) if d < R / math.sqrt(2) else d
    margin = support_margin(QUADRANT, d, d, R, R, d, d)
    if d < R / math.sqrt(2):
        assert margin == pytest.approx(expected, abs=1e-8)
        assert margin < 0
    else:
        assert margin > 0
        assert margin <= expected + 1e-9


def test_the_corner_threshold_of_a_ring_is_r_over_root_two() -> None:
    low, high = 0.1, 14.0
    for _ in range(60):
        d = (low + high) / 2
        low, high = (d, high) if support_margin(QUADRANT, d, d, R, R, d, d) < 0 else (low, d)
    assert low == pytest.approx(R / math.sqrt(2), abs=1e-6)


def test_across_a_notch_the_hull_counts() -> None:
    """A slot 6 mm wide under the centre: the disk stands on both banks, its centre over nothing."""
    slot = np.array([(-50.0, -50), (-3, -50), (-3, 40), (3, 40), (3, -50), (50, -50), (50, 50), (-50, 50)])
    assert not inside(slot, 0.0, 0.0)
    for inner in PATCHES.values():
        chord = math.sqrt(
            R * R - 9.0
        )  # the banks end the patch at y = -chord: hull edge y = -chord ... +chord
        assert support_margin(slot, 0.0, 0.0, R, inner, 0.0, 0.0) == pytest.approx(chord, abs=1e-9)


def test_across_a_notch_the_hull_counts_only_as_far_as_the_patch_reaches() -> None:
    """The same slot, wider than the patch: nothing carries."""
    slot = np.array(
        [(-50.0, -50), (-16, -50), (-16, 40), (16, 40), (16, -50), (50, -50), (50, 50), (-50, 50)]
    )
    for inner in PATCHES.values():
        assert support_margin(slot, 0.0, 0.0, R, inner, 0.0, 0.0) == -R


def test_a_patch_wider_than_a_peninsula() -> None:
    """A tongue 10 mm wide: a ring stands where it crosses it, its tip carries a solid disk only."""
    tongue = np.array([(-100.0, -5.0), (4.0, -5.0), (4.0, 5.0), (-100.0, 5.0)])
    assert support_margin(tongue, 0.0, 0.0, R, 0.0, 0.0, 0.0) == pytest.approx(4.0, abs=1e-9)
    # the annulus stands on what lies between its two circles, up to x = -sqrt(81 - 25)
    end = math.sqrt(81.0 - 25.0)
    assert support_margin(tongue, 0.0, 0.0, R, 9.0, -10.0, 0.0) == pytest.approx(10.0 - end, abs=1e-9)
    # the ring touches the tongue at x = -sqrt(R^2 - 25) .. -R only
    assert support_margin(tongue, 0.0, 0.0, R, R, 0.0, 0.0) == pytest.approx(
        -math.sqrt(R * R - 25.0), abs=1e-9
    )


def test_a_circle_that_enters_through_a_corner_is_cut_there_whatever_the_rounding() -> None:
    """By a rounding error the corner may belong to both of its edges or to none of them."""
    arcs = np.empty((MAX_CROSSINGS, 2))
    for angle in np.linspace(1.7, 3.0, 300):
        # centre left of the quadrant: in at (0, 0), out at (0, 2 cy)
        cx, cy = 7.3 * math.cos(angle), 7.3 * math.sin(angle)
        radius = math.hypot(cx, cy)
        assert supported_arcs(QUADRANT, cx, cy, radius, arcs) == 1
        half = math.acos(-cx / radius)
        assert arcs[0] == pytest.approx([-half, half], abs=1e-6)


# -- against sampled points --------------------------------------------------------------


@st.composite
def polygons(draw: st.DrawFn) -> np.ndarray:
    """Star-shaped outlines, often far from convex, about as large as a patch or larger."""
    n = draw(st.integers(3, 9))
    steps = np.array(draw(st.lists(st.floats(0.3, 1.0), min_size=n, max_size=n)))
    angles = np.cumsum(steps) / steps.sum() * 2 * math.pi
    radii = np.array(draw(st.lists(st.floats(8.0, 60.0), min_size=n, max_size=n)))
    return np.stack([radii * np.cos(angles), radii * np.sin(angles)], axis=1)


def along(outline: np.ndarray) -> np.ndarray:
    """Points on the outline, less than 0.06 mm apart."""
    closed = np.vstack([outline, outline[:1]])
    return np.concatenate(
        [a + np.linspace(0, 1, 2000)[:, None] * (b - a) for a, b in itertools.pairwise(closed)]
    )


def sampled_margin(outline: np.ndarray, c: np.ndarray, inner: float, load: np.ndarray) -> float | None:
    """Signed distance of the load to the hull of patch points on the board; None if they span no area."""
    t = np.linspace(-math.pi, math.pi, 8001)[:-1]
    rim = c + R * np.stack([np.cos(t), np.sin(t)], axis=1)
    points = rim[Path(np.vstack([outline, outline[:1]])).contains_points(rim)]
    if inner < R:
        edge = along(outline)
        distance = np.hypot(*(edge - c).T)
        points = np.concatenate([points, edge[(distance >= inner) & (distance <= R)]])
    try:
        hull = ConvexHull(points)
    except (QhullError, ValueError):  # no points, or all on one line
        return None
    if hull.volume < 0.5:
        return None
    return float(-(hull.equations[:, :2] @ load + hull.equations[:, 2]).max())


@given(
    outline=polygons(),
    centre=st.tuples(st.floats(-50.0, 50.0), st.floats(-50.0, 50.0)),
    offset=st.tuples(st.floats(-12.0, 12.0), st.floats(-12.0, 12.0)),
    inner=st.sampled_from(list(PATCHES.values())),
)
def test_against_the_hull_of_sampled_points(
    outline: np.ndarray, centre: tuple[float, float], offset: tuple[float, float], inner: float
) -> None:
    c = np.array(centre)
    load = c + np.array(offset)
    expected = sampled_margin(outline, c, inner, load)
    assume(expected is not None)
    margin = support_margin(outline, *c, R, inner, *load)
    assert expected is not None
    if expected > 0.01:  # inside: the distance itself
        assert margin == pytest.approx(expected, abs=0.02)
    elif expected < -0.01:
        assert margin < 0.01


@given(
    outline=polygons(),
    centre=st.tuples(st.floats(-50.0, 50.0), st.floats(-50.0, 50.0)),
    radius=st.floats(1.0, 40.0),
)
def test_arcs_cover_what_is_inside(outline: np.ndarray, centre: tuple[float, float], radius: float) -> None:
    arcs = np.empty((MAX_CROSSINGS, 2))
    count = supported_arcs(outline, *centre, radius, arcs)
    t = np.linspace(-math.pi, math.pi, 721)
    points = np.stack([centre[0] + radius * np.cos(t), centre[1] + radius * np.sin(t)], axis=1)
    truth = Path(np.vstack([outline, outline[:1]])).contains_points(points)
    for angle, point, on in zip(t, points, truth, strict=True):
        if edge_distance(outline, *point) < 1e-6:
            continue  # on the outline itself
        turns = angle + 2 * math.pi * np.arange(-1, 3)
        covered = ((arcs[:count, :1] <= turns) & (turns <= arcs[:count, 1:])).any()
        assert covered == on
    assert all(start < stop for start, stop in arcs[:count])


@given(outline=polygons(), point=st.tuples(st.floats(-70.0, 70.0), st.floats(-70.0, 70.0)))
def test_inside_and_edge_distance(outline: np.ndarray, point: tuple[float, float]) -> None:
    sampled = np.hypot(*(along(outline) - point).T).min()
    exact = edge_distance(outline, *point)
    assert exact <= sampled + 1e-9
    assert sampled - exact < 0.03
    if exact > 1e-9:
        assert inside(outline, *point) == Path(np.vstack([outline, outline[:1]])).contains_point(point)


def test_crossings_of_a_circle_with_a_straight_edge() -> None:
    out = np.empty(MAX_CROSSINGS)
    assert circle_crossings(HALF_PLANE, -3.0, 0.0, 5.0, out) == 2
    assert out[:2] == pytest.approx([-math.acos(3 / 5), math.acos(3 / 5)], abs=1e-12)
    assert circle_crossings(HALF_PLANE, -6.0, 0.0, 5.0, out) == 0


# -- on the real boards -------------------------------------------------------------------


def test_the_gap_between_the_surfaces_is_no_edge() -> None:
    """Playing and sliding surface are one plate: across x = 0 nothing tips."""
    board = default_board()
    for kind in range(3):
        full = board.kinds[kind].contact.radius
        assert support_margin_of(board, kind, 0.0, 0.0) == pytest.approx(full, abs=1e-9)
    reference = reference_board()
    # ... except over the shoulder, where the plate ends at x = 0
    assert support_margin_of(reference, 0, 4.0, 90.0) == pytest.approx(4.0, abs=1e-9)
    assert support_margin_of(reference, 0, 4.0, 0.0) == pytest.approx(2 * 20.0 / 3, abs=1e-9)


def test_the_functions_compile_and_agree_with_themselves() -> None:
    """The quasi-static engine compiles these very functions."""
    numba = pytest.importorskip("numba")
    names = ("inside", "edge_distance", "circle_crossings", "supported_arcs", "support_margin")
    compiled: dict[str, object] = {"math": math, "np": np, "MAX_CROSSINGS": MAX_CROSSINGS}
    for name in names:
        function = getattr(support, name)
        copy = type(function)(function.__code__, compiled, name, function.__defaults__)
        compiled[name] = numba.njit(copy)
    fast = compiled["support_margin"]
    outline = default_board().outline
    for x, y in [(60.0, 0.0), (121.0, 109.0), (123.0, 0.0), (115.0, -100.0), (108.0, 96.5), (110.0, 110.5)]:
        for inner in PATCHES.values():
            assert fast(outline, x, y, R, inner, x, y) == support_margin(outline, x, y, R, inner, x, y)  # type: ignore[operator]
