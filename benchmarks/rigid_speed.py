"""How fast the rigid engine is at each named accuracy, beside a bare pymunk loop doing the same pushes.

Run with ``python -m benchmarks.rigid_speed``.  The bare loop is what one writes first: every disk in the
space from the start, independent force and torque limits (or plain ring points), fixed steps, a look at the
centres every few steps; it gets the same free run for nothing.  It knows no overhang, no corner, no weight
and leaves the overlap as it is.  Everything is timed in one run, each push by its best of several
repetitions (CPU time), and compared push by push.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable

import numpy as np
import pymunk

from thrillsim.board import Board, Layout, default_board
from thrillsim.board.opening import opening
from thrillsim.physics import ACCURACIES, Push, push


def bare_push(board: Board, layout: Layout, one: Push, *, hz: int, iterations: int, points: int) -> set[int]:
    """The indices that fell; `points` 0 means one pivot and one gear joint per disk."""
    space = pymunk.Space()
    space.iterations = iterations
    space.collision_slop = 0.01
    rim = math.sqrt(board.friction.rim)
    for x1, y1, x2, y2 in board.walls.tolist():
        wall = pymunk.Segment(space.static_body, (x1, y1), (x2, y2), 0.0)
        wall.friction = board.friction.rail / rim
        space.add(wall)
    all_disks = layout.with_disk(board.kind_index(one.disk), one.x, one.y)
    bodies: dict[int, tuple[pymunk.Body, list[object]]] = {}
    for i, kind in enumerate(all_disks.kind.tolist()):
        m, r = board.kinds[kind].mass, board.kinds[kind].radius
        body = pymunk.Body(m, 0.5 * m * r * r)
        body.position = float(all_disks.x[i]), float(all_disks.y[i])
        shape = pymunk.Circle(body, r)
        shape.friction = rim
        grip, arm = board.friction.board * m * board.gravity, board.kinds[kind].contact.radius
        joints: list[pymunk.Constraint] = []
        if points:
            for k in range(points):
                at = (arm * math.cos(2 * math.pi * k / points), arm * math.sin(2 * math.pi * k / points))
                joints.append(pymunk.PivotJoint(space.static_body, body, (0, 0), at))
                joints[-1].max_force = grip / points
        else:
            joints = [pymunk.PivotJoint(space.static_body, body, (0, 0), (0, 0))]
            joints.append(pymunk.GearJoint(space.static_body, body, 0.0, 1.0))
            joints[0].max_force, joints[1].max_force = grip, grip * arm
        for joint in joints:
            joint.max_bias = 0.0
        space.add(body, shape, *joints)
        bodies[i] = body, [body, shape, *joints]
    half = board.pusher.width / 2
    pusher = pymunk.Body(body_type=pymunk.Body.KINEMATIC)
    start = one.x - float(board.radii[all_disks.kind[-1]])
    pusher.position = start, 0.0
    front = pymunk.Segment(pusher, (0.0, -half), (0.0, half), 0.0)
    front.friction = board.friction.pusher / rim
    space.add(pusher, front)
    pusher.velocity = one.speed, 0.0
    fallen: set[int] = set()
    (x0, y0), (x1, y1) = board.outline.min(axis=0), board.outline.max(axis=0)
    steps = math.ceil(-start / one.speed * hz)
    for step in range(steps + hz // 20):
        if step == steps:
            pusher.velocity, pusher.position = (0.0, 0.0), (0.0, 0.0)
        space.step(1 / hz)
        if step % 10 == 0:
            for i, (body, parts) in list(bodies.items()):
                x, y = body.position
                if not (x0 <= x <= x1 and y0 <= y <= y1):
                    space.remove(*parts)
                    del bodies[i]
                    fallen.add(i)
    return fallen


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("-n", "--pushes", type=int, default=12)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--speed", type=float, default=20.0, help="mm/s")
    options = parser.parse_args()
    board, rng = default_board(), np.random.default_rng(1)
    cases = []
    for k in range(options.pushes):
        kind = int(rng.integers(3))
        r = float(board.radii[kind])
        cases.append(
            (
                opening(board, k),
                Push(kind, -r - 1.0, float(rng.uniform(r - 109, 109 - r)), speed=options.speed),
            )
        )

    Runner = Callable[[Layout, Push], set[int]]
    runners: dict[str, Runner] = {
        "bare loop, pivot + gear, 240 Hz": lambda a, p: bare_push(
            board, a, p, hz=240, iterations=10, points=0
        ),
        "bare loop, 8 ring points, 240 Hz": lambda a, p: bare_push(
            board, a, p, hz=240, iterations=10, points=8
        ),
        "bare loop, pivot + gear, 1000 Hz": lambda a, p: bare_push(
            board, a, p, hz=1000, iterations=20, points=0
        ),
    }
    for accuracy in ACCURACIES:

        def engine(a: Layout, p: Push, accuracy=accuracy) -> set[int]:
            return set(push(board, a, p, engine="rigid", accuracy=accuracy).fell)

        runners[f"rigid, {accuracy}"] = engine
    best = {name: np.full(len(cases), math.inf) for name in runners}
    fell: dict[str, list[set[int]]] = {name: [set()] * len(cases) for name in runners}
    for _ in range(options.repeats):
        for i, case in enumerate(cases):
            for name, runner in runners.items():
                start = time.process_time()
                fell[name][i] = runner(*case)
                best[name][i] = min(best[name][i], time.process_time() - start)
    base = next(iter(runners))
    print(f"{options.pushes} pushes from openings at {options.speed:g} mm/s; CPU, best of {options.repeats};")
    print("median (quartiles) over pushes; ratio to the first row push by push; same falls as rigid fine")
    print()
    print(f"{'':34}{'ms a push':>20}{'pushes/s':>10}{'time ratio':>20}{'same falls':>12}")
    for name in runners:
        low, mid, high = np.percentile(1e3 * best[name], [25, 50, 75])
        a, b, c = np.percentile(best[name] / best[base], [25, 50, 75])
        same = np.mean([x == y for x, y in zip(fell[name], fell["rigid, fine"], strict=True)])
        times, ratio = f"{mid:.0f} ({low:.0f}..{high:.0f})", f"{b:.2f} ({a:.2f}..{c:.2f})"
        print(f"{name:34}{times:>20}{1e3 / mid:>10.1f}{ratio:>20}{same:>12.0%}")


if __name__ == "__main__":
    main()
