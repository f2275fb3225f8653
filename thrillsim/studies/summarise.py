"""From raw trials to a `Summary`.  Pure: the same rows give the same bytes.

Sums are of whole numbers and taken exactly; nothing depends on how the rows were made.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from thrillsim.board import Board
from thrillsim.board.types import FloatArray
from thrillsim.errors import InputError
from thrillsim.studies.plan import IntArray, Plan, centre_limits, grid
from thrillsim.studies.statistics import CONFIDENCE, METHODS, chance, mean_of_sums, ratio
from thrillsim.studies.store import Store
from thrillsim.studies.summary import (
    CostCount,
    Curve,
    EdgeFalls,
    Estimate,
    Evidence,
    Example,
    FallPoint,
    KindRow,
    PlacedRow,
    Summary,
    WeightRow,
)

POINTS = 2000  #: places of falls kept for the picture
BIN = 10.0  #: mm, about the width of a bin along an edge
_EXACT = 40  # a design with at most so many different y is shown point by point


def summarise(source: str | Path | Store) -> Summary:
    """The summary of a result directory, over the trials that its manifest names.

    Raises
    ------
    InputError
        If there is no study, or trials of it are missing.
    """
    store = source if isinstance(source, Store) else Store(source)
    manifest = store.complete()
    table = store.read(manifest.plan, manifest.trials)
    return summarise_table(table, manifest.plan, engine=manifest.engine)


def summarise_table(table: pa.Table, plan: Plan, *, engine: str | None = None) -> Summary:
    """The summary of raw trials.

    Parameters
    ----------
    table
        Rows in trial order, columns as in `thrillsim.studies.trials.data_schema`; at least trial 0.
    plan
        What was run.
    engine
        Name of the engine, if not the plan's.
    """
    board, n = plan.board, len(table)
    if n == 0:
        raise InputError("needs at least one trial", key="trials")
    cost, fallen = _whole(table, "cost"), _whole(table, "n_fallen")
    disk = np.asarray(table["disk"].to_pylist(), dtype=object)
    lists = table["fallen"].combine_chunks()
    falls, parents = pc.list_flatten(lists), pc.list_parent_indices(lists).to_numpy().astype(np.int64)
    return Summary(
        scenario=plan.title,
        scenario_hash=plan.hash,
        seed=plan.seed,
        trials=n,
        engine=plan.engine if engine is None else engine,
        accuracy=plan.accuracy,
        confidence=CONFIDENCE,
        methods=METHODS,
        any_fell=_chance(fallen > 0),
        none_fell=_chance(fallen == 0),
        cost=_mean(cost),
        costs=tuple(CostCount(c, _chance(cost == c)) for c in range(int(cost.max()) + 1)),
        kinds=tuple(_kind_row(table, kind.name) for kind in board.kinds),
        placed=tuple(
            PlacedRow(kind.name, _chance(fallen[disk == kind.name] > 0), _mean(cost[disk == kind.name]))
            for kind in board.kinds
            if (disk == kind.name).any()
        ),
        curves=_curves(plan, table, disk, cost, fallen),
        edges=_edges(board, n, falls, parents),
        points=_points(board, falls),
        weight=_weight(table, falls, parents),
        jammed=_chance(_flags(table, "jammed")),
        evidence=_evidence(table),
        board=board,
        example=_example(table),
    )


# -- columns and estimates -------------------------------------------------------------


def _whole(table: pa.Table, name: str) -> IntArray:
    return np.asarray(table[name].to_numpy(), dtype=np.int64)


def _flags(table: pa.Table, name: str) -> NDArray[np.bool_]:
    return np.asarray(table[name].to_numpy(), dtype=np.bool_)


def _chance(hits: NDArray[np.bool_]) -> Estimate:
    return chance(int(np.count_nonzero(hits)), len(hits))


def _mean(values: IntArray) -> Estimate:
    return mean_of_sums(len(values), int(values.sum()), int((values * values).sum()))


def _kind_row(table: pa.Table, name: str) -> KindRow:
    fell, lying = _whole(table, f"fell_{name}"), _whole(table, f"in_{name}")
    return KindRow(name, _chance(fell > 0), _mean(fell), ratio(fell.tolist(), lying.tolist()))


# -- the curve of cost over placement ----------------------------------------------------


def _curves(
    plan: Plan, table: pa.Table, disk: NDArray[np.object_], cost: IntArray, fallen: IntArray
) -> tuple[Curve, ...]:
    aim = np.asarray(table["aim_y"].to_numpy(), dtype=np.float64)
    centres = grid(plan)
    lines = None if centres is None else np.unique(centres[:, 1])
    if lines is not None and len(lines) <= _EXACT:
        middles = limits_low = limits_high = lines
        index = np.searchsorted(lines, aim)
    else:
        spans = [centre_limits(plan, k)[1] for k in plan.kinds] if lines is None else [(lines[0], lines[-1])]
        low, high = min(s[0] for s in spans), max(s[1] for s in spans)
        count = min(max(len(table) // 40, 3), 22) if high > low else 1
        edges = np.linspace(low, high, count + 1)
        limits_low, limits_high, middles = edges[:-1], edges[1:], (edges[:-1] + edges[1:]) / 2
        index = np.clip(np.searchsorted(edges, aim, side="right") - 1, 0, count - 1)
    names: list[str | None] = [k.name for k in plan.board.kinds if (disk == k.name).any()]
    curves = []
    for name in [None, *names]:
        chosen = np.ones(len(disk), dtype=np.bool_) if name is None else disk == name
        bins = [chosen & (index == i) for i in range(len(middles))]
        curves.append(
            Curve(
                disk=name,
                y=_floats(middles),
                low_y=_floats(limits_low),
                high_y=_floats(limits_high),
                cost=tuple(_mean(cost[b]) for b in bins),
                any_fell=tuple(_chance(fallen[b] > 0) for b in bins),
            )
        )
    return tuple(curves)


def _floats(values: FloatArray) -> tuple[float, ...]:
    return tuple(float(v) for v in values)


# -- where disks fall ----------------------------------------------------------------------


def _kinds_of(board: Board, falls: pa.StructArray) -> IntArray:
    return np.array([board.kind_index(name) for name in falls.field("disk").to_pylist()], dtype=np.int64)


def _places(falls: pa.StructArray) -> FloatArray:
    x, y = (np.asarray(falls.field(key).to_numpy(zero_copy_only=False), dtype=np.float64) for key in "xy")
    return np.stack([x, y], axis=1)


def _points(board: Board, falls: pa.StructArray) -> tuple[FallPoint, ...]:
    kept = falls.slice(0, POINTS)
    kinds, places = _kinds_of(board, kept), _places(kept)
    return tuple(FallPoint(int(k), float(x), float(y)) for k, (x, y) in zip(kinds, places, strict=True))


def open_edges(board: Board) -> FloatArray:
    """Open edges that disks can fall over: (k, 4) x1, y1, x2, y2 in mm, the sliding surface's left out."""
    corners = board.outline
    pairs = np.concatenate([corners, np.roll(corners, -1, axis=0)], axis=1)
    is_open = np.array([kind == "open" for kind in board.outline_edges])
    edges: FloatArray = pairs[is_open & (pairs[:, 0] + pairs[:, 2] >= 0)]
    return edges


def nearest_edge(edges: FloatArray, places: FloatArray) -> tuple[IntArray, FloatArray]:
    """Index of the nearest of (k, 4) edges for each of (n, 2) places, and the position along it in mm."""
    start, along = edges[:, :2], edges[:, 2:] - edges[:, :2]
    length = np.hypot(along[:, 0], along[:, 1])
    away = places[:, None, :] - start
    t = np.clip((away * along).sum(axis=2) / length**2, 0.0, 1.0)
    gap = away - t[:, :, None] * along
    index = np.argmin(np.hypot(gap[:, :, 0], gap[:, :, 1]), axis=1)
    return index, t[np.arange(len(places)), index] * length[index]


def _edges(board: Board, trials: int, falls: pa.StructArray, trial: IntArray) -> tuple[EdgeFalls, ...]:
    edges = open_edges(board)
    kinds = _kinds_of(board, falls)
    index, along = nearest_edge(edges, _places(falls))
    found = []
    for i, (x1, y1, x2, y2) in enumerate(edges):
        length = float(np.hypot(x2 - x1, y2 - y1))
        limits = np.linspace(0.0, length, max(1, round(length / BIN)) + 1)
        here = index == i
        by_kind = [np.histogram(along[here & (kinds == k)], limits)[0] for k in range(len(board.kinds))]
        found.append(
            EdgeFalls(
                start=(float(x1), float(y1)),
                end=(float(x2), float(y2)),
                limits=_floats(limits),
                counts=tuple(int(c) for c in np.sum(by_kind, axis=0)),
                by_kind=tuple(tuple(int(c) for c in row) for row in by_kind),
                per_push=_mean(np.bincount(trial[here], minlength=trials)),
            )
        )
    return tuple(found)


# -- the rest --------------------------------------------------------------------------------


def _weight(table: pa.Table, falls: pa.StructArray, trial: IntArray) -> WeightRow | None:
    trials = len(table) - table["weight_index"].null_count
    if trials == 0:
        return None
    during = np.asarray(falls.field("during").to_pylist(), dtype=object)
    weighted = np.asarray(falls.field("weighted").to_numpy(zero_copy_only=False), dtype=np.bool_)
    pushed, lifted = (len(np.unique(trial[hit])) for hit in (weighted & (during == "push"), during == "lift"))
    return WeightRow(trials, chance(pushed, trials), chance(lifted, trials))


def _evidence(table: pa.Table) -> Evidence:
    def worst(name: str) -> float | None:
        value = pc.max(table[name]).as_py()
        return None if value is None else float(value)

    return Evidence(
        unconverged=int(np.count_nonzero(_whole(table, "unconverged"))),
        overlap=worst("overlap"),
        force=worst("force"),
        complementarity=worst("complementarity"),
        power=worst("power"),
        steps=int(pc.sum(table["steps"]).as_py() or 0),
    )


def _example(table: pa.Table) -> Example:
    first = table.slice(0, 1).to_pylist()[0]
    rows = tuple((d["disk"], d["x"], d["y"], d["angle"]) for d in first["layout"])
    weight = None
    if first["weight_index"] is not None:
        _, x, y, _ = rows[first["weight_index"]]
        weight = (x + first["weight_dx"], y + first["weight_dy"])
    return Example(rows=rows, disk=first["disk"], x=first["x"], y=first["y"], weight=weight)
