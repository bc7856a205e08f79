"""docs/reliability.md and docs/security.md name tests that exist, and one at least for all that they ask."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "reliability.md").read_text(encoding="utf-8")
SECURITY = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
NAMED = re.compile(r"T/([\w/]+\.py)::(test_\w+)")
ROWS = [line for line in PAGE.splitlines() if line.startswith("| ") and "::" in line]


@cache
def named_in(path: Path) -> set[str]:
    """Return the names of a module's tests."""
    return {node.name for node in ast.parse(path.read_bytes()).body if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize(("file", "name"), sorted({*NAMED.findall(PAGE), *NAMED.findall(SECURITY)}))
def test_every_test_that_is_named_exists(file: str, name: str) -> None:
    assert name in named_in(ROOT / "tests" / file)


def test_every_requirement_has_a_test() -> None:
    numbers = [row.split("|")[1].strip() for row in ROWS]
    assert [number for number in numbers if re.fullmatch(r"P\d+", number)] == [f"P{number}" for number in range(1, 23)]


def test_every_clause_has_a_test() -> None:
    rows = [line.split(" | ") for line in SECURITY.splitlines() if re.match(r"\| \d", line)]
    assert len(rows) > 20
    assert [row[0] for row in rows if len(row) != 4 or not NAMED.search(row[3])] == []
    clauses = [clause for row in rows for clause in re.findall(r"\d+\.\d+\.\d+", row[0])]
    assert len(clauses) == len(set(clauses))


@pytest.mark.parametrize("place", re.findall(r"`((?:jackpot|ledger)/[\w/]+(?:\.py)?|meter\.py)`", PAGE))
def test_every_place_that_is_named_exists(place: str) -> None:
    assert (ROOT / "src" / "pitboss" / place).exists()
