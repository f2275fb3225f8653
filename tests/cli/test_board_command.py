"""``thrillsim board``: the list, the facts, the files, one line per mistake."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from thrillsim.board import PRESETS, Layout, default_board
from thrillsim.board.files import load_board
from thrillsim.board.opening import opening
from thrillsim.cli.main import main

BOARDS = Path(__file__).parents[2] / "scenarios" / "boards"


def run(capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    assert main(["board", *argv]) == 0
    return capsys.readouterr().out


def test_without_a_name_the_boards_are_listed(capsys) -> None:
    out = run(capsys)
    for name in PRESETS:
        assert name in out
    assert "122 x 220 mm" in out


def test_facts_of_the_default_board(capsys) -> None:
    out = run(capsys, "default")
    facts = dict(
        line.split(None, 1) for line in out.replace("open edges", "open-edges").splitlines() if " " in line
    )
    assert facts["open-edges"] == "front 220 mm, left 122 mm, right 122 mm"
    assert "122 x 220 mm, 26840 mm²" in out
    assert "28 disks at packing 0.710" in out  # rules: 5 big, 8 medium, 15 small on 26 840 mm²
    assert "x -80..0 mm" in out
    assert "218 wide, 48 deep, travel 80 mm, flat front" in out


def test_open_edges_of_the_others(capsys) -> None:
    assert "front 220 mm\n" in run(capsys, "front-only")
    assert "front 220 mm, left 130 mm, right 130 mm" in run(capsys, "reference")


@pytest.mark.parametrize(("encoding", "sign"), [("ascii", b"\\xd8 mm"), ("latin-1", b"\xd8 mm")])
def test_an_output_that_lacks_a_sign_gets_another(encoding: str, sign: bytes) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "thrillsim", "board", "default"],
        env={**os.environ, "PYTHONIOENCODING": encoding},
        capture_output=True,
        check=True,
    )
    assert done.stderr == b""
    assert sign in done.stdout  # Ø in the head of the table
    assert b"opening          28 disks at packing 0.710" in done.stdout


def test_toml_reads_back_as_the_same_board(tmp_path: Path, capsys) -> None:
    path = tmp_path / "copy.toml"
    path.write_text(run(capsys, "default", "--toml"))
    assert load_board(path) == default_board()


def test_json_has_the_board_and_the_opening(capsys) -> None:
    facts = json.loads(run(capsys, "default", "--json", "--opening", "5"))
    assert facts["board"]["pusher"]["travel"] == 80.0
    assert facts["zone"] == [-80.0, 0.0]
    assert facts["opening"]["disks"] == 28
    assert facts["opening"]["packing"] == pytest.approx(0.7103, abs=1e-4)
    assert Layout.from_rows(default_board(), facts["layout"]) == opening(default_board(), 5)
    assert "layout" not in json.loads(run(capsys, "default", "--json"))


@pytest.mark.parametrize("path", sorted(BOARDS.glob("*.toml")), ids=lambda p: p.stem)
def test_shipped_boards_are_sound_and_drawn(path: Path, tmp_path: Path, capsys) -> None:
    picture = tmp_path / "board.svg"
    out = run(capsys, str(path), "--opening", "1", "--picture", str(picture))
    assert "laid out" in out
    assert str(picture) in out
    assert picture.read_text().startswith("<?xml")


def test_a_full_board_says_how_full_it_is(tmp_path: Path, capsys) -> None:
    path = tmp_path / "tiny.toml"
    for size, reason in (
        (
            "depth = 105",
            "28 disks at packing 0.825 found no place on the playing surface in 20 random starts",
        ),
        ("depth = 80", "28 disks at packing 1.083 cannot fit the playing surface (equal disks cover at most"),
    ):
        path.write_text(f"playing.{size}\n")
        assert f"opening          none: {reason}" in run(capsys, str(path))
        assert json.loads(run(capsys, str(path), "--json"))["opening"]["fits"] is False
    assert json.loads(run(capsys, "default", "--json"))["opening"]["fits"] is True
    assert main(["board", str(path), "--opening", "1"]) == 2
    err = capsys.readouterr().err
    assert "packing 1.083" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("playing.depth = -3\n", "playing.depth: must be 0.001 to 100000, got -3"),
        ("plaing.depth = 3\n", "plaing: unknown key, did you mean playing?"),
        ("pusher.width = 300\n", "pusher.width: 300 is too wide"),
        ("[playing]\nvertices = [[0,-10],[50,10],[50,-10],[0,10]]\n", "playing.vertices: outline crosses"),
        (
            '[playing]\nvertices = [[0,-110],[90,-110],[90,110],[0,110]]\nedges = "railed"\n',
            "playing.edges: no edge",
        ),
        ("depth = [\n", "is not TOML"),
    ],
)
def test_a_bad_board_file_is_one_line(text: str, reason: str, tmp_path: Path, capsys) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(text)
    assert main(["board", str(path)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"thrillsim: {path}: {reason}"), err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("nowhere", "BOARD: must be one of default, front-only, reference or a .toml file, got"),
        ("default --opening -3", "--opening: must be 0 to 9007199254740992, got -3"),
        ("default --toml --json", "--toml, --json: give one of them"),
        (
            "default --toml --opening 3",
            "--toml, --opening: give one of them: the file describes the board alone",
        ),
        ("--picture a.png", "BOARD: name a board"),
        (
            "default --picture none/a.png",
            "none/a.png: --picture: cannot be written: no such",
        ),
        ("default --picture a.txt", '--picture: must end in .png, .svg, .pdf, got "a.txt"'),
        ("default --picture .", '--picture: must end in .png, .svg, .pdf, got "."'),
    ],
)
def test_a_mistake_is_one_line(words: str, reason: str, capsys) -> None:
    assert main(["board", *words.split()]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"thrillsim: {reason}")
    assert err.count("\n") == 1
