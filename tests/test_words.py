"""Names and first lines are in the words of docs/glossary.md: what a test can hold of that."""

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from test_tidy import SOURCES, functions, name_of, nodes

MODULES = [path for path in SOURCES if "migrations" not in path.parts]

# Words that a reader had to learn here and nowhere else; what is said instead stands in docs/glossary.md.
BANNED = {
    *("avoiding", "beside", "crew", "crowd", "dearest", "evening", "evenings", "gainsaid", "landed", "lest"),
    *("mend", "mended", "papers", "reckon", "reckoned", "sitting", "sittings", "told", "whence", "whither", "whoever"),
}

# A function is a verb phrase, so none is called by a participle alone.
PARTICIPLES = {
    *("asked", "built", "chosen", "counted", "dealt", "done", "drawn", "found", "given", "held", "kept", "known"),
    *("laid", "landed", "left", "made", "named", "paid", "played", "priced", "said", "seen", "sent", "settled"),
    *("shown", "staked", "taken", "told", "written"),
}

# What others script against keeps its word: a query's key of the PAR sheet's page.
SCRIPTED = {"beside"}

FIRST_LINE_COLUMNS = 79


def definitions(path: Path) -> Iterator[tuple[str, int]]:
    """Yield the name and line of each class, function, parameter and field that a module defines."""
    for node in nodes(path):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, node.lineno
        if isinstance(node, ast.arg):
            yield node.arg, node.lineno
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id, node.lineno


def words_of(name: str) -> list[str]:
    """Split a name at underscores and capitals."""
    spaced = "".join(f"_{letter}" if letter.isupper() else letter for letter in name) if not name.isupper() else name
    return spaced.lower().split("_")


def test_each_public_class_has_a_name_of_its_own() -> None:
    names = Counter(
        node.name
        for path in MODULES
        for node in nodes(path)
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    assert {name for name, times in names.items() if times > 1} == set()


def test_names_are_the_fields_or_the_professions() -> None:
    named = [(path, name, line) for path in MODULES for name, line in [(path.stem, 0), *definitions(path)]]
    assert [
        (name_of(path), name, line)
        for path, name, line in named
        if name not in SCRIPTED and BANNED & set(words_of(name))
    ] == []


def test_a_function_is_called_by_what_it_does() -> None:
    named = [(name_of(path), node.name, node.lineno) for path in MODULES for node in functions(path)]
    assert [(path, name, line) for path, name, line in named if name.strip("_") in PARTICIPLES] == []


def first_lines() -> Iterator[tuple[Path, str]]:
    """Yield the first line of each docstring."""
    for path in MODULES:
        for node in nodes(path):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                yield path, (ast.get_docstring(node) or "").partition("\n")[0]


def test_first_lines_are_in_words_that_everybody_knows() -> None:
    """Whether they are imperatives is checked by ruff (D401)."""
    words = {line: {word.strip(".,;:()`'\"?!").lower() for word in line.split()} for _, line in first_lines()}
    assert [line for line, of_line in words.items() if BANNED & of_line] == []


def test_first_lines_are_short() -> None:
    assert [(path, line) for path, line in first_lines() if len(line) > FIRST_LINE_COLUMNS] == []
