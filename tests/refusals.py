"""What tests ask of refusals: code and fields of each, and one list of all wordings.

``python tests/refusals.py`` writes ``docs/refusals.txt``, the list, from the source.
"""

import ast
import importlib
import pkgutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import pitboss
from pitboss.core.errors import ErrorField, PitbossError, UnknownIdError, UnknownNameError

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "pitboss"
LIST = ROOT / "docs" / "refusals.txt"


def refusal(code: str, **fields: ErrorField) -> Callable[[BaseException], bool]:
    """Return a check, for ``pytest.raises(check=...)``, of an error's code and of these of its fields."""

    def check(error: BaseException) -> bool:
        assert isinstance(error, PitbossError)
        found = {name: error.fields.get(name) for name in fields}
        assert (error.code, found) == (code, fields), str(error)
        return True

    return check


class Raised(NamedTuple):
    """A place that makes an error: its code (``_read_code``) and its messages, as in the source."""

    place: str
    code: str | None
    messages: tuple[str, ...]


def list_raised() -> Iterator[Raised]:
    """Yield every place in the source that makes an error of pitboss."""
    kinds = _find_kinds()
    for path in sorted(SOURCE.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for function in _list_scopes(tree):
            for call in _list_own_nodes(function):
                name = _get_called_name(call)
                if isinstance(call, ast.Call) and name in kinds and call.args:
                    place = f"{path.relative_to(SOURCE)}:{call.lineno}"
                    yield Raised(place, _read_code(call), _read_messages(call, function, tree))


def _read_code(call: ast.Call) -> str | None:
    """Return the code that a call names: "" if it is another error's, None if it names none."""
    for each in call.keywords:
        if each.arg == "code":
            return str(each.value.value) if isinstance(each.value, ast.Constant) else ""
    return None


def _find_kinds() -> set[str]:
    """Return every name by which an error is made that is given its message and its code there."""
    for module in pkgutil.walk_packages(pitboss.__path__, "pitboss."):
        if "migrations" not in module.name and not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    own = {UnknownNameError, UnknownIdError}
    return {kind.__name__ for kind in _list_kinds(PitbossError) if kind not in own} | {"error_type"}


def _list_kinds(kind: type[PitbossError]) -> Iterator[type[PitbossError]]:
    yield kind
    for each in kind.__subclasses__():
        yield from _list_kinds(each)


def _list_scopes(tree: ast.Module) -> Iterator[ast.AST]:
    """Yield the module and each of its functions."""
    yield tree
    yield from (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def _list_own_nodes(scope: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a scope without those of functions in it."""
    for node in ast.iter_child_nodes(scope):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node
            yield from _list_own_nodes(node)


def _get_called_name(call: ast.AST) -> str:
    return ast.unparse(call.func).rpartition(".")[2] if isinstance(call, ast.Call) else ""


def _read_messages(call: ast.Call, function: ast.AST, tree: ast.Module) -> tuple[str, ...]:
    """Return the texts that a call's arguments may be, those of names looked up in the function, then the module."""
    texts = []
    for argument in call.args:
        written = [argument]
        if isinstance(argument, ast.Name):
            before = [each for each in _list_assigned(argument.id, function) if each.lineno < call.lineno]
            written = before[-1:] or _list_assigned(argument.id, tree)
        texts += [text for each in written for text in _write_texts(each)]
    return tuple(dict.fromkeys(texts))


def _list_assigned(name: str, scope: ast.AST) -> list[ast.expr]:
    return [
        node.value
        for node in _list_own_nodes(scope)
        if isinstance(node, ast.Assign) and any(ast.unparse(target) == name for target in node.targets)
    ]


def _write_texts(written: ast.expr) -> Iterator[str]:
    """Yield the texts of an expression; what is filled in stays as it is in the source, in braces."""
    match written:
        case ast.Constant(value=str() as text):
            yield text
        case ast.JoinedStr(values=parts):
            yield "".join(
                str(part.value) if isinstance(part, ast.Constant) else f"{{{ast.unparse(part.value)}}}"
                for part in parts
                if isinstance(part, ast.Constant | ast.FormattedValue)
            )
        case ast.IfExp(body=first, orelse=second):
            yield from _write_texts(first)
            yield from _write_texts(second)


def write_list(raised: Iterable[Raised]) -> str:
    """Return every code with the messages it comes with, sorted."""
    lines = {f"{each.code}: {message}" for each in raised if each.code for message in each.messages}
    return "\n".join(sorted(lines)) + "\n"


if __name__ == "__main__":
    LIST.write_text(write_list(list_raised()), encoding="utf-8")
