"""From a scenario file to a plan: what is looked up, what is the same study, what is refused."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest

from thrillsim.board import default_board, front_only_board
from thrillsim.board.opening import opening
from thrillsim.errors import InputError
from thrillsim.studies import Plan, json_schema, load_plan
from thrillsim.studies.plan import centre_limits, grid, zone_limits


def plan_of(folder: Path, text: str, **overrides: object) -> Plan:
    path = folder / "s.toml"
    path.write_text(text)
    return load_plan(path, **overrides)


def test_an_empty_file_is_the_opening_push_of_the_default_board(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, "")
    assert plan.board == default_board()
    assert plan.layout is None
    assert [plan.board.kinds[k].name for k in plan.kinds] == ["big", "medium"]  # the starting reserve, THR-03


def test_files_are_looked_up_beside_the_scenario(tmp_path: Path) -> None:
    (tmp_path / "narrow.toml").write_text("[playing]\nopen_edges = 'front'")
    layout = opening(default_board(), 3).take(range(20))
    (tmp_path / "l.json").write_text(layout.to_json(default_board()))
    plan = plan_of(tmp_path, "board = 'narrow.toml'\n[opening]\nlayout = 'l.json'")
    assert plan.board.playing == front_only_board().playing
    assert plan.start == layout
    # 5 big, 8 medium, 7 small lie; the reserve is all the rest of the box
    assert list(plan.reserve(layout)) == [2, 2, 8]
    assert len(plan.kinds) == 3


def test_a_plan_is_self_contained(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, "[opening]\nseed = 4\n[push]\nweight = {disk = 20, dx = 0.5}")
    again = msgspec.json.decode(msgspec.json.encode(plan), type=Plan)
    assert again == plan
    assert again.hash == plan.hash
    assert again.start == opening(default_board(), 4)


def test_the_hash_is_of_the_content_not_of_the_spelling(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, "board = 'default'\ntrials = 10\ntitle = 'a'")
    same = plan_of(tmp_path, "trials = 99 # more\n[push]\ndisk = 'reserve'")
    assert plan.hash == same.hash
    others = [
        "seed = 2",
        "accuracy = 'fine'",
        "board = 'front-only'",
        "[noise]\nx = 1.0",
        "[opening]\nwarmup = 1",
    ]
    hashes = {plan_of(tmp_path, text).hash for text in others} | {plan.hash}
    assert len(hashes) == 6


def test_what_is_given_beside_the_file_comes_last(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, "trials = 10\nseed = 1", trials=20, seed=5, accuracy="fine")
    assert (plan.trials, plan.seed, plan.accuracy) == (20, 5, "fine")
    with pytest.raises(InputError, match=r"^trials: must be 1 to 1000000000"):
        plan_of(tmp_path, "", trials=0)
    with pytest.raises(InputError, match=r"^accuracy: must be one of draft, standard, fine, got"):
        plan_of(tmp_path, "", accuracy="best")
    with pytest.raises(InputError, match=r'^engine: must be one of .*rigid.*, got "box"'):
        plan_of(tmp_path, "", engine="box")


def test_limits_are_the_zone_less_the_radius(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, "[push]\ndisk = ['big', 'small']")
    assert zone_limits(plan.board, 0) == ((-59, -21), (-89, 89))  # THR-14: whole footprint, radius 21
    assert centre_limits(plan, 2) == ((-69, -11), (-99, 99))
    narrow = plan_of(tmp_path, "[push]\ndisk = 'big'\nx = -30\ny = [-50, 20]")
    assert centre_limits(narrow, 0) == ((-30, -30), (-50, 20))


def test_a_grid_is_the_same_for_all_sizes(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, "[push]\ndisk = ['small', 'big']\nplacement = 'grid'\nx = -40\nsteps = [1, 5]")
    assert np.array_equal(grid(plan), [[-40, y] for y in (-89, -44.5, 0, 44.5, 89)])
    plan = plan_of(
        tmp_path, "[push]\ndisk = 'small'\nplacement = 'grid'\nsteps = [2, 2]\nx = [-30, -20]\ny = [0, 9]"
    )
    assert np.array_equal(grid(plan), [[-30, 0], [-20, 0], [-30, 9], [-20, 9]])
    plan = plan_of(tmp_path, "[push]\ndisk = 'small'\nplacement = 'points'\npoints = [[-30, 1], [-12, 99]]")
    assert np.array_equal(grid(plan), [[-30, 1], [-12, 99]])


def test_every_scenario_that_ships_is_good() -> None:
    files = sorted(Path("scenarios").glob("*.toml"))
    assert "opening.toml" in [path.name for path in files]
    for path in files:
        assert load_plan(path).title


def test_the_schema_accepts_what_loads_and_refuses_what_does_not() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    import tomllib

    validator = jsonschema.Draft202012Validator(json_schema())
    for path in Path("scenarios").glob("*.toml"):
        validator.validate(tomllib.loads(path.read_text()))
    for text in (
        "trails = 3",
        "trials = 0",
        "[push]\nplacement = 'spiral'",
        "seed = 'one'",
        "[noise]\nx = -1",
    ):
        assert not validator.is_valid(tomllib.loads(text)), text
