"""Pushing a recorded game's pushes again: does the same world, or another, drop the same disks?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from thrillsim.games.protocol import Chance
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
