"""``thrillsim push``: known answers through the command line, the files it writes, one line per mistake."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from thrillsim.board import Layout, default_board
from thrillsim.cli.main import main

ROW = {"disks": [["medium", 16.0, 0.0], ["medium", 48.0, 0.0], ["medium", 80.0, 0.0], ["medium", 112.0, 0.0]]}


@pytest.fixture
def empty(tmp_path: Path) -> str:
    path = tmp_path / "empty.json"
    path.write_text('{"disks": []}')
    return str(path)


@pytest.fixture
def row(tmp_path: Path) -> str:
    path = tmp_path / "row.json"
    path.write_text(json.dumps(ROW))
    return str(path)


def run(capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    assert main(["push", *argv]) == 0
    return capsys.readouterr().out


def test_a_lone_disk_ends_with_its_rim_on_the_blocking_edge(empty: str, capsys) -> None:
    out = json.loads(
        run(capsys, "--layout", empty, "--disk", "big", "--x", "-30", "--y", "12.5", "--speed", "2", "--json")
    )
    assert out["cost"] == 0
    assert out["fallen"] == []
    [[name, x, y, _]] = out["layout"]
    assert name == "big"
    assert 21.0 - 1e-3 < x < 21.0 + 0.15  # with inertia it coasts v²/(2 mu g) = 0.07 mm further
    assert y == pytest.approx(12.5, abs=1e-6)
    assert out["push"]["disk"] == "big"
    assert out["board"] == "default"


def test_a_straight_row_moves_as_one_and_its_last_disk_falls(row: str, capsys) -> None:
    # Five disks of 32 mm from x = 0 on: the centres would be 16, 48, 80, 112, 144, and the board ends at 122.
    out = json.loads(run(capsys, "--layout", row, "--json"))
    assert [(f["index"], f["disk"], f["cost"]) for f in out["fallen"]] == [(3, "medium", 2)]
    assert out["fallen"][0]["x"] == pytest.approx(122.0, abs=0.05)
    assert out["fallen"][0]["y"] == pytest.approx(0.0, abs=0.05)
    # The pusher's front is at -32 when the row begins to move by 10 mm to the edge: -80 + advance = -22.
    assert out["fallen"][0]["advance"] == pytest.approx(58.0, abs=0.1)
    assert sorted(r[1] for r in out["layout"]) == pytest.approx([16, 48, 80, 112], abs=0.1)


def test_table_says_what_fell_and_what_it_costs(row: str, capsys) -> None:
    out = run(capsys, "--layout", row)
    assert "medium disk at (-40, 0) mm, board default, 4 disks lay there" in out
    assert "1 medium fell: 2 chips" in out
    assert "largest overlap" in out
    line = next(text for text in out.splitlines() if "122." in text)
    assert [cell.strip() for cell in line.strip("│").split("│")][:2] == ["3", "medium"]


def test_the_weight_costs_double_when_its_disk_falls(row: str, capsys) -> None:
    out = json.loads(run(capsys, "--layout", row, "--weight-on", "3", "--json"))
    assert [(f["index"], f["weighted"], f["cost"]) for f in out["fallen"]] == [(3, True, 4)]
    assert out["push"]["weight"] == {"disk": 3, "dx": 0.0, "dy": 0.0}


def test_files(row: str, tmp_path: Path, capsys) -> None:
    names = {key: tmp_path / f for key, f in (("picture", "a.png"), ("html", "a.html"), ("trace", "a.csv"))}
    after = tmp_path / "after.json"
    out = run(
        capsys, "--layout", row, "--accuracy", "draft", "--after", str(after),
        *(word for key, path in names.items() for word in (f"--{key}", str(path))),
    )  # fmt: skip
    for path in (*names.values(), after):
        assert str(path) in out
    assert names["picture"].read_bytes()[:4] == b"\x89PNG"
    assert names["html"].read_text().startswith("<!doctype html>")
    rows = list(csv.DictReader(names["trace"].read_text().splitlines()))
    assert float(rows[0]["advance_mm"]) < float(rows[-1]["advance_mm"]) == pytest.approx(80.0)
    assert float(rows[0]["x4"]) == pytest.approx(-40.0)
    assert float(rows[-1]["x4"]) == pytest.approx(16.0, abs=0.2)
    assert [rows[0]["standing3"], rows[-1]["standing3"]] == ["1", "0"]
    # The layout afterwards is the next push's layout.
    layout = Layout.from_json(default_board(), after.read_text())
    assert len(layout) == 4
    assert "4 disks lay there" in run(capsys, "--layout", str(after), "--accuracy", "draft")


def test_same_command_same_bytes(row: str, capsys) -> None:
    assert run(capsys, "--layout", row, "--y", "7", "--json") == run(
        capsys, "--layout", row, "--y", "7", "--json"
    )


BAD = {
    "--x 5": "thrillsim: --x: must be -64 to -16 mm so that the disk is in the zone, got 5",
    "--y 100": "thrillsim: --y: must be -94 to 94 mm so that the disk is in the zone, got 100",
    "--disk huge": 'thrillsim: --disk: must be one of big, medium, small, got "huge"',
    "--engine magic": "thrillsim: --engine: must be one of ",
    "--accuracy exact": 'thrillsim: --accuracy: must be one of draft, standard, fine, got "exact"',
    "--speed 0": "thrillsim: --speed: must be > 0 and <= 500 mm/s, got 0",
    "--yaw 1": "thrillsim: --yaw: must be -0.1 to 0.1 rad, got 1",
    "--x nan": "thrillsim: --x: must be -64 to -16 mm so that the disk is in the zone, got nan",
    "--y nan": "thrillsim: --y: must be -94 to 94 mm so that the disk is in the zone, got nan",
    "--yaw nan": "thrillsim: --yaw: must be -0.1 to 0.1 rad, got nan",
    "--speed inf": "thrillsim: --speed: must be > 0 and <= 500 mm/s, got inf",
    "--weight-on 0 --weight-dy nan": "thrillsim: --weight-dx, --weight-dy: dx and dy must be finite, got",
    "--weight-on 28": "thrillsim: --weight-on: must be a disk of the layout, 0 to 27, got 28",
    "--weight-dx 3": "thrillsim: --weight-dx, --weight-dy: needs --weight-on",
    "--weight-on 0 --weight-dx 22": "thrillsim: --weight-dx, --weight-dy: its centre must lie over the disk",
    "--opening 9007199254740993": "thrillsim: --opening: must be 0 to 9007199254740992, got 9007199254740993",
    "--opening -1": "thrillsim: --opening: must be 0 to 9007199254740992, got -1",
    "--board nowhere": "thrillsim: --board: must be one of default, front-only, reference or a .toml file",
    "--board nowhere.toml": "thrillsim: nowhere.toml: cannot be read: no such file or directory",
    "--engine=": 'thrillsim: --engine: must be one of rigid, quasistatic, got ""',
    "--html x.png": 'thrillsim: --html: must end in .html, .htm, got "x.png"',
    "--layout nowhere.json": "thrillsim: nowhere.json: cannot be read: no such file or directory",
}


@pytest.mark.parametrize("words", BAD)
def test_a_mistake_is_one_line(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["push", *words.split()]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(BAD[words])
    assert err.count("\n") == 1


def test_one_disk_is_no_plural(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = tmp_path / "one.json"
    one.write_text('{"disks": [["big", 60, 0]]}')
    assert ", 1 disk lay there\n" in run(capsys, "--layout", str(one), "--accuracy", "draft")


@pytest.mark.parametrize("words", ["push", "turn", "play thrill --players random,random -q"])
def test_a_board_that_its_disks_do_not_fit_is_named_as_typed(words: str, tmp_path: Path, capsys) -> None:
    path = tmp_path / "crowd.toml"
    path.write_text("[playing]\ndepth = 60\n")
    assert main([*words.split(), "--board", str(path)]) == 2
    assert capsys.readouterr().err.startswith("thrillsim: --board: 28 disks at packing 1.444 cannot fit")


def test_a_weight_needs_a_disk(empty: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["push", "--layout", empty, "--weight-on", "0"]) == 2
    line = "thrillsim: --weight-on: must be a disk of the layout, which has none, got 0\n"
    assert capsys.readouterr() == ("", line)


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("--angle 361", "--angle: must be -360 to 360 degrees, got 361"),
        ("--angle nan", "--angle: must be -360 to 360 degrees, got nan"),
        ("--rate -1", "--rate: must be > 0 and <= 3600 degrees/s, got -1"),  # degrees, as given
        ("--rate 1e8", "--rate: must be > 0 and <= 3600 degrees/s, got 1e+08"),  # once: nothing falls
        ("--ramp nan", "--ramp: must be 0.01 to 1000 s, got nan"),
        ("--ramp 1e-300", "--ramp: must be 0.01 to 1000 s, got 1e-300"),
        ("--accuracy exact", '--accuracy: must be one of draft, standard, fine, got "exact"'),
    ],
)
def test_a_turn_that_cannot_be_is_one_line(words: str, line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["turn", *words.split()]) == 2
    assert capsys.readouterr() == ("", f"thrillsim: {line}\n")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "is not JSON"),
        ('{"disk": []}', "disk: unknown key"),
        ('{"disks": [["big", 30, 0], ["big", 50, 0]]}', "disks[1]: overlaps disks[0] by 22 mm"),
        ('{"disks": [["big", 10, 0]]}', "disks[0]: reaches 11 mm into the sliding surface"),
        ('{"disks": [["big", 130, 0]]}', "disks[0]: has no support on the board"),
        ('{"disks": [["big", 30, 0], ["big", NaN, 0]]}', "disks[1][1]: must be a finite number, got nan"),
        ('{"disks": [["big", 30, 0, -1e999]]}', "disks[0][3]: must be a finite number, got -inf"),
        ('{"disks": [["big", 30, 0]], "disks": []}', "disks: is given twice"),
        ('{"disks": [["vast", 30, 0]]}', "disks[0]: must be one of big, medium, small"),
    ],
)
def test_a_bad_layout_file_is_one_line(text: str, reason: str, tmp_path: Path, capsys) -> None:
    path = tmp_path / "bad.json"
    path.write_text(text)
    assert main(["push", "--layout", str(path)]) == 2
    err = capsys.readouterr().err
    assert err.startswith(f"thrillsim: {path}: {reason}")
    assert err.count("\n") == 1


def test_a_layout_and_an_opening_are_too_much(empty: str, capsys) -> None:
    assert main(["push", "--layout", empty, "--opening", "1"]) == 2
    assert "give either a layout file or the seed of an opening" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--picture", "--html", "--trace", "--after"])
def test_a_file_that_cannot_be_written_is_one_line(option: str, empty: str, capsys) -> None:
    target = f"/nowhere/at/all/a.{'html' if option == '--html' else 'png'}"
    assert main(["push", "--layout", empty, "--accuracy", "draft", option, target]) == 2
    err = capsys.readouterr().err
    assert err == f"thrillsim: {target}: {option}: cannot be written: no such file or directory\n"


@pytest.mark.parametrize(
    ("last", "reason"),
    [
        ("nowhere/a.png", "no such file or directory"),
        (".", "is a directory"),
        ("a.json", "must be different files"),
    ],
)
def test_one_file_that_cannot_be_written_leaves_the_others_unwritten(
    last: str, reason: str, empty: str, tmp_path: Path, capsys, monkeypatch
) -> None:
    import thrillsim.physics

    monkeypatch.setattr(thrillsim.physics, "push", None)  # nor is anything pushed for them
    files = ["--after", str(tmp_path / "a.json"), "--html", str(tmp_path / "a.html")]
    before = sorted(tmp_path.iterdir())
    assert main(["push", "--layout", empty, *files, "--trace", str(tmp_path / last)]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "--trace" in err
    assert reason in err
    assert sorted(tmp_path.iterdir()) == before


def test_a_bad_picture_name_is_refused_before_the_push(capsys, monkeypatch) -> None:
    import thrillsim.physics

    monkeypatch.setattr(thrillsim.physics, "push", None)
    assert main(["push", "--picture", "a.gif"]) == 2
    assert capsys.readouterr().err == 'thrillsim: --picture: must end in .png, .svg, .pdf, got "a.gif"\n'
