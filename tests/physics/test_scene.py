"""Contact points in pymunk against the limit surface: K2, creep, pure spin, the overhanging share."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from thrillsim.board import Board, DiskKind, Layout, Patch, rectangular_board
from thrillsim.physics import Push
from thrillsim.physics.friction import ring_friction, solid_friction
from thrillsim.physics.pressure import pressure_points
from thrillsim.physics.problem import Problem, make_problem
from thrillsim.physics.scene import Scene, Settings
from thrillsim.physics.types import WeightOn

DISK = DiskKind("one", 20.0, 5.0)
FINE = Settings(dt=1e-4, iterations=20, points=24, slop=1e-4, every=1, drift=0.001)
COARSE = Settings(dt=1 / 500, iterations=20, points=12, slop=1e-4, every=4, drift=0.001)


def scene_of(patch: Patch, settings: Settings, *, x: float = 200.0, tilt=(0.0, 0.0), weight=None) -> Scene:
    """One disk far from everything on a big board."""
    board: Board = rectangular_board(depth=400.0, width=400.0, kinds=(replace(DISK, patch=patch),))
    layout = Layout([0], [x], [0.0])
    problem: Problem = make_problem(board, layout, Push("one", 0, 0, weight=weight))
    scene = Scene(replace(problem, tilt=tilt), settings)
    scene.add(0)
    return scene


@pytest.mark.parametrize(
    ("patch", "end"),
    # a disk has I = m r²/2; a ring of radius r/sqrt(2) then has I = m R²
    [(Patch("ring", 20 / math.sqrt(2)), 1.0), (Patch("disk", 20.0), 0.653002)],
    ids=["ring", "disk"],
)
@pytest.mark.parametrize("start", [0.3, 2.5])
def test_free_sliding_and_spinning_disk_ends_at_the_known_ratio(patch, end, start):
    scene = scene_of(patch, FINE)
    body = scene._bodies[0]
    assert body is not None
    spin = 30.0
    body.velocity, body.angular_velocity = (start * spin * patch.radius, 0.0), spin
    while body.angular_velocity > spin / 12:
        scene.space.step(FINE.dt)
        scene.read()
    # the ratio has closed most of the way to its end; the law says how much
    ratio = body.velocity.length / (patch.radius * body.angular_velocity)
    assert ratio == pytest.approx(by_the_law(patch, start, body.angular_velocity / spin), rel=0.02)
    assert abs(ratio - end) < 0.6 * abs(start - end)


def by_the_law(patch: Patch, ratio: float, last: float) -> float:
    """The ratio when the spin has come down to the part `last`, by integrating the closed form."""
    law = ring_friction if patch.shape == "ring" else solid_friction
    inertia = 0.5 * (20.0 / patch.radius) ** 2

    def rate(_, y):
        _, F, T = law(y[0], y[1])
        return [-float(F), -float(T) / inertia]

    def spun_out(_, y):
        return y[1] - last

    spun_out.terminal = True
    end = solve_ivp(rate, (0, 50), [ratio, 1.0], events=spun_out, rtol=1e-9, atol=1e-12)
    return end.y[0, -1] / end.y[1, -1]


@pytest.mark.parametrize("angle", [0.0, 0.3, 2.0])
def test_no_creep_below_the_friction_limit_and_sliding_above(angle):
    mu = 0.3

    def moved(part: float) -> float:
        pull = (part * mu * math.cos(angle), part * mu * math.sin(angle))
        scene = scene_of(Patch("ring", 19.4), COARSE, tilt=pull)
        for _ in range(500):
            scene.space.step(COARSE.dt)
        scene.read()
        return math.hypot(scene.poses[0, 0] - 200.0, scene.poses[0, 1])

    assert moved(0.9) < 1e-6
    # s = (part - 1) mu g t²/2 with the whole friction mu m g against it, in any direction
    assert moved(1.1) == pytest.approx(0.1 * mu * 9810 / 2, rel=0.01)


@pytest.mark.parametrize("patch", [Patch("ring", 19.4), Patch("disk", 20.0), Patch("annulus", 20.0, 12.0)])
def test_sliding_and_spinning_alone_have_the_full_force_and_torque(patch):
    settings = replace(FINE, points=16)
    scene = scene_of(patch, settings)
    body = scene._bodies[0]
    body.velocity = (300.0, 0.0)
    for _ in range(100):
        scene.space.step(settings.dt)
    assert 300.0 - body.velocity.x == pytest.approx(0.3 * 9810 * 100 * settings.dt, rel=1e-6)
    scene = scene_of(patch, settings)
    body = scene._bodies[0]
    body.angular_velocity = 50.0
    for _ in range(100):
        scene.space.step(settings.dt)
        scene.read()
    R, r = patch.radius, patch.inner
    arm = R if patch.shape == "ring" else 2 / 3 * (R**3 - r**3) / (R**2 - r**2)
    torque = 0.3 * DISK.mass * 9810 * arm
    inertia = 0.5 * DISK.mass * DISK.radius**2
    assert 50.0 - body.angular_velocity == pytest.approx(torque / inertia * 100 * settings.dt, rel=2e-3)


def test_overhanging_and_weighted_disks_hang_on_the_linear_law():
    for x, weight in ((395.0, None), (200.0, WeightOn(0, -8.0, 3.0)), (396.0, WeightOn(0, -8.0, 3.0))):
        patch = Patch("ring", 19.4)
        scene = scene_of(patch, COARSE, x=x, weight=weight)
        load = scene.problem.loads[0]
        points, shares = pressure_points(
            scene.problem.board, patch, x, 0.0, (load.dx, load.dy), n=COARSE.points
        )
        joints = scene._joints[0]
        np.testing.assert_allclose([j.anchor_b for j in joints], points, atol=0.01)
        grip = 0.3 * load.mass * 9810
        np.testing.assert_allclose([j.max_force for j in joints], grip * shares, atol=2e-3 * grip)


def test_removed_disk_leaves_nothing_behind():
    scene = scene_of(Patch("ring", 19.4), COARSE, tilt=(0.1, 0.0))
    scene.remove(0)
    assert list(scene.space.constraints) == []
    assert list(scene.space.bodies) == [scene.pusher]
    assert {shape.body for shape in scene.space.shapes} == {scene.space.static_body}
