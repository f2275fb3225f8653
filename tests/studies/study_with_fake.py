"""``python -m tests.studies.study_with_fake study ...``: the command line, its workers on the fake engine.

PAUSE in the environment is how long each push takes, in seconds.  Draws no picture, which has its own tests.
"""

from __future__ import annotations

import os
import sys

import thrillsim.studies.trials
from tests.studies.fake import FakeEngine


def fake(_name: object) -> FakeEngine:
    return FakeEngine(float(os.environ.get("PAUSE", "0")))


# Workers run this file too, as __mp_main__; who merely imports it keeps the real engines.
if __name__ in ("__main__", "__mp_main__"):
    thrillsim.studies.trials.engine_by_name = fake  # type: ignore[assignment]

if __name__ == "__main__":
    import thrillsim.cli.study
    from thrillsim.cli.main import main

    thrillsim.cli.study._draw = lambda _summary, folder: [folder / "study.png"]
    sys.exit(main())
