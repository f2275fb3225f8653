"""A game of Thinkaboxin in words: events as people would tell them, views for the terminal."""

from __future__ import annotations

from collections.abc import Iterable

from thrillsim.bidding import Bid
from thrillsim.errors import counted
from thrillsim.games.protocol import Act, Event, Happened, who
from thrillsim.games.thinkaboxin.board import STRIDE, square_name
from thrillsim.games.thinkaboxin.nuggets import POOL
from thrillsim.games.thinkaboxin.snakes import board, diving, supply
from thrillsim.games.thinkaboxin.types import (
    VALUES,
    Action,
    Call,
    Duels,
    Lift,
    Options,
    Place,
    Purse,
    RemoveOwn,
    Scores,
    Snakes,
    Stake,
    State,
    Stop,
    View,
    Way,
)

WAYS = {1: "left", -1: "right", 0: ""}


def dice(faces: Iterable[int]) -> str:
    """``1 2 2 5``, or ``nothing``."""
    return " ".join(map(str, faces)) or "nothing"


def names(seats: Iterable[int]) -> str:
    """``A, B and C``."""
    text = [who(seat) for seat in seats]
    return " and ".join(filter(None, (", ".join(text[:-1]), text[-1]))) if text else "nobody"


def bid(said: Bid | Call) -> str:
    """``4x3``."""
    return f"{said.count}x{said.face}"


def label(action: Action) -> str:
    """A short word that a person can type."""
    match action:
        case Call():
            return f"{bid(action)} {WAYS[action.direction]}".strip()
        case Lift():
            return "lift"
        case Stake(nuggets):
            return f"stake {nuggets}"
        case Way(direction):
            return WAYS[direction]
        case Place(square):
            return f"place {square_name(square)}"
        case Stop():
            return "stop"
        case RemoveOwn(square, head):
            return f"back {square_name(square)}" + (f" head {square_name(head)}" if head >= 0 else "")
    return f"remove {square_name(action.square)}"


def legal(actions: Iterable[Action]) -> str:
    """Legal actions in one line: the next three amounts to bid, the last, and what else there is."""
    amounts: dict[int, list[int]] = {}
    others, ways = [], set()
    for action in actions:
        if isinstance(action, Call):
            values = amounts.setdefault(action.count, [])
            values += [action.face] if action.face not in values else []
            ways.add(action.direction)
        else:
            others.append(label(action))
    texts = [f"{count}x{'/'.join(map(str, values))}" for count, values in amounts.items()]
    if len(texts) > 5:
        texts[3:-1] = ["..."]
    if texts and 0 not in ways:
        texts.append("each " + " or ".join(WAYS[way] for way in sorted(ways, reverse=True)))
    return ", ".join(texts + others)


# --- events -----------------------------------------------------------------------------


def event(before: State, event: Event, after: State) -> str:
    """One event, and the end of the round, set or game if it brought that."""
    if isinstance(event, Act):
        lines = [_act(before, event.seat, event.action, after)]
    else:
        lines = [_chance(before, event.outcome)]
    moved = not isinstance(event, Act) or isinstance(event.action, Lift)
    if moved and before.phase != "shake" and after.dice != before.dice:
        lines += _won(before, after)
    if after.book != before.book or after.gone != before.gone:
        lines += _book(before, after)
    if after.phase == "over":
        lines.append(f"{names(s for s, place in enumerate(after.final) if place == 1)} wins.")
    elif after.number > before.number:
        lines.append(f"Set {after.number}: {names(after.table.living)}. {who(after.starter)} starts.")
    return "\n".join(filter(None, lines))


def _act(before: State, seat: int, action: Action, after: State) -> str:
    name = who(seat)
    match action:
        case Call(_, _, direction):
            return f"  {name} bids {bid(action)}" + (f" to the {WAYS[direction]}." if direction else ".")
        case Lift():
            last = after.last
            assert last is not None
            shown = ", ".join(f"{who(s)} {dice(last.dice[s])}" for s in before.active)
            return f"  {name} lifts: {shown}. {last.count} for {bid(last.bid)}: {who(last.loser)} is wrong."
        case Stake(nuggets):
            return f"  {name} sets the stake at {nuggets}."
        case Way(direction):
            return f"  The others place to the {WAYS[direction]} of {name}."
        case Place(square):
            return f"  {name} places a part on {square_name(square)}."
        case Stop():
            return f"  {name} places no more."
        case RemoveOwn(square):
            return f"  {name} takes the own part on {square_name(square)} back."
    return f"  {name} removes the part on {square_name(action.square)}."


def _chance(before: State, outcome: object) -> str:
    if isinstance(outcome, Happened):
        fallen = [s for s, fell in zip(before.active, outcome.to, strict=True) if fell]
        return f"  Donkey: {names(fallen)}." if fallen else ""
    if before.number == 1 and before.bidding.standing is None and before.round == 1:
        opening = f"Set 1: {names(before.table.living)}. {who(before.starter)} starts.\n"
    else:
        opening = ""
    under = ", ".join(f"{who(seat)} {before.cup(seat)}" for seat in before.active)
    return f"{opening}Round {before.round}. Dice: {under}."


def _won(before: State, after: State) -> list[str]:
    if after.number > before.number:
        winners = [s for s in before.active if before.cup(s) == 1 and after.lost[s] < before.round]
    else:
        winners = [s for s in before.active if not after.cup(s)]
    return [f"  Empty cup: {names(winners)}."] if winners else []


def _book(before: State, after: State) -> list[str]:
    lines = []
    if len(after.gone) > len(before.gone):
        lines.append(f"  {names(after.gone[-1])} out.")
    match before.book, after.book:
        case Purse(had), Purse(now) if had != now:
            held = [f"{who(s)} {now.held(s, 'nugget')}" for s in range(after.seats.n)]
            lines.append(f"  Nuggets: {', '.join(held)}, pool {now.held(POOL, 'nugget')}.")
        case Scores(had), Scores(points, final) if had != points:
            lines.append("  Points: " + ", ".join(f"{who(s)} {p}" for s, p in enumerate(points)) + ".")
            lines += ["The final."] if final else []
        case Duels(), Duels() if before.book != after.book:
            lines += _duels(before.book, after.book)
        case Snakes(), Snakes(final=True) if not before.book.final:
            lines.append("The decision.")
    return lines


def _duels(had: Duels, now: Duels) -> list[str]:
    lines = []
    for new in (*now.league[len(had.league) :], *now.playoffs[len(had.playoffs) :]):
        score = f"{who(new.first)} {new.won[0]}, {who(new.second)} {new.won[1]}"
        lines.append(f"  Duel: {score}.")
    if now.ranking != had.ranking:
        lines.append(f"Ranking: {', '.join(map(who, now.ranking))}.")
    return lines


# --- views ------------------------------------------------------------------------------


def view(seen: View) -> str:
    """All that a seat may see."""
    race = ", knock-out race" if seen.race else ""
    lines = [f"You are {who(seen.seat)}. {_title(seen)}, set {seen.number}{race}, round {seen.round}."]
    for seat in seen.table:
        own = f" ({dice(seen.hidden)})" if seat == seen.seat and seen.hidden else ""
        lines.append(f"  {who(seat)}: {seen.cups[seat]} in the cup{own}, {seen.won[seat]} won")
    lines += _mode(seen)
    if seen.said:
        said = ", ".join(f"{who(s)} {bid(b)}" for s, b in seen.said)
        lines.append(f"Bids to the {WAYS[seen.direction]}: {said}")
    elif seen.last is not None:
        last = seen.last
        text = f"{who(last.lifter)} lifted at {bid(last.bid)} of {who(last.bidder)}, there were {last.count}"
        lines.append(f"Last lift: {text}.")
    if seen.phase == "bid" and not seen.said:
        lines.append(f"Values from low to high: {dice(VALUES)}; a 1 counts as any.")
    if seen.phase == "over":
        lines.append("The game is over.")
    elif seen.turn is not None:
        lines.append("Your turn." if seen.turn == seen.seat else f"{who(seen.turn)} to act.")
    return "\n".join(lines)


def _title(seen: View) -> str:
    titles = {"sheriff": "The Next Sheriff", "last_man": "Last Man Standing"}
    return titles.get(seen.options.mode, seen.options.mode.capitalize())


def _mode(seen: View) -> list[str]:
    everybody = range(len(seen.cups))
    match seen.book:
        case Purse(nuggets, due):
            held = ", ".join(f"{who(s)} {nuggets.held(s, 'nugget')}" for s in everybody)
            still = ", stake still due" if due else ""
            return [f"Nuggets: {held}, pool {nuggets.held(POOL, 'nugget')}{still}"]
        case Scores(points, final):
            text = ", ".join(f"{who(s)} {p}" for s, p in enumerate(points))
            return [f"Points: {text}" + (" (final)" if final else "")]
        case Duels(league, ranking, playoffs):
            texts = [f"{who(d.first)} {d.won[0]}:{d.won[1]} {who(d.second)}" for d in (*league, *playoffs)]
            lines = [f"Duels: {', '.join(texts)}"] if texts else []
            return [*lines, f"Ranking: {', '.join(map(who, ranking))}"] if ranking else lines
        case Snakes():
            return _snakes(seen.options, seen.book)
    return [f"Out: {', '.join(names(group) for group in seen.gone)}"] if seen.gone else []


def _snakes(options: Options, book: Snakes) -> list[str]:
    """The board; small letters are parts, ``+`` may not be used again."""
    map_ = board(options)
    marks = [" " if mark == "#" else mark for mark in map_.marks]
    for square in book.dead:
        marks[square] = "+"
    for seat, own in enumerate(book.parts):
        for square in own:
            marks[square] = who(seat) if square == book.heads[seat] else who(seat).lower()
    width = max(square % STRIDE for square, mark in enumerate(map_.marks) if mark != "#") + 1
    lines = ["      " + " ".join(chr(ord("a") + x) for x in range(width))]
    for y in range(len(marks) // STRIDE):
        lines.append(f"  {y + 1:>2}  " + " ".join(marks[y * STRIDE : y * STRIDE + width]).rstrip())
    lines.append("H snake-head square, O orange square, P pit; capital A to F are heads of snakes")
    for seat in range(len(book.parts)):
        pit = diving(options, book, seat)
        where = f", going into the pit {square_name(pit)}" if pit >= 0 else ""
        lines.append(f"{who(seat)} has {counted(supply(book, seat), 'part')} left{where}")
    if book.queue:
        lines.append(
            f"Placing: {', '.join(map(who, book.queue))}; {who(book.queue[0])} may place {book.left}"
        )
    return lines


__all__ = ["event", "label", "legal", "view"]
