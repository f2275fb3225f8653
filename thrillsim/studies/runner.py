"""Runs a study: hands blocks of trials to workers, stores each part as it comes, ends cleanly if interrupted.

Any `concurrent.futures.Executor` will do (also Dask's ``client.get_executor()``); without one, processes of
this machine.  Which worker runs what, and in which order, changes no byte of the results.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import closing
from functools import partial
from pathlib import Path

import pyarrow as pa

from thrillsim.physics import Engine
from thrillsim.studies.plan import Plan
from thrillsim.studies.store import Store, manifest_of
from thrillsim.studies.trials import as_table, trial_rows
from thrillsim.workers import check_jobs, held, share_out, stopping

Progress = Callable[[int, int], None]  #: called with (trials done, trials of the study)
_AHEAD = 64  # blocks waiting at a foreign executor, whose number of workers is unknown
_HELD = 0.2  # s that Ctrl-C may wait for while a foreign executor is waited for


def run_study(
    plan: Plan,
    out: str | Path,
    *,
    jobs: int | None = None,
    executor: Executor | None = None,
    engine: Engine | None = None,
    progress: Progress | None = None,
    fresh: bool = False,
) -> Store:
    """Run what is missing of a study and store it under `out`.

    Parameters
    ----------
    plan
        The resolved scenario, see `thrillsim.studies.load_plan`.
    out
        Result directory.  If it holds part of the same study, that part is kept: the same call goes on.
    jobs
        Worker processes; default: one per processor that this process may use.
    executor
        Runs the blocks instead of own processes; it is not shut down.
    engine
        An engine object instead of the one named in the plan; it must pickle for processes.
    progress
        Called after every block.
    fresh
        Remove what an earlier study left in `out`; its manifest must be there to show that it did.

    Returns
    -------
    Store
        Complete for ``plan.trials`` trials.

    Raises
    ------
    InputError
        If `out` holds another study, or files of a study's names without a manifest; or if `jobs` is not
        1 to 1024.
    KeyboardInterrupt
        After the workers have stopped; everything finished so far is stored.
    """
    if jobs is not None:
        check_jobs(jobs)
    name = plan.engine if engine is None else engine.name
    store, manifest = Store(out), manifest_of(plan, name)
    if fresh:
        store.clear()
    store.claim(manifest)
    store.tidy()
    store.write_manifest(manifest)
    missing = store.missing(plan, exact=True)
    done = plan.trials - sum(last - first for first, last in missing)
    if progress is not None:
        progress(done, plan.trials)
    workers = min(jobs or processors(), max(len(missing), 1))
    with closing(_tables(plan, engine or plan.engine, missing, workers, executor)) as tables:
        for first, last, table in tables:
            store.write_part(first, table)
            done += last - first
            if progress is not None:
                progress(done, plan.trials)
    return store


def processors() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


Block = tuple[int, int, pa.Table]


def _tables(
    plan: Plan, engine: str | Engine, missing: list[tuple[int, int]], workers: int, executor: Executor | None
) -> Generator[Block, None, None]:
    if executor is not None:
        yield from _spread(executor, plan, engine, missing)
    elif workers == 1:
        for first, last in missing:
            yield first, last, as_table(plan, trial_rows(plan, engine, first, last))
    else:
        with closing(share_out(partial(_work, plan, engine), missing, workers)) as done:
            for (first, last), table in done:
                if table is not None:
                    yield first, last, table


def _spread(
    pool: Executor, plan: Plan, engine: str | Engine, missing: list[tuple[int, int]]
) -> Generator[Block, None, None]:
    """Keep some blocks in a foreign pool, yield each as it is done."""
    waiting: dict[Future[pa.Table | None], tuple[int, int]] = {}
    blocks = iter(missing)
    try:
        while True:
            while len(waiting) < _AHEAD and (block := next(blocks, None)) is not None:
                waiting[pool.submit(_work, plan, engine, block)] = block
            if not waiting:
                return
            with held():  # interrupted in there, futures would stay locked and the pool never end
                ready, _ = wait(waiting, _HELD, return_when=FIRST_COMPLETED)
            for future in sorted(ready, key=lambda f: waiting[f]):
                first, last = waiting.pop(future)
                table = future.result()
                if table is not None:
                    yield first, last, table
    finally:
        for future in waiting:
            future.cancel()


def _work(plan: Plan, engine: str | Engine, block: tuple[int, int]) -> pa.Table | None:
    """One block in a worker; None if the study was stopped meanwhile."""
    rows = []
    for one in trial_rows(plan, engine, *block):
        if stopping():
            return None
        rows.append(one)
    return as_table(plan, rows)
