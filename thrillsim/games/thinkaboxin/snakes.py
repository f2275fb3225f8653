"""Rattlesnakes on the board: where a part may go, which may be taken off, and what is the head then.

May import bidding (through the state).  Pure functions of the state; whose turn it is, is not asked here.
"""

from __future__ import annotations

from msgspec.structs import replace

from thrillsim.bidding import replaced
from thrillsim.games.thinkaboxin.board import HEAD, ORANGE, Board, Geometry, geometry
from thrillsim.games.thinkaboxin.types import Options, RemoveOther, RemoveOwn, Snakes, State

PARTS = 20  # THK-60
_DEFAULTS = {adjacency: geometry(Board(), adjacency) for adjacency in (4, 8)}


def snakes(state: State) -> Snakes:
    """The snakes of a state of this mode."""
    assert isinstance(state.book, Snakes)
    return state.book


def board(options: Options) -> Geometry:
    """The board in use."""
    return (
        _DEFAULTS[options.adjacency] if options.board is None else geometry(options.board, options.adjacency)
    )


def supply(book: Snakes, seat: int) -> int:
    """Parts in front of a player, for all to see (THK-70)."""
    return PARTS - len(book.parts[seat])


def diving(options: Options, book: Snakes, seat: int) -> int:
    """The pit that a snake's head is about to enter, -1 if it is not (THK-67, THK-A38, THK-A40)."""
    head = book.heads[seat]
    if options.pit_model == "passage" or head < 0:
        return -1
    return -1 if _came_out(book, seat, head) else board(options).pit_of[head]


def _came_out(book: Snakes, seat: int, square: int) -> bool:
    return any(at == square for at, _, _ in book.dives[seat])


def _used(options: Options, book: Snakes, seat: int) -> set[int]:
    """Pits that a snake may not enter, by the rule in force (THK-A39)."""
    dives = book.dives[seat]
    if options.pit_reuse == "not_immediate":
        return {dives[-1][2]} if dives else set()
    return {pit for _, entered, left in dives for pit in (entered, left)}


def exits(state: State, seat: int, pit: int) -> dict[int, int]:
    """Free squares where a snake that enters `pit` may come out, each with its pit (THK-67)."""
    options, book = state.options, snakes(state)
    closed = {pit}
    if options.pit_reuse == "once":
        closed |= _used(options, book, seat)
    taken = _taken(book)
    passage = options.pit_model == "passage"
    return {
        square: out
        for out, (mouths, beside) in board(options).pits.items()
        if out not in closed
        for square in (beside if passage else mouths)
        if square not in taken
    }


def _taken(book: Snakes) -> set[int]:
    return {square for own in book.parts for square in own} | set(book.dead)


def placements(state: State, seat: int) -> tuple[int, ...]:
    """Squares for the next part of a seat that may place `left` more in this set."""
    options, book, map_ = state.options, snakes(state), board(state.options)
    head = book.heads[seat]
    taken = _taken(book)
    if not supply(book, seat):
        return ()
    if head < 0:  # THK-64: only a first part, on a head square of choice
        return tuple(square for square in map_.heads if square not in taken)
    pit = diving(options, book, seat)
    if pit >= 0:  # THK-67: out at another pit
        return tuple(sorted(exits(state, seat, pit)))
    passage = options.pit_model == "passage"
    fresh = not passage and _came_out(book, seat, head)
    found = []
    for square in map_.near[head]:  # THK-65: an adjacent square, each used once
        if square in taken or map_.marks[square] == HEAD:
            continue
        if map_.marks[square] == ORANGE and not passage:
            # THK-A39: straight on after coming out; THK-A37: no way in without a way out, but to wait there
            if fresh or map_.pit_of[square] in _used(options, book, seat):
                continue
            if book.left > 1 and not exits(state, seat, map_.pit_of[square]):
                continue
        found.append(square)
    if passage:
        found += _passages(state, seat)
    return tuple(sorted(set(found)))


def _passages(state: State, seat: int) -> dict[int, tuple[int, int]]:
    """Squares that a head beside a pit reaches through it: pit entered, pit left (option ``passage``)."""
    options, book = state.options, snakes(state)
    near = [pit for pit, (_, beside) in board(options).pits.items() if book.heads[seat] in beside]
    ways: dict[int, tuple[int, int]] = {}
    for pit in near:
        if pit not in _used(options, book, seat):
            ways.update({square: (pit, out) for square, out in exits(state, seat, pit).items()})
    return ways


def place(state: State, seat: int, square: int) -> Snakes:
    """The snakes after a part was placed; it is the head now (THK-66)."""
    options, book, map_ = state.options, snakes(state), board(state.options)
    head, dives = book.heads[seat], book.dives[seat]
    pit = diving(options, book, seat)
    if pit >= 0:
        dives = (*dives, (square, pit, map_.pit_of[square]))
    elif options.pit_model == "passage" and head >= 0 and square not in map_.near[head]:
        dives = (*dives, (square, *_passages(state, seat)[square]))
    return _with(book, seat, (*book.parts[seat], square), square, dives)


def removals(state: State, seat: int) -> list[RemoveOwn | RemoveOther]:
    """What a set winner may take off instead of placing (THK-68, THK-69)."""
    book, map_ = snakes(state), board(state.options)
    own, head = book.parts[seat], book.heads[seat]
    found: list[RemoveOwn | RemoveOther] = []
    if own:
        # THK-A33: back, or across to an own part beside the square that becomes free
        across = [square for square in own if square in map_.near[head]]
        found += [RemoveOwn(head, to) for to in across or [_before(own, head)]]
        if state.options.own_removal == "any":
            found += [RemoveOwn(square, head) for square in own if square != head]
    reach = own if state.options.opp_removal == "any_part" else own and (head,)  # THK-A34
    beside = {square for mine in reach for square in map_.near[mine]}
    for other, parts in enumerate(book.parts):
        if other != seat and other not in book.immune:  # THK-68, THK-A43
            found += [RemoveOther(square) for square in parts if square in beside]
    return found


def _before(own: tuple[int, ...], head: int) -> int:
    """The part placed before the head, else the latest remaining, else -1 (THK-A33, THK-A35)."""
    at = own.index(head)
    rest = [square for square in own if square != head]
    return own[at - 1] if at else rest[-1] if rest else -1


def remove(state: State, seat: int, action: RemoveOwn | RemoveOther) -> Snakes:
    """The snakes after a part went back to its owner; gaps are allowed (THK-A36)."""
    book, square = snakes(state), action.square
    owner = next(s for s, own in enumerate(book.parts) if square in own)
    own, head = book.parts[owner], book.heads[owner]
    if isinstance(action, RemoveOwn):
        assert owner == seat
        head = action.head
    elif square == head:
        head = _before(own, head)
    parts = tuple(part for part in own if part != square)
    dives = tuple(dive for dive in book.dives[owner] if dive[0] != square)
    if not state.options.freed_squares_reusable:  # THK-A32
        book = replace(book, dead=(*book.dead, square))
    return _with(book, owner, parts, head, dives)


def _with(
    book: Snakes, seat: int, parts: tuple[int, ...], head: int, dives: tuple[tuple[int, int, int], ...]
) -> Snakes:
    return replace(
        book,
        parts=replaced(book.parts, seat, parts),
        heads=replaced(book.heads, seat, head),
        dives=replaced(book.dives, seat, dives),
    )
