"""Ctrl-C and SIGTERM for the command line's own process: each ends it in order, whatever it is doing."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

AGAIN = 0.1  #: s after which an interruption that got lost is tried again


@contextmanager
def heard() -> Iterator[list[int]]:
    """Raise KeyboardInterrupt for both signals inside, and afterwards let them end the process silently.

    Python drops an exception that is raised where a library calls back (the compiler of the quasi-static
    engine does): then nothing stops, or the library fails with an error of its own.  So the interruption
    is tried again, and the list yielded says which signals came.
    """
    came: list[int] = []
    numbers = [n for n in (signal.SIGINT, signal.SIGTERM) if signal.getsignal(n) is not signal.SIG_IGN]

    def stop(number: int, _frame: object) -> None:
        came.append(number)
        raise KeyboardInterrupt

    def again() -> None:
        if signal.getsignal(came[-1]) is stop:
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
