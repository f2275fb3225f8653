"""Studies give the same bytes however they are run: jobs, executors, interruptions, extensions."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.studies.fake import FakeEngine
from thrillsim.errors import InputError
from thrillsim.studies import Plan, Scenario, Store, read_trials, resolve, run_study, summarise
from thrillsim.studies import store as store_module
from thrillsim.studies.store import blocks
from thrillsim.toml import decode

TEXT = """
trials = 40
[opening]
seed = 4
[push]
disk = ["big", "medium", "small"]
weight = "random"
[noise]
y = 2.0
"""


def plan_of(text: str = "", trials: int = 40) -> Plan:
    return resolve(decode(TEXT.replace("40", str(trials)) + text, Scenario, "test"), Path())


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def run(plan: Plan, folder: Path, **more: object) -> dict[str, bytes]:
    store = run_study(plan, folder, engine=FakeEngine(), **{"jobs": 1, **more})
    store.write_summary(summarise(store).to_json())
    return contents(folder)


@pytest.fixture(scope="module")
def wanted(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return run(plan_of(), tmp_path_factory.mktemp("reference"))


def test_the_study_says_something(wanted: dict[str, bytes], tmp_path: Path) -> None:
    assert list(wanted) == [
        "manifest.json",
        "summary.json",
        *(f"trials-{k:012d}.parquet" for k in (0, 16, 32)),
    ]
    run(plan_of(), tmp_path)
    summary = summarise(tmp_path)
    assert summary.trials == 40
    assert 0 < summary.any_fell.value < 1
    assert summary.engine == "fake"
    # every fallen disk is in the fake engine's band, and every one of them is counted
    rows = Store(tmp_path).read(plan_of(), 40).to_pylist()
    points = [(f["x"], f["y"]) for r in rows for f in r["fallen"]]
    assert points == [(p.x, p.y) for p in summary.points]
    assert all(abs(f["y"] - r["y"]) < 12 and f["x"] > 90 for r in rows for f in r["fallen"])
    assert sum(sum(e.counts) for e in summary.edges) == len(points)
    assert [r["trial"] for r in rows] == list(range(40))


def test_processes_and_threads_give_the_same_bytes(wanted: dict[str, bytes], tmp_path: Path) -> None:
    assert run(plan_of(), tmp_path / "two", jobs=2) == wanted
    with ThreadPoolExecutor(3) as pool:
        assert run(plan_of(), tmp_path / "threads", executor=pool) == wanted
        assert pool.submit(int, "7").result() == 7  # it was lent, not given


def test_ctrl_c_leaves_no_future_of_a_foreign_executor_locked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = []

    def amid(*args: Any, **how: Any) -> Any:
        signal.raise_signal(signal.SIGINT)  # as if in there
        ended.append(wait(*args, **how))
        return ended[-1]

    monkeypatch.setattr("thrillsim.studies.runner.wait", amid)
    with ThreadPoolExecutor(2) as pool, pytest.raises(KeyboardInterrupt):
        run(plan_of(), tmp_path, executor=pool)
    assert len(ended) == 1


def test_blocks_of_a_huge_study_are_counted_at_once(tmp_path: Path) -> None:
    run(plan_of(), tmp_path)
    began = time.monotonic()
    missing = Store(tmp_path).missing(plan_of(trials=10**9))  # the most that a scenario may ask for
    assert time.monotonic() - began < 20  # one look at the disk for each took minutes
    assert missing[0] == (32, 48)  # the last block of 40 trials is half there
    assert 10**9 - sum(last - first for first, last in missing) == 32


def test_a_finished_study_is_not_run_again(wanted: dict[str, bytes], tmp_path: Path) -> None:
    run(plan_of(), tmp_path)
    store = run_study(plan_of(), tmp_path, engine=_Broken(), jobs=1)
    assert contents(store.folder) == wanted


def test_a_study_that_broke_down_goes_on(wanted: dict[str, bytes], tmp_path: Path) -> None:
    class StopError(Exception):
        pass

    def stop(done: int, total: int) -> None:
        assert total == 40
        if done >= 16:
            raise StopError

    for jobs in (1, 2):
        with pytest.raises(StopError):
            run(plan_of(), tmp_path, jobs=jobs, progress=stop)
    assert "trials-000000000000.parquet" in contents(tmp_path)
    with pytest.raises(InputError, match=r"lacks \d+ of \d+ trials, .*; run the study again"):
        summarise(tmp_path)
    assert run(plan_of(), tmp_path) == wanted


def test_more_trials_extend_and_fewer_leave_out(wanted: dict[str, bytes], tmp_path: Path) -> None:
    out = tmp_path / "out"
    run(plan_of(trials=20), out)
    assert run(plan_of(), out) == wanted
    assert run(plan_of(trials=70), out) == run(plan_of(trials=70), tmp_path / "at once")
    again = run(plan_of(), out)  # the parts stay, the summary is of the first 40
    assert again["summary.json"] == wanted["summary.json"]
    assert len(again) == len(wanted) + 2


def test_a_part_with_the_trials_of_another_is_run_again(wanted: dict[str, bytes], tmp_path: Path) -> None:
    run(plan_of(), tmp_path)
    shutil.copy(tmp_path / "trials-000000000000.parquet", tmp_path / "trials-000000000016.parquet")
    assert run(plan_of(), tmp_path) == wanted


def test_what_is_written_already_is_left_alone(tmp_path: Path) -> None:
    """So a finished study is shown again from a folder that nobody may write to."""
    run(plan_of(), tmp_path)
    times = {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    run(plan_of(), tmp_path)
    assert {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()} == times


def test_damaged_and_half_written_parts_are_run_again(wanted: dict[str, bytes], tmp_path: Path) -> None:
    run(plan_of(), tmp_path)
    part = tmp_path / "trials-000000000016.parquet"
    part.write_bytes(part.read_bytes()[:500])
    (tmp_path / "trials-000000000032.parquet").unlink()
    (tmp_path / ".trials-000000000032.parquet.999999999.tmp").write_bytes(b"half")
    assert run(plan_of(), tmp_path) == wanted


def _with_a_byte_changed(folder: Path, at: Callable[[int], int]) -> Path:
    part = folder / "trials-000000000016.parquet"
    raw = bytearray(part.read_bytes())
    raw[at(len(raw))] ^= 0x55
    part.write_bytes(raw)
    return part


@pytest.mark.parametrize("place", [0.2, 0.3, 0.4, 0.9])
def test_a_part_with_one_byte_changed_is_run_again(
    place: float, wanted: dict[str, bytes], tmp_path: Path
) -> None:
    """Where only a checksum tells, and where a reader stumbles."""
    run(plan_of(), tmp_path)
    part = _with_a_byte_changed(tmp_path, lambda size: int(place * size))
    line = f"{tmp_path}: lacks 16 of 40 trials, the first ones in {part.name}; run the study again to go on"
    with pytest.raises(InputError) as caught:
        read_trials(tmp_path)
    assert str(caught.value) == line
    assert run(plan_of(), tmp_path) == wanted


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes among the files of this system")
def test_a_pipe_in_the_place_of_a_part_keeps_nobody_waiting(tmp_path: Path) -> None:
    run(plan_of(), tmp_path)
    part = tmp_path / "trials-000000000016.parquet"
    part.unlink()
    os.mkfifo(part)
    for use in (lambda: run(plan_of(), tmp_path), lambda: read_trials(tmp_path)):
        with pytest.raises(InputError, match=r"16\.parquet: cannot be read: is a pipe$"):
            use()


@pytest.mark.parametrize("from_end", [0, 9, 200, 600])
def test_a_changed_byte_of_what_a_part_says_of_itself_is_mended_too(
    from_end: int, wanted: dict[str, bytes], tmp_path: Path
) -> None:
    """Its footer and statistics, which no checksum covers: a reader that filters would go by them."""
    run(plan_of(), tmp_path)
    _with_a_byte_changed(tmp_path, lambda size: size - 1 - from_end)
    assert run(plan_of(), tmp_path) == wanted


@pytest.mark.parametrize(
    ("plan", "reason"),
    [
        (lambda: _changed(seed=2), "holds another study (seed 1, asked for 2)"),
        (lambda: _changed(accuracy="fine"), "holds another study (accuracy standard, asked for fine)"),
        (lambda: plan_of("x = 1.0"), "holds another scenario's results"),
    ],
)
def test_another_studys_directory_is_refused(
    plan: Callable[[], Plan], reason: str, wanted: dict[str, bytes], tmp_path: Path
) -> None:
    run(plan_of(), tmp_path)
    with pytest.raises(InputError) as caught:
        run(plan(), tmp_path)
    assert str(caught.value) == f"{tmp_path}: {reason}; take another --out, or --fresh to replace them"
    assert contents(tmp_path) == wanted


def _changed(**changes: object) -> Plan:
    import msgspec

    return msgspec.structs.replace(plan_of(), **changes)


def test_results_of_another_version_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(plan_of(), tmp_path)
    monkeypatch.setattr("thrillsim.studies.store.code_hash", lambda: "0" * 16)
    with pytest.raises(InputError, match="holds results of another version of thrillsim; take another --out"):
        run(plan_of(), tmp_path)


def test_the_code_hash_is_of_what_a_trial_runs(tmp_path: Path) -> None:
    shutil.copytree(
        store_module._PACKAGE, tmp_path / "thrillsim", ignore=shutil.ignore_patterns("__pycache__")
    )
    whole = tmp_path / "thrillsim"
    assert all((whole / name).is_file() for name in store_module._NO_RESULT)

    def changed(name: str) -> bool:
        before = store_module.code_hash.__wrapped__(whole)
        with (whole / name).open("a") as file:
            file.write("# changed\n")
        return store_module.code_hash.__wrapped__(whole) != before

    assert store_module.code_hash.__wrapped__(whole) == store_module.code_hash()
    assert not any(changed(name) for name in [*store_module._NO_RESULT, "view/push.py", "play/match.py"])
    for name in ("board/layout.py", "physics/rigid.py", "physics/quasistatic/kernel.py", "studies/design.py"):
        assert changed(name)


def test_no_trial_imports_what_the_code_hash_leaves_out() -> None:
    code = (
        "import sys\n"
        "import thrillsim.physics.quasistatic.engine\n"
        "from thrillsim.studies import Scenario, resolve, store\n"
        "from thrillsim.studies.trials import trial_rows\n"
        "plan = resolve(Scenario(accuracy='draft', trials=1))\n"
        "assert len(list(trial_rows(plan, 'rigid', 0, 1))) == 1\n"
        "names = {'thrillsim.' + n[:-3].replace('/', '.') for n in store._NO_RESULT if 'studies' not in n}\n"
        "assert len(names) == 4\n"
        "print(*names & set(sys.modules))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "\n"


def test_fresh_replaces_our_files_and_no_others(wanted: dict[str, bytes], tmp_path: Path) -> None:
    run(_changed(seed=2), tmp_path)
    (tmp_path / "notes.txt").write_text("mine")
    got = run(plan_of(), tmp_path, fresh=True)
    assert got.pop("notes.txt") == b"mine"
    assert got == wanted


@pytest.mark.parametrize(
    "manifest",
    [None, "", "{", '{"name": "A web page"}', '{"seed": 1, "plan": {}}'],
    ids=str,
)
@pytest.mark.parametrize("name", ["study.png", "study.svg", "summary.json", "trials-000000000000.parquet"])
def test_fresh_removes_nothing_where_no_manifest_says_that_it_is_ours(
    name: str, manifest: str | None, tmp_path: Path
) -> None:
    (tmp_path / name).write_text("mine")
    if manifest is not None:
        (tmp_path / "manifest.json").write_text(manifest)
    before = contents(tmp_path)
    with pytest.raises(InputError) as caught:
        run(plan_of(), tmp_path, fresh=True)
    ways = "take another --out, or move that away"
    held = f"{name} but no manifest of a study"
    if manifest is not None:
        held = "a manifest.json that is broken or no study's"
    assert str(caught.value) == f"{tmp_path}: holds {held}; {ways}"
    assert contents(tmp_path) == before


def test_fresh_replaces_a_study_of_another_version(wanted: dict[str, bytes], tmp_path: Path) -> None:
    run(plan_of(), tmp_path)
    manifest = tmp_path / "manifest.json"
    manifest.write_bytes(manifest.read_bytes().replace(b'"accuracy"', b'"exactness"', 1))
    with pytest.raises(
        InputError, match=r"cannot be read \(accuracy: is required\); take another --out, or --fresh$"
    ):
        run(plan_of(), tmp_path)
    assert run(plan_of(), tmp_path, fresh=True) == wanted


def test_fresh_that_was_stopped_halfway_goes_on(
    wanted: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(plan_of(), tmp_path)
    removed = []

    def unlink(path: Path, **more: bool) -> None:
        if len(removed) == 2:
            raise KeyboardInterrupt
        removed.append(path.name)
        path.replace(path.with_name("away"))

    with monkeypatch.context() as patched:
        patched.setattr(Path, "unlink", unlink)
        with pytest.raises(KeyboardInterrupt):
            run(plan_of(), tmp_path, fresh=True)
    (tmp_path / "away").unlink()
    assert run(plan_of(), tmp_path, fresh=True) == wanted


def test_a_breakdown_of_the_engine_names_the_trial(tmp_path: Path) -> None:
    for jobs in (1, 2):
        with pytest.raises(RuntimeError, match=r"trial 0 \(seed 1\): no more"):
            run_study(plan_of(trials=10), tmp_path, engine=_Broken(), jobs=jobs)


class _Broken(FakeEngine):
    """Never works."""

    def run(self, *_args: object, **_more: object) -> None:  # type: ignore[override]
        raise ArithmeticError("no more")


def test_bad_directories_and_jobs_are_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for fresh in (False, True):
        with pytest.raises(InputError, match="is a file; name a directory"):
            run(plan_of(), tmp_path / "file", fresh=fresh)
    with pytest.raises(InputError, match=r"^jobs: must be 1 to 1024, got 0"):
        run(plan_of(), tmp_path, jobs=0)
    with pytest.raises(InputError, match=r"holds no study"):
        summarise(tmp_path)
    run(plan_of(), tmp_path / "good")
    (tmp_path / "good" / "manifest.json").write_text("{")
    with pytest.raises(
        InputError, match=r"cannot be read \(is not JSON: ends in the middle\); take another --out$"
    ):
        run(plan_of(), tmp_path / "good")


@given(st.integers(0, 3_000_000))
def test_blocks_cover_all_trials_once_and_do_not_depend_on_their_number(n: int) -> None:
    got = list(blocks(n))
    assert sum(b - a for a, b in got) == n
    assert [a for a, _ in got[1:]] == [b for _, b in got[:-1]]
    assert got[:-1] == list(_first(len(got) - 1))
    assert all(b - a <= 4096 for a, b in got)
    # what an interruption can lose of one worker is little beside what is done
    assert all(b - a <= max(16, a / 16) for a, b in got)


def _first(count: int) -> Iterator[tuple[int, int]]:
    return (block for block, _ in zip(blocks(10**12), range(max(count, 0)), strict=False))
