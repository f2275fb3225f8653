"""K11 at every step and K12 in lengths, for the rigid engine; test_rigid.py has the sums and the masses."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from thrillsim.board import Board, Friction, Layout, Pusher, default_board, rectangular_board
from thrillsim.board.opening import opening
from thrillsim.physics import Push, PushResult, push
from thrillsim.physics.rigid import SETTINGS
from thrillsim.physics.scene import Scene

BOARD = default_board()
BIG, MEDIUM, SMALL = 0, 1, 2


def touching() -> tuple[Layout, Push]:
    """Five disks in touch, off the middle, so that they spread and lose and find each other on the way."""

    def beside(place: tuple[float, float], kinds: tuple[int, int], degrees: float) -> tuple[float, float]:
        apart, turn = BOARD.radii[list(kinds)].sum(), math.radians(degrees)
        return place[0] + apart * math.cos(turn), place[1] + apart * math.sin(turn)

    new = (-21.5, 2.0)
    left, right = beside(new, (BIG, MEDIUM), 28.0), beside(new, (BIG, MEDIUM), -35.0)
    others = [left, right, beside(left, (MEDIUM, SMALL), 10.0), beside(right, (MEDIUM, BIG), -20.0)]
    x, y = zip(*others, strict=True)
    return Layout([MEDIUM, MEDIUM, SMALL, BIG], x, y), Push("big", *new)


# -- K11 ----------------------------------------------------------------------------------------------


def test_the_pusher_gives_what_the_board_takes_in_every_step():
    """Without rim friction, out of the trace alone: force = sum of mu m g times way per advance.

    Measured at 2 mm/s over 2657 rows: half of them within 0.03 %, 90 % within 0.04 %, 99 % within 0.4 %; 8
    rows are off by more than 1 %.  In those disks begin to move or meet others: the hit is over in one step,
    and what it costs beyond friction goes into motion.  In units of m v²/2 of all that moves that is 2 for
    one disk without bounce (half stays, half is lost); measured in all rows: -0.07 to 4.6, where several are
    hit at once.
    """
    smooth = replace(BOARD, friction=Friction(0.3, rim=0.0, pusher=0.0, rail=0.0))
    layout, one = touching()
    speed = 2.0
    result = push(smooth, layout, replace(one, speed=speed), engine="rigid", trace=True)
    trace = result.trace
    assert trace is not None
    assert trace.standing.all()  # one that falls would take its share along
    masses = smooth.masses[result.before.kind]
    advance = np.diff(trace.advance)
    under_way = advance > 1e-9  # the last row is the rest
    ways = np.hypot(*np.moveaxis(np.diff(trace.poses[:, :, :2], axis=0), 2, 0))
    ways = ways[under_way] / advance[under_way, None]
    friction = ways @ masses * smooth.friction.board * smooth.gravity
    excess = trace.force[1:][under_way] - friction
    assert len(excess) > 2000
    assert (ways > 0.1).sum(axis=1).max() == 5  # all of them move some time
    assert np.quantile(np.abs(excess) / friction, 0.9) < 1e-3
    assert np.quantile(np.abs(excess) / friction, 0.99) < 1e-2
    after = np.maximum(ways, np.vstack([ways[1:], ways[-1:]]))  # within its row a hit comes early or late
    energy = excess * speed * SETTINGS["standard"].dt
    motion = after**2 @ masses * speed**2 / 2
    assert (energy / motion).min() > -0.2
    assert (energy / motion).max() < 8


@pytest.mark.parametrize("accuracy", ["draft", "standard"])
def test_the_pusher_gives_what_board_and_rims_take_in_every_step(accuracy, monkeypatch):
    """With rim friction: what `Scene.powers` says of each row, which the certificate only adds up.

    Measured at 5 mm/s over 1021 and 1063 rows: 90 % within 0.02 %, 99 % within 0.03 %, and 5 and 3 rows off
    by more than 0.1 %: the hits of which the test above speaks.
    """
    rows = []
    powers = Scene.powers

    def noted(scene, velocity):
        rows.append(powers(scene, velocity))
        return rows[-1]

    monkeypatch.setattr(Scene, "powers", noted)
    layout, one = touching()
    result = push(BOARD, layout, replace(one, speed=5.0), engine="rigid", accuracy=accuracy, trace=True)
    given, taken = np.array(rows).T
    off = np.abs(given - taken) / np.maximum(given, taken)
    assert len(off) == len(result.trace.force) - 2  # but for the start and the rest
    assert np.quantile(off, 0.99) < 1e-3
    assert result.certificate.power < 1e-4  # 2e-5


# -- K12 ----------------------------------------------------------------------------------------------


def grown(k: float) -> Board:
    """The default board with every length, and gravity, k times as large."""
    kinds = tuple(
        replace(
            d, radius=k * d.radius, height=k * d.height, patch=replace(d.contact, radius=k * d.contact.radius)
        )
        for d in BOARD.kinds
    )
    board = rectangular_board(
        depth=k * 122.0,
        width=k * 220.0,
        slide_depth=k * 138.0,
        slide_width=k * 220.0,
        pusher=Pusher(width=k * 218.0, depth=k * 48.0, travel=k * 80.0),
        kinds=kinds,
    )
    return replace(board, gravity=k * BOARD.gravity)


def grown_push(k: float, seed: int, y: float) -> PushResult:
    layout = opening(BOARD, seed)
    layout = Layout(layout.kind, k * layout.x, k * layout.y, layout.angle)
    one = Push("big", -22.0 * k, y * k, speed=20.0 * k)
    return push(grown(k), layout, one, engine="rigid", accuracy="draft", trace=True)


@pytest.mark.parametrize(("seed", "y"), [(5, 70.0), (3, 8.0), (7, 70.0), (9, 10.0)])
def test_lengths_scale_out(seed, y):
    """Lengths, speed and gravity times k leave every time as it is, so the step grows with the lengths.

    The path is then the same k times as large, and forces are k times as large.  What does not scale are a
    few fixed lengths (the gap that the free run leaves, what counts as moved).  Measured over these pushes,
    draft and standard, k = 1/2, 2, 3, 4: positions to 0.004 mm, angles to 9e-4 rad; in draft 95 % of the
    forces to 3e-4 of the largest.  With gravity as it is and the speed times sqrt(k), so that only the step
    does not grow along, disks end up to 0.8 mm elsewhere.
    """
    plain = grown_push(1.0, seed, y)
    for k in (0.5, 3.0):
        other = grown_push(k, seed, y)
        assert [fall.index for fall in other.fallen] == [fall.index for fall in plain.fallen]
        assert other.advance == pytest.approx(k * plain.advance, rel=1e-12)
        np.testing.assert_allclose(other.poses[:, :2] / k, plain.poses[:, :2], atol=0.01)
        np.testing.assert_allclose(other.poses[:, 2], plain.poses[:, 2], atol=2e-3)
        top = plain.trace.force.max()
        off = np.abs(other.trace.force / k - plain.trace.force) / top
        assert np.quantile(off, 0.95) < 1e-3  # the others are hits
