"""Placing the dice of one turn of Tricky on plain numbers, for players that try out thousands of ways.

May import games.  The rules themselves are in `thrillsim.games.tricky`; a test
holds this beside them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from thrillsim.games.tricky import Board, View
from thrillsim.games.tricky.types import DICE, LOAN, SIDES

RUIN = -40.0
"""What it is worth, in chips, to end the game without chips."""


@dataclass(frozen=True, slots=True)
class Turn:
    """Where a turn stands, seen from its player.

    Parameters
    ----------
    board, filled
        The columns and how many of their spaces carry chips.
    own, stock
        Chips of the player and of the general stock.
    rich
        Chips of the richest other player, of whom the arrows are taken.
    borrowed
        Chips borrowed in this turn.
    others
        How many other players there are.
    own_pays_yellow
        Whether the player pays a yellow space when the stock is empty.
    ascending
        Whether the lowest number that can be placed has to be.
    """

    board: Board
    filled: tuple[int, ...]
    own: int
    stock: int
    rich: int
    borrowed: int = 0
    others: int = 1
    own_pays_yellow: bool = True
    ascending: bool = False

    @classmethod
    def of(cls, view: View) -> Turn:
        """The turn that a view of the active player shows."""
        others = [chips for seat, chips in enumerate(view.chips) if seat != view.active]
        return cls(
            board=view.options.board,
            filled=view.filled,
            own=view.chips[view.active],
            stock=view.stock,
            rich=max(others),
            borrowed=view.borrowed,
            others=len(others),
            own_pays_yellow=view.options.empty_stock == "own",
            ascending=view.options.order == "ascending",
        )

    def best(self, kept: tuple[int, ...]) -> tuple[float, int]:
        """The worth of these dice (lead over the richest other, chips), and the face to place first or 0."""
        dice = tuple(sorted(face for face in kept if face < SIDES))
        if self.easy:
            gain = sum(self.column(face, dice.count(face))[0] for face in set(dice))
            return float(gain), dice[0] if dice else 0
        worth, face = _search(self, dice)
        return worth - (self.own - self.borrowed) + self.rich, face

    def after(self, kept: tuple[int, ...]) -> tuple[int, ...]:
        """How many spaces are filled once all these dice are placed."""
        return tuple(self.column(face, kept.count(face))[1] for face in range(1, SIDES))

    @property
    def easy(self) -> bool:
        """Whether nothing can run out, so that the order of placing does not matter."""
        most = DICE * max(column.first for column in self.board.columns)
        return self.own > most and self.stock >= DICE and not self.borrowed

    def column(self, face: int, count: int) -> tuple[int, int]:
        """Gain of lead, and spaces filled afterwards, of `count` dice on one column when nothing runs out."""
        return _column(self.board, face, self.filled[face - 1], count)

    def place(self, face: int) -> Turn | None:
        """After one die; None if it cannot be paid."""
        line = self.board[face]
        space = self.filled[face - 1]
        cost = line.cost(space)
        own, stock, rich, borrowed = self.own, self.stock, self.rich, self.borrowed
        if line.spaces[space] == "Y" and (stock >= cost or not self.own_pays_yellow):
            if stock < cost:
                return None
            stock -= cost
        else:
            loan = max(0, cost - own)
            if borrowed + loan > LOAN or loan > stock:
                return None
            own, stock, borrowed = own + loan - cost, stock - loan, borrowed + loan
        space += 1
        if space == len(line.spaces):
            own += line.chips(space)
            stock += min(rich, line.arrow) * self.others  # as if all others were rich
            rich -= min(rich, line.arrow)
            space = 0
        filled = (*self.filled[: face - 1], space, *self.filled[face:])
        return Turn(
            self.board, filled, own, stock, rich, borrowed, self.others, self.own_pays_yellow, self.ascending
        )


@lru_cache(maxsize=200_000)
def _column(board: Board, face: int, filled: int, count: int) -> tuple[int, int]:
    line = board[face]
    gain = 0
    for _ in range(count):
        gain -= 0 if line.spaces[filled] == "Y" else line.cost(filled)
        filled += 1
        if filled == len(line.spaces):
            gain += line.chips(filled) + line.arrow
            filled = 0
    return gain, filled


@lru_cache(maxsize=200_000)
def _search(turn: Turn, dice: tuple[int, ...]) -> tuple[float, int]:
    """The best lead after the turn, over every order of placing, and the face to begin with."""
    best = (-1e9, 0)
    for face in sorted(set(dice)):
        then = turn.place(face)
        if then is not None:
            at = dice.index(face)
            worth = _search(then, dice[:at] + dice[at + 1 :])[0]
            best = max(best, (worth, face), key=lambda found: found[0])
            if turn.ascending:
                break
    if best[1]:
        return best
    left = turn.own - min(turn.own, turn.borrowed)
    return (float(left - turn.rich) if left else RUIN), 0
