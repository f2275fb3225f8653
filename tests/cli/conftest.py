"""What all tests of the command line need."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def hears_ctrl_c() -> Iterator[None]:
    """A shell has its background jobs ignore Ctrl-C, and what they start inherits that: not here."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
