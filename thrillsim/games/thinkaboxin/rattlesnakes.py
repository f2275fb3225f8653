"""Thinkaboxin, Rattlesnakes: won dice become parts of a snake on a board (THK-60 to THK-71).

May import bidding.  `snakes` says where parts may go and what may be taken off, this file who does it when.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from thrillsim.errors import InputError, counted
from thrillsim.games.thinkaboxin import snakes as on_board
from thrillsim.games.thinkaboxin.course import Mode, after_race, finish, ranked, start_race, start_set
from thrillsim.games.thinkaboxin.snakes import PARTS, snakes, supply
from thrillsim.games.thinkaboxin.types import (
    Action,
    Options,
    Place,
    RemoveOther,
    RemoveOwn,
    Snakes,
    State,
    Stop,
    Way,
)


class Rattlesnakes(Mode):
    """First to have all parts on the board wins."""

    title = "Rattlesnakes"

    def check(self, options: Options, players: int) -> None:
        """The board must hold the parts of all (THK-60) and a head for each (THK-64)."""
        map_ = on_board.board(options)
        if len(map_.heads) < players:
            have = f"has {len(map_.heads)} snake-head squares, {players} players need {players}"
            raise InputError(f"the board {have}", key="board")
        if map_.room(players) < PARTS * players:
            room = counted(map_.room(players), "part")
            have = f"has room for {room}, {players} players have {PARTS * players}"
            raise InputError(f"the board {have}", key="board")

    def book(self, options: Options, players: int) -> Snakes:  # noqa: ARG002 - the same for all options
        """All parts in front of their owners (THK-60, THK-70)."""
        return Snakes(parts=((),) * players, heads=(-1,) * players, dives=((),) * players)

    def decider(self, state: State) -> int:
        """Who is at it."""
        book = snakes(state)
        return book.first if state.phase == "way" else book.queue[0]

    def set_over(self, state: State, winners: tuple[int, ...], loser: int) -> State:
        """The fewest won dice place first, and turn the order left or right (THK-62)."""
        seats = state.seats
        fewest = min(state.won(seat) for seat in seats.living)
        weak = [seat for seat in seats.living if state.won(seat) == fewest]
        latest = max(state.lost[seat] for seat in weak)
        first = seats.first_of([seat for seat in weak if state.lost[seat] == latest], state.starter)
        book = snakes(state)
        book = replace(book, immune=winners, finished=(), moved=False, first=first, loser=loser)
        state = replace(state, book=book)
        if len(seats) == 2:
            return _queue(state, 1)
        return replace(state, phase="way")  # THK-A31: even if he has nothing to place

    def legal(self, state: State, seat: int) -> tuple[Any, ...]:
        """Left or right; or a part to place, the end of placing, a part to remove (THK-68)."""
        return (Way(1), Way(-1)) if state.phase == "way" else _moves(state, seat)

    def step(self, state: State, seat: int, action: Action) -> State:
        """Place or remove, and on to the next player when done."""
        match action:
            case Way(direction):
                return _queue(state, direction)
            case Place(square):
                book = on_board.place(state, seat, square)
                done = not supply(book, seat)
                if done:  # THK-A41: placed is placed
                    book = replace(book, finished=(*book.finished, seat))
                state = replace(state, book=replace(book, left=book.left - 1, begun=True))
                if not done and book.left > 1 and on_board.placements(state, seat):
                    return state  # THK-A30: blocked, the rest lapses
            case RemoveOwn() | RemoveOther():
                state = replace(state, book=on_board.remove(state, seat, action))
        return _next(state)

    def race_over(self, state: State, winner: int) -> State:
        """The deciding race is won (THK-71)."""
        return finish(state, after_race(state, winner, tuple(map(len, snakes(state).parts))))


def _moves(state: State, seat: int) -> tuple[Any, ...]:
    """What the seat whose turn it is may do; empty if it can do nothing (THK-A30)."""
    book = snakes(state)
    places = tuple(map(Place, on_board.placements(state, seat))) if book.left else ()
    # THK-68: a set winner does one of the three, so nothing is removed once a part is placed
    off = tuple(on_board.removals(state, seat)) if seat in book.immune and not book.begun else ()
    bound = not (places or off) or (places and state.options.must_place)  # THK-A29
    return (*places, *off) if bound else (*places, *off, Stop())


def _queue(state: State, direction: int) -> State:
    """The order of placing: seats, not ranks (THK-62)."""
    book = snakes(state)
    rest = [seat for seat in state.seats.round_from(book.first, direction) if seat != book.first]
    return _turn_of(replace(state, phase="place", book=replace(book, queue=(book.first, *rest))))


def _next(state: State) -> State:
    book = snakes(state)
    return _turn_of(replace(state, book=replace(book, queue=book.queue[1:])))


def _turn_of(state: State) -> State:
    """The next in the queue who can do anything; then the end of the set."""
    book = snakes(state)
    while book.queue:
        seat = book.queue[0]
        # THK-61: as many parts as dice won; THK-A42: no more than are left
        left = min(state.won(seat), supply(book, seat))
        state = replace(state, book=replace(book, left=left, begun=False))
        if _moves(state, seat):
            return replace(state, book=replace(snakes(state), moved=True))
        book = replace(snakes(state), queue=book.queue[1:])
        state = replace(state, book=book)
    return _set_end(replace(state, book=replace(book, left=0, begun=False)))


def _set_end(state: State) -> State:
    """All have placed: has anybody won (THK-60, THK-71, THK-A41)?"""
    book = snakes(state)
    if book.finished:
        return _decide(state, book.finished)
    if not book.moved or state.number >= state.options.max_sets:  # THK-A46
        longest = max(map(len, book.parts))
        return _decide(state, tuple(s for s, own in enumerate(book.parts) if len(own) == longest))
    return start_set(state, state.seats, book.first)  # THK-63


def _decide(state: State, best: tuple[int, ...]) -> State:
    book = snakes(state)
    if len(best) == 1:
        keys = [(seat in best, len(own)) for seat, own in enumerate(book.parts)]
        return finish(state, ranked(keys))
    return start_race(replace(state, book=replace(book, final=True)), best, book.loser)
