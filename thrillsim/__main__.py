"""``python -m thrillsim``: the console script, where it is not on the path."""

from __future__ import annotations

import sys

from thrillsim.cli.main import main

if __name__ == "__main__":  # (documentation tools import every module)
    sys.exit(main())
