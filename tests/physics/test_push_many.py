"""Many pushes: in order, the same for any number of threads, lazily, and an error where its turn comes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count, islice

import numpy as np
import pytest

from thrillsim.board import Layout, default_board
from thrillsim.board.opening import opening
from thrillsim.errors import InputError
from thrillsim.physics import AHEAD, TOGETHER, Push, PushResult, push, push_many

BOARD = default_board()
LAYOUT = opening(BOARD, 3)
THREADS = [1, 2, 3]


def pairs(n: int) -> list[tuple[Layout, Push]]:
    """A different push each time."""
    return [(LAYOUT, Push("small", -30.0, y)) for y in np.linspace(-80.0, 80.0, n).tolist()]


def same(a: PushResult, b: PushResult) -> bool:
    """Whether two results agree bit for bit."""
    return a.fallen == b.fallen and a.certificate == b.certificate and a.poses.tobytes() == b.poses.tobytes()


@pytest.mark.parametrize("threads", THREADS)
@pytest.mark.parametrize("n", [0, 1, 4, 11])
def test_results_come_in_order_and_are_those_of_single_pushes(n, threads):
    results = list(push_many(BOARD, pairs(n), threads=threads))
    assert [r.push for r in results] == [one for _, one in pairs(n)]
    assert all(same(r, push(BOARD, *pair)) for r, pair in zip(results, pairs(n), strict=True))


@pytest.mark.parametrize("threads", THREADS)
@pytest.mark.parametrize("at", [0, 5])
def test_an_illegal_push_is_told_after_the_results_before_it(at, threads):
    given = pairs(9)
    given[at] = (LAYOUT, replace(given[at][1], y=500.0))
    results = push_many(BOARD, given, threads=threads)
    got: list[PushResult] = []
    with pytest.raises(InputError, match=r"push\.y"):
        got.extend(iter(lambda: next(results), None))
    assert [r.push for r in got] == [one for _, one in given[:at]]


@pytest.mark.parametrize("threads", THREADS)
@pytest.mark.parametrize(
    ("pushes", "more", "says"),
    [
        ([3], {}, "pushes: must be (layout, push) pairs, got 3"),
        ([(LAYOUT,)], {}, "pushes: must be (layout, push) pairs, got "),
        (3, {}, "pushes: must be (layout, push) pairs, got 3"),
        ([], {"accuracy": "foo"}, 'accuracy: must be one of draft, standard, fine, got "foo"'),
        ([], {"engine": None}, "engine: must be one of rigid, quasistatic, got null"),
    ],
)
def test_what_is_no_stream_of_pushes_is_named(pushes, more, says, threads):
    with pytest.raises(InputError) as caught:
        list(push_many(BOARD, pushes, threads=threads, **more))
    assert str(caught.value).startswith(says)


@pytest.mark.parametrize("threads", THREADS)
def test_an_endless_stream_is_read_only_a_little_ahead(threads):
    read = 0

    def endless() -> Iterator[tuple[Layout, Push]]:
        nonlocal read
        for read in count(1):  # noqa: B007 - looked at from outside
            yield LAYOUT, Push("small", -30.0, 20.0)

    results = push_many(BOARD, endless(), threads=threads)
    assert len(list(islice(results, 10))) == 10
    assert read <= 10 + (0 if threads == 1 else TOGETHER * (AHEAD * threads + 1))
    results.close()  # ends, and with it the threads


@pytest.mark.parametrize("threads", THREADS)
@pytest.mark.parametrize("at", [0, 9])
def test_what_breaks_the_stream_is_told_after_the_results_before_it(at, threads):
    def broken() -> Iterator[tuple[Layout, Push]]:
        yield from pairs(at)
        raise KeyError("no more")

    results = push_many(BOARD, broken(), threads=threads)
    assert [r.push for r in islice(results, at)] == [one for _, one in pairs(at)]
    with pytest.raises(KeyError):
        next(results)


@pytest.mark.parametrize("threads", [0, -1, 1.5, float("nan"), None, "2", True])
def test_a_number_of_threads_is_a_whole_one(threads):
    with pytest.raises(InputError, match=r"threads: must be a whole number >= 1, got "):
        next(push_many(BOARD, pairs(1), threads=threads))
