"""Players from outside, each in a process of its own: a crash or a hang costs it the game and nobody else.

The player's object lives in the child; every decision goes there and comes back
as JSON, so nothing of the player's code ever runs here.  What it prints goes to
stderr.  A child that answers too late is ended, and a new one is started for the
next game.
"""

from __future__ import annotations

import contextlib
import multiprocessing as mp
import os
import sys
import traceback
from importlib import import_module
from multiprocessing.connection import Connection
from typing import Any

import msgspec
import numpy as np

from thrillsim import games
from thrillsim.errors import InputError, limits_of, shown
from thrillsim.games.protocol import Legal
from thrillsim.players.protocol import PlayerFailed
from thrillsim.workers import deaf, end_with_parent

START_LIMIT = 60.0
"""Seconds that a child may take to start and to import the player's module."""

LONGEST = 86400.0
"""Seconds that a decision may be given: a day."""


def load_class(where: str) -> Any:
    """The class named by ``module:Class``.

    Raises
    ------
    InputError
        If there is no such module or class, or it has no ``act``.
    """
    module, _, name = where.partition(":")
    try:
        found = getattr(import_module(module), name)
    except ImportError as missing:
        raise InputError(f"cannot import {shown(module)}: {missing}", source=where) from None
    except AttributeError:
        raise InputError(f"module {shown(module)} has no {shown(name)}", source=where) from None
    except Exception as broken:  # noqa: BLE001 - anything may happen in somebody else's module
        reason = f"{type(broken).__name__}: {broken}"  # (repr of a SyntaxError is a tuple)
        raise InputError(f"importing {shown(module)} failed: {reason}", source=where) from None
    if not callable(getattr(found, "act", None)):
        raise InputError("a player class needs a method act(view, legal, rng)", source=where)
    return found


def check_time_limit(seconds: float) -> None:
    """Refuse a time for a decision that is none.

    Raises
    ------
    InputError
        If it is not above 0, or longer than a day (which no system call waits for, at infinity).
    """
    if not 0 < seconds <= LONGEST:
        raise InputError(f"must be {limits_of(gt=0, le=LONGEST)} s, got {seconds:g}", key="--time-limit")


class Guarded:
    """A player of class ``module:Class`` in a child process.

    Parameters
    ----------
    where
        ``module:Class``, importable in a fresh process with this one's ``sys.path``.
    game
        Name of the game, whose actions it may answer with.
    time_limit
        Seconds for one decision.
    """

    def __init__(self, where: str, game: str, time_limit: float = 10.0) -> None:
        self.where, self.time_limit = where, time_limit
        self._actions = msgspec.json.Decoder(games.get(game).Action)
        self._child: mp.process.BaseProcess | None = None
        self._line: Connection | None = None
        self._fresh = True

    def new_game(self) -> Guarded:
        """Ready for the next game, with a fresh player object in the child."""
        self._fresh = True
        return self

    def act(self, view: Any, legal: Legal, rng: np.random.Generator) -> Any:
        """Ask the child.

        Raises
        ------
        PlayerFailed
            If it crashes or does not answer in time.
        """
        if self._child is None or not self._child.is_alive():
            self._start()
        assert self._line is not None
        try:
            self._line.send((rng if self._fresh else None, view, legal))
            self._fresh = False
            if not self._line.poll(self.time_limit):
                raise PlayerFailed(f"no answer within {self.time_limit:g} s")
            done, answer = self._line.recv()
        except (EOFError, OSError):
            self.close()
            raise PlayerFailed("its process ended") from None
        except PlayerFailed:
            self.close()
            raise
        if not done:
            raise PlayerFailed(str(answer))
        try:
            return self._actions.decode(answer)
        except msgspec.DecodeError as odd:
            raise PlayerFailed(f"its answer is no action of the game: {odd}") from None

    def check(self) -> None:
        """Start the child, and end it again.

        Raises
        ------
        InputError
            If the class cannot be had.
        """
        try:
            self._start()
        except PlayerFailed as failed:
            raise InputError(str(failed), source=self.where) from None
        finally:
            self.close()

    def close(self) -> None:
        """End the child process."""
        if self._line is not None:
            self._line.close()
        if self._child is not None:
            self._child.kill()
            self._child.join()
        self._child = self._line = None

    def _start(self) -> None:
        context = mp.get_context("spawn")  # a clean interpreter: no locks, no open files of ours
        self._line, other = context.Pipe()
        self._child = context.Process(target=_serve, args=(other, self.where), daemon=True)
        with deaf():
            self._child.start()
        other.close()
        try:
            ready = self._line.poll(START_LIMIT) and self._line.recv()
        except (EOFError, OSError):
            ready = "its process ended while importing"
        if ready is not True:
            self.close()
            raise PlayerFailed(ready or f"did not start within {START_LIMIT:g} s")


def _serve(line: Connection, where: str) -> None:
    """The child's life: a fresh player whenever a random stream comes with the question."""
    end_with_parent()
    os.dup2(2, 1)  # what a player prints is none of our answer, which may be JSON
    sys.stdout = sys.stderr  # and is seen at once
    player: Any = None
    rng: Any = None
    try:
        kind = load_class(where)
    except InputError as bad:
        line.send(bad.reason)
        return
    line.send(True)
    with contextlib.suppress(EOFError, OSError, KeyboardInterrupt):
        while True:
            fresh, view, legal = line.recv()
            try:
                if fresh is not None:
                    rng, player = fresh, kind()
                line.send((True, msgspec.json.encode(player.act(view, legal, rng))))
            except Exception as crash:  # noqa: BLE001 - whatever it is, it is reported and costs the game
                last = traceback.extract_tb(crash.__traceback__)[-1]
                line.send((False, f"crashed: {crash!r} in {last.name}, line {last.lineno}"))
