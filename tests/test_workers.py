"""Processes that share tasks: every result, errors as they were, and an end whatever happens where."""

from __future__ import annotations

import multiprocessing as mp
import os
import signal
import sys
import time
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from thrillsim.errors import InputError
from thrillsim.workers import GRACE, share_out, speaks, stopping


class OddError(Exception):
    """Pickles, but cannot be made again from its pickle."""

    def __init__(self, a: int, b: int) -> None:
        super().__init__(f"{a} and {b}")


def squared(task: int) -> int:
    if task == 13:
        raise InputError("must be lucky, got 13", key="task")
    if task == 14:
        raise OddError(1, 4)
    if task == 15:
        os.kill(os.getpid(), signal.SIGKILL)
    return task * task


def who_speaks(_task: int) -> tuple[int, bool]:
    time.sleep(0.1)  # so that no worker does all of them
    return os.getpid(), speaks()


def large(task: int) -> bytes:
    return bytes([task]) * 3_000_000


def unsendable(_task: int) -> Callable[[], int]:
    return lambda: 1


def second_never_ends(folder: Path, task: int) -> None:
    """Task 0 is done when task 1 is under way, which neither ends nor hears SIGTERM."""
    if task == 1:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        (folder / "begun").touch()
        time.sleep(600)
    until(folder / "begun")


def second_asks(folder: Path, task: int) -> None:
    """Task 0 is done when task 1 is under way, which ends in order once it is told to."""
    if task == 1:
        (folder / "begun").touch()
        while not stopping():
            time.sleep(0.01)
        (folder / "ended").touch()
    until(folder / "begun")


def until(path: Path) -> None:
    while not path.exists():
        time.sleep(0.01)


def test_one_of_the_workers_speaks() -> None:
    with closing(share_out(who_speaks, range(9), 3)) as shared:
        told = {answer for _, answer in shared}
    assert sorted(speaking for _, speaking in told) == [False, False, True]
    assert speaks()


def test_every_task_is_done_once_and_none_is_drawn_before_it_can_start() -> None:
    drawn = []
    tasks = (drawn.append(task) or task for task in range(12))  # type: ignore[func-returns-value]
    done = {}
    with closing(share_out(squared, tasks, 3)) as results:
        for task, result in results:
            done[task] = result
            assert len(drawn) <= len(done) + 3
    assert done == {task: task * task for task in range(12)}
    assert mp.active_children() == []
    assert list(share_out(squared, [], 3)) == []


def test_a_large_result_comes_whole() -> None:
    assert dict(share_out(large, range(4), 2)) == {task: large(task) for task in range(4)}


def test_an_error_is_raised_as_it_was_with_the_place_where_it_was() -> None:
    with pytest.raises(InputError, match="must be lucky") as caught:
        list(share_out(squared, [1, 13, 2], 1))
    assert str(caught.value) == "task: must be lucky, got 13"
    assert caught.value.key == "task"
    assert "in squared" in caught.value.__notes__[0]
    with pytest.raises(RuntimeError, match=r"OddError.*1 and 4"):
        list(share_out(squared, [14], 1))
    with pytest.raises(AttributeError, match="unsendable"):
        list(share_out(unsendable, [1], 1))
    assert mp.active_children() == []


def test_a_worker_that_is_killed_is_one_line() -> None:
    with pytest.raises(InputError, match=r"^jobs: a worker process was ended from outside; "):
        list(share_out(squared, [1, 2, 15, 3, 4, 5], 2))
    assert mp.active_children() == []


def leave(work: Callable[[int], None]) -> float:
    """Leave as soon as task 0 is done; returns how long that took in s."""
    with closing(share_out(work, [0, 1], 2)) as results:
        assert next(results) == (0, None)
        began = time.monotonic()
    took = time.monotonic() - began
    assert mp.active_children() == []
    return took


def test_a_task_that_never_ends_is_ended(tmp_path: Path) -> None:
    assert leave(partial(second_never_ends, tmp_path)) < GRACE + 3


def test_a_task_that_asks_ends_in_order(tmp_path: Path) -> None:
    leave(partial(second_asks, tmp_path))
    assert (tmp_path / "ended").exists()


def dropped(frame: FrameType | None) -> bool:
    """Whether Python drops what is raised there."""
    places = ("_ConnectionBase.__del__", "Finalize.__call__", "WeakSet.__init__.<locals>._remove")
    while frame is not None and frame.f_code.co_qualname not in places:
        frame = frame.f_back
    return frame is not None


def lines_until_interrupted(at: int) -> int:
    """Share three tasks out, with Ctrl-C when `at` lines of Python have run; returns the lines run."""
    count = 0

    def trace(frame: FrameType, event: str, _arg: Any) -> Any:
        nonlocal count
        if event == "line" and not dropped(frame):
            count += 1
            if count == at:
                signal.raise_signal(signal.SIGINT)
        return trace

    usual = sys.gettrace()
    try:
        with closing(share_out(squared, [1, 2, 3], 1)) as results:
            sys.settrace(trace)
            list(results)
    finally:
        sys.settrace(usual)
    return count


def test_ctrl_c_at_any_line_ends_it() -> None:
    """Also inside the standard library, where a pool of it would keep a lock and wait for ever."""
    lines_until_interrupted(-1)  # imports a lot
    lines = lines_until_interrupted(-1)
    assert lines > 200
    for at in range(1, lines - 50, lines // 12):  # how often a wait looks up differs a little
        began = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            lines_until_interrupted(at)
        assert time.monotonic() - began < 20, f"line {at} of {lines}"
        assert mp.active_children() == [], f"line {at} of {lines}"
