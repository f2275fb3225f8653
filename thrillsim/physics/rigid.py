"""The rigid engine: a push with inertia, in pymunk.  The reference that everybody can read.

The pusher is kinematic and moves at one slow speed to the blocking edge; disks rest on points
of their contact patch (`scene.py`), touch without bounce, and fall when what they carry leaves
their support.  Disks coast v²/(2 mu g) when pushed no more: the slow limit is v -> 0.

Measured on 20 pushes at 20 mm/s into openings and crowded layouts of the default board, against
dt = 1/2000 s, 32 points, 40 sweeps: final positions of the disks that stay (mm), share of pushes in
which the same disks fell, and the largest overlap on the way (about one step's advance, at an impact)::

    accuracy   mean of a push   worst disk of a push    same falls   overlap
               (median)         (median / largest)
    draft      0.05             0.24 / 1.28             20 of 20     0.13
    standard   0.02             0.08 / 0.31             20 of 20     0.05
    fine       0.01             0.03 / 0.12             20 of 20     0.02

Inertia itself weighs more than that: against the quasi-static engine the mean of a push (median of
16 pushes, standard) is 0.29 mm at 40 mm/s, 0.10 at 20, 0.03 at 10, 0.02 at 5 and 0.015 at 2.5.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from thrillsim.board import Board, Layout
from thrillsim.board.layout import wall_distance
from thrillsim.board.types import FloatArray
from thrillsim.physics.falling import take_falls
from thrillsim.physics.problem import Problem, flip, make_problem, side_of
from thrillsim.physics.scene import Scene, Settings
from thrillsim.physics.separate import separate
from thrillsim.physics.types import Accuracy, Certificate, Fall, Push, PushResult, Trace, price
from thrillsim.physics.weight import falls_when_lifted

SETTINGS: dict[Accuracy, Settings] = {
    "draft": Settings(dt=1 / 240, iterations=10, points=8, slop=1e-3, every=2, drift=0.02),
    "standard": Settings(dt=1 / 500, iterations=15, points=12, slop=2e-4, every=4, drift=0.02),
    "fine": Settings(dt=1 / 1000, iterations=30, points=16, slop=1e-4, every=4, drift=0.005),
}

FREE_GAP = 1e-4  #: mm left between pusher and disk when the free run has been skipped
JAM = 0.03  #: overlap in units of the smallest radius (besides a few steps' way) at which the pusher is stuck
SOUND = 0.005  #: overlap in the same unit up to which a state is still trusted
ROOM = 1e-3  #: mm of overlap that may stay where disks have been moved apart at the end
SETTLE = 0.5  #: s after which disks count as at rest whatever they do
STILL = 1e-2  #: mm/s: at rest


@dataclass(slots=True)
class _Log:
    """What is noted on the way."""

    falls: list[tuple[int, FloatArray, float]] = field(default_factory=list)  # disk, pose, advance
    overlap: float = 0.0
    steps: int = 0
    given: float = 0.0
    taken: float = 0.0
    rows: list[tuple[float, float, FloatArray, NDArray[np.bool_]]] = field(default_factory=list)

    def imbalance(self) -> float:
        """Relative difference of the energy given and rubbed away over the push (traced only)."""
        return abs(self.given - self.taken) / self.given if self.given > 0 else math.nan


class RigidEngine:
    """Full dynamics with inertia.

    ``draft``, ``standard`` and ``fine`` differ in time step, contact points, solver sweeps and slop
    (`SETTINGS`); the head of this module says how far each is from the converged answer.  In the
    certificate `overlap` is the largest seen at any look and `power` the imbalance of energy over
    the whole push, measured when a trace is asked for.
    """

    name = "rigid"

    def run(self, board: Board, before: Layout, push: Push, *, accuracy: Accuracy, trace: bool) -> PushResult:
        """Carry out `push`; `before` already holds the new disk last and is known to be legal."""
        problem = make_problem(board, before, push)
        mirrored = side_of(before, push) < 0.0
        if mirrored:
            problem = problem.mirrored()
        run = _Run(problem, SETTINGS[accuracy], push.speed, trace)
        run.push()
        return _result(board, before, push, accuracy, run, mirrored)


class _Run:
    """One push in progress."""

    def __init__(self, problem: Problem, settings: Settings, speed: float, trace: bool) -> None:
        self.problem = problem
        self.settings = settings
        self.speed = speed
        self.trace = trace
        self.scene = Scene(problem, settings)
        self.log = _Log()
        self.jammed = False
        self.unit = float(problem.board.radii.min())
        self.advance = self._free_run()
        self.scene.add_pusher(self.advance - problem.travel)
        #: between two looks an active disk meets nothing unseen, even at twice the pusher's speed
        self.margin = 2 * speed * settings.dt * settings.every + 0.002 * self.unit
        self.sound = (problem.poses, self.advance, 0)
        self._note(0.0)

    def _free_run(self) -> float:
        """Advance up to which the pusher touches nothing, so nothing moves: found by safe strides."""
        problem = self.problem
        radii = problem.board.radii[list(problem.kinds)]
        x, y = problem.poses[:, 0], problem.poses[:, 1]

        def gap(advance: float) -> float:
            shift = advance - problem.travel
            walls = problem.front + np.array([shift, 0.0, shift, 0.0])
            return float((wall_distance(x, y, walls).min(axis=1) - radii).min())

        advance = min(0.0, problem.stop)
        while gap(advance) < FREE_GAP and advance > -problem.travel:  # a turned front needs more room
            advance -= 1.0
        for _ in range(200):
            room = gap(advance)
            if room <= FREE_GAP or advance >= problem.stop:
                break
            advance = min(advance + room - FREE_GAP / 2, problem.stop)
        return advance

    def push(self) -> None:
        """To the blocking edge, and on until everything is at rest."""
        scene, dt, every = self.scene, self.settings.dt, self.settings.every
        scene.reach_out(self.margin)
        start, way = self.advance, self.problem.stop - self.advance
        steps = math.ceil(way / (self.speed * dt) - 1e-9)
        pace = way / steps if steps else 0.0
        speed = pace / dt
        scene.pusher.velocity = (speed, 0.0)  # a whole number of steps ends exactly there
        done = 0
        while done < steps:
            count = min(every, steps - done)
            for _ in range(count):
                scene.space.step(dt)
            done += count
            self.log.steps += count
            previous = self.advance
            self.advance = start + way * (done / steps)
            self._look(previous, scene.read())
            overlap = scene.overlap()
            if overlap > JAM * self.unit + 4 * pace:
                self._jam()
                return
            self.log.overlap = max(self.log.overlap, overlap)
            if overlap <= SOUND * self.unit + pace:
                self.sound = (scene.poses.copy(), self.advance, len(self.log.falls))
            if self.trace:
                self._note(scene.pusher_impulse()[0] / dt)
                given, taken = scene.powers((speed, 0.0))
                self.log.given += given
                self.log.taken += taken
        self._settle()
        walls = np.vstack([self.problem.walls, scene.front_now()])
        if separate(scene.poses, scene.radii, scene.standing, walls) > ROOM:
            self._jam()  # at the very end of the way

    def _settle(self) -> None:
        scene, dt, every = self.scene, self.settings.dt, self.settings.every
        scene.pusher.velocity = (0.0, 0.0)
        scene.pusher.position = (self.problem.stop - self.problem.travel, 0.0)
        for _ in range(math.ceil(SETTLE / (dt * every))):
            for _ in range(every):
                scene.space.step(dt)
            before = scene.read()
            self.log.steps += every
            self._look(self.advance, before)
            if scene.fastest() < STILL:
                break
        self.log.overlap = max(self.log.overlap, scene.overlap())
        self._note(0.0)

    def _look(self, previous: float, before: FloatArray) -> None:
        """Falls, new shares of those that overhang, disks newly within reach."""
        for part, i, pose in take_falls(self.scene, before):
            self.log.falls.append((i, pose, previous + part * (self.advance - previous)))
        self.scene.reach_out(self.margin)

    def _jam(self) -> None:
        """Back to the last state without crushing: there the pusher stood still."""
        scene = self.scene
        poses, self.advance, falls = self.sound
        self.jammed = True
        for i, _, _ in self.log.falls[falls:]:
            scene.standing[i] = True
        del self.log.falls[falls:]
        scene.poses = poses.copy()
        separate(scene.poses, scene.radii, scene.standing, self.problem.walls)
        for _ in range(100):  # the pusher gives way to the disks, not they to it
            lap = scene.reach(self.advance - self.problem.travel)
            if lap <= 0:
                break
            self.advance -= lap
        scene.pusher.position = (self.advance - self.problem.travel, 0.0)
        self._note(0.0)

    def _note(self, force: float) -> None:
        if self.trace:
            self.log.rows.append((self.advance, force, self.scene.poses.copy(), self.scene.standing.copy()))


def _result(
    board: Board, before: Layout, push: Push, accuracy: Accuracy, run: _Run, mirrored: bool
) -> PushResult:
    scene, problem = run.scene, run.problem
    falls = list(run.log.falls)
    if not run.jammed:
        for i in scene.standing_index().tolist():  # it hung on the last thousandth
            if scene.margin(i, scene.poses[i]) < 0 and scene.has_moved(i):
                scene.standing[i] = False
                falls.append((i, scene.poses[i].copy(), run.advance))
    side = -1.0 if mirrored else 1.0
    poses = flip(scene.poses) if mirrored else scene.poses
    fallen = [
        _fall(board, problem.kinds[i], i, pose[0], side * pose[1], advance, "push", i == problem.weighted)
        for i, pose, advance in falls
    ]
    i = problem.weighted
    if i >= 0 and scene.standing[i]:
        x, y = float(poses[i, 0]), float(poses[i, 1])
        if falls_when_lifted(board, problem.kinds[i], x, y):
            scene.standing[i] = False
            fallen.append(_fall(board, problem.kinds[i], i, x, y, run.advance, "lift", False))
    stay = scene.standing
    return PushResult(
        board=board,
        push=push,
        before=before,
        fallen=tuple(fallen),
        layout=Layout(before.kind[stay], poses[stay, 0], poses[stay, 1], poses[stay, 2]),
        poses=poses,
        advance=run.advance,
        jammed=run.jammed,
        certificate=Certificate(overlap=run.log.overlap, power=run.log.imbalance(), steps=run.log.steps),
        engine=RigidEngine.name,
        accuracy=accuracy,
        trace=_trace(run, mirrored) if run.trace else None,
    )


def _fall(
    board: Board,
    kind: int,
    index: int,
    x: float,
    y: float,
    advance: float,
    during: Literal["push", "lift"],
    weighted: bool,
) -> Fall:
    cost = price(board, kind, weighted=weighted)
    return Fall(index, kind, float(x), float(y), float(advance), during, weighted, cost)


def _trace(run: _Run, mirrored: bool) -> Trace:
    advance, force, poses, standing = zip(*run.log.rows, strict=True)
    history = np.array(poses)
    return Trace(
        np.array(advance), np.array(force), flip(history) if mirrored else history, np.array(standing)
    )
