"""What a player is, and how to find one by name.

Built-in players of a game are listed in ``thrillsim/players/<game>.py`` (or the
package of that name) as ``PLAYERS = {"name": "module:Class"}``.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol

import numpy as np

from thrillsim.errors import InputError, shown
from thrillsim.games.protocol import Legal

_ANY_GAME = {"random": "thrillsim.players.random:Random"}


class PlayerFailed(Exception):  # noqa: N818 - what happened to it, not an error of ours
    """A player cannot go on (it crashed, hung, or answered nonsense): it loses the game."""


class Player(Protocol):
    """Somebody who decides for one seat in one game.

    The class is called without arguments, once per game.
    """

    def act(self, view: Any, legal: Legal, rng: np.random.Generator) -> Any:
        """Choose an action.

        Parameters
        ----------
        view
            What this seat may know (the game's view struct).
        legal
            The legal actions: a tuple of all, or a described set with ``sample``.
        rng
            This player's own random stream; the only randomness it may use.
        """
        ...


def listed(game: str) -> dict[str, str]:
    """Built-in players for a game: name -> ``module:Class``."""
    found = dict(_ANY_GAME)
    module = f"thrillsim.players.{game}"
    if find_spec(module):
        found.update(import_module(module).PLAYERS)
    return found


def names(game: str) -> tuple[str, ...]:
    """The names of the built-in players for a game."""
    return tuple(listed(game))


def make(name: str, game: str) -> Player:
    """A fresh built-in player; ``name@argument`` hands the class a text (``planner@rigid``).

    Raises
    ------
    InputError
        If there is none of that name for this game.
    """
    players = listed(game)
    base, at, argument = name.partition("@")
    if base not in players:
        known = ", ".join(players)
        raise InputError(f"no player {shown(name)} for {game}; there are {known}, or module:Class")
    module, _, attribute = players[base].partition(":")
    kind = getattr(import_module(module), attribute)
    try:
        player: Player = kind(argument) if at else kind()
    except TypeError:
        raise InputError(f"{base} takes no argument, got {shown(argument)}", key="players") from None
    return player
