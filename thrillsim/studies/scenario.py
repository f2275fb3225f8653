"""What a scenario file may hold: msgspec structs, one per TOML table.  Reads files, runs nothing.

`Scenario` is the file as written; `thrillsim.studies.plan` looks up what it names and checks that it fits.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from thrillsim import toml
from thrillsim.board.disks import require_name
from thrillsim.board.files import BoardSpec
from thrillsim.physics import DEFAULT_ENGINE, Accuracy
from thrillsim.physics.types import FASTEST

Seed = Annotated[int, Meta(ge=0, le=toml.WHOLE, description="Whole number >= 0.")]
Range = tuple[float, float]
RESERVE = "reserve"


class OpeningSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``[opening]``: what lies on the board before the push.

    Parameters
    ----------
    seed
        One fixed random arrangement for all trials.  Left out: every trial has its own.
    layout
        A layout file (JSON) instead, relative to the scenario file.
    warmup
        Pushes played before the studied one, with random disks of the reserve at random places
        (a mid-game position).  It stops early if the reserve would run empty.
    """

    seed: Seed | None = None
    layout: str | None = None
    warmup: Annotated[int, Meta(ge=0, le=1000)] = 0


class WeightPlace(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The weight at a fixed place: index of its disk in the layout, offset from its centre in mm."""

    disk: Annotated[int, Meta(ge=0)]
    dx: float = 0.0
    dy: float = 0.0


class PushSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``[push]``: which disk goes in, and where.

    Parameters
    ----------
    disk
        A size, a list of sizes taken in turn, or ``"reserve"``: a random disk of the reserve.
    placement
        ``"uniform"`` over the placement zone, ``"grid"`` or ``"points"`` (both taken in turn).
    x, y
        Limits of the centre in mm, ``[low, high]`` or one number; left out: as far as the zone allows.
        For uniform and grid.
    steps
        Grid points along x and y, a million places at most.
    points
        Centres [x, y] in mm.
    weight
        ``"none"``, ``"random"`` (uniform over all places that touch one disk only; a trial that has no such
        place goes without) or a fixed place.
    speed
        Of the pusher, mm/s.
    """

    disk: str | list[str] = RESERVE
    placement: Literal["uniform", "grid", "points"] = "uniform"
    x: float | Range | None = None
    y: float | Range | None = None
    steps: tuple[Annotated[int, Meta(ge=1, le=10_000)], Annotated[int, Meta(ge=1, le=10_000)]] | None = None
    points: Annotated[list[tuple[float, float]], Meta(min_length=1)] | None = None
    weight: Literal["none", "random"] | WeightPlace = "none"
    speed: Annotated[float, Meta(gt=0, le=FASTEST)] = 20.0


# beyond these nothing of what is meant is left
_Length = Annotated[float, Meta(ge=0, le=1000)]
_Share = Annotated[float, Meta(ge=0, le=1)]


class NoiseSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``[noise]``: standard deviations of what is not ideal, drawn anew in every trial.

    Parameters
    ----------
    x, y
        Of the placement, mm (normal; the disk stays in the zone).
    yaw
        Of the pusher's front, rad (normal, cut off at 0.1).
    tilt
        Of each component of the board's slope, in units of gravity (normal, cut off below half the friction).
    speed, friction_board, friction_rim
        Relative (log-normal with the nominal value as median); rim covers disk, pusher and rail together.
    """

    x: _Length = 0.0
    y: _Length = 0.0
    yaw: _Share = 0.0
    tilt: _Share = 0.0
    speed: _Share = 0.0
    friction_board: _Share = 0.0
    friction_rim: _Share = 0.0


class Scenario(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A study as a TOML file describes it; every key has a default.

    Parameters
    ----------
    title
        For tables and pictures.
    board
        Name of a preset, a board file relative to the scenario file, or a table.
    engine, accuracy
        See `thrillsim.physics`.
    trials, seed
        How many pushes (at most 10⁹), and the seed from which every trial draws its own stream.
    opening, push, noise
        Tables, see `OpeningSpec`, `PushSpec`, `NoiseSpec`.
    """

    title: str = ""
    board: str | BoardSpec = "default"
    engine: str = DEFAULT_ENGINE
    accuracy: Accuracy = "standard"
    trials: Annotated[int, Meta(ge=1, le=10**9)] = 400
    seed: Seed = 1
    opening: OpeningSpec = OpeningSpec()
    push: PushSpec = PushSpec()
    noise: NoiseSpec = NoiseSpec()

    def __post_init__(self) -> None:
        if self.title:  # it may be left out
            require_name(self.title, "title")


def load(path: str | Path) -> Scenario:
    """Read a scenario file.

    Raises
    ------
    InputError
        One line with file, key, value and what is allowed.
    """
    return toml.load(path, Scenario)


def json_schema() -> dict[str, Any]:
    """JSON Schema of a scenario file, for editors."""
    return msgspec.json.schema(Scenario)
