"""A person at the terminal: prompts, help, undo, and nothing but what the seat may see."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from thrillsim.cli.main import main
from thrillsim.games.protocol import IllegalAction
from thrillsim.games.thrill import Announce, Arranged, Bid, Options, Place, Show, State, Thrill
from thrillsim.play.worlds import PhysicalWorld
from thrillsim.players.human import Human, Quit
from thrillsim.players.thrill.picture import write

GAME = Thrill()
RNG = np.random.default_rng(0)


class Terminal:
    def __init__(self, *typed: str) -> None:
        self.typed: Iterator[str] = iter(typed)
        self.shown: list[str] = []

    def ask(self, prompt: str) -> str:
        self.shown.append(prompt)
        try:
            return next(self.typed)
        except StopIteration:
            raise EOFError from None

    def text(self) -> str:
        return "\n".join(self.shown)


def act(state: State, seat: int, *typed: str, **more: Any) -> tuple[Any, str]:
    terminal = Terminal(*typed)
    person = Human(GAME, terminal.ask, terminal.shown.append, **more)
    action = person.act(GAME.view(state, seat), GAME.legal(state, seat), RNG)
    return action, terminal.text()


@pytest.fixture
def begun() -> State:
    return GAME.resolve(GAME.initial(Options(variant=True), 3), Arranged())


def test_by_word_by_beginning_and_by_number(begun: State) -> None:
    for typed in ("big 0", "big", "1"):
        action, _ = act(begun, 0, typed, "")
        assert action == Show(0)
    state = GAME.act(begun, 0, Show(0))
    action, shown = act(state, 1, "3", "")
    assert action == Bid(3)  # where numbers are the words, a number is what it says
    assert "You may: 0 to 10" in shown


def test_undo_takes_a_mistyped_entry_back(begun: State) -> None:
    state = GAME.act(begun, 0, Show(0))
    action, shown = act(state, 1, "7", "undo", "1", "")
    assert action == Bid(1)
    assert "7: Enter to confirm, undo to take it back" in shown
    assert "Taken back." in shown


def test_help_at_every_prompt(begun: State) -> None:
    state = GAME.act(begun, 0, Show(0))
    _, shown = act(state, 1, "?", "undo", "1", "?", "")
    assert "Type what you want to do" in shown
    assert shown.count("You may: 0 to 10") == 2
    assert "Nothing to take back yet" in shown
    assert "Enter confirms, undo takes the entry back" in shown


def test_nonsense_is_explained_and_asked_again(begun: State) -> None:
    state = GAME.act(begun, 0, Show(0))
    action, shown = act(state, 1, "eleven", "11", "-1", "", "2", "y")
    assert action == Bid(2)
    assert '"11" is not possible now (? for help)' in shown


def test_placing_by_coordinates(begun: State) -> None:
    state = GAME.act(begun, 0, Show(0))
    for seat, chips in enumerate((0, 1, 1)):
        state = GAME.act(state, seat, Bid(chips))
    state = GAME.act(state, 0, Announce(True))
    for seat in range(3):
        state = GAME.act(state, seat, GAME.legal(state, seat)[0])  # type: ignore[index]
    action, shown = act(state, 0, "-40", "-40 0", "-40 0 on 2 5 0", "")
    assert action == Place(-40.0, 0.0, 2, 5.0, 0.0)
    assert "write x y on DISK" in shown
    assert "not allowed; allowed is the big disk at x in [-59, -21]" in shown


def test_leaving(begun: State) -> None:
    for typed in (("quit",), (), ("big", "quit")):
        with pytest.raises(Quit):
            act(begun, 0, *typed)


def test_people_who_share_a_screen_hand_over(begun: State) -> None:
    _, shown = act(begun, 0, "", "big", "", shared=True)
    assert shown.index("the others look away") < shown.index("You hold")


def test_the_screen_shows_what_the_seat_sees_and_no_more(begun: State) -> None:
    """THR-21"""
    state = GAME.act(begun, 0, Show(0))
    state = GAME.act(state, 0, Bid(6))
    _, shown = act(state, 1, "1", "")
    assert "You hold 10 chips" in shown
    assert "6" not in shown.replace("medium", "").split("You may")[0].replace("16", "")


def test_the_board_in_text_and_as_a_picture(tmp_path: Path) -> None:
    state = GAME.initial(Options(), 2)
    world = PhysicalWorld(accuracy="draft")
    state = GAME.resolve(state, world(GAME.chance(state), np.random.default_rng(1)))
    _, shown = act(state, 0, "big", "", picture=lambda view: write(view, tmp_path / "board.svg"))
    for disk in state.on_board:
        assert f"{disk:02d}" in shown
    assert "blocking edge" in shown
    picture = (tmp_path / "board.svg").read_text()
    assert picture.count(">31<") == 1
    assert "28 disks on the board, 4 in reserve" in picture


def test_a_whole_game_at_the_command_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    record = tmp_path / "game.jsonl"
    typed: Callable[[str], str] = _cheap_person()
    monkeypatch.setattr("builtins.input", typed)
    words = ["play", "thrill", "--players", "human,random", "--engine", "table", "--seed", "8"]
    assert main([*words, "--record", str(record)]) == 0
    told = capsys.readouterr().out
    assert "Disk Boss A shows" in told
    assert main(["replay", str(record)]) == 0
    again = capsys.readouterr().out
    assert "verified:" in again
    for line in again.splitlines()[:-1]:
        assert line in told
    monkeypatch.setattr("builtins.input", lambda prompt: "quit")
    assert main(words) == 130


def _cheap_person() -> Callable[[str], str]:
    """Tries one word after the other until one fits, and confirms it."""
    words = itertools.cycle(("0", "big", "medium", "small", "-40 0"))
    return lambda prompt: "" if "Enter to confirm" in prompt else next(words)


def test_wrong_players_and_seats(capsys: pytest.CaptureFixture[str]) -> None:
    for words, message in {
        ("--players", "random,nobody"): 'no player "nobody" for thrill',
        ("--players", "random"): "needs 2 to 6 players, got 1",
        ("--players", "random,random", "--seed", "-1"): "--seed: must be 0 to 9007199254740992, got -1",
        ("--players", "random,random", "--option", "x"): "--option: write name=value",
    }.items():
        assert main(["play", "thrill", "--engine", "table", *words]) == 2
        assert message in capsys.readouterr().err


def test_errors_of_the_rules_name_player_action_and_choice(begun: State) -> None:
    with pytest.raises(IllegalAction, match="player A: 'x' is illegal; legal: big 0, medium 7"):
        GAME.act(begun, 0, "x")
