"""Hashes of sources: a change without effect changes no hash, a changed rule changes those of its own game."""

import ast
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import sleep

import pytest

import pitboss
from pitboss.core import source_hash
from pitboss.core.source_hash import (
    _load_index,
    find_imported_modules,
    hash_package,
    hash_sources,
    parse_syntax,
    stable_repr,
)
from pitboss.games import load_game, load_games
from pitboss.solver_api import get_solver_module

PACKAGE = Path(pitboss.__path__[0])
MODULES = sorted(PACKAGE.rglob("*.py"))
SAMPLE = """
@mark
def price(pays: list[int], *, stake: float = 0.5, **more: int) -> str:
    match pays:
        case [first, *_] if first > 1_000:
            return f"{first!r:>8}" + "a" 'b'
        case _:
            lines = {line: -pay for line, pay in enumerate(pays) if pay is not None}
    return (yield from lines) or ...
"""


def of_game(name: str) -> str:
    """Return the hash of all sources that a game's figures depend on."""
    folder = load_game(name).folder.name
    return hash_sources(
        get_solver_module(load_game(name)), f"pitboss.games.{folder}.rules", "pitboss.analysis.solutions"
    )


def reworded(text: str) -> str:
    """Return a module with added comments and blank lines, and other docstrings in its functions and classes."""
    tree = ast.parse(text)
    lines = text.splitlines()
    bodies = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    for node in sorted(bodies, key=lambda each: -each.body[0].lineno):
        first = node.body[0]
        start = min(each.lineno for each in (first, *getattr(first, "decorator_list", ())))
        if start > node.lineno:
            lines.insert(start - 1, f"{' ' * first.col_offset}'''Another docstring.'''  # and a comment")
    return "# a first line\n\n" + "\n".join(lines) + "\n\n# a last line\n"


@pytest.mark.more
def test_an_edited_comment_or_docstring_changes_no_hash() -> None:
    changed = []
    for path in MODULES:
        text = path.read_text(encoding="utf-8")
        other = reworded(text)
        assert other != text
        if parse_syntax(other) != parse_syntax(text):
            changed.append(path.relative_to(PACKAGE).as_posix())
    assert changed == []


def test_every_python_reads_the_same_syntax() -> None:
    """Bundled solutions contain a hash from one version of Python, and every version compares it."""
    assert parse_syntax(SAMPLE).digest == "51eb255c122e424f"


def clear_source_cache() -> None:
    """Clear what this process has read, so that the next hash reads every file again."""
    hash_sources.cache_clear()
    _load_index.cache_clear()


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Yield a copy of the package to edit; the hashes are those of the copy."""
    copy = tmp_path / "pitboss"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__", "*.json", "static"))
    monkeypatch.setattr(source_hash, "PACKAGE_FOLDER", copy)
    clear_source_cache()
    yield copy
    clear_source_cache()


@pytest.mark.parametrize("edited", [name for name, game in load_games().items() if game.solver])
@pytest.mark.parametrize("part", ["rules.py", "solver/__init__.py"])
def test_an_edited_rule_touches_its_own_game_alone(edited: str, part: str, package: Path) -> None:
    solved = [name for name, game in load_games().items() if game.solver]
    before, shared = {name: of_game(name) for name in solved}, hash_sources("pitboss.kernels.set_counts")
    with (package / "games" / load_game(edited).folder.name / part).open("a", encoding="utf-8") as file:
        file.write("\nEDITED = 1\n")
    clear_source_cache()
    assert {name for name in solved if of_game(name) != before[name]} == {edited}
    assert hash_sources("pitboss.kernels.set_counts") == shared


@pytest.mark.parametrize(
    ("changed", "counts"),
    [("hands/order.py", True), ("kernels/compile.py", True), ("cli/app.py", False), ("web/app.py", False)],
)
def test_a_hash_covers_what_is_imported_and_no_more(changed: str, *, counts: bool, package: Path) -> None:
    before, whole = of_game("six-card"), hash_package()
    with (package / changed).open("a", encoding="utf-8") as file:
        file.write("\nEDITED = 1\n")
    clear_source_cache()
    assert (of_game("six-card") != before) is counts
    assert hash_package() != whole


def test_games_found_elsewhere_void_nothing_and_are_found_by_their_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = {name: of_game(name) for name, game in load_games().items() if game.solver}
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "__init__.py").write_text("from pitboss.games.mine import rules\n", encoding="utf-8")
    (tmp_path / "mine" / "rules.py").write_text("from pitboss.cards import bit\n", encoding="utf-8")
    monkeypatch.setenv("PITBOSS_GAMES", str(tmp_path))
    clear_source_cache()
    assert {name: of_game(name) for name in before} == before
    assert {"pitboss.games.mine", "pitboss.games.mine.rules", "pitboss.cards"} <= find_imported_modules(
        ["pitboss.games.mine"]
    ).keys()


def test_one_thread_at_a_time_reads_and_writes_the_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server prices sheets in threads; an index that is full drops entries with every new one."""
    inside, most = [], list[int]()

    def parse(text: str, package: str = "") -> tuple[str, tuple[str, ...]]:
        inside.append(package)
        sleep(0.001)
        most.append(len(inside))
        inside.pop()
        return text, ()

    monkeypatch.setenv("PITBOSS_CACHE", str(tmp_path))
    monkeypatch.setattr(source_hash, "_MAX_ENTRIES", 1)
    monkeypatch.setattr(source_hash, "parse_syntax", parse)
    names = [f"pitboss.{path.stem}" for path in PACKAGE.glob("*.py") if path.stem != "__init__"]
    with ThreadPoolExecutor(4) as many:
        found = list(many.map(lambda name: find_imported_modules([name]), names))
    assert [list(each) for each in found] == [[name] for name in names]
    assert max(most) == 1


def test_two_functions_of_one_name_are_told_apart_and_two_of_one_text_are_not() -> None:
    def adding(amount: int) -> object:
        return lambda cents: cents + amount

    doubled, tripled = [lambda cents: cents * 2], [lambda cents: cents * 3]
    assert stable_repr(adding(1)) == stable_repr(adding(1)) != stable_repr(adding(2))
    assert stable_repr(doubled) != stable_repr(tripled)
    with pytest.raises(TypeError, match="cannot be described"):
        stable_repr(object())


@pytest.mark.more
@pytest.mark.compiled
def test_a_second_process_compiles_nothing_whether_from_source_or_bytecode(tmp_path: Path) -> None:
    """Kernels that close over rules once had another key when their source was loaded from bytecode."""
    environment = {
        **os.environ,
        "PITBOSS_CACHE": str(tmp_path / "cache"),
        "PYTHONPYCACHEPREFIX": str(tmp_path / "bytecode"),
        "PYTHONDONTWRITEBYTECODE": "",
    }
    command = [sys.executable, "-m", "pitboss", "simulate", "wild-52", "--rounds", "1000", "--seed", "1"]

    def kernels() -> set[str]:
        subprocess.run(command, env=environment, check=True, capture_output=True)
        return {path.name for path in (tmp_path / "cache" / "kernels").rglob("*.kernel")}

    from_source = kernels()
    assert from_source
    assert (tmp_path / "bytecode").is_dir()
    assert kernels() == from_source
