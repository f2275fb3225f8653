"""Bare loops with existing engines, as an expert would write them for the same pushes.

Every disk is in the space from the start; board friction is joints to the ground (force and torque limits
apart, or K points on the ring that share both); a kinematic pusher moves at the push's speed in fixed steps;
the centres are looked at every tenth step, and a disk whose centre is past an open edge is removed.  They get
the free run for nothing.  They know no overhang, no corner, no weight, and leave the overlap as it is.
"""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import pymunk
from numpy.typing import NDArray

from benchmarks.sets import Case

with warnings.catch_warnings():  # its SWIG types warn at import, and die if a warning is an error
    warnings.simplefilter("ignore")
    import Box2D

LOOK = 10  #: steps between two looks for falls
REST = 0.05  #: s of rest at the end


@dataclass(frozen=True)
class Outcome:
    """What a push did: indices that fell, last centres (n + 1, 2)."""

    fell: frozenset[int]
    centres: NDArray[np.float64]


def pymunk_loop(case: Case, *, hz: int, points: int = 0, iterations: int = 10, slop: float = 0.01) -> Outcome:
    """With pymunk; `points` 0 means one pivot and one gear joint per disk."""
    board, layout, one = case.board, case.layout, case.push
    rim, pusher_mu, rail_mu = board.friction.rim, board.friction.pusher, board.friction.rail
    root = math.sqrt(rim)  # pymunk multiplies the two shapes' values
    space = pymunk.Space()
    space.iterations = iterations
    space.collision_slop = slop
    for x1, y1, x2, y2 in board.walls.tolist():
        wall = pymunk.Segment(space.static_body, (x1, y1), (x2, y2), 0.0)
        wall.friction = rail_mu / root if root else 0.0
        space.add(wall)
    disks = layout.with_disk(board.kind_index(one.disk), one.x, one.y)
    centres = np.stack([disks.x, disks.y], axis=1)
    bodies: dict[int, tuple[pymunk.Body, list[Any]]] = {}
    for i, kind in enumerate(disks.kind.tolist()):
        m, r = board.kinds[kind].mass, board.kinds[kind].radius
        body = pymunk.Body(m, 0.5 * m * r * r)
        body.position = float(centres[i, 0]), float(centres[i, 1])
        shape = pymunk.Circle(body, r)
        shape.friction = root
        grip, arm = board.friction.board * m * board.gravity, board.kinds[kind].contact.radius
        joints: list[pymunk.Constraint] = []
        if points:
            for k in range(points):
                at = (arm * math.cos(2 * math.pi * k / points), arm * math.sin(2 * math.pi * k / points))
                spot = (body.position[0] + at[0], body.position[1] + at[1])
                joints.append(pymunk.PivotJoint(space.static_body, body, spot, at))
                joints[-1].max_force = grip / points
        else:
            joints = [pymunk.PivotJoint(space.static_body, body, (body.position.x, body.position.y), (0, 0))]
            joints.append(pymunk.GearJoint(space.static_body, body, 0.0, 1.0))
            joints[0].max_force, joints[1].max_force = grip, grip * arm
        for joint in joints:
            joint.max_bias = 0.0
        space.add(body, shape, *joints)
        bodies[i] = body, [body, shape, *joints]
    half = board.pusher.width / 2
    start = one.x - float(board.radii[disks.kind[-1]])
    pusher = pymunk.Body(body_type=pymunk.Body.KINEMATIC)
    pusher.position = start, 0.0
    front = pymunk.Segment(pusher, (0.0, -half), (0.0, half), 0.0)
    front.friction = pusher_mu / root if root else 0.0
    space.add(pusher, front)
    steps = math.ceil(-start / one.speed * hz)
    pusher.velocity = -start / steps * hz, 0.0  # a whole number of steps
    fallen: set[int] = set()
    (x0, y0), (x1, y1) = board.outline.min(axis=0).tolist(), board.outline.max(axis=0).tolist()
    total = steps + math.ceil(REST * hz)
    for step in range(1, total + 1):
        space.step(1 / hz)
        if step == steps:
            pusher.velocity, pusher.position = (0.0, 0.0), (0.0, 0.0)
        if step % LOOK == 0 or step == total:
            for i, (body, parts) in list(bodies.items()):
                x, y = body.position
                if not (x0 <= x <= x1 and y0 <= y <= y1):
                    space.remove(*parts)
                    del bodies[i]
                    fallen.add(i)
                    centres[i] = x, y
    for i, (body, _) in bodies.items():
        centres[i] = body.position
    return Outcome(frozenset(fallen), centres)


def box2d_loop(case: Case, *, hz: int, points: int = 0, sweeps: tuple[int, int] = (10, 4)) -> Outcome:
    """With Box2D 2.3 (one unit is one mm) and its friction joints; `points` as in `pymunk_loop`."""
    board, layout, one = case.board, case.layout, case.push
    rim = board.friction.rim  # Box2D takes the geometric mean of the two shapes' values
    world = Box2D.b2World(gravity=(0, 0), doSleep=False, continuousPhysics=False)
    ground = world.CreateStaticBody()
    for x1, y1, x2, y2 in board.walls.tolist():
        ground.CreateEdgeFixture(
            vertices=[(x1, y1), (x2, y2)], friction=board.friction.rail**2 / rim if rim else 0.0
        )
    disks = layout.with_disk(board.kind_index(one.disk), one.x, one.y)
    centres = np.stack([disks.x, disks.y], axis=1)
    bodies: dict[int, Any] = {}
    for i, kind in enumerate(disks.kind.tolist()):
        m, r = board.kinds[kind].mass, board.kinds[kind].radius
        body = world.CreateDynamicBody(position=(float(centres[i, 0]), float(centres[i, 1])))
        body.CreateCircleFixture(radius=r, density=m / (math.pi * r * r), friction=rim, restitution=0.0)
        grip, arm = board.friction.board * m * board.gravity, board.kinds[kind].contact.radius
        spots = [
            (arm * math.cos(2 * math.pi * k / points), arm * math.sin(2 * math.pi * k / points))
            for k in range(points)
        ]
        for at in spots or [(0.0, 0.0)]:
            anchor = (float(centres[i, 0]) + at[0], float(centres[i, 1]) + at[1])
            world.CreateFrictionJoint(
                bodyA=ground, bodyB=body, localAnchorA=anchor, localAnchorB=at,
                maxForce=grip / max(points, 1), maxTorque=0.0 if points else grip * arm,
            )  # fmt: skip
        bodies[i] = body
    half = board.pusher.width / 2
    start = one.x - float(board.radii[disks.kind[-1]])
    pusher = world.CreateKinematicBody(position=(start, 0.0))
    pusher.CreateEdgeFixture(
        vertices=[(0.0, -half), (0.0, half)], friction=board.friction.pusher**2 / rim if rim else 0.0
    )
    steps = math.ceil(-start / one.speed * hz)
    pusher.linearVelocity = (-start / steps * hz, 0.0)
    fallen: set[int] = set()
    (x0, y0), (x1, y1) = board.outline.min(axis=0).tolist(), board.outline.max(axis=0).tolist()
    total = steps + math.ceil(REST * hz)
    for step in range(1, total + 1):
        world.Step(1 / hz, *sweeps)
        if step == steps:
            pusher.linearVelocity, pusher.position = (0.0, 0.0), (0.0, 0.0)
        if step % LOOK == 0 or step == total:
            for i, body in list(bodies.items()):
                x, y = body.position
                if not (x0 <= x <= x1 and y0 <= y <= y1):
                    world.DestroyBody(body)
                    del bodies[i]
                    fallen.add(i)
                    centres[i] = x, y
    for i, body in bodies.items():
        centres[i] = tuple(body.position)
    return Outcome(frozenset(fallen), centres)
