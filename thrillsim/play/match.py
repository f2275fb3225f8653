"""Many games between the same players: seats rotated, any number of processes, resumed after a kill.

Game k depends on the match's seed and k only.  Every game is a file of its own,
written at once under its final name, so what is there is whole.  Every record is
replayed and verified before it counts.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from thrillsim import games, toml
from thrillsim.errors import InputError, limits_of, shown, system_reason
from thrillsim.games.options import load_options
from thrillsim.games.protocol import sample
from thrillsim.play import record
from thrillsim.play.record import EndLine, Header
from thrillsim.play.table import World, play
from thrillsim.play.worlds import board_hash, world_by_name
from thrillsim.players.finding import Roster
from thrillsim.players.guard import check_time_limit
from thrillsim.workers import check_jobs, share_out

SCHEMA = 1
MOST_GAMES = 1_000_000  #: of one match, which keeps a record of each


class Plan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All that the games of a match depend on; kept as ``match.json`` beside them.

    Parameters
    ----------
    players
        Names as given; two of the same name are two entrants.
    where
        What the names stand for (see ``players.finding.resolve``).
    world
        Name of the world, "dice" where nothing is pushed.
    board
        Hash of the world's board (see ``play.worlds.board_hash``); `run_match` fills it in where it is "".
    """

    game: str
    options: dict[str, Any]
    players: tuple[str, ...]
    where: tuple[str, ...]
    seed: int
    world: str = "dice"
    time_limit: float = 10.0
    board: str = ""
    schema: int = SCHEMA
    version: str = msgspec.field(default_factory=lambda: version("thrillsim"))

    @property
    def entrants(self) -> tuple[str, ...]:
        """The names, numbered where one comes twice: ``random``, ``random#2``."""
        seen: dict[str, int] = {}
        out = []
        for name in self.players:
            seen[name] = seen.get(name, 0) + 1
            out.append(name if seen[name] == 1 else f"{name}#{seen[name]}")
        return tuple(out)


@dataclass(frozen=True, slots=True)
class Finished:
    """One game of a match: who sat where (entrant by seat), and how it ended."""

    number: int
    seating: tuple[int, ...]
    header: Header
    end: EndLine


def seating(plan: Plan, k: int) -> tuple[int, ...]:
    """Which entrant sits on each seat in game k.

    In every n games in a row each of the n entrants has every seat once; the order round the table is
    drawn anew for each such block.
    """
    n = len(plan.players)
    block, turn = divmod(k, n)
    order = np.random.default_rng(np.random.SeedSequence(plan.seed, spawn_key=(1, block))).permutation(n)
    return tuple(int(order[(seat + turn) % n]) for seat in range(n))


def game_seed(plan: Plan, k: int) -> int:
    """The seed of game k."""
    words = np.random.SeedSequence(plan.seed, spawn_key=(0, k)).generate_state(1, np.uint64)
    return int(words[0] >> np.uint64(1))


def _header(plan: Plan, k: int) -> Header:
    """The header that the record of game k has."""
    game = games.get(plan.game)
    names = [plan.entrants[entrant] for entrant in seating(plan, k)]
    options = load_options(game, plan.options)
    return record.header(game, options, names, game_seed(plan, k), plan.world, plan.board)


class _Table:
    """What one process needs to play any game of a match; made once per process."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.game = games.get(plan.game)
        self.options = load_options(self.game, plan.options)
        self.world = _world(plan)
        if board_hash(self.world) != plan.board:  # between the start of the match and that of this process
            raise InputError(f"was changed while the match ran, in {plan.world}", key="board")
        self.roster = Roster(plan.game, plan.time_limit)

    def record(self, k: int) -> bytes:
        """Play game k, replay it, and return its record."""
        players = self.roster.players([self.plan.where[entrant] for entrant in seating(self.plan, k)])
        head = _header(self.plan, k)
        played = play(self.game, self.options, players, head.seed, self.world, forfeits=True)
        raw = record.encode(head, self.game, played)
        record.replay(raw.splitlines(), f"game {k}")
        return raw


def _world(plan: Plan) -> World:
    return sample if plan.world == "dice" else world_by_name(plan.world)


_here: _Table | None = None


def _play_to_file(plan: Plan, folder: str, k: int) -> None:
    """In a worker: play game k into its file."""
    global _here  # noqa: PLW0603 - one table per process: engines compile, plug-ins start
    if _here is None or _here.plan != plan:
        _here = _Table(plan)
    path = _file(Path(folder), k)
    toml.write_whole(path, _here.record(k))


def _file(folder: Path, k: int) -> Path:
    return folder / "games" / f"{k:06d}.jsonl"


def run_match(
    plan: Plan,
    count: int,
    *,
    jobs: int = 1,
    out: Path | None = None,
    progress: Callable[[int, int], None] = lambda done, of: None,  # noqa: ARG005 - nobody watches
) -> list[Finished]:
    """Play `count` games and return them in order; games already in `out` are not played again.

    A record in `out` that is damaged, or another game's, does not count: its game is played again.

    Parameters
    ----------
    out
        Folder for ``match.json`` and the records; None keeps nothing.
    progress
        Called with (games there, games wanted).

    Raises
    ------
    InputError
        If `out` holds another match, or the plan cannot be played.
    """
    if not 1 <= count <= MOST_GAMES:
        raise InputError(f"must be {limits_of(ge=1, le=MOST_GAMES)}, got {count}", key="count")
    check_jobs(jobs)
    check_time_limit(plan.time_limit)
    plan = msgspec.structs.replace(plan, board=plan.board or board_hash(_world(plan)))
    game = games.get(plan.game)
    game.initial(load_options(game, plan.options), len(plan.players))  # refuse before anything is written
    with _folder(plan, out) as folder:
        there = {k: one for k in range(count) if (one := _verified(plan, folder, k)) is not None}
        todo = [k for k in range(count) if k not in there]
        progress(len(there), count)
        if jobs == 1:
            _alone(plan, todo, folder, count, progress)
        elif todo:
            _together(plan, todo, folder, count, min(jobs, len(todo)), progress)
        return [there.get(k) or _finished(plan, folder, k) for k in range(count)]


def _alone(
    plan: Plan, todo: list[int], folder: Path, count: int, progress: Callable[[int, int], None]
) -> None:
    global _here  # noqa: PLW0603 - see _play_to_file
    try:
        for done, k in enumerate(todo, count - len(todo) + 1):
            _play_to_file(plan, str(folder), k)
            progress(done, count)
    finally:
        if _here is not None:
            _here.roster.close()
            _here = None


def _together(
    plan: Plan, todo: list[int], folder: Path, count: int, jobs: int, progress: Callable[[int, int], None]
) -> None:
    with closing(share_out(partial(_play_to_file, plan, str(folder)), todo, jobs)) as played:
        for done, _ in enumerate(played, count - len(todo) + 1):
            progress(done, count)


@contextmanager
def _folder(plan: Plan, out: Path | None) -> Iterator[Path]:
    if out is None:
        with tempfile.TemporaryDirectory(prefix="thrillsim-") as scratch:
            (Path(scratch) / "games").mkdir()
            yield Path(scratch)
        return
    head = out / "match.json"
    wanted = msgspec.json.format(msgspec.json.encode(plan), indent=2) + b"\n"
    try:
        if out.exists() and not out.is_dir():
            raise InputError("is a file; name a folder", source=str(out), key="--out")
        if head.exists():
            there = toml.decode_json(head.read_bytes(), Plan, str(head))
            given = msgspec.json.decode(wanted, type=Plan)
            for name in Plan.__struct_fields__:
                old, new = getattr(there, name), getattr(given, name)
                if name == "board":
                    if old and old != new:  # (a match begun by an earlier thrillsim does not say)
                        reason = f"holds games on another board: that of {there.world} has changed since"
                        raise InputError(f"{reason}; take another --out", source=str(out))
                elif old != new:
                    raise InputError(
                        f"is another match: it has {shown(old)}, not {shown(new)}", source=str(head), key=name
                    )
        else:
            if (out / "manifest.json").exists():
                raise InputError("holds the results of a study; take another --out", source=str(out))
            (out / "games").mkdir(parents=True, exist_ok=True)
            toml.write_whole(head, wanted)
    except OSError as bad:
        raise InputError(f"cannot be used: {system_reason(bad)}", source=str(out), key="--out") from None
    yield out


def _verified(plan: Plan, folder: Path, k: int) -> Finished | None:
    """Game k if its record is there and leads where it says; a record of other games is none."""
    path = _file(folder, k)
    if path.is_fifo():  # it would keep a reader waiting
        raise InputError("cannot be read: is a pipe", source=str(path))
    try:
        lines = path.read_bytes().splitlines()
    except FileNotFoundError:
        return None
    except OSError as bad:
        raise InputError(f"cannot be read: {system_reason(bad)}", source=str(path)) from None
    if lines[:1] != [msgspec.json.encode(_header(plan, k))]:
        return None
    try:
        again = record.replay(lines, str(path))
    except InputError:
        return None
    return Finished(k, seating(plan, k), again.header, again.end) if isinstance(again.end, EndLine) else None


def _finished(plan: Plan, folder: Path, k: int) -> Finished:
    """Game k, which was just played: its record was replayed before it was written."""
    path = _file(folder, k)
    lines = path.read_bytes().splitlines() or [b""]
    head = record.read_line(lines[0], Header, str(path), "line 1")
    end = record.read_line(lines[-1], EndLine, str(path), f"line {len(lines)}")
    return Finished(k, seating(plan, k), head, end)
