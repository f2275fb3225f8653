"""Boards and layouts that the tests of the quasi-static engine share."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
from numba import njit

from thrillsim.board import Board, Friction, Layout, default_board
from thrillsim.board.layout import support_margin_of
from thrillsim.board.opening import opening
from thrillsim.physics import Accuracy, Push, PushResult, push
from thrillsim.physics.quasistatic.engine import QuasistaticEngine, Settings

BOARD = default_board()
EMPTY = Layout([], [], [])
BIG, MEDIUM, SMALL = 0, 1, 2
GAME_PUSHES = 8  #: pushes that make a mid-game table out of an opening

#: what the issue asks of a certificate
OVERLAP, RESIDUAL = 1e-6, 1e-8


def called(function: Any) -> Any:
    """A function of the engine, compiled so that Python may call it: most can only call each other."""
    how = {key: value for key, value in function.targetoptions.items() if "wrapper" not in key}
    del how["nopython"]  # what njit stands for
    return njit(**how)(function.py_func)


def with_rim(mu: float, board: Board = BOARD) -> Board:
    """The board with this friction at all rims, the pusher and the rails."""
    return replace(board, friction=Friction(board.friction.board, mu, mu, mu))


def slow(
    layout: Layout,
    one: Push,
    *,
    board: Board = BOARD,
    accuracy: Accuracy = "standard",
    settings: Settings | None = None,
    trace: bool = False,
) -> PushResult:
    """A push by the quasi-static engine, by name or with settings of its own."""
    engine = "quasistatic" if settings is None else QuasistaticEngine(settings)
    return push(board, layout, one, engine=engine, accuracy=accuracy, trace=trace)


def sound(result: PushResult) -> bool:
    """Whether the certificate is as good as the issue asks."""
    c = result.certificate
    residuals = max(c.force, c.complementarity, c.power)
    return c.unconverged == 0 and c.overlap <= OVERLAP and residuals <= RESIDUAL


def any_push(rng: np.random.Generator, board: Board = BOARD) -> Push:
    """A new disk of any kind anywhere in the sliding zone."""
    kind = int(rng.integers(len(board.kinds)))
    r = float(board.radii[kind])
    half = 110.0 - r
    return Push(kind, float(rng.uniform(-80.0 + r, -r)), float(rng.uniform(-half, half)))


@lru_cache(maxsize=512)
def midgame(seed: int, rim: float = 0.25) -> Layout:
    """An opening after `GAME_PUSHES` random pushes (a push that cannot be trusted is drawn again)."""
    board = with_rim(rim)
    rng = np.random.default_rng([7, seed])
    layout = opening(board, rng)
    done = 0
    while done < GAME_PUSHES:
        result = slow(layout, any_push(rng), board=board)
        if sound(result) and not result.jammed:
            layout = result.layout
            done += 1
    return layout


def midgame_case(seed: int, rim: float = 0.25) -> tuple[Layout, Push]:
    """A mid-game table and a push into it."""
    return midgame(seed, rim), any_push(np.random.default_rng([8, seed]))


def scattered(seed: int, count: int = 28, board: Board = BOARD) -> Layout:
    """Disks thrown one by one on the playing surface wherever there is room."""
    rng = np.random.default_rng([9, seed])
    kinds: list[int] = []
    x: list[float] = []
    y: list[float] = []
    for _ in range(20000):
        if len(kinds) == count:
            break
        k = int(rng.integers(len(board.kinds)))
        r = float(board.radii[k])
        px, py = float(rng.uniform(r, 122.0)), float(rng.uniform(-110.0, 110.0))
        apart = (
            np.hypot(np.array(x) - px, np.array(y) - py) - board.radii[kinds] if kinds else np.array([1e9])
        )
        if apart.min() > r:
            kinds.append(k)
            x.append(px)
            y.append(py)
    layout = Layout(kinds, x, y)
    stands = [support_margin_of(board, kinds[i], x[i], y[i]) > 0 for i in range(len(kinds))]
    return layout.take(np.flatnonzero(stands))
