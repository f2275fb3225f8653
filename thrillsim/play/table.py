"""One game from beginning to end: asks the players, resolves chance, notes every event.

The same driver for every game.  A player is asked through its view only, and
only legal actions are accepted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from thrillsim.games.protocol import Act, Chance, Event, Game, IllegalAction, sample, who
from thrillsim.players.protocol import Player, PlayerFailed

World = Callable[[Any, np.random.Generator], Any]
"""Answers chance requests: (request, rng) -> outcome.  The default one throws dice and draws."""


class Forfeit(Exception):  # noqa: N818 - an event of a match, not an error of ours
    """The table gives up on a player that crashed, hung or moved illegally."""

    def __init__(self, seat: int, reason: str) -> None:
        self.seat, self.reason = seat, reason
        super().__init__(f"player {who(seat)} forfeits: {reason}")


@dataclass(frozen=True, slots=True)
class Step:
    """One event with the states around it."""

    before: Any
    event: Event
    after: Any


@dataclass(frozen=True, slots=True)
class Played:
    """A finished game.

    `winners` is empty for a game without a result.  After a forfeit the others
    share the win, the game is not played on.
    """

    options: Any
    players: int
    seed: int
    steps: tuple[Step, ...]
    state: Any
    winners: tuple[int, ...]
    places: tuple[int, ...]
    forfeit: Forfeit | None = None


def streams(seed: int, players: int) -> tuple[np.random.Generator, tuple[np.random.Generator, ...]]:
    """Chance's own random stream and one for each seat, all from one seed.

    No stream depends on how much another was used.
    """
    chance, *own = np.random.SeedSequence(seed).spawn(players + 1)
    return np.random.default_rng(chance), tuple(map(np.random.default_rng, own))


def run(
    game: Game[Any],
    options: Any,
    players: Sequence[Player],
    seed: int,
    world: World = sample,
) -> Iterator[Step]:
    """Play and yield every step as it happens.

    Raises
    ------
    IllegalAction
        If a player answers with something that is not legal.
    Forfeit
        If a player fails.
    InputError
        If the game is not for so many players.
    """
    chance_rng, own = streams(seed, len(players))
    state = game.initial(options, len(players))
    while (turn := game.turn(state)).kind != "over":
        event: Event
        if turn.kind == "chance":
            event = Chance(world(game.chance(state), chance_rng))
        else:
            seat = turn.seats[0]
            view, legal = game.view(state, seat), game.legal(state, seat)
            try:
                event = Act(seat, players[seat].act(view, legal, own[seat]))
            except PlayerFailed as failed:
                raise Forfeit(seat, str(failed)) from failed
        after = game.apply(state, event)
        yield Step(state, event, after)
        state = after


def play(
    game: Game[Any],
    options: Any,
    players: Sequence[Player],
    seed: int,
    world: World = sample,
    on_step: Callable[[Step], None] | None = None,
    forfeits: bool = False,
) -> Played:
    """Play one game to its end.

    Parameters
    ----------
    on_step
        Called after every step (to print or to record as the game goes).
    forfeits
        True: an illegal action loses the game for its player instead of raising.
        A player that raises `PlayerFailed` always loses the game.
    """
    steps: list[Step] = []
    state = game.initial(options, len(players))
    forfeit: Forfeit | None = None
    try:
        for step in run(game, options, players, seed, world):
            steps.append(step)
            state = step.after
            if on_step:
                on_step(step)
    except Forfeit as given:
        forfeit = given
    except IllegalAction as illegal:
        if not forfeits:
            raise
        forfeit = Forfeit(illegal.seat, str(illegal))
    winners, places = result(game, state, forfeit.seat if forfeit else None)
    return Played(options, len(players), seed, tuple(steps), state, winners, places, forfeit)


def result(game: Game[Any], state: Any, forfeited: int | None) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Winners and places, after a forfeit too: then the others share the win."""
    if forfeited is None:
        return game.winners(state), game.places(state)
    seats = range(game.players(state))
    return tuple(s for s in seats if s != forfeited), tuple(2 if s == forfeited else 1 for s in seats)
