"""The table: playing and sliding surface, their edges, the pusher, the friction.  Frozen values with checks.

Frame: x along the push, x = 0 the blocking edge, playing surface x > 0, sliding surface x < 0;
y to the left of somebody who pushes.  Millimetres, grams, seconds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from thrillsim.board.disks import MOST, THRILL_KINDS, DiskKind, Weight, require_name, require_size
from thrillsim.board.polygon import Point, crosses_itself, signed_area, tight_spot
from thrillsim.board.types import FloatArray
from thrillsim.errors import InputError, limits_of, shown

EdgeKind = Literal["open", "railed"]

SPREAD = 50.0  #: of the disks' masses: the engines jam, or leave steps undone, from 100 on

GRAVITY = 9810.0  #: mm/s²


@dataclass(frozen=True, slots=True)
class Surface:
    """A polygonal part of the board.

    Parameters
    ----------
    vertices
        Corners in mm, counter-clockwise.  One edge lies on x = 0.
    edges
        ``"open"`` or ``"railed"`` for the edge from vertex i to vertex i + 1.  Of the playing
        surface's edge on x = 0 the kind counts for the shoulders beside the sliding surface only.
    """

    vertices: tuple[Point, ...]
    edges: tuple[EdgeKind, ...]

    def __post_init__(self) -> None:
        if len(self.vertices) < 3:
            raise InputError(f"needs at least 3 corners, got {len(self.vertices)}", key="vertices")
        if len(self.edges) != len(self.vertices):
            raise InputError(
                f"needs one entry per corner ({len(self.vertices)}), got {len(self.edges)}", key="edges"
            )
        for kind in self.edges:
            if kind not in ("open", "railed"):
                raise InputError(f"must be open or railed, got {shown(kind)}", key="edges")
        if not all(abs(c) <= MOST for v in self.vertices for c in v):  # (written so that nan is refused)
            raise InputError(f"must be numbers from {-MOST:g} to {MOST:g}", key="vertices")
        if crosses_itself(self.vertices):
            raise InputError("outline crosses or touches itself", key="vertices")
        if signed_area(self.vertices) <= 0:
            raise InputError("corners must run counter-clockwise", key="vertices")

    @property
    def area(self) -> float:
        """Area in mm²."""
        return signed_area(self.vertices)

    def blocking_edge(self) -> int:
        """Index of the one edge on x = 0."""
        n = len(self.vertices)
        found = [i for i in range(n) if self.vertices[i][0] == 0 == self.vertices[(i + 1) % n][0]]
        if len(found) != 1:
            raise InputError(f"needs exactly one edge on x = 0, has {len(found)}", key="vertices")
        if sum(x == 0 for x, _ in self.vertices) != 2:
            raise InputError("only the two ends of the edge on x = 0 may touch x = 0", key="vertices")
        return found[0]

    def blocking_span(self) -> tuple[float, float]:
        """Lowest and highest y of the edge on x = 0."""
        i = self.blocking_edge()
        a, b = self.vertices[i][1], self.vertices[(i + 1) % len(self.vertices)][1]
        return min(a, b), max(a, b)


@dataclass(frozen=True, slots=True)
class Pusher:
    """The slider that pushes: a body of `width` x `depth` whose front runs from x = -`travel` to x = 0.

    Parameters
    ----------
    width, depth, travel
        In mm.
    front
        Front profile as (dx, y) points from right (low y) to left, dx <= 0 behind the
        foremost line; empty means flat over the whole width.
    """

    width: float = 218.0
    depth: float = 48.0
    travel: float = 80.0
    front: tuple[Point, ...] = ()

    def __post_init__(self) -> None:
        require_size(self.width, "width")
        require_size(self.depth, "depth")
        require_size(self.travel, "travel")
        if self.front:
            xs, ys = [p[0] for p in self.front], [p[1] for p in self.front]
            half = self.width / 2
            if not all(math.isfinite(c) for c in xs + ys):
                raise InputError("must be finite numbers", key="front")
            if len(self.front) < 2 or any(b <= a for a, b in pairwise(ys)):
                raise InputError("needs at least two points with rising y", key="front")
            if max(xs) != 0 or min(xs) < -self.depth:
                got = f"{min(xs):g}..{max(xs):g}"
                raise InputError(f"dx must lie in -depth..0 and reach 0, got {got}", key="front")
            if ys[0] != -half or ys[-1] != half:
                raise InputError(f"must run from y = {-half:g} to y = {half:g}", key="front")

    def profile(self) -> tuple[Point, ...]:
        """Front points (dx, y), flat front included."""
        return self.front or ((0.0, -self.width / 2), (0.0, self.width / 2))


@dataclass(frozen=True, slots=True)
class Friction:
    """Coulomb coefficients: patch on `board`, rim on rim, rim on `pusher`, rim on `rail` (and shoulder)."""

    board: float = 0.30
    rim: float = 0.25
    pusher: float = 0.25
    rail: float = 0.25

    def __post_init__(self) -> None:
        for key in ("board", "rim", "pusher", "rail"):
            value = getattr(self, key)
            if not (0 < value <= 2 or (value == 0 and key != "board")):  # (written so that nan is refused)
                limits = limits_of(gt=0, le=2) if key == "board" else limits_of(ge=0, le=2)
                raise InputError(f"must be {limits}, got {value:g}", key=key)


@dataclass(frozen=True)
class Board:
    """Everything about the table that does not move between pushes.

    Parameters
    ----------
    playing, sliding
        The surface on which the disks lie (x > 0) and the one on which the pusher runs (x < 0).
    pusher, friction, weight
        What pushes, how much everything rubs, and the weight of the variant.
    kinds
        The sizes of disks, named; a disk of a layout is an index into them.
    gravity
        In mm/s².
    name
        For titles and results.

    Raises
    ------
    InputError
        If the parts do not fit together; `key` names the part.
    """

    playing: Surface
    sliding: Surface
    pusher: Pusher = field(default_factory=Pusher)
    friction: Friction = field(default_factory=Friction)
    kinds: tuple[DiskKind, ...] = THRILL_KINDS
    weight: Weight = field(default_factory=Weight)
    gravity: float = GRAVITY
    name: str = "custom"

    def __post_init__(self) -> None:
        require_name(self.name, "name")
        require_size(self.gravity, "gravity")
        names = [k.name for k in self.kinds]
        if not names:
            raise InputError("needs at least one kind", key="disks")
        if len(set(names)) != len(names):
            raise InputError(f"may give no name twice, got {shown(names)}", key="disks")
        masses = [k.mass for k in self.kinds]
        if max(masses) > SPREAD * min(masses):
            raise InputError(
                f"masses may differ by a factor of {SPREAD:g}, got {min(masses):g} and {max(masses):g}",
                key="disks",
            )
        for key, surface, sign in (("playing", self.playing, 1), ("sliding", self.sliding, -1)):
            if any(sign * x < 0 for x, _ in surface.vertices):
                side = ">= 0" if sign > 0 else "<= 0"
                raise InputError(f"every corner needs x {side}", key=f"{key}.vertices")
            try:
                surface.blocking_edge()
            except InputError as error:
                raise error.located("", key) from None
        low, high = self.sliding.blocking_span()
        plow, phigh = self.playing.blocking_span()
        if low < plow or high > phigh:
            raise InputError(
                f"reaches {low:g}..{high:g} at x = 0, further than the playing surface ({plow:g}..{phigh:g})",
                key="sliding",
            )
        blocking = self.playing.blocking_edge()
        if not any(kind == "open" for i, kind in enumerate(self.playing.edges) if i != blocking):
            raise InputError("no edge is open, so nothing could ever fall", key="playing.edges")
        half, reach = self.pusher.width / 2, self.pusher.travel + self.pusher.depth
        end = min(x for x, _ in self.sliding.vertices)
        if end > -reach:
            raise InputError(
                f"travel and depth need the sliding surface to x = {-reach:g}, it ends at x = {end:g}",
                key="pusher.travel",
            )
        spot = tight_spot(self.sliding.vertices, -reach, 0.0, half)
        if spot is not None:
            raise InputError(
                f"{self.pusher.width:g} is too wide: the sliding surface has {spot[1]:g} at x = {spot[0]:g}",
                key="pusher.width",
            )

    def __getstate__(self) -> dict[str, Any]:
        """Without the cached arrays, which would come back writeable."""
        return {key: value for key, value in self.__dict__.items() if key in self.__dataclass_fields__}

    # -- looking things up ---------------------------------------------------

    def kind_index(self, name: str | int) -> int:
        """Index of a disk kind given by name (or already by index)."""
        if isinstance(name, (int, np.integer)) and not isinstance(name, bool):
            if 0 <= name < len(self.kinds):
                return int(name)
        else:
            for i, kind in enumerate(self.kinds):
                if kind.name == name:
                    return i
        allowed = ", ".join(k.name for k in self.kinds)
        raise InputError(f"must be one of {allowed}, got {shown(name)}", key="disk")

    @cached_property
    def _hash(self) -> int:
        return hash(tuple(getattr(self, name) for name in self.__dataclass_fields__))

    def __hash__(self) -> int:  # once: what depends on the board alone is looked up by it at every push
        return self._hash

    @cached_property
    def radii(self) -> FloatArray:
        """Rim radius per kind, (kinds,) mm."""
        return _frozen([k.radius for k in self.kinds])

    @cached_property
    def masses(self) -> FloatArray:
        """Mass per kind, (kinds,) g."""
        return _frozen([k.mass for k in self.kinds])

    @cached_property
    def prices(self) -> NDArray[np.int64]:
        """Price per kind, (kinds,) chips."""
        array = np.array([k.price for k in self.kinds], dtype=np.int64)
        array.flags.writeable = False
        return array

    # -- geometry that engines and plots need ---------------------------------

    @cached_property
    def outline(self) -> FloatArray:
        """Corners of playing + sliding surface together, (n, 2), counter-clockwise."""
        return _frozen([point for point, _ in self._outline()])

    @cached_property
    def outline_edges(self) -> tuple[EdgeKind, ...]:
        """Kind of the outline's edge from corner i to i + 1."""
        return tuple(kind for _, kind in self._outline())

    def _outline(self) -> list[tuple[Point, EdgeKind]]:
        parts: list[tuple[Point, EdgeKind]] = []
        i = self.playing.blocking_edge()
        n = len(self.playing.vertices)
        for j in range(i + 1, i + n):  # from (0, low) round the playing surface, its x = 0 edge left out
            parts.append((self.playing.vertices[j % n], self.playing.edges[j % n]))
        shoulder = self.playing.edges[i]
        top = self.playing.vertices[i % n]
        low, high = self.sliding.blocking_span()
        if high < top[1]:
            parts.append((top, shoulder))
        k = self.sliding.blocking_edge()
        m = len(self.sliding.vertices)
        for j in range(k + 1, k + m):
            parts.append((self.sliding.vertices[j % m], self.sliding.edges[j % m]))
        if low > self.playing.blocking_span()[0]:
            parts.append(((0.0, low), shoulder))
        return parts

    @cached_property
    def walls(self) -> FloatArray:
        """Railed edges and shoulders as segments (x1, y1, x2, y2), (k, 4); the board lies left of each."""
        points = self.outline
        segments = [
            (*points[i], *points[(i + 1) % len(points)])
            for i, kind in enumerate(self.outline_edges)
            if kind == "railed"
        ]
        return _frozen(segments).reshape(-1, 4)

    @property
    def zone(self) -> tuple[float, float]:
        """x range in which a new disk's whole footprint must lie (THR-14): pusher front to blocking edge."""
        return -self.pusher.travel, 0.0

    def _repr_svg_(self) -> str:
        from thrillsim.board.svg import board_svg

        return board_svg(self)

    @property
    def pins(self) -> tuple[Point, Point]:
        """The two retaining pins that stop the pusher at the rear (THR-02)."""
        x = -(self.pusher.travel + self.pusher.depth)
        return (x, -self.pusher.width / 4), (x, self.pusher.width / 4)


def rectangle(x0: float, x1: float, width: float, *, railed: tuple[str, ...] = ()) -> Surface:
    """A rectangle from x0 to x1, centred on y = 0; `railed` names edges: right, front, left, rear."""
    half = width / 2
    names = ("right", "front", "left", "rear")
    for name in railed:
        if name not in names:
            raise InputError(f"edge must be one of {', '.join(names)}, got {shown(name)}", key="railed")
    vertices = ((x0, -half), (x1, -half), (x1, half), (x0, half))
    return Surface(vertices, tuple("railed" if name in railed else "open" for name in names))


def rails_of(open_edges: str) -> tuple[str, ...]:
    """The edges that carry a rail if `open_edges` are open.

    Examples
    --------
    >>> rails_of("front+left")
    ('right',)
    """
    names = open_edges.split("+")
    if not set(names) <= {"front", "left", "right", "sides"}:
        raise InputError(
            f"must be front, left, right, sides or some of them joined by +, got {shown(open_edges)}",
            key="open_edges",
        )
    return tuple(
        side
        for side in ("right", "front", "left")
        if side not in names and (side == "front" or "sides" not in names)
    )


def rectangular_board(
    *,
    depth: float = 122.0,
    width: float = 220.0,
    open_edges: str = "front+sides",
    slide_depth: float = 138.0,
    slide_width: float | None = None,
    pusher: Pusher | None = None,
    friction: Friction | None = None,
    kinds: tuple[DiskKind, ...] = THRILL_KINDS,
    weight: Weight | None = None,
    name: str = "custom",
) -> Board:
    """A board of two rectangles, by default the one of the rule sheet.

    Parameters
    ----------
    depth, width
        Of the playing surface, mm.
    open_edges
        ``front``, ``left``, ``right`` or ``sides`` (both), joined by ``+``; the others carry a rail.
    slide_depth, slide_width
        Of the sliding surface, mm; as wide as the playing surface by default.  It has rails at both sides.
    pusher
        Default: 2 mm narrower than the sliding surface, 48 deep, 80 of travel.
    """
    railed = rails_of(open_edges)
    for key, value in (("depth", depth), ("width", width), ("slide_depth", slide_depth)):
        require_size(value, key)
    if slide_width is None:
        slide_width = width
    require_size(slide_width, "slide_width")
    return Board(
        playing=rectangle(0.0, depth, width, railed=(*railed, "rear")),
        sliding=rectangle(-slide_depth, 0.0, slide_width, railed=("left", "right")),
        pusher=pusher or Pusher(width=slide_width - 2.0),
        friction=friction or Friction(),
        kinds=kinds,
        weight=weight or Weight(),
        name=name,
    )


def _frozen(values: object) -> FloatArray:
    array = np.array(values, dtype=np.float64)
    array.flags.writeable = False
    return array
