"""``thrillsim study`` and ``thrillsim scenario`` as a user meets them: output, files, exit codes, errors."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.studies.fake import FakeEngine
from thrillsim.cli.main import main
from thrillsim.studies import Summary, summarise

GOOD = "title = 'A title'\ntrials = 20\n[opening]\nseed = 4\n"


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("thrillsim.studies.trials.engine_by_name", lambda _name: FakeEngine())


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """No picture, where a test is about something else."""
    monkeypatch.setattr("thrillsim.cli.study._draw", lambda _summary, folder: [folder / "study.png"])


@pytest.fixture
def scenario(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("s.toml").write_text(GOOD)
    return Path("s.toml")


@pytest.mark.usefixtures("fake")
def test_a_study_prints_its_tables_and_leaves_picture_summary_and_trials(
    scenario: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["study", str(scenario), "--jobs", "1"]) == 0
    out, err = capsys.readouterr()
    folder = Path("results/s")
    for word in (
        "A title",
        "20 pushes",
        "chance that at least one disk falls",
        "expected cost",
        "big",
        "front",
    ):
        assert word in out
    summary = summarise(folder)
    assert f"{summary.any_fell.value:.3f} │ {summary.any_fell.low:.3f} … {summary.any_fell.high:.3f}" in out
    assert f"{summary.cost.value:.3f}" in out
    for name in ("study.png", "study.svg", "summary.json"):
        assert (folder / name).stat().st_size > 1000
        assert str(folder / name) in out
    assert "results/s/trials-*.parquet (20 rows, 2 parts)" in out
    assert max(len(line) for line in out.splitlines()) <= 100
    assert err.splitlines()[0].startswith("20 trials run in ")
    assert Summary.from_json((folder / "summary.json").read_bytes()) == summary


@pytest.mark.usefixtures("fake", "undrawn")
def test_fewer_trials_than_there_are_leave_the_larger_study_as_it_is(
    scenario: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["study", str(scenario), "--jobs", "1"]
    assert main([*command, "--out", "small", "-n", "16", "--json"]) == 0
    small = capsys.readouterr().out
    assert main([*command, "--out", "o", "-n", "40"]) == 0
    assert "(40 rows, 3 parts)" in capsys.readouterr().out
    files = {path: path.read_bytes() for path in Path("o").iterdir()}
    stays = "the study of 40 trials there stays as it is"
    assert main([*command, "--out", "o", "-n", "16"]) == 0
    out, err = capsys.readouterr()
    assert err == f"o: {stays}; this is of its first 16 alone\n"
    assert "\n16 pushes, board default" in out
    assert "(16 rows, 1 part; parts of a larger -n that are left out here: 2)" in out
    assert "summary.json" not in out
    assert main([*command, "--out", "o", "-n", "16", "--json", "--quiet"]) == 0
    assert capsys.readouterr() == (small, "")
    assert main([*command, "--out", "o", "-n", "16", "--dry-run"]) == 0
    assert f"16 of 16 trials there, 0 to run; {stays}\n" in capsys.readouterr().out
    assert main([*command, "--out", "o", "-n", "16", "--jobs", "0"]) == 2
    assert {path: path.read_bytes() for path in Path("o").iterdir()} == files
    assert main([*command, "--out", "o", "-n", "16", "--fresh", "--json"]) == 0
    assert Path("o/summary.json").read_text() == small


@pytest.mark.usefixtures("fake", "undrawn")
def test_a_larger_study_that_was_never_finished_is_no_obstacle(
    scenario: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["study", str(scenario), "--jobs", "1"]
    assert main([*command, "-n", "40"]) == 0
    Path("results/s/summary.json").unlink()  # as if Ctrl-C had come
    assert main([*command, "-n", "16"]) == 0
    assert "summary  results/s/summary.json" in capsys.readouterr().out
    assert json.loads(Path("results/s/summary.json").read_text())["trials"] == 16


@pytest.mark.usefixtures("fake", "undrawn")
def test_a_study_says_how_far_it_is_where_no_bar_can(
    scenario: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ["study", str(scenario), "--jobs", "1", "-n", "64", "--fresh"]
    for wait, more, lines in (
        (0.0, [], ["16 of 64 trials", "32 of 64 trials", "48 of 64 trials"]),
        (600.0, [], []),
    ):
        monkeypatch.setattr("thrillsim.cli.study.SAY_EVERY", wait)
        assert main([*command, *more]) == 0
        *said, last = capsys.readouterr().err.splitlines()
        assert said == lines
        assert last.startswith("64 trials run in ")
    monkeypatch.setattr("thrillsim.cli.study.SAY_EVERY", 0.0)
    assert main([*command, "--quiet"]) == 0
    out, err = capsys.readouterr()
    assert "64 pushes" in out
    assert err == ""
    assert main([*command, "-n", "4096"]) == 0
    said = capsys.readouterr().err.splitlines()
    assert 30 < len(said) <= 100  # not one for each part of a long study


@pytest.mark.usefixtures("fake", "undrawn")
def test_one_is_no_plural(scenario: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["study", str(scenario), "-n", "1"]
    assert main([*command, "--dry-run"]) == 0
    out, _ = capsys.readouterr()
    assert "0 of 1 trial there, 1 to run" in out
    assert re.search(r"^run +1 trial, seed", out, re.MULTILINE)
    assert main([*command, "--jobs", "1"]) == 0
    out, err = capsys.readouterr()
    assert err.startswith("1 trial run in ")
    assert "\n1 push, board default" in out
    assert "(1 row, 1 part)" in out
    assert main([*command, "--jobs", "1"]) == 0
    assert capsys.readouterr().err == "0 trials run, 1 was there\n"


@pytest.mark.usefixtures("fake", "undrawn")
def test_json_is_the_summary_file_and_nothing_else(
    scenario: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        main(["study", str(scenario), "--jobs", "1", "--json", "--out", "o", "-n", "12", "--seed", "8"]) == 0
    )
    out = capsys.readouterr().out
    assert out == Path("o/summary.json").read_text()
    got = json.loads(out)
    assert (got["trials"], got["seed"], got["scenario"]) == (12, 8, "A title")


@pytest.mark.usefixtures("fake", "undrawn")
def test_the_same_command_goes_on_and_more_trials_extend(
    scenario: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["study", str(scenario), "--jobs", "1", "--json"]
    assert main(command) == 0
    first = capsys.readouterr().out
    assert main(command) == 0
    out, err = capsys.readouterr()
    assert out == first
    assert err == "0 trials run, 20 were there\n"
    assert main([*command, "-n", "40"]) == 0
    assert "24 trials run" in (err := capsys.readouterr().err)  # the unfinished second part is run again
    assert ", 16 were there" in err


@pytest.mark.usefixtures("fake", "undrawn")
def test_another_study_is_refused_and_fresh_replaces_it(
    scenario: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["study", str(scenario), "--jobs", "1", "--json"]
    assert main(command) == 0
    capsys.readouterr()
    assert main([*command, "--seed", "2"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("thrillsim: results/s: holds another study (seed 1, asked for 2); take ")
    assert len(err.splitlines()) == 1
    assert main([*command, "--seed", "2", "--fresh"]) == 0
    assert json.loads(capsys.readouterr().out)["seed"] == 2


def test_a_dry_run_has_no_json(scenario: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["study", str(scenario), "--dry-run", "--json"]) == 2
    assert capsys.readouterr() == ("", "thrillsim: --dry-run, --json: give one of them\n")


@pytest.mark.parametrize("more", [[], ["--fresh"], ["--fresh", "--dry-run"]], ids=" ".join)
def test_a_picture_of_somebody_else_is_not_replaced(
    more: list[str], scenario: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("mine").mkdir()
    Path("mine/study.png").write_text("mine")
    assert main(["study", str(scenario), "--jobs", "1", "--out", "mine", *more]) == 2
    line = "mine: holds study.png but no manifest of a study; take another --out, or move that away"
    assert capsys.readouterr() == ("", f"thrillsim: {line}\n")
    assert [(path.name, path.read_text()) for path in Path("mine").iterdir()] == [("study.png", "mine")]


def test_a_dry_run_says_what_would_run_and_writes_nothing(
    scenario: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["study", str(scenario), "--dry-run", "-n", "33"]) == 0
    out = capsys.readouterr().out
    assert "33 trials, seed 1" in out
    assert "28 disks at packing 0.710" in out
    assert "0 of 33 trials there, 33 to run" in out
    assert not Path("results").exists()


BROKEN = {
    "": ("", "cannot be read: no such file or directory"),
    "no toml": ("trials = = 3", "is not TOML"),
    "typo": ("trails = 3", "trails: unknown key, did you mean trials?"),
    "wrong type": ("trials = 'many'", 'trials: must be a whole number, got "many"'),
    "too few": ("trials = 0", "trials: must be 1 to 1000000000, got 0"),
    "large seed": (f"seed = {2**53 + 1}", "seed: must be 0 to 9007199254740992, got 9007199254740993"),
    "negative seed": ("seed = -1", "seed: must be 0 to 9007199254740992, got -1"),
    "engine": ("engine = 'magic'", "engine: must be one of "),
    "accuracy": ("accuracy = 'best'", 'accuracy: must be one of draft, standard, fine, got "best"'),
    "board": ("board = 'square'", "board: must be one of default, front-only, reference or a .toml file"),
    "board file": ("board = 'none.toml'", "bad.toml: board: none.toml: cannot be read"),
    "board table": ("[board.friction]\nboard = -1", "board.friction.board: must be > 0"),
    "pusher": ("[board.pusher]\nwidth = 300", "board.pusher.width: 300 is too wide"),
    "crowded": ("[board.playing]\ndepth = 60", "opening.disks: 28 disks at packing 1.444 cannot fit"),
    "nested typo": ("[push]\ndisc = 'big'", "push.disc: unknown key, did you mean disk?"),
    "disk": ("[push]\ndisk = 'huge'", 'push.disk: must be one of big, medium, small, reserve, got "huge"'),
    "disks": ("[push]\ndisk = ['big', 'x']", 'push.disk[1]: must be one of big, medium, small, got "x"'),
    "no disks": ("[push]\ndisk = []", "push.disk: needs at least one size"),
    "placement": ("[push]\nplacement = 'spiral'", "push.placement: must be one of uniform, grid, points"),
    "outside": (
        "[push]\ndisk = 'big'\ny = 100",
        "push.y: must be -89 to 89, low before high, for the disk big",
    ),
    "range": ("[push]\ndisk = 'big'\nx = [-20, -60]", "push.x: must be -59 to -21, low before high"),
    "steps": ("[push]\nplacement = 'grid'", 'push.steps: is required by placement "grid"'),
    "too many steps": (
        "[push]\nplacement = 'grid'\nsteps = [10000, 101]",
        "push.steps: must give at most 1,000,000 places, got 10000 x 101 = 1,010,000",
    ),
    "unused": ("[push]\npoints = [[-30, 0]]", 'push.points: is not used by placement "uniform"'),
    "point": (
        "[push]\nplacement = 'points'\npoints = [[-30, 0], [30, 0]]",
        "push.points[1]: the disk big must lie whole in the placement zone, centre in x -59 to -21 and y -8",
    ),
    "weight": ("[push]\nweight = {disk = 3}", "push.weight: a fixed place needs a fixed layout"),
    "weight index": (
        "[opening]\nseed = 1\n[push]\nweight = {disk = 99}",
        "push.weight: must be a disk of the",
    ),
    "both": ("[opening]\nseed = 1\nlayout = 'l.json'", "opening.seed: give seed or layout, not both"),
    "layout file": ("[opening]\nlayout = 'l.json'", "bad.toml: opening.layout: l.json: cannot be read"),
    "warmup": ("[opening]\nwarmup = 1.5", "opening.warmup: must be a whole number, got 1.5"),
    "noise": ("[noise]\nyaw = -0.1", "noise.yaw: must be 0 to 1, got -0.1"),
    "too much noise": ("[noise]\nx = 1e300", "noise.x: must be 0 to 1000, got 1e+300"),
    "repeats": (
        "[opening]\nseed = 1\n[push]\ndisk = ['big', 'small']\nplacement = 'grid'\nsteps = [1, 5]",
        "trials: must be <= 10, got 400: nothing is random here",
    ),
    "infinite": ("[noise]\nyaw = inf", "noise.yaw: must be a finite number, got inf"),
}


@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.parametrize("command", ["study", "check"])
def test_a_broken_scenario_gives_one_line(
    name: str,
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    text, reason = BROKEN[name]
    if name:
        Path("bad.toml").write_text(text)
    assert main(["study", "bad.toml"] if command == "study" else ["scenario", "check", "bad.toml"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err.splitlines()) == 1
    assert err.startswith("thrillsim: ")
    assert reason in err
    assert "bad.toml: " in err
    assert [path.name for path in Path().iterdir()] == (["bad.toml"] if name else [])


def test_layouts_that_are_not_legal_are_refused(scenario: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scenario.write_text("[opening]\nlayout = 'l.json'")
    Path("l.json").write_text('{"disks": [["big", 50, 0], ["small", 60, 5]]}')
    assert main(["study", str(scenario)]) == 2
    assert capsys.readouterr().err.startswith(
        "thrillsim: s.toml: opening.layout: l.json: disks[1]: overlaps disks[0] by "
    )


@pytest.mark.parametrize(
    "option", ["-n 0", "--jobs 0", "--seed -4", "--engine box", "--accuracy best", "-n x"]
)
def test_bad_options_give_exit_code_2_and_write_nothing(
    option: str, scenario: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["study", str(scenario), *option.split()]) == 2
    assert capsys.readouterr().out == ""
    assert not Path("results").exists()


def test_more_trials_than_anybody_can_run_are_refused(
    scenario: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["study", str(scenario), "--dry-run", "-n", "1000000000000"]) == 2
    assert capsys.readouterr().err == ("thrillsim: --trials: must be 1 to 1000000000, got 1000000000000\n")
    assert main(["study", str(scenario), "--dry-run", "--engine", "box"]) == 2
    assert capsys.readouterr().err.startswith("thrillsim: --engine: must be one of ")


def test_a_study_does_not_go_where_something_else_is(
    scenario: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("m").mkdir()
    Path("m/match.json").write_text("{}")
    for out, message in {
        "m": "m: holds the games of a match; take another --out",
        "": "--out: must name a folder, got an empty text",
    }.items():
        assert main(["study", str(scenario), "--jobs", "1", "--out", out]) == 2
        err = capsys.readouterr().err
        assert message in err
        assert err.count("\n") == 1
    assert sorted(path.name for path in Path().rglob("*")) == ["m", "match.json", "s.toml"]


def test_check_goes_through_all_files_and_says_what_they_run(
    scenario: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("bad.toml").write_text("trials = 0")
    assert main(["scenario", "check", "bad.toml", str(scenario)]) == 2
    out, err = capsys.readouterr()
    assert err.startswith("thrillsim: bad.toml: trials: must be 1 to 1000000000")
    assert out.startswith("s.toml: 20 trials, seed 1, engine ")
    assert "board default" in out
    assert "28 disks at packing 0.710" in out
    assert main(["scenario", "check", str(scenario)]) == 0


def test_check_says_how_much_a_study_is(scenario: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scenario.write_text("trials = 1000000000\n[opening]\nwarmup = 5\n")
    assert main(["scenario", "check", str(scenario)]) == 0
    assert capsys.readouterr().out.startswith(
        "s.toml: 1,000,000,000 trials (at most 6,000,000,000 pushes), seed 1, "
    )


def test_show_and_schema(scenario: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["scenario", "show", str(scenario)]) == 0
    assert "one arrangement (seed 4)" in capsys.readouterr().out
    assert main(["scenario", "schema"]) == 0
    schema = json.loads(capsys.readouterr().out)
    assert set(schema["$defs"]["Scenario"]["properties"]) >= {
        "board",
        "opening",
        "push",
        "noise",
        "trials",
        "seed",
    }
