"""An engine of a few lines with outcomes known by construction: studies are tested by the hundred."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

from thrillsim.board import Board, Layout
from thrillsim.physics import Accuracy, Certificate, Fall, Push, PushResult
from thrillsim.physics.types import price


@dataclass(frozen=True)
class FakeEngine:
    """Every disk with x > 90 and |y - push.y| < 12 falls; the new disk stops at the blocking edge."""

    pause: float = 0.0
    name: str = "fake"

    def run(self, board: Board, before: Layout, push: Push, *, accuracy: Accuracy, trace: bool) -> PushResult:
        time.sleep(self.pause)
        fallen = []
        for i in range(len(before) - 1):
            if before.x[i] > 90 and abs(before.y[i] - push.y) < 12:
                weighted = push.weight is not None and push.weight.disk == i
                kind, cost = int(before.kind[i]), price(board, int(before.kind[i]), weighted=weighted)
                fallen.append(
                    Fall(i, kind, float(before.x[i]), float(before.y[i]), 50.0 + i, "push", weighted, cost)
                )
        poses = [(float(x), float(y), 0.0) for x, y in zip(before.x, before.y, strict=True)]
        poses[-1] = (float(board.radii[before.kind[-1]]), float(push.y), 0.0)
        keep = [i for i in range(len(before)) if i not in {f.index for f in fallen}]
        after = Layout(before.kind, [p[0] for p in poses], [p[1] for p in poses]).take(keep)
        return PushResult(
            board=board,
            push=push,
            before=before,
            fallen=tuple(fallen),
            layout=after,
            poses=before.x,
            advance=board.pusher.travel,
            jammed=False,
            certificate=Certificate(overlap=0.001 * len(fallen), power=math.nan, steps=10),
            engine=self.name,
            accuracy=accuracy,
        )
