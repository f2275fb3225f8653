"""Players from outside that behave badly, or well."""

from __future__ import annotations

import os
import time
from typing import Any

from thrillsim.games.thrill import Bid


class Zero:
    """Always the first legal thing; counts its decisions, to show that it is fresh in every game."""

    def __init__(self) -> None:
        self.asked = 0

    def act(self, view: Any, legal: Any, rng: Any) -> Any:
        self.asked += 1
        if view.round == 1 and view.phase == "choose":
            assert self.asked == 1
        return legal[0] if isinstance(legal, tuple) else legal.sample(rng)


class Talks(Zero):
    """Says what it does, in Python's way and past Python."""

    def act(self, view: Any, legal: Any, rng: Any) -> Any:
        print("I think")
        os.write(1, b"and write\n")
        return super().act(view, legal, rng)


class Crash:
    def act(self, view: Any, legal: Any, rng: Any) -> Any:
        raise RuntimeError("no idea")


class Hang:
    def act(self, view: Any, legal: Any, rng: Any) -> Any:
        time.sleep(3600)


class Dies:
    def act(self, view: Any, legal: Any, rng: Any) -> Any:
        os._exit(3)


class Cheat:
    def act(self, view: Any, legal: Any, rng: Any) -> Any:
        return "I win"


class Greedy(Zero):
    def act(self, view: Any, legal: Any, rng: Any) -> Any:
        return Bid(99) if view.phase == "bid" else super().act(view, legal, rng)


class Unsendable:
    def act(self, view: Any, legal: Any, rng: Any) -> Any:
        return lambda: None


class NoPlayer:
    pass
