"""From (board, layout, push) to what fell.

`push` is a pure function: disks at rest in, disks at rest out, same inputs, same bytes.
An engine is anything that satisfies `Engine`; engines are imported when they are first asked for.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from importlib import import_module
from itertools import islice
from typing import TYPE_CHECKING, Any

from thrillsim.board import Board, Layout
from thrillsim.errors import InputError, shown
from thrillsim.physics.types import (
    ACCURACIES,
    Accuracy,
    Certificate,
    Engine,
    Fall,
    Push,
    PushResult,
    Trace,
    WeightOn,
    check_push,
)

if TYPE_CHECKING:
    from thrillsim.physics.turning import TurnProfile, TurnResult, turn
    from thrillsim.physics.weight import weight_places

__all__ = [
    "ACCURACIES",
    "DEFAULT_ENGINE",
    "ENGINES",
    "Accuracy",
    "Certificate",
    "Engine",
    "Fall",
    "Push",
    "PushResult",
    "Trace",
    "TurnProfile",
    "TurnResult",
    "WeightOn",
    "engine_by_name",
    "push",
    "push_many",
    "turn",
    "weight_places",
]

ENGINES = ("rigid", "quasistatic")
DEFAULT_ENGINE = "quasistatic"

TOGETHER = 4  #: pushes that a thread takes at once: handing one over takes a fiftieth of its time
AHEAD = 2  #: such tasks per thread that are waiting


def __getattr__(name: str) -> Any:
    """Load what needs pymunk only when it is asked for."""
    homes = {"TurnProfile": "turning", "TurnResult": "turning", "turn": "turning", "weight_places": "weight"}
    if name not in homes:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"thrillsim.physics.{homes[name]}"), name)


def engine_by_name(name: str | Engine) -> Engine:
    """The engine of that name; an engine object is passed through.

    Raises
    ------
    InputError
        If there is no such engine.
    """
    if not isinstance(name, str) and callable(getattr(name, "run", None)):
        return name
    if name == "rigid":
        from thrillsim.physics.rigid import RigidEngine

        return RigidEngine()
    if name == "quasistatic":
        from thrillsim.physics.quasistatic.engine import QuasistaticEngine

        return QuasistaticEngine()
    raise InputError(f"must be one of {', '.join(ENGINES)}, got {shown(name)}", key="engine")


def push(
    board: Board,
    layout: Layout,
    push: Push,
    *,
    engine: str | Engine = DEFAULT_ENGINE,
    accuracy: Accuracy = "standard",
    trace: bool = False,
) -> PushResult:
    """Push one new disk into a layout and say what fell.

    Parameters
    ----------
    board
        The table.
    layout
        Disks at rest on the playing surface.  Their kinds are checked and that none lies where the new disk
        goes, no more: disks that overlap (see ``certificate.overlap``) or lie off the board are taken as
        they are.  `Layout.check` checks a layout whole.
    push
        The new disk, its place, and the weight if any.
    engine
        Name (see `ENGINES`) or an `Engine`.
    accuracy
        ``"draft"``, ``"standard"`` or ``"fine"``; measured errors are in ``docs/physics.md``.
    trace
        Whether to record positions and pusher force over the advance.

    Returns
    -------
    PushResult

    Raises
    ------
    InputError
        If the push is not legal on this board and layout.
    """
    _check_accuracy(accuracy)
    runner = engine_by_name(engine)
    before = check_push(board, layout, push)
    return runner.run(board, before, push, accuracy=accuracy, trace=trace)


def push_many(
    board: Board,
    pushes: Iterable[tuple[Layout, Push]],
    *,
    engine: str | Engine = DEFAULT_ENGINE,
    accuracy: Accuracy = "standard",
    threads: int = 1,
) -> Iterator[PushResult]:
    """Carry out many independent pushes, lazily and in order: memory stays flat however many there are.

    Parameters
    ----------
    board, engine, accuracy
        As for `push`.
    pushes
        (layout, push) pairs; read only a little ahead of the results.
    threads
        How many pushes run at once.  Pays for the quasi-static engine, whose kernel runs outside the
        interpreter's lock; the results are the same bytes for any number.

    Raises
    ------
    InputError
        When the offending pair is reached; so is whatever `pushes` raises.
    """
    _check_accuracy(accuracy)
    runner = engine_by_name(engine)
    if not isinstance(pushes, Iterable):
        raise InputError(f"must be (layout, push) pairs, got {shown(pushes)}", key="pushes")
    pairs = map(_pair, pushes)
    given: object = threads  # (not every caller has a type checker)
    if not isinstance(given, int) or isinstance(given, bool) or given < 1:
        raise InputError(f"must be a whole number >= 1, got {shown(threads)}", key="threads")
    if threads == 1:
        for layout, one in pairs:
            yield push(board, layout, one, engine=runner, accuracy=accuracy)
        return
    waiting: deque[Future[tuple[list[PushResult], Exception | None]]] = deque()
    ended: Exception | None = None
    with ThreadPoolExecutor(threads) as pool:
        while ended is None:
            some: list[tuple[Layout, Push]] = []
            try:
                some.extend(islice(pairs, TOGETHER))
            except Exception as error:  # noqa: BLE001 - raised where its turn comes
                ended = error
            if not some:
                break
            waiting.append(pool.submit(_push_some, board, some, runner, accuracy))
            if len(waiting) > AHEAD * threads:
                yield from _results(waiting.popleft())
        while waiting:
            yield from _results(waiting.popleft())
    if ended is not None:
        raise ended


def _check_accuracy(accuracy: object) -> None:
    if accuracy not in ACCURACIES:
        raise InputError(f"must be one of {', '.join(ACCURACIES)}, got {shown(accuracy)}", key="accuracy")


def _pair(given: object) -> tuple[Layout, Push]:
    if not isinstance(given, tuple | list) or len(given) != 2:
        raise InputError(f"must be (layout, push) pairs, got {shown(given)}", key="pushes")
    return given[0], given[1]


def _push_some(
    board: Board, pushes: list[tuple[Layout, Push]], engine: Engine, accuracy: Accuracy
) -> tuple[list[PushResult], Exception | None]:
    """The results up to the first push that fails, and why it does."""
    results: list[PushResult] = []
    for layout, one in pushes:
        try:
            results.append(push(board, layout, one, engine=engine, accuracy=accuracy))
        except Exception as error:  # noqa: BLE001 - raised where its turn comes
            return results, error
    return results, None


def _results(task: Future[tuple[list[PushResult], Exception | None]]) -> Iterator[PushResult]:
    results, error = task.result()
    yield from results
    if error is not None:
        raise error
