"""``play``, ``replay`` and ``rules`` from the command line."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from thrillsim import games
from thrillsim.cli.main import main
from thrillsim.errors import InputError
from thrillsim.games.sheets import option_table, rule_sheet

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def recorded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    path = tmp_path / "game.jsonl"
    words = [
        "play",
        "thrill",
        "--players",
        "random,random",
        "--accuracy",
        "draft",
        "--variant",
        "--seed",
        "2",
    ]
    assert main([*words, "--record", str(path), "--quiet"]) == 0
    assert capsys.readouterr().out.splitlines()[0].startswith("winner: ")
    return path


def test_replay_tells_verifies_and_pushes_again(recorded: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(recorded), "--check-physics"]) == 0
    told = capsys.readouterr().out
    assert "Thrill with A random, B random; seed 2" in told
    assert "Round 1: Disk Boss A shows" in told
    assert "events, final state as recorded" in told
    asked = sum(b'"chance"' in line for line in recorded.read_bytes().splitlines())
    assert f"rigid/draft/default: {asked} of {asked} physical events came out as recorded" in told


def test_a_record_that_was_tampered_with(recorded: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One disk half a millimetre elsewhere: no rule minds, the fingerprint does."""
    lines = recorded.read_bytes().splitlines()
    first_push = next(i for i, line in enumerate(lines) if b'"pushed"' in line)
    event = msgspec.json.decode(lines[first_push])
    moved = event["chance"]["layout"]
    moved[0][1] += 0.5
    lines[first_push] = msgspec.json.encode(event)
    recorded.write_bytes(b"\n".join(lines))
    assert main(["replay", str(recorded), "-q"]) == 2
    assert f"line {first_push + 1}: the state differs: recorded" in capsys.readouterr().err


def test_physics_that_came_out_otherwise(recorded: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The record claims a finer engine than it was played with."""
    recorded.write_bytes(recorded.read_bytes().replace(b"rigid/draft/default", b"rigid/standard/default", 1))
    assert main(["replay", str(recorded), "-q", "--check-physics"]) == 2
    said = capsys.readouterr()
    assert "physical events differ" in said.err
    assert "event" in said.out
    assert main(["replay", str(recorded), "-q", "--engine", "rigid"]) == 0  # only reported


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", "the record is empty"),
        (b"{}\n", "line 1: Object missing required field `line`"),
        (b"nonsense\n", "line 1: JSON is malformed"),
    ],
)
def test_what_is_no_record(
    text: bytes, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_bytes(text)
    assert main(["replay", str(path)]) == 2
    assert message in capsys.readouterr().err
    assert main(["replay", str(tmp_path / "none.jsonl")]) == 2
    assert "No such file" in capsys.readouterr().err


def test_every_game_has_its_sheet_and_options(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules"]) == 0
    listed = capsys.readouterr().out
    for name in games.names():
        assert f"{name} " in listed
        assert main(["rules", name]) == 0
        assert capsys.readouterr().out == (ROOT / "seeds" / f"{name}.md").read_text(encoding="utf-8")
        assert main(["rules", name, "--options"]) == 0
        table = capsys.readouterr().out
        for field in msgspec.structs.fields(games.get(name).Options):
            assert f"\n{field.name}" in f"\n{table}"
    assert "empty_reserve=take_from_board  (draw, skip_push, take_from_board)" in option_table(
        games.get("thrill")
    )
    with pytest.raises(InputError, match="no such game: chess; there are thrill"):
        rule_sheet("chess")
    assert main(["rules", "chess"]) == 2


def test_every_option_of_the_rule_sheet_is_one(capsys: pytest.CaptureFixture[str]) -> None:
    """The sheet names each option that the game has, with its default."""
    sheet = rule_sheet("thrill")
    for line in option_table(games.get("thrill")).splitlines():
        if not line.startswith("variant="):
            assert f"`{line.split()[0]}`" in sheet, line


def test_games_of_dice_have_nothing_to_push(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "skull", "--players", "random,random,random", "--engine", "rigid"]) == 2
    assert "--engine: skull has nothing to push" in capsys.readouterr().err
    assert main(["play", "skull", "--players", "random,random,random", "--seed", "1", "-q"]) == 0
    assert "winner: " in capsys.readouterr().out
