"""Processes of this machine that a run starts: Ctrl-C is their parent's to answer, and none outlives it.

Any room may use it; it knows nothing of what the processes do.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from typing import Any, ParamSpec, TypeVar

from thrillsim.errors import InputError

GRACE = 1.0  #: s that a worker has to end by itself when a run is broken off; then it is ended

P = ParamSpec("P")
T = TypeVar("T")
_over = threading.Event()  # in a worker: the run is broken off


def stopping() -> bool:
    """In a worker: whether the run is broken off, so that nobody waits for more."""
    return _over.is_set()


@contextmanager
def deaf() -> Iterator[None]:
    """Start processes inside: they never hear Ctrl-C, and what interrupts us meanwhile is raised at the end.

    A terminal sends Ctrl-C to the whole group.  A process that is importing would answer with a
    traceback, and so would one whose parent was interrupted while handing over what to run.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # as a process starts; it would let the signal through again
    came: list[int] = []
    main = threading.current_thread() is threading.main_thread()
    usual = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM) if main}
    # Held back twice: children inherit the mask, but other threads of ours may have none.
    for number in usual:
        signal.signal(number, lambda number, _frame: came.append(number))
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        for number, handler in usual.items():
            signal.signal(number, handler)
        if came:
            signal.raise_signal(came[0])


class _Pool(ProcessPoolExecutor):
    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        with deaf():  # any call may start a process
            return super().submit(fn, *args, **kwargs)


@contextmanager
def processes(count: int) -> Iterator[Executor]:
    """A pool of `count` spawned processes that ends soon, however the block is left.

    Left by an error or an interruption, what waits is dropped and what runs has `GRACE` seconds: a long
    task should ask `stopping`.  A task ended after that leaves what it was writing.

    Raises
    ------
    InputError
        If a worker is killed from outside.
    """
    context = get_context("spawn")
    theirs, ours = context.Pipe(duplex=False)
    pool = _Pool(count, mp_context=context, initializer=end_with_parent, initargs=(theirs,))
    try:
        yield pool
        pool.shutdown(wait=True)
    except BrokenProcessPool:
        raise InputError(
            "a worker process was ended from outside; the same command goes on", key="--jobs"
        ) from None
    finally:
        ours.close()  # what a worker still does is for nobody
        pool.shutdown(wait=True, cancel_futures=True)
        theirs.close()


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
