"""A game of Thrill in words: events as people would tell them, views for the terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from thrillsim.bidding import lowest
from thrillsim.errors import counted
from thrillsim.games.protocol import Act, Event, who
from thrillsim.games.thrill.types import (
    KIND_OF,
    KINDS,
    Action,
    Announce,
    Bid,
    Cash,
    Fallen,
    GiveUp,
    Place,
    Round,
    Row,
    Show,
    State,
    Table,
    TurnBoard,
    Turned,
    View,
    Wager,
)


def name(disk: int) -> str:
    """``big 3``."""
    return f"{KINDS[KIND_OF[disk]]} {disk}"


def disks(which: Iterable[int]) -> str:
    """``2 big, 1 small``, or ``no disk``."""
    count = Counter(KIND_OF[disk] for disk in which)
    return ", ".join(f"{count[kind]} {KINDS[kind]}" for kind in sorted(count)) or "no disk"


def chips(count: int) -> str:
    """``1 chip``, ``2 chips``."""
    return f"{count} chip" if count == 1 else f"{count} chips"


def label(action: Action) -> str:
    """A short word that a person can type."""
    match action:
        case Show(disk):
            return name(disk)
        case Bid(count):
            return str(count)
        case Announce(weight):
            return "weight" if weight else "no weight"
        case Wager(stay, fall):
            words = ["stay"] * stay + ["fall"] * fall
            return "+".join(words) or "none"
        case TurnBoard(quarters, pace):
            return f"turn {quarters} {pace}" if quarters else "leave"
        case Place(x, y, weight, dx, dy):
            on = "" if weight is None else f" on {weight}" + (f" {dx:g} {dy:g}" if dx or dy else "")
            return f"{x:g} {y:g}{on}"
        case Cash():
            return "cash"
        case GiveUp():
            return "give up"


def event(before: State, event: Event, after: State) -> str:
    """One event, and the end of the round if it brought that."""
    lines = []
    if isinstance(event, Act):
        lines.append(_act(before, event.seat, event.action))
        if isinstance(event.action, Bid) and before.bids.waiting == (event.seat,):
            lines.append(_revealed(before, event))
        if isinstance(event.action, Wager) and before.wagers.waiting == (event.seat,):
            lines.append(_wagered(before, event))
    elif isinstance(event.outcome, Turned):
        lines.append(f"  Turning the board drops {disks(event.outcome.fallen)}.")
    if len(after.history) > len(before.history):
        lines.append(round_end(after.history[-1]))
        if after.phase == "over" or after.round != before.round:
            lines += _over(after)
    elif before.phase == "set_up":
        lie = counted(len(after.on_board), "disk lies", "disks lie")
        lines.append(f"{lie} on the board; {disks(after.reserve)} in reserve.")
    return "\n".join(filter(None, lines))


def _act(before: State, seat: int, action: Action) -> str:
    me = who(seat)
    match action:
        case Show(disk):
            origin = "" if disk in before.reserve else ", taken off the board because the reserve is empty"
            return f"Round {before.round}: Disk Boss {me} shows a {KINDS[KIND_OF[disk]]} disk{origin}."
        case Announce(weight):
            return f"  {me} announces {'the weight' if weight else 'no weight'}."
        case TurnBoard(quarters, pace) if quarters:
            return f"  {me} turns the board by {90 * quarters}°, {pace}ly."
        case Place(x, y, weight):
            on = "" if weight is None else f", the weight on {name(weight)}"
            assert before.shown is not None
            return f"  {me} puts {name(before.shown)} at ({x:.1f}, {y:.1f}){on}, and pushes."
        case Cash():
            return f"  {me} cashes three small chips in."
        case GiveUp():
            return f"  {me} gives up."
    return ""


def _revealed(before: State, event: Act) -> str:
    bids = before.bids.commit(event.seat, event.action.chips).reveal()
    tied = lowest(bids)
    pusher = before.seats.first_of(tied, before.boss)
    hands = ", ".join(f"{who(seat)} {count}" for seat, count in bids.items())
    why = f" (tie of {', '.join(map(who, tied))})" if len(tied) > 1 else ""
    return f"  Bids: {hands}. {who(pusher)} must push{why}."


def _wagered(before: State, event: Act) -> str:
    """Told once all have decided, like the bids."""
    played = before.wagers.commit(event.seat, event.action).reveal()
    laid = [f"{who(seat)} {wager.stay + wager.fall}" for seat, wager in played.items() if wager != Wager()]
    return f"  Wager cards face down: {', '.join(laid)}." if laid else "  Nobody wagers."


def _bill(fallen: Iterable[Fallen]) -> str:
    parts = []
    for fall in fallen:
        extra = {"rotation": " in turning", "placing": " under the hand", "weight_removal": " at the lift"}
        parts.append(f"{name(fall.disk)} ({fall.price}{extra.get(fall.during, '')})")
    return ", ".join(parts)


def round_end(done: Round) -> str:
    """What a finished round came to."""
    me = who(done.pusher)
    lines = []
    if done.shown is None:
        return f"  The reserve is empty, nobody pushes; {me} is the next Disk Boss."
    if not done.fallen:
        lines.append("  Nothing falls.")
    elif done.out:
        lines.append(f"  Down go {_bill(done.fallen)}: {me} owes {done.cost}, has {done.paid}, and is out.")
    else:
        lines.append(f"  Down go {_bill(done.fallen)}: {me} pays {chips(done.cost)}.")
    for seat, stay, fall, right in done.wagers:
        said = "+".join(["no disk falls"] * stay + ["at least one falls"] * fall)
        lines.append(f"  {who(seat)} had wagered: {said}: {f'{right} right' if right else 'wrong'}.")
    return "\n".join(lines)


def _over(after: State) -> list[str]:
    if after.phase != "over":
        return []
    left = after.seats.living
    if len(left) == 1:
        return [
            f"{who(left[0])} is the last one left and wins, with {chips(after.stakes.held(left[0], 'big'))}."
        ]
    return [f"The game ends undecided between {', '.join(map(who, left))}."]


# --- the view ----------------------------------------------------------------------------


def view(seen: View) -> str:
    """What a seat sees, as text."""
    lines = [
        f"Round {seen.round}. You are {who(seen.seat)}. Disk Boss: {who(seen.boss)}.",
        f"Still in: {', '.join(map(who, seen.living))}.",
        f"You hold {chips(seen.chips)}{_cards(seen)}.",
        f"Reserve: {disks(seen.reserve)}.",
    ]
    if seen.shown is not None:
        lines.append(f"The disk to be pushed: {name(seen.shown)}.")
    if all(seen.bids[seat] >= 0 for seat in seen.living):
        lines.append("Bids: " + ", ".join(f"{who(seat)} {seen.bids[seat]}" for seat in seen.living) + ".")
    if seen.pusher is not None:
        lines.append(f"{who(seen.pusher)} must push{', with the weight' if seen.weight else ''}.")
    laid = [f"{who(seat)} {count}" for seat, count in enumerate(seen.wagered) if count]
    if laid:
        lines.append(f"Wager cards face down: {', '.join(laid)}.")
    if seen.layout:
        lines.append(board(seen.layout, seen.table))
    return "\n".join(lines)


def _cards(seen: View) -> str:
    if not seen.options.variant:
        return ""
    mine = next((row for row in seen.cards if row[0] == seen.seat), (seen.seat, 0, 0, 0))
    _, stay, fall, weight = mine
    return (
        f", {seen.small} small; cards: {stay} 'no disk falls', {fall} 'at least one falls', {weight} weight"
    )


def board(layout: tuple[Row, ...], table: Table, columns: int = 78) -> str:
    """The playing surface seen from the pusher: up is the push direction, left is y > 0.

    Every disk is drawn as its outline with its number in the middle; one character
    is about 2.9 mm wide and twice as high.
    """
    low, high = table.zone[2], table.zone[3]
    step = (high - low) / columns
    top = max((row[1] + table.radii[KIND_OF[row[0]]] for row in layout), default=0.0)
    rows = int(top / (2 * step)) + 1
    grid = [[" "] * columns for _ in range(rows)]
    for disk, x, y, _ in layout:
        r = table.radii[KIND_OF[disk]]
        for i in range(rows):
            for j in range(columns):
                px, py = (rows - 1 - i + 0.5) * 2 * step, high - (j + 0.5) * step
                if (px - x) ** 2 + (py - y) ** 2 <= r * r:
                    grid[i][j] = "Oo."[KIND_OF[disk]]
        i, j = rows - 1 - int(x / (2 * step)), int((high - y) / step) - 1
        for k, letter in enumerate(f"{disk:02d}"):
            if 0 <= i < rows and 0 <= j + k < columns:
                grid[i][j + k] = letter
    frame = "+" + "-" * columns + "+"
    x0, x1 = table.zone[:2]
    zone = f"zone for new disks: x {x0:g} .. {x1:g}, y {low:g} (right) .. {high:g} (left), mm"
    body = ["|" + "".join(line) + "|" for line in grid]
    return "\n".join([frame, *body, "+" + "=" * columns + "+  blocking edge, x = 0", zone])
