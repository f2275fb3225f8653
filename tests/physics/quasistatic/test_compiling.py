"""The engine is compiled by one process of those that start together, and by the helper where it can."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from numba import typeof

from tests.physics.quasistatic.scenes import EMPTY, slow
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


def test_the_helper_ends_when_its_parent_is_gone(tmp_path, monkeypatch):
    calls: list[tuple[object, ...]] = []
    monkeypatch.setattr(engine, "make_ready", calls.append)
    slow(EMPTY, Push(0, -30.0, 0.0))
    helper = subprocess.Popen(
        [sys.executable, "-m", compiling.__name__],
        env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)},
        stdin=subprocess.PIPE,
    )
    assert helper.stdin is not None
    helper.stdin.write(pickle.dumps(tuple(typeof(argument) for argument in calls[0])))
    helper.stdin.close()
    assert helper.wait(timeout=60) == 1
    assert not list(tmp_path.glob("*/compiling._stepping-*.nbi"))


PUSH = """
from thrillsim.board import Layout, default_board
from thrillsim.physics import Push, push
result = push(default_board(), Layout([0], [100.0], [0.0]), Push(0, -30.0, 0.0), engine="quasistatic")
print(result.poses.tobytes())
"""


@pytest.mark.soak
def test_two_cold_processes_say_it_once_and_agree(tmp_path):
    """With an empty cache: compiled once, and what was compiled apart is loaded, not compiled again."""
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
    assert sorted(err for _, err in answers) == ["", compiling.NOTICE]
    assert list(tmp_path.glob("*/compiling._stepping-*.nbi"))  # the helper's
    twice = [one.name for one in tmp_path.glob("*/contacts.*.2.nbc")]
    assert not twice, "the helper compiled for other types than the kernel needs"
