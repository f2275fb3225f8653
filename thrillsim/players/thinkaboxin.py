"""Players for Thinkaboxin: `heuristic` knows the binomials, `bayes` listens to the bids and plans a snake."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from thrillsim.bidding import Bid
from thrillsim.games.protocol import Legal
from thrillsim.games.thinkaboxin import (
    WILD,
    Call,
    Lift,
    Place,
    RemoveOther,
    RemoveOwn,
    Snakes,
    Stake,
    Stop,
    View,
    Way,
)
from thrillsim.games.thinkaboxin.course import order
from thrillsim.players import dicebids, snakepath
from thrillsim.players.dicebids import Payoff, Round, Stakes

PLAYERS = {
    "heuristic": "thrillsim.players.thinkaboxin:Heuristic",
    "bayes": "thrillsim.players.thinkaboxin:Bayes",
}


def round_of(view: View) -> Round:
    """The round as the seat of a view knows it."""
    others = [seat for seat in view.table if view.cups[seat] and seat != view.seat]
    return Round(
        wild=WILD,
        own=view.hidden,
        seen=(),
        hidden={seat: view.cups[seat] for seat in others},
        said=tuple((seat, bid, True) for seat, bid in view.said),
        raises=order(view.options, sum(view.cups)).raises,
    )


class Heuristic:
    """Bids as high as is safe, given his own dice; lifts at what is less likely than his best raise."""

    depth = 1

    def act(self, view: View, legal: Legal, rng: np.random.Generator) -> Any:  # noqa: ARG002 - no dice needed
        """The prudent action."""
        assert isinstance(legal, tuple)
        if isinstance(legal[-1], Call | Lift):
            return self.bid(view, legal)
        return _beside(view, legal, self.depth)

    def bid(self, view: View, legal: Sequence[Any]) -> Any:
        """A bid, towards the neighbour who is ahead when there is a choice."""
        bid = dicebids.prudent(round_of(view), _bids(legal))
        if bid is None:
            return Lift()
        ways = {call.direction: call for call in legal if isinstance(call, Call) and _same(call, bid)}
        return min(ways.values(), key=lambda call: view.cups[_neighbour(view, call.direction)])


class Bayes(Heuristic):
    """Weighs all hands by the bids made, foresees the neighbour's answer, looks ahead with his snake."""

    depth = 4

    def bid(self, view: View, legal: Sequence[Any]) -> Any:
        """The bid of highest expectation, in the better direction."""
        now = round_of(view)
        near = set(dicebids.nearest(_bids(legal)))
        calls = [call for call in legal if isinstance(call, Call) and Bid(call.count, call.face) in near]
        options = [(Bid(call.count, call.face), _neighbour(view, call.direction)) for call in calls]
        choice = dicebids.sharp(now, options, _stakes(now))
        return Lift() if choice is None else calls[choice]


def _bids(legal: Sequence[Any]) -> list[Bid]:
    return list(dict.fromkeys(Bid(call.count, call.face) for call in legal if isinstance(call, Call)))


def _same(call: Call, bid: Bid) -> bool:
    return (call.count, call.face) == (bid.count, bid.face)


def _neighbour(view: View, direction: int) -> int:
    """Who answers a bid; 0 stands for the direction that the round has."""
    n, way = len(view.cups), direction or view.direction
    ring = [(view.seat + way * step) % n for step in range(1, n)]
    return next(seat for seat in ring if view.cups[seat])


def _stakes(now: Round) -> Stakes:
    """A round lost is one die less than all others."""
    others = len(now.hidden)
    right, wrong = 1 / others, -1.0

    def challenged(bid: Bid, by: int) -> Payoff:  # noqa: ARG001 - whoever is wrong keeps one die
        return lambda count: right if count >= bid.count else wrong

    def challenge(count: int) -> float:
        return wrong if now.standing and count >= now.standing.count else right

    return Stakes(challenged, challenge, goes_on=0.15 / others)


# --- what stands around the dice ----------------------------------------------------------


def _beside(view: View, legal: Sequence[Any], depth: int) -> Any:
    """Stakes, directions and snakes."""
    if isinstance(legal[0], Stake):
        return legal[0]  # the small stake: skill needs many sets
    if isinstance(legal[0], Way):
        return legal[0]
    assert isinstance(view.book, Snakes)
    return _snake(view, view.book, legal, depth)


def _snake(view: View, book: Snakes, legal: Sequence[Any], depth: int) -> Any:
    """Place as many parts as possible where there is room for more; else back out, else bite."""
    places = [move for move in legal if isinstance(move, Place)]
    room: Callable[[int], tuple[float, ...]]
    if places:
        if book.heads[view.seat] < 0:
            room = snakepath.distance(book)
        else:
            room = snakepath.outlook(view.options, book, view.seat, min(depth, book.left))
        return max(places, key=lambda move: room(move.square))
    backs = [move for move in legal if isinstance(move, RemoveOwn)]
    if backs:
        room = snakepath.outlook(view.options, book, view.seat, 1)
        return max(backs, key=lambda move: room(move.head) if move.head >= 0 else (0.0,))
    bites = [move for move in legal if isinstance(move, RemoveOther)]
    return bites[0] if bites else Stop()
