"""The estimators on tables written by hand, whose answers can be counted on fingers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thrillsim.board import front_only_board, reference_board
from thrillsim.errors import InputError
from thrillsim.studies import Plan, Scenario, Summary, resolve
from thrillsim.studies.statistics import chance, mean, ratio
from thrillsim.studies.summarise import nearest_edge, open_edges, summarise_table
from thrillsim.studies.summary import FallPoint
from thrillsim.studies.trials import data_schema
from thrillsim.toml import decode


def plan_of(text: str = "") -> Plan:
    return resolve(decode("[opening]\nseed = 4\n" + text, Scenario, "test"), Path())


def fall(disk: str, x: float, y: float, *, during: str = "push", weighted: bool = False) -> dict[str, Any]:
    price = {"big": 3, "medium": 2, "small": 1}[disk] * (2 if weighted else 1)
    return {"disk": disk, "index": 0, "x": x, "y": y, "advance": 1.0, "during": during,
            "weighted": weighted, "cost": price}  # fmt: skip


def row(trial: int, disk: str, y: float, *falls: dict[str, Any], **more: Any) -> dict[str, Any]:
    values: dict[str, Any] = dict.fromkeys(data_schema(plan_of().board).names)
    names = [f["disk"] for f in falls]
    values |= {"trial": trial, "disk": disk, "aim_y": y, "x": -30.0, "y": y, "jammed": False, "overlap": 0.01,
               "steps": 5, "unconverged": 0,
               "cost": sum(f["cost"] for f in falls), "n_fallen": len(falls),
               "fallen": list(falls),
               "layout": [{"disk": "big", "x": 50.0, "y": 10.0, "angle": 0.5}]}  # fmt: skip
    for name, lying in (("big", 5), ("medium", 8), ("small", 15)):
        values |= {f"in_{name}": lying, f"fell_{name}": names.count(name)}
    return values | more


def summary_of(rows: list[dict[str, Any]], plan: Plan | None = None) -> Summary:
    plan = plan or plan_of()
    return summarise_table(pa.Table.from_pylist(rows, schema=data_schema(plan.board)), plan)


ROWS = [
    row(0, "big", -80.0, fall("small", 122.0, 5.0), fall("big", 121.0, 8.0)),  # 4 chips, both at the front
    row(1, "medium", -80.0, fall("small", 60.0, 109.5)),  # 1 chip, left
    row(2, "big", 80.0),
    row(3, "medium", 80.0, fall("medium", 30.0, -110.0), unconverged=3, overlap=0.2),  # 2 chips, right
    row(4, "big", 80.0, jammed=True),
    row(5, "medium", -80.0),
]


def test_chances_and_means_are_counted() -> None:
    summary = summary_of(ROWS)
    assert summary.trials == 6
    assert summary.any_fell == chance(3, 6)
    assert summary.none_fell == chance(3, 6)
    assert summary.cost == mean([4, 1, 0, 2, 0, 0])
    assert [(c.cost, c.chance.value) for c in summary.costs] == [
        (0, 3 / 6),
        (1, 1 / 6),
        (2, 1 / 6),
        (3, 0),
        (4, 1 / 6),
    ]
    assert summary.jammed == chance(1, 6)
    assert summary.evidence.unconverged == 1
    assert (summary.evidence.overlap, summary.evidence.force, summary.evidence.steps) == (0.2, None, 30)


def test_sizes_that_fell_and_sizes_pushed_in() -> None:
    summary = summary_of(ROWS)
    small, big = summary.kinds[2], summary.kinds[0]
    assert (small.disk, small.any_fell, small.fell, small.share) == (
        "small",
        chance(2, 6),
        mean([1, 1, 0, 0, 0, 0]),
        ratio([1, 1, 0, 0, 0, 0], [15] * 6),
    )
    assert big.share == ratio([1, 0, 0, 0, 0, 0], [5] * 6)
    placed = {p.disk: p for p in summary.placed}
    assert set(placed) == {"big", "medium"}
    assert placed["big"].cost == mean([4, 0, 0])
    assert placed["medium"].any_fell == chance(2, 3)


def test_falls_are_counted_along_the_edge_they_fell_over() -> None:
    right, front, left = summary_of(ROWS).edges
    assert (right.start, right.end) == ((0.0, -110.0), (122.0, -110.0))
    assert (front.start, front.end) == ((122.0, -110.0), (122.0, 110.0))
    assert len(right.counts) == 12  # 122 mm in bins of about 10
    assert len(front.counts) == 22
    # (122, 5) and (121, 8) are 115 and 118 mm from the front's start at y = -110
    assert [i for i, c in enumerate(front.counts) if c] == [11]
    assert front.counts[11] == 2
    assert [row[11] for row in front.by_kind] == [1, 0, 1]
    assert front.per_push == mean([2, 0, 0, 0, 0, 0])
    # the left edge runs from x = 122 to 0: x = 60 is 62 mm along, in bin 6 of 10.17 mm
    assert [i for i, c in enumerate(left.counts) if c] == [6]
    assert sum(right.counts) == 1
    assert summary_of(ROWS).points[0] == FallPoint(2, 122.0, 5.0)


def test_the_curve_of_a_design_with_few_places_is_exact() -> None:
    places = "placement = 'points'\npoints = [[-30, -80], [-30, 80]]"
    plan = plan_of(f"[push]\ndisk = ['big', 'medium']\n{places}\n[noise]\ny = 1")
    every, big, medium = summary_of(ROWS, plan).curves
    assert (every.disk, big.disk, medium.disk) == (None, "big", "medium")
    assert every.y == every.low_y == every.high_y == (-80.0, 80.0)
    assert every.cost == (mean([4, 1, 0]), mean([0, 2, 0]))
    assert big.cost == (mean([4]), mean([0, 0]))
    assert medium.any_fell == (chance(1, 2), chance(1, 1))


def test_the_curve_of_random_places_has_bins_over_the_zone() -> None:
    curve = summary_of(ROWS).curves[0]
    assert (curve.low_y[0], curve.high_y[-1]) == (-94.0, 94.0)  # of the smaller size: 110 - 16
    assert sum(e.n for e in curve.cost) == 6
    assert [e.n for e in curve.cost] == [3, 0, 3]
    assert curve.cost[1].value is None


def test_weight_rows_count_trials() -> None:
    weight = {"weight_index": 0, "weight_disk": "big", "weight_dx": 2.0, "weight_dy": -1.0}
    rows = [
        row(0, "big", 0.0, fall("big", 122.0, 0.0, weighted=True), **weight),
        row(1, "big", 0.0, fall("big", 122.0, 0.0, during="lift"), **weight),
        row(2, "big", 0.0, fall("small", 122.0, 0.0), **weight),
        row(3, "big", 0.0),
    ]
    summary = summary_of(rows)
    assert summary.weight is not None
    assert summary.weight.trials == 3
    assert summary.weight.fell_push == chance(1, 3)
    assert summary.weight.fell_lift == chance(1, 3)
    assert summary.cost == mean([6, 3, 1, 0])  # double price only if it falls during the push: THR-27, THR-28
    assert summary.example.weight == (52.0, 9.0)
    assert summary_of(ROWS).weight is None


def test_the_example_is_trial_0() -> None:
    summary = summary_of(ROWS)
    assert summary.example.rows == (("big", 50.0, 10.0, 0.5),)
    assert (summary.example.disk, summary.example.y) == ("big", -80.0)
    assert len(summary.layout) == 1


def test_json_reads_back_equal() -> None:
    summary = summary_of(ROWS)
    again = Summary.from_json(summary.to_json())
    assert again == summary
    assert again.to_json() == summary.to_json()
    assert msgspec.json.decode(summary.to_json())["any_fell"]["value"] == 0.5


def test_nothing_fell_at_all() -> None:
    summary = summary_of([row(k, "big", 0.0) for k in range(8)])
    assert summary.any_fell.value == 0.0
    assert summary.any_fell.high == pytest.approx(0.3244, abs=1e-4)  # Wilson for 0 of 8: z² / (n + z²)
    assert summary.cost.low is None
    assert summary.points == ()
    with pytest.raises(InputError, match="at least one trial"):
        summary_of([])


def test_open_edges_leave_out_rails_and_the_sliding_surface() -> None:
    assert open_edges(front_only_board()).tolist() == [[122.0, -110.0, 122.0, 110.0]]
    assert len(open_edges(plan_of().board)) == 3
    board = reference_board()
    assert all(x1 + x2 >= 0 for x1, _, x2, _ in open_edges(board))


@given(st.lists(st.tuples(st.floats(-10, 130), st.floats(-120, 120)), min_size=1, max_size=20))
def test_nearest_edge_agrees_with_a_search_along_the_edges(places: list[tuple[float, float]]) -> None:
    edges = open_edges(plan_of().board)
    index, along = nearest_edge(edges, np.array(places))
    for (x, y), i, s in zip(places, index, along, strict=True):
        distances = []
        for x1, y1, x2, y2 in edges:
            t = np.linspace(0, 1, 2001)
            distances.append(np.hypot(x1 + t * (x2 - x1) - x, y1 + t * (y2 - y1) - y).min())
        x1, y1, x2, y2 = edges[i]
        length = np.hypot(x2 - x1, y2 - y1)
        foot = np.array([x1 + s / length * (x2 - x1), y1 + s / length * (y2 - y1)])
        assert np.hypot(*(foot - (x, y))) <= min(distances) + 1e-9
