"""What a player of Skull can reckon: chances, prudent play, guesses at hidden discs, a round played out.

May import games.  The rules themselves are in `thrillsim.games.skull`; here a
round runs on plain lists, so that thousands can be tried, and a test holds both
side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from thrillsim.games.skull import SKULL, Seen, View

Dice = Callable[[], float]
"""Uniform numbers in [0, 1)."""

LAY_FLOWER, LAY_SKULL, PASS = -1, -2, 0
"""What to do, as a number; a positive one is a bid."""

_KEPT_WHEN_CHOSEN = 0.9
"""How likely somebody keeps his skull when he picks which disc to lose."""
HIDE = 0.15
"""How often a prudent player lays his skull first."""
MORE = 0.1
"""How often he lays another flower where he could bid on those that lie there."""
BLUFF = 0.3
"""How often he raises on his own skull, as long as somebody can still raise him."""
LOSS = 0.3
"""What losing all discs is worth to him, where winning the game is worth 1."""
FEAR = 0.4
"""How much of another's success he counts as his own loss."""
_LAID_SKULL = 2.0
"""How much likelier a skull is on the mat than any other disc: it was put there on purpose."""
_BIDDERS_SKULL = 0.2
"""The same for somebody who has bid in this round."""
_WORTH = (0.0, 0.35, 0.6, 0.85, 1.0)
"""Relative strength of a player with so many discs; a flower mat counts `_FLOWER_MAT` times."""
_FLOWER_MAT = 2.5


def has_skull(seen: Seen) -> float:
    """How likely a player still has his skull, going by how his discs were lost."""
    if seen.skull != "open":
        return float(seen.skull == "yes")
    chance, discs = 1.0, 4
    for how in seen.lost:
        chance *= (discs - 1) / discs if how == "drawn" else _KEPT_WHEN_CHOSEN
        discs -= 1
    return chance


def risk(chance: float, laid: int, left: int) -> float:
    """How likely any one disc on a mat is the skull, of a player who has it with this chance.

    >>> risk(1.0, 1, 4), risk(1.0, 4, 4), risk(0.5, 0, 4)
    (0.4, 0.25, 0.0)
    """
    return chance * _LAID_SKULL / (_LAID_SKULL * laid + left - laid) if laid else 0.0


class Stack(NamedTuple):
    """The discs of another player as one sees them.

    `discs` lie face down on the mat, each of them a skull with chance `risk`;
    `mat` says whether the mat shows its flower side.
    """

    discs: int
    risk: float
    mat: bool = False


def success(need: int, stacks: Sequence[Stack]) -> float:
    """The chance to flip `need` discs of others without a skull, the safest ones first.

    Examples
    --------
    >>> success(2, [Stack(1, 0.25), Stack(2, 0.25)]), success(3, [Stack(3, 0.25)])
    (0.5625, 0.25)
    """
    if need <= 0:
        return 1.0
    chance = 1.0
    flipped = [0] * len(stacks)
    for _ in range(need):
        best, where = -1.0, -1
        for i, (discs, risk, _) in enumerate(stacks):
            if flipped[i] < discs:
                safe = 1 - flipped[i] * risk
                ratio = (safe - risk) / safe if safe > risk else 0.0
                if ratio > best:
                    best, where = ratio, i
        if where < 0:
            return 0.0
        flipped[where] += 1
        chance *= best
    return chance


def prudent(
    stack: Sequence[bool],
    flowers: int,
    skull: bool,
    mat: bool,
    standing: int,
    rival: int,
    others: Sequence[Stack],
    dice: Dice,
) -> int:
    """How a prudent player lays and bids.

    He hides his skull now and then.  On flowers of his own he opens with what is
    certain, all of them, and raises as long as a challenge is worth more than
    letting the rival have his.  On his own skull he bluffs now and then.

    Parameters
    ----------
    stack
        The own discs on the mat, True for the skull.
    flowers, skull
        What is left in the own hand.
    mat
        Whether the own mat shows its flower side.
    standing, rival
        The standing bid (0: none) and whose it is, an index into `others`.
    others
        What the others have laid.
    """
    laid = len(stack)
    if not laid:
        return LAY_SKULL if skull and (not flowers or dice() < HIDE) else LAY_FLOWER
    clean = not any(stack)
    if standing:
        in_play = laid + sum(other.discs for other in others)
        if not clean:
            return standing + 1 if standing + 1 < in_play and dice() < BLUFF else PASS
        if standing == in_play:
            return PASS
        chance = success(standing + 1 - laid, others)
        gain = chance * _success_is_worth(mat) - (1 - chance) * LOSS / (laid + flowers + skull)
        bidder = others[rival]
        open_to_him = [Stack(laid, 0.0), *(other for i, other in enumerate(others) if i != rival)]
        threat = success(standing - bidder.discs, open_to_him) * _success_is_worth(bidder.mat)
        return standing + 1 if gain >= -FEAR * threat else PASS
    if flowers and (dice() < MORE if clean else laid < 3):
        return LAY_FLOWER
    return laid if clean else 1


def _success_is_worth(mat: bool) -> float:
    return 1.0 if mat else 0.5


@dataclass(slots=True)
class World:
    """One round with every disc known; lists by seat, bottom disc first, True for a skull.

    `stacks` are on the mats, `hands` are (flowers, skull or not), `mats` whether
    the flower side is up, `chances` how likely the table thinks each has a
    skull.  Seats that are out have nothing.
    """

    stacks: list[list[bool]]
    hands: list[tuple[int, bool]]
    mats: list[bool]
    living: list[int]
    turn: int
    standing: int
    bidder: int
    bidding: list[int]
    chances: list[float]

    def copy(self) -> World:
        """An independent copy."""
        return World(
            [stack[:] for stack in self.stacks],
            self.hands[:],
            self.mats,
            self.living,
            self.turn,
            self.standing,
            self.bidder,
            self.bidding[:],
            self.chances,
        )

    def others(self, seat: int) -> list[Stack]:
        """What `seat` reckons with."""
        return [Stack(len(self.stacks[s]), self.risk(s), self.mats[s]) for s in self.living if s != seat]

    def risk(self, seat: int) -> float:
        """How likely everybody thinks any one disc of a stack is a skull."""
        flowers, skull = self.hands[seat]
        laid = len(self.stacks[seat])
        return risk(self.chances[seat], laid, laid + flowers + skull)

    def do(self, seat: int, what: int) -> bool:
        """Apply a choice; True when the bidding is over."""
        if what in (LAY_FLOWER, LAY_SKULL):
            flowers, skull = self.hands[seat]
            lays_skull = what == LAY_SKULL
            self.hands[seat] = (flowers - (not lays_skull), skull and not lays_skull)
            self.stacks[seat].append(lays_skull)
            self.turn = self._next(seat, self.living)
            return False
        left = self.bidding
        after = self._next(seat, left)
        if what == PASS:
            left.remove(seat)
        else:
            self.standing, self.bidder = what, seat
        self.turn = after
        return len(left) == 1 or self.standing == sum(map(len, self.stacks))

    @staticmethod
    def _next(seat: int, among: list[int]) -> int:
        return among[(among.index(seat) + 1) % len(among)]

    def bid_out(self, dice: Dice) -> None:
        """Play on prudently until somebody has to flip."""
        for seat in self.living:  # first discs that are still to be laid, secretly
            if not self.stacks[seat]:
                self.do(seat, prudent((), *self.hands[seat], False, 0, -1, (), dice))
        over = False
        self.turn = self.bidding[0] if self.turn not in self.bidding else self.turn
        while not over:
            seat = self.turn
            (flowers, skull), mat = self.hands[seat], self.mats[seat]
            rival = [s for s in self.living if s != seat].index(self.bidder) if self.standing else -1
            others = self.others(seat)
            what = prudent(self.stacks[seat], flowers, skull, mat, self.standing, rival, others, dice)
            over = self.do(seat, what)

    def challenge(self, dice: Dice) -> int:
        """Flip what was bid, safest stacks first; the owner of the skull that is met, or -1 for a success."""
        need = self.standing
        own = self.stacks[self.bidder]
        if any(own[max(0, len(own) - need) :]):
            return self.bidder
        need -= len(own)
        tops = {s: len(self.stacks[s]) for s in self.living if s != self.bidder}
        while need > 0:
            open_ = [s for s, top in tops.items() if top]
            seat = min(open_, key=lambda s: (self.risk(s), dice()))
            tops[seat] -= 1
            if self.stacks[seat][tops[seat]]:
                return seat
            need -= 1
        return -1


def worth(me: int, discs: Sequence[int], mats: Sequence[bool]) -> float:
    """A share of the win: own strength among all, by discs left and mats."""
    strength = [_WORTH[n] * (_FLOWER_MAT if mat else 1) for n, mat in zip(discs, mats, strict=True)]
    return strength[me] / sum(strength)


def result(world: World, met: int, me: int, discs: Sequence[int]) -> float:
    """The worth of the position after a challenge for `me`."""
    if met < 0:
        if world.mats[world.bidder]:
            return float(world.bidder == me)
        mats = [mat or s == world.bidder for s, mat in enumerate(world.mats)]
        return worth(me, discs, mats)
    left = [n - (s == world.bidder) for s, n in enumerate(discs)]
    return worth(me, left, world.mats)


def guess(view: View, dice: Dice) -> list[list[bool]]:
    """Where the face-down discs of all others may be skulls: one guess that fits all that was seen.

    Returns
    -------
    list
        For every seat: its face-down discs on the mat (bottom first, True for a
        skull) followed by those in its hand.  The own seat's are the true ones.
    """
    found = []
    for seat, seen in enumerate(view.table):
        if seat == view.seat:
            stack = view.stack[: seen.hidden]
            found.append([face == SKULL for face in (*stack, *view.hand)])
            continue
        loose = seen.left - len(seen.shown)
        discs = [False] * loose
        # Every flower shown makes it likelier that he has no skull at all.
        skull = SKULL not in seen.shown and loose > 0
        if skull and dice() < _posterior(has_skull(seen), seen.left, loose):
            weight = _BIDDERS_SKULL if seen.bid else _LAID_SKULL
            weights = [weight if i < seen.hidden else 1.0 for i in range(loose)]
            at = dice() * sum(weights)
            where = 0
            while where < loose - 1 and at >= weights[where]:
                at -= weights[where]
                where += 1
            discs[where] = True
        found.append(discs)
    return found


def _posterior(chance: float, left: int, loose: int) -> float:
    """The chance of a skull among the loose discs after flowers were shown, all places being alike."""
    seen_none = chance * loose / left
    return seen_none / (seen_none + 1 - chance) if chance < 1 else 1.0
