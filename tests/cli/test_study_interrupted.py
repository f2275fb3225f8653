"""A study that was killed, or stopped with Ctrl-C, goes on with the same command, to the same bytes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

SCENARIO = "trials = 64\n[opening]\nseed = 4\n"


@contextmanager
def in_group(command: list[str], **how: Any) -> Iterator[subprocess.Popen[str]]:
    """The command in a process group of its own, as a shell starts it; nothing of it outlives the block."""
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, start_new_session=True, **how)
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


@contextmanager
def study(folder: Path, out: str, jobs: int, pause: float = 0.0) -> Iterator[subprocess.Popen[str]]:
    scenario = folder / "s.toml"
    scenario.write_text(SCENARIO)
    command = [sys.executable, "-m", "tests.studies.study_with_fake", "study", str(scenario), "--out", out]
    with in_group([*command, "--jobs", str(jobs)], env=os.environ | {"PAUSE": str(pause)}) as process:
        yield process


def result(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err


def finished(folder: Path, out: str, jobs: int) -> tuple[int, str, str]:
    with study(folder, out, jobs) as process:
        return result(process)


def parts(out: Path) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in out.glob("*") if p.suffix in (".parquet", ".json")}


def until_begun(out: Path, process: subprocess.Popen[str]) -> None:
    for _ in range(3000):
        if len(list(out.glob("trials-*.parquet"))) >= 1:
            return
        assert process.poll() is None, process.communicate(timeout=60)
        time.sleep(0.02)
    raise AssertionError("no part was ever written")


def group(pid: int) -> list[int]:
    """Processes of the group `pid` that are alive."""
    alive = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, pgrp = stat.read_text().rpartition(")")[2].split()[:3]
        except OSError:
            continue
        if int(pgrp) == pid and state != "Z":
            alive.append(int(stat.parent.name))
    return alive


@pytest.fixture(scope="module")
def wanted(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("whole")
    code, _, err = finished(folder, str(folder / "out"), jobs=1)
    assert code == 0, err
    return parts(folder / "out")


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for its processes in /proc")
def test_killed_half_way_and_repeated(wanted: dict[str, bytes], tmp_path: Path) -> None:
    out = tmp_path / "out"
    with study(tmp_path, str(out), jobs=2, pause=0.03) as process:
        until_begun(out, process)
        process.kill()  # SIGKILL, and the parent alone: nobody can clean up
        process.communicate(timeout=60)
        for _ in range(500):
            if not group(process.pid):
                break
            time.sleep(0.02)
        assert group(process.pid) == [], "workers outlive a killed study"
    assert "summary.json" not in parts(out)
    code, stdout, err = finished(tmp_path, str(out), jobs=2)
    assert code == 0, err
    assert "were there" in err
    assert parts(out) == wanted
    assert str(out / "study.png") in stdout


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_says_how_to_go_on(jobs: int, wanted: dict[str, bytes], tmp_path: Path) -> None:
    out = tmp_path / "out"
    with study(tmp_path, str(out), jobs=jobs, pause=0.03) as process:
        until_begun(out, process)
        os.killpg(process.pid, signal.SIGINT)  # a terminal sends it to the whole group
        code, stdout, err = result(process)
    assert code == 130
    assert stdout == ""
    lines = err.strip().splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("thrillsim: stopped after ")
    assert lines[0].endswith(" of 64 trials; the same command goes on")
    assert int(lines[0].split()[3]) >= 16
    code, _, err = finished(tmp_path, str(out), jobs=jobs)
    assert code == 0, err
    assert parts(out) == wanted
