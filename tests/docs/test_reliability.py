"""docs/reliability.md and docs/security.md name tests that exist, and one at least for all that they ask.

Of ASVS the latter leaves no clause of levels 1 and 2 out, and counts none twice.
"""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "reliability.md").read_text(encoding="utf-8")
SECURITY = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
NAMED = re.compile(r"T/([\w/]+\.py)::(test_\w+)")
PLACE = re.compile(r"`((?!T/)[\w./]+)`")
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


# The clauses of ASVS 5.0.0.

Clause = tuple[int, int, int]

LEVELS = (
    "22 1111122223 112222222223 222 123",
    "122 112 12223 23",
    "3 113 12223 11222233 11122333 3 22333",
    "12233 23333 22 1222",
    "2 112333 113 222",
    "122 111111112222 11223333 112233 22222333 2223 33 2222",
    "222 1111 22 11222 223 22",
    "1233 1123 133 23",
    "111 1222",
    "22 223 22223 1111122222233333 22222 22 222",
    "2233 22233 11233 1222 23 23 33",
    "12233 11 22223",
    "2333 222223 2233 1222233",
    "22 12223333 122",
    "12233 12233 1222222 3333",
    "2 22222 2222 222 2223",
    "23 22223333 22",
)
"""A line for each chapter, a word for each section, a digit for each clause: its level."""

OF_LEVEL_3: set[Clause] = {(2, 3, 5), (7, 5, 3), (15, 4, 1), (15, 4, 2), (16, 5, 4)}
"""What money asks for beside levels 1 and 2."""

LEVEL = {
    (chapter, section, clause): int(digit)
    for chapter, line in enumerate(LEVELS, 1)
    for section, word in enumerate(line.split(), 1)
    for clause, digit in enumerate(word, 1)
}
ASKED = sorted({clause for clause, level in LEVEL.items() if level < 3} | OF_LEVEL_3)


def clauses(cell: str) -> list[Clause]:
    """Return the clauses that a cell names: numbers, and ranges of those that are asked for."""
    found: list[Clause] = []
    for part in cell.split(", "):
        ends = [as_clause(number) for number in part.split(" to ")]
        found += [each for each in ASKED if ends[0] <= each <= ends[1]] if len(ends) == 2 else ends
    return found


def as_clause(number: str) -> Clause:
    """Return a clause's number."""
    chapter, section, clause = map(int, number.split("."))
    return chapter, section, clause


def rows_of(title: str) -> list[list[str]]:
    """Return the cells of each clause's row in a section of the page."""
    section = SECURITY.split(f"\n## {title}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if re.match(r"\| \d", line)]
    return [line.removeprefix("| ").removesuffix(" |").split(" | ") for line in lines]


def clauses_of(title: str) -> list[Clause]:
    """Return the clauses of a section of the page."""
    return [clause for row in rows_of(title) for clause in clauses(row[0])]


def test_the_clauses_are_those_of_the_standard() -> None:
    assert [list(LEVEL.values()).count(level) for level in (1, 2, 3)] == [70, 183, 92]
    assert all(LEVEL[clause] == 3 for clause in OF_LEVEL_3)


def test_every_clause_is_met_or_not_or_not_applicable() -> None:
    found = {title: clauses_of(title) for title in ("Met", "Not applicable", "Not met")}
    assert sorted(clause for each in found.values() for clause in each) == ASKED
    met, not_applicable, not_met = map(len, found.values())
    said = f"{met} are met, {not_applicable} are not applicable and {not_met} are not met"
    assert said in " ".join(SECURITY.split())


def test_every_clause_that_is_met_is_shown_by_a_test_or_a_place() -> None:
    shown = [line.removeprefix("* ").split(": ", 1) for line in SECURITY.splitlines() if re.match(r"\* \d", line)]
    assert [row[0] for row in rows_of("Met")] == [cell for cell, _ in shown]
    for cell, by in shown:
        places = PLACE.findall(by)
        assert NAMED.search(by) or places, cell
        assert not re.sub(r"`T/[^`]+`|`[^`]+`", "", by).strip(), cell
        for place in places:
            assert any((root / place).exists() for root in (ROOT / "src" / "pitboss", ROOT)), place


def test_a_chapter_holds_its_own_clauses_in_their_order() -> None:
    chapters = SECURITY.split("\n## Met\n")[1].split("\n## ")[0].split("\n### ")[1:]
    for chapter in chapters:
        first = [as_clause(number) for number in re.findall(r"^\| ([\d.]+)", chapter, re.MULTILINE)]
        assert first == sorted(first)
        assert {clause[0] for clause in first} == {int(chapter.split()[0])}


@pytest.mark.parametrize("place", re.findall(r"`((?:jackpot|ledger)/[\w/]+(?:\.py)?|meter\.py)`", PAGE))
def test_every_place_that_is_named_exists(place: str) -> None:
    assert (ROOT / "src" / "pitboss" / place).exists()
