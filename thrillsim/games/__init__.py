"""The games, by name.  A game's module is imported only when it is asked for.

May import bidding and the value types of board; never physics, play or players.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from thrillsim.errors import InputError, shown
from thrillsim.games.protocol import Game

_GAMES = {
    "thrill": "thrillsim.games.thrill:Thrill",
    "skull": "thrillsim.games.skull:Skull",
    "shakeit": "thrillsim.games.shakeit:ShakeIt",
    "thinkaboxin": "thrillsim.games.thinkaboxin:Thinkaboxin",
    "tricky": "thrillsim.games.tricky:Tricky",
}

__all__ = ["Game", "get", "names"]


def names() -> tuple[str, ...]:
    """The games that are there."""
    return tuple(name for name, where in _GAMES.items() if find_spec(where.split(":")[0]))


def get(name: str) -> Game[Any]:
    """The rules of a game.

    Raises
    ------
    InputError
        If there is no such game.
    """
    if name not in names():
        raise InputError(f"must be one of {', '.join(names())}, got {shown(name)}", key="game")
    module, _, attribute = _GAMES[name].partition(":")
    game: Game[Any] = getattr(import_module(module), attribute)()
    return game
