"""The studies that ship, on the engine they name: a few trials always, the whole claim in the soak."""

from __future__ import annotations

from pathlib import Path

import pytest

from thrillsim.studies import load_plan, read_trials, run_study, summarise
from thrillsim.studies.trials import trial_rows


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("name", ["opening", "weight", "front-only", "grid"])
def test_a_few_trials_of_every_scenario(name: str, tmp_path: Path) -> None:
    plan = load_plan(f"scenarios/{name}.toml", trials=2, accuracy="draft")
    summary = summarise(run_study(plan, tmp_path, jobs=1))
    rows = read_trials(tmp_path).to_pylist()
    prices = {kind.name: kind.price for kind in plan.board.kinds}
    for row in rows:
        if row["yaw"] == 0:
            assert row["jammed"] == (row["advance"] < plan.board.pusher.travel)
        # THR-16, THR-27: the price of what fell, double under the weight
        assert row["cost"] == sum(prices[f["disk"]] * (2 if f["weighted"] and f["during"] == "push" else 1)
                                  for f in row["fallen"])  # fmt: skip
        assert row["overlap"] < 0.5
        assert row["unconverged"] == 0
    assert summary.cost.value == sum(row["cost"] for row in rows) / 2


def test_a_trial_in_which_disks_were_taken_in_and_left_out_for_ever() -> None:
    plan = load_plan("scenarios/opening.toml", trials=30)
    (row,) = trial_rows(plan, plan.engine, 29, 30)
    assert row["unconverged"] == 0
    assert row["advance"] == plan.board.pusher.travel


@pytest.mark.soak
def test_the_opening_study_as_the_issue_wants_it(tmp_path: Path) -> None:
    plan = load_plan("scenarios/opening.toml", trials=400)
    one = summarise(run_study(plan, tmp_path / "1", jobs=1))
    two = summarise(run_study(plan, tmp_path / "2", jobs=2))
    assert one.to_json() == two.to_json()
    assert bytes_of(tmp_path / "1") == bytes_of(tmp_path / "2")
    assert 0.1 <= one.none_fell.value <= 0.65
    assert 0.8 <= one.cost.value <= 2.8
    assert one.evidence.unconverged == 0
