"""What every test stands on: repeatable examples, no display, no colour codes in what commands print."""

from __future__ import annotations

import os

from hypothesis import settings

# Before matplotlib and rich look.
os.environ["MPLBACKEND"] = "Agg"
os.environ["NO_COLOR"] = "1"
os.environ["COLUMNS"] = "110"
os.environ.pop("FORCE_COLOR", None)

# The same examples every time: a red run says something about the change, not about the day.
# `HYPOTHESIS_PROFILE=search` looks for new ones.
settings.register_profile("repeatable", derandomize=True, deadline=None, max_examples=50, database=None)
settings.register_profile("search", deadline=None, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))
