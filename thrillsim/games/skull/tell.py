"""A game of Skull in words: events as the table sees them, naming no face-down disc; views as text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from thrillsim.games.protocol import Act, Event, who
from thrillsim.games.skull.types import SKULL, Action, Bid, Box, Face, Flip, Lay, Pass, Start, State, View


def faces(discs: Iterable[Face]) -> str:
    """``2 flowers, skull``, or ``nothing``."""
    count = Counter(discs)
    words = []
    if count["flower"]:
        words.append("flower" if count["flower"] == 1 else f"{count['flower']} flowers")
    words += [SKULL] * count[SKULL]
    return ", ".join(words) or "nothing"


def label(action: Action) -> str:
    """A short word that a person can type."""
    match action:
        case Lay(face):
            return face
        case Bid(count):
            return f"bid {count}"
        case Pass():
            return "pass"
        case Flip(owner):
            return f"flip {who(owner)}"
        case Box(face):
            return f"box {face}"
        case Start(seat):
            return f"start {who(seat)}"


def event(before: State, event: Event, after: State) -> str:
    """One event, and the end of the round if it brought that."""
    lines = []
    if isinstance(event, Act):
        lines.append(_act(before, event.seat, event.action))
    else:
        lines.append(f"{who(before.turn)} draws one of {_whose(before)} discs blindly; it goes into the box.")
    if after.bidding and after.phase == "flip" and before.phase != "flip":
        count = after.standing
        lines.append(f"  {_challenger(after)} has to flip {count} disc{'s' * (count > 1)}.")
    challenger = before.bidder
    if challenger is not None:
        if after.mats[challenger] != before.mats[challenger]:
            lines.append(
                f"  Success: the mat of {who(challenger)} shows its flower side."
                if after.mats[challenger] == "flower"
                else f"  {who(challenger)} is out."
            )
        elif after.winner == challenger and len(after.seats) > 1:
            lines.append(f"  Success, for the second time: {who(challenger)} wins.")
    if after.winner is not None and len(after.seats) == 1:
        lines.append(f"  {who(after.winner)} is the only one left and wins.")
    if after.round > before.round:
        lines.append(f"Round {after.round}, first player {who(after.first)}.")
    return "\n".join(line for line in lines if line)


def _act(before: State, seat: int, action: Action) -> str:
    me = who(seat)
    match action:
        case Lay() if before.phase == "first":
            return "Everybody has laid a disc." if before.laying.waiting == (seat,) else ""
        case Lay():
            return f"{me} lays another disc."
        case Bid(count):
            return f"{me} {'raises to' if before.standing else 'bids'} {count}."
        case Pass():
            return f"{me} passes."
        case Flip(owner):
            discs = before.discs[owner]
            face = discs.stack[discs.hidden - 1]
            whose = "an own disc" if owner == seat else f"a disc of {who(owner)}"
            return f"{me} flips {whose}: {'a skull!' if face == SKULL else 'a flower.'}"
        case Box():
            return f"{me} puts one of the own discs into the box."
        case Start(first):
            return f"{me} names {who(first)} as first player."


def view(view: View) -> str:
    """Everything the seat may see; ``#`` is a disc face down."""
    head = f"Round {view.round}, first player {who(view.first)}. You are {who(view.seat)}."
    if view.bidder is not None:
        head += f" Highest bid: {view.standing} by {who(view.bidder)}."
    if view.phase == "flip":
        head += f" Still to flip: {view.to_flip}."
    lines = [head]
    for seat, seen in enumerate(view.table):
        if seen.mat == "gone":
            lines.append(f"   {who(seat)}  out")
            continue
        mark = ">" if seat == view.turn and view.phase not in ("first", "over") else " "
        laid = " ".join(["#"] * seen.hidden + list(reversed(seen.shown))) or "-"
        said = [f"bid {seen.bid}"] if seen.bid else []
        said += ["passed"] if seen.passed else []
        said += [f"lost: {' '.join(seen.lost)}"] if seen.lost else []
        skull = {"yes": "has a skull", "no": "has no skull", "open": "may have a skull"}[seen.skull]
        lines.append(
            f" {mark} {who(seat)}  {seen.mat + ' mat':11} on it: {laid:15} in hand: {seen.left - seen.laid}"
            f"   {skull:16} {', '.join(said)}".rstrip()
        )
    own = f"Your hand: {faces(view.hand)}."
    if view.stack:
        own += f" On your mat, bottom first: {' '.join(view.stack)}."
    if view.chosen:
        own += f" Your first disc: {view.chosen}."
    if view.box:
        own += f" In the box: {faces(view.box)}."
    return "\n".join([*lines, own])


def _challenger(state: State) -> str:
    assert state.bidder is not None
    return who(state.bidder)


def _whose(state: State) -> str:
    return f"{_challenger(state)}'s"
