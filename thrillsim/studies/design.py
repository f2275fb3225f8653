"""The design of a study: what trial k pushes into what.  Pure functions of (plan, k).

Trial k draws from its own streams, one per purpose.  So neither the order of the trials nor their number
changes any of them, and studies that differ in one respect (noise, weight, board friction) share all other
draws: common random numbers.
"""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from thrillsim.board import Board, Layout
from thrillsim.board.opening import opening
from thrillsim.errors import InputError
from thrillsim.physics import Engine, Push, WeightOn, push
from thrillsim.physics.types import FASTEST, sliding_span
from thrillsim.physics.weight import weight_problem
from thrillsim.studies.plan import Box, IntArray, Plan, centre_limits, grid, zone_limits
from thrillsim.studies.scenario import RESERVE, WeightPlace
from thrillsim.studies.streams import opening_seed, stream

_TRIES = 10_000  # of a rejection sampler; a region so small that this fails is refused


@dataclasses.dataclass(frozen=True, slots=True)
class Trial:
    """What one trial runs.

    Parameters
    ----------
    number
        k, from 0.
    board
        With this trial's friction.
    layout, push
        The push to carry out.
    kind
        Index of the new disk's size.
    aim
        Where the disk was meant to go, before placement noise, mm.
    layout_seed
        ``opening(board, layout_seed)`` is the arrangement before any warm-up; None for a fixed layout.
    warmups
        Pushes played before.
    """

    number: int
    board: Board
    layout: Layout
    push: Push
    kind: int
    aim: tuple[float, float]
    layout_seed: int | None
    warmups: int


class Design:
    """Draws the trials of a plan; holds what all of them share.

    Parameters
    ----------
    plan
        The resolved scenario.
    engine
        Plays the warm-up pushes, if any.
    """

    def __init__(self, plan: Plan, engine: Engine) -> None:
        self.plan = plan
        self.engine = engine
        self.start = plan.start
        self.centres = grid(plan)
        self.zones = {k: zone_limits(plan.board, k) for k, kind in enumerate(plan.board.kinds) if kind.count}
        self.limits = {k: centre_limits(plan, k) for k in plan.kinds} if self.centres is None else {}
        names = [plan.push.disk] if isinstance(plan.push.disk, str) else plan.push.disk
        self.kinds = [] if plan.push.disk == RESERVE else [plan.board.kind_index(name) for name in names]

    def trial(self, number: int) -> Trial:
        """Trial `number`, whatever was drawn before."""
        layout, layout_seed, reserve, warmups = self._position(number)
        kind, aim = self._placement(number, reserve)
        weight = _weight(self.plan, number, layout)
        board, push = _noisy(self.plan, number, Push(kind, *aim, weight=weight, speed=self.plan.push.speed))
        return Trial(number, board, layout, push, kind, aim, layout_seed, warmups)

    def _position(self, number: int) -> tuple[Layout, int | None, IntArray, int]:
        plan, layout, seed = self.plan, self.start, None
        reserve = plan.reserve(layout)
        if layout is None:
            seed = opening_seed(plan.seed, number)
            layout = opening(plan.board, seed)
        rng = stream(plan.seed, number, "warmup")
        for done in range(plan.opening.warmup):
            if not reserve.any():
                return layout, seed, reserve, done
            kind = random_of_reserve(reserve, rng)
            x, y = uniform_place(plan.board, kind, self.zones[kind], rng)
            result = push(plan.board, layout, Push(kind, x, y), engine=self.engine, accuracy="draft")
            after = plan.reserve(result.layout)
            if not after.any():
                return layout, seed, reserve, done
            # nobody leaves a board as it is on which the pusher is stuck half-way: that push is taken back
            if result.advance >= plan.board.pusher.travel:
                layout, reserve = result.layout, after
        return layout, seed, reserve, plan.opening.warmup

    def _placement(self, number: int, reserve: IntArray) -> tuple[int, tuple[float, float]]:
        rng = stream(self.plan.seed, number, "place")
        turn = number
        if self.kinds:
            kind = self.kinds[number % len(self.kinds)]
            turn = number // len(self.kinds)
        else:
            kind = random_of_reserve(reserve, rng)
        if self.centres is None:
            return kind, uniform_place(self.plan.board, kind, self.limits[kind], rng)
        x, y = self.centres[turn % len(self.centres)]
        return kind, (float(x), float(y))


def random_of_reserve(reserve: IntArray, rng: np.random.Generator) -> int:
    """Size of a disk drawn from the reserve, every disk alike."""
    return int(np.searchsorted(np.cumsum(reserve), rng.integers(reserve.sum()), side="right"))


def uniform_place(
    board: Board,
    kind: int,
    limits: Box,
    rng: np.random.Generator,
) -> tuple[float, float]:
    """A place uniform over that part of the zone whose centre lies within `limits`, mm."""
    (x0, x1), (y0, y1) = limits
    r = float(board.radii[kind])
    for _ in range(_TRIES):
        x, y = x0 + (x1 - x0) * rng.random(), y0 + (y1 - y0) * rng.random()
        low, high = sliding_span(board, x - r, x + r)
        if low + r <= y <= high - r:
            return x, y
    raise InputError(f"hardly any place for the disk {board.kinds[kind].name}", key="push.y")


def _weight(plan: Plan, number: int, layout: Layout) -> WeightOn | None:
    spec = plan.push.weight
    if isinstance(spec, WeightPlace):
        return WeightOn(spec.disk, spec.dx, spec.dy)
    if spec == "none" or not len(layout):
        return None
    # Uniform over all lids, kept if legal (THR-26): uniform over the legal places.
    rng = stream(plan.seed, number, "weight")
    radii = layout.radii(plan.board)
    chances = np.cumsum(radii**2)
    for _ in range(_TRIES):
        disk = int(np.searchsorted(chances, rng.random() * chances[-1], side="right"))
        rho, phi = radii[disk] * math.sqrt(rng.random()), 2 * math.pi * rng.random()
        weight = WeightOn(disk, float(rho * math.cos(phi)), float(rho * math.sin(phi)))
        if weight_problem(plan.board, layout, weight) is None:
            return weight
    return None


def _noisy(plan: Plan, number: int, push: Push) -> tuple[Board, Push]:
    noise, board = plan.noise, plan.board
    # All eight are drawn always, so that switching one on leaves the others as they were.
    dx, dy, yaw, tilt_x, tilt_y, speed, mu_board, mu_rim = (
        float(z) for z in stream(plan.seed, number, "noise").standard_normal(8)
    )
    if noise.friction_board or noise.friction_rim:
        rim = math.exp(noise.friction_rim * mu_rim)
        old = board.friction
        friction = dataclasses.replace(
            old,
            board=old.board * math.exp(noise.friction_board * mu_board),
            rim=min(2.0, old.rim * rim),
            pusher=min(2.0, old.pusher * rim),
            rail=min(2.0, old.rail * rim),
        )
        board = dataclasses.replace(board, friction=friction)
    x, y = push.x, push.y
    if noise.x or noise.y:
        kind = board.kind_index(push.disk)
        r = float(board.radii[kind])
        (x0, x1), _ = zone_limits(board, kind, x)
        x = min(max(x + noise.x * dx, x0), x1)
        low, high = sliding_span(board, x - r, x + r)
        y = min(max(y + noise.y * dy, low + r), high - r)
    slope_x, slope_y = noise.tilt * tilt_x, noise.tilt * tilt_y
    steepest = 0.49 * board.friction.board
    scale = min(1.0, steepest / max(math.hypot(slope_x, slope_y), 1e-300))
    return board, dataclasses.replace(
        push,
        x=x,
        y=y,
        yaw=min(max(noise.yaw * yaw, -0.1), 0.1),
        tilt=(slope_x * scale, slope_y * scale),
        speed=min(FASTEST, push.speed * math.exp(noise.speed * speed)),
    )
