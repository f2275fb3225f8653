"""TOML files in and out, JSON in, with errors of one line: file, key, value and what is allowed.

Every file that a user writes, or names to be written, comes through here.  May import `thrillsim.errors` and
msgspec only.
"""

from __future__ import annotations

import difflib
import enum
import json
import math
import os
import re
import tomllib
import types
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

import msgspec

from thrillsim.errors import InputError, limits_of, shown, system_reason

T = TypeVar("T")
Step = str | int | None  #: of a path into the data: a key, a position, or (None) any key of a table

WHOLE = 2**53  #: the largest whole number that every reader of JSON keeps; a seed goes so far

_AT = re.compile(r"^(.*?)(?: - at `(?:key in )?\$(.*)`)?$", re.DOTALL)
_STEP = re.compile(r"\.([^.\[]+)|\[(\d+)\]|(\[\.\.\.\])")
_WORDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "a text",
    "bool": "true or false",
    "array": "a list",
    "object": "a table",
}


def load(path: str | Path, kind: type[T]) -> T:
    """Read a TOML file as `kind` (a msgspec Struct).

    Raises
    ------
    InputError
        One line that begins with the path: no such file, not TOML (with the line), unknown key
        (with the keys there are), wrong type or value (with what is allowed).
    """
    return decode(read_text(path), kind, str(path))


def read_text(path: str | Path) -> str:
    """The text of a file a user named, or an `InputError` that says why not."""
    try:
        return Path(path).read_text(encoding="utf-8-sig")  # a byte order mark is not part of the text
    except UnicodeDecodeError as error:
        raise InputError(f"is not UTF-8 text (byte {error.start})", source=str(path)) from None
    except (OSError, ValueError) as error:
        reason = system_reason(error) if isinstance(error, OSError) else str(error).lower()
        raise InputError(f"cannot be read: {reason}", source=str(path)) from None


def write_whole(path: str | Path, content: str | bytes) -> None:
    """Write a file a user named, whole or not at all; an `InputError` says why not."""
    target = Path(path)
    raw = content.encode() if isinstance(content, str) else content
    try:
        if target.exists() and not target.is_file():  # a pipe, say, that nothing may take the place of
            target.write_bytes(raw)
            return
        if target.exists() and target.read_bytes() == raw:  # nothing to do, perhaps where nobody may write
            return
        target = target.resolve()  # what a link leads to is replaced, not the link
        # (cut: the target's own name may be as long as a name can be)
        draft = target.with_name(f".{target.name[:40]}.{os.getpid()}.tmp")
        try:
            draft.write_bytes(raw)
            draft.replace(target)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:
        raise InputError(f"cannot be written: {system_reason(error)}", source=str(path)) from None


def decode(text: str, kind: type[T], source: str) -> T:
    """TOML text as `kind`; `source` is what errors call it.

    Examples
    --------
    >>> class Study(msgspec.Struct, forbid_unknown_fields=True):
    ...     trials: Annotated[int, msgspec.Meta(ge=1)] = 100
    >>> decode("trials = 20", Study, "a.toml").trials
    20
    >>> decode("trails = 20", Study, "a.toml")
    Traceback (most recent call last):
    thrillsim.errors.InputError: a.toml: trails: unknown key, did you mean trials? allowed: trials
    >>> decode("trials = 0", Study, "a.toml")
    Traceback (most recent call last):
    thrillsim.errors.InputError: a.toml: trials: must be >= 1, got 0
    """
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        last = len(text.splitlines()) or 1
        reason = str(error).splitlines()[0].replace("at end of document", f"at line {last}")
        raise InputError(f"is not TOML: {reason}", source=source) from None
    except RecursionError:
        raise InputError("is not TOML: nested too deeply", source=source) from None
    except ValueError:  # Python reads no longer ones
        raise InputError("is not TOML: holds a number of thousands of digits", source=source) from None
    return convert(data, kind, source)


def convert(data: Any, kind: type[T], source: str | None = None) -> T:
    """Tables and lists already read (TOML or JSON) as `kind`, with the same errors as `decode`."""
    _check_finite(data, source)
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        raise _explained(error, data, kind, source) from None


def decode_json(text: str | bytes, kind: type[T], source: str | None = None, *, repeats: bool = False) -> T:
    """JSON as `kind`, with the same errors as `decode`.

    Parameters
    ----------
    repeats
        Whether a key may come twice in one table, where the last counts: that is quicker to read.

    Examples
    --------
    >>> decode_json('{"trials": 20', dict, "a.json")
    Traceback (most recent call last):
    thrillsim.errors.InputError: a.json: is not JSON: ends in the middle
    >>> decode_json('{"trials": 20, "trials": 10}', dict, "a.json")
    Traceback (most recent call last):
    thrillsim.errors.InputError: a.json: trials: is given twice
    """
    try:
        try:
            found = msgspec.json.decode(text, type=kind)
        except msgspec.ValidationError:  # JSON, but no `kind`
            found = convert(msgspec.json.decode(text), kind, source)
        if not repeats:
            _check_keys(text, source)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        with suppress(RecursionError):
            _check_finite(_leniently(text), source)
        raise InputError(f"is not JSON: {_not_json(text, error)}", source=source) from None
    return found


def _check_keys(text: str | bytes, source: str | None) -> None:
    """Refuse a key that a table of JSON has twice, as TOML does; the reader just keeps the last."""

    def once(pairs: list[tuple[str, Any]]) -> None:
        seen = set()
        for key, _ in pairs:
            if key in seen:
                raise InputError("is given twice", source=source, key=_name(key))
            seen.add(key)

    json.loads(text, object_pairs_hook=once, parse_int=str, parse_float=str)  # (numbers of any length)


def _check_finite(data: Any, source: str | None) -> None:
    for path, value in _leaves(data, ()):
        if isinstance(value, float) and not math.isfinite(value):
            raise InputError(f"must be a finite number, got {value}", source=source, key=_dotted(path))


def _leniently(text: str | bytes) -> Any:
    """What Python's reader finds, which takes NaN and 1e999 for numbers; None if that is nothing either."""
    try:
        return json.loads(text)
    except ValueError:
        return None


# -- errors ------------------------------------------------------------------------


def _explained(error: msgspec.ValidationError, data: Any, kind: Any, source: str | None) -> InputError:
    match = _AT.match(str(error))
    assert match is not None
    message, where = match[1], match[2] or ""
    steps: list[Step] = [int(m[2]) if m[2] else (None if m[3] else m[1]) for m in _STEP.finditer(where)]
    path: list[str | int] = []
    for named in steps:
        step = _bad_key(data, kind) if named is None and isinstance(data, Mapping) else named
        kind = _inner(kind, data, step)
        try:
            data = data[step]
        except (LookupError, TypeError):  # a key that is missing
            data = None
        path.append(step if step is not None else "?")
    key = _dotted(path)
    cause = error.__cause__
    if isinstance(cause, InputError):  # raised by a Struct's own __post_init__
        below = ".".join(part for part in (key, cause.key) if part)
        return InputError(cause.reason, source=cause.source or source, key=below or None)
    if m := re.match(r"Object contains unknown field `(.*)`", message, re.DOTALL):
        return InputError(_unknown(m[1], _keys(kind, data)), source=source, key=_dotted([*path, m[1]]))
    if m := re.match(r"Object missing required field `(.*)`", message):
        tags = _tags(kind)
        allowed = f", one of {', '.join(tags)}" if tags and m[1] not in _keys(kind, data, tag=False) else ""
        return InputError(f"is required{allowed}", source=source, key=_dotted([*path, m[1]]))
    if cause is not None:
        return InputError(message, source=source, key=key)
    if message.startswith("Invalid"):  # of an enumeration, or a tag
        allowed = ", ".join(_choices(kind))
        return InputError(f"must be one of {allowed}, got {shown(data)}", source=source, key=key)
    return InputError(f"{_required(message, kind)}, got {shown(data)}", source=source, key=key)


def _not_json(text: str | bytes, error: Exception) -> str:
    """Where JSON breaks off; only Python's reader says the exact place."""
    if isinstance(error, RecursionError):
        return "nested too deeply"
    if "truncated" in str(error):
        return "ends in the middle"
    try:
        json.loads(text)
    except json.JSONDecodeError as found:
        line = f"line {found.lineno}, " if "\n" in found.doc.strip() else ""
        return f"wrong from {line}character {found.colno} on: {shown(found.doc[found.pos :][:20])}"
    except UnicodeError as found:
        return f"not UTF-8 text (byte {getattr(found, 'start', 0)})"
    except ValueError:  # a number of thousands of digits
        pass
    return "holds a number or a letter that JSON does not have"


def _dotted(path: Sequence[Step]) -> str | None:
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{_name(step or '?')}"
    return text.lstrip(".") or None


def _unknown(name: str, allowed: Sequence[str]) -> str:
    near = difflib.get_close_matches(name, allowed, n=2, cutoff=0.7)
    hint = f" did you mean {' or '.join(near)}?" if near else ""
    return f"unknown key,{hint} allowed: {', '.join(allowed)}"


def _required(message: str, kind: Any) -> str:
    metas = [meta for _, found in _members(kind) for meta in found]
    found = re.match(r"Expected `([^`]*)`(.*?)(, got .*)?$", message, re.DOTALL)
    if not found:
        return f"cannot be used ({message[:1].lower()}{message[1:]})"
    extra = found[2].strip()
    if re.match(r"[<>]", extra):
        bounds = [limits_of(gt=m.gt, ge=m.ge, lt=m.lt, le=m.le) for m in metas]
        return f"must be {' and '.join(filter(None, bounds)) or extra}"
    if m := re.match(r"of length (.*)", extra):
        return f"must have length {m[1]}"
    names = [name for name in found[1].split(" | ") if name != "null"]
    choices = [c for member, _ in _members(kind) if get_origin(member) is Literal for c in _choices(member)]
    words = [_WORDS.get(name, name) for name in names if not (choices and name in ("str", "int"))]
    return f"must be {' or '.join(choices + words)}{' ' + extra if extra else ''}"


# -- types beside the data -----------------------------------------------------------


def _members(kind: Any, metas: tuple[Any, ...] = ()) -> Iterator[tuple[Any, tuple[Any, ...]]]:
    """The alternatives of a type annotation, each with its `msgspec.Meta`."""
    origin = get_origin(kind)
    if origin is Annotated:
        inner, *extra = get_args(kind)
        yield from _members(inner, (*metas, *(m for m in extra if isinstance(m, msgspec.Meta))))
    elif origin in (Union, types.UnionType):
        for member in get_args(kind):
            yield from _members(member, metas)
    else:
        yield kind, metas


def _structs(kind: Any, data: Any = None) -> list[Any]:
    """The Struct classes among the alternatives; the one that a tag in `data` names, if any does."""
    found = [m for m, _ in _members(kind) if isinstance(m, type) and issubclass(m, msgspec.Struct)]
    if isinstance(data, Mapping):
        for struct in found:
            config = struct.__struct_config__
            if config.tag is not None and data.get(config.tag_field) == config.tag:
                return [struct]
    return found


def _keys(kind: Any, data: Any, *, tag: bool = True) -> list[str]:
    keys: list[str] = []
    for struct in _structs(kind, data):
        config = struct.__struct_config__
        names = [config.tag_field] if tag and config.tag is not None else []
        names += [f.encode_name for f in msgspec.structs.fields(struct)]
        keys += [name for name in names if name not in keys]
    return keys


def _tags(kind: Any) -> list[str]:
    return [str(s.__struct_config__.tag) for s in _structs(kind) if s.__struct_config__.tag is not None]


def _inner(kind: Any, data: Any, step: Step) -> Any:
    """The type of ``data[step]`` if `data` is of type `kind`; Any where it cannot be told."""
    if isinstance(step, str):
        for struct in _structs(kind, data):
            for field in msgspec.structs.fields(struct):
                if field.encode_name == step:
                    return field.type
        if step in {s.__struct_config__.tag_field for s in _structs(kind)}:
            return Literal[tuple(_tags(kind))]
    for member, _ in _members(kind):
        origin, args = get_origin(member), get_args(member)
        if isinstance(step, int) and origin is tuple:
            return args[0] if len(args) == 2 and args[1] is Ellipsis else args[min(step, len(args) - 1)]
        if isinstance(step, int) and origin in (list, set, frozenset, Sequence):
            return args[0]
        if isinstance(step, str) and origin in (dict, Mapping):
            return args[1]
    return Any


def _bad_key(data: Mapping[str, Any], kind: Any) -> str | None:
    for key, value in data.items():
        try:
            msgspec.convert(value, _inner(kind, data, key))
        except msgspec.ValidationError:
            return key
    return None


def _choices(kind: Any) -> list[str]:
    choices: list[str] = []
    for member, _ in _members(kind):
        if get_origin(member) is Literal:
            choices += [str(value) for value in get_args(member)]
        elif isinstance(member, type) and issubclass(member, enum.Enum):
            choices += [str(value.value) for value in member]
    return choices


def _leaves(data: Any, path: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    if isinstance(data, Mapping):
        for key, value in data.items():
            yield from _leaves(value, (*path, str(key)))
    elif isinstance(data, list | tuple):
        for i, value in enumerate(data):
            yield from _leaves(value, (*path, i))
    else:
        yield path, data


# -- writing ---------------------------------------------------------------------------


def encode(data: Mapping[str, Any]) -> str:
    """Tables, lists, texts, numbers and booleans as TOML; None is left out; reads back equal.

    Examples
    --------
    >>> print(encode({"trials": 20, "board": {"base": "default", "depth": 130.0}}), end="")
    trials = 20
    <BLANKLINE>
    [board]
    base = "default"
    depth = 130.0
    """
    lines: list[str] = []
    _table(data, (), lines)
    return "\n".join(lines).lstrip("\n") + "\n"


def _table(data: Mapping[str, Any], path: tuple[str, ...], lines: list[str], in_list: bool = False) -> None:
    def is_tables(value: Any) -> bool:
        return isinstance(value, list | tuple) and bool(value) and all(isinstance(v, Mapping) for v in value)

    def has_header(value: Any) -> bool:  # a table of a listed table is easier to read on one line
        return not in_list and (isinstance(value, Mapping) or is_tables(value))

    for key, value in data.items():
        if value is not None and not has_header(value):
            lines.append(f"{_name(key)} = {_value(value)}")
    for key, value in data.items():
        header = ".".join(map(_name, (*path, key)))
        if not has_header(value):
            continue
        if isinstance(value, Mapping):
            lines.extend(("", f"[{header}]"))
            _table(value, (*path, key), lines)
        else:
            for item in value:
                lines.extend(("", f"[[{header}]]"))
                _table(item, (*path, key), lines, in_list=True)


def _name(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else _value(key)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, float):
        return repr(float(value))  # a numpy float would name its type
    if isinstance(value, str):
        # JSON's escapes are TOML's, except that TOML wants DEL escaped too
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_value(v) for v in value) + "]"
    if isinstance(value, Mapping):
        pairs = ", ".join(f"{_name(k)} = {_value(v)}" for k, v in value.items() if v is not None)
        return f"{{ {pairs} }}" if pairs else "{}"
    raise TypeError(f"TOML has no form for {type(value).__name__}")
