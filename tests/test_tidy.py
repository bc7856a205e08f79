"""Tests of style: limits that only get stricter, and counted exceptions."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MODULE_LINES = 400
FUNCTION_LINES = 70

SOURCES = sorted((ROOT / "src").rglob("*.py"))
FOLDERS = (".ci", ".github", "bench", "docs", "requirements", "src", "tests")
WRITTEN = sorted(
    path
    for path in [*ROOT.iterdir(), *(path for folder in FOLDERS for path in (ROOT / folder).rglob("*"))]
    if path.is_file()
    and path.suffix not in {".png", ".pyc"}
    and path.name != ".git"
    and not path.name.startswith(".coverage")
)

UNFINISHED = re.compile(r"\b(TO[D]O|FIX[M]E|X[X]X)\b")

# How often checkers may be silenced, each time with a reason.  If there are fewer, lower the number.
SILENCED = {"noqa": 1, "type: ignore": 0, "pragma: no cover": 0}
SILENCING = re.compile(r"# *(noqa|type: ignore|pragma: no cover)\b.*")
WITH_REASON = re.compile(r"# (noqa: [A-Z0-9, ]+|type: ignore\[[a-z, -]+\]|pragma: no cover)  \S.*")


def name_of(path: Path) -> str:
    """Return a path relative to the root of the repository."""
    return path.relative_to(ROOT).as_posix()


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Yield every function of a module, including nested ones and methods."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


TESTS = sorted((ROOT / "tests").rglob("*.py"))
ALONE = ROOT / "tests/coroutines.py"


@pytest.mark.parametrize("path", [path for path in TESTS if path != ALONE], ids=name_of)
def test_a_test_runs_its_coroutines_beside_those_of_a_browser(path: Path) -> None:
    """Whether `asyncio.run` works depends on the tests before; `run_alone` always works."""
    named = [node for node in ast.walk(ast.parse(path.read_bytes())) if isinstance(node, ast.Attribute | ast.Name)]
    assert [node.lineno for node in named if ast.unparse(node) in {"asyncio.run", "asyncio.Runner", "anyio.run"}] == []


def test_there_are_sources_to_read() -> None:
    assert ROOT / "src/pitboss/core/rule.py" in SOURCES
    assert ROOT / "pyproject.toml" in WRITTEN


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_a_module_answers_one_question(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MODULE_LINES


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_a_function_is_read_on_one_screen(path: Path) -> None:
    lengths = [(node.name, (node.end_lineno or node.lineno) - node.lineno + 1) for node in functions(path)]
    assert [(name, length) for name, length in lengths if length > FUNCTION_LINES] == []


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_every_rule_says_what_it_decides(path: Path) -> None:
    rules = [node for node in functions(path) if any(ast.unparse(mark) == "rule" for mark in node.decorator_list)]
    assert [node.name for node in rules if not ast.get_docstring(node)] == []


@pytest.mark.parametrize("path", WRITTEN, ids=name_of)
def test_nothing_is_unfinished(path: Path) -> None:
    lines = path.read_text(encoding="utf-8", errors="ignore").splitlines()
    assert [line for line in lines if UNFINISHED.search(line)] == []


@pytest.mark.parametrize("path", sorted((ROOT / "docs").rglob("*.md")), ids=name_of)
def test_every_example_of_the_documentation_is_run(path: Path) -> None:
    fences = re.findall(r"^```(.*)\n>>> ", path.read_text(encoding="utf-8"), re.MULTILINE)
    assert set(fences) <= {"{doctest}"}


def test_checkers_are_silenced_seldom_and_for_a_reason() -> None:
    paths = {*SOURCES, *(ROOT / "tests").rglob("*.py")} - {Path(__file__)}
    silenced = [match for path in paths for match in SILENCING.finditer(path.read_text(encoding="utf-8"))]
    assert [match[0] for match in silenced if not WITH_REASON.fullmatch(match[0])] == []
    assert Counter(match[1] for match in silenced) == Counter(SILENCED)
