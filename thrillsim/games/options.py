"""A game's options from ``name=value`` text or from a record.  May import errors and toml."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from thrillsim import toml
from thrillsim.errors import InputError, limits_of, shown
from thrillsim.games.protocol import Game


def parse_options(game: Game[Any], given: Iterable[str]) -> Any:
    """The options of `game` from texts such as ``max_rounds=200``.

    A list is written with commas (``wager_counts=push,rotation``), nothing as
    ``none``, switches as ``true`` and ``false``.  An option that is a struct of
    its own (a board) is given as the name of a TOML file.

    Raises
    ------
    InputError
        Naming the option, and what is allowed.
    """
    values: dict[str, Any] = {}
    fields = {field.name: field for field in msgspec.structs.fields(game.Options)}
    for text in given:
        name, equals, value = text.partition("=")
        name = name.strip().replace("-", "_")
        if not equals or not name:
            raise InputError(f"write name=value, got {shown(text)}", source="--option")
        if name not in fields:
            raise InputError(f"no such option of {game.name}; there are {', '.join(fields)}", key=name)
        if name in values:
            raise InputError("is given twice", key=name)
        kind = msgspec.inspect.type_info(fields[name].type)
        kinds = kind.types if isinstance(kind, msgspec.inspect.UnionType) else (kind,)
        nothing = value.lower() == "none" and any(isinstance(k, msgspec.inspect.NoneType) for k in kinds)
        board = next((k for k in kinds if isinstance(k, msgspec.inspect.StructType)), None)
        if board and not nothing:
            values[name] = toml.load(value, board.cls)
            continue
        many = isinstance(kind, msgspec.inspect.VarTupleType | msgspec.inspect.TupleType)
        values[name] = None if nothing else tuple(filter(None, value.split(","))) if many else value
    return load_options(game, values, strict=False)


def load_options(game: Game[Any], values: Mapping[str, Any], *, strict: bool = True) -> Any:
    """The options of `game` from named values, all others at their defaults.

    Raises
    ------
    InputError
        Naming the option, and what is allowed.
    """
    kinds = {field.name: field.type for field in msgspec.structs.fields(game.Options)}
    for name, value in values.items():  # one by one, so that the message can name the option
        if name not in kinds:
            raise InputError(f"no such option of {game.name}; there are {', '.join(kinds)}", key=name)
        try:
            msgspec.convert(value, kinds[name], strict=strict)
        except msgspec.ValidationError as bad:
            wanted = _wanted(msgspec.inspect.type_info(kinds[name]))
            reason = f"must be {wanted}" if wanted else _reason(bad)
            given = ",".join(map(str, value)) if isinstance(value, tuple) else value
            raise InputError(f"{reason}, got {shown(given)}", key=name) from None
    try:
        return msgspec.convert(dict(values), game.Options, strict=strict)
    except msgspec.ValidationError as bad:  # each is fine by its type; the options themselves refuse one
        if isinstance(bad.__cause__, InputError):
            raise bad.__cause__ from None
        raise InputError(_reason(bad), source=f"options of {game.name}") from None


def _reason(bad: msgspec.ValidationError) -> str:
    return str(bad).split(" - at `")[0]


def _wanted(kind: msgspec.inspect.Type) -> str:
    """What may stand there, in words; "" for a kind that has none."""
    match kind:
        case msgspec.inspect.UnionType():
            parts = [_wanted(one) for one in kind.types]
            return " or ".join(parts) if all(parts) else ""
        case msgspec.inspect.LiteralType():
            return f"one of {', '.join(map(str, kind.values))}"
        case msgspec.inspect.VarTupleType():
            return f"a list with commas, each {_wanted(kind.item_type)}" if _wanted(kind.item_type) else ""
        case msgspec.inspect.IntType() | msgspec.inspect.FloatType():
            limits = limits_of(gt=kind.gt, ge=kind.ge, lt=kind.lt, le=kind.le)
            number = "a whole number" if isinstance(kind, msgspec.inspect.IntType) else "a number"
            return f"{number}{' from' if ' to ' in limits else ''} {limits}".strip()
        case msgspec.inspect.BoolType():
            return "true or false"
        case msgspec.inspect.NoneType():
            return "none"
    return ""
