"""Players for Skull: `heuristic` knows how exposed a bid is, `sampler` tries its choices on guessed discs.

May import games.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from thrillsim.games.protocol import Legal
from thrillsim.games.skull import FLOWER, SKULL, Bid, Box, Flip, Lay, Pass, Seen, View
from thrillsim.players import skull_model as model
from thrillsim.players.skull_model import LAY_FLOWER, LAY_SKULL, PASS, Dice, Stack, World

PLAYERS = {
    "heuristic": "thrillsim.players.skull:Heuristic",
    "sampler": "thrillsim.players.skull:Sampler",
}

_GUESSES = 48
"""Hidden deals that the sampler tries every choice on."""


class Heuristic:
    """Lays flowers and sometimes its skull, and bids as far as it is more likely than not to succeed."""

    def act(self, view: View, legal: Legal, rng: np.random.Generator) -> Any:
        """The prudent action."""
        assert isinstance(legal, tuple)
        if view.phase not in ("first", "lay", "bid"):
            return _settled(view, legal) or _safest(view, legal)
        others = [seat for seat in view.living if seat != view.seat]
        what = model.prudent(
            [face == SKULL for face in view.stack],
            view.hand.count(FLOWER),
            SKULL in view.hand,
            view.table[view.seat].mat == "flower",
            view.standing,
            others.index(view.bidder) if view.bidder is not None else -1,
            [_stack(view.table[seat]) for seat in others],
            lambda: float(rng.random()),
        )
        return _action(what)


class Sampler:
    """Guesses the hidden discs many times over and plays the round out after each of its choices."""

    def act(self, view: View, legal: Legal, rng: np.random.Generator) -> Any:
        """The choice with the best mean result, every one tried on the same guesses."""
        assert isinstance(legal, tuple)
        if len(legal) == 1:
            return legal[0]
        dice = _stream(rng)
        if view.phase == "flip":
            return _least_met(view, legal, dice)
        if view.phase not in ("first", "lay", "bid"):
            return _settled(view, legal)
        choices = _worth_trying(view, legal)
        discs = [seen.left for seen in view.table]
        total = dict.fromkeys(choices, 0.0)
        for _ in range(_GUESSES):
            start = world(view, model.guess(view, dice))
            for what in choices:
                trial = start.copy()
                over = trial.do(view.seat, what)
                if not over:
                    if view.phase == "first":
                        trial.turn = view.first
                    trial.bid_out(dice)
                met = trial.challenge(dice)
                total[what] += model.result(trial, met, view.seat, discs)
        return _action(max(choices, key=lambda what: total[what]))


def world(view: View, guess: list[list[bool]]) -> World:
    """The round of a view, with hidden discs as guessed."""
    living = list(view.living)
    first = view.phase == "first"
    stacks, hands = [], []
    for seen, discs in zip(view.table, guess, strict=True):
        laid = 0 if first else seen.laid
        stacks.append(discs[:laid])
        hand = discs[laid:]
        hands.append((hand.count(False), True in hand))
    return World(
        stacks=stacks,
        hands=hands,
        mats=[seen.mat == "flower" for seen in view.table],
        living=living,
        turn=view.turn,
        standing=view.standing,
        bidder=-1 if view.bidder is None else view.bidder,
        bidding=[s for s in living if not view.table[s].passed],
        chances=[model.has_skull(seen) for seen in view.table],
    )


def _stack(seen: Seen) -> Stack:
    """What is known of another's discs on the mat."""
    return Stack(seen.hidden, model.risk(model.has_skull(seen), seen.laid, seen.left), seen.mat == "flower")


def _worth_trying(view: View, legal: tuple[Any, ...]) -> tuple[int, ...]:
    """Every way to lay or pass, and the bids that differ in kind: the next ones, the own stack, all discs."""
    bids = [action.count for action in legal if isinstance(action, Bid)]
    kept = {*bids[:3], *bids[-1:], *(n for n in bids if n == len(view.stack))}
    rest = [LAY_FLOWER if action == Lay(FLOWER) else LAY_SKULL for action in legal if isinstance(action, Lay)]
    return (*rest, *([PASS] if Pass() in legal else []), *sorted(kept))


def _action(what: int) -> Any:
    if what == PASS:
        return Pass()
    return Bid(what) if what > 0 else Lay(FLOWER if what == LAY_FLOWER else SKULL)


def _settled(view: View, legal: tuple[Any, ...]) -> Any:
    """What needs no reckoning: a forced choice, the disc to lose, the next first player; None otherwise."""
    if len(legal) > 1 and isinstance(legal[0], Box):
        # A skull frightens as long as there are flowers to win with; the last disc should be a flower.
        return Box(SKULL if len(view.hand) + len(view.stack) == 2 else FLOWER)
    return None if len(legal) > 1 and isinstance(legal[0], Flip) else legal[0]


def _safest(view: View, legal: tuple[Any, ...]) -> Any:
    """The stack whose next disc is least likely a skull; of equal ones that of a bidder."""

    def risk(action: Flip) -> tuple[float, int]:
        seen = view.table[action.owner]
        return model.has_skull(seen) / (seen.left - len(seen.shown)), -seen.bid

    return min(legal, key=risk)


def _least_met(view: View, legal: tuple[Any, ...], dice: Dice) -> Any:
    """The stack on top of which a skull was guessed least often."""
    met = dict.fromkeys(legal, 0)
    for _ in range(4 * _GUESSES):
        guess = model.guess(view, dice)
        for action in legal:
            met[action] += guess[action.owner][view.table[action.owner].hidden - 1]
    return min(legal, key=lambda action: met[action])


def _stream(rng: np.random.Generator) -> Dice:
    """Uniform numbers from `rng`, drawn by the thousand."""
    numbers: list[float] = []

    def draw() -> float:
        if not numbers:
            numbers.extend(rng.random(1024).tolist())
        return numbers.pop()

    return draw
