"""Which source a kept result depends on: the syntax of the modules that its rules and kernels import, and no more.

A result is kept under a hash of that source.  A comment, a docstring, a blank line or a move within a file does not
change it; another game's rules do not either.  Modules outside the package count by what they say themselves.
"""

import ast
import contextlib
import dis
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache, partial
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

from pitboss.core.cache import cache_root, written_whole

PACKAGE = Path(__file__).resolve().parent.parent
GAMES = "pitboss.games"

_HASH_DIGITS = 16
_LIBRARIES = sys.stdlib_module_names | {"llvmlite", "numba", "numpy"}
_UNSAID = frozenset({"type_comment", "kind"})
_INDEX = "syntax.json"
_MOST_KNOWN = 2_000  # files whose syntax is remembered


class Syntax(NamedTuple):
    """What a module says: a hash of its syntax, and the names of the modules of the package that it may import."""

    digest: str
    imports: tuple[str, ...]


def source_hash(*modules: str) -> str:
    """Return 16 hexadecimal digits that change with the syntax of these modules or of any that they import.

    Imports are followed within the package, those inside functions too.  The versions of Numba and NumPy count as well.
    """
    return hash_syntax(frozenset(modules))


@cache
def hash_syntax(modules: frozenset[str]) -> str:
    """Return what ``source_hash`` does, read once in a process."""
    digest = sha256()
    for name in ("numba", "numpy"):
        with contextlib.suppress(PackageNotFoundError):
            digest.update(f"{name} {version(name)}\n".encode())
    for name, syntax in sorted(imported_modules(modules).items()):
        digest.update(f"{name} {syntax.digest}\n".encode())
    return digest.hexdigest()[:_HASH_DIGITS]


def package_hash() -> str:
    """Return 16 hexadecimal digits that change with the syntax of any module of the package."""
    names = (".".join(("pitboss", *path.relative_to(PACKAGE).with_suffix("").parts)) for path in PACKAGE.rglob("*.py"))
    return source_hash(*(name.removesuffix(".__init__") for name in names))


def imported_modules(modules: Iterable[str]) -> dict[str, Syntax]:
    """Return the syntax of modules and of all that they import, by name.

    A name that is not a module (a function imported from one) is left out, and so are libraries.
    """
    found: dict[str, Syntax] = {}
    waiting = list(modules)
    index = _index(cache_root() / _INDEX)
    while waiting:
        name = waiting.pop()
        syntax = None if name in found else index.module(name)
        if syntax is not None:
            found[name] = syntax
            waiting.extend(syntax.imports)
    index.save()
    return found


def forget_sources() -> None:
    """Forget what was read in this process: the next hash reads every file again."""
    hash_syntax.cache_clear()
    _index.cache_clear()


def module_path(name: str) -> Path | None:
    """Return the file of a module of the package, of a game found elsewhere, or of a user's own that was loaded."""
    if name == "pitboss" or name.startswith("pitboss."):
        return next(filter(Path.is_file, _candidates(name)), None)
    file = getattr(sys.modules.get(name), "__file__", None)
    return Path(file) if file and name.partition(".")[0] not in _LIBRARIES else None


def _candidates(name: str) -> Iterator[Path]:
    parts = name.split(".")[1:]
    roots = [PACKAGE.joinpath(*parts)]
    if name.startswith(f"{GAMES}."):
        folders = filter(None, os.environ.get("PITBOSS_GAMES", "").split(os.pathsep))
        roots += [Path(folder).joinpath(*parts[1:]) for folder in folders]
    for root in roots:
        yield root / "__init__.py"
        yield root.with_suffix(".py")


class _Index:
    """Syntax by the hash of a file's bytes, so that a file is parsed once and never taken for another.

    A process reads each module once.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: dict[str, Any] = {}
        self._used: set[str] = set()
        self._is_new = False
        self._modules: dict[str, Syntax | None] = {}
        with contextlib.suppress(OSError, ValueError):
            self._known = json.loads(path.read_text(encoding="utf-8"))

    def module(self, name: str) -> Syntax | None:
        """Return what a module says, None for a name that is not a module's."""
        if name not in self._modules:
            path = module_path(name)
            self._modules[name] = self._read(path, name) if path else None
        return self._modules[name]

    def _read(self, path: Path, name: str) -> Syntax:
        text = path.read_bytes()
        key = f"{name} {path.name} {sha256(text).hexdigest()}"
        self._used.add(key)
        if key not in self._known:
            package = name if path.name == "__init__.py" else name.rpartition(".")[0]
            self._known[key] = read_syntax(text.decode(), package)
            self._is_new = True
        return Syntax(self._known[key][0], tuple(self._known[key][1]))

    def save(self) -> None:
        """Keep what was parsed now, where it can be kept."""
        if len(self._known) > _MOST_KNOWN:
            self._known = {key: self._known[key] for key in self._used}
        if self._is_new:
            with contextlib.suppress(OSError), written_whole(self._path) as temporary:
                temporary.write_text(json.dumps(self._known), encoding="utf-8")
            self._is_new = False


def syntax_of(path: Path) -> str:
    """Return a hash of the syntax of one file, whatever it imports."""
    return read_syntax(path.read_text(encoding="utf-8")).digest


@cache
def _index(path: Path) -> _Index:
    return _Index(path)


def read_syntax(text: str, package: str = "") -> Syntax:
    r"""Return what the text of a module says; ``package`` is where its relative imports begin.

    >>> first = read_syntax("def double(cents):\n    '''Double.'''\n    return 2 * cents  # exactly\n")
    >>> first == read_syntax("def double(cents): return 2 * cents")
    True
    >>> first == read_syntax("def double(cents): return 3 * cents")
    False
    >>> read_syntax("from pitboss.cards import bit").imports
    ('pitboss.cards', 'pitboss.cards.bit')
    """
    tree = ast.parse(text)
    digest = sha256()
    _add(tree, digest.update)
    return Syntax(digest.hexdigest()[:_HASH_DIGITS], tuple(sorted(set(_imports_in(tree, package)))))


def _add(node: Any, add: Callable[[bytes], None]) -> None:
    """Add a node: its kind and what it has, without places, strings that stand alone, and fields that are empty.

    Empty fields are left out because later versions of Python have more of them.
    """
    if isinstance(node, ast.AST):
        add(f"{type(node).__name__}(".encode())
        for name, value in ast.iter_fields(node):
            if name not in _UNSAID and value is not None and value != []:
                add(f"{name}=".encode())
                _add(value, add)
        add(b")")
    elif isinstance(node, list):
        add(b"[")
        for each in node:
            if not _is_text_alone(each):
                _add(each, add)
        add(b"]")
    else:
        add(f"{type(node).__name__} {node!r};".encode())


def _is_text_alone(node: Any) -> bool:
    """Tell whether a statement is a docstring, of a module, a class, a function or a constant."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _imports_in(tree: ast.AST, package: str) -> Iterator[str]:
    for node in ast.walk(tree):
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


def modules_of(*things: Any) -> frozenset[str]:
    """Return the modules of all functions that things hold: in tuples, in dataclasses, closed over by functions."""
    return frozenset(_modules_in(things, set()))


def _modules_in(thing: Any, seen: set[int]) -> Iterator[str]:
    if id(thing) in seen:
        return
    seen.add(id(thing))
    function = getattr(thing, "py_func", thing)  # what Numba has compiled
    match function:
        case FunctionType():
            yield function.__module__
            for cell in function.__closure__ or ():
                yield from _modules_in(cell.cell_contents, seen)
        case ModuleType():
            yield function.__name__
        case type():
            yield function.__module__
        case partial():
            yield from _modules_in((function.func, function.args, tuple(function.keywords.values())), seen)
        case tuple() | list():
            yield from _modules_in(type(function), seen)
            for each in function:
                yield from _modules_in(each, seen)
        case _ if is_dataclass(function):
            yield type(function).__module__
            for each in fields(function):
                yield from _modules_in(getattr(function, each.name), seen)


def describe(thing: Any) -> str:
    """Return a text that is the same in every process for the same thing, and another for another.

    A function is described by its module, its name, its instructions and what it closes over, not by its text: what
    stands in its module is for ``source_hash`` to tell.

    >>> describe((1, "play", (2.5, None)))
    "tuple(1, 'play', tuple(2.5, None))"
    >>> def add(amount):
    ...     return lambda cents: cents + amount
    >>> describe(add(1)) == describe(add(1)), describe(add(1)) == describe(add(2))
    (True, False)

    Raises:
        TypeError: it is of a kind that this function does not know.
    """
    thing = getattr(thing, "py_func", thing)  # what Numba has compiled
    match thing:
        case Enum():
            return f"{_name_of(type(thing))}.{thing.name}"
        case None | bool() | int() | float() | str() | bytes():
            return repr(thing)
        case FunctionType():
            cells = ", ".join(describe(cell.cell_contents) for cell in thing.__closure__ or ())
            return f"{_name_of(thing)} {_instructions(thing.__code__)}({cells})"
        case type():
            return _name_of(thing)
        case ModuleType():
            return thing.__name__
        case partial():
            return f"partial({describe((thing.func, thing.args, tuple(sorted(thing.keywords.items()))))})"
        case tuple() | list():
            return f"{_name_of(type(thing))}({', '.join(map(describe, thing))})"
        case _ if is_dataclass(thing):
            values = (describe(getattr(thing, each.name)) for each in fields(thing))
            return f"{_name_of(type(thing))}({', '.join(values)})"
        case _ if type(thing).__module__.startswith("numba."):
            return repr(thing)  # a type of Numba's
        case _ if hasattr(thing, "tobytes") and hasattr(thing, "dtype"):
            return f"array({thing.dtype}, {thing.shape}, {sha256(thing.tobytes()).hexdigest()})"
    message = f"{thing!r} cannot be described: it is a {_name_of(type(thing))}"
    raise TypeError(message)


def _name_of(thing: Any) -> str:
    name = f"{thing.__module__}.{thing.__qualname__}"
    return name.removeprefix("builtins.")


def _instructions(code: CodeType) -> str:
    """Return a hash of what a function does, which tells two of one name apart."""
    done = [
        (each.opname, _instructions(each.argval) if isinstance(each.argval, CodeType) else repr(each.argval))
        for each in dis.get_instructions(code)
    ]
    return sha256(repr(done).encode()).hexdigest()[:_HASH_DIGITS]
