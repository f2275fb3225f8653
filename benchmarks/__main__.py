"""``python -m benchmarks``: gives the compiler a cache of these very sources, then runs `benchmarks.run`.

A compiled function does not notice that a function it calls has changed; a benchmark must.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path


def cache_of_sources() -> Path:
    """A folder below ``build`` whose name changes with any source of board and physics."""
    root = Path.cwd() if (Path.cwd() / "thrillsim").is_dir() else Path(__file__).resolve().parent.parent
    mark = hashlib.sha256()
    for room in ("board", "physics"):
        for source in sorted((root / "thrillsim" / room).rglob("*.py")):
            mark.update(source.read_bytes())
    return root / "build" / "compiled" / mark.hexdigest()[:12]


if __name__ == "__main__":
    os.environ.setdefault("NUMBA_CACHE_DIR", str(cache_of_sources()))
    from benchmarks.run import main

    main()
