"""Values to draw, made by hand: a push whose numbers are known, a summary whose numbers are known."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np

from thrillsim.board import Board, Layout, default_board
from thrillsim.physics import Certificate, Fall, Push, PushResult, Trace, WeightOn
from thrillsim.studies.statistics import chance, mean
from thrillsim.studies.summary import (
    CostCount,
    Curve,
    EdgeFalls,
    Evidence,
    Example,
    FallPoint,
    KindRow,
    PlacedRow,
    Summary,
)

LYING = Layout.from_rows(
    default_board(),
    [("big", 60.0, 20.0), ("medium", 105.0, 15.0), ("small", 20.0, -60.0)],
)


LONG = (
    "Big red cup of the second edition, with a rim that is worn",
    "Medium yellow cup as it was sold in 1987, later repainted",
    "Small green cup: a replacement that was made from ash wood",
    "Tiny blue cup, whose other name nobody remembers any longer",
)


def long_names(board: Board, kinds: int = 3) -> Board:
    """That board with long names, and so many kinds."""
    names = [name if i < len(LONG) else f"{name} {i}" for i, name in zip(range(kinds), itertools.cycle(LONG))]
    return replace(
        board,
        name="A board whose name is about as long as a name can sensibly be",
        kinds=tuple(replace(board.kinds[i % 3], name=name) for i, name in enumerate(names)),
    )


def made_push(*, weight: bool = False, trace: bool = True, nothing: bool = False) -> PushResult:
    """The big disk goes by (15, 5) and turns by 90 degrees; the medium one falls at x = 122."""
    board = default_board()
    push = Push("medium", -40.0, 20.0, weight=WeightOn(0, 6.0, 0.0) if weight else None)
    before = LYING.with_disk(1, push.x, push.y)
    start = np.column_stack([before.x, before.y, before.angle])
    end = start.copy()
    end[0] += (15.0, 5.0, math.pi / 2)
    end[1] = (122.0, 18.0, 0.0)
    end[3] = (16.0, 20.0, 0.0)
    fallen = (Fall(1, 1, 122.0, 18.0, 70.0, "push", weighted=False, cost=2),)
    if nothing:
        end[1] = start[1]
        fallen = ()
    keep = [i for i in range(4) if i not in {f.index for f in fallen}]
    share = np.linspace(0.0, 1.0, 9)
    history = Trace(
        advance=80.0 * share,
        force=40_000.0 * share,
        poses=start + share[:, None, None] * (end - start),
        standing=np.ones((9, 4), dtype=bool),
    )
    after = Layout(before.kind[keep], end[keep, 0], end[keep, 1], end[keep, 2])
    evidence = Certificate(0.01, steps=400)
    return PushResult(
        board,
        push,
        before,
        fallen,
        after,
        end,
        80.0,
        False,
        evidence,
        "made",
        "draft",
        history if trace else None,
    )


def made_summary(
    *,
    n: int = 600,
    sizes: tuple[str, ...] = ("big", "medium", "small"),
    board: Board | None = None,
    falls: bool = True,
    weight: bool = False,
    scenario: str = "The opening position",
) -> Summary:
    """A study with `n` made-up trials; without `falls` nothing ever fell."""
    board = board or default_board()
    rng = np.random.default_rng(3)
    reach = min(90.0, board.sliding.blocking_span()[1] - 20.0)
    y = rng.uniform(-reach, reach, n)
    size = rng.integers(0, len(sizes), n)
    cost = rng.poisson(np.maximum(0.2, 1.9 - 0.5 * size) * (0.7 + 0.6 * np.exp(-((y / 40) ** 2)))) * int(
        falls
    )
    limits = np.linspace(-reach - 4, reach + 4, 13)

    def curve(disk: str | None) -> Curve:
        mine = np.ones(n, dtype=bool) if disk is None else size == sizes.index(disk)
        bins = [cost[mine & (y >= a) & (y < b)] for a, b in itertools.pairwise(limits)]
        return Curve(
            disk,
            tuple(((limits[1:] + limits[:-1]) / 2).tolist()),
            tuple(limits[:-1].tolist()),
            tuple(limits[1:].tolist()),
            tuple(mean(b.tolist()) for b in bins),
            tuple(chance(int((b > 0).sum()), len(b)) for b in bins),
        )

    edges, points = [], []
    outline = board.outline
    for i, kind in enumerate(board.outline_edges):
        start, end = outline[i], outline[(i + 1) % len(outline)]
        if kind == "railed" or min(start[0], end[0]) < 0:
            continue
        length = float(np.hypot(*(end - start)))
        steps = np.linspace(0, length, max(2, int(length // 10)) + 1)
        drawn = rng.poisson(4 if start[0] == end[0] else 1, (len(board.kinds), len(steps) - 1)) * int(falls)
        for k, b in zip(*np.nonzero(drawn), strict=True):
            x, across = start + (end - start) * (steps[b] + steps[b + 1]) / 2 / length
            points.append(FallPoint(int(k), float(x), float(across)))
        edges.append(
            EdgeFalls(
                (float(start[0]), float(start[1])),
                (float(end[0]), float(end[1])),
                tuple(steps.tolist()),
                tuple(drawn.sum(axis=0).tolist()),
                tuple(tuple(row) for row in drawn.tolist()),
                mean([1] * int(drawn.sum()) + [0] * n),
            )
        )
    top = int(cost.max())
    return Summary(
        scenario=scenario,
        scenario_hash="0",
        seed=3,
        trials=n,
        engine="made",
        accuracy="draft",
        confidence=0.95,
        methods={},
        any_fell=chance(int((cost > 0).sum()), n),
        none_fell=chance(int((cost == 0).sum()), n),
        cost=mean(cost.tolist()),
        costs=tuple(CostCount(c, chance(int((cost == c).sum()), n)) for c in range(top + 1)),
        kinds=tuple(
            KindRow(k.name, chance(n // (3 + i), n), mean([0, 1] * n), chance(n // (5 + i), 9 * n))
            for i, k in enumerate(board.kinds)
        ),
        placed=tuple(
            PlacedRow(
                s,
                chance(int((cost[size == i] > 0).sum()), int((size == i).sum())),
                mean(cost[size == i].tolist()),
            )
            for i, s in enumerate(sizes)
        ),
        curves=(curve(None), *(curve(s) for s in sizes)),
        edges=tuple(edges),
        points=tuple(points),
        weight=None,
        jammed=chance(0, n),
        evidence=Evidence(0, 0.01, None, None, None, 1000),
        board=board,
        example=Example(
            tuple(LYING.to_rows(board)),
            sizes[0],
            -40.0,
            20.0,
            (66.0, 20.0) if weight else None,
        ),
    )
