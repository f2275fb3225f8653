"""The round things: disk kinds, their contact patches, and the weight.  Plain values.

Units: millimetres, grams.  Default sizes and masses are assumptions (no source gives
the true ones); they are data, so any of them can be studied.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from thrillsim.errors import InputError, limits_of, shown

PatchShape = Literal["ring", "disk", "annulus"]


LEAST, MOST = 1e-3, 1e5  #: mm, g, mm/s²: beyond these nothing is a board game, and numbers lose their digits


def require_size(value: float, key: str) -> None:
    """Raise `InputError` unless `value` is from `LEAST` to `MOST`."""
    if not LEAST <= value <= MOST:  # (written so that nan is refused)
        raise InputError(f"must be {limits_of(ge=LEAST, le=MOST)}, got {value:g}", key=key)


def require_name(value: object, key: str) -> None:
    """Raise `InputError` unless `value` can stand on a line of a table."""
    if not isinstance(value, str) or not value.strip() or not value.isprintable():
        raise InputError(f"must be a text that shows on one line, got {shown(value)}", key=key)


@dataclass(frozen=True, slots=True)
class Patch:
    """Where a disk touches the board: the area that carries its normal force.

    Parameters
    ----------
    shape
        ``"ring"`` (a hollow cup standing on its rim), ``"disk"`` (solid) or ``"annulus"``.
    radius
        Outer radius in mm.
    inner
        Inner radius in mm; used by ``"annulus"`` only.
    """

    shape: PatchShape = "ring"
    radius: float = 1.0
    inner: float = 0.0

    def __post_init__(self) -> None:
        if self.shape not in ("ring", "disk", "annulus"):
            raise InputError(f"must be ring, disk or annulus, got {shown(self.shape)}", key="shape")
        require_size(self.radius, "radius")
        if self.shape == "annulus":
            limits = f"between 0 and radius {self.radius:g}"
            if self.inner == 0:  # which stands for none given
                raise InputError(f"is required by shape annulus, {limits}", key="inner")
            if not 0 < self.inner < self.radius:
                raise InputError(f"must lie {limits}, got {self.inner:g}", key="inner")
        elif self.inner != 0:
            raise InputError(f"is used by shape annulus only, got {self.inner:g}", key="inner")


@dataclass(frozen=True, slots=True)
class DiskKind:
    """One size of disk.

    Parameters
    ----------
    name
        How scenarios, layouts and tables call it.
    radius, mass, height
        Of the rim (mm), of the whole disk (g), above the board (mm).
    price
        Chips paid for one that falls (THR-16).
    patch
        Contact patch on the board; default a ring in the middle of a 1.2 mm wall.
    count
        How many are in the box (THR-01).
    reserve
        How many of them start beside the board (THR-03).
    """

    name: str
    radius: float
    mass: float
    height: float = 6.0
    price: int = 1
    patch: Patch | None = None
    count: int = 1
    reserve: int = 0

    def __post_init__(self) -> None:
        require_name(self.name, "name")
        require_size(self.radius, "radius")
        require_size(self.mass, "mass")
        require_size(self.height, "height")
        if self.price < 0:
            raise InputError(f"must be >= 0, got {self.price}", key="price")
        if not 0 <= self.reserve <= self.count:
            raise InputError(f"must be 0 to count ({self.count}), got {self.reserve}", key="reserve")
        if self.patch is None:
            object.__setattr__(self, "patch", Patch("ring", self.radius - min(0.6, 0.5 * self.radius)))
        if self.contact.radius > self.radius:
            raise InputError(
                f"must not exceed the disk's radius {self.radius:g}, got {self.contact.radius:g}",
                key="patch.radius",
            )

    @property
    def contact(self) -> Patch:
        """The contact patch (never None once built)."""
        assert self.patch is not None
        return self.patch


@dataclass(frozen=True, slots=True)
class Weight:
    """The metal weight of the variant (THR-25 to THR-28): radius and height in mm, mass in g."""

    radius: float = 10.0
    mass: float = 29.6
    height: float = 12.0

    def __post_init__(self) -> None:
        require_size(self.radius, "radius")
        require_size(self.mass, "mass")
        require_size(self.height, "height")


#: The real material: 7 big, 10 medium, 15 small; 2 big and 2 medium start in the reserve.
THRILL_KINDS: tuple[DiskKind, ...] = (
    DiskKind("big", 21.0, 2.52, price=3, count=7, reserve=2),
    DiskKind("medium", 16.0, 1.60, price=2, count=10, reserve=2),
    DiskKind("small", 11.0, 0.87, price=1, count=15, reserve=0),
)
