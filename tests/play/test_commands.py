"""``play``, ``replay`` and ``rules`` from the command line."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from textwrap import indent

import msgspec
import pytest

from thrillsim import games
from thrillsim.cli.given import DEFAULTS
from thrillsim.cli.main import main
from thrillsim.errors import InputError
from thrillsim.games.sheets import option_table, rule_sheet
from thrillsim.games.thrill.types import Arranged, Lifted, Pushed, Turned
from thrillsim.play.check import Difference, tell
from thrillsim.play.record import BrokenOffLine, replay_file, write

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
    assert f"quasistatic/draft/default: {asked} of {asked} physical events came out as recorded" in told


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
    recorded.write_bytes(
        recorded.read_bytes().replace(b"quasistatic/draft/default", b"quasistatic/standard/default", 1)
    )
    assert main(["replay", str(recorded), "-q", "--check-physics"]) == 2
    said = capsys.readouterr()
    assert re.search(r"\d+ of \d+ physical events came out otherwise", said.err)
    assert "event" in said.out
    assert main(["replay", str(recorded), "-q", "--engine", "rigid"]) == 0  # only reported
    told = capsys.readouterr().out.splitlines()[1:-1]
    assert told
    fell = r"(nothing falls|\w+ \d+ falls|\w+ \d+(, \w+ \d+)+ fall)"
    apart = r"; the disks lie up to \S+ mm and \S+ rad apart"
    for line in told:
        assert re.fullmatch(rf"event \d+: ({fell}, as recorded|recorded: {fell}, now: {fell}){apart}", line)


def test_a_difference_is_told_in_the_words_of_the_game() -> None:
    rows = ((6, 10.0, 0.0, 0.0), (24, 50.0, 0.0, 0.5))
    moved = ((24, 53.0, 4.0, 0.25),)
    for recorded, now, told in (
        (Pushed((), layout=rows), Pushed((6,), layout=moved), "recorded: nothing falls, now: big 6 falls"),
        (Pushed((6, 30), layout=rows), Pushed((6, 30), layout=moved), "big 6, small 30 fall, as recorded"),
        (Turned((), rows), Turned((), moved), "nothing falls in turning the board, as recorded"),
        (Arranged(rows), Arranged(moved), "the opening, as recorded"),
    ):
        apart = "; the disks lie up to 5 mm and 0.25 rad apart"
        assert tell(Difference(7, None, recorded, now)) == f"event 7: {told}{apart}"
    told = "recorded: big 6 falls (one under the weight), now: small 24 falls under the hand, nothing falls"
    assert tell(Difference(7, None, Pushed((6,), True), Pushed((), placing=(24,)))) == f"event 7: {told}"
    told = "recorded: the weighted disk falls at the lift, now: nothing falls at the lift"
    assert tell(Difference(7, None, Lifted(True), Lifted(False))) == f"event 7: {told}"


WANTED = "give a recorded game: JSON lines, written by thrillsim play --record"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("{}\n", "line 1: line: is required, one of header, event, end, broken off"),
        ("\n# A scenario.\ntrials = 3", 'line 2: is not JSON: wrong from character 1 on: "# A scenario."'),
        ('{"disks": [\n]}', "line 1: is not JSON: ends in the middle"),
        (
            '{"line":"end","winners":[],"places":[],"final":0}',
            "line 1: a record starts with its header",
        ),
    ],
)
def test_what_is_no_record_says_what_is_wanted(
    text: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(text)
    assert main(["replay", str(path)]) == 2
    assert capsys.readouterr() == ("", f"thrillsim: {path}: {message}; {WANTED}\n")


@pytest.fixture
def of_skull(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    path = tmp_path / "skull.jsonl"
    words = ["play", "skull", "--players", "random,random,random", "--seed", "1", "-q", "--record", str(path)]
    assert main(words) == 0
    capsys.readouterr()
    return path


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"n":1,.*', '"n":1,', "line 2: is not JSON: ends in the middle"),
        ('"n":2.*', "", "line 3: is not JSON: ends in the middle"),
        ('\n[^\n]*"n":2.*', "", "breaks off after line 2, the game is not finished\n"),
        ('"n":1,', '"n":,', 'line 2: is not JSON: wrong from character 21 on: ",'),
        ('"n":1,', '"n":NaN,', "line 2: n: must be a finite number, got nan\n"),
        ('"n":1,', '"n":1e999,', "line 2: n: must be a finite number, got inf\n"),
        ('"n":1,', f'"n":{"[" * 9999}', "line 2: is not JSON: nested too deeply\n"),
        ('"n":1,', '"n":"1",', 'line 2: n: must be a whole number, got "1"\n'),
        (
            '"lay"',
            '"lie"',
            'line 2: action.type: must be one of lay, bid, pass, flip, box, start, got "lie"\n',
        ),
    ],
)
def test_a_broken_line_is_named_in_our_words(
    old: str, new: str, message: str, of_skull: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    of_skull.write_text(re.sub(old, new, of_skull.read_text(), count=1, flags=re.DOTALL))
    assert main(["replay", str(of_skull)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"thrillsim: {of_skull}: {message}")
    assert err.count("\n") == 1


def test_a_record_that_cannot_be_read_or_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same words as for a scenario or a layout."""
    (tmp_path / "study.png").write_bytes(b"\x89PNG")
    for path, reason in {
        tmp_path / "none.jsonl": "cannot be read: no such file or directory",
        tmp_path: "cannot be read: is a directory",
        tmp_path / "study.png": "is not UTF-8 text (byte 0)",
    }.items():
        assert main(["replay", str(path)]) == 2
        assert capsys.readouterr() == ("", f"thrillsim: {path}: {reason}\n")
    with pytest.raises(InputError) as caught:
        write(tmp_path, b"")
    assert str(caught.value) == f"{tmp_path}: cannot be written: is a directory"


@pytest.mark.parametrize(
    "words",
    [
        "play thrill --players random,random --engine table --seed 2 -q --record a.jsonl",
        "match thrill random random -n 2 --engine table --out out",
        "match thrill random random -n 2 --engine table --out out --jobs 2",
        "board default --picture a.pdf",
        "push --engine rigid --accuracy draft --html a.html",
    ],
)
def test_a_file_that_breaks_off_is_one_line_and_nothing_is_left(words: str, tmp_path: Path) -> None:
    limited = f"ulimit -f 1; exec {sys.executable} -m thrillsim {words}"  # kilobytes of a file
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        ["bash", "-c", limited], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    last = done.stderr.splitlines()[-1]
    assert re.match(r"thrillsim: (a|out/games/00000\d)\.\w+: cannot be written: ", last)
    assert "Traceback" not in done.stderr
    assert {path.name for path in tmp_path.rglob("*")} <= {"out", "games", "match.json"}


def test_a_match_whose_folder_cannot_be_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    out = tmp_path / "file" / "match"
    assert main(["match", "skull", "random", "random", "random", "-n", "1", "--out", str(out)]) == 2
    assert capsys.readouterr() == ("", f"thrillsim: {out}: --out: cannot be used: not a directory\n")


def test_every_game_has_its_sheet_and_options(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules"]) == 0
    listed = capsys.readouterr().out
    for name in games.names():
        assert f"{name} " in listed
        assert main(["rules", name]) == 0
        assert capsys.readouterr().out == (ROOT / "seeds" / f"{name}.md").read_text(encoding="utf-8")
        assert f"rulebook of *{games.get(name).title}*" in " ".join(rule_sheet(name).split())
        assert main(["rules", name, "--options"]) == 0
        table = capsys.readouterr().out
        for field in msgspec.structs.fields(games.get(name).Options):
            assert f"\n{field.name}" in f"\n{table}"
    table = option_table(games.get("thrill"), DEFAULTS)
    assert "empty_reserve=take_from_board  (draw, skip_push, take_from_board)" in table
    assert "max_rounds=100  (from Python none)" in table  # as play and match have it
    assert main(["rules", "--options"]) == 0
    assert (
        capsys.readouterr().out
        == "\n".join(
            f"{name:<12} {games.get(name).title}\n{indent(option_table(games.get(name), DEFAULTS), '  ')}"
            for name in games.names()
        )
        + "\n"
    )
    with pytest.raises(InputError, match=r'game: must be one of thrill, .*, got "chess"'):
        rule_sheet("chess")
    assert main(["rules", "chess"]) == 2


def test_every_option_of_the_rule_sheet_is_one(capsys: pytest.CaptureFixture[str]) -> None:
    """The sheet names each option that the game has, with its default."""
    sheet = rule_sheet("thrill")
    for line in option_table(games.get("thrill"), {}).splitlines():
        if not line.startswith("variant="):
            assert f"`{line.split()[0]}`" in sheet, line


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--players random", "--players: needs 2 to 6 players, got 1"),
        ("--players random,random -o max_rounds=x", "--option max_rounds: must be a whole number or none"),
        ("--players random,random -o first_boss=2", "--option first_boss: must be 0 to 1, got 2"),
        ("--players random,random -o max_rounds=-1", "--option max_rounds: must be >= 1 or none, got -1"),
        ("--players random,random --variant -o variant=false", "--variant, --option variant: give one of"),
        ("--players random,random -o variant=true -o variant=false", "--option variant: is given twice"),
        ("--players random,random -o rounds=2", "--option rounds: no such option of thrill; there are"),
        ("--players random,random --engine magic", "--engine: must be one of "),
        ("--players random,random --engine=", "--engine: must be one of rigid, quasistatic, table, got "),
        ("--players random,random --accuracy best", "--accuracy: must be one of "),
        ("--players random,random --board nowhere", "--board: must be one of "),
        ("--players random,nobody", '--players: no player "nobody" for thrill; there are'),
        ("--players random,random@3", "--players: random takes no argument"),
        ("--players random,random@", "--players: random takes no argument"),
        *(
            (
                f"--players random,planner@{engine}",
                f'--players: the engine in planner@ENGINE must be one of rigid, quasistatic, got "{engine}"',
            )
            for engine in ("foo", "", "table")
        ),
        ("--players random,random --record nowhere/a.jsonl", "--record: cannot be written: no such file"),
        ("--players human,random --picture a.png", '--picture: must end in .svg, got "a.png"'),
        *(
            (f"{who} --picture a.svg", "--picture: is drawn where a human plays thrill with a physics engine")
            for who in ("--players random,random", "--players human,random --engine table")
        ),
        *((f"--players random,random --time-limit {t}", f"got {t}") for t in ("-1", "0", "nan", "inf")),
    ],
)
def test_a_bad_word_is_refused_before_the_heading(
    words: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["play", "thrill", *words.split()]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert f" {message}" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("limit", ["-1", "0", "nan"])
def test_a_match_needs_time_to_decide(limit: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["match", "skull", "random", "random", "random", "--out", str(tmp_path / "out")]
    assert main([*words, "--time-limit", limit]) == 2
    out, err = capsys.readouterr()
    assert (out, err) == ("", f"thrillsim: --time-limit: must be > 0 and <= 86400 s, got {limit}\n")
    assert not (tmp_path / "out").exists()


def test_a_match_does_not_go_where_something_else_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "study").mkdir()
    (tmp_path / "study" / "manifest.json").write_text("{}")
    (tmp_path / "file").write_text("")
    words = ["match", "skull", "random", "random", "random", "-n", "1", "--out"]
    for out, message in {
        str(tmp_path / "study"): "holds the results of a study; take another --out",
        str(tmp_path / "file"): "--out: is a file; name a folder",
        "": "--out: must name a folder, got an empty text",
    }.items():
        assert main([*words, out]) == 2
        err = capsys.readouterr().err
        assert message in err
        assert err.count("\n") == 1
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["file", "manifest.json", "study"]


def test_a_game_without_places_is_not_compared_with_an_engine(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "table.jsonl"
    words = ["play", "thrill", "--players", "random,random", "--engine", "table", "--seed", "2", "-q"]
    assert main([*words, "--record", str(path)]) == 0
    assert main(["replay", str(path), "-q", "--check-physics"]) == 0
    capsys.readouterr()
    assert main(["replay", str(path), "-q", "--engine", "rigid"]) == 2
    line = f"--engine: {path} has no places to push at: its world is the table"
    assert capsys.readouterr() == ("", f"thrillsim: {line}\n")


def test_a_game_can_be_played_without_physics_and_its_errors_say_so(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["play", "thrill", "--players", "random,random", "--engine", "magic"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err == 'thrillsim: --engine: must be one of rigid, quasistatic, table, got "magic"\n'


def test_a_wrong_engine_is_refused_before_the_game_is_told(
    recorded: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for engine in ("magic", ""):
        assert main(["replay", str(recorded), "--engine", engine]) == 2
        line = f'--engine: must be one of rigid, quasistatic, got "{engine}"'
        assert capsys.readouterr() == ("", f"thrillsim: {line}\n")


@pytest.mark.parametrize("way", ["quit", "Ctrl-C"])
def test_a_game_that_is_left_is_recorded_as_far_as_it_went(
    way: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def answer(_prompt: str) -> str:
        asked.append(1)
        if len(asked) < 5:
            return "1" if len(asked) % 2 else ""  # an entry, and its confirmation
        if way == "quit":
            return "quit"
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", answer)
    path = tmp_path / "game.jsonl"
    words = ["play", "skull", "--players", "human,random,random", "--seed", "3", "--record", str(path)]
    assert main(words) == 130
    assert f"The game is broken off.\nrecord so far: {path}\n" in capsys.readouterr().out
    lines = [msgspec.json.decode(line) for line in path.read_bytes().splitlines()]
    assert [line["line"] for line in lines[1:-1]] == ["event"] * (len(lines) - 2)
    assert sum(line.get("seat") == 0 for line in lines) == 2  # both entries of the person
    assert lines[-1]["line"] == "broken off"
    assert main(["replay", str(path), "-q"]) == 0
    told = capsys.readouterr().out
    assert told == f"verified: {len(lines) - 2} events, state as recorded; the game was broken off there\n"
    assert main(["replay", str(path), "--json"]) == 0
    found = msgspec.json.decode(capsys.readouterr().out)
    assert (found["broken_off"], found["winners"], found["events"]) == (True, [], len(lines) - 2)
    lines[-1]["final"]["round"] += 1  # the state is verified, as in a finished game
    path.write_bytes(b"\n".join(map(msgspec.json.encode, lines)))
    assert main(["replay", str(path), "-q"]) == 2
    assert "the final state differs" in capsys.readouterr().err


@pytest.mark.parametrize("closed", ["<&-", "< /dev/null"])
def test_where_nobody_can_type_the_game_is_broken_off(closed: str, tmp_path: Path) -> None:
    words = "play skull --players human,random,random --seed 3 --record a.jsonl"
    done = subprocess.run(
        ["bash", "-c", f"exec {sys.executable} -m thrillsim {words} {closed}"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (130, "")
    assert done.stdout.endswith("The game is broken off.\nrecord so far: a.jsonl\n")
    assert isinstance(replay_file(tmp_path / "a.jsonl").end, BrokenOffLine)


def test_a_finished_game_cannot_claim_to_be_broken_off(
    recorded: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    *lines, last = recorded.read_bytes().splitlines()
    odd = msgspec.json.encode({"line": "broken off", "final": msgspec.json.decode(last)["final"]})
    recorded.write_bytes(b"\n".join([*lines, odd]))
    assert main(["replay", str(recorded), "-q"]) == 2
    assert "the game is over, it was not broken off" in capsys.readouterr().err


def test_replay_as_json(recorded: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [msgspec.json.decode(line) for line in recorded.read_bytes().splitlines()]
    assert main(["replay", str(recorded), "--json", "--check-physics"]) == 0
    found = msgspec.json.decode(capsys.readouterr().out)
    asked = sum("chance" in line for line in lines)
    assert found.pop("physics") == {"world": "quasistatic/draft/default", "asked": asked, "differences": []}
    assert found.pop("header") == lines[0]
    assert found == {
        "verified": True,
        "events": len(lines) - 2,
        "rounds": len(lines[-1]["final"]["history"]),
        "broken_off": False,
        "winners": lines[-1]["winners"],
        "places": lines[-1]["places"],
        "forfeit": None,
    }


def test_games_of_dice_have_nothing_to_push(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "skull", "--players", "random,random,random", "--engine", "rigid"]) == 2
    assert "--engine: skull has nothing to push" in capsys.readouterr().err
    for option in ("--board=nowhere", "--accuracy=draft", "--board=default", "--accuracy=standard"):
        key = option.split("=")[0]
        assert main(["play", "skull", "--players", "random,random,random", option]) == 2
        assert f"{key}: skull has nothing to push" in capsys.readouterr().err
        assert main(["match", "thrill", "random", "random", "--engine", "table", option]) == 2
        assert f"{key}: is not used by the engine table" in capsys.readouterr().err
    assert main(["play", "skull", "--players", "random,random,random", "--seed", "1", "-q"]) == 0
    assert "winner: " in capsys.readouterr().out
