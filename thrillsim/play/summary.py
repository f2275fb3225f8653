"""What a match says: who is stronger and by how much, what a seat costs, and Thrill's own figures.

Pure functions of finished games.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np

from thrillsim.play.match import Finished, Plan
from thrillsim.play.ratings import Mean, Rate, Rating, bradley_terry, mean, rate, ratio


class PlayerLine(msgspec.Struct, frozen=True):
    """One entrant.  A win shared by k players is 1/k win for each."""

    name: str
    wins: Rate
    place: Mean
    rating: Rating
    forfeits: int


class Forfeits(msgspec.Struct, frozen=True):
    """A game that a player lost by crashing, hanging or an illegal move."""

    game: int
    player: str
    reason: str


class RoundStats(msgspec.Struct, frozen=True):
    """Rounds per game."""

    mean: Mean
    median: float
    shortest: int
    longest: int


class ThrillPlayer(msgspec.Struct, frozen=True):
    """One entrant: mean bid, cost of a push, share of his rounds in which he pushed, chips at the end."""

    name: str
    bid: Mean
    push_cost: Mean
    pushes: Mean
    left: Mean


class ThrillStats(msgspec.Struct, frozen=True):
    """Thrill's own figures, from the games that somebody won (from all if nobody won any).

    A game without a winner circles until its cap of rounds; those rounds would drown the others.

    Parameters
    ----------
    boss_pushes, others_push
        Chance that the Boss, and that any other single player, has to push in a round.
    boss_loses, others_lose
        Chips lost per round (bid and payment) by the Boss and by any other single player.
    tied
        Share of rounds in which the lowest bid was shared.
    boss_saved
        Share of all rounds in which the Boss shared the lowest bid and so did not push.
    first_boss_wins
        How often the first Boss wins the game.
    won_with_nothing
        How often the winner has no chip left.
    clean
        Share of pushes without a fall.
    undecided
        Games without a winner.
    """

    rounds: RoundStats
    players: tuple[ThrillPlayer, ...]
    boss_pushes: Mean
    others_push: Mean
    boss_loses: Mean
    others_lose: Mean
    tied: Mean
    boss_saved: Mean
    first_boss_wins: Rate
    won_with_nothing: Rate
    winner_chips: Mean
    clean: Mean
    cost: Mean
    undecided: int


class Summary(msgspec.Struct, frozen=True):
    """A whole match.  `seats` are win rates by seat, whoever sat there."""

    game: str
    options: dict[str, Any]
    world: str
    seed: int
    games: int
    players: tuple[PlayerLine, ...]
    seats: tuple[Rate, ...]
    forfeits: tuple[Forfeits, ...]
    thrill: ThrillStats | None = None


def summarise(plan: Plan, finished: Sequence[Finished]) -> Summary:
    """The summary of all games."""
    n = len(plan.players)
    wins, places = np.zeros(n), [[] for _ in range(n)]  # type: ignore[var-annotated]
    seat_wins, forfeits = np.zeros(n), []
    for one in finished:
        for seat in one.end.winners:
            wins[one.seating[seat]] += 1 / len(one.end.winners)
            seat_wins[seat] += 1 / len(one.end.winners)
        for seat, entrant in enumerate(one.seating):
            places[entrant].append(one.end.places[seat])
        if one.end.forfeit:
            seat, reason = one.end.forfeit
            forfeits.append(Forfeits(one.number, plan.entrants[one.seating[seat]], reason))
    ratings = bradley_terry([(one.seating, one.end.places) for one in finished], n)
    lines = tuple(
        PlayerLine(
            name=name,
            wins=rate(float(wins[i]), len(finished)),
            place=mean(places[i]),
            rating=ratings[i],
            forfeits=sum(f.player == name for f in forfeits),
        )
        for i, name in enumerate(plan.entrants)
    )
    return Summary(
        game=plan.game,
        options=plan.options,
        world=plan.world,
        seed=plan.seed,
        games=len(finished),
        players=lines,
        seats=tuple(rate(float(w), len(finished)) for w in seat_wins),
        forfeits=tuple(forfeits),
        thrill=_thrill(plan, finished) if plan.game == "thrill" else None,
    )


def _thrill(plan: Plan, finished: Sequence[Finished]) -> ThrillStats:
    n = len(plan.players)
    per: dict[str, list[float]] = {}
    mine: list[dict[str, list[float]]] = [{} for _ in range(n)]

    def note(into: dict[str, list[float]], **values: float) -> None:
        for key, value in values.items():
            into.setdefault(key, []).append(value)

    winner_chips, nothing, first_boss, rounds = [], 0, 0.0, []
    decided = [one for one in finished if one.end.winners]
    undecided = len(finished) - len(decided)
    decided = decided or list(finished)
    for one in decided:
        final = one.end.final
        history = final["history"]
        rounds.append(len(history))
        chips = _chips(final, n)
        counted = [_round(done) for done in history]
        note(
            per,
            rounds=len(history),
            tied=sum(c["tied"] for c in counted),
            saved=sum(c["saved"] for c in counted),
            boss_push=sum(c["boss_push"] for c in counted),
            boss_loss=sum(c["boss_loss"] for c in counted),
            others=sum(c["others"] for c in counted),
            other_push=sum(c["other_push"] for c in counted),
            other_loss=sum(c["other_loss"] for c in counted),
            pushes=sum(c["pushed"] for c in counted),
            clean=sum(c["clean"] for c in counted),
            cost=sum(c["cost"] for c in counted),
        )
        for seat, entrant in enumerate(one.seating):
            bids = [done["bids"][seat] for done in history if done["bids"][seat] >= 0]
            costs = [done["cost"] for done in history if done["pusher"] == seat and done["shown"] is not None]
            note(mine[entrant], rounds=len(bids), bids=sum(bids), pushes=len(costs), cost=sum(costs))
            note(mine[entrant], left=chips[seat])
        if one.end.forfeit is None and len(one.end.winners) == 1:
            left = chips[one.end.winners[0]]
            winner_chips.append(left)
            nothing += left == 0
        first_boss += (final["options"]["first_boss"] in one.end.winners) / max(1, len(one.end.winners))
    return ThrillStats(
        rounds=RoundStats(mean(rounds), float(np.median(rounds)), min(rounds), max(rounds)),
        players=tuple(
            ThrillPlayer(
                name=name,
                bid=ratio(mine[i]["bids"], mine[i]["rounds"]),
                push_cost=ratio(mine[i]["cost"], mine[i]["pushes"]),
                pushes=ratio(mine[i]["pushes"], mine[i]["rounds"]),
                left=mean(mine[i]["left"]),
            )
            for i, name in enumerate(plan.entrants)
        ),
        boss_pushes=ratio(per["boss_push"], per["rounds"]),
        others_push=ratio(per["other_push"], per["others"]),
        boss_loses=ratio(per["boss_loss"], per["rounds"]),
        others_lose=ratio(per["other_loss"], per["others"]),
        tied=ratio(per["tied"], per["rounds"]),
        boss_saved=ratio(per["saved"], per["rounds"]),
        first_boss_wins=rate(first_boss, len(decided)),
        won_with_nothing=rate(nothing, len(winner_chips)),
        winner_chips=mean(winner_chips),
        clean=ratio(per["clean"], per["pushes"]),
        cost=ratio(per["cost"], per["pushes"]),
        undecided=undecided,
    )


def _chips(final: dict[str, Any], n: int) -> list[int]:
    """Big chips of every seat in a final state."""
    stakes = final["stakes"]
    column = stakes["kinds"].index("big")
    return [stakes["counts"][stakes["owners"].index(seat)][column] for seat in range(n)]


def _round(done: dict[str, Any]) -> dict[str, float]:
    """What one round counts for: the Boss against each of the others."""
    bids = {seat: bid for seat, bid in enumerate(done["bids"]) if bid >= 0}
    boss, pusher = done["boss"], done["pusher"]
    tied = [seat for seat, bid in bids.items() if bid == min(bids.values())]
    lost = {seat: bid + (done["paid"] if seat == pusher else 0) for seat, bid in bids.items()}
    pushed = done["shown"] is not None
    return {
        "tied": len(tied) > 1,
        "saved": boss in tied and len(tied) > 1,
        "boss_push": boss == pusher,
        "boss_loss": lost[boss],
        "others": len(bids) - 1,
        "other_push": boss != pusher,
        "other_loss": sum(lost.values()) - lost[boss],
        "pushed": pushed,
        "clean": pushed and not done["fallen"],
        "cost": done["cost"],
    }
