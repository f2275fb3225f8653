"""From a scenario to a plan: everything looked up, checked and self-contained, ready to be run anywhere.

May read the files that a scenario names.  A `Plan` is plain data: it pickles, it encodes to JSON (the
manifest keeps it), and its hash says whether two studies are the same one.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from thrillsim import toml
from thrillsim.board import Board, Layout
from thrillsim.board.files import board_from
from thrillsim.board.opening import opening
from thrillsim.board.types import FloatArray
from thrillsim.errors import InputError, counted, shown
from thrillsim.physics import ENGINES, Accuracy, WeightOn
from thrillsim.physics.types import sliding_span
from thrillsim.physics.weight import weight_problem
from thrillsim.studies.scenario import RESERVE, NoiseSpec, OpeningSpec, PushSpec, Scenario, WeightPlace, load
from thrillsim.studies.streams import opening_seed

IntArray = NDArray[np.int64]
Box = tuple[tuple[float, float], tuple[float, float]]  #: (x0, x1), (y0, y1)
Rows = tuple[tuple[str, float, float, float], ...]
MOST_PLACES = 1_000_000  #: of a grid, which is kept in memory


class Plan(msgspec.Struct, frozen=True, dict=True):
    """A resolved scenario.

    Parameters
    ----------
    title
        For tables and pictures.
    board
        The table.
    layout
        Rows of the fixed layout that every trial starts from, or None: an opening per trial.
    engine, accuracy, trials, seed
        As in the scenario.
    opening, push, noise
        As in the scenario.
    """

    title: str
    board: Board
    layout: Rows | None
    engine: str
    accuracy: Accuracy
    trials: int
    seed: int
    opening: OpeningSpec
    push: PushSpec
    noise: NoiseSpec

    @property
    def hash(self) -> str:
        """Hash of everything that decides what trial k gives: not of title and number of trials."""
        same = msgspec.structs.replace(self, title="", trials=0)
        return hashlib.sha256(msgspec.json.encode(same)).hexdigest()[:16]

    @property
    def start(self) -> Layout | None:
        """The fixed layout, if there is one."""
        return None if self.layout is None else Layout.from_rows(self.board, self.layout)

    @property
    def first(self) -> Layout:
        """The arrangement of trial 0, before any warm-up."""
        if self.layout is not None:
            return Layout.from_rows(self.board, self.layout)
        return opening(self.board, opening_seed(self.seed, 0))

    @property
    def kinds(self) -> tuple[int, ...]:
        """Sizes that the new disk may have, as indices into ``board.kinds``."""
        if self.push.disk != RESERVE:
            names = [self.push.disk] if isinstance(self.push.disk, str) else self.push.disk
            return tuple(dict.fromkeys(self.board.kind_index(name) for name in names))
        if self.opening.warmup:  # what falls joins the reserve (THR-17)
            return tuple(k for k, kind in enumerate(self.board.kinds) if kind.count)
        return tuple(int(k) for k in np.flatnonzero(self.reserve(self.start)))

    def reserve(self, layout: Layout | None) -> IntArray:
        """Disks beside the board, (kinds,): what is not in `layout`; as at the start if that is None."""
        kinds = self.board.kinds
        if layout is None:
            return np.array([k.reserve for k in kinds], dtype=np.int64)
        lying = np.bincount(layout.kind, minlength=len(kinds))
        left: IntArray = np.maximum(np.array([k.count for k in kinds]) - lying, 0)
        return left


def load_plan(
    path: str | Path,
    *,
    trials: int | None = None,
    seed: int | None = None,
    engine: str | None = None,
    accuracy: str | None = None,
) -> Plan:
    """Read a scenario file, let what is given here take the place of what it says, and check all of it.

    Raises
    ------
    InputError
        One line with file, key, value and what is allowed; without a file if the value was given here.
    """
    scenario = load(path)
    named = {"trials": trials, "seed": seed, "engine": engine, "accuracy": accuracy}
    given = {key: value for key, value in named.items() if value is not None}
    if given:
        merged = msgspec.to_builtins(scenario) | given
        try:
            scenario = toml.convert(merged, Scenario)
        except InputError as error:  # the file itself was good
            raise InputError(error.reason, key=error.key) from None
    try:
        return resolve(scenario, Path(path).parent)
    except InputError as error:
        if error.key in given:
            raise InputError(error.reason, key=error.key) from None
        raise error.located(str(path)) from None


def resolve(scenario: Scenario, folder: Path = Path()) -> Plan:
    """Look up what `scenario` names, files relative to `folder`, and check that it fits together."""
    if scenario.engine not in ENGINES:
        raise InputError(f"must be one of {', '.join(ENGINES)}, got {shown(scenario.engine)}", key="engine")
    try:
        board = board_from(scenario.board, folder)
    except InputError as error:
        raise (InputError(str(error), key="board") if error.source else error) from None
    rows = _start_rows(scenario, board, folder)
    plan = Plan(
        title=scenario.title,
        board=board,
        layout=rows,
        engine=scenario.engine,
        accuracy=scenario.accuracy,
        trials=scenario.trials,
        seed=scenario.seed,
        opening=scenario.opening,
        push=scenario.push,
        noise=scenario.noise,
    )
    _check_disks(plan)
    _check_places(plan)
    _check_weight(plan)
    _check_repeats(plan)
    return plan


def _start_rows(scenario: Scenario, board: Board, folder: Path) -> Rows | None:
    spec = scenario.opening
    if spec.seed is not None and spec.layout is not None:
        raise InputError("give seed or layout, not both", key="opening.seed")
    if spec.layout is not None:
        path = folder / spec.layout
        try:
            layout = Layout.from_json(board, toml.read_text(path)).check(board)
        except InputError as error:  # it names the file; whose it is should be said too
            raise InputError(str(error.located(str(path))), key="opening.layout") from None
    else:
        try:  # also where every trial has its own: a board that holds none is refused before the study
            layout = opening(board, opening_seed(scenario.seed, 0) if spec.seed is None else spec.seed)
        except InputError as error:
            raise error.located("", "opening") from None
    fixed = spec.seed is not None or spec.layout is not None
    return layout_rows(layout, board) if fixed else None


def layout_rows(layout: Layout, board: Board) -> Rows:
    """(kind name, x, y, angle) of every disk."""
    return tuple(
        (board.kinds[k].name, float(x), float(y), float(a))
        for k, x, y, a in zip(layout.kind, layout.x, layout.y, layout.angle, strict=True)
    )


def _check_disks(plan: Plan) -> None:
    disk = plan.push.disk
    names = [kind.name for kind in plan.board.kinds]
    for i, name in enumerate([] if disk == RESERVE else [disk] if isinstance(disk, str) else disk):
        if name not in names:
            key = "push.disk" if isinstance(disk, str) else f"push.disk[{i}]"
            extra = f", {RESERVE}" if isinstance(disk, str) else ""
            raise InputError(f"must be one of {', '.join(names)}{extra}, got {shown(name)}", key=key)
    if not plan.kinds:
        reason = "the reserve is empty, name a size" if disk == RESERVE else "needs at least one size"
        raise InputError(f"{reason}: {', '.join(names)}", key="push.disk")


def _check_places(plan: Plan) -> None:
    push = plan.push
    needs = {"uniform": (), "grid": ("steps",), "points": ("points",)}[push.placement]
    takes = {"uniform": ("x", "y"), "grid": ("x", "y", "steps"), "points": ("points",)}[push.placement]
    for key in ("x", "y", "steps", "points"):
        given = getattr(push, key) is not None
        if key in needs and not given:
            raise InputError(f'is required by placement "{push.placement}"', key=f"push.{key}")
        if given and key not in takes:
            raise InputError(f'is not used by placement "{push.placement}"', key=f"push.{key}")
    nx, ny = push.steps or (1, 1)
    if nx * ny > MOST_PLACES:
        reason = f"must give at most {MOST_PLACES:,} places, got {nx} x {ny} = {nx * ny:,}"
        raise InputError(reason, key="push.steps")
    for kind in plan.kinds:
        name = plan.board.kinds[kind].name
        if push.placement == "points":
            for i, (x, y) in enumerate(push.points or ()):
                _check_centre(plan, kind, x, y, f"push.points[{i}]")
            continue
        (x0, x1), (y0, y1) = centre_limits(plan, kind)
        if push.placement == "grid":
            for x in (x0, x1):
                for y in (y0, y1):
                    _check_centre(plan, kind, x, y, "push.y")
        elif y0 > y1 or x0 > x1:
            raise InputError(f"leaves no place for the disk {name}", key="push.y" if y0 > y1 else "push.x")


def _check_centre(plan: Plan, kind: int, x: float, y: float, key: str) -> None:
    (x0, x1), (y0, y1) = zone_limits(plan.board, kind, x)
    if not (x0 <= x <= x1 and y0 <= y <= y1):
        raise InputError(
            f"the disk {plan.board.kinds[kind].name} must lie whole in the placement zone,"
            f" centre in x {x0:g} to {x1:g} and y {y0:g} to {y1:g}, got ({x:g}, {y:g})",
            key=key,
        )


def zone_limits(board: Board, kind: int, x: float | None = None) -> Box:
    """Limits in mm of the centre of a disk of `kind` in the zone (THR-14); y at that x, or anywhere."""
    r = float(board.radii[kind])
    x0, x1 = board.zone[0] + r, board.zone[1] - r
    if x0 > x1:
        raise InputError(
            f"the disk {board.kinds[kind].name} is wider than the placement zone is deep"
            f" ({x1 - x0 + 2 * r:g} mm)",
            key="push.disk",
        )
    xs = np.linspace(x0, x1, 65) if x is None else [min(max(x, x0), x1)]
    spans = np.array([sliding_span(board, float(c) - r, float(c) + r) for c in xs])
    return (x0, x1), (float((spans[:, 0] + r).min()), float((spans[:, 1] - r).max()))


def centre_limits(plan: Plan, kind: int) -> Box:
    """Limits of the centre of a disk of `kind` as the scenario sets them; ((x0, x1), (y0, y1)) in mm.

    Where the scenario sets none, the zone does: of this size for uniform placement, of the largest size
    for a grid, so that all sizes share it.
    """
    kinds = plan.kinds if plan.push.placement == "grid" else (kind,)
    zones = [zone_limits(plan.board, k) for k in kinds]
    limits = []
    for axis, key in enumerate(("x", "y")):
        low, high = max(zone[axis][0] for zone in zones), min(zone[axis][1] for zone in zones)
        given = getattr(plan.push, key)
        if given is not None:
            a, b = given if isinstance(given, tuple) else (given, given)
            if a > b or a < low or b > high:
                raise InputError(
                    f"must be {low:g} to {high:g}, low before high, for the disk"
                    f" {plan.board.kinds[kind].name}, got {shown(given)}",
                    key=f"push.{key}",
                )
            low, high = a, b
        limits.append((low, high))
    return limits[0], limits[1]


def grid(plan: Plan) -> FloatArray | None:
    """(m, 2) centres of a grid or of points, x running fastest; None for uniform placement."""
    if plan.push.placement == "points":
        return np.array(plan.push.points, dtype=np.float64).reshape(-1, 2)
    if plan.push.placement == "uniform":
        return None
    (x0, x1), (y0, y1) = centre_limits(plan, plan.kinds[0])
    nx, ny = plan.push.steps or (1, 1)
    xs = np.linspace(x0, x1, nx) if nx > 1 else np.array([(x0 + x1) / 2])
    ys = np.linspace(y0, y1, ny) if ny > 1 else np.array([(y0 + y1) / 2])
    return np.column_stack((np.tile(xs, ny), np.repeat(ys, nx)))


def _check_weight(plan: Plan) -> None:
    weight = plan.push.weight
    if not isinstance(weight, WeightPlace):
        return
    start = plan.start
    if start is None or plan.opening.warmup:
        raise InputError(
            'a fixed place needs a fixed layout (opening.seed or opening.layout, no warmup); or say "random"',
            key="push.weight",
        )
    problem = weight_problem(plan.board, start, WeightOn(weight.disk, weight.dx, weight.dy))
    if problem:
        raise InputError(problem[1], key="push.weight")


def _check_repeats(plan: Plan) -> None:
    """Refuse to run the same push twice and call it two trials."""
    centres = grid(plan)
    random = plan.layout is None or plan.opening.warmup or plan.push.disk == RESERVE
    noisy = plan.push.weight == "random" or any(msgspec.structs.astuple(plan.noise))
    if centres is None or random or noisy:
        return
    most = len(centres) * (1 if isinstance(plan.push.disk, str) else len(plan.push.disk))
    if plan.trials > most:
        different = counted(most, "push is", "different pushes are")
        reason = f"nothing is random here and {different} all there is; take that many or add noise"
        raise InputError(f"must be <= {most}, got {plan.trials}: {reason}", key="trials")
