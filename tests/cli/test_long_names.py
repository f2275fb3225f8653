"""Names of files: that none can have, or empty ones, are one line; as long ones as may be are taken."""

from __future__ import annotations

from pathlib import Path

import pytest

from thrillsim.cli.main import main

LONG = "a" * 300
TOO_LONG = {
    f"board {LONG}": "BOARD: must be one of default, front-only, reference or a .toml file",
    f"push --board {LONG}": "--board: must be one of default, front-only, reference or a .toml file",
    f"turn --board {LONG}": "--board: must be one of default, front-only, reference or a .toml file",
    f"push --board {LONG}.toml": f"{LONG}.toml: cannot be read: file name too long",
    f"push --picture {LONG}.png": f"{LONG}.png: --picture: cannot be written: file name too long",
    f"push --after {LONG}": f"{LONG}: --after: cannot be written: file name too long",
    f"push --layout {LONG}": f"{LONG}: cannot be read: file name too long",
    f"play skull --players random,random,random --record {LONG}": (
        f"{LONG}: --record: cannot be written: file name too long"
    ),
    f"match skull random random random --out {LONG}": f"{LONG}: --out: cannot be used: file name too long",
    f"study s.toml --out {LONG}": f"{LONG}/manifest.json: cannot be read (file name too long); take an",
    f"study s.toml --fresh --out {LONG}": f"{LONG}: --out: cannot be used: file name too long",
    f"replay {LONG}": f"{LONG}: cannot be read: file name too long",
}


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("words", TOO_LONG, ids=lambda words: words.replace(LONG, "LONG"))
def test_a_name_that_no_file_can_have_is_one_line(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("s.toml").write_text("trials = 1")
    assert main(words.split()) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"thrillsim: {TOO_LONG[words]}")
    assert err.count("\n") == 1
    assert [path.name for path in Path().iterdir()] == ["s.toml"]


EMPTY = {
    "study": "scenario",
    "scenario check": "files",
    "replay": "record",
    "push --layout": "--layout",
    "push --picture": "--picture",
    "push --html": "--html",
    "push --after": "--after",
    "turn --after": "--after",
    "board default --picture": "--picture",
    "play skull --players random,random,random --record": "--record",
}


@pytest.mark.parametrize("words", EMPTY)
def test_an_empty_name_is_said_to_be_one(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*words.split(), ""]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"thrillsim: {EMPTY[words]}: must name a file, got an empty text; see thrillsim ")
    assert err.count("\n") == 1


def test_a_name_as_long_as_a_file_may_have_is_written() -> None:
    name = "a" * 255
    assert main(["play", "skull", "--players", "random,random,random", "-q", "--record", name]) == 0
    assert main(["replay", name, "-q"]) == 0
    assert [path.name for path in Path().iterdir()] == [name]
