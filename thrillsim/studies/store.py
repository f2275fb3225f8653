"""The result directory: a manifest and one Parquet file per block of trials, each written whole or not.

Blocks are fixed by the trial number alone, so a study that is continued or extended ends with the same files
as one that ran through.  May touch its directory only, and in it only files that it named itself.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import os
import platform
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from thrillsim import toml
from thrillsim.errors import InputError, counted, system_reason
from thrillsim.studies.plan import Plan
from thrillsim.studies.trials import DATA_SCHEMA, data_schema

MANIFEST = "manifest.json"
SUMMARY = "summary.json"
_PICTURES = ("study.png", "study.svg")
_LIBRARIES = ("numba", "numpy", "pyarrow", "pymunk", "scipy")
_PACKAGE = Path(__file__).parents[1]
#: sources that no trial runs: pictures, turning the board, handing out work, and what is made of raw trials
_NO_RESULT = {
    "board/shapes.py",
    "board/svg.py",
    "physics/picture.py",
    "physics/turning.py",
    "studies/runner.py",
    "studies/statistics.py",
    "studies/summarise.py",
    "studies/summary.py",
}
_FIRST_BLOCK, _PER_SIZE, _LARGEST = 16, 32, 4096


class Manifest(msgspec.Struct, frozen=True):
    """What a result directory holds.

    Parameters
    ----------
    scenario_hash
        Of everything but title and number of trials.
    seed, trials, engine, accuracy
        As run; `trials` is what the last command asked for.
    versions
        Of thrillsim, Python and the libraries that the numbers come from.
    code
        Hash of the sources that decide a result: of board, physics and studies what a trial runs.
    plan
        The whole resolved scenario.
    schema
        Version of the raw data's columns.
    """

    scenario_hash: str
    seed: int
    trials: int
    engine: str
    accuracy: str
    versions: dict[str, str]
    code: str
    plan: Plan
    schema: int = DATA_SCHEMA


class _Mark(msgspec.Struct):
    """What the manifest of every version has, by which a directory is known as a study's."""

    scenario_hash: str
    seed: int
    plan: dict[str, Any]


class _Told(msgspec.Struct):
    """What is read of a summary here."""

    trials: int


def manifest_of(plan: Plan, engine: str) -> Manifest:
    """The manifest that a study of `plan` leaves."""
    versions = {"python": platform.python_version(), "thrillsim": importlib.metadata.version("thrillsim")}
    versions |= {name: importlib.metadata.version(name) for name in _LIBRARIES}
    return Manifest(
        scenario_hash=plan.hash,
        seed=plan.seed,
        trials=plan.trials,
        engine=engine,
        accuracy=plan.accuracy,
        versions=versions,
        code=code_hash(),
        plan=plan,
    )


@cache
def code_hash(root: Path = _PACKAGE) -> str:
    """Hash of the sources that decide what a trial gives, so that results of two states are never mixed."""
    digest = hashlib.sha256()
    for room in ("board", "physics", "studies"):
        for path in sorted((root / room).rglob("*.py")):
            name = path.relative_to(root).as_posix()
            if name not in _NO_RESULT:
                digest.update(name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def blocks(trials: int) -> Iterator[tuple[int, int]]:
    """Trial ranges [first, last) of the parts of a study; small first, so that the first results come soon.

    32 blocks of each size, 16, 32, 64 ... 4096: an interruption loses a few per cent of the work at most,
    and a study of millions still has hundreds of files only.

    Examples
    --------
    >>> list(blocks(40))
    [(0, 16), (16, 32), (32, 40)]
    """
    first, size, left = 0, _FIRST_BLOCK, _PER_SIZE
    while first < trials:
        yield first, min(first + size, trials)
        first, left = first + size, left - 1
        if left == 0 and size < _LARGEST:
            size, left = 2 * size, _PER_SIZE


class Store:
    """One result directory.

    Parameters
    ----------
    folder
        Made when the first file is written.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)

    def part(self, first: int) -> Path:
        """Path of the part whose first trial is `first`."""
        return self.folder / f"trials-{first:012d}.parquet"

    def manifest(self) -> Manifest | None:
        """The manifest, or None if there is none.

        Raises
        ------
        InputError
            If it cannot be read.
        """
        path = self.folder / MANIFEST
        try:
            return toml.decode_json(path.read_bytes(), Manifest)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except (OSError, InputError) as error:
            reason = system_reason(error) if isinstance(error, OSError) else str(error)
            ways = "take another --out, or --fresh" if self._is_ours() else "take another --out"
            raise InputError(f"cannot be read ({reason}); {ways}", source=str(path)) from None

    def _is_ours(self) -> bool:
        """Whether a study of whatever version left its manifest here."""
        try:
            toml.decode_json((self.folder / MANIFEST).read_bytes(), _Mark)
        except (OSError, InputError):
            return False
        return True

    def _files(self) -> list[Path]:
        """What is there under the names of a study's files; the manifest last."""
        named = [self.folder / name for name in (SUMMARY, *_PICTURES, MANIFEST)]
        return [*sorted(self.folder.glob("trials-*.parquet")), *(path for path in named if path.exists())]

    def check_ours(self) -> None:
        """Check that the files here that have the names of a study's are a study's.

        Raises
        ------
        InputError
            If there is no manifest that shows it, or the path is no directory.
        """
        try:
            if self.folder.exists() and not self.folder.is_dir():
                raise InputError("is a file; name a directory", source=str(self.folder), key="--out")
            files = self._files()
        except OSError as error:
            reason = f"cannot be used: {system_reason(error)}"
            raise InputError(reason, source=str(self.folder), key="--out") from None
        if files and not self._is_ours():
            held = f"{files[0].name} but no manifest of a study"
            if files[-1].name == MANIFEST:
                held = f"a {MANIFEST} that is broken or no study's"
            reason = f"holds {held}; take another --out, or move that away"
            raise InputError(reason, source=str(self.folder))

    def claim(self, wanted: Manifest) -> None:
        """Check that the directory may hold the results of `wanted`.

        Raises
        ------
        InputError
            If it holds those of another study, or its path is no directory.
        """
        found = self.manifest()
        if found is None:
            self.check_ours()
        if found is None or next(self.folder.glob("trials-*.parquet"), None) is None:
            if (self.folder / "match.json").exists():
                raise InputError("holds the games of a match; take another --out", source=str(self.folder))
            return  # nothing that could be mixed up
        for key in ("seed", "engine", "accuracy"):
            if getattr(found, key) != getattr(wanted, key):
                old, new = getattr(found, key), getattr(wanted, key)
                self._refuse(f"another study ({key} {old}, asked for {new})")
        if found.scenario_hash != wanted.scenario_hash:
            self._refuse("another scenario's results")
        changed = [name for name, v in wanted.versions.items() if found.versions.get(name) != v]
        if changed or found.schema != wanted.schema or found.code != wanted.code:
            name = changed[0] if changed else "thrillsim"
            old, new = found.versions.get(name, "none"), wanted.versions.get(name, "none")
            versions = f" {old}, this is {new}" if changed else ""
            self._refuse(f"results of another version of {name}{versions}")

    def _refuse(self, what: str) -> NoReturn:
        reason = f"holds {what}; take another --out, or --fresh to replace them"
        raise InputError(reason, source=str(self.folder))

    def write_manifest(self, manifest: Manifest) -> None:
        """Write the manifest, atomically."""
        text = msgspec.json.format(msgspec.json.encode(manifest), indent=2)
        self._write(self.folder / MANIFEST, text + b"\n")

    def write_part(self, first: int, table: pa.Table) -> None:
        """Write one block of trials, atomically."""
        self._write(self.part(first), _encoded(table))

    def write_summary(self, text: bytes) -> Path:
        """Write ``summary.json``, atomically."""
        self._write(self.folder / SUMMARY, text)
        return self.folder / SUMMARY

    def summarised(self) -> int:
        """Trials that the summary here is of; 0 if there is none that can be read."""
        try:
            return toml.decode_json((self.folder / SUMMARY).read_bytes(), _Told).trials
        except (OSError, InputError):
            return 0

    def _write(self, path: Path, content: bytes) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            toml.write_whole(path, content)
        except OSError as error:
            reason = f"cannot be written: {system_reason(error)}"
            raise InputError(reason, source=str(path.parent), key="--out") from None
        except InputError as error:
            raise InputError(error.reason, source=str(path.parent), key="--out") from None

    def missing(self, plan: Plan, *, exact: bool = False) -> list[tuple[int, int]]:
        """Blocks of a study of `plan` that are not there whole; reads every part that is there.

        If `exact`, a part is whole only if these libraries would write each of its bytes again.
        """
        schema = data_schema(plan.board)
        there = set(self.folder.glob("trials-*.parquet"))  # few beside the blocks of a huge study

        def whole(first: int, last: int) -> bool:
            part = self.part(first)
            return part in there and _holds(part, schema, first, last, exact=exact)

        return [block for block in blocks(plan.trials) if not whole(*block)]

    def complete(self) -> Manifest:
        """The manifest of a study that is all there.

        Raises
        ------
        InputError
            If there is no study, or trials of it are missing.
        """
        manifest = self.manifest()
        if manifest is None:
            raise InputError(f"holds no study (no {MANIFEST})", source=str(self.folder))
        missing = self.missing(manifest.plan)
        if missing:
            count = sum(last - first for first, last in missing)
            raise InputError(
                f"lacks {count} of {counted(manifest.trials, 'trial')}, the first ones in"
                f" {self.part(missing[0][0]).name}; run the study again to go on",
                source=str(self.folder),
            )
        return manifest

    def read(self, plan: Plan, trials: int) -> pa.Table:
        """The first `trials` trials in order; that they are there is known."""
        schema = data_schema(plan.board)
        tables = [_read(self.part(first)).slice(0, last - first) for first, last in blocks(trials)]
        return pa.concat_tables(tables) if tables else schema.empty_table()

    def clear(self) -> None:
        """Remove what a study wrote here, and nothing else.

        Raises
        ------
        InputError
            If the files of these names are not known to be a study's; then nothing is removed.
        """
        self.check_ours()
        for path in self._files():  # the manifest last: whoever is stopped halfway can go on
            path.unlink(missing_ok=True)
        self.tidy()

    def tidy(self) -> None:
        """Remove drafts that a killed process left."""
        for path in self.folder.glob(".*.tmp"):
            name, pid = path.name[1:-4].rsplit(".", 1)
            if name.startswith(("trials-", MANIFEST, SUMMARY)) and pid.isdigit() and not _runs(int(pid)):
                path.unlink(missing_ok=True)


def read_trials(folder: str | Path) -> pa.Table:
    """The raw trials of a finished study, in trial order; columns are described in ``docs/data.md``.

    Raises
    ------
    InputError
        If there is no study, or trials of it are missing.
    """
    store = Store(folder)
    manifest = store.complete()
    return store.read(manifest.plan, manifest.trials)


def _read(part: Path) -> pa.Table:
    return pq.read_table(part, page_checksum_verification=True)


def _encoded(table: pa.Table) -> bytes:
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression="zstd", write_page_checksum=True)
    raw: bytes = sink.getvalue().to_pybytes()
    return raw


def _holds(part: Path, schema: pa.Schema, first: int, last: int, *, exact: bool) -> bool:
    """Whether a part holds the trials `first` <= k < `last`, as they were written."""
    if part.is_fifo():  # it would keep a reader waiting
        raise InputError("cannot be read: is a pipe", source=str(part))
    try:
        raw = part.read_bytes()
        table = _read(part)
    except (OSError, ValueError, pa.ArrowException):  # gone, damaged or foreign: run it again
        return False
    if not table.schema.equals(schema):
        return False
    if exact and raw != _encoded(table.cast(schema)):  # (checksums cover pages, not what is said of them)
        return False
    numbers: list[int] = table["trial"].slice(0, last - first).to_pylist()
    return numbers == list(range(first, last))


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:  # somebody else's
        return True
    return True
