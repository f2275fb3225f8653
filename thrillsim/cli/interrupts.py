"""Ctrl-C, SIGTERM and SIGHUP for the command line's own process: each ends it in order, whatever it does."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

HANGUP = getattr(signal, "SIGHUP", None)  #: of a terminal that is closed (Windows has none)
AGAIN = 0.1  #: s after which an interruption that got lost is tried again


@contextmanager
def heard() -> Iterator[list[int]]:
    """Raise KeyboardInterrupt for these signals inside, and afterwards let them end the process silently.

    Python drops an exception that is raised where a library calls back (the compiler of the quasi-static
    engine does): then nothing stops, or the library fails with an error of its own.  So the interruption
    is tried again, and the list yielded says which signals came.
    """
    came: list[int] = []
    again_now: list[int] = []
    known = [signal.SIGINT, signal.SIGTERM, *([HANGUP] if HANGUP else [])]
    numbers = [n for n in known if signal.getsignal(n) is not signal.SIG_IGN]

    def stop(number: int, _frame: object) -> None:
        if number == HANGUP and number in came and not again_now:
            return  # from the terminal and from its shell: the second would break off what answers the first
        again_now.clear()
        came.append(number)
        raise KeyboardInterrupt

    def again() -> None:
        if signal.getsignal(came[-1]) is stop:
            again_now.append(came[-1])
            os.kill(os.getpid(), came[-1])

    def lost(what: Any) -> None:
        if not came or what.exc_type is not KeyboardInterrupt:
            usual(what)
            return
        timer = threading.Timer(AGAIN, again)
        timer.daemon = True
        timer.start()

    usual, sys.unraisablehook = sys.unraisablehook, lost
    for number in numbers:
        signal.signal(number, stop)
    try:
        yield came
    finally:
        for number in numbers:
            signal.signal(number, signal.SIG_DFL)
        sys.unraisablehook = usual
