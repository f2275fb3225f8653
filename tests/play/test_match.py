"""Matches: the same bytes for any number of processes, resumed, and not to be spoilt by a bad player."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections import Counter
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from thrillsim import games
from thrillsim.cli.given import options_given
from thrillsim.cli.main import main
from thrillsim.errors import InputError
from thrillsim.games.thrill import Options
from thrillsim.play.match import Plan, game_seed, run_match, seating
from thrillsim.play.record import encode_broken_off, replay_file
from thrillsim.play.summary import summarise
from thrillsim.players import finding
from thrillsim.players.finding import resolve

ODD = "tests.play.odd_players"


def plan(*players: str, **more: Any) -> Plan:
    import msgspec

    options = msgspec.to_builtins(Options(variant=True, max_rounds=more.pop("max_rounds", 30)))
    where = tuple(resolve(name, "thrill") for name in players)
    return Plan("thrill", options, players, where, more.pop("seed", 5), "table", **more)


def files(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_every_entrant_has_every_seat_equally_often() -> None:
    three = plan("random", "random", "random")
    for block in range(5):
        table = [seating(three, 3 * block + k) for k in range(3)]
        for seat in range(3):
            assert sorted(row[seat] for row in table) == [0, 1, 2]
    orders = {seating(three, 3 * block) for block in range(40)}
    assert len(orders) == 6  # not always the same neighbours
    assert three.entrants == ("random", "random#2", "random#3")
    assert len({game_seed(three, k) for k in range(1000)}) == 1000


def test_the_same_bytes_for_any_number_of_jobs(tmp_path: Path) -> None:
    two = plan("random", "random")
    one, both = tmp_path / "one", tmp_path / "both"
    first = run_match(two, 8, jobs=1, out=one)
    second = run_match(two, 8, jobs=2, out=both)
    assert files(one) == files(both)
    assert summarise(two, first) == summarise(two, second)
    for path in (one / "games").iterdir():
        assert replay_file(path).end.winners


def test_a_broken_off_match_goes_on(tmp_path: Path) -> None:
    two = plan("random", "random")
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    run_match(two, 6, out=whole)

    class KilledError(Exception):
        pass

    def kill(done: int, of: int) -> None:
        if done == 3:
            raise KilledError

    with pytest.raises(KilledError):
        run_match(two, 6, out=broken, progress=kill)
    assert len(list((broken / "games").glob("*.jsonl"))) == 3
    (broken / "games" / ".000004.jsonl.99.tmp").write_bytes(b"half a ga")  # what a kill in mid-write leaves
    seen = []
    run_match(two, 6, out=broken, progress=lambda done, of: seen.append(done))
    assert seen == [3, 4, 5, 6]
    (broken / "games" / ".000004.jsonl.99.tmp").unlink()
    assert files(whole) == files(broken)


def test_two_of_the_same_match_may_start_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    two, replace = plan("random", "random"), Path.replace
    alone = run_match(two, 2)

    def other_first(draft: Path, target: Path) -> Path:
        """Another process comes between the writing of a file and its renaming."""
        with monkeypatch.context() as there:
            there.setattr(Path, "replace", replace)
            there.setattr("os.getpid", lambda: 1)
            assert run_match(two, 2, out=tmp_path) == alone
        monkeypatch.setattr(Path, "replace", replace)
        return draft.replace(target)

    monkeypatch.setattr(Path, "replace", other_first)
    assert run_match(two, 2, out=tmp_path) == alone
    assert sorted(files(tmp_path)) == ["games/000000.jsonl", "games/000001.jsonl", "match.json"]


def test_a_killed_match_goes_on(tmp_path: Path) -> None:
    """The real thing: the command is killed, its workers end with it, and the same command completes it."""
    words = ["match", "thrill", "cautious", "random", "--engine", "table", "--seed", "3", "--jobs", "2"]
    out = tmp_path / "out"
    command = [sys.executable, "-m", "thrillsim", *words, "-n", "5000", "--out", str(out)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        while len(list(out.glob("games/*.jsonl"))) < 5:
            assert process.poll() is None
            time.sleep(0.05)
        process.kill()
    there = len(list(out.glob("games/*.jsonl")))
    assert 5 <= there < 5000
    assert main([*words, "-n", "12", "--out", str(out)]) == 0
    assert main([*words[:-2], "-n", "12", "--out", str(tmp_path / "whole")]) == 0
    for path in (tmp_path / "whole" / "games").iterdir():
        assert (out / "games" / path.name).read_bytes() == path.read_bytes()


def test_another_match_is_not_mixed_in(tmp_path: Path) -> None:
    run_match(plan("random", "random"), 1, out=tmp_path)
    with pytest.raises(InputError, match="seed: is another match: it has 5, not 6"):
        run_match(plan("random", "random", seed=6), 1, out=tmp_path)
    with pytest.raises(InputError, match=r"^count: must be 1 to 1000000, got 1000000000000"):
        run_match(plan("random", "random"), 10**12)
    with pytest.raises(InputError, match=r"^count: must be 1 to 1000000, got 0"):
        run_match(plan("random", "random"), 0)
    with pytest.raises(InputError, match="players: "):
        run_match(plan("random"), 1)


def test_games_on_a_board_that_was_edited_are_not_mixed_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """match.json and the records name the file alone; what it held decides."""
    monkeypatch.chdir(tmp_path)
    board, out = Path("my.toml"), Path("out")
    board.write_text('base = "default"\n[friction]\nboard = 0.2\n')
    words = [
        "match",
        "thrill",
        "random",
        "random",
        "--board",
        "my.toml",
        "--accuracy",
        "draft",
        "--out",
        "out",
    ]
    assert main([*words, "-n", "1"]) == 0
    before = files(out)
    record = next((out / "games").iterdir())
    assert main(["replay", str(record), "-q", "--check-physics"]) == 0
    board.write_text('base = "default"\nname = "mine"\n[friction]\nboard = 0.2\n')  # a title decides nothing
    assert main([*words, "-n", "1"]) == 0
    board.write_text('base = "default"\n[friction]\nboard = 0.3\n')
    capsys.readouterr()
    assert main([*words, "-n", "2"]) == 2
    line = "holds games on another board: that of quasistatic/draft/my.toml has changed since"
    assert capsys.readouterr() == ("", f"thrillsim: out: {line}; take another --out\n")
    assert files(out) == before
    for more in (["--check-physics"], ["--engine", "rigid"]):
        assert main(["replay", str(record), "-q", *more]) == 2
        line = "the board my.toml is another one than the game was played on; it has changed since"
        assert capsys.readouterr() == ("", f"thrillsim: {record}: {line}\n")
    assert main(["replay", str(record), "-q"]) == 0  # the rules need no board
    head = out / "match.json"
    old = json.loads(head.read_text())
    assert old.pop("board")
    head.write_text(json.dumps(old))  # as before it said so
    assert main([*words, "-n", "1"]) == 0


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Crash", "crashed: RuntimeError('no idea') in act"),
        ("Hang", "no answer within 0.2 s"),
        ("Dies", "its process ended"),
        ("Cheat", "its answer is no action of the game: Expected `object`, got `str`"),
        ("Greedy", "Bid(chips=99) is illegal; legal: 0, 1, 2"),
        ("Unsendable", "crashed: TypeError("),
    ],
)
def test_a_bad_plug_in_loses_its_game_and_nothing_else(name: str, reason: str, tmp_path: Path) -> None:
    bad = f"{ODD}:{name}"
    match = plan("random", bad, "random", time_limit=0.2 if name == "Hang" else 30.0)
    finished = run_match(match, 1, out=tmp_path)
    for one in finished:
        seat = one.seating.index(1)
        assert one.end.forfeit is not None
        assert one.end.forfeit[0] == seat
        assert reason in one.end.forfeit[1]
        assert one.end.winners == tuple(s for s in range(3) if s != seat)
        assert one.end.places[seat] == 2
        assert replay_file(tmp_path / "games" / f"{one.number:06d}.jsonl").end == one.end
    summary = summarise(match, finished)
    assert [line.forfeits for line in summary.players] == [0, 1, 0]
    assert [line.wins.value for line in summary.players] == [0.5, 0.0, 0.5]
    assert reason in summary.forfeits[0].reason


def test_a_good_plug_in_plays_a_whole_match() -> None:
    finished = run_match(plan("random", f"{ODD}:Zero"), 4)
    assert all(one.end.forfeit is None for one in finished)


def test_what_a_plug_in_prints_is_none_of_the_answer() -> None:
    words = ["match", "thrill", "random", f"{ODD}:Talks", "-n", "1", "--engine", "table", "--json"]
    done = subprocess.run(
        [sys.executable, "-m", "thrillsim", *words], capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout)["games"] == 1
    assert "I think\n" in done.stderr
    assert "and write\n" in done.stderr


def test_a_plug_in_of_an_installed_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """Through the entry point group, by its short name."""
    point = EntryPoint("zero", f"{ODD}:Zero", finding.GROUP)
    monkeypatch.setattr(finding, "entry_points", lambda group: [point] if group == finding.GROUP else [])
    match = plan("random", "zero")
    assert match.where == ("random", f"{ODD}:Zero")
    assert match.entrants == ("random", "zero")
    with pytest.raises(
        InputError, match="there are random, cautious, equilibrium, planner, zero, or module:Class"
    ):
        resolve("nobody", "thrill")


def test_who_is_not_there_is_refused() -> None:
    for spec, message in {
        "nobody": 'no player "nobody" for thrill; there are random',
        "no.such.module:Player": 'cannot import "no.such.module"',
        f"{ODD}:Nobody": 'has no "Nobody"',
        f"{ODD}:NoPlayer": "needs a method act",
    }.items():
        with pytest.raises(InputError, match=message):
            resolve(spec, "thrill")


def test_a_plug_in_that_is_no_python_is_told_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "half_a_player.py").write_text("class Player:\n    def act(\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(InputError) as caught:
        resolve("half_a_player:Player", "thrill")
    start = 'half_a_player:Player: importing "half_a_player" failed: SyntaxError: '
    assert str(caught.value).startswith(start)
    assert str(caught.value).endswith("(half_a_player.py, line 2)")


def test_the_figures_are_those_of_the_records(tmp_path: Path) -> None:
    """Counted once more, plainly, from the replayed states."""
    two = plan("random", "random", "random")
    finished = run_match(two, 12, out=tmp_path)
    stats = summarise(two, finished).thrill
    assert stats is not None
    rounds, boss, tied, won, pushes, cost = 0, 0, 0, Counter(), 0, 0
    for one in finished:
        state = replay_file(tmp_path / "games" / f"{one.number:06d}.jsonl").state
        for done in state.history:
            rounds += 1
            boss += done.boss == done.pusher
            bids = [bid for bid in done.bids if bid >= 0]
            tied += bids.count(min(bids)) > 1
            pushes += 1
            cost += done.cost
        for seat in one.end.winners:
            won[one.seating[seat]] += 1
    assert stats.rounds.mean.value == pytest.approx(rounds / 12)
    assert stats.boss_pushes.value == pytest.approx(boss / rounds)
    assert stats.tied.value == pytest.approx(tied / rounds)
    assert stats.cost.value == pytest.approx(cost / pushes)
    assert [line.wins.count for line in summarise(two, finished).players] == [won[i] for i in range(3)]


def test_games_without_a_winner_do_not_drown_the_others() -> None:
    """THR-A06: a game that its cap ended is counted, and left out of what a round is like."""
    capped = plan("random", "random", "random", max_rounds=3)
    finished = run_match(capped, 40)
    won = [one for one in finished if one.end.winners]
    assert 5 < len(won) < 35
    every, few = summarise(capped, finished).thrill, summarise(capped, won).thrill
    assert every is not None
    assert few is not None
    assert (every.undecided, few.undecided) == (40 - len(won), 0)
    assert (every.rounds, every.players, every.boss_pushes) == (few.rounds, few.players, few.boss_pushes)
    none = summarise(capped, [one for one in finished if not one.end.winners]).thrill
    assert none is not None
    assert none.rounds.shortest == none.rounds.longest == 3


def test_options_from_the_command_line() -> None:
    thrill = games.get("thrill")
    assert options_given(thrill, [], None) == options_given(thrill, [], False) == Options(max_rounds=100)
    assert options_given(thrill, ["max_rounds=none"], True) == Options(variant=True, max_rounds=None)
    assert options_given(games.get("skull"), [], None) == games.get("skull").Options()
    for given in ("variant=true", "variant=false"):
        for variant in (True, False):
            with pytest.raises(InputError, match=r"^--variant, --option variant: give one of them$"):
                options_given(thrill, [given], variant)
    with pytest.raises(InputError, match=r"^--option rotation: is given twice$"):
        options_given(thrill, ["rotation=true", "rotation=false"], None)


def test_match_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["match", "thrill", "random", "random", "-n", "4", "--engine", "table", "--variant"]
    assert main([*words, "--json"]) == 0
    said = capsys.readouterr()
    result = json.loads(said.out)
    assert result["games"] == 4
    assert [line["name"] for line in result["players"]] == ["random", "random#2"]
    assert "4 of 4 games" in said.err
    assert main([*words, "--json", "--jobs", "2", "--out", str(tmp_path)]) == 0
    assert json.loads(capsys.readouterr().out) == result
    assert main([*words, "--out", str(tmp_path)]) == 0
    table = capsys.readouterr().out
    assert "± is a standard error; a range is a 95 % interval." in table
    rating = result["players"][0]["rating"]
    assert f"{rating['value']:+.0f} ± {rating['error']:.0f}" in table
    assert "the Disk Boss pushes" in table
    for wrong, message in (
        (["match", "thrill", "human", "random"], "PLAYERS: a person plays with thrillsim play"),
        (["match", "chess", "random"], "GAME: must be one of thrill"),
        ([*words, "--option", "colour=red"], "--option colour: no such option of thrill"),
        (["match", "thrill", "random", "random", "--engine", "magic"], "--engine: must be one of"),
        (["match", "thrill", "random", "nobody"], 'PLAYERS: no player "nobody" for thrill'),
        ([*words, "--games", "0"], "--games: must be 1 to 1000000, got 0"),
        ([*words, "--jobs", "0"], "--jobs: must be 1 to 1024, got 0"),
        (["match", "thrill", "random", "random", "--engine", ""], "--engine: must be one of rigid, quasi"),
        (["match", "thrill", "random"], "PLAYERS: needs 2 to 6 players, got 1"),
        (["match", "skull", "random", "--variant"], "--variant: skull has none"),
    ):
        assert main(wrong) == 2
        assert f" {message}" in capsys.readouterr().err


@pytest.mark.parametrize("engine", ["foo", "", "table"])
def test_a_planner_without_an_engine_leaves_no_folder(
    engine: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert main(["match", "thrill", f"planner@{engine}", "random", "--out", str(out)]) == 2
    line = f'the engine in planner@ENGINE must be one of rigid, quasistatic, got "{engine}"'
    assert capsys.readouterr() == ("", f"thrillsim: PLAYERS: {line}\n")
    assert not out.exists()


@pytest.mark.parametrize("damage", ["edited", "cut", "empty", "no text", "another game's", "broken off"])
def test_a_record_counts_only_after_it_was_replayed(damage: str, tmp_path: Path) -> None:
    match = plan("random", "random")
    whole = run_match(match, 4, out=tmp_path)
    before = files(tmp_path)
    game, other = (tmp_path / "games" / f"{k:06d}.jsonl" for k in (2, 3))
    raw = game.read_bytes()
    lines = raw.splitlines(keepends=True)[:-1]
    left = replay_file(game)
    game.write_bytes(
        {
            "edited": raw.replace(b'"chips":1', b'"chips":2', 1),
            "cut": b"".join(lines),
            "empty": b"",
            "no text": raw.replace(b'"n":2', b'"n":\xff', 1),
            "another game's": other.read_bytes(),
            "broken off": encode_broken_off(left.header, left.game, None, left.steps[:-1]),
        }[damage]
    )
    assert game.read_bytes() != raw
    seen: list[int] = []
    assert run_match(match, 4, out=tmp_path, progress=lambda done, of: seen.append(done)) == whole
    assert seen == [3, 4]  # that game alone is played again
    assert files(tmp_path) == before


def test_damaged_files_of_a_match_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["match", "skull", "random", "random", "random", "-n", "1", "--out", str(tmp_path)]
    assert main(words) == 0
    [game] = (tmp_path / "games").iterdir()
    game.unlink()
    game.mkdir()
    capsys.readouterr()
    assert main(words) == 2
    assert capsys.readouterr() == ("", f"thrillsim: {game}: cannot be read: is a directory\n")
    head = tmp_path / "match.json"
    for text, message in (
        (b'{"game": "skull",\n "options": }', 'is not JSON: wrong from line 2, character 13 on: "}"'),
        (b"{}", "game: is required"),
    ):
        head.write_bytes(text)
        assert main(words) == 2
        assert capsys.readouterr().err.splitlines()[-1] == f"thrillsim: {head}: {message}"
