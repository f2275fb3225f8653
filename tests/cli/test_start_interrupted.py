"""Ctrl-C and SIGTERM while a command's worker processes start, or where a library swallows them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.test_study_interrupted import group, in_group
from thrillsim import workers
from thrillsim.play.record import BrokenOffLine, replay_file

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="looks for its processes in /proc"
)
COMMANDS = {
    "study": ["study", "s.toml", "--out", "out", "-n", "64", "--accuracy", "draft"],
    "match": ["match", "skull", "random", "random", "random", "-n", "3000", "--out", "out"],
}


@contextmanager
def started(folder: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    (folder / "s.toml").write_text("[opening]\nseed = 4\n")
    command = [sys.executable, "-m", "thrillsim", *words]
    here = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    with in_group(command, stdin=subprocess.PIPE, cwd=folder, env=here) as process:
        yield process


def until_workers_start(process: subprocess.Popen[str]) -> None:
    for _ in range(2000):
        if len(group(process.pid)) >= 4:  # the command, the tracker that goes with workers, two workers
            return
        assert process.poll() is None, process.communicate(timeout=60)
        time.sleep(0.005)
    raise AssertionError("no worker was ever started")


def gone(pid: int) -> bool:
    """Whether the group `pid` is, or soon gets, empty: the tracker ends a moment after the command."""
    for _ in range(100):
        if not group(pid):
            return True
        time.sleep(0.02)
    return False


@pytest.mark.parametrize("wait", [0.0, 0.15, 0.4])
@pytest.mark.parametrize("command", COMMANDS)
def test_ctrl_c_while_workers_start_is_one_line(command: str, wait: float, tmp_path: Path) -> None:
    with started(tmp_path, *COMMANDS[command], "--jobs", "2") as process:
        until_workers_start(process)
        time.sleep(wait)
        os.killpg(process.pid, signal.SIGINT)  # a terminal sends it to the whole group
        _, err = process.communicate(timeout=60)
        assert gone(process.pid)
    lines = [line for line in err.splitlines() if line and " games" not in line]
    assert len(lines) == 1, err
    assert lines[0].startswith("thrillsim: ")
    assert lines[0].endswith("; the same command goes on")
    assert process.returncode == 130


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("command", COMMANDS)
def test_other_signals_end_the_workers_too(command: str, number: signal.Signals, tmp_path: Path) -> None:
    with started(tmp_path, *COMMANDS[command], "--jobs", "2") as process:
        until_workers_start(process)
        send = os.kill if number == signal.SIGTERM else os.killpg  # a terminal that closes tells all of them
        send(process.pid, number)
        _, err = process.communicate(timeout=60)
        assert gone(process.pid)
    assert process.returncode == 128 + number
    assert "Traceback" not in err
    assert "leaked" not in err
    assert "the same command goes on" in err


def test_a_closed_terminal_breaks_a_game_off_and_keeps_its_record(tmp_path: Path) -> None:
    words = ["play", "skull", "--players", "human,random,random", "--seed", "3", "--record", "game.jsonl"]
    with started(tmp_path, *words) as process:
        assert process.stdout is not None
        while "You may" not in process.stdout.readline():
            assert process.poll() is None
        for _ in range(2):  # from the terminal, and from the shell that ran in it
            os.killpg(process.pid, signal.SIGHUP)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (128 + signal.SIGHUP, "")
    assert out.endswith("The game is broken off.\nrecord so far: game.jsonl\n")
    assert isinstance(replay_file(tmp_path / "game.jsonl").end, BrokenOffLine)


def test_a_started_process_is_deaf_and_an_interruption_meanwhile_is_raised_after() -> None:
    seen = []

    def start() -> None:
        with workers.deaf():
            with subprocess.Popen(["sleep", "10"]) as child:
                try:
                    os.kill(os.getpid(), signal.SIGINT)
                    child.send_signal(signal.SIGINT)
                    with pytest.raises(subprocess.TimeoutExpired):
                        child.wait(0.2)
                finally:
                    child.kill()
            seen.append(child.returncode)

    with pytest.raises(KeyboardInterrupt):
        start()
    assert seen == [-signal.SIGKILL]
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, set())


SWALLOWED = """
import ctypes, os, signal, sys, time
from thrillsim.cli import main as entry

def call_back():
    os.kill(os.getpid(), signal.SIGINT)
    for _ in range(100): pass

def command():
    ctypes.CFUNCTYPE(None)(call_back)()  # Python drops what is raised in there
    {then}

sys.modules["thrillsim.cli.odd"] = type(sys)("odd")
sys.modules["thrillsim.cli.odd"].command = command
entry.available = lambda: ["odd"]
entry.COMMANDS["odd"] = "Odd."
sys.argv = ["thrillsim", "odd"]
sys.exit(entry.main())
"""


@pytest.mark.parametrize("then", ["time.sleep(20)", "raise RuntimeError('the library is confused')"])
def test_an_interruption_that_a_library_swallows_still_ends_the_command(then: str) -> None:
    code = SWALLOWED.format(then=then)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=15, check=False
    )
    assert done.stderr == "thrillsim: interrupted\n"
    assert done.returncode == 130
