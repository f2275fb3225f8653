"""Compilation, once per installation: by one of the processes that start at the same time, with a helper.

A process that meets another one compiling waits, and loads what that one leaves in the compiler's cache.  The
helper, a process of its own, leaves there the half that needs nothing of the other half; should it fail, nothing is
lost but time.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
from filelock import FileLock, Timeout
from numba import typeof

from thrillsim.physics.quasistatic import kernel
from thrillsim.physics.quasistatic.compiled import jit
from thrillsim.physics.quasistatic.contacts import link, new_contacts, outgrown, pusher_meeting, refresh
from thrillsim.physics.quasistatic.crossing import first_crossing
from thrillsim.physics.quasistatic.interior import freeze, interior, keep
from thrillsim.physics.quasistatic.spread import spread
from thrillsim.workers import speaks

NOTICE = "thrillsim: compiling the quasi-static engine, once per installation (up to a minute)\n"
WAITING = "thrillsim: waiting for another process to compile the quasi-static engine (up to a minute)\n"
WORTH_SAYING = 2.0  #: s after which it is said: loading takes less
HEAD_START = 1.0  #: s that the worker who speaks has, so that he compiles and can say that
LONGEST_WAIT = (
    300.0  #: s for another process; then it is taken for dead, as one that left its lock behind may be
)

_ready = threading.Event()  # the kernel can be called in this process


def make_ready(arguments: tuple[Any, ...]) -> None:
    """Compile the kernel for these arguments, or load it; nothing is done after the first time."""
    if _ready.is_set():
        return
    signature = tuple(typeof(argument) for argument in arguments)
    folder = Path(_entry().stats.cache_path)
    if _cold(folder):
        with _alone(folder), _announced(NOTICE):
            if _cold(folder):
                with _helped(signature):
                    _solving.compile(signature)
            _entry().compile(signature)
    else:
        with _announced(NOTICE):
            _entry().compile(signature)
    _ready.set()


def _entry() -> Any:
    return kernel.run_push


def _cold(folder: Path) -> bool:
    return not any(folder.glob("kernel.run_push-*.nbi"))


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Have the folder to ourselves; where no lock can be had it is shared, and everybody compiles."""
    if not speaks():
        time.sleep(HEAD_START)
    with ExitStack() as held:
        with suppress(OSError, NotImplementedError):  # (a wait that is over is an OSError too)
            folder.mkdir(parents=True, exist_ok=True)
            lock = FileLock(folder / "compiling.lock")
            try:
                held.enter_context(lock.acquire(timeout=0))
            except Timeout:
                with _announced(WAITING):
                    held.enter_context(lock.acquire(timeout=LONGEST_WAIT))
        yield


@contextmanager
def _announced(what: str) -> Iterator[None]:
    """Say on stderr what is going on if the block takes its time."""
    if not speaks():
        yield
        return
    # in the place of a progress bar, which comes again below
    lead = "\r\x1b[K" if sys.stderr.isatty() else ""
    notice = threading.Timer(WORTH_SAYING, sys.stderr.write, (lead + what,))
    notice.daemon = True
    notice.start()
    try:
        yield
    finally:
        notice.cancel()


@contextmanager
def _helped(signature: tuple[Any, ...]) -> Iterator[None]:
    """Let another process compile `_stepping` meanwhile, if there is a processor for it."""
    if (os.cpu_count() or 1) < 2:
        yield
        return
    command, nothing = [sys.executable, "-m", __name__], subprocess.DEVNULL
    try:
        helper = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=nothing, stderr=nothing)  # noqa: S603
    except OSError:
        yield
        return
    assert helper.stdin is not None
    try:
        with suppress(OSError):
            pickle.dump(signature, helper.stdin)
            helper.stdin.flush()
        yield
        helper.wait()
    finally:  # (it ends by itself where we are killed, and cannot get here)
        helper.kill()
        helper.wait()
        with suppress(OSError):
            helper.stdin.close()


def _help() -> None:
    """The helper's life: compile `_stepping`, or end when the line to its parent does."""
    signature = pickle.load(sys.stdin.buffer)  # noqa: S301 - from our own parent

    def watch() -> None:
        os.read(sys.stdin.fileno(), 1)  # nothing more comes but the end
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
    _stepping.compile(signature)
    os._exit(0)  # the other thread is still reading


# Never called: they name what each half compiles, with the types that the kernel calls it with.
# (If a type were another one, the kernel would compile that function again: slower, nothing else.)


@jit
def _stepping(D, DI, P, C, CI, system, ground, features, options, falls, rows, report):
    members, whether, h = np.int64(0), np.bool_(False), options[0]
    refresh(D, DI, C, CI, features, options, members, h, whether, report)
    link(D, DI, C, CI, system, members, members, whether)
    outgrown(D, DI, CI, members)
    new_contacts(D, DI, C, CI, features, options, members, h, h)
    pusher_meeting(D, DI, features, h, h)
    first_crossing(D, DI, ground[0], members, h)
    spread(D, DI, P, ground, members, h, whether)


@jit
def _solving(D, DI, P, C, CI, system, ground, features, options, falls, rows, report):
    members, whether, h = np.int64(0), np.bool_(False), options[0]
    interior(D, DI, P, C, CI, system, features, members, members, h, h, h, h, h, members)
    freeze(D, DI, C, CI, members, members, h, whether)
    keep(D, DI, C, CI, members, members, whether)


if __name__ == "__main__":
    _help()
