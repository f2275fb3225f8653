"""Pushing a recorded game's pushes again: does the same world, or another, drop the same disks?"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from thrillsim.games.protocol import Chance
from thrillsim.games.thrill.tell import name
from thrillsim.games.thrill.types import Arranged, Lifted, Pushed, Row, Turned
from thrillsim.play.record import Replayed
from thrillsim.play.table import World, streams


@dataclass(frozen=True, slots=True)
class Difference:
    """One chance event that came out otherwise; `event` counts from 1 like the record's lines."""

    event: int
    request: Any
    recorded: Any
    now: Any


def check_physics(replayed: Replayed, world: World) -> tuple[int, tuple[Difference, ...]]:
    """Ask the world every chance question of the record again.

    The opening is drawn from the record's seed, every later question holds all it needs.

    Returns
    -------
    asked, differences
        How many questions there were, and those with another answer.
    """
    rng, _ = streams(replayed.header.seed, len(replayed.header.players))
    asked, differences = 0, []
    for number, step in enumerate(replayed.steps, 1):
        if not isinstance(step.event, Chance):
            continue
        request = replayed.game.chance(step.before)
        now = world(request, rng)
        asked += 1
        if now != step.event.outcome:
            differences.append(Difference(number, request, step.event.outcome, now))
    return asked, tuple(differences)


def tell(one: Difference) -> str:
    """A difference as a line: what fell each time, and how far apart the disks lie."""
    recorded, now = _fell(one.recorded), _fell(one.now)
    text = f"{recorded}, as recorded" if recorded == now else f"recorded: {recorded}, now: {now}"
    apart = _apart(getattr(one.recorded, "layout", ()), getattr(one.now, "layout", ()))
    return f"event {one.event}: {text}{apart}"


def falls_alike(one: Difference) -> bool:
    """Whether the same disks fell all the same."""
    return _fell(one.recorded) == _fell(one.now)


def _fell(outcome: Any) -> str:
    match outcome:
        case Arranged():
            return "the opening"
        case Turned(fallen):
            return f"{_names(fallen)} in turning the board"
        case Lifted(fell):
            return f"{'the weighted disk falls' if fell else 'nothing falls'} at the lift"
        case Pushed(fallen, under, placing):
            hand = f"{_names(placing)} under the hand, " if placing else ""
            return f"{hand}{_names(fallen)}{' (one under the weight)' if under else ''}"
    return str(outcome)


def _names(disks: tuple[int, ...]) -> str:
    """``big 3 falls``."""
    return f"{', '.join(map(name, disks)) or 'nothing'} {'fall' if len(disks) > 1 else 'falls'}"


def _apart(recorded: tuple[Row, ...], now: tuple[Row, ...]) -> str:
    """How far the disks that lie there both times are apart; "" where they lie the same."""
    there = {row[0]: row for row in now}
    pairs = [(row, there[row[0]]) for row in recorded if row[0] in there]
    way = max((math.dist(a[1:3], b[1:3]) for a, b in pairs), default=0.0)
    turn = max((abs(a[3] - b[3]) for a, b in pairs), default=0.0)
    return f"; the disks lie up to {way:.2g} mm and {turn:.2g} rad apart" if way or turn else ""
