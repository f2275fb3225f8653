"""A game as JSON lines: a header, one event per line, the final state; or the state where it was broken off.

Replaying needs neither randomness nor physics: the events are all there, every
one with the fingerprint of the state it led to.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec

from thrillsim import games, toml
from thrillsim.errors import InputError
from thrillsim.games.options import load_options
from thrillsim.games.protocol import Act, Chance, Event, Game, IllegalAction, IllegalOutcome
from thrillsim.play.table import Forfeit, Played, Step, result

SCHEMA = 1
WANTED = "give a recorded game: JSON lines, written by thrillsim play --record"


class Header(msgspec.Struct, frozen=True, tag="header", tag_field="line", forbid_unknown_fields=True):
    """First line: all that the game was started with; `board` is a hash of the world's board, or ""."""

    schema: int
    version: str
    game: str
    options: dict[str, Any]
    players: tuple[str, ...]
    seed: int
    world: str = "dice"
    board: str = ""


class EventLine(msgspec.Struct, frozen=True, tag="event", tag_field="line", omit_defaults=True):
    """One event: `seat` and `action`, or `chance`; `state` is the fingerprint afterwards."""

    n: int
    state: str
    seat: int | None = None
    action: Any = None
    chance: Any = None


class EndLine(msgspec.Struct, frozen=True, tag="end", tag_field="line"):
    """Last line: the result and the whole final state; `forfeit` names who gave up the game and why."""

    winners: tuple[int, ...]
    places: tuple[int, ...]
    final: Any
    forfeit: tuple[int, str] | None = None


class BrokenOffLine(msgspec.Struct, frozen=True, tag="broken off", tag_field="line"):
    """Last line of a game that nobody finished: the whole state it was left in."""

    final: Any


Line = Header | EventLine | EndLine | BrokenOffLine


@dataclass(frozen=True, slots=True)
class Replayed:
    """A record that was run again and verified."""

    header: Header
    game: Game[Any]
    steps: tuple[Step, ...]
    state: Any
    end: EndLine | BrokenOffLine


def header(
    game: Game[Any], options: Any, players: Sequence[str], seed: int, world: str = "dice", board: str = ""
) -> Header:
    """The header line for a game about to start; `world` and `board` as ``play.worlds`` names them."""
    builtins = msgspec.to_builtins(options)
    return Header(SCHEMA, version("thrillsim"), game.name, builtins, tuple(players), seed, world, board)


def event_line(game: Game[Any], n: int, step: Step) -> EventLine:
    """The line of the n-th event (from 1)."""
    state = game.digest(step.after)
    if isinstance(step.event, Act):
        return EventLine(n, state, seat=step.event.seat, action=step.event.action)
    return EventLine(n, state, chance=step.event.outcome)


def end_line(game: Game[Any], played: Played) -> EndLine:
    """The last line of a finished game."""
    forfeit = (played.forfeit.seat, played.forfeit.reason) if played.forfeit else None
    return EndLine(played.winners, played.places, game.snapshot(played.state), forfeit)


def encode(head: Header, game: Game[Any], played: Played) -> bytes:
    """A finished game as JSON lines; the same game gives the same bytes."""
    return _encode(head, game, played.steps, end_line(game, played))


def encode_broken_off(head: Header, game: Game[Any], options: Any, steps: Sequence[Step]) -> bytes:
    """A game that was left after `steps`, as JSON lines."""
    state = steps[-1].after if steps else game.initial(options, len(head.players))
    return _encode(head, game, steps, BrokenOffLine(game.snapshot(state)))


def _encode(head: Header, game: Game[Any], steps: Iterable[Step], end: EndLine | BrokenOffLine) -> bytes:
    lines: list[Line] = [head]
    lines += (event_line(game, n, step) for n, step in enumerate(steps, 1))
    lines.append(end)
    return b"".join(msgspec.json.encode(line) + b"\n" for line in lines)


def replay(lines: Iterable[bytes], source: str = "record") -> Replayed:
    """Run a record again, verifying every step and the final state.

    Raises
    ------
    InputError
        Naming the line that cannot be read, breaks the rules, or leads elsewhere.
    """
    head: Header | None = None
    end: EndLine | BrokenOffLine | None = None
    steps: list[Step] = []
    game: Game[Any] | None = None
    state: Any = None
    for number, raw in enumerate(lines, 1):
        where = f"line {number}"
        if not raw.strip():
            continue
        if end is not None:
            raise InputError("nothing may follow the end line", source=source, key=where)
        if head is None or game is None:
            head, game, state = _open(_first(raw, source, where), source)
            continue
        line = read_line(raw, Line, source, where)
        if isinstance(line, Header):
            raise InputError("a second header", source=source, key=where)
        if isinstance(line, EventLine):
            if line.n != len(steps) + 1:
                raise InputError(f"event {len(steps) + 1} expected, got {line.n}", source=source, key=where)
            after = _advance(game, state, line, source, where)
            steps.append(Step(state, _event(game, line, source, where), after))
            state = after
        else:
            end = line
            _verify_end(game, state, line, source, where)
    if head is None or game is None:
        raise InputError(f"is empty; {WANTED}", source=source)
    if end is None:
        raise InputError(f"breaks off after line {number}, the game is not finished", source=source)
    return Replayed(head, game, tuple(steps), state, end)


def replay_file(path: Path) -> Replayed:
    """:func:`replay` of a file."""
    return replay(toml.read_text(path).encode().splitlines(), str(path))  # (a text knows more ends of lines)


def write(path: Path, raw: bytes) -> None:
    """Write a record; `InputError` if that is not possible."""
    toml.write_whole(path, raw)


def read_line(raw: bytes, kind: Any, source: str, where: str) -> Any:
    """A line of a record as `kind`; `where` is what an error calls the line."""
    try:
        return toml.decode_json(raw, kind, repeats=True)  # what it leads to is verified
    except InputError as bad:
        raise _at_line(bad, source, where) from None


def _at_line(bad: InputError, source: str, where: str) -> InputError:
    return InputError(bad.reason, source=source, key=": ".join(part for part in (where, bad.key) if part))


def _first(raw: bytes, source: str, where: str) -> Header:
    """The header, or an error that says what kind of file is wanted: this may be another."""
    try:
        line = read_line(raw, Line, source, where)
    except InputError as bad:
        raise InputError(f"{bad.reason}; {WANTED}", source=source, key=bad.key) from None
    if not isinstance(line, Header):
        raise InputError(f"a record starts with its header; {WANTED}", source=source, key=where)
    return line


def _open(head: Header, source: str) -> tuple[Header, Game[Any], Any]:
    if head.schema != SCHEMA:
        raise InputError(f"must be {SCHEMA}, got {head.schema}", source=source, key="schema")
    try:
        game = games.get(head.game)
        options = load_options(game, head.options)
        return head, game, game.initial(options, len(head.players))
    except InputError as bad:
        raise bad.located(source) from None


def _event(game: Game[Any], line: EventLine, source: str, where: str) -> Event:
    acts = line.seat is not None
    value, kind = (line.action, game.Action) if acts else (line.chance, game.Outcome)
    try:
        try:
            found = msgspec.convert(value, kind)
        except msgspec.ValidationError:
            found = toml.convert(value, kind)  # slower, and says what is wrong in our words
    except InputError as bad:
        raise _at_line(bad.located(source, "action" if acts else "chance"), source, where) from None
    return Chance(found) if line.seat is None else Act(line.seat, found)


def _advance(game: Game[Any], state: Any, line: EventLine, source: str, where: str) -> Any:
    event = _event(game, line, source, where)
    try:
        after = game.apply(state, event)
    except (IllegalAction, IllegalOutcome) as bad:
        raise InputError(str(bad), source=source, key=where) from None
    if game.digest(after) != line.state:
        raise InputError(
            f"the state differs: recorded {line.state}, got {game.digest(after)}", source=source, key=where
        )
    return after


def _verify_end(game: Game[Any], state: Any, line: EndLine | BrokenOffLine, source: str, where: str) -> None:
    over = game.turn(state).kind == "over"
    if isinstance(line, BrokenOffLine):
        if over:
            raise InputError("the game is over, it was not broken off", source=source, key=where)
    else:
        if line.forfeit is None and not over:
            raise InputError("the game is not over", source=source, key=where)
        winners, places = result(game, state, line.forfeit[0] if line.forfeit else None)
        if (winners, places) != (line.winners, line.places):
            reason = f"winners differ: recorded {line.winners}, got {winners}"
            raise InputError(reason, source=source, key=where)
    if msgspec.json.encode(game.snapshot(state)) != msgspec.json.encode(line.final):
        raise InputError("the final state differs from the recorded one", source=source, key=where)


__all__ = [
    "SCHEMA",
    "BrokenOffLine",
    "EndLine",
    "EventLine",
    "Forfeit",
    "Header",
    "Replayed",
    "encode",
    "encode_broken_off",
    "end_line",
    "event_line",
    "header",
    "read_line",
    "replay",
    "replay_file",
    "write",
]
