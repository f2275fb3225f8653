"""Turning the whole board before a push (THR-22): who slides, who falls.

The motion is followed in the turning frame, with the rigid engine's disks on their contact points.
At a distance r from the pivot a disk feels, per mass, -alpha x r (Euler) and omega² r (centrifugal),
and once it moves -2 omega x v (Coriolis); it stays as long as friction holds it, that is, as long as
the sum is below mu g.  The pusher stands at the blocking edge meanwhile.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from thrillsim.board import Board, Layout
from thrillsim.board.types import FloatArray
from thrillsim.errors import InputError, limits_of, shown
from thrillsim.physics.falling import take_falls
from thrillsim.physics.problem import rest_problem
from thrillsim.physics.rigid import SETTINGS, SETTLE, STILL
from thrillsim.physics.scene import Scene
from thrillsim.physics.separate import separate
from thrillsim.physics.types import ACCURACIES, Accuracy, Certificate, price

FASTEST = 20 * math.pi  #: rad/s, ten turns a second: the time steps follow no faster one
RAMPS = 0.01, 1000.0  #: s, shortest (five steps of `standard`) and longest
HELD = 0.5  #: a disk is followed from this part of mu g on; below it friction holds it whatever its spin


@dataclass(frozen=True, slots=True)
class TurnProfile:
    """How the board is turned: speeding up evenly, going on at one rate, slowing down evenly.

    Parameters
    ----------
    angle
        Turned in all, rad, counter-clockwise positive.
    rate
        Highest turning rate, rad/s, > 0 and at most `FASTEST`; a small angle does not reach it.
    ramp
        Time from rest to `rate`, s, within `RAMPS`; slowing down takes as long.
    pivot
        Point that stays, mm; default the middle of the board, where its foot is.

    Raises
    ------
    InputError
        If a number is not finite or out of range.
    """

    angle: float
    rate: float
    ramp: float
    pivot: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        if not all(math.isfinite(v) for v in (self.angle, *(self.pivot or ()))):
            raise InputError("angle and pivot must be finite numbers", key="turn")
        if not 0.0 < self.rate <= FASTEST:
            limits = limits_of(gt=0.0, le=FASTEST)
            raise InputError(f"must be {limits} rad/s, got {self.rate:g}", key="turn.rate")
        if not RAMPS[0] <= self.ramp <= RAMPS[1]:
            limits = limits_of(ge=RAMPS[0], le=RAMPS[1])
            raise InputError(f"must be {limits} s, got {self.ramp:g}", key="turn.ramp")

    @property
    def acceleration(self) -> float:
        """Angular acceleration while speeding up, rad/s²; it has the sign of the angle."""
        return math.copysign(self.rate / self.ramp, self.angle)

    @property
    def peak(self) -> float:
        """Highest rate reached, rad/s, with the sign of the angle."""
        reached = min(self.rate, math.sqrt(abs(self.angle) * self.rate / self.ramp))
        return math.copysign(reached, self.angle)

    @property
    def duration(self) -> float:
        """Time from rest to rest, s."""
        return abs(self.peak / self.acceleration) + abs(self.angle / self.peak) if self.angle else 0.0

    def at(self, time: float) -> tuple[float, float]:
        """Rate (rad/s) and angular acceleration (rad/s²) at a time (s).

        Examples
        --------
        >>> profile = TurnProfile(angle=2.0, rate=1.0, ramp=0.5)
        >>> profile.duration, profile.at(0.25), profile.at(1.0), profile.at(2.25)
        (2.5, (0.5, 2.0), (1.0, 0.0), (0.5, -2.0))
        """
        left = self.duration - time
        if time < 0 or left < 0 or not self.angle:
            return 0.0, 0.0
        ramp = abs(self.peak / self.acceleration)
        if time < ramp:
            return self.acceleration * time, self.acceleration
        if left < ramp:
            return self.acceleration * left, -self.acceleration
        return self.peak, 0.0


@dataclass(frozen=True, slots=True)
class TurnFall:
    """One disk that fell while the board was turned.

    Parameters
    ----------
    index, kind
        Position in the layout before, and index into ``board.kinds``.
    x, y
        Where its centre was when it lost its support, mm, in the board's frame.
    time
        Since the start of the turn, s.
    cost
        Chips: the single price (THR-16, THR-A16).
    """

    index: int
    kind: int
    x: float
    y: float
    time: float
    cost: int


@dataclass(frozen=True, eq=False)
class TurnResult:
    """What turning the board did.

    Parameters
    ----------
    board, profile, before
        As given.
    fallen
        The disks that fell, in order.
    layout
        The disks that still stand, in their old order, at rest, in the board's frame.
    poses
        (n, 3) last x, y, angle of every disk.
    certificate
        Largest overlap, and the steps taken (0: friction held everything, nothing had to be followed).
    accuracy
        As asked for.
    """

    board: Board
    profile: TurnProfile
    before: Layout
    fallen: tuple[TurnFall, ...]
    layout: Layout
    poses: FloatArray
    certificate: Certificate
    accuracy: str

    @property
    def cost(self) -> int:
        """Chips that the player who turned the board pays (THR-22)."""
        return sum(fall.cost for fall in self.fallen)

    @property
    def fell(self) -> tuple[int, ...]:
        """Indices of the fallen disks, ascending."""
        return tuple(sorted(fall.index for fall in self.fallen))

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready summary: falls, cost, layout afterwards, evidence."""
        names = [kind.name for kind in self.board.kinds]
        return {
            "accuracy": self.accuracy,
            "cost": self.cost,
            "fallen": [
                {"index": f.index, "disk": names[f.kind], "x": f.x, "y": f.y, "time": f.time, "cost": f.cost}
                for f in self.fallen
            ],
            "layout": [list(row) for row in self.layout.to_rows(self.board)],
            "certificate": {"overlap": self.certificate.overlap, "steps": self.certificate.steps},
        }


def turn(
    board: Board, layout: Layout, profile: TurnProfile, *, accuracy: Accuracy = "standard"
) -> TurnResult:
    """Turn the board with its disks by `profile` and say what fell (THR-22).

    Parameters
    ----------
    board, layout
        The table, and the disks at rest on it.
    profile
        How it is turned.
    accuracy
        Time step and contact points as for a push (`thrillsim.physics.rigid.SETTINGS`).

    Returns
    -------
    TurnResult

    Raises
    ------
    InputError
        If the accuracy has no such name, or the board no such kind.
    """
    if accuracy not in ACCURACIES:
        raise InputError(f"must be one of {', '.join(ACCURACIES)}, got {shown(accuracy)}", key="accuracy")
    layout.check_disks(board)
    problem = rest_problem(board, layout)
    scene = Scene(problem, SETTINGS[accuracy])
    scene.add_pusher(0.0)
    low, high = board.outline.min(axis=0), board.outline.max(axis=0)
    middle = (float(low[0] + high[0]) / 2, float(low[1] + high[1]) / 2)
    run = _Turn(scene, profile, profile.pivot or middle)
    run.start(HELD * board.friction.board * board.gravity)
    if scene.active:
        run.go()
        separate(scene.poses, scene.radii, scene.standing, np.vstack([problem.walls, scene.front_now()]))
    stay = scene.standing
    return TurnResult(
        board=board,
        profile=profile,
        before=layout,
        fallen=tuple(
            TurnFall(i, kind, float(pose[0]), float(pose[1]), time, price(board, kind))
            for i, pose, time in run.falls
            for kind in (problem.kinds[i],)
        ),
        layout=Layout(layout.kind[stay], scene.poses[stay, 0], scene.poses[stay, 1], scene.poses[stay, 2]),
        poses=scene.poses,
        certificate=Certificate(overlap=run.overlap, steps=run.steps),
        accuracy=accuracy,
    )


class _Turn:
    """One turn in progress."""

    def __init__(self, scene: Scene, profile: TurnProfile, pivot: tuple[float, float]) -> None:
        self.scene = scene
        self.profile = profile
        self.pivot = pivot
        self.margin = 0.05 * float(scene.radii.min(initial=math.inf)) if len(scene.radii) else 0.0
        self.falls: list[tuple[int, FloatArray, float]] = []
        self.overlap = 0.0
        self.steps = 0

    def start(self, held: float) -> None:
        """Let in the disks that feel more than `held` (mm/s²) at some time, and their neighbours."""
        rate, acceleration = abs(self.profile.peak), abs(self.profile.acceleration)
        for i, (x, y, _) in enumerate(self.scene.problem.poses.tolist()):
            distance = math.hypot(x - self.pivot[0], y - self.pivot[1])
            if self.profile.angle and distance * math.hypot(acceleration, rate * rate) > held:
                self.scene.add(i)
        if self.scene.active:
            self.scene.reach_out(self.margin)

    def go(self) -> None:
        """From rest to rest, and on until every disk has stopped."""
        scene, settings = self.scene, self.scene.settings
        total = math.ceil((self.profile.duration + SETTLE) / settings.dt)
        looked = 0.0
        for step in range(1, total + 1):
            self._pull((step - 0.5) * settings.dt)
            scene.space.step(settings.dt)
            self.steps = step
            if step % settings.every and step < total:
                continue
            time = step * settings.dt
            before = scene.read()
            for part, i, pose in take_falls(scene, before):
                self.falls.append((i, pose, looked + part * (time - looked)))
            scene.reach_out(self.margin)
            self.overlap = max(self.overlap, scene.overlap())
            looked = time
            if time > self.profile.duration and scene.fastest() < STILL:
                break

    def _pull(self, time: float) -> None:
        """Pseudo-forces on the active disks for the next step."""
        rate, acceleration = self.profile.at(time)
        for i in self.scene.active:
            load = self.scene.problem.loads[i]
            x, y, vx, vy, _ = self.scene.motion(i)
            x, y = x - self.pivot[0], y - self.pivot[1]
            ax = acceleration * y + rate * (rate * x + 2 * vy)
            ay = -acceleration * x + rate * (rate * y - 2 * vx)
            self.scene.push_aside(i, load.mass * ax, load.mass * ay, -load.inertia * acceleration)
