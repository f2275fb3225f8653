"""K4 and K12 for the quasi-static engine: mirror, scaling, order of the disks; and the same bytes every time.

Every push is carried out in a frame of its own, so that mirror images and other orders agree bit for bit.
That the kernel itself has no side and no order is asked of it in two different frames: there ordinary pushes
agree to rounding and to the tolerance of the steps, which a push carries on.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from tests.physics.quasistatic.scenes import BOARD, MEDIUM, any_push, midgame_case, slow, sound
from thrillsim.board import Board, DiskKind, Layout, Patch, Pusher, rectangular_board
from thrillsim.board.opening import opening
from thrillsim.physics import Push, PushResult, WeightOn
from thrillsim.physics.quasistatic import frame
from thrillsim.physics.quasistatic.engine import SETTINGS

MIRROR = np.array([1.0, -1.0, -1.0])


def mirrored(layout: Layout, one: Push) -> tuple[Layout, Push]:
    weight = one.weight and replace(one.weight, dy=-one.weight.dy)
    other = replace(
        one, y=-one.y, angle=-one.angle, yaw=-one.yaw, tilt=(one.tilt[0], -one.tilt[1]), weight=weight
    )
    return Layout(layout.kind, layout.x, -layout.y, -layout.angle), other


def same(a: PushResult, b: PushResult) -> bool:
    return (
        a.fallen == b.fallen
        and a.poses.tobytes() == b.poses.tobytes()
        and (a.advance, a.certificate) == (b.advance, b.certificate)
    )


def any_case(seed: int) -> tuple[Layout, Push]:
    layout, one = (
        midgame_case(seed) if seed % 2 else (opening(BOARD, seed), Push("big", -30.0, 7.0 * seed - 20))
    )
    return layout, replace(one, angle=0.2, yaw=0.01 * (seed % 3), tilt=(0.02, -0.03 * (seed % 2)))


def assert_mirrored(a: PushResult, b: PushResult) -> None:
    """Bit for bit, the trace too."""
    np.testing.assert_array_equal(a.poses * MIRROR, b.poses)
    assert [(f.index, f.x, -f.y, f.advance) for f in a.fallen] == [
        (f.index, f.x, f.y, f.advance) for f in b.fallen
    ]
    assert (a.advance, a.certificate) == (b.advance, b.certificate)
    assert a.trace is not None
    assert b.trace is not None
    np.testing.assert_array_equal(a.trace.poses * MIRROR, b.trace.poses)
    np.testing.assert_array_equal(a.trace.force, b.trace.force)


@pytest.mark.parametrize("seed", range(8))
def test_mirrored_push_has_the_mirrored_result_bit_for_bit(seed):
    layout, one = any_case(seed)
    assert_mirrored(slow(layout, one, trace=True), slow(*mirrored(layout, one), trace=True))


@pytest.mark.parametrize("y", [-31.0, 0.0])
def test_mirrored_push_with_the_weight(y):
    layout = opening(BOARD, 5)
    one = Push("big", -22.0, y, weight=WeightOn(3, 1.0, -2.0))
    assert_mirrored(slow(layout, one, trace=True), slow(*mirrored(layout, one), trace=True))


@pytest.mark.parametrize("seed", range(8))
def test_the_kernel_prefers_no_side(seed, monkeypatch):
    layout, one = any_case(seed)
    a = slow(layout, one)
    usual = frame.side_of
    monkeypatch.setattr(frame, "side_of", lambda layout, push: -usual(layout, push))
    b = slow(layout, one)
    assert sound(a)
    assert sound(b)
    assert a.fell == b.fell
    assert not np.array_equal(a.poses, b.poses)  # it was another frame
    # where two events all but coincide, rounding decides which ends a step: other steps, another small error
    apart = 1e-6 if a.certificate.steps == b.certificate.steps else 1e-5
    np.testing.assert_allclose(a.poses, b.poses, atol=apart)
    assert [f.advance for f in a.fallen] == pytest.approx([f.advance for f in b.fallen], abs=1e-6)


def test_push_that_is_its_own_mirror_image_stays_in_the_middle():
    layout = Layout([MEDIUM] * 3, [40.0, 60.0, 60.0], [0.0, 30.0, -30.0])
    result = slow(layout, Push("big", -22.0, 0.0))
    assert sound(result)
    assert result.poses[[0, 3], 1:] == pytest.approx(np.zeros((2, 2)), abs=1e-9)
    np.testing.assert_allclose(result.poses[1] * MIRROR, result.poses[2], atol=1e-9)


# -- K12 --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_masses_board_friction_and_gravity_scale_out(seed):
    layout, one = midgame_case(seed)
    plain = slow(layout, one, trace=True)
    heavy = replace(
        BOARD,
        kinds=tuple(replace(k, mass=4 * k.mass) for k in BOARD.kinds),
        weight=replace(BOARD.weight, mass=4 * BOARD.weight.mass),
    )
    assert same(plain, slow(layout, one, board=heavy))  # a power of two: exactly
    for mu in (0.05, 0.3, 0.9):  # a sweep over the board's friction is flat
        board = replace(BOARD, friction=replace(BOARD.friction, board=mu), gravity=700.0)
        other = slow(layout, one, board=board, trace=True)
        assert plain.poses.tobytes() == other.poses.tobytes()
        np.testing.assert_allclose(
            other.trace.force, plain.trace.force * (mu / 0.3 * 700.0 / 9810.0), rtol=1e-12
        )


def grown(k: float) -> Board:
    kinds = tuple(
        DiskKind(d.name, k * d.radius, d.mass, price=d.price, patch=Patch("ring", k * d.contact.radius))
        for d in BOARD.kinds
    )
    pusher = Pusher(width=k * 218.0, depth=k * 48.0, travel=k * 80.0)
    return rectangular_board(
        depth=k * 122.0,
        width=k * 220.0,
        slide_depth=k * 138.0,
        slide_width=k * 220.0,
        pusher=pusher,
        kinds=kinds,
    )


@pytest.mark.parametrize("seed", range(4))
def test_lengths_scale_out(seed):
    """Twice the lengths and twice the steps: the same path, doubled (the snap is a fixed length)."""
    settings = SETTINGS["standard"]
    layout, one = midgame_case(seed)
    plain = slow(layout, one)
    double = Layout(layout.kind, 2 * layout.x, 2 * layout.y, layout.angle)
    other = slow(
        double,
        replace(one, x=2 * one.x, y=2 * one.y),
        board=grown(2.0),
        settings=replace(settings, step=2 * settings.step, soft=2 * settings.soft),
    )
    assert sound(plain)
    assert sound(other)
    assert other.fell == plain.fell
    np.testing.assert_allclose(other.poses[:, :2] / 2, plain.poses[:, :2], atol=0.02)


# -- order and repetition -----------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(8))
def test_order_of_the_disks_changes_no_bit(seed):
    layout, one = midgame_case(seed)
    heavy = replace(one, weight=WeightOn(3, 1.0, -2.0))
    order = np.random.default_rng(seed).permutation(len(layout))
    place = np.argsort(order)
    there = replace(one, weight=WeightOn(int(place[3]), 1.0, -2.0))
    for first, second in ((one, one), (heavy, there)):
        a, b = slow(layout, first, trace=True), slow(layout.take(order), second, trace=True)
        back = [*place.tolist(), len(layout)]
        np.testing.assert_array_equal(a.poses, b.poses[back])
        assert [f.index for f in a.fallen] == [[*order.tolist(), len(layout)][f.index] for f in b.fallen]
        assert (a.advance, a.certificate) == (b.advance, b.certificate)
        assert a.trace is not None
        assert b.trace is not None
        np.testing.assert_array_equal(a.trace.poses, b.trace.poses[:, back])
        np.testing.assert_array_equal(a.trace.standing, b.trace.standing[:, back])
        np.testing.assert_array_equal(a.trace.force, b.trace.force)


def test_the_kernel_prefers_no_order(monkeypatch):
    apart = []
    for seed in range(8):
        layout, one = midgame_case(seed)
        a = slow(layout, one)
        order = np.random.default_rng(seed).permutation(len(layout) + 1)
        other = frame.Frame(order, frame.side_of(layout, one))
        with monkeypatch.context() as patched:
            patched.setattr(frame.Frame, "of", lambda layout, push, other=other: other)
            b = slow(layout, one)
        assert sound(a)
        assert sound(b)
        assert a.fell == b.fell
        apart.append(np.abs(a.poses - b.poses).max())
    assert 0.0 < max(apart) < 1e-7, apart


def test_same_bytes_whatever_ran_before_and_from_any_thread():
    cases = [midgame_case(seed) for seed in range(6)]
    cases += [(opening(BOARD, 6), replace(any_push(np.random.default_rng(k)), yaw=0.01)) for k in range(4)]
    first = [slow(*case) for case in cases]
    again = [slow(*case) for case in reversed(cases)][::-1]
    assert all(same(a, b) for a, b in zip(first, again, strict=True))
    with ThreadPoolExecutor(4) as pool:
        threaded = list(pool.map(lambda case: slow(*case), cases * 3))
    assert all(same(a, b) for a, b in zip(first * 3, threaded, strict=True))
