"""House rules that no linter knows: file sizes, docstrings, locks, versions, who may import which library."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from thrillsim.cli.main import COMMANDS, available

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "thrillsim"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
LOCKS = {name: ROOT / "requirements" / f"{name}.txt" for name in ("run", "dev")}

MODULES = sorted(PACKAGE.rglob("*.py"))
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "seeds").glob("*.md")])

# A library that one room alone may know, so that it can be replaced there, and so that rules stay pure.
HOMES = {"matplotlib": {"view"}, "pymunk": {"physics"}, "numba": {"board", "physics"}}
IMPURE = {"datetime", "matplotlib", "numba", "pymunk", "random", "subprocess", "time"}
PURE_ROOMS = {"bidding", "games"}


def _name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def _imports(path: Path) -> Iterator[str]:
    """Top-level names of all that a file imports, also inside functions."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            yield node.module.split(".")[0]


def _locked(path: Path) -> list[Requirement]:
    return [Requirement(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


@pytest.mark.parametrize("path", MODULES, ids=_name)
def test_module_is_small_and_says_what_it_is_for(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 500
    assert len(ast.get_docstring(ast.parse(text)) or "") >= 20


@pytest.mark.parametrize("path", MODULES, ids=_name)
def test_module_imports_only_what_its_room_may(path: Path) -> None:
    room = path.relative_to(PACKAGE).parts[0]
    imported = set(_imports(path))
    assert not [library for library, homes in HOMES.items() if library in imported and room not in homes]
    if room in PURE_ROOMS:
        assert imported.isdisjoint(IMPURE)


def test_import_thrillsim_is_light() -> None:
    code = "import sys, thrillsim; print(*{name.split('.')[0] for name in sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    modules = set(done.stdout.split())
    assert "thrillsim" in modules
    assert modules.isdisjoint({"matplotlib", "numba", "pyarrow", "pymunk", "scipy"})


def test_installed_version_is_the_one_in_pyproject() -> None:
    assert version("thrillsim") == PROJECT["version"]


@pytest.mark.parametrize("path", LOCKS.values(), ids=_name)
def test_lock_has_exact_versions_and_no_address(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert "://" not in text
    assert "--" not in text
    for line in _locked(path):
        assert [spec.operator for spec in line.specifier] == ["=="], line
        assert line.url is None


def test_locks_agree_and_serve_what_pyproject_asks_for() -> None:
    run, dev = ({str(line) for line in _locked(path)} for path in LOCKS.values())
    assert run <= dev
    extras = [line for lines in PROJECT["optional-dependencies"].values() for line in lines]
    for wanted, path in [(PROJECT["dependencies"], LOCKS["run"]), (extras, LOCKS["dev"])]:
        locked = {_key(line.name): line for line in _locked(path)}
        for asked in map(Requirement, wanted):
            [spec] = locked[_key(asked.name)].specifier
            assert asked.specifier.contains(spec.version), asked


def _key(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_the_readme_commands_are_in_the_generated_help() -> None:
    text = subprocess.run(["make", "-s"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    listed = set(re.findall(r"^  make (\w+) +\S", text, flags=re.MULTILINE))
    assert {"study", "test", "lint", "bench", "docs", "soak", "clean"} <= listed
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert set(re.findall(r"`?\bmake (\w+)`", readme)) <= listed
    assert "make study" in readme
    assert "make test" in readme


def test_ci_script_can_be_run() -> None:
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    subprocess.run(["bash", "-n", script], check=True)


@pytest.mark.parametrize("path", DOCUMENTS, ids=_name)
def test_links_between_documents_lead_somewhere(path: Path) -> None:
    text = re.sub(r"```.*?```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if "://" not in target and not target.startswith(("#", "mailto:")):
            assert (path.parent / target.partition("#")[0]).exists(), target


def test_readme_tells_of_every_command() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    told = re.findall(r"^\| `thrillsim (\w+)", readme, flags=re.MULTILINE)
    assert set(available()) <= set(told) <= set(COMMANDS)


def test_readme_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    [example] = re.findall(r"```python\n(.*?)```", readme, flags=re.DOTALL)
    exec(compile(example, "README.md", "exec"), {})
    cost, falls = capsys.readouterr().out.split(" ", 1)
    assert int(cost) == sum({"big": 3, "medium": 2, "small": 1}[kind] for kind in ast.literal_eval(falls))


def test_the_example_of_the_readme_prints_what_it_says() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    code = text.partition("```python\n")[2].partition("```")[0]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    said = code.rstrip().rpartition("  # ")[2]
    assert done.stdout == f"{said}\n"
    assert done.stdout.startswith("4 ['small', ")  # something falls
