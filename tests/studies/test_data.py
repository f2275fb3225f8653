"""The raw data as users read it: the documented columns are the columns, and any trial can be drawn again."""

from __future__ import annotations

import re
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.studies.fake import FakeEngine
from thrillsim.board import Layout
from thrillsim.physics import push
from thrillsim.studies import load_plan, read_trials, run_study
from thrillsim.studies.design import Design
from thrillsim.studies.trials import KEPT_LAYOUTS, data_schema

DOCS = Path("docs/data.md").read_text()


def documented(heading: str) -> set[str]:
    """Names in the first column of the first table after `heading`."""
    table = DOCS.split(heading)[1].split("\n\n|")[1].split("\n\n")[0]
    return {name for line in table.splitlines()[2:] for name in re.findall(r"`(\w+)`", line.split("|")[1])}


def test_every_column_is_documented_and_none_else() -> None:
    schema = data_schema(load_plan("scenarios/opening.toml").board)
    columns = {re.sub(r"^(in|fell)_(big|medium|small)$", r"\1_SIZE", name) for name in schema.names}
    assert documented("## Raw trials") == columns
    fields = schema.field("fallen").type.value_type
    assert documented("Each entry of `fallen`") == {fields.field(i).name for i in range(fields.num_fields)}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("study")
    run_study(load_plan("scenarios/weight.toml", trials=20), out, engine=FakeEngine(), jobs=1)
    return out


def test_any_parquet_reader_reads_the_parts(folder: Path) -> None:
    parts = sorted(folder.glob("trials-*.parquet"))
    tables = [pq.read_table(part) for part in parts]
    assert [k for t in tables for k in t["trial"].to_pylist()] == list(range(20))
    assert read_trials(folder).slice(0, 16).equals(tables[0])


def test_any_trial_can_be_drawn_again(folder: Path) -> None:
    plan = load_plan("scenarios/weight.toml", trials=20)
    rows = read_trials(folder).to_pylist()
    for k in (0, 7, 19):
        trial, row = Design(plan, FakeEngine()).trial(k), rows[k]
        result = push(trial.board, trial.layout, trial.push, engine=FakeEngine())
        assert (row["trial"], row["x"], row["y"], row["cost"]) == (k, trial.push.x, trial.push.y, result.cost)
        assert [f["index"] for f in row["fallen"]] == [f.index for f in result.fallen]
        assert row["weight_index"] == trial.push.weight.disk
        if k < KEPT_LAYOUTS:
            kept = [(d["disk"], d["x"], d["y"], d["angle"]) for d in row["layout"]]
            assert Layout.from_rows(plan.board, kept) == trial.layout
        else:
            assert row["layout"] is None
