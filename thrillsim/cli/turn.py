"""``thrillsim turn``: turn the board as the pushing player may (THR-22): do the disks stay on it?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from thrillsim.cli.given import a_file
from thrillsim.errors import InputError, counted, limits_of


def command(
    angle: Annotated[
        float, typer.Option(help="Turned in all, degrees; counter-clockwise is positive, -360 to 360.")
    ] = 90.0,
    rate: Annotated[float, typer.Option(help="Highest turning rate, degrees/s.")] = 45.0,
    ramp: Annotated[float, typer.Option(help="Time from rest to that rate, s.")] = 0.5,
    board: Annotated[str, typer.Option(help="Board: a name or a TOML file.")] = "default",
    layout: Annotated[
        Path | None,
        typer.Option(
            parser=a_file, help="Layout file (JSON) of the disks that lie there.", show_default=False
        ),
    ] = None,
    opening: Annotated[
        int | None, typer.Option(metavar="SEED", help="Opening arrangement of this seed.", show_default="1")
    ] = None,
    accuracy: Annotated[str, typer.Option(help="draft, standard or fine.")] = "standard",
    after: Annotated[
        Path | None, typer.Option(parser=a_file, help="Write the layout afterwards.", show_default=False)
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the result as JSON, nothing else.")] = False,
) -> None:
    """Turn the board and see whether the disks stay on it."""
    import math

    import msgspec
    import numpy as np

    from thrillsim.cli.given import board_given, by_option, check_targets, layout_given
    from thrillsim.physics import TurnProfile, turn
    from thrillsim.physics.turning import FASTEST
    from thrillsim.toml import write_whole

    if not -360.0 <= angle <= 360.0:
        raise InputError(f"must be -360 to 360 degrees, got {angle:g}", key="--angle")
    if not 0.0 < rate <= math.degrees(FASTEST) + 1e-9:
        limits = limits_of(gt=0.0, le=round(math.degrees(FASTEST)))
        raise InputError(f"must be {limits} degrees/s, got {rate:g}", key="--rate")
    check_targets({"--after": after})
    table = board_given(board)
    lying = layout_given(table, layout, opening)
    with by_option({"accuracy": "--accuracy", "turn.ramp": "--ramp"}):
        profile = TurnProfile(math.radians(angle), min(math.radians(rate), FASTEST), ramp)
        result = turn(table, lying, profile, accuracy=accuracy)  # type: ignore[arg-type]  # checked there
    if after is not None:
        write_whole(after, result.layout.to_json(table))
    if json:
        print(msgspec.json.format(msgspec.json.encode(result.to_dict())).decode())
        return
    if not result.fallen:
        way = np.hypot(result.poses[:, 0] - lying.x, result.poses[:, 1] - lying.y)
        moved = float(way.max(initial=0.0))
        print(f"Nothing falls; the farthest any disk slides is {moved:.2g} mm.")
        return
    names = ", ".join(f"{table.kinds[fall.kind].name} ({fall.index})" for fall in result.fallen)
    print(f"{counted(len(result.fallen), 'falls and costs', 'fall and cost')} {result.cost}: {names}.")
