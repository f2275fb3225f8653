"""One trial after the other: run it, put it down as a row.  The schema of the raw data lives here.

The columns are documented for users in ``docs/data.md``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow as pa

from thrillsim.board import Board
from thrillsim.physics import Certificate, Engine, PushResult, engine_by_name, push
from thrillsim.studies.design import Design, Trial
from thrillsim.studies.plan import Plan, layout_rows

DATA_SCHEMA = 1
KEPT_LAYOUTS = 16  #: so many first trials keep their whole layout; every other can be drawn again

_FALL = pa.struct(
    [
        ("disk", pa.string()),
        ("index", pa.int32()),
        ("x", pa.float64()),
        ("y", pa.float64()),
        ("advance", pa.float64()),
        ("during", pa.string()),
        ("weighted", pa.bool_()),
        ("cost", pa.int32()),
    ]
)
_LYING = pa.struct([("disk", pa.string()), ("x", pa.float64()), ("y", pa.float64()), ("angle", pa.float64())])


def data_schema(board: Board) -> pa.Schema:
    """Columns of the raw trials; ``in_*`` and ``fell_*`` once per disk size."""
    number, whole, text = pa.float64(), pa.int32(), pa.string()
    names = [kind.name for kind in board.kinds]
    return pa.schema(
        [
            ("trial", pa.int64()),
            ("layout_seed", pa.int64()),
            ("warmups", whole),
            ("disk", text),
            *((key, number) for key in ("aim_x", "aim_y", "x", "y", "yaw", "tilt_x", "tilt_y", "speed")),
            *((f"friction_{key}", number) for key in ("board", "rim", "pusher", "rail")),
            ("weight_index", whole),
            ("weight_disk", text),
            ("weight_dx", number),
            ("weight_dy", number),
            ("cost", whole),
            ("n_fallen", whole),
            *((f"in_{name}", whole) for name in names),
            *((f"fell_{name}", whole) for name in names),
            ("jammed", pa.bool_()),
            ("advance", number),
            *((key, number) for key in ("overlap", "force", "complementarity", "power")),
            ("steps", pa.int64()),
            ("unconverged", pa.int64()),
            ("fallen", pa.list_(_FALL)),
            ("layout", pa.list_(_LYING)),
        ]
    )


def trial_rows(plan: Plan, engine: str | Engine, first: int, last: int) -> Iterator[dict[str, Any]]:
    """Run trials `first` <= k < `last` in order, one row each.

    Raises
    ------
    RuntimeError
        If the engine breaks down; the message names the trial.
    """
    runner = engine_by_name(engine)
    design = Design(plan, runner)
    for number in range(first, last):
        try:
            trial = design.trial(number)
            result = push(trial.board, trial.layout, trial.push, engine=runner, accuracy=plan.accuracy)
        except Exception as error:
            raise RuntimeError(f"trial {number} (seed {plan.seed}): {error}") from error
        yield row(trial, result)


def as_table(plan: Plan, rows: Iterable[dict[str, Any]]) -> pa.Table:
    """Rows as a table of the data's schema."""
    return pa.Table.from_pylist(list(rows), schema=data_schema(plan.board))


def row(trial: Trial, result: PushResult) -> dict[str, Any]:
    """The row of one trial."""
    board, push, weight = trial.board, trial.push, trial.push.weight
    names = [kind.name for kind in board.kinds]
    lying = [names[k] for k in result.before.kind]
    fell = [names[f.kind] for f in result.fallen]
    friction = board.friction
    values: dict[str, Any] = {
        "trial": trial.number,
        "layout_seed": trial.layout_seed,
        "warmups": trial.warmups,
        "disk": names[trial.kind],
        "aim_x": trial.aim[0],
        "aim_y": trial.aim[1],
        "x": push.x,
        "y": push.y,
        "yaw": push.yaw,
        "tilt_x": push.tilt[0],
        "tilt_y": push.tilt[1],
        "speed": push.speed,
        "friction_board": friction.board,
        "friction_rim": friction.rim,
        "friction_pusher": friction.pusher,
        "friction_rail": friction.rail,
        "cost": result.cost,
        "n_fallen": len(fell),
        "jammed": result.jammed,
        "advance": result.advance,
        "fallen": [
            {
                "disk": names[f.kind],
                "index": f.index,
                "x": f.x,
                "y": f.y,
                "advance": f.advance,
                "during": f.during,
                "weighted": f.weighted,
                "cost": f.cost,
            }
            for f in result.fallen
        ],
    }
    if weight is not None:
        values |= {
            "weight_index": weight.disk,
            "weight_disk": lying[weight.disk],
            "weight_dx": weight.dx,
            "weight_dy": weight.dy,
        }
    for name in names:
        values[f"in_{name}"] = lying.count(name)
        values[f"fell_{name}"] = fell.count(name)
    for key in Certificate.__dataclass_fields__:
        value = getattr(result.certificate, key)
        values[key] = None if isinstance(value, float) and math.isnan(value) else value
    if trial.number < KEPT_LAYOUTS:
        values["layout"] = [
            {"disk": name, "x": x, "y": y, "angle": a} for name, x, y, a in layout_rows(trial.layout, board)
        ]
    return values
