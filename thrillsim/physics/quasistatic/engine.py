"""The quasi-static engine behind the common interface: prepares arrays, runs the compiled kernel, reads the answer.

One workspace per thread and size; the kernel releases the interpreter's lock, so threads scale.
"""

from __future__ import annotations

import math
import threading
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from thrillsim.board import Board, Layout
from thrillsim.board.types import FloatArray
from thrillsim.physics.pressure import radial_rule
from thrillsim.physics.quasistatic import options, state
from thrillsim.physics.quasistatic.compiling import make_ready
from thrillsim.physics.quasistatic.frame import Frame, features_of, outline_of
from thrillsim.physics.quasistatic.kernel import run_push
from thrillsim.physics.quasistatic.patch import ANNULUS, RING, SOLID
from thrillsim.physics.types import Accuracy, Certificate, Fall, Push, PushResult, Trace, price

SHAPES = {"ring": RING, "disk": SOLID, "annulus": ANNULUS}
TRACE_ROWS = 4096


@dataclass(frozen=True, slots=True)
class Settings:
    """Numerical settings of one named accuracy.

    Parameters
    ----------
    step
        Longest pusher advance per step, mm.
    soft
        Gaps up to this (mm) are closed inside a step; wider ones end the step where they close.
    points
        Points per circle of an unevenly loaded patch.
    """

    step: float
    soft: float
    points: int


SETTINGS: dict[Accuracy, Settings] = {
    "draft": Settings(step=2.0, soft=0.02, points=16),
    "standard": Settings(step=1.0, soft=0.005, points=24),
    "fine": Settings(step=0.25, soft=0.001, points=48),
}
TOLERANCE = 1e-9  #: residual at which a step counts as solved
SNAP = 2e-4  #: mm; smaller gaps of loaded neighbours count as closed


_local = threading.local()


def workspace(n: int, points: int) -> state.Workspace:
    """Workspace of the calling thread for n disks."""
    spaces: dict[tuple[int, int], state.Workspace] = _local.__dict__.setdefault("spaces", {})
    if (n, points) not in spaces:
        if len(spaces) > 16:
            spaces.clear()
        spaces[n, points] = state.Workspace(n, points)
    return spaces[n, points]


class QuasistaticEngine:
    """The limit of slow pushing, solved to a residual that every result reports."""

    name = "quasistatic"

    def __init__(self, settings: Settings | None = None) -> None:
        self._settings = settings

    def run(
        self,
        board: Board,
        before: Layout,
        push: Push,
        *,
        accuracy: Accuracy = "standard",
        trace: bool = False,
    ) -> PushResult:
        """Carry out a push that is known to be legal; see `thrillsim.physics.push`."""
        settings = self._settings or SETTINGS[accuracy]
        n = len(before)
        ring_only = all(k.contact.shape == "ring" for k in board.kinds)
        nodes, node_weights = radial_rule(max(4, settings.points // 4))
        points = settings.points + 16 if ring_only else 8 * len(nodes) * (settings.points + 3)
        space = workspace(n, points)
        frame = Frame.of(before, push)
        ground = (
            outline_of(board, frame.side), settings.points, nodes, node_weights, space.store, space.weights, space.shares
        )  # fmt: skip
        features, foremost, stop = features_of(board, push.yaw, frame.side)
        opts = self._options(board, settings, foremost, stop)
        _fill(space, board, before, push, frame)
        rows = np.zeros((TRACE_ROWS if trace else 0, n + 1, 4))
        falls = np.zeros((n, 4))
        report = np.zeros(options.REPORT)
        arguments = (
            space.D, space.DI, space.P, space.C, space.CI, space.system, ground, features, opts, falls, rows, report
        )  # fmt: skip
        make_ready(arguments)
        run_push(*arguments)
        return self._result(
            board, before, push, frame, accuracy, space, falls, report, rows if trace else None
        )

    def _options(self, board: Board, settings: Settings, foremost: float, stop: float) -> FloatArray:
        friction = board.friction
        opts = np.zeros(options.OPTIONS)
        opts[options.STEP] = settings.step
        opts[options.TOLERANCE] = TOLERANCE
        opts[options.SNAP] = SNAP
        opts[options.SOFT] = settings.soft
        opts[options.STOP] = stop
        opts[options.RIM_MU] = friction.rim
        opts[options.PUSHER_MU] = friction.pusher
        opts[options.RAIL_MU] = friction.rail
        opts[options.FRONT] = foremost
        # a turned front protrudes: it comes from so far behind, where it meets no disk that was put at its rest
        opts[options.START] = min(0.0, -(foremost + board.pusher.travel))
        return opts

    def _result(
        self,
        board: Board,
        before: Layout,
        push: Push,
        frame: Frame,
        accuracy: str,
        space: state.Workspace,
        falls: FloatArray,
        report: FloatArray,
        rows: FloatArray | None,
    ) -> PushResult:
        """Read falls, poses and certificate back from the workspace."""
        fallen = []
        weighted = push.weight.disk if push.weight is not None else -1
        for row in falls[: int(report[options.FALLS])]:
            i = int(frame.order[int(row[0])])
            kind = int(before.kind[i])
            on = i == weighted
            x, y, advance = float(row[1]), float(frame.turned(row[2])), float(row[3])
            fallen.append(Fall(i, kind, x, y, advance, "push", on, price(board, kind, weighted=on)))
        poses = np.empty((len(before), 3))
        poses[frame.order] = space.D[:, state.POSE : state.POSE + 3]
        poses[:, 1:] = frame.turned(poses[:, 1:])
        alive = np.empty(len(before), dtype=bool)
        alive[frame.order] = space.DI[:, state.ALIVE] != 0
        advance = float(report[options.ADVANCE])
        if weighted >= 0 and alive[weighted]:
            from thrillsim.physics.weight import falls_when_lifted

            kind = int(before.kind[weighted])
            x, y = float(poses[weighted, 0]), float(poses[weighted, 1])
            if falls_when_lifted(board, kind, x, y):
                fallen.append(Fall(weighted, kind, x, y, advance, "lift", False, price(board, kind)))
                alive[weighted] = False
        poses.flags.writeable = False
        status = int(report[options.STATUS])
        return PushResult(
            board=board,
            push=push,
            before=before,
            fallen=tuple(fallen),
            layout=Layout.of_checked(before.kind[alive], poses[alive, 0], poses[alive, 1], poses[alive, 2]),
            poses=poses,
            advance=advance,
            jammed=status == options.JAMMED,
            certificate=Certificate(
                overlap=float(report[options.OVERLAP]),
                force=float(report[options.FORCE_ERROR]),
                complementarity=float(report[options.LAW_ERROR]),
                power=float(report[options.POWER_ERROR]),
                steps=int(report[options.STEPS]),
                unconverged=int(report[options.UNCONVERGED]) + (status == options.STUCK),
            ),
            engine=self.name,
            accuracy=accuracy,
            trace=None
            if rows is None
            else self._trace(board, before, frame, rows[: int(report[options.ROWS])]),
        )

    def _trace(self, board: Board, before: Layout, frame: Frame, rows: FloatArray) -> Trace:
        scale = board.friction.board * float(board.masses[before.kind[frame.order]].mean()) * board.gravity
        disks = np.empty((len(rows), len(before), 4))
        disks[:, frame.order] = rows[:, 1:]
        disks[:, :, 1:3] = frame.turned(disks[:, :, 1:3])
        return Trace(
            advance=rows[:, 0, 0].copy(),
            force=rows[:, 0, 1] * scale,
            poses=disks[:, :, :3].copy(),
            standing=disks[:, :, 3] > 0.5,
        )


def _fill(space: state.Workspace, board: Board, before: Layout, push: Push, frame: Frame) -> None:
    """Write disks, loads, weight and tilt of a push into the workspace."""
    D, DI = space.D, space.DI
    kind = before.kind[frame.order]
    angle = frame.turned(before.angle[frame.order])
    D[:] = 0.0
    DI[:] = 0
    D[:, state.POSE] = before.x[frame.order]
    D[:, state.POSE + 1], D[:, state.POSE + 2] = frame.turned(before.y[frame.order]), angle
    sizes, shapes = _kind_table(board)
    D[:, state.RIM : state.LOAD + 1], DI[:, state.SHAPE] = sizes[kind], shapes[kind]
    DI[:, state.ALIVE] = 1
    mass = D[:, state.LOAD].copy()
    unit = float(mass.mean())
    arm = (0.0, 0.0)
    if push.weight is not None:
        i = frame.row_of(push.weight.disk)
        share = board.weight.mass / (mass[i] + board.weight.mass)
        arm = (share * push.weight.dx, share * frame.side * push.weight.dy)
        cos, sin = math.cos(angle[i]), math.sin(angle[i])
        D[i, state.COM], D[i, state.COM + 1] = cos * arm[0] + sin * arm[1], cos * arm[1] - sin * arm[0]
        mass[i] += board.weight.mass
    D[:, state.LOAD] = mass / unit
    if push.tilt != (0.0, 0.0):
        tilt = (push.tilt[0], frame.side * push.tilt[1])
        pull = np.outer(mass, tilt) / (unit * board.friction.board)
        D[:, state.PULL : state.PULL + 2] = pull
        if push.weight is not None:  # the pull acts at the centre of mass
            torque = arm[0] * pull[i, 1] - arm[1] * pull[i, 0]
            D[i, state.PULL + 2] = torque / D[i, state.PATCH]


@lru_cache(maxsize=32)
def _kind_table(board: Board) -> tuple[FloatArray, NDArray[np.int64]]:
    """Per kind: rim radius, patch radius, inner / outer radius of the patch, mass; and the code of its shape."""
    patches = [k.contact for k in board.kinds]
    columns = (board.radii, [p.radius for p in patches], [p.inner / p.radius for p in patches], board.masses)
    return np.array(columns).T, np.array([SHAPES[p.shape] for p in patches])
