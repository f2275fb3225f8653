"""Compiled twins of the plain scalar functions of other rooms (support rule, pressure): one source, two speeds.

Those rooms stay free of the compiler, so that importing a board is instant.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, cast

from numba import njit

from thrillsim.board import support
from thrillsim.physics import pressure


def _how(**more: Any) -> Callable[[Any], Any]:
    """How everything here is compiled: kept on disk, without the interpreter's lock, 1/0 is inf as in NumPy."""
    compiler: Any = njit
    return cast("Callable[[Any], Any]", compiler(cache=True, nogil=True, error_model="numpy", **more))


#: not to be called from Python (it would crash): what translates arguments takes a quarter of the compilation
_INSIDE = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
#: for what allocates nothing: without the compiler's reference counts, which cost a fifth of a push
jit = _how(_nrt=False, **_INSIDE)
#: the same for sums over points, which may add in another order: several points are done at once
vector = _how(_nrt=False, fastmath={"reassoc", "nsz", "contract"}, **_INSIDE)
#: for what needs room of its own
roomy = _how(_nrt=True, **_INSIDE)
#: for a step of a caller that is written apart: compiled within it only
inlined = _how(_nrt=False, inline="always", **_INSIDE)
#: for what Python calls
entry = _how(_nrt=True, no_cfunc_wrapper=True)


def _drop_stale_cache() -> None:
    """Remove compiled code that is older than any source it was made from: the compiler itself looks at one file only."""
    folders = {Path(__file__).parent, Path(support.__file__).parent, Path(pressure.__file__).parent}
    sources = [*Path(__file__).parent.glob("*.py"), Path(support.__file__), Path(pressure.__file__)]
    newest = max(source.stat().st_mtime for source in sources)
    for folder in folders:
        cached = [*folder.glob("__pycache__/*.nbi"), *folder.glob("__pycache__/*.nbc")]
        if any(file.stat().st_mtime < newest for file in cached):
            for file in cached:
                with suppress(OSError):
                    file.unlink()


with suppress(OSError):
    _drop_stale_cache()

_twins: dict[str, Any] = {}


def _compile(module: ModuleType, names: tuple[str, ...]) -> None:
    """Compile functions of `module`, callees first: each sees the compiled twins instead of the plain ones."""
    for name in names:
        plain: FunctionType = getattr(module, name)
        twin = FunctionType(plain.__code__, {**plain.__globals__, **_twins}, name, plain.__defaults__)
        twin.__module__ = plain.__module__
        twin.__qualname__ = name
        _twins[name] = roomy(twin)


_compile(support, ("inside", "edge_distance", "circle_crossings", "supported_arcs", "support_margin"))
_compile(pressure, ("arc_points", "patch_points", "balance_shares"))

inside: Callable[..., Any] = _twins["inside"]
edge_distance: Callable[..., Any] = _twins["edge_distance"]
support_margin: Callable[..., Any] = _twins["support_margin"]
patch_points: Callable[..., Any] = _twins["patch_points"]
balance_shares: Callable[..., Any] = _twins["balance_shares"]
