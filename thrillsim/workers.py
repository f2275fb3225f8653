"""Processes of this machine that a run starts: Ctrl-C is their parent's to answer, and none outlives it.

Any room may use it; it knows nothing of what the processes do.
"""

from __future__ import annotations

import os
import pickle
import signal
import threading
import time
import traceback
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, TypeVar

from thrillsim.errors import InputError, limits_of

GRACE = 1.0  #: s that a worker has to end by itself when a run is over or broken off; then it is ended
MOST_JOBS = 1024  #: more processes than any machine has use for
#: what ends a command in order: Ctrl-C, a polite kill, a closed terminal (which Windows does not tell)
ENDINGS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
TICK = 1.0  #: s after which a wait looks up: a signal just before it would be heard at its end only

Task = TypeVar("Task")
Result = TypeVar("Result")
_over = threading.Event()  # in a worker: the run is broken off
_silent = threading.Event()  # in a worker: another one speaks


def check_jobs(jobs: int) -> None:
    """Refuse a senseless number of processes.

    Raises
    ------
    InputError
        If it is not 1 to `MOST_JOBS`.
    """
    if not 1 <= jobs <= MOST_JOBS:
        raise InputError(f"must be {limits_of(ge=1, le=MOST_JOBS)}, got {jobs}", key="jobs")


def stopping() -> bool:
    """In a worker: whether the run is broken off, so that nobody waits for more."""
    return _over.is_set()


def speaks() -> bool:
    """Whether it is this process that says what all workers of a run meet alike: of those the first does."""
    return not _silent.is_set()


@contextmanager
def held() -> Iterator[None]:
    """Ctrl-C, SIGTERM and SIGHUP that come in the block are raised at its end."""
    came: list[int] = []
    main = threading.current_thread() is threading.main_thread()  # no other hears signals
    usual = {number: signal.getsignal(number) for number in ENDINGS if main}
    try:
        for number in usual:
            signal.signal(number, lambda number, _frame: came.append(number))
        yield
    finally:
        for number in reversed(usual):
            signal.signal(number, usual[number])
        if came:
            signal.raise_signal(came[0])


@contextmanager
def deaf() -> Iterator[None]:
    """Start processes inside: they hear neither Ctrl-C nor SIGHUP; what interrupts us is raised at the end.

    A terminal sends both to the whole group.  A process that is importing would answer with a
    traceback, and so would one whose parent was interrupted while handing over what to run.
    """
    with held():  # children inherit the mask below, but other threads of ours may have none
        if not hasattr(signal, "pthread_sigmask"):  # Windows
            yield
            return
        from multiprocessing import resource_tracker

        resource_tracker.ensure_running()  # as a process starts; it would let the signal through again
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGHUP})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def share_out(
    work: Callable[[Task], Result], tasks: Iterable[Task], count: int
) -> Generator[tuple[Task, Result], None, None]:
    """Share `tasks` out among `count` spawned processes; yields each with its result, as they are done.

    Close it (``contextlib.closing``): then its processes are gone within little more than `GRACE` seconds,
    whatever they do, and a long task should ask `stopping`.  A task ended after that leaves what it was
    writing.

    No pool of the standard library: Ctrl-C can be raised at any line of the main thread, also where that
    holds a lock of a future, and then the threads of a pool wait for ever.  Here nothing is shared: no
    thread, no lock, and for every worker a line of its own, which may break anywhere.

    Parameters
    ----------
    work
        What is done with a task; it, the tasks and the results must pickle.
    count
        Processes, at most as many as there are tasks.

    Raises
    ------
    InputError
        If a worker is killed from outside.
    Exception
        What `work` raised, with the worker's traceback as a note.
    """
    context = get_context("spawn")
    theirs, ours = context.Pipe(duplex=False)
    team: dict[Connection, BaseProcess] = {}
    busy: dict[Connection, Task] = {}
    left = iter(tasks)
    try:
        for task in islice(left, count):
            with deaf():  # it is in the team, or not there
                line, end = context.Pipe()
                process = context.Process(target=_serve, args=(end, theirs, not team))
                process.start()
                team[line] = process
                end.close()  # the worker's alone, so that its end is the line's
            _hand(line, work, task)
            busy[line] = task
        while busy:
            ready = wait(list(busy), TICK)
            for line in [one for one in busy if one in ready]:
                result = _received(line)
                done = busy.pop(line)
                for task in islice(left, 1):
                    _hand(line, work, task)
                    busy[line] = task
                yield done, result
    finally:
        try:
            _end([theirs, ours, *team], team.values())
        finally:  # again: Ctrl-C may have come before the first could hold it
            _end([theirs, ours, *team], team.values())


def _end(lines: Iterable[Connection], workers: Iterable[BaseProcess]) -> None:
    """End what is left of a team; called twice it does no harm."""
    with held():
        for line in lines:
            line.close()
        until = time.monotonic() + GRACE
        for worker in workers:
            worker.join(max(until - time.monotonic(), 0.0))
            worker.kill()
            worker.join()


def _hand(line: Connection, work: Any, task: Any) -> None:
    raw = pickle.dumps((work, task))
    try:
        line.send_bytes(raw)
    except OSError:
        raise _lost() from None


def _received(line: Connection) -> Any:
    try:
        raw = line.recv_bytes()
    except (EOFError, OSError):
        raise _lost() from None
    result, error, where = pickle.loads(raw)  # noqa: S301 - from our own worker
    if error is not None:
        error.add_note(f"In a worker process:\n{where}")
        raise error
    return result


def _lost() -> InputError:
    return InputError("a worker process was ended from outside; the same command goes on", key="jobs")


def _serve(line: Connection, run: Connection, first: bool) -> None:
    """A worker's life: one task after the other, until nobody is at the other end."""
    if not first:
        _silent.set()
    end_with_parent(run)
    while True:
        try:
            raw = line.recv_bytes()
        except (EOFError, OSError):
            return
        try:
            work, task = pickle.loads(raw)  # noqa: S301 - from our own parent
            answer = pickle.dumps((work(task), None, ""))
        except BaseException as error:  # noqa: BLE001 - whatever it is, it is raised again over there
            answer = pickle.dumps((None, _portable(error), traceback.format_exc()))
        try:
            line.send_bytes(answer)
        except OSError:
            return


def _portable(error: BaseException) -> BaseException:
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301 - made here
    except Exception:  # noqa: BLE001 - anything may happen in there
        return RuntimeError(repr(error))
    return error


def end_with_parent(run: Connection | None = None) -> None:
    """In a process that multiprocessing started: let it end when its parent is gone, whatever it does.

    Parameters
    ----------
    run
        A line on which nothing comes: closed at the other end, it says that the run is broken off.
    """
    parent = parent_process()
    if parent is None:
        return
    lines: list[Any] = [parent.sentinel] if run is None else [parent.sentinel, run]

    def watch() -> None:
        if parent.sentinel not in wait(lines):
            _over.set()
            wait([parent.sentinel], GRACE)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
