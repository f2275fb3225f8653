"""Properties of any push: random boards, layouts, placements, friction 0 ... 1, weights, tilt and yaw."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.physics.quasistatic.scenes import RESIDUAL, slow, sound
from thrillsim.board import (
    Board,
    DiskKind,
    Friction,
    Layout,
    Patch,
    Pusher,
    Surface,
    rectangle,
    rectangular_board,
)
from thrillsim.board.layout import support_margin_of, wall_distance
from thrillsim.errors import InputError
from thrillsim.physics import Push, PushResult, WeightOn
from thrillsim.physics.types import check_push

KINDS = (
    DiskKind("big", 21.0, 2.52, price=3),
    DiskKind("solid", 16.0, 1.6, price=2, patch=Patch("disk", 15.0)),
    DiskKind("annulus", 13.0, 1.1, price=1, patch=Patch("annulus", 12.0, 7.0)),
    DiskKind("small", 11.0, 0.87, price=1),
)
PUSHER = Pusher(width=118.0, depth=40.0, travel=60.0)
SLIDING = rectangle(-110.0, 0.0, 120.0, railed=("right", "left"))
#: odd outlines of the playing surface: a trapezium, an L with a re-entrant corner, a dent at the front
OUTLINES = {
    "trapezium": (((0, -60), (90, -90), (90, 70), (0, 60)), ("open",) * 4),
    "ell": (
        ((0, -60), (120, -60), (120, 0), (70, 0), (70, 80), (0, 80)),
        ("railed", "open", "open", "open", "open", "railed"),
    ),
    "dent": (((0, -70), (100, -70), (75, 0), (100, 70), (0, 70)), ("open",) * 5),
}


@st.composite
def boards(draw) -> Board:
    mu = st.sampled_from([0.0, 0.05, 0.25, 0.5, 1.0])
    friction = Friction(draw(st.sampled_from([0.1, 0.3, 0.8])), draw(mu), draw(mu), draw(mu))
    name = draw(st.sampled_from(["rectangle", *OUTLINES]))
    if name == "rectangle":
        return rectangular_board(
            depth=draw(st.floats(60.0, 140.0)), width=140.0, slide_depth=110.0, slide_width=120.0,
            open_edges=draw(st.sampled_from(["front", "front+sides", "front+left"])),
            pusher=PUSHER, friction=friction, kinds=KINDS,
        )  # fmt: skip
    vertices, edges = OUTLINES[name]
    after = vertices[1:] + vertices[:1]
    edges = tuple(
        "railed" if v[0] == 0 == w[0] else e for v, w, e in zip(vertices, after, edges, strict=True)
    )
    playing = Surface(tuple((float(x), float(y)) for x, y in vertices), edges)
    return Board(playing, SLIDING, PUSHER, friction, KINDS)


@st.composite
def cases(draw) -> tuple[Board, Layout, Push]:
    board = draw(boards())
    rng = np.random.default_rng(draw(st.integers(0, 2**20)))
    kinds: list[int] = []
    places = np.zeros((0, 2))
    low, high = board.outline.min(axis=0), board.outline.max(axis=0)
    for _ in range(draw(st.integers(0, 60))):
        k = int(rng.integers(len(KINDS)))
        r = KINDS[k].radius
        x, y = float(rng.uniform(max(r, low[0]), high[0])), float(rng.uniform(low[1], high[1]))
        free = np.hypot(*(places - (x, y)).T) - board.radii[kinds] > r if kinds else np.ones(1, bool)
        walls = (
            wall_distance(np.array([x]), np.array([y]), board.walls)
            if len(board.walls)
            else np.full((1, 1), 1e9)
        )
        if free.all() and walls.min() > r and support_margin_of(board, k, x, y) > 1e-3:
            kinds.append(k)
            places = np.vstack([places, (x, y)])
    layout = Layout(kinds, places[:, 0], places[:, 1], rng.uniform(-3, 3, len(kinds)))
    k = int(rng.integers(len(KINDS)))
    r = KINDS[k].radius
    one = Push(
        k, float(rng.uniform(-60 + r, -r)), float(rng.uniform(-60 + r, 60 - r)), float(rng.uniform(-3, 3))
    )
    if draw(st.booleans()):
        one = replace(one, yaw=0.02, tilt=(0.01, -0.02))
    if kinds and draw(st.booleans()):
        i = int(rng.integers(len(kinds)))
        size, turn = 0.6 * KINDS[kinds[i]].radius * rng.uniform(), rng.uniform(0, 6.28)
        weighted = replace(
            one, weight=WeightOn(i, float(size * math.cos(turn)), float(size * math.sin(turn)))
        )
        try:
            check_push(board, layout, weighted)
            one = weighted
        except InputError:
            pass  # no room for the weight there
    return board, layout, one


def linked_from_the_pusher(result: PushResult) -> set[int]:
    """Disks that a chain of near contacts, at any recorded instant, joins to the pusher."""
    trace, board, kinds = result.trace, result.board, result.before.kind
    radii = board.radii[kinds]
    reached: set[int] = set()
    slack = 0.05
    for t in range(len(trace.advance)):
        poses, stands = trace.poses[t], set(np.flatnonzero(trace.standing[t]).tolist())
        front = trace.advance[t] - board.pusher.travel
        lean = abs(math.sin(result.push.yaw)) * board.pusher.width
        chain = {i for i in stands if poses[i, 0] - radii[i] < front + slack + lean}
        while True:
            more = {
                j
                for i in chain
                for j in stands - chain
                if math.hypot(*(poses[i, :2] - poses[j, :2])) < radii[i] + radii[j] + slack
            }
            if not more:
                break
            chain |= more
        reached |= chain
    return reached


@settings(max_examples=30)
@given(cases())
def test_any_push_ends_soundly_and_moves_only_what_is_pushed(case):
    board, layout, one = case
    result = slow(layout, one, board=board, trace=True)
    c = result.certificate
    assert 0 <= result.advance <= board.pusher.travel
    assert c.unconverged == 0
    assert c.overlap <= 1e-6
    assert max(c.force, c.complementarity, c.power) <= RESIDUAL
    assert result.layout.overlap(board) <= 1e-6
    assert len(result.layout) + len(result.fallen) == len(result.before)
    reached = linked_from_the_pusher(result)
    start = np.stack([layout.x, layout.y, layout.angle], axis=1)
    for i in range(len(layout)):
        if i not in reached:
            assert result.poses[i].tobytes() == start[i].tobytes(), i  # at rest: the very same bytes
    for fall in result.fallen:
        if fall.during == "push":
            assert fall.index in {*reached, len(layout)}


@settings(max_examples=15)
@given(cases())
def test_any_push_gives_the_same_bytes_again(case):
    board, layout, one = case
    a, b = (slow(layout, one, board=board) for _ in range(2))
    assert a.poses.tobytes() == b.poses.tobytes()
    assert (a.fallen, a.certificate, a.advance) == (b.fallen, b.certificate, b.advance)


def decided(board: Board, layout: Layout, one: Push) -> PushResult | None:
    """The result, unless a hair in where the new disk is put changes it much: then order and side may too."""
    a, b = slow(layout, one, board=board), slow(layout, replace(one, y=one.y * (1 - 1e-8)), board=board)
    if not (sound(a) and sound(b)) or a.fell != b.fell or np.abs(a.poses - b.poses).max() > 1e-4:
        return None
    return a


@settings(max_examples=15)
@given(cases(), st.randoms(use_true_random=False))
def test_order_of_the_disks_changes_nothing_beyond_rounding(case, random):
    board, layout, one = case
    right = decided(board, layout, one)
    if right is None or not len(layout):
        return
    order = list(range(len(layout)))
    random.shuffle(order)
    if one.weight is not None:
        one = replace(one, weight=replace(one.weight, disk=order.index(one.weight.disk)))
    other = slow(layout.take(np.array(order)), one, board=board)
    assert sorted(order[i] if i < len(order) else i for i in other.fell) == list(right.fell)
    np.testing.assert_allclose(other.poses[:-1], right.poses[order], atol=1e-3)


@settings(max_examples=15)
@given(cases())
def test_mirrored_board_gives_the_mirrored_result(case):
    board, layout, one = case
    right = decided(board, layout, one)
    if right is None:
        return
    weight = one.weight and replace(one.weight, dy=-one.weight.dy)
    mirrored = replace(
        one, y=-one.y, angle=-one.angle, yaw=-one.yaw, tilt=(one.tilt[0], -one.tilt[1]), weight=weight
    )
    other = slow(Layout(layout.kind, layout.x, -layout.y, -layout.angle), mirrored, board=flipped(board))
    assert other.fell == right.fell
    np.testing.assert_allclose(other.poses * [1, -1, -1], right.poses, atol=1e-3)


def flipped(board: Board) -> Board:
    def surface(s: Surface) -> Surface:
        n = len(s.vertices)
        return Surface(
            tuple((x, -y) for x, y in s.vertices[::-1]), tuple(s.edges[(n - 2 - i) % n] for i in range(n))
        )

    return replace(board, playing=surface(board.playing), sliding=surface(board.sliding))


@pytest.mark.soak
@settings(max_examples=1000)
@given(cases())
def test_a_thousand_pushes_are_sound(case):
    board, layout, one = case
    result = slow(layout, one, board=board)
    assert sound(result), result.certificate
