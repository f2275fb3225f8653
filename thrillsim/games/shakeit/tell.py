"""A game of Shake It! in words: events as people would tell them, views for the terminal."""

from __future__ import annotations

from collections.abc import Iterable

from thrillsim.bidding import Bid
from thrillsim.games.protocol import Act, Event, Happened, who
from thrillsim.games.shakeit.track import STAR
from thrillsim.games.shakeit.types import Action, Bet, Doubt, LayOut, State, View


def faces(dice: Iterable[int]) -> str:
    """``1 3 3 *``, or ``nothing``."""
    return " ".join("*" if face == STAR else str(face) for face in dice) or "nothing"


def bet(bid: Bid | Bet) -> str:
    """``4x3`` or ``5*``."""
    return f"{bid.count}*" if bid.face == STAR else f"{bid.count}x{bid.face}"


def dice(count: int) -> str:
    """``1 die``, ``2 dice``."""
    return "1 die" if count == 1 else f"{count} dice"


def label(action: Action) -> str:
    """A short word that a person can type."""
    match action:
        case Bet():
            return bet(action)
        case Doubt():
            return "doubt"
        case LayOut(shown):
            return f"lay {faces(shown)}" if shown else "keep"


def legal(actions: Iterable[Action]) -> str:
    """Legal actions in one line: the next three squares, the last, and what else there is."""
    squares: dict[str, list[int]] = {}
    others = []
    for action in actions:
        if not isinstance(action, Bet):
            others.append(label(action))
        elif action.face == STAR:
            squares[bet(action)] = []
        else:
            squares.setdefault(f"{action.count}x", []).append(action.face)
    texts = []
    for square, faces_ in squares.items():
        span = f"{faces_[0]}-{faces_[-1]}" if len(faces_) > 1 else "".join(map(str, faces_))
        texts.append(square + span)
    if len(texts) > 5:
        texts[3:-1] = ["..."]
    return ", ".join(texts + others)


def event(before: State, event: Event, after: State) -> str:
    """One event, and the end of the round if it brought that."""
    if not isinstance(event, Act):
        return _chance(before, event.outcome, after)
    match event.action:
        case LayOut(shown):
            return f"  {who(event.seat)} lays out {faces(shown)}." if shown else ""
        case Doubt():
            return _disputed(before, after)
    return f"  {who(event.seat)} bets {bet(event.action)}."


def _chance(before: State, outcome: object, after: State) -> str:
    if isinstance(outcome, Happened):
        again = ", ".join(map(who, after.rolling))
        return f"  Cocked dice: {again} must roll again." if again else ""
    if before.phase == "start":
        rolls = after.start_roll[len(before.start_roll) :]
        thrown = ", ".join(f"{who(seat)} {faces(dice)}" for seat, dice in rolls)
        end = f"{who(after.bidding.turn)} begins." if after.phase != "start" else "It is a tie: roll again."
        return f"Starting roll: {thrown}. {end}"
    if before.bidding.said:
        return f"  {who(before.rolling[0])} rolls the rest again."
    if len(before.rolling) < len(before.seats):
        return ""  # cocked dice, said already
    owned = ", ".join(f"{who(s)} {before.dice.held(s, 'die')}" for s in before.seats.living)
    return f"Round {before.round}. Dice: {owned}."


def _disputed(before: State, after: State) -> str:
    last = after.last
    assert last is not None
    shown = ", ".join(f"{who(s)} {faces(last.dice[s])}" for s in before.seats.living)
    lines = [
        f"  {who(last.doubter)} doubts. Cups up: {shown}.",
        f"  The bet was {bet(last.bet)}, there are {last.count}.",
    ]
    lost = [f"{who(s)} loses {dice(n)}" for s, n in enumerate(last.lost) if n]
    lines[-1] += " " + ", ".join(lost) + "."
    out = [who(s) for s in before.seats.living if s not in after.seats]
    if out:
        lines.append(f"  {' and '.join(out)} {'is' if len(out) == 1 else 'are'} out.")
    if after.phase == "over":
        lines.append(f"{who(after.seats.living[0])} wins.")
    return "\n".join(lines)


def view(seen: View) -> str:
    """All that a seat may see."""
    total = sum(seen.dice)
    lines = [f"You are {who(seen.seat)}. Round {seen.round}, {dice(total)} in play."]
    for seat, count in enumerate(seen.dice):
        under = count - len(seen.shown[seat])
        text = f"{under} under the cup" if count else "out"
        if seen.shown[seat]:
            text += f", laid out {faces(seen.shown[seat])}"
        own = f" ({faces(seen.hidden)})" if seat == seen.seat and seen.hidden else ""
        lines.append(f"  {who(seat)}: {text}{own}")
    if seen.said:
        lines.append("Bets: " + ", ".join(f"{who(s)} {bet(bid)}" for s, bid in seen.said))
    elif seen.last is not None:
        last = seen.last
        before = f"{who(last.doubter)} doubted {bet(last.bet)} of {who(last.bettor)}, there were {last.count}"
        lines.append(f"Last round: {before}.")
    else:
        lines += [f"Starting roll: {who(s)} {faces(thrown)}" for s, thrown in seen.start_roll]
    if seen.phase == "over":
        lines.append("The game is over.")
    elif seen.turn is not None:
        lines.append("Your turn." if seen.turn == seen.seat else f"{who(seen.turn)} to act.")
    return "\n".join(lines)
