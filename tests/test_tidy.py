"""Tests of style: limits that only get stricter, and counted exceptions."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

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


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """Return every node of a module, read once for all tests."""
    return tuple(ast.walk(ast.parse(path.read_bytes())))


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Yield every function of a module, including nested ones and methods."""
    for node in nodes(path):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


ALONE = ROOT / "tests/coroutines.py"
LOOPS = re.compile(r"\b(asyncio\.run|asyncio\.Runner|anyio\.run)\b")


def test_tests_run_their_coroutines_beside_those_of_a_browser() -> None:
    """Whether `asyncio.run` works depends on the tests before; `run_alone` always works."""
    paths = [path for path in (ROOT / "tests").rglob("*.py") if LOOPS.search(path.read_text(encoding="utf-8"))]
    named = [
        (name_of(path), node.lineno)
        for path in paths
        for node in nodes(path)
        if isinstance(node, ast.Attribute) and LOOPS.fullmatch(ast.unparse(node))
    ]
    assert ALONE in paths  # the search finds what it looks for
    assert [(name, line) for name, line in named if name != name_of(ALONE)] == []


def test_there_are_sources_to_read() -> None:
    assert ROOT / "src/pitboss/core/rule.py" in SOURCES
    assert ROOT / "pyproject.toml" in WRITTEN


def test_a_module_answers_one_question() -> None:
    lengths = [(name_of(path), len(path.read_text(encoding="utf-8").splitlines())) for path in SOURCES]
    assert [(name, length) for name, length in lengths if length > MODULE_LINES] == []


def test_a_function_is_read_on_one_screen() -> None:
    lengths = [
        (name_of(path), node.name, (node.end_lineno or node.lineno) - node.lineno + 1)
        for path in SOURCES
        for node in functions(path)
    ]
    assert [(path, name, length) for path, name, length in lengths if length > FUNCTION_LINES] == []


def test_every_rule_says_what_it_decides() -> None:
    rules = [
        (name_of(path), node)
        for path in SOURCES
        for node in functions(path)
        if any(ast.unparse(mark) == "rule" for mark in node.decorator_list)
    ]
    assert rules
    assert [(path, node.name) for path, node in rules if not ast.get_docstring(node)] == []


def test_nothing_is_unfinished() -> None:
    texts = [(path, path.read_text(encoding="utf-8", errors="ignore")) for path in WRITTEN]
    unfinished = [(path, text) for path, text in texts if UNFINISHED.search(text)]
    assert [
        (name_of(path), line) for path, text in unfinished for line in text.split("\n") if UNFINISHED.search(line)
    ] == []


def test_every_example_of_the_documentation_is_run() -> None:
    fences = [
        (name_of(path), fence)
        for path in (ROOT / "docs").rglob("*.md")
        for fence in re.findall(r"^```(.*)\n>>> ", path.read_text(encoding="utf-8"), re.MULTILINE)
    ]
    assert fences
    assert [(name, fence) for name, fence in fences if fence != "{doctest}"] == []


def test_checkers_are_silenced_seldom_and_for_a_reason() -> None:
    paths = {*SOURCES, *(ROOT / "tests").rglob("*.py")} - {Path(__file__)}
    silenced = [match for path in paths for match in SILENCING.finditer(path.read_text(encoding="utf-8"))]
    assert [match[0] for match in silenced if not WITH_REASON.fullmatch(match[0])] == []
    assert Counter(match[1] for match in silenced) == Counter(SILENCED)
