"""Who decides.  May import games and physics.

A player is an object with ``act(view, legal, rng) -> action``; a fresh one is
made for every game.  It sees what its seat may see and nothing more.
"""

from __future__ import annotations

from thrillsim.players.protocol import Player, make, names

__all__ = ["Player", "make", "names"]
