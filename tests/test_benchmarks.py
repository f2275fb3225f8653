"""The benchmarks' ways of doing a push do the same work; their tables say what the numbers say.  No times."""

from __future__ import annotations

import json

import numpy as np
import pytest

from benchmarks import engines, pictures, profiling, report, run, scaling, targets
from benchmarks.peers import Outcome
from benchmarks.sets import easy, grown, stored
from benchmarks.timing import calm_mean, errors, interleaved, machine, spread

EASY = easy()
WAYS = {name: way for name, (_, way) in engines.ways().items()}


@pytest.mark.parametrize("name", WAYS)
def test_every_way_does_the_easy_push_alike(name):
    """A straight row moves until the new disk's rim is at the blocking edge: its centres are known."""
    found = WAYS[name](EASY)
    assert found.fell == {0}
    right = np.array([[30.0, 90.0], [104.0, 0.0], [77.0, 0.0], [55.0, 0.0], [33.0, 0.0], [11.0, 0.0]])
    off = np.hypot(*(found.centres[1:] - right).T)
    assert off[0] == pytest.approx(0.0, abs=1e-4)  # nobody touched it (Box2D counts in single precision)
    assert off.mean() < 0.12
    assert off.max() < 0.3


@pytest.mark.parametrize("rim", [0.0, 0.25])
def test_stored_sets_are_legal_and_what_they_are_called(rim):
    for name in ("random", "crowded"):
        cases = stored(name, rim, 60)
        assert len(cases) == 60
        assert all(case.board.friction.rim == rim for case in cases)
        sizes = [len(case.layout) for case in cases]
        if name == "random":
            assert set(sizes) == {28}
        else:
            assert 26 <= np.mean(sizes) <= 31
            packing = [case.layout.packing(case.board) for case in cases]
            assert 0.69 <= np.mean(packing) <= 0.75


def test_peers_agree_on_a_crowded_push_without_rim_friction():
    """Without rim friction nothing turns, so all models are one; the 240 Hz loops reach it."""
    case = stored("crowded", 0.0, 1)[0]
    right = WAYS["quasistatic fine"](case)
    for name in ("quasistatic standard", "pymunk pair, 240 Hz", "Box2D pair, 240 Hz"):
        off, same = errors([WAYS[name](case)], [right])
        assert same[0] == 1.0, name
        assert off[0] < 0.2, name


def test_growing_boards_keep_shape_and_packing():
    small, big = grown(1, 0, warmup=0), grown(4, 0, warmup=0)
    assert len(big.layout) == 4 * len(small.layout) == 112
    assert big.layout.packing(big.board) == pytest.approx(small.layout.packing(small.board))
    assert big.board.outline.max() == pytest.approx(2 * small.board.outline.max())


def test_errors_compare_the_disks_that_stayed_in_both():
    a = Outcome(frozenset({0}), np.array([[9.0, 9.0], [0.0, 0.0], [1.0, 1.0]]))
    b = Outcome(frozenset({0, 1}), np.array([[0.0, 0.0], [5.0, 5.0], [4.0, 5.0]]))
    off, same = errors([a, a], [b, a])
    assert off.tolist() == [5.0, 0.0]
    assert same.tolist() == [0.0, 1.0]


def test_interleaving_runs_every_way_on_every_case_and_keeps_the_first_outcome():
    calls: list[str] = []

    def way(name):
        def run(case):
            calls.append(name)
            return Outcome(frozenset({len(calls)}), np.zeros((1, 2)))

        return run

    timed = interleaved({"a": way("a"), "b": way("b")}, [EASY, EASY], 2)
    assert calls == ["a", "b"] * 5  # once to warm up, then two cases twice
    assert [sorted(o.fell) for o in timed["b"].outcomes] == [[4], [6]]
    assert (timed["a"].wall >= 0).all()


def test_counters_are_those_of_the_push():
    counters = profiling.profile_one(EASY)
    assert (
        counters["STEPS"]
        == engines.push(EASY.board, EASY.layout, EASY.push, engine="quasistatic").certificate.steps
    )
    assert counters["SOLVES"] >= counters["STEPS"] - 1  # the advance to the first contact needs none
    assert counters["ITERATIONS"] >= 1


def test_targets_are_judged_by_median_and_mean():
    row = {"cpu_ms": spread(np.array([1.0])), "per_second": 1000.0, "accurate": True, "ratio_of_means": 70.0}
    row["ratio"] = {"median": 70.0}
    ours = row | {"name": "quasistatic standard"}
    quick = row | {"name": "pymunk ring 4, 120 Hz", "accurate": False}
    peer = row | {"name": "pymunk ring 8, 240 Hz", "ratio": {"median": 60.0}, "ratio_of_means": 40.0}
    rigid = row | {"name": "rigid standard", "ratio": {"median": 40.0}}
    found = {"set": "crowded", "rim": 0.25, "rows": [ours, quick, peer, rigid]}
    lines = targets.targets({"compare": [found]}).rows
    assert [line[0].split(": ")[1] for line in lines] == [
        "against pymunk ring 8, 240 Hz",  # the accurate one, not the quick one
        "against rigid standard",
        "pushes/s per core",
    ]
    assert [line[-1] for line in lines] == ["median only", "missed", "met"]


def test_one_push_at_a_bifurcation_does_not_make_a_way_inaccurate():
    assert calm_mean(np.array([0.01] * 9 + [5.0])) == pytest.approx(0.01)
    assert calm_mean(np.array([0.01] * 8 + [5.0, 5.0])) > 0.5


def test_a_tiny_comparison_fills_every_cell_and_is_json():
    found = engines.compare("random", 0.0, 1, 1)
    assert [row["name"] for row in found["rows"]] == list(WAYS)
    base = next(row for row in found["rows"] if row["name"] == engines.OURS)
    assert base["ratio"]["median"] == 1.0
    fine = next(row for row in found["rows"] if row["name"] == "quasistatic fine")
    assert fine["whole_mm"] == 0.0
    json.dumps([found, machine()])
    sheet = report.compare_sheet(found)
    assert all(len(line) == len(sheet.head) for line in sheet.rows)
    assert sheet.markdown().count("\n|") == len(sheet.rows) + 2


def test_plots_are_written(tmp_path):
    row = {"disks": 28, "moving": [1.0, 2.0], "ms": [1.0, 2.0], "steps": [1, 2]}
    shown = ("cpu_ms", "steps_spread", "iterations_per_step", "us_per_step_and_mover")
    spreads = {k: spread(np.array([1.0, 2.0])) for k in shown}
    rows = [
        row
        | spreads
        | {"moving": [4.0, 5.0, 10.0, 20.0], "ms": [9.0, 5.0, 20.0, 80.0], "steps": [1, 1, 2, 4]}
    ]
    fit = scaling.growth(rows)
    assert fit["exponent"] == pytest.approx(
        1.0
    )  # a step: 5, 10, 20 ms; the push with four movers has no part in it
    assert fit["push_exponent"] == pytest.approx(2.0)
    assert fit["at_one_mover_ms"] == pytest.approx(1.0)
    pictures.plot_scaling({"rows": rows} | fit, tmp_path)
    pictures.plot_memory({"peak_mb": [(1, 5.0), (2, 5.0)], "growth_bytes_per_push": 0.0}, tmp_path)
    assert {p.name for p in tmp_path.iterdir()} == {
        f"{n}.{k}" for n in ("scaling", "memory") for k in ("png", "svg")
    }


def test_a_run_writes_its_tables_and_json(tmp_path, monkeypatch, capsys):
    arguments = ["benchmarks", "--quick", "--sets", "profile", "threads", "-n", "2", "--out", str(tmp_path)]
    monkeypatch.setattr("sys.argv", arguments)
    run.main()
    found = json.loads((tmp_path / "latest.json").read_text())
    assert [(row["set"], row["rim"]) for row in found["profile"]] == [
        (name, rim) for name in ("crowded", "random") for rim in run.RIMS
    ]
    assert all(sum(row["share"].values()) == pytest.approx(1.0) for row in found["profile"])
    assert found["machine"]["cpu"] in capsys.readouterr().out
    assert (tmp_path / "latest.md").read_text().count("\n## ") == 3  # profile, threads, targets
