"""Hashes of the sources that a cached result depends on.

These are the modules that its rules and kernels import, and no more.  A result is cached under a hash of the syntax of
these modules.  Comments, docstrings, blank lines, line numbers and the rules of other games do not change it.  Modules
outside the package count only by their own syntax.
"""

import ast
import contextlib
import dis
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache, partial
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from threading import Lock
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

from pitboss.core.cache import atomic_write, cache_root
from pitboss.core.game_folders import list_game_folders

PACKAGE_FOLDER = Path(__file__).resolve().parent.parent
GAMES_PACKAGE = "pitboss.games"

_HASH_DIGITS = 16
_LIBRARIES = sys.stdlib_module_names | {"llvmlite", "numba", "numpy"}
_IGNORED_FIELDS = frozenset({"type_comment", "kind"})
_INDEX_FILE = "syntax.json"
_index_lock = Lock()  # a server prices sheets in several threads
_MAX_ENTRIES = 2_000  # files whose syntax the index holds


class ModuleSyntax(NamedTuple):
    """The hash of a module's syntax, and the package's modules it may import."""

    digest: str
    imports: tuple[str, ...]


@cache
def hash_sources(*modules: str) -> str:
    """Return a hash of the syntax of modules and of all that they import.

    It is 16 hexadecimal digits.  Imports within the package count, also those inside functions, and so do the versions
    of Numba and NumPy.
    """
    digest = sha256()
    for name in ("numba", "numpy"):
        with contextlib.suppress(PackageNotFoundError):
            digest.update(f"{name} {version(name)}\n".encode())
    for name, syntax in sorted(find_imported_modules(modules).items()):
        digest.update(f"{name} {syntax.digest}\n".encode())
    return digest.hexdigest()[:_HASH_DIGITS]


def hash_package() -> str:
    """Return a hash of the syntax of all modules of the package.

    It is 16 hexadecimal digits.
    """
    names = (
        ".".join(("pitboss", *path.relative_to(PACKAGE_FOLDER).with_suffix("").parts))
        for path in PACKAGE_FOLDER.rglob("*.py")
    )
    return hash_sources(*(name.removesuffix(".__init__") for name in names))


def find_imported_modules(modules: Iterable[str]) -> dict[str, ModuleSyntax]:
    """Return the syntax of modules and of all modules that they import, by name.

    Names that are not modules (functions imported from one) and libraries are left out.
    """
    syntaxes: dict[str, ModuleSyntax] = {}
    waiting = list(modules)
    with _index_lock:
        index = _load_index(cache_root() / _INDEX_FILE)
        while waiting:
            name = waiting.pop()
            syntax = None if name in syntaxes else index.get_module(name)
            if syntax is not None:
                syntaxes[name] = syntax
                waiting.extend(syntax.imports)
        index.save()
    return syntaxes


def find_module_path(name: str) -> Path | None:
    """Return the file of a module, None for a library or where there is none.

    The module is of the package, of a game in another folder, or a user's loaded module.
    """
    if name == "pitboss" or name.startswith("pitboss."):
        return next(filter(Path.is_file, _list_candidate_paths(name)), None)
    file = getattr(sys.modules.get(name), "__file__", None)
    return Path(file) if file and name.partition(".")[0] not in _LIBRARIES else None


def _list_candidate_paths(name: str) -> Iterator[Path]:
    parts = name.split(".")[1:]
    roots = [PACKAGE_FOLDER.joinpath(*parts)]
    if name.startswith(f"{GAMES_PACKAGE}."):
        roots += [folder.path.joinpath(*parts[1:]) for folder in list_game_folders()]
    for root in roots:
        yield root / "__init__.py"
        yield root.with_suffix(".py")


class _SyntaxIndex:
    """An index of syntax by the hash of a file's bytes.

    Each version of a file is parsed once.  A process reads each module once.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._entries: dict[str, Any] = {}
        self._used_keys: set[str] = set()
        self._is_new = False
        self._modules: dict[str, ModuleSyntax | None] = {}
        with contextlib.suppress(OSError, ValueError):
            self._entries = json.loads(path.read_text(encoding="utf-8"))

    def get_module(self, name: str) -> ModuleSyntax | None:
        """Return the syntax of a module, None if the name is not a module."""
        if name not in self._modules:
            path = find_module_path(name)
            self._modules[name] = self._read(path, name) if path else None
        return self._modules[name]

    def _read(self, path: Path, name: str) -> ModuleSyntax:
        text = path.read_bytes()
        key = f"{name} {path.name} {sha256(text).hexdigest()}"
        self._used_keys.add(key)
        if key not in self._entries:
            package = name if path.name == "__init__.py" else name.rpartition(".")[0]
            self._entries[key] = parse_syntax(text.decode(), package)
            self._is_new = True
        return ModuleSyntax(self._entries[key][0], tuple(self._entries[key][1]))

    def save(self) -> None:
        """Write newly parsed files to the index, if it can be written."""
        if len(self._entries) > _MAX_ENTRIES:
            self._entries = {key: self._entries[key] for key in self._used_keys}
        if self._is_new:
            with contextlib.suppress(OSError), atomic_write(self._path) as temporary:
                temporary.write_text(json.dumps(self._entries), encoding="utf-8")
            self._is_new = False


_load_index = cache(_SyntaxIndex)


def hash_file_syntax(path: Path) -> str:
    """Return a hash of the syntax of one file, without its imports."""
    return parse_syntax(path.read_text(encoding="utf-8")).digest


def parse_syntax(text: str, package: str = "") -> ModuleSyntax:
    r"""Return the syntax of a module's text.

    ``package`` is the base of its relative imports.

    >>> first = parse_syntax("def double(cents):\n    '''Double.'''\n    return 2 * cents  # exactly\n")
    >>> first == parse_syntax("def double(cents): return 2 * cents")
    True
    >>> first == parse_syntax("def double(cents): return 3 * cents")
    False
    >>> parse_syntax("from pitboss.cards import bit").imports
    ('pitboss.cards', 'pitboss.cards.bit')
    """
    tree = ast.parse(text)
    digest = sha256()
    _hash_node(tree, digest.update)
    return ModuleSyntax(digest.hexdigest()[:_HASH_DIGITS], tuple(sorted(set(_iter_imports(tree, package)))))


def _hash_node(node: Any, add: Callable[[bytes], None]) -> None:
    """Add a node to a hash: its type and fields.

    Positions and docstrings are left out, and so are empty fields, because later versions of Python have more of them.
    """
    if isinstance(node, ast.AST):
        add(f"{type(node).__name__}(".encode())
        for name, value in ast.iter_fields(node):
            if name not in _IGNORED_FIELDS and value is not None and value != []:
                add(f"{name}=".encode())
                _hash_node(value, add)
        add(b")")
    elif isinstance(node, list):
        add(b"[")
        for each in node:
            if not _is_docstring(each):
                _hash_node(each, add)
        add(b"]")
    else:
        add(f"{type(node).__name__} {node!r};".encode())


def _is_docstring(node: Any) -> bool:
    """Return whether a statement is a docstring.

    It may be of a module, class, function or constant.
    """
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _iter_imports(tree: ast.AST, package: str) -> Iterator[str]:
    for node in _iter_statements(tree):
        match node:
            case ast.Import():
                yield from (each.name for each in node.names if each.name.partition(".")[0] == "pitboss")
            case ast.ImportFrom():
                parents = package.split(".")
                start = ".".join(parents[: len(parents) - node.level + 1]) if node.level else ""
                module = ".".join(filter(None, (start, node.module or "")))
                if module.partition(".")[0] == "pitboss":
                    yield module
                    yield from (f"{module}.{each.name}" for each in node.names)


def _iter_statements(block: ast.AST) -> Iterator[ast.AST]:
    """Return the statements of a block and of the blocks in it.

    Nine nodes of ten are expressions, in which nothing is imported.
    """
    for name in ("body", "orelse", "handlers", "finalbody", "cases"):
        for each in getattr(block, name, ()):
            yield each
            yield from _iter_statements(each)


def collect_modules(*things: Any) -> frozenset[str]:
    """Return the modules of all functions in ``things``.

    Functions are found in tuples, dataclasses, and closures of functions too.
    """
    return frozenset(_iter_modules(things, set()))


def _iter_modules(value: Any, seen: set[int]) -> Iterator[str]:
    if id(value) in seen:
        return
    seen.add(id(value))
    function = getattr(value, "py_func", value)  # of a function that Numba compiled
    match function:
        case FunctionType():
            yield function.__module__
            for cell in function.__closure__ or ():
                yield from _iter_modules(cell.cell_contents, seen)
        case ModuleType():
            yield function.__name__
        case type():
            yield function.__module__
        case partial():
            yield from _iter_modules((function.func, function.args, tuple(function.keywords.values())), seen)
        case tuple() | list():
            yield from _iter_modules(type(function), seen)
            for each in function:
                yield from _iter_modules(each, seen)
        case _ if is_dataclass(function):
            yield type(function).__module__
            for each in fields(function):
                yield from _iter_modules(getattr(function, each.name), seen)


def stable_repr(value: Any) -> str:
    """Return a text that is the same for equal values in every process.

    It is different for different values.  A function is described by its module, name, instructions and closure, not by
    its source text; ``hash_sources`` covers the rest of its module.

    >>> stable_repr((1, "play", (2.5, None)))
    "tuple(1, 'play', tuple(2.5, None))"
    >>> def add(amount):
    ...     return lambda cents: cents + amount
    >>> stable_repr(add(1)) == stable_repr(add(1)), stable_repr(add(1)) == stable_repr(add(2))
    (True, False)

    Raises:
        TypeError: the value is of a type that this function does not know.
    """
    value = getattr(value, "py_func", value)  # of a function that Numba compiled
    match value:
        case Enum():
            return f"{_get_qualified_name(type(value))}.{value.name}"
        case None | bool() | int() | float() | str() | bytes():
            return repr(value)
        case FunctionType():
            cells = ", ".join(stable_repr(cell.cell_contents) for cell in value.__closure__ or ())
            return f"{_get_qualified_name(value)} {_hash_instructions(value.__code__)}({cells})"
        case type():
            return _get_qualified_name(value)
        case ModuleType():
            return value.__name__
        case partial():
            return f"partial({stable_repr((value.func, value.args, tuple(sorted(value.keywords.items()))))})"
        case tuple() | list():
            return f"{_get_qualified_name(type(value))}({', '.join(map(stable_repr, value))})"
        case _ if is_dataclass(value):
            values = (stable_repr(getattr(value, each.name)) for each in fields(value))
            return f"{_get_qualified_name(type(value))}({', '.join(values)})"
        case _ if type(value).__module__.startswith("numba."):
            return repr(value)  # a type of Numba's
        case _ if hasattr(value, "tobytes") and hasattr(value, "dtype"):
            return f"array({value.dtype}, {value.shape}, {sha256(value.tobytes()).hexdigest()})"
    raise TypeError(f"{value!r} cannot be described: it is a {_get_qualified_name(type(value))}")


def _get_qualified_name(value: Any) -> str:
    name = f"{value.__module__}.{value.__qualname__}"
    return name.removeprefix("builtins.")


def _hash_instructions(code: CodeType) -> str:
    """Return a hash of a function's instructions.

    It differs for two functions of one name.
    """
    instructions = [
        (each.opname, _hash_instructions(each.argval) if isinstance(each.argval, CodeType) else repr(each.argval))
        for each in dis.get_instructions(code)
    ]
    return sha256(repr(instructions).encode()).hexdigest()[:_HASH_DIGITS]
