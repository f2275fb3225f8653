"""The driver and the record, on a game small enough to work out by hand."""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec
import numpy as np
import pytest

from thrillsim import games
from thrillsim.bidding import Sealed, Seats
from thrillsim.errors import InputError
from thrillsim.games.options import parse_options
from thrillsim.games.protocol import (
    CHANCE,
    OVER,
    Act,
    Chance,
    Draw,
    Drawn,
    Event,
    Game,
    Happened,
    IllegalAction,
    IllegalOutcome,
    Legal,
    Mishap,
    Roll,
    Rolled,
    Turn,
    decide,
    fits,
    sample,
    who,
)
from thrillsim.play.record import encode, header, replay
from thrillsim.play.table import play
from thrillsim.players.random import Random


class Guess(msgspec.Struct, frozen=True, tag="guess"):
    face: int


class Options(msgspec.Struct, frozen=True):
    sides: int = 6


class View(msgspec.Struct, frozen=True):
    seat: int
    mine: int | None


class State(msgspec.Struct, frozen=True):
    options: Options
    seats: Seats
    guesses: Sealed[int]
    rolled: tuple[int, ...] = ()


class Guessing(Game[State]):
    """Everybody guesses a die in secret, the die is rolled, whoever was right wins."""

    name = "guessing"
    title = "Guessing"
    seats = (1, 6)
    Options = Options
    Action: ClassVar[Any] = Guess
    Outcome: ClassVar[Any] = Rolled

    def initial(self, options: Any, players: int) -> State:
        return State(options, Seats(players), Sealed.start(range(players)))

    def turn(self, state: State) -> Turn:
        if state.rolled:
            return OVER
        return CHANCE if state.guesses.complete else decide(*state.guesses.waiting)

    def legal(self, state: State, seat: int) -> Legal:
        return tuple(Guess(face) for face in range(1, state.options.sides + 1))

    def chance(self, state: State) -> Roll:
        return Roll((1,), state.options.sides)

    def step(self, state: State, seat: int, action: Any) -> State:
        return msgspec.structs.replace(state, guesses=state.guesses.commit(seat, action.face))

    def settle(self, state: State, outcome: Any) -> State:
        return msgspec.structs.replace(state, rolled=outcome.faces[0])

    def view(self, state: State, seat: int) -> View:
        return View(seat, state.guesses.own(seat))

    def winners(self, state: State) -> tuple[int, ...]:
        if not state.rolled:
            return ()
        return tuple(s for s, face in state.guesses.reveal().items() if face == state.rolled[0])

    def tell(self, before: State, event: Event, after: State) -> str:
        return f"The die shows {after.rolled[0]}." if isinstance(event, Chance) else ""

    def show(self, view: Any) -> str:
        return f"You are {who(view.seat)}."

    def label(self, action: Any) -> str:
        return str(action.face)


class Always:
    def __init__(self, face: int) -> None:
        self.face = face

    def act(self, view: Any, legal: Legal, rng: np.random.Generator) -> Any:
        return Guess(self.face)


GAME = Guessing()


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    real = games.get
    monkeypatch.setattr(games, "get", lambda name: GAME if name == "guessing" else real(name))


def test_same_seed_same_game_and_no_stream_disturbs_another() -> None:
    one = play(GAME, Options(), [Random(), Random(), Random()], seed=7)
    two = play(GAME, Options(), [Random(), Random(), Random()], seed=7)
    assert one == two
    mixed = play(GAME, Options(), [Random(), Always(3), Random()], seed=7)
    assert mixed.state.rolled == one.state.rolled
    assert mixed.state.guesses.own(2) == one.state.guesses.own(2)


def test_the_result_follows_from_the_die() -> None:
    players = [Always(face) for face in range(1, 7)]
    for seed in range(20):
        played = play(GAME, Options(), players, seed)
        die = played.state.rolled[0]
        assert played.winners == (die - 1,)
        assert played.places == tuple(1 if s == die - 1 else 2 for s in range(6))


def test_an_illegal_action_names_player_action_and_what_was_legal() -> None:
    with pytest.raises(
        IllegalAction, match=r"player B: Guess\(face=9\) is illegal; legal: 1, 2, 3"
    ) as caught:
        play(GAME, Options(sides=3), [Always(1), Always(9)], seed=0)
    assert (caught.value.seat, caught.value.action) == (1, Guess(9))
    played = play(GAME, Options(sides=3), [Always(1), Always(9), Always(2)], seed=0, forfeits=True)
    assert played.forfeit is not None
    assert (played.forfeit.seat, played.winners, played.places) == (1, (0, 2), (1, 2, 1))


def test_out_of_turn_and_wrong_outcomes_are_refused() -> None:
    state = GAME.initial(Options(), 2)
    with pytest.raises(IllegalOutcome, match="no chance event is due"):
        GAME.resolve(state, Rolled(((3,),)))
    state = GAME.act(state, 0, Guess(1))
    with pytest.raises(IllegalAction, match="to decide: B"):
        GAME.act(state, 0, Guess(1))
    state = GAME.act(state, 1, Guess(1))
    for wrong in (Rolled(((7,),)), Rolled(((1, 1),)), Drawn(0)):
        with pytest.raises(IllegalOutcome, match="does not answer"):
            GAME.resolve(state, wrong)


@pytest.mark.usefixtures("registered")
def test_a_record_replays_and_any_change_to_it_is_noticed() -> None:
    played = play(GAME, Options(), [Random(), Random()], seed=5)
    raw = encode(header(GAME, Options(), ["random", "random"], 5), GAME, played)
    again = replay(raw.splitlines())
    assert again.state == played.state
    assert again.steps == played.steps
    assert again.end.winners == played.winners
    lines = raw.splitlines()
    die = played.state.rolled[0]
    other = lines[3].replace(b"[[%d]]" % die, b"[[%d]]" % (die % 6 + 1))
    with pytest.raises(InputError, match=r"line 4: the state differs"):
        replay([*lines[:3], other, lines[4]])
    with pytest.raises(InputError, match="line 4, the game is not finished"):
        replay(lines[:-1])
    with pytest.raises(InputError, match="event 2 expected, got 3"):
        replay([lines[0], lines[1], *lines[3:]])
    with pytest.raises(InputError, match="the game is not over"):
        replay([*lines[:3], lines[4]])
    with pytest.raises(InputError, match="starts with its header"):
        replay(lines[1:])
    with pytest.raises(InputError, match="schema: must be 1, got 9"):
        replay([lines[0].replace(b'"schema":1', b'"schema":9'), *lines[1:]])


@pytest.mark.usefixtures("registered")
def test_a_forfeit_is_recorded_and_replays() -> None:
    played = play(GAME, Options(), [Always(1), Always(9)], seed=5, forfeits=True)
    raw = encode(header(GAME, Options(), ["one", "nine"], 5), GAME, played)
    assert replay(raw.splitlines()).end.forfeit == (
        1,
        "player B: Guess(face=9) is illegal; legal: 1, 2, 3, 4, 5, 6",
    )


def test_options_from_text() -> None:
    assert parse_options(GAME, ["sides=8"]) == Options(8)
    for given, message in [
        ("sides=many", 'sides: must be a whole number, got "many"'),
        ("faces=3", "faces: no such option of guessing; there are sides"),
        ("=3", '--option: write name=value, got "=3"'),
        ("sides", '--option: write name=value, got "sides"'),
    ]:
        with pytest.raises(InputError) as caught:
            parse_options(GAME, [given])
        assert str(caught.value) == message


def test_chance_outcomes_fit_their_requests() -> None:
    rng = np.random.default_rng(1)
    for request in (Roll((5, 0, 3), 6), Draw(4), Mishap((0.0, 1.0, 0.5))):
        for _ in range(50):
            assert fits(request, sample(request, rng))
    assert sample(Mishap((0.0, 1.0)), rng) == Happened((False, True))
    assert [Drawn(i) in {sample(Draw(3), rng) for _ in range(200)} for i in range(4)] == [
        True,
        True,
        True,
        False,
    ]
    with pytest.raises(TypeError, match="needs a world"):
        sample(Act(0, None), rng)
