"""No clause of a rule sheet without a test, and none without a line of code that names it.

A test cites a clause in its docstring; code cites it in a comment or docstring.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CLAUSE = re.compile(r"\b(?:THR|SKU|SHK|THK|TRK)-A?\d\d\b")
RANGE = re.compile(r"\b((?:THR|SKU|SHK|THK|TRK)-A?)(\d\d) to (?:(?:THR|SKU|SHK|THK|TRK)-A?)?(\d\d)\b")
SHEETS = sorted((ROOT / "seeds").glob("*.md"))


def _cited(text: str) -> set[str]:
    found = set(CLAUSE.findall(text))
    for prefix, first, last in RANGE.findall(text):
        found |= {f"{prefix}{n:02d}" for n in range(int(first), int(last) + 1)}
    return found


def _clauses(sheet: Path) -> list[str]:
    text = sheet.read_text(encoding="utf-8")
    return re.findall(r"^- \*\*((?:THR|SKU|SHK|THK|TRK)-A?\d\d)\*\*", text, re.MULTILINE)


def _cited_by_tests() -> set[str]:
    found: set[str] = set()
    for path in (ROOT / "tests").rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                found |= _cited(ast.get_docstring(node) or "")
    return found


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda path: path.stem)
def test_every_clause_has_a_test(sheet: Path) -> None:
    clauses = _clauses(sheet)
    assert clauses
    assert len(set(clauses)) == len(clauses)
    assert set(clauses) - _cited_by_tests() == set()


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda path: path.stem)
def test_every_clause_is_cited_beside_code(sheet: Path) -> None:
    code = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "thrillsim").rglob("*.py"))
    assert set(_clauses(sheet)) - _cited(code) == set()


def test_thrill_is_complete() -> None:
    expected = [f"THR-{n:02d}" for n in range(1, 32)] + [f"THR-A{n:02d}" for n in range(1, 36)]
    assert _clauses(ROOT / "seeds" / "thrill.md") == expected


def test_no_test_cites_a_clause_that_does_not_exist() -> None:
    known = {clause for sheet in SHEETS for clause in _clauses(sheet)}
    prefixes = {clause.split("-")[0] for clause in known}
    unknown = {clause for clause in _cited_by_tests() - known if clause.split("-")[0] in prefixes}
    assert unknown == set()
