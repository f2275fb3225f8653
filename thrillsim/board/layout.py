"""Where the disks lie: immutable arrays in a fixed order, with legality checks and a JSON form."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np
from numpy.typing import ArrayLike, NDArray

from thrillsim import toml
from thrillsim.board.board import Board
from thrillsim.board.disks import MOST
from thrillsim.board.support import support_margin
from thrillsim.board.types import FloatArray, is_number
from thrillsim.errors import InputError, counted, limits_of, shown

#: A row of the JSON form: kind name, x, y and (optionally) the angle.
Row = tuple[str, float, float] | tuple[str, float, float, float]


_PLACES = f"{limits_of(ge=-MOST, le=MOST)} mm"


class _File(msgspec.Struct, forbid_unknown_fields=True):
    disks: list[list[Any]]


@dataclass(frozen=True, eq=False)
class Layout:
    """Disks at rest.

    Parameters
    ----------
    kind
        (n,) index into ``board.kinds``.
    x, y
        (n,) centres in mm.
    angle
        (n,) orientation in rad; zeros if left out.  Matters only for an off-centre weight and for plots.
    """

    kind: NDArray[np.intp]
    x: FloatArray
    y: FloatArray
    angle: FloatArray

    def __init__(self, kind: ArrayLike, x: ArrayLike, y: ArrayLike, angle: ArrayLike | None = None) -> None:
        given_kind = _numbers(kind, "kind")
        with np.errstate(invalid="ignore"):
            kind_array = given_kind.astype(np.intp, copy=False)
        if (kind_array < 0).any() or not np.array_equal(kind_array, given_kind):
            raise InputError("must be whole numbers >= 0", key="kind")
        given = {"x": x, "y": y, "angle": np.zeros(len(kind_array)) if angle is None else angle}
        arrays: list[FloatArray] = [
            _numbers(a, key).astype(np.float64, copy=False) for key, a in given.items()
        ]
        for key, array in zip(("x", "y", "angle"), arrays, strict=True):
            if len(array) != len(kind_array):
                raise InputError(
                    f"needs {counted(len(kind_array), 'value')} like kind, got {len(array)}", key=key
                )
            if not np.isfinite(array).all():
                i = int(np.flatnonzero(~np.isfinite(array))[0])
                raise InputError(f"must be a finite number, got {array[i]}", key=f"{key}[{i}]")
        _set(self, kind_array, *arrays)

    @classmethod
    def of_checked(cls, kind: NDArray[np.intp], x: FloatArray, y: FloatArray, angle: FloatArray) -> Layout:
        """From (n,) columns of its own, known to be finite and of these types: taken as they are."""
        layout = cls.__new__(cls)
        _set(layout, kind, x, y, angle)
        return layout

    def __len__(self) -> int:
        return len(self.kind)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Layout):
            return NotImplemented
        return all(np.array_equal(getattr(self, k), getattr(other, k)) for k in ("kind", "x", "y", "angle"))

    def __hash__(self) -> int:
        return hash((self.kind.tobytes(), self.x.tobytes(), self.y.tobytes(), self.angle.tobytes()))

    def __reduce__(self) -> tuple[type[Layout], tuple[NDArray[Any], ...]]:
        """Built anew, so that a copy from another process is as immutable."""
        return Layout, (self.kind, self.x, self.y, self.angle)

    # -- building ----------------------------------------------------------------

    @classmethod
    def from_rows(cls, board: Board, rows: Iterable[Sequence[str | float]]) -> Layout:
        """From (kind name, x, y[, angle]) rows; `InputError` names the bad row."""
        kinds, poses = [], []
        for i, row in enumerate(rows):
            if not 3 <= len(row) <= 4 or not isinstance(row[0], str):
                reason = f"must be [kind, x, y] or [kind, x, y, angle], got {shown(list(row))}"
                raise InputError(reason, key=f"disks[{i}]")
            for j, value in enumerate(row[1:], 1):
                if not is_number(value):
                    raise InputError(f"must be a number, got {shown(value)}", key=f"disks[{i}][{j}]")
            try:
                kinds.append(board.kind_index(row[0]))
            except InputError as error:
                raise InputError(error.reason, key=f"disks[{i}]") from None
            poses.append([float(v) for v in row[1:]] + [0.0] * (4 - len(row)))
        array = np.array(poses, dtype=np.float64).reshape(-1, 3)
        return cls(kinds, array[:, 0], array[:, 1], array[:, 2])

    @classmethod
    def from_json(cls, board: Board, text: str | bytes) -> Layout:
        """Read what `to_json` wrote (bit-identical)."""
        return cls.from_rows(board, toml.decode_json(text, _File).disks)

    def to_rows(self, board: Board) -> list[Row]:
        """(kind name, x, y, angle) per disk, in order."""
        return [
            (board.kinds[k].name, float(x), float(y), float(a))
            for k, x, y, a in zip(self.kind, self.x, self.y, self.angle, strict=True)
        ]

    def to_json(self, board: Board) -> str:
        """One line per disk; floats in shortest round-trip form."""
        rows = ",\n".join("  " + msgspec.json.encode(row).decode() for row in self.to_rows(board))
        return '{"disks": [\n' + rows + "\n]}\n"

    def with_disk(self, kind: int, x: float, y: float, angle: float = 0.0) -> Layout:
        """The layout with one more disk, appended last."""
        more = zip((self.kind, self.x, self.y, self.angle), (kind, x, y, angle), strict=True)
        columns = [np.concatenate((array, (value,))) for array, value in more]
        sound = kind >= 0 and columns[0].dtype == np.intp and math.isfinite(x + y + angle)
        return Layout.of_checked(*columns) if sound else Layout(*columns)

    def take(self, keep: ArrayLike) -> Layout:
        """The layout of the disks selected by a mask or by indices, order kept."""
        index: NDArray[Any] = np.asarray(keep)
        if not index.size:
            index = index.astype(np.intp)
        return Layout(self.kind[index], self.x[index], self.y[index], self.angle[index])

    def _repr_svg_(self) -> str:
        from thrillsim.board.svg import layout_svg

        return layout_svg(self)

    # -- facts ---------------------------------------------------------------------

    def radii(self, board: Board) -> FloatArray:
        """(n,) rim radii, mm."""
        radii: FloatArray = board.radii[self.kind]
        return radii

    def packing(self, board: Board) -> float:
        """Area of the disks over area of the playing surface."""
        return float(np.sum(math.pi * self.radii(board) ** 2) / board.playing.area)

    def overlap(self, board: Board) -> float:
        """Largest overlap of two disks or of a disk and a rail, mm; 0 if there is none."""
        r = self.radii(board)
        worst = 0.0
        if len(self) > 1:
            i, j = np.triu_indices(len(self), 1)
            gap = np.hypot(self.x[i] - self.x[j], self.y[i] - self.y[j]) - r[i] - r[j]
            worst = max(worst, float(-gap.min()))
        if len(self) and len(board.walls):
            worst = max(worst, float((r[:, None] - wall_distance(self.x, self.y, board.walls)).max()))
        return worst

    def check_disks(self, board: Board) -> None:
        """Refuse kinds that the board does not have, and places that lie on no board at all.

        Raises
        ------
        InputError
            Naming the largest kind, or the disk that lies farthest out.
        """
        if not len(self):
            return
        if self.kind.max() >= len(board.kinds):
            raise InputError(f"kind must be 0 to {len(board.kinds) - 1}, got {self.kind.max()}", key="disks")
        for axis, column in enumerate((self.x, self.y), 1):
            i = int(np.abs(column).argmax())
            if abs(column[i]) > MOST:
                raise InputError(f"must be {_PLACES}, got {column[i]:g}", key=f"disks[{i}][{axis}]")

    def check(self, board: Board, *, tolerance: float = 1e-6) -> Layout:
        """Return self if it is a legal position at rest, else say what is wrong.

        Legal: kinds exist, no overlap beyond `tolerance` (mm), nothing reaches into x < 0 (THR-04),
        every disk keeps its support on the board.

        Raises
        ------
        InputError
            Naming the disk (or the pair) and the amount.
        """
        self.check_disks(board)
        r = self.radii(board)
        for i in range(len(self)):
            key = f"disks[{i}]"
            x, y = float(self.x[i]), float(self.y[i])
            if x - r[i] < -tolerance:
                raise InputError(f"reaches {r[i] - x:.3g} mm into the sliding surface", key=key)
            if support_margin_of(board, int(self.kind[i]), x, y) < 0:
                raise InputError(f"has no support on the board at ({x:g}, {y:g})", key=key)
        if self.overlap(board) <= tolerance:
            return self
        walls = wall_distance(self.x, self.y, board.walls)
        for i in range(len(self)):
            for j in range(i):
                lap = r[i] + r[j] - math.hypot(self.x[i] - self.x[j], self.y[i] - self.y[j])
                if lap > tolerance:
                    raise InputError(f"overlaps disks[{j}] by {lap:.3g} mm", key=f"disks[{i}]")
            lap = r[i] - walls[i].min(initial=math.inf)
            if lap > tolerance:
                raise InputError(f"overlaps a rail by {lap:.3g} mm", key=f"disks[{i}]")
        raise InputError(f"disks overlap by {self.overlap(board):.3g} mm", key="disks")


def _numbers(given: ArrayLike, key: str) -> NDArray[Any]:
    """(n,) copy of numbers, whole or not; not every caller has a type checker."""
    try:
        array = np.array(given).reshape(-1)
    except ValueError:  # rows of different lengths
        array = np.array([None])
    if array.size and array.dtype.kind not in "iuf":
        raise InputError(f"must be numbers, got {shown(given)}", key=key)
    return array


def _set(layout: Layout, *columns: NDArray[Any]) -> None:
    for name, column in zip(("kind", "x", "y", "angle"), columns, strict=True):
        column.flags.writeable = False
        object.__setattr__(layout, name, column)


def wall_distance(x: FloatArray, y: FloatArray, walls: FloatArray) -> FloatArray:
    """Distance of n points to k wall segments, (n, k) mm."""
    ax, ay, bx, by = walls.T
    dx, dy = bx - ax, by - ay
    t = ((x[:, None] - ax) * dx + (y[:, None] - ay) * dy) / (dx * dx + dy * dy)
    t = np.clip(t, 0.0, 1.0)
    distance: FloatArray = np.hypot(x[:, None] - ax - t * dx, y[:, None] - ay - t * dy)
    return distance


def support_margin_of(
    board: Board, kind: int, x: float, y: float, com_x: float | None = None, com_y: float | None = None
) -> float:
    """Support margin (mm, negative: it falls) of a disk at (x, y) whose load acts at (com_x, com_y)."""
    patch = board.kinds[kind].contact
    return float(
        support_margin(
            board.outline,
            x,
            y,
            patch.radius,
            patch.radius if patch.shape == "ring" else patch.inner,
            x if com_x is None else com_x,
            y if com_y is None else com_y,
        )
    )
