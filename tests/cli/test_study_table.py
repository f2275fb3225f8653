"""The tables: right words and numbers for odd estimates and boards, narrow enough for a terminal."""

from __future__ import annotations

from pathlib import Path
from statistics import stdev

import pytest
from msgspec.structs import replace
from rich.console import Console
from scipy.stats import t

from tests.studies.fake import FakeEngine
from thrillsim.cli import study_table
from thrillsim.studies import Scenario, resolve
from thrillsim.studies.statistics import mean
from thrillsim.studies.summarise import summarise_table
from thrillsim.studies.summary import Estimate, Summary
from thrillsim.studies.trials import as_table, trial_rows
from thrillsim.toml import decode


def summary_of(text: str) -> Summary:
    plan = resolve(decode(text, Scenario, "test"), Path("scenarios"))
    return summarise_table(as_table(plan, trial_rows(plan, FakeEngine(), 0, plan.trials)), plan)


def text_of(summary: Summary, width: int = 80) -> str:
    console = Console(width=width)
    with console.capture() as capture:
        for table in study_table.tables(summary):
            console.print(table)
    return capture.get()


def test_estimates_in_words() -> None:
    full, bare, none = (
        Estimate(0.5, 0.25, 0.875, 9),
        Estimate(2.0, None, None, 3),
        Estimate(None, None, None, 0),
    )
    assert [study_table.number(e) for e in (full, bare, none)] == ["0.500", "2.000", "–"]
    assert [study_table.interval(e) for e in (full, bare, none)] == ["0.250 … 0.875", "–", "–"]
    assert [study_table.with_margin(e) for e in (full, bare, none)] == ["0.50 ± 0.38", "2.00", "–"]
    assert [study_table.with_bounds(e) for e in (full, bare, none)] == ["0.50 [0.25, 0.88]", "2.00", "–"]


def test_the_margin_is_half_of_a_95_percent_interval_and_the_table_says_so() -> None:
    values = [0, 1, 2, 5, 2]
    half = t.ppf(0.975, 4) * stdev(values) / 5**0.5  # Student's, computed apart
    assert study_table.with_margin(mean(values)) == f"2.00 ± {half:.2f}"
    text = text_of(summary_of(FIXED))
    assert "\nRanges are 95% intervals: low … high, [low, high], or value ± half the width.\n" in text


FIXED = "trials = 60\n[opening]\nseed = 4\n[push]\ndisk = ['big', 'medium', 'small']\n"


def test_nothing_is_cut_off_at_80_columns() -> None:
    text = text_of(summary_of(FIXED + "weight = 'random'"))
    assert "…│" not in text.replace(" ", "")
    assert max(map(len, text.splitlines())) <= 80
    for words in ("chance that the weighted disk falls", "chance that it falls at the lift", "± ", "all ┃"):
        assert words in text


def test_the_edges_have_names_on_a_rectangle_and_ends_elsewhere() -> None:
    summary = summary_of(FIXED)
    assert [study_table.edge_name(summary, e) for e in summary.edges] == ["right", "front", "left"]
    rounded = summary_of("board = 'boards/rounded.toml'\n" + FIXED)
    names = [study_table.edge_name(rounded, e) for e in rounded.edges]
    assert len(set(names)) == len(names)
    assert any(name.startswith("(") for name in names)


def test_the_columns_of_falls_add_up() -> None:
    summary = summary_of(FIXED)
    text = text_of(summary)
    lines = {words[1]: words for line in text.splitlines() if len(words := line.split("│")) > 5}
    total = sum(int(lines[f" {name:<5} "][3]) for name in ("right", "front", "left"))
    assert total == sum(sum(e.counts) for e in summary.edges) == len(summary.points)
    assert total > 0


@pytest.mark.parametrize("title", ["", "My [bold] study"])
def test_the_title_is_said_as_written(title: str) -> None:
    text = text_of(summary_of(f"title = '{title}'\n" + FIXED))
    assert text.startswith(title or "Push study")


def test_a_trial_that_was_not_solved_is_explained() -> None:
    summary = summary_of("trials = 4")
    lost = replace(summary, evidence=replace(summary.evidence, unconverged=1))
    assert "all trials converged" in study_table._evidence(summary)
    assert "1 trial not converged (the pusher may have stopped early" in study_table._evidence(lost)
    stopped = replace(summary, jammed=replace(summary.jammed, value=0.5))
    assert "; 2 pushes jammed (see `jammed` and `advance` in the trials)" in study_table._evidence(stopped)
    assert "jammed" not in study_table._evidence(summary)
