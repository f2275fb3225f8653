"""From the words on a command line to players: built in, plugged in by entry point, or ``module:Class``."""

from __future__ import annotations

import os
import sys
from importlib.metadata import entry_points

from thrillsim.errors import InputError, shown
from thrillsim.players.guard import Guarded, check_time_limit
from thrillsim.players.protocol import Player, listed, make

GROUP = "thrillsim.players"
"""Entry point group: an installed package may offer players as ``name = "module:Class"``."""


def plugged(name: str) -> str | None:
    """``module:Class`` of a player offered by an installed package, None if there is none of that name."""
    for point in entry_points(group=GROUP):
        if point.name == name:
            return point.value
    return None


def resolve(spec: str, game: str) -> str:
    """Check a player's name and say what it stands for: the name itself, or ``module:Class``.

    A plugged-in class is looked for in a process of its own, so that a wrong name is refused before the
    first game.

    Raises
    ------
    InputError
        If nobody is called that.
    """
    if spec.partition("@")[0] in listed(game):
        make(spec, game)
        return spec
    where = spec if ":" in spec else plugged(spec)
    if where is None:
        offered = sorted({point.name for point in entry_points(group=GROUP)})
        known = ", ".join([*listed(game), *offered])
        reason = f"no player {shown(spec)} for {game}; there are {known}, or module:Class"
        raise InputError(reason, key="players")
    here = os.getcwd()  # noqa: PTH109 - a text for sys.path
    if here not in sys.path:
        sys.path.insert(0, here)  # a file beside the user is what module:Class usually means
    Guarded(where, game).check()
    return where


class Roster:
    """Players for one game after the other; children of plugged-in ones are kept between games.

    Parameters
    ----------
    game
        Name of the game.
    time_limit
        Seconds per decision for plugged-in players; above 0.
    """

    def __init__(self, game: str, time_limit: float = 10.0) -> None:
        check_time_limit(time_limit)
        self.game, self.time_limit = game, time_limit
        self._children: dict[tuple[str, int], Guarded] = {}

    def players(self, resolved: list[str]) -> list[Player]:
        """A fresh player for each seat, from what :func:`resolve` returned."""
        out: list[Player] = []
        for seat, name in enumerate(resolved):
            if ":" not in name:
                out.append(make(name, self.game))
                continue
            number = resolved[:seat].count(name)  # the same plug-in twice at a table: two processes
            if (name, number) not in self._children:
                self._children[name, number] = Guarded(name, self.game, self.time_limit)
            out.append(self._children[name, number].new_game())
        return out

    def close(self) -> None:
        """End all child processes."""
        for child in self._children.values():
            child.close()
        self._children.clear()
