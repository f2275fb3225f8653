"""The pymunk space of one run: disks on their contact points, rails, pusher.  Private to the rigid engine.

pymunk habits that this file answers for:

* Friction of two shapes is the *product* of their values.  With f on every disk rim, f = sqrt(rim),
  the pusher carries pusher/f and the rails rail/f, so that all three pairs come out as given.
* Dry friction on the board is one `PivotJoint` per contact point, its `max_force` the friction
  coefficient times that point's share of the normal force; together they slide and spin like the
  patch.  `max_bias = 0`, or the joints would pull every disk to where they were made.
* Clamped impulses oppose (effective mass times slip), and a point off the centre is lighter along its
  circle than across it: left so, a sliding ring feels 7 % too little force and up to 30 % too little
  torque.  So the joints hang on a *shadow*: a body too heavy to move, its spin locked, with the
  disk's inertia and each anchor turned by 90 degrees.  It adds to the effective mass just what makes
  it the same in every direction; friction then opposes the slip itself and dissipates the most.
* Removing a body leaves its shapes and joints behind; `remove` takes all of them.
* A disk that nothing has come near cannot move (the tilt is well below friction), so it enters the
  space only when an active disk or the pusher is about to reach it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pymunk
from numpy.typing import NDArray

from thrillsim.board.layout import wall_distance
from thrillsim.board.types import FloatArray
from thrillsim.physics.carrying import Carrier
from thrillsim.physics.problem import Problem

HEAVY = 1e12  #: mass of a shadow in units of its disk's: it stays where it is
TURNED = 0.01  #: rad that a shadow may lag behind its disk
MOVED = 1e-3  #: mm from its starting place from which on a disk may fall


@dataclass(frozen=True, slots=True)
class Settings:
    """What a named accuracy means.

    Parameters
    ----------
    dt
        Time step, s.
    iterations
        Solver sweeps per step.
    points
        Contact points per circle of the patch.
    slop
        Overlap that is not pushed apart, in units of the smallest disk's radius.
    every
        Steps between two looks at falls, overhang and newly reached disks.
    drift
        Way, in units of the patch's radius, after which an overhanging disk's pressure is found anew.
    """

    dt: float
    iterations: int
    points: int
    slop: float
    every: int
    drift: float


class Scene:
    """Disks, board and pusher of one run, in the fixed order in which they are reached."""

    def __init__(self, problem: Problem, settings: Settings) -> None:
        self.problem = problem
        self.settings = settings
        board = problem.board
        n = len(problem.kinds)
        self.radii = board.radii[list(problem.kinds)]
        self.poses = problem.poses.copy()
        self.standing = np.ones(n, dtype=np.bool_)
        self.active: list[int] = []
        self.outline_segments = np.hstack([problem.outline, np.roll(problem.outline, -1, axis=0)])
        self._patch = [board.kinds[k].contact for k in problem.kinds]
        self._reach = np.array([patch.radius for patch in self._patch])
        self._bodies: list[pymunk.Body | None] = [None] * n
        self._shapes: list[pymunk.Circle | None] = [None] * n
        self._joints: list[list[pymunk.PivotJoint]] = [[] for _ in range(n)]
        self._shadows: list[pymunk.Body | None] = [None] * n
        self._locks: list[list[pymunk.Constraint]] = [[] for _ in range(n)]
        self._judged_at = np.full((n, 3), math.inf)  # pose at which support was last looked at
        self._spread_at = np.full((n, 3), math.inf)  # pose for which the shares were last found
        self.carrier = Carrier(problem.outline, settings.points)

        rim = board.friction.rim
        no_friction = rim == board.friction.pusher == board.friction.rail == 0
        self._rim = math.sqrt(rim) if rim > 0 or no_friction else 1e-6  # 1e-6: rims slip, rails may grip
        self.slop = settings.slop * float(board.radii.min())
        self.space = pymunk.Space()
        self.space.iterations = settings.iterations
        self.space.collision_slop = self.slop
        self.space.gravity = (board.gravity * problem.tilt[0], board.gravity * problem.tilt[1])
        for x1, y1, x2, y2 in problem.walls.tolist():
            wall = pymunk.Segment(self.space.static_body, (x1, y1), (x2, y2), 0.0)
            wall.friction = board.friction.rail / self._rim if self._rim else 0.0
            self.space.add(wall)
        self.pusher = pymunk.Body(body_type=pymunk.Body.KINEMATIC)
        self.space.add(self.pusher)
        self.front = np.empty((0, 4))

    # -- the pusher ----------------------------------------------------------------

    def add_pusher(self, x: float) -> None:
        """Put the pusher's front at x, mm."""
        self.front = self.problem.front
        self.pusher.position = (x, 0.0)
        for x1, y1, x2, y2 in self.front.tolist():
            piece = pymunk.Segment(self.pusher, (x1, y1), (x2, y2), 0.0)
            piece.friction = self.problem.board.friction.pusher / self._rim if self._rim else 0.0
            self.space.add(piece)

    def front_now(self, x: float | None = None) -> FloatArray:
        """(p, 4) segments of the pusher with its front at x (default: where it is)."""
        at = self.pusher.position.x if x is None else x
        return np.asarray(self.front + np.array([at, 0.0, at, 0.0]), dtype=np.float64)

    def pusher_impulse(self) -> tuple[float, float]:
        """Impulse of the last step that the disks got from the pusher, g·mm/s."""
        total = [0.0, 0.0]

        def add(arbiter: pymunk.Arbiter) -> None:
            total[0] -= arbiter.total_impulse.x  # as the pusher feels it
            total[1] -= arbiter.total_impulse.y

        self.pusher.each_arbiter(add)
        return total[0], total[1]

    # -- disks ---------------------------------------------------------------------

    def add(self, i: int) -> None:
        """Disk i enters the space."""
        load = self.problem.loads[i]
        body = pymunk.Body(load.mass, load.inertia)
        body.center_of_gravity = (load.dx, load.dy)
        x, y, angle = self.poses[i].tolist()
        body.angle = angle  # before the position: turning keeps the centre of mass in place
        body.position = (x, y)
        shape = pymunk.Circle(body, float(self.radii[i]))
        shape.friction = self._rim
        self.space.add(body, shape)
        shadow = pymunk.Body(HEAVY * load.mass, load.inertia)
        shadow.angle = angle
        locks: list[pymunk.Constraint] = [pymunk.GearJoint(self.space.static_body, shadow, angle, 1.0)]
        if self.space.gravity != (0.0, 0.0):
            locks.append(pymunk.PivotJoint(self.space.static_body, shadow, (0, 0), (0, 0)))
        for lock in locks:
            lock.max_bias = 0.0
        self.space.add(shadow)
        self._shadows[i], self._locks[i] = shadow, locks
        self._bodies[i], self._shapes[i] = body, shape
        self.active.append(i)
        self.spread(i)

    def remove(self, i: int) -> None:
        """Disk i fell: all its parts leave."""
        self.standing[i] = False
        body, shape, shadow = self._bodies[i], self._shapes[i], self._shadows[i]
        if body is not None and shape is not None and shadow is not None:
            self.space.remove(*self._joints[i], *self._locks[i], shape, body, shadow)
            self._bodies[i], self._shapes[i], self._shadows[i] = None, None, None
            self._joints[i], self._locks[i] = [], []
            self.active.remove(i)

    def spread(self, i: int) -> None:
        """Hang the disk's normal force on the supported part of its patch."""
        body, shadow = self._bodies[i], self._shadows[i]
        assert body is not None
        assert shadow is not None
        load, board = self.problem.loads[i], self.problem.board
        x, y, angle = self.poses[i].tolist()
        points, shares = self.carrier.carry(self._patch[i], load, x, y, angle)
        count = len(shares)
        if count == 0:
            return  # nothing of it is over the board any more: it falls at the next look
        grip = board.friction.board * load.mass * board.gravity
        joints = self._joints[i]
        if len(joints) != count:
            self.space.remove(*joints, *(self._locks[i] if joints else ()))
            joints = [pymunk.PivotJoint(shadow, body, (0, 0), (0, 0)) for _ in range(count)]
            for joint in joints:
                joint.max_bias = 0.0
            self.space.add(*joints, *self._locks[i])  # the lock last: it has the last word
            self._joints[i] = joints
        for joint, (px, py), share in zip(joints, points.tolist(), shares.tolist(), strict=True):
            joint.anchor_b = (px, py)
            joint.anchor_a = (load.dy - py, px - load.dx)
            joint.max_force = grip * share
        shadow.angle = angle
        self._spread_at[i] = self.poses[i]

    def powers(self, velocity: tuple[float, float]) -> tuple[float, float]:
        """Power that went in and power that friction took in the last step, g·mm²/s³ (nW).

        In: the pusher, moving with `velocity` (mm/s), and the tilt.  Taken: contact points on the
        board, and slip between rims and at pusher and rails.
        """
        dt = self.settings.dt
        given = sum(a * b for a, b in zip(self.pusher_impulse(), velocity, strict=True)) / dt
        taken = 0.0
        pull = self.space.gravity

        def rub(arbiter: pymunk.Arbiter, body: pymunk.Body) -> None:
            nonlocal taken
            other = arbiter.bodies[1]  # [0] is the body that was asked, and the impulse is on it
            at = arbiter.contact_point_set.points[0].point_a
            slip = other.velocity_at_world_point(at) - body.velocity_at_world_point(at)
            share = 0.5 if other.body_type == pymunk.Body.DYNAMIC else 1.0  # two disks: seen from both
            taken += share * arbiter.total_impulse.dot(slip) / dt

        for i in self.active:
            body = self._bodies[i]
            assert body is not None
            given += self.problem.loads[i].mass * pull.dot(body.velocity)
            for joint in self._joints[i]:
                taken += joint.max_force * body.velocity_at_local_point(joint.anchor_b).length
            body.each_arbiter(rub, body)
        return given, taken

    def push_aside(self, i: int, fx: float, fy: float, torque: float) -> None:
        """Force (g·mm/s²) at the centre of mass and torque on disk i during the next step."""
        body = self._bodies[i]
        assert body is not None
        body.force = (fx, fy)
        body.torque = torque

    def motion(self, i: int) -> tuple[float, float, float, float, float]:
        """Centre of mass x, y (mm), its velocity (mm/s) and the spin (rad/s) of active disk i."""
        body = self._bodies[i]
        assert body is not None
        com = body.local_to_world(body.center_of_gravity)
        return com.x, com.y, body.velocity.x, body.velocity.y, body.angular_velocity

    def fastest(self) -> float:
        """Largest speed of an active disk's rim, mm/s; corrections of overlap do not count."""
        most = 0.0
        for i in self.active:
            body = self._bodies[i]
            assert body is not None
            most = max(most, body.velocity.length + abs(body.angular_velocity) * float(self.radii[i]))
        return most

    # -- between steps ---------------------------------------------------------------

    def read(self) -> FloatArray:
        """Fetch the poses of the active disks; returns the poses before, (n, 3)."""
        before = self.poses.copy()
        for i in self.active:
            body = self._bodies[i]
            assert body is not None
            x, y = body.position
            self.poses[i] = x, y, body.angle
            shadow = self._shadows[i]
            if shadow is not None and abs(shadow.angle - body.angle) > TURNED:
                shadow.angle = body.angle
        return before

    def reach_out(self, margin: float) -> None:
        """Let in every disk within `margin` mm of the pusher or of an active disk, and what is near those."""
        waiting = self.standing.copy()
        waiting[self.active] = False
        fresh = list(self.active)
        if len(self.front) and waiting.any():
            idle = np.flatnonzero(waiting)
            gap = wall_distance(self.poses[idle, 0], self.poses[idle, 1], self.front_now()).min(axis=1)
            for i in idle[gap - self.radii[idle] < margin].tolist():
                waiting[i] = False
                self.add(i)
                fresh.append(i)
        while fresh and waiting.any():
            idle = np.flatnonzero(waiting)
            dx = self.poses[idle, 0][:, None] - self.poses[fresh, 0]
            dy = self.poses[idle, 1][:, None] - self.poses[fresh, 1]
            gap = np.hypot(dx, dy) - self.radii[idle][:, None] - self.radii[fresh]
            fresh = idle[(gap < margin).any(axis=1)].tolist()
            for i in fresh:
                waiting[i] = False
                self.add(i)

    def near_edge(self) -> list[int]:
        """Active disks, moved since the last call, whose patch overhangs an edge or that carry the weight."""
        if not self.active:
            return []
        index = np.array(self.active)
        room = wall_distance(self.poses[index, 0], self.poses[index, 1], self.outline_segments).min(axis=1)
        close = (room < self._reach[index]) | (index == self.problem.weighted)
        moved = np.abs(self.poses[index] - self._judged_at[index]).max(axis=1) > 1e-6
        close &= moved
        self._judged_at[index[close]] = self.poses[index[close]]
        return index[close].tolist()  # type: ignore[no-any-return]

    def has_moved(self, i: int) -> bool:
        """Whether disk i has left its starting place.  A layout is at rest by definition: what it says
        stands does so until something moves it, even where the support rule would refuse it.
        """
        return float(np.abs(self.poses[i, :2] - self.problem.poses[i, :2]).max()) > MOVED

    def margin(self, i: int, pose: FloatArray) -> float:
        """Support margin of disk i at `pose`, mm; negative: it falls."""
        return self.carrier.margin(self._patch[i], self.problem.loads[i], *pose.tolist())

    def spread_if_moved(self, i: int) -> None:
        """Find the shares anew once the disk has moved by `Settings.drift`."""
        moved = np.abs(self.poses[i] - self._spread_at[i])
        limit = self.settings.drift * float(self._reach[i])
        if max(moved[0], moved[1], moved[2] * self._reach[i]) > limit:
            self.spread(i)

    def overlap(self) -> float:
        """Largest overlap of a standing disk with another, with a rail or with the pusher, mm; 0 if none."""
        index = np.flatnonzero(self.standing)
        x, y, r = self.poses[index, 0], self.poses[index, 1], self.radii[index]
        worst = 0.0
        if len(index) > 1:
            gap = np.hypot(x[:, None] - x, y[:, None] - y) - r[:, None] - r
            np.fill_diagonal(gap, math.inf)
            worst = max(worst, -float(gap.min()))
        if len(self.problem.walls) and len(index):
            worst = max(worst, float((r[:, None] - wall_distance(x, y, self.problem.walls)).max()))
        return max(worst, self.reach(self.pusher.position.x))

    def reach(self, at: float) -> float:
        """How deep the pusher with its front at x = `at` reaches into a standing disk, mm; <= 0: clear."""
        index = np.flatnonzero(self.standing)
        if not len(self.front) or not len(index):
            return 0.0
        distance = wall_distance(self.poses[index, 0], self.poses[index, 1], self.front_now(at))
        return float((self.radii[index][:, None] - distance).max())

    def standing_index(self) -> NDArray[np.intp]:
        """Indices of the disks that still stand."""
        return np.flatnonzero(self.standing)
