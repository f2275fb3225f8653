"""The pushes that the benchmarks time: random, crowded and growing sets.  Reads ``benchmarks/data``.

``random``   28 disks laid one by one at random, biggest first: few contacts.
``crowded``  mid-game: eight pushes after an opening, the front compacted, packing 0.66 ... 0.76.
``growing``  openings of 28, 56, 112, 224 disks on boards of the same shape and packing.

``python -m benchmarks.sets`` makes the stored layouts anew (a minute; the crowded ones depend on the engine
of that day, which is why they are stored).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec
import numpy as np

from thrillsim.board import Board, Layout, default_board, opening, rectangular_board
from thrillsim.board.disks import THRILL_KINDS
from thrillsim.errors import InputError
from thrillsim.physics import Push, push

DATA = Path(__file__).parent / "data"
STORED = 60  #: layouts in each stored set
WARMUP = 8
PACKING = (0.66, 0.76)
SPEED = 10.0  #: mm/s, for engines with inertia: coasting v^2 / (2 mu g) is 0.02 mm


@dataclass(frozen=True)
class Case:
    """One push to be timed."""

    board: Board
    layout: Layout
    push: Push


def with_rim(board: Board, rim: float) -> Board:
    """The board with that friction between rims, pusher and rails."""
    return replace(board, friction=replace(board.friction, rim=rim, pusher=rim, rail=rim))


def stored(name: str, rim: float, count: int) -> list[Case]:
    """The first `count` cases of the set ``random`` or ``crowded``, with rim friction `rim`."""
    board = with_rim(default_board(), rim)
    rows = msgspec.json.decode((DATA / f"{name}.json").read_bytes())[:count]
    cases = []
    for row in rows:
        kind, x, y, angle = np.array(row["disks"]).T
        one = Push(int(row["push"][0]), row["push"][1], row["push"][2], speed=SPEED)
        cases.append(Case(board, Layout(kind.astype(np.intp), x, y, angle).check(board), one))
    return cases


def easy() -> Case:
    """A push whose answer is plain: a straight row loses its first disk at the front edge, another stays."""
    board = default_board()
    layout = Layout(
        [2, 1, 1, 2, 2, 2], [119.0, 30.0, 91.5, 64.0, 41.5, 19.0], [0.0, 90.0, 0.0, 0.0, 0.0, 0.0]
    )
    return Case(board, layout, Push(2, -12.0, 0.0, speed=SPEED))


def grown(factor: int, seed: int, warmup: int = 3) -> Case:
    """A push after a few others, on a board of `factor` times the area with `factor` times 28 disks."""
    grow = math.sqrt(factor)
    kinds = tuple(replace(k, count=(k.count - k.reserve) * factor, reserve=0) for k in THRILL_KINDS)
    board = rectangular_board(depth=122.0 * grow, width=220.0 * grow, kinds=kinds, name=f"x{factor}")
    rng = np.random.default_rng([factor, seed])
    layout = opening(board, rng)
    for _ in range(warmup):
        result = push(board, layout, random_push(board, rng), engine="quasistatic", accuracy="draft")
        if result.advance >= board.pusher.travel:  # (else disks lie in the way of the next one)
            layout = result.layout
    return Case(board, layout, random_push(board, rng))


def growing(factor: int, count: int) -> list[Case]:
    """The first `count` pushes on the board of that size."""
    return [grown(factor, seed) for seed in range(count)]


def random_push(board: Board, rng: np.random.Generator, kind: int | None = None) -> Push:
    """A disk 1 mm before the blocking edge, anywhere along it."""
    disk = int(rng.integers(len(board.kinds))) if kind is None else kind
    r = float(board.radii[disk])
    reach = float(board.outline[:, 1].max()) - 1.0 - r
    return Push(disk, -r - 1.0, round(float(rng.uniform(-reach, reach)), 3), speed=SPEED)


def _random_layout(board: Board, rng: np.random.Generator) -> Layout | None:
    """Disks one by one, biggest first, each anywhere it fits with its centre on the board."""
    kinds = np.repeat(np.arange(len(board.kinds)), [k.count - k.reserve for k in board.kinds])
    front, half = float(board.outline[:, 0].max()), float(board.outline[:, 1].max())
    placed = np.empty((0, 3))
    for r in board.radii[kinds].tolist():
        for _ in range(2000):
            x, y = rng.uniform(r, front - 0.3), rng.uniform(0.3 - half, half - 0.3)
            if (np.hypot(placed[:, 0] - x, placed[:, 1] - y) > placed[:, 2] + r + 0.02).all():
                placed = np.vstack([placed, (x, y, r)])
                break
        else:
            return None
    return Layout(kinds, placed[:, 0], placed[:, 1])


def _crowded_layout(board: Board, rng: np.random.Generator) -> Layout | None:
    """An opening and eight pushes with disks of the reserve; None if it ends too loose or too dense."""
    layout = opening(board, rng)
    for _ in range(WARMUP):
        left = np.array([k.count for k in board.kinds]) - np.bincount(layout.kind, minlength=len(board.kinds))
        kinds = np.repeat(np.arange(len(board.kinds)), left)
        if not len(kinds):
            return None
        result = push(board, layout, random_push(board, rng, int(rng.choice(kinds))), engine="quasistatic")
        if result.certificate.unconverged:
            return None
        layout = result.layout
    return layout if PACKING[0] <= layout.packing(board) <= PACKING[1] else None


def make() -> None:
    """Write ``data/random.json`` and ``data/crowded.json``."""
    board = default_board()
    for name, maker in (("random", _random_layout), ("crowded", _crowded_layout)):
        rows: list[str] = []
        seed = 0
        while len(rows) < STORED:
            rng = np.random.default_rng([seed, len(name)])
            seed += 1
            layout = maker(board, rng)
            try:
                layout = None if layout is None else layout.check(board)
            except InputError:  # a ring beside a corner may have no support
                continue
            if layout is None:
                continue
            one = random_push(board, rng)
            poses = zip(
                layout.kind.tolist(), layout.x.tolist(), layout.y.tolist(), layout.angle.tolist(), strict=True
            )
            disks = [[k, round(x, 8), round(y, 8), round(a, 8)] for k, x, y, a in poses]
            rows.append(msgspec.json.encode({"push": [one.disk, one.x, one.y], "disks": disks}).decode())
        DATA.mkdir(exist_ok=True)
        (DATA / f"{name}.json").write_text("[\n" + ",\n".join(rows) + "\n]\n")
        print(f"{name}: {len(rows)} layouts from {seed} seeds")


if __name__ == "__main__":
    make()
