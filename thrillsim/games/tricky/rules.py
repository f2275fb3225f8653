"""The course of a game of Tricky, clause by clause (ids of the rule sheet beside it).  May import bidding."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import Any, ClassVar

from msgspec.structs import replace

from thrillsim.bidding import Seats, Stakes, replaced
from thrillsim.games.protocol import CHANCE, OVER, Event, Game, Legal, Roll, Rolled, Turn, decide
from thrillsim.games.tricky import tell
from thrillsim.games.tricky import types as t
from thrillsim.games.tricky.board import CHIPS, COLUMNS
from thrillsim.games.tricky.types import CHIP, DICE, LOAN, SIDES, START, STOCK, Keep, Place, State, column


class Tricky(Game[State]):
    """2 to 5 players (TRK-01, TRK-A17)."""

    name = "tricky"
    title = "Tricky"
    seats = (2, 5)
    Options = t.Options
    Action: ClassVar[Any] = t.Action
    Outcome: ClassVar[Any] = t.Outcome

    def initial(self, options: t.Options, players: int) -> State:
        """18, 22 or 25 chips each, the rest of the 130 in the general stock (TRK-01)."""
        self.check_players(players)
        self.check_seat(options.first_player, players)
        each = START[players]
        stakes = Stakes.deal(
            {seat: {CHIP: each} for seat in range(players)}
            | {STOCK: {CHIP: CHIPS - players * each}}
            | {column(face): {CHIP: 0} for face in range(1, COLUMNS + 1)}
        )
        return State(
            options=options,
            seats=Seats(players),
            stakes=stakes,
            filled=(0,) * COLUMNS,
            active=options.first_player,  # TRK-A14
        )

    def turn(self, state: State) -> Turn:
        """The throw is chance, all else is the active player's."""
        if state.phase == "over":
            return OVER
        return CHANCE if state.phase == "throw" else decide(state.active)

    def legal(self, state: State, seat: int) -> Legal:
        """What `seat` may do now."""
        if seat != state.active or state.phase in ("throw", "over"):
            return ()
        if state.phase == "keep":
            return subsets(state.thrown)
        return tuple(map(Place, placeable(state)))

    def chance(self, state: State) -> Roll:
        """TRK-02, TRK-04: all dice that are not set aside."""
        return Roll((DICE - len(state.kept),), SIDES)

    def settle(self, state: State, outcome: Rolled) -> State:
        """The dice lie there."""
        return replace(state, thrown=tuple(sorted(outcome.faces[0])), phase="keep")

    def step(self, state: State, seat: int, action: t.Action) -> State:  # noqa: ARG002 - always the active one
        """The state after a legal action."""
        if isinstance(action, Place):
            return self._next_die(place(state, action.face))
        state = replace(state, thrown=(), kept=tuple(sorted((*state.kept, *action.faces))))
        if len(state.kept) < DICE:
            return replace(state, phase="throw")  # TRK-04, TRK-A18
        kept = tuple(face for face in state.kept if face < SIDES)  # TRK-08, TRK-A16: a 6 places nothing
        return self._next_die(replace(state, kept=kept, phase="place"))

    def _next_die(self, state: State) -> State:
        """TRK-11, TRK-A06: when nothing is left that can be placed, the turn ends."""
        return state if placeable(state) else self._end_turn(state)

    def _end_turn(self, state: State) -> State:
        """TRK-12, TRK-A07: what was borrowed is due, as far as it can be paid."""
        active, options = state.active, state.options
        stakes = state.stakes.move_up_to(CHIP, active, STOCK, state.borrowed)
        state = replace(state, stakes=stakes, thrown=(), kept=(), borrowed=0)
        checked = state.seats.living if options.end_check == "any" else (active,)  # TRK-A05
        if any(state.chips(seat) == 0 for seat in checked):  # TRK-14, TRK-A08; else TRK-13
            return replace(state, phase="over")
        return replace(state, active=state.seats.next(active), turns=state.turns + 1, phase="throw")

    # --- what is seen, and how it ended ----------------------------------------------------

    def view(self, state: State, seat: int) -> t.View:
        """Everything: nothing is hidden."""
        return t.View(
            options=state.options,
            seat=seat,
            turns=state.turns,
            phase=state.phase,
            active=state.active,
            chips=tuple(map(state.chips, range(state.seats.n))),
            stock=state.stock,
            filled=state.filled,
            thrown=state.thrown,
            kept=state.kept,
            borrowed=state.borrowed,
        )

    def winners(self, state: State) -> tuple[int, ...]:
        """Most chips; ties share (TRK-14)."""
        places = self.places(state)
        return tuple(s for s, place in enumerate(places) if place == 1) if state.phase == "over" else ()

    def places(self, state: State) -> tuple[int, ...]:
        """By chips after repaying; chips on the board count for nobody (TRK-A15)."""
        chips = [state.chips(seat) for seat in range(state.seats.n)]
        return tuple(1 + sum(other > own for other in chips) for own in chips)

    def tell(self, before: State, event: Event, after: State) -> str:
        """The event in words."""
        return tell.event(before, event, after)

    def show(self, view: t.View) -> str:
        """The view as text."""
        return tell.view(view)

    def label(self, action: t.Action) -> str:
        """A short word for an action."""
        return tell.label(action)


@lru_cache(maxsize=1000)
def subsets(thrown: tuple[int, ...]) -> tuple[Keep, ...]:
    """TRK-03: every choice of at least one die, equal faces being the same; up to all of them (TRK-A18)."""
    found = {chosen for size in range(1, len(thrown) + 1) for chosen in combinations(thrown, size)}
    return tuple(Keep(faces) for faces in sorted(found, key=lambda faces: (len(faces), faces)))


def placeable(state: State) -> tuple[int, ...]:
    """The faces of which a die can be placed now, ascending (TRK-A01, TRK-A06)."""
    faces = tuple(face for face in sorted(set(state.kept)) if payment(state, face) is not None)
    return faces[:1] if state.options.order == "ascending" else faces


def payment(state: State, face: int) -> tuple[str | int, int, int] | None:
    """Who pays the next space of a column, how much, and how much of it is borrowed; None if nobody can.

    TRK-07: the general stock pays yellow spaces, the player all others, the red
    one too (TRK-A02).
    """
    line = state.options.board[face]
    space = state.filled[face - 1]
    cost = line.cost(space)
    if line.spaces[space] == "Y":
        if state.stock >= cost:
            return STOCK, cost, 0
        if state.options.empty_stock == "skip":  # TRK-A10
            return None
    # TRK-A09, TRK-A20: own chips first, then borrowed ones, one by one; TRK-A12: the second chip of two too
    loan = max(0, cost - state.chips(state.active))
    if state.borrowed + loan > LOAN or loan > state.stock:  # TRK-12, TRK-A11
        return None
    return state.active, cost, loan


def place(state: State, face: int) -> State:
    """The state after one die of `face` was placed (TRK-05)."""
    paid = payment(state, face)
    assert paid is not None
    payer, cost, loan = paid
    stakes = state.stakes
    if loan:
        stakes = stakes.move(CHIP, STOCK, state.active, loan)
    stakes = stakes.move(CHIP, payer, column(face), cost)
    filled = state.filled[face - 1] + 1
    line = state.options.board[face]
    if filled == len(line.spaces):  # TRK-09, TRK-A03: always; TRK-A13: at once, each column for itself
        stakes = stakes.move_all(CHIP, column(face), state.active)
        for other in state.seats.round_from(state.active):
            if other != state.active:
                stakes = stakes.move_up_to(CHIP, other, STOCK, line.arrow)  # TRK-A04
        filled = 0  # TRK-10, TRK-A19: further dice start at the top
    at = state.kept.index(face)
    return replace(
        state,
        stakes=stakes,
        filled=replaced(state.filled, face - 1, filled),
        kept=state.kept[:at] + state.kept[at + 1 :],
        borrowed=state.borrowed + loan,
    )
