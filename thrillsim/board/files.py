"""Boards from TOML and back: a preset, a file, or a table that changes some of what a base board says.

`BoardSpec` is the table; the scenario file embeds it.  Reads the files a user names, writes none.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType, structs

from thrillsim import toml
from thrillsim.board.board import Board, EdgeKind, Surface, rails_of, rectangle
from thrillsim.board.disks import LEAST, MOST, DiskKind, Patch, PatchShape
from thrillsim.board.polygon import Point
from thrillsim.board.presets import PRESETS
from thrillsim.errors import InputError, shown

Size = Annotated[float, Meta(ge=LEAST, le=MOST)]
Share = Annotated[float, Meta(ge=0, le=2)]
Count = Annotated[int, Meta(ge=0, le=1000)]


class SurfaceSpec(Struct, frozen=True, forbid_unknown_fields=True):
    """``[playing]`` or ``[sliding]``: a rectangle, or any outline.

    Parameters
    ----------
    depth, width
        A rectangle along x and y, mm, centred on y = 0.  What is left out is the base's; a sliding surface
        keeps the width of its shoulders.  The sliding surface has rails at both sides.
    open_edges
        Of a rectangular playing surface: ``front``, ``left``, ``right`` or ``sides``, joined by ``+``;
        the others carry a rail.
    vertices
        Corners [x, y] of any outline instead, counter-clockwise, one edge on x = 0.
    edges
        ``"open"`` or ``"railed"`` for the edge from corner i to corner i + 1, or one word for all.
    """

    depth: Size | UnsetType = UNSET
    width: Size | UnsetType = UNSET
    open_edges: str | UnsetType = UNSET
    vertices: Annotated[list[Point], Meta(min_length=3)] | UnsetType = UNSET
    edges: EdgeKind | list[EdgeKind] | UnsetType = UNSET


class PusherSpec(Struct, frozen=True, forbid_unknown_fields=True):
    """``[pusher]``: see `Pusher`.  A width left out keeps the base's play beside the rails."""

    width: Size | UnsetType = UNSET
    depth: Size | UnsetType = UNSET
    travel: Size | UnsetType = UNSET
    front: list[Point] | UnsetType = UNSET


class FrictionSpec(Struct, frozen=True, forbid_unknown_fields=True):
    """``[friction]``: coefficients, see `Friction`."""

    board: Annotated[float, Meta(gt=0, le=2)] | UnsetType = UNSET
    rim: Share | UnsetType = UNSET
    pusher: Share | UnsetType = UNSET
    rail: Share | UnsetType = UNSET


class WeightSpec(Struct, frozen=True, forbid_unknown_fields=True):
    """``[weight]``: see `Weight`."""

    radius: Size | UnsetType = UNSET
    mass: Size | UnsetType = UNSET
    height: Size | UnsetType = UNSET


class PatchSpec(Struct, frozen=True, forbid_unknown_fields=True):
    """Contact patch of a disk, see `Patch`."""

    radius: Size
    shape: PatchShape = "ring"
    inner: Annotated[float, Meta(ge=0)] = 0.0


class DiskSpec(Struct, frozen=True, forbid_unknown_fields=True):
    """One ``[[disks]]``: see `DiskKind`.

    What is left out is the base's, if the base has a disk of that name.  A patch left out grows and
    shrinks with the radius; the mass does not.
    """

    name: str
    radius: Size | UnsetType = UNSET
    mass: Size | UnsetType = UNSET
    height: Size | UnsetType = UNSET
    price: Count | UnsetType = UNSET
    count: Count | UnsetType = UNSET
    reserve: Count | UnsetType = UNSET
    patch: PatchSpec | UnsetType = UNSET


class BoardSpec(Struct, frozen=True, forbid_unknown_fields=True):
    """A board as TOML describes it: a base, and what differs from it.

    Parameters
    ----------
    base
        Name of a preset, or a board file (relative to the file that names it).
    name
        What results and pictures call the board.
    playing, sliding, pusher, friction, weight
        Tables; what they leave out is the base's.
    disks
        All sizes, in order.  Left out: the base's.
    gravity
        In mm/s².
    """

    base: str = "default"
    name: str | UnsetType = UNSET
    gravity: Size | UnsetType = UNSET
    playing: SurfaceSpec | UnsetType = UNSET
    sliding: SurfaceSpec | UnsetType = UNSET
    pusher: PusherSpec | UnsetType = UNSET
    friction: FrictionSpec | UnsetType = UNSET
    weight: WeightSpec | UnsetType = UNSET
    disks: Annotated[list[DiskSpec], Meta(min_length=1)] | UnsetType = UNSET


def load_board(path: str | Path) -> Board:
    """Read a board file; without a ``name`` in it the board is called like the file.

    Raises
    ------
    InputError
        One line: file, key, value, what is allowed; or why the geometry is impossible.
    """
    return _load(Path(path), ())


def board_from(spec: str | BoardSpec, folder: str | Path | None = None, key: str = "board") -> Board:
    """The board a scenario asks for.

    Parameters
    ----------
    spec
        Name of a preset, a board file, or a table.
    folder
        Files are named relative to it; by default to the working directory.
    key
        Where the spec stood in its file; errors name it.

    Raises
    ------
    InputError
        As `load_board`.

    Examples
    --------
    >>> board_from(toml.decode("friction.board = 0.2", BoardSpec, "inline")).friction.board
    0.2
    >>> board_from("square")
    Traceback (most recent call last):
    thrillsim.errors.InputError: board: must be one of default, front-only, reference or a .toml file...
    """
    return _build(spec, Path(folder or "."), key, ())


def board_to_toml(board: Board) -> str:
    """The whole board as a TOML file that `load_board` reads back equal.

    Examples
    --------
    >>> from thrillsim.board import default_board
    >>> print("".join(board_to_toml(default_board()).splitlines(keepends=True)[:7]), end="")
    name = "default"
    gravity = 9810.0
    <BLANKLINE>
    [playing]
    depth = 122.0
    width = 220.0
    open_edges = "front+sides"
    """
    pusher = asdict(board.pusher)
    disks = []
    for kind in board.kinds:
        row = asdict(kind)
        if kind.contact.shape != "annulus":
            del row["patch"]["inner"]
        disks.append(row)
    data = {
        "name": board.name,
        "gravity": board.gravity,
        "playing": _surface_table(board.playing),
        "sliding": _surface_table(board.sliding),
        "pusher": pusher,
        "friction": asdict(board.friction),
        "weight": asdict(board.weight),
        "disks": disks,
    }
    return toml.encode(data)


# -- reading ---------------------------------------------------------------------------


@contextmanager
def _under(key: str) -> Iterator[None]:
    """Put the keys of errors raised inside below `key`."""
    try:
        yield
    except InputError as error:
        if error.source:  # it names a place in another file
            raise
        raise error.located("", key or None) from None


def _load(path: Path, seen: tuple[Path, ...]) -> Board:
    if path.resolve() in seen:
        raise InputError(f"leads back to {path}", source=str(path), key="base")
    spec = toml.load(path, BoardSpec)
    try:
        return _build(spec, path.parent, "", (*seen, path.resolve()), name=path.stem)
    except InputError as error:
        raise error.located(str(path)) from None


def _build(
    spec: str | BoardSpec, folder: Path, key: str, seen: tuple[Path, ...], name: str = "custom"
) -> Board:
    if isinstance(spec, str):
        if spec in PRESETS:
            return PRESETS[spec]()
        if not spec.endswith(".toml"):
            allowed = ", ".join(PRESETS)
            what = ""
            with suppress(OSError):  # a name that is too long for any file
                what = ", which is a directory" if spec and (folder / spec).is_dir() else ""
            raise InputError(f"must be one of {allowed} or a .toml file, got {shown(spec)}{what}", key=key)
        return _load(folder / spec, seen)
    with _under(key):
        base = _build(spec.base, folder, "base", seen)
        playing = _surface(spec.playing, base.playing, "playing", None)
        margin = _margin(_width(base.playing), _width(base.sliding))
        sliding = _surface(spec.sliding, base.sliding, "sliding", _less(_width(playing), margin))
        play = _margin(_width(base.sliding), base.pusher.width)
        with _under("pusher"):
            given = _given(spec.pusher)
            if "front" in given:
                given["front"] = tuple(given["front"])
            follows = _less(_width(sliding), play)
            if "width" not in given and follows is not None and sliding != base.sliding:
                given["width"] = follows
            pusher = replace(base.pusher, **given)
        with _under("friction"):
            friction = replace(base.friction, **_given(spec.friction))
        with _under("weight"):
            weight = replace(base.weight, **_given(spec.weight))
        return Board(
            playing=playing,
            sliding=sliding,
            pusher=pusher,
            friction=friction,
            kinds=_kinds(spec.disks, base),
            weight=weight,
            gravity=base.gravity if spec.gravity is UNSET else spec.gravity,
            name=name if spec.name is UNSET else spec.name,
        )


def _given(spec: Struct | UnsetType) -> dict[str, Any]:
    if isinstance(spec, UnsetType):
        return {}
    return {key: value for key, value in structs.asdict(spec).items() if value is not UNSET}


def _surface(spec: SurfaceSpec | UnsetType, base: Surface, part: str, follows: float | None) -> Surface:
    """The surface of one table; `follows` is the width that keeps the base's shoulders."""
    with _under(part):
        given = _given(spec)
        outline = [key for key in ("vertices", "edges") if key in given]
        plain = [key for key in ("depth", "width", "open_edges") if key in given]
        if outline and plain:
            raise InputError(f"cannot be combined with {outline[0]}", key=plain[0])
        if outline:
            vertices = tuple(given.get("vertices", base.vertices))
            edges: EdgeKind | list[EdgeKind] | tuple[EdgeKind, ...]
            edges = given.get("edges", base.edges if len(base.edges) == len(vertices) else "open")
            return Surface(vertices, (edges,) * len(vertices) if isinstance(edges, str) else tuple(edges))
        if part == "sliding" and "open_edges" in given:
            raise InputError("is for the playing surface; give vertices and edges instead", key="open_edges")
        known = _rectangle(base)
        if not plain and (part == "playing" or known is None or follows is None):
            return base
        if known is None:
            missing = {"depth", "width"} - set(plain)
            if missing:
                raise InputError("is required: the base is not a rectangle", key=min(missing))
        depth, width, railed = known or (0.0, 0.0, _RAILS[part])
        depth = given.get("depth", depth)
        width = given.get("width", width if follows is None else follows)
        if width <= 0:
            raise InputError(f"must be > 0, got {width:g}", key="width")
        if part == "sliding":
            return rectangle(-depth, 0.0, width, railed=railed)
        if "open_edges" in given:
            railed = (*rails_of(given["open_edges"]), "rear")
        return rectangle(0.0, depth, width, railed=railed)


_RAILS = {"playing": ("rear",), "sliding": ("left", "right")}
_EDGES = ("right", "front", "left", "rear")


def _rectangle(surface: Surface) -> tuple[float, float, tuple[str, ...]] | None:
    """(depth, width, railed edges) if the surface is one of `rectangle`, centred on y = 0."""
    xs = [x for x, _ in surface.vertices]
    width = 2 * surface.vertices[-1][1]
    railed = tuple(name for name, kind in zip(_EDGES, surface.edges, strict=False) if kind == "railed")
    if len(xs) != 4 or width <= 0 or surface != rectangle(min(xs), max(xs), width, railed=railed):
        return None
    return max(xs) - min(xs), width, railed


def _width(surface: Surface) -> float | None:
    known = _rectangle(surface)
    return known[1] if known else None


def _margin(outer: float | None, inner: float | None) -> float | None:
    return None if outer is None or inner is None else outer - inner


def _less(width: float | None, margin: float | None) -> float | None:
    return None if width is None or margin is None else width - margin


def _kinds(specs: list[DiskSpec] | UnsetType, base: Board) -> tuple[DiskKind, ...]:
    if isinstance(specs, UnsetType):
        return base.kinds
    known = {kind.name: kind for kind in base.kinds}
    kinds = []
    for i, spec in enumerate(specs):
        with _under(f"disks[{i}]"):
            given = _given(spec)
            if "patch" in given:
                with _under("patch"):
                    given["patch"] = Patch(**structs.asdict(given["patch"]))
            old = known.get(spec.name)
            if old is not None:
                if "radius" in given and "patch" not in given:
                    given["patch"] = _resized(old, given["radius"])
                kinds.append(replace(old, **given))
            else:
                for key in ("radius", "mass"):
                    if key not in given:
                        have = ", ".join(known)
                        raise InputError(f"is required: the base has {have}, no {shown(spec.name)}", key=key)
                kinds.append(DiskKind(**given))
    return tuple(kinds)


def _resized(kind: DiskKind, radius: float) -> Patch | None:
    """The patch of `kind` if its radius becomes `radius`; None: the default one."""
    patch = kind.contact
    if patch == DiskKind(kind.name, kind.radius, kind.mass).contact:
        return None
    factor = radius / kind.radius
    return Patch(patch.shape, patch.radius * factor, patch.inner * factor)


# -- writing -----------------------------------------------------------------------------


def _surface_table(surface: Surface) -> dict[str, Any]:
    known = _rectangle(surface)
    if known is not None:
        depth, width, railed = known
        table: dict[str, Any] = {"depth": depth, "width": width}
        if max(x for x, _ in surface.vertices) <= 0:
            if railed == ("right", "left"):
                return table
        elif "rear" in railed and not {"right", "front", "left"} <= set(railed):
            open_edges = "+".join(name for name in ("front", "left", "right") if name not in railed)
            return table | {"open_edges": open_edges.replace("left+right", "sides")}
    return {"vertices": surface.vertices, "edges": surface.edges}
