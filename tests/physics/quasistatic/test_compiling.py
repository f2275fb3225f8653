"""The engine is compiled by one process of those that start together, and by the helper where it can."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
import time
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from filelock import FileLock
from numba import typeof

from tests.physics.quasistatic.scenes import EMPTY, slow
from thrillsim import workers
from thrillsim.physics import Push
from thrillsim.physics.quasistatic import compiling, engine


class Compiler:
    """Stands for the compiled kernel of one process: leaves a file in the cache, as the compiler does."""

    def __init__(self, folder: Path, log: list[str]) -> None:
        self.stats = SimpleNamespace(cache_path=str(folder))
        self.log = log

    def compile(self, signature: object) -> None:
        mark = Path(self.stats.cache_path) / "kernel.run_push-1.nbi"
        self.log.append("load" if mark.exists() else "compile")
        mark.touch()


def test_of_those_that_start_together_one_compiles_and_the_others_load(tmp_path, monkeypatch):
    log: list[str] = []
    local = threading.local()  # what is of the process in life is of the thread here
    together = threading.Barrier(4)
    halves = SimpleNamespace(compile=lambda signature: log.append("half"))
    monkeypatch.setattr(compiling, "_entry", lambda: local.compiler)
    monkeypatch.setattr(compiling, "_solving", halves)
    monkeypatch.setattr(compiling, "_ready", SimpleNamespace(is_set=lambda: False, set=lambda: None))
    monkeypatch.setattr(compiling.os, "cpu_count", lambda: 1)  # no helper

    def start() -> None:
        local.compiler = Compiler(tmp_path / "cache", log)
        together.wait()
        compiling.make_ready((np.zeros(1),))

    threads = [threading.Thread(target=start) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert log == ["half", "compile", "load", "load", "load"]


@pytest.mark.parametrize("first", [True, False])
def test_a_process_that_waits_for_another_says_so_once(tmp_path, monkeypatch, capsys, first):
    """Of the workers of one run only the first does."""
    log: list[str] = []
    compiler = Compiler(tmp_path, log)
    silent = threading.Event()
    if not first:
        silent.set()
    monkeypatch.setattr(workers, "_silent", silent)
    monkeypatch.setattr(compiling, "HEAD_START", 0.0)
    monkeypatch.setattr(compiling, "WORTH_SAYING", 0.05)
    monkeypatch.setattr(compiling, "_entry", lambda: compiler)
    monkeypatch.setattr(compiling, "_ready", threading.Event())
    with FileLock(tmp_path / "compiling.lock"):
        waiting = threading.Thread(target=compiling.make_ready, args=((np.zeros(1),),))
        waiting.start()
        waiting.join(0.5)
        assert waiting.is_alive()
        compiler.compile("of another process")
    waiting.join()
    assert log == ["compile", "load"]
    assert capsys.readouterr().err == (compiling.WAITING if first else "")


def test_of_the_workers_of_a_run_the_one_who_speaks_compiles(tmp_path, monkeypatch, capsys):
    local = threading.local()
    half = SimpleNamespace(compile=lambda signature: time.sleep(0.2))
    monkeypatch.setattr(compiling, "speaks", lambda: local.speaks)
    monkeypatch.setattr(compiling, "HEAD_START", 0.2)
    monkeypatch.setattr(compiling, "WORTH_SAYING", 0.05)
    monkeypatch.setattr(compiling, "_entry", lambda: Compiler(tmp_path, []))
    monkeypatch.setattr(compiling, "_solving", half)
    monkeypatch.setattr(compiling, "_ready", SimpleNamespace(is_set=lambda: False, set=lambda: None))
    monkeypatch.setattr(compiling.os, "cpu_count", lambda: 1)  # no helper

    def start(speaks: bool) -> None:
        local.speaks = speaks
        compiling.make_ready((np.zeros(1),))

    threads = [threading.Thread(target=start, args=(speaks,)) for speaks in (False, False, True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert capsys.readouterr().err == compiling.NOTICE


def test_who_need_not_wait_does_not_say_so(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(compiling, "WORTH_SAYING", 0.0)
    with compiling._alone(tmp_path):
        pass
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("what", ["no locks", "a lock that nobody gives back", "no folder"])
def test_where_no_lock_can_be_had_it_compiles_all_the_same(tmp_path, monkeypatch, what):
    log: list[str] = []
    folder = tmp_path / "cache"
    folder.mkdir()
    if what == "no locks":

        def refuse(**_options: object) -> None:
            raise NotImplementedError  # what filelock raises where the file system has no locks

        monkeypatch.setattr(compiling, "FileLock", lambda _path: SimpleNamespace(acquire=refuse))
    elif what == "no folder":
        monkeypatch.setattr(Path, "mkdir", lambda *_args, **_options: (_ for _ in ()).throw(PermissionError))
    monkeypatch.setattr(compiling, "LONGEST_WAIT", 0.1)
    monkeypatch.setattr(compiling, "_entry", lambda: Compiler(folder, log))
    monkeypatch.setattr(compiling, "_solving", SimpleNamespace(compile=lambda signature: log.append("half")))
    monkeypatch.setattr(compiling, "_ready", threading.Event())
    monkeypatch.setattr(compiling.os, "cpu_count", lambda: 1)  # no helper
    with FileLock(folder / "compiling.lock") if what.startswith("a lock") else nullcontext():
        compiling.make_ready((np.zeros(1),))
    assert log == ["half", "compile"]
    assert compiling._ready.is_set()


def test_an_error_of_the_compiler_is_not_taken_for_a_missing_lock(tmp_path, monkeypatch):
    def fail(signature: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(compiling, "_entry", lambda: Compiler(tmp_path, []))
    monkeypatch.setattr(compiling, "_solving", SimpleNamespace(compile=fail))
    monkeypatch.setattr(compiling, "_ready", threading.Event())
    monkeypatch.setattr(compiling.os, "cpu_count", lambda: 1)  # no helper
    with pytest.raises(OSError, match="no space left"):
        compiling.make_ready((np.zeros(1),))
    assert not compiling._ready.is_set()


def test_the_helper_ends_when_its_parent_is_gone(tmp_path, monkeypatch):
    calls: list[tuple[object, ...]] = []
    monkeypatch.setattr(engine, "make_ready", calls.append)
    slow(EMPTY, Push(0, -30.0, 0.0))
    helper = subprocess.Popen(
        [sys.executable, "-m", compiling.__name__],
        env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)},
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert helper.stdin is not None
    assert helper.stderr is not None
    helper.stdin.write(pickle.dumps(tuple(typeof(argument) for argument in calls[0])))
    helper.stdin.close()
    assert helper.wait(timeout=60) == 1
    assert helper.stderr.read() == b""  # it ended, it did not fail
    helper.stderr.close()
    assert not list(tmp_path.glob("*/compiling._stepping-*.nbi"))


PUSH = """
from thrillsim.board import Layout, default_board
from thrillsim.physics import Push, push
result = push(default_board(), Layout([0], [100.0], [0.0]), Push(0, -30.0, 0.0), engine="quasistatic")
print(result.poses.tobytes())
"""


@pytest.mark.soak
def test_of_two_cold_processes_one_compiles_one_waits_and_both_agree(tmp_path):
    """Each says what it does, and what was compiled apart is loaded, not compiled again."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    started = [
        subprocess.Popen(
            [sys.executable, "-c", PUSH],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    answers = [one.communicate() for one in started]
    assert [one.returncode for one in started] == [0, 0]
    assert answers[0][0] == answers[1][0] != ""
    assert sorted(err for _, err in answers) == sorted([compiling.NOTICE, compiling.WAITING])
    assert list(tmp_path.glob("*/compiling._stepping-*.nbi"))  # the helper's
    twice = [one.name for one in tmp_path.glob("*/contacts.*.2.nbc")]
    assert not twice, "the helper compiled for other types than the kernel needs"
