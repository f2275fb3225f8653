"""The quasi-static engine against the rigid engine with the same patch, as the rigid one's speed goes down.

Mid-game tables (an opening after eight pushes), a random push each.  Every disputed push is judged by
how near a tie it is: how far, in the engine where it stays, a disk that fell in one engine only is from
where it would not stand (its support margin, or less where the last of its ring leaves the board), or by
whether 0.02 mm in where the new disk is put, or a quarter of the step, changes either engine's own answer.

    python -m tests.physics.quasistatic.test_against_rigid [pushes]     prints the table
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest

from tests.physics.quasistatic.scenes import BOARD, midgame_case, slow, sound
from thrillsim.board import Layout
from thrillsim.board.layout import support_margin_of
from thrillsim.physics import Accuracy, Push, PushResult, push

TIE = 0.05  #: mm from falling
NUDGE = 0.02  #: mm
DIRECTIONS = np.linspace(0.0, 2.0 * np.pi, 32, endpoint=False)


@dataclass(frozen=True)
class Comparison:
    """Pushes at one speed against the limit."""

    speed: float
    pushes: int
    unsound: int
    same: int
    disputed: tuple[tuple[int, float, bool, bool], ...]  #: seed, margin, whether a nudge changes it, sound
    p_difference: float
    p_error: float
    cost_difference: float
    cost_error: float
    apart: float  #: mm, median over the pushes of the mean distance of the disks that stay

    @property
    def agreement(self) -> float:
        return self.same / self.pushes

    def line(self) -> str:
        ties = sum(margin < TIE or nudged for _, margin, nudged, _ in self.disputed)
        return (
            f"{self.speed:5.1f} mm/s: same fell {self.same}/{self.pushes} ({100 * self.agreement:.1f} %), "
            f"unsound {self.unsound}, dP {self.p_difference:+.3f} +- {self.p_error:.3f}, "
            f"dcost {self.cost_difference:+.3f} +- {self.cost_error:.3f}, "
            f"median mean distance {self.apart:.4f} mm, near ties {ties} of {len(self.disputed)} disputed"
        )


def closeness(a: PushResult, b: PushResult) -> float:
    """How far (mm) a disputed disk is from falling in the engine where it stays."""
    distances = []
    for i in set(a.fell) ^ set(b.fell):
        stays = b if i in a.fell else a
        kind = int(stays.before.kind[i])
        x, y, _ = (float(v) for v in stays.poses[i])
        distances.append(support_margin_of(BOARD, kind, x, y))
        for r in np.linspace(TIE / 5, TIE, 5):  # the margin may jump
            around = (
                support_margin_of(BOARD, kind, x + r * np.cos(t), y + r * np.sin(t)) for t in DIRECTIONS
            )
            if min(around) <= 0.0:
                distances.append(float(r))
                break
    return min(distances)


def nudged_differs(layout: Layout, one: Push, speed: float, accuracy: Accuracy) -> bool:
    """Whether either engine gives another answer with the disk a hair to either side, or at its finest."""
    room = 110.0 - float(BOARD.radii[BOARD.kind_index(one.disk)])
    for engine in ("quasistatic", "rigid"):
        fell = set()
        for dy in (-NUDGE, 0.0, NUDGE):
            moved = replace(one, y=min(max(one.y + dy, -room), room), speed=speed)
            fell.add(push(BOARD, layout, moved, engine=engine, accuracy=accuracy).fell)
        fell.add(push(BOARD, layout, replace(one, speed=speed), engine=engine, accuracy="fine").fell)
        if len(fell) > 1:
            return True
    return False


def compare(seeds: Sequence[int], speed: float, accuracy: Accuracy = "standard") -> Comparison:
    """Both engines on the same pushes; nothing is left out: an unsound push is counted and compared too."""
    same = unsound = 0
    disputed, p, cost, apart = [], [], [], []
    for seed in seeds:
        layout, one = midgame_case(seed)
        limit = slow(layout, one, accuracy=accuracy)
        real = push(BOARD, layout, replace(one, speed=speed), engine="rigid", accuracy=accuracy)
        unsound += not sound(limit)
        p.append((real.cost > 0) - (limit.cost > 0))
        cost.append(real.cost - limit.cost)
        if real.fell == limit.fell:
            same += 1
        else:
            nudged = nudged_differs(layout, one, speed, accuracy)
            disputed.append((seed, closeness(real, limit), nudged, sound(limit)))
        stay = [i for i in range(len(limit.before)) if i not in (*limit.fell, *real.fell)]
        apart.append(np.hypot(*(limit.poses[stay, :2] - real.poses[stay, :2]).T).mean())
    n = len(seeds)
    error = math.sqrt(n)
    return Comparison(
        speed, n, unsound, same, tuple(disputed),
        float(np.mean(p)), float(np.std(p, ddof=1)) / error,
        float(np.mean(cost)), float(np.std(cost, ddof=1)) / error, float(np.median(apart)),
    )  # fmt: skip


def test_ten_midgame_pushes_agree_with_the_rigid_engine_at_low_speed():
    result = compare(range(10), 5.0)
    assert result.unsound == 0
    assert result.same >= 9, result.disputed
    assert all(margin < TIE or nudged for _, margin, nudged, _ in result.disputed), result.disputed
    assert result.apart < 0.05


@pytest.mark.soak
def test_two_hundred_midgame_pushes_agree_with_the_rigid_engine_as_its_speed_goes_down():
    results = [compare(range(200), speed) for speed in (10.0, 5.0, 2.5)]
    table = "\n".join(r.line() for r in results)
    assert results[-1].agreement >= 0.97, table
    assert results[-1].apart < results[0].apart, table
    for r in results[1:]:
        assert abs(r.p_difference) <= 2 * r.p_error + 1e-12, table
        assert abs(r.cost_difference) <= 2 * r.cost_error + 1e-12, table
        assert r.unsound == 0, table
    assert all(m < TIE or nudged for _, m, nudged, _ in results[-1].disputed), (table, results[-1].disputed)


if __name__ == "__main__":
    many = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    for pace in (10.0, 5.0, 2.5):
        found = compare(range(many), pace)
        print(found.line(), flush=True)
        print("   ", [(s, round(m, 4), t, ok) for s, m, t, ok in found.disputed], flush=True)
