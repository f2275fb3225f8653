"""The rule sheets (``seeds/*.md``) and the options of the games, as text.

A wheel carries the sheets inside the package; in a checkout they lie beside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec

from thrillsim.errors import InputError, shown
from thrillsim.games import names
from thrillsim.games.protocol import Game


def rule_sheet(name: str) -> str:
    """The rule sheet of a game.

    Raises
    ------
    InputError
        If there is no such game, or its sheet is missing.
    """
    if name not in names():
        raise InputError(f"must be one of {', '.join(names())}, got {shown(name)}", key="game")
    package = files("thrillsim")
    for where in (package / "seeds", Path(str(package)).parent / "seeds"):
        sheet = where / f"{name}.md"
        if sheet.is_file():
            return sheet.read_text(encoding="utf-8")
    raise InputError("this installation has no rule sheet for it", key=name)


def option_table(game: Game[Any], defaults: Mapping[str, str]) -> str:
    """One line per option: name=default, and what else it may be; `defaults` go before the game's own."""
    lines = []
    for field in msgspec.structs.fields(game.Options):
        kind = msgspec.inspect.type_info(field.type)
        inner = kind.item_type if isinstance(kind, msgspec.inspect.VarTupleType) else kind
        allowed = ", ".join(map(str, inner.values)) if isinstance(inner, msgspec.inspect.LiteralType) else ""
        kinds = kind.types if isinstance(kind, msgspec.inspect.UnionType) else (kind,)
        if any(isinstance(k, msgspec.inspect.StructType) for k in kinds):
            lines.append(f"{field.name}  (a TOML file; see the rule sheet)")
            continue
        own = ",".join(field.default) if isinstance(field.default, tuple) else str(field.default).lower()
        if field.name in defaults:
            allowed = f"from Python {own}"
        default = defaults.get(field.name, own)
        lines.append(f"{field.name}={default}" + (f"  ({allowed})" if allowed else ""))
    return "\n".join(lines) + "\n"
