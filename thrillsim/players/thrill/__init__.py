"""Players for Thrill, from simple to strong.  May import games and physics."""

from __future__ import annotations

PLAYERS: dict[str, str] = {
    "cautious": "thrillsim.players.thrill.cautious:Cautious",
    "equilibrium": "thrillsim.players.thrill.equilibrium:Equilibrium",
    "planner": "thrillsim.players.thrill.planner:Planner",
}
"""Name -> ``module:Class``."""
