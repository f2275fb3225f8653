"""Players for Shake It!: `heuristic` knows the binomials, `bayes` listens to the bets too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from thrillsim.bidding import Bid, matching
from thrillsim.games.protocol import Legal
from thrillsim.games.shakeit import STAR, Bet, Doubt, LayOut, View
from thrillsim.games.shakeit.rules import bid_order
from thrillsim.players import dicebids
from thrillsim.players.dicebids import Payoff, Round, Stakes

PLAYERS = {
    "heuristic": "thrillsim.players.shakeit:Heuristic",
    "bayes": "thrillsim.players.shakeit:Bayes",
}


def round_of(view: View) -> Round:
    """The round as the seat of a view knows it."""
    seat = view.seat
    others = [s for s, owned in enumerate(view.dice) if owned and s != seat]
    return Round(
        wild=STAR,
        own=view.hidden + view.shown[seat],
        seen=tuple(face for s in others for face in view.shown[s]),
        hidden={s: view.dice[s] - len(view.shown[s]) for s in others},
        said=tuple((s, bid, at >= view.rolled_at[s]) for at, (s, bid) in enumerate(view.said)),
        raises=bid_order(view.options, sum(view.dice)).raises,
    )


class Heuristic:
    """Bets as high as is safe, given his own dice; doubts what is less likely than his best raise."""

    def act(self, view: View, legal: Legal, rng: np.random.Generator) -> Any:  # noqa: ARG002 - no dice needed
        """The prudent action."""
        assert isinstance(legal, tuple)
        if isinstance(legal[0], LayOut):
            return _layout(view, legal)
        now = round_of(view)
        bid = dicebids.prudent(now, _bids(now, legal))
        return Doubt() if bid is None else Bet(bid.count, bid.face)


class Bayes:
    """Weighs all hands by the bets made, and what a lost or won dispute costs whom."""

    def act(self, view: View, legal: Legal, rng: np.random.Generator) -> Any:  # noqa: ARG002 - no dice needed
        """The action of highest expectation."""
        assert isinstance(legal, tuple)
        if isinstance(legal[0], LayOut):
            return _layout(view, legal)
        now = round_of(view)
        ring = (*range(view.seat + 1, len(view.dice)), *range(view.seat))
        neighbour = next(s for s in ring if view.dice[s])
        bids = dicebids.nearest(_bids(now, legal))
        choice = dicebids.sharp(now, [(bid, neighbour) for bid in bids], _stakes(view, now))
        return Doubt() if choice is None else Bet(bids[choice].count, bids[choice].face)


def _bids(now: Round, legal: Sequence[Any]) -> list[Bid]:
    """The legal bets that can be true."""
    most = len(now.own) + len(now.seen) + sum(now.hidden.values())
    bids = [Bid(bet.count, bet.face) for bet in legal if isinstance(bet, Bet)]
    possible = [bid for bid in bids if bid.count <= most]
    return possible or (bids if now.standing is None else [])


def _stakes(view: View, now: Round) -> Stakes:
    """Dice lost by others, on average, less own dice lost."""
    mine, others = view.dice[view.seat], len(now.hidden)

    def challenged(bid: Bid, by: int) -> Payoff:
        def value(count: int) -> float:
            if count == bid.count:
                return 1.0
            if count > bid.count:
                return min(count - bid.count, view.dice[by]) / others
            return -float(min(bid.count - count, mine))

        return value

    def challenge(count: int) -> float:
        bettor, bid, _ = now.said[-1]
        if count == bid.count:
            return -1 / others
        if count < bid.count:
            return min(bid.count - count, view.dice[bettor]) / others
        return -float(min(count - bid.count, mine))

    return Stakes(challenged, challenge, goes_on=0.15 / others)


def _layout(view: View, legal: Sequence[LayOut]) -> LayOut:
    """Support a bet that needs it: lay out what fits, or any one die, and roll the rest (SHK-23)."""
    bid = view.said[-1][1]
    now = round_of(view)
    if now.true(bid) >= 0.8:
        return legal[0]
    fit = tuple(face for face in view.hidden if matching((face,), bid.face, STAR))
    if len(fit) == len(view.hidden):
        return legal[0]
    wanted = LayOut(fit or view.hidden[:1])
    return wanted if wanted in legal else legal[0]


__all__ = ["PLAYERS", "Bayes", "Heuristic", "round_of"]
