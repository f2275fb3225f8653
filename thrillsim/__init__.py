"""thrillsim: if this disk goes in here, what falls?

``import thrillsim as ts`` offers what a notebook needs; each name is imported when it is first used,
so that the import itself costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from thrillsim.board import (
        Board,
        Friction,
        Layout,
        board_by_name,
        default_board,
        rectangular_board,
    )
    from thrillsim.board.opening import opening
    from thrillsim.physics import Push, WeightOn, push, push_many
    from thrillsim.studies.plan import load_plan
    from thrillsim.studies.runner import run_study
    from thrillsim.studies.summarise import summarise
    from thrillsim.view import plot_board, plot_push, plot_study, plot_trace, replay_html

__all__ = [
    "Board",
    "Friction",
    "Layout",
    "Push",
    "WeightOn",
    "board_by_name",
    "default_board",
    "load_plan",
    "opening",
    "plot_board",
    "plot_push",
    "plot_study",
    "plot_trace",
    "push",
    "push_many",
    "rectangular_board",
    "replay_html",
    "run_study",
    "summarise",
]

_HOMES = {
    "thrillsim.board": ("Board", "Friction", "Layout", "board_by_name", "default_board", "rectangular_board"),
    "thrillsim.board.opening": ("opening",),
    "thrillsim.physics": ("Push", "WeightOn", "push", "push_many"),
    "thrillsim.studies.plan": ("load_plan",),
    "thrillsim.studies.runner": ("run_study",),
    "thrillsim.studies.summarise": ("summarise",),
    "thrillsim.view": ("plot_board", "plot_push", "plot_study", "plot_trace", "replay_html"),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
