"""A game of Tricky in words: events as people would tell them, views for the terminal."""

from __future__ import annotations

from thrillsim.games.protocol import Act, Event, who
from thrillsim.games.tricky.types import LOAN, SIDES, Action, Keep, Place, State, View


def chips(count: int) -> str:
    """``1 chip``, ``2 chips``."""
    return f"{count} chip" if count == 1 else f"{count} chips"


def faces(dice: tuple[int, ...]) -> str:
    """``2 2 6``, or ``none``."""
    return " ".join(map(str, dice)) or "none"


def label(action: Action) -> str:
    """A short word that a person can type."""
    match action:
        case Keep(dice):
            return "keep " + faces(dice)
        case Place(face):
            return f"place {face}"


def event(before: State, event: Event, after: State) -> str:
    """One event, and the end of the turn if it brought that."""
    me = who(before.active)
    lines = []
    if not isinstance(event, Act):
        lines.append(f"{me} throws {faces(after.thrown)}.")
    elif isinstance(event.action, Keep):
        lines.append(f"{me} sets aside {faces(event.action.faces)}.")
    else:
        lines.append(_placed(before, event.action.face, after))
    if after.turns > before.turns or after.phase == "over":
        unplaced = _unplaced(before, event)
        if unplaced:
            lines.append(f"  Not placed, for it cannot be paid: {faces(unplaced)}.")
        held = ", ".join(f"{who(s)} {after.chips(s)}" for s in range(after.seats.n))
        lines.append(f"  Chips now: {held}; stock {after.stock}.")
        lines.append(
            "The game is over." if after.phase == "over" else f"Turn {after.turns}: {who(after.active)}."
        )
    return "\n".join(lines)


def _unplaced(before: State, event: Event) -> tuple[int, ...]:
    """The dice that are left when this event ends the turn."""
    assert isinstance(event, Act)
    if isinstance(event.action, Keep):
        return tuple(sorted(face for face in (*before.kept, *event.action.faces) if face < SIDES))
    at = before.kept.index(event.action.face)
    return before.kept[:at] + before.kept[at + 1 :]


def _placed(before: State, face: int, after: State) -> str:
    me = who(before.active)
    line = before.options.board[face]
    space = before.filled[face - 1]
    cost = chips(line.cost(space))
    if after.filled[face - 1] == 0:
        gain = chips(line.chips(space) + line.cost(space))
        return f"{me} completes column {face} with {cost} and takes {gain}; all others pay {line.arrow}."
    return f"{me} puts {cost} on space {space + 1} of column {face}."


def view(view: View) -> str:
    """The board with its chips, what everybody has, and the dice."""
    lines = [f"Turn {view.turns} of {who(view.active)}. You are {who(view.seat)}."]
    for face, line in enumerate(view.options.board.columns, 1):
        filled = view.filled[face - 1]
        spaces = " ".join(
            f"{colour}{'*' * line.cost(i) if i < filled else '.' * line.cost(i)}"
            for i, colour in enumerate(line.spaces)
        )
        lines.append(f"  column {face}: {spaces:34} arrow {line.arrow}, {chips(line.chips(filled))} on it")
    held = ", ".join(f"{who(seat)} {count}" for seat, count in enumerate(view.chips))
    lines.append(f"  chips: {held}; general stock {view.stock}")
    if view.borrowed:
        lines.append(f"  borrowed: {view.borrowed} of {LOAN}")
    dice = f"  set aside: {faces(view.kept)}"
    lines.append(dice + (f"; thrown: {faces(view.thrown)}" if view.thrown else ""))
    return "\n".join(lines)
