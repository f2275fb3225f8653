"""Players for Thrill, from simple to strong."""

from __future__ import annotations

PLAYERS: dict[str, str] = {}
"""Name -> ``module:Class``."""
