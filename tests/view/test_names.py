"""`import thrillsim as ts`: the names a notebook needs, nothing else, each imported when it is used."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import thrillsim as ts


def test_dir_lists_the_public_names_only() -> None:
    assert dir(ts) == sorted(ts.__all__)
    assert ts.__all__ == sorted(ts.__all__)
    assert len(ts.__all__) <= 20


@pytest.mark.parametrize("name", ts.__all__)
def test_name_is_the_thing_at_home(name: str) -> None:
    home = importlib.import_module(ts._HOME[name])
    assert getattr(ts, name) is getattr(home, name)


def test_type_checkers_see_the_same_names() -> None:
    tree = ast.parse(Path(ts.__file__).read_text(encoding="utf-8"))
    [block] = [node for node in tree.body if isinstance(node, ast.If)]
    seen = {alias.name: node.module for node in block.body for alias in node.names}
    assert seen == ts._HOME
    assert set(ts._HOME) == set(ts.__all__)


def test_unknown_names_are_refused() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'pusch'"):
        ts.pusch  # noqa: B018


def test_import_alone_imports_no_room() -> None:
    code = "import sys, thrillsim; print(*(m for m in sys.modules if m.startswith('thrillsim')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["thrillsim"]


def test_star_import_gives_the_names() -> None:
    scope: dict[str, object] = {}
    exec("from thrillsim import *", scope)
    assert set(ts.__all__) <= set(scope)
