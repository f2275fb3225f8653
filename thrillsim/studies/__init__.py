"""Monte Carlo studies: a scenario, its trials, the raw results, what they say.  No printing, no pictures.

>>> from thrillsim.studies import load_plan, run_study, summarise
>>> plan = load_plan("scenarios/opening.toml", trials=2000)   # doctest: +SKIP
>>> summary = summarise(run_study(plan, "results/opening"))   # doctest: +SKIP
"""

from thrillsim.studies.plan import Plan, load_plan, resolve
from thrillsim.studies.runner import run_study
from thrillsim.studies.scenario import Scenario, json_schema
from thrillsim.studies.store import Store, read_trials
from thrillsim.studies.summarise import summarise
from thrillsim.studies.summary import Summary

__all__ = [
    "Plan",
    "Scenario",
    "Store",
    "Summary",
    "json_schema",
    "load_plan",
    "read_trials",
    "resolve",
    "run_study",
    "summarise",
]
