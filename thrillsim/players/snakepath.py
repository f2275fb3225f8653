"""Where a snake has room to go on: reachable squares, and paths that keep them reachable.

May import the Rattlesnakes board.  Paths keep to plain steps; a pit is taken when nothing better is left.
"""

from __future__ import annotations

from collections.abc import Callable

from thrillsim.games.thinkaboxin import Options, Snakes
from thrillsim.games.thinkaboxin.board import HEAD, ORANGE, STRIDE
from thrillsim.games.thinkaboxin.snakes import board, supply

Score = Callable[[int], tuple[float, ...]]


def distance(book: Snakes) -> Score:
    """How far a square is from the nearest snake."""
    others = [divmod(square, STRIDE) for own in book.parts for square in own]

    def score(square: int) -> tuple[float, ...]:
        y, x = divmod(square, STRIDE)
        return (float(min((abs(y - b) + abs(x - a) for b, a in others), default=0)),)

    return score


def outlook(options: Options, book: Snakes, seat: int, depth: int) -> Score:
    """How good a square is as the next of `depth` parts: room for all parts that are left, then snugness."""
    map_ = board(options)
    taken = frozenset(square for own in book.parts for square in own) | frozenset(book.dead)
    need = supply(book, seat)

    def free(square: int, used: frozenset[int]) -> list[int]:
        near = map_.near[square]
        return [s for s in near if s not in taken and s not in used and map_.marks[s] not in (HEAD, ORANGE)]

    def reach(square: int, used: frozenset[int]) -> int:
        met, edge = {square}, [square]
        while edge and len(met) <= need:
            for step in free(edge.pop(), used):
                if step not in met:
                    met.add(step)
                    edge.append(step)
        return len(met) - 1

    def score(square: int, left: int, used: frozenset[int]) -> tuple[float, ...]:
        used = used | {square}
        ways = free(square, used)
        if left > 1 and ways:
            best = max(score(step, left - 1, used) for step in ways)
            return (best[0] + 1, *best[1:])
        mouth = map_.marks[square] == ORANGE
        placed = 1 if left else 0
        return (float(placed), float(min(reach(square, used), need)) - 5 * mouth, -float(len(ways)))

    return lambda square: score(square, depth, frozenset())
