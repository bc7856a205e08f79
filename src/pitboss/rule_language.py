"""Check that rules are written in the Python that kernels can compile.

It is checked when a game is loaded: otherwise a rule with other Python would play at the table, and fail or hang only
where it is compiled.
"""

import ast
import builtins
from collections.abc import Callable, Iterator
from dataclasses import fields
from functools import cache
from inspect import signature
from pathlib import Path
from typing import Any

from pitboss.contract import Game
from pitboss.core.errors import PitbossError
from pitboss.core.rule import list_rules

_BUILTINS = frozenset(
    {"abs", "bool", "divmod", "enumerate", "int", "len", "max", "min", "pow", "range", "sum", "tuple", "zip"}
)
"""The functions of Python itself that a rule may call."""

_REFUSED: dict[type[ast.AST], str] = {
    ast.List: "a list",
    ast.ListComp: "a list",
    ast.Set: "a set",
    ast.SetComp: "a set",
    ast.Dict: "a dictionary",
    ast.DictComp: "a dictionary",
    ast.GeneratorExp: "a generator",
    ast.Lambda: "a lambda",
    ast.JoinedStr: "text",
    ast.Raise: "an exception",
    ast.Try: "an exception",
    ast.Assert: "an exception",
    ast.With: "a with",
}

_ARGUMENTS = {
    "count_dealt": "seats",
    "deal": "deck, seats, seat, wagered",
    "next_decision": "tables, state, options",
    "view": "state",
    "legal_actions": "tables, view, decision, stub, options",
    "act": "state, decision, action, cards",
    "count_draws": "tables, state, options",
    "receive_draw": "state, drawn",
    "get_muck": "state",
    "count_dealer_draws": "state",
    "receive_dealer_draw": "state, drawn",
    "show_dealer": "state",
    "settle": "tables, state, options",
    "evaluate_hands": "tables, state, options",
    "mine": "tables, state, options",
    "theirs": "tables, state, options",
    "outcome": "state, mine, theirs, options",
}
"""What each rule is given, by its field in ``Rules`` or ``Showdown``."""

_CONSTANTS: dict[type, str] = {str: "text", bytes: "text", float: "a fraction", complex: "a fraction"}


class RuleLanguageError(PitbossError):
    """An error for a rule with something that rules cannot have."""


def verify_rule_language(game: Game) -> None:
    """Check the mark, the arguments and the Python of each rule.

    Raises:
        RuleLanguageError: a function of ``Rules`` or ``Showdown`` is not marked or takes other arguments, or a rule in
            the game's folder has a list, text or something else that cannot be compiled; the message names its line.
    """
    marked = set(list_rules())
    for name, function in _iterate_named_rules(game):
        if function not in marked:
            raise RuleLanguageError(
                f"{name}{_place(function)} is not marked: write @rule above it", code="rule-not-marked", rule=name
            )
        given = _ARGUMENTS[name].split(", ")
        try:
            signature(function).bind(*given)
        except TypeError as error:
            raise RuleLanguageError(
                f"{name}{_place(function)} takes other arguments than {_ARGUMENTS[name]}: {error}",
                code="rule-arguments",
                rule=name,
            ) from None
    folder = game.folder.resolve()
    for function in list_rules():
        path = Path(function.__code__.co_filename).resolve()
        if path.is_relative_to(folder):
            _verify_body(function, path)


def _iterate_named_rules(game: Game) -> Iterator[tuple[str, Callable[..., Any]]]:
    """Yield the functions that play asks, by the names of their fields."""
    for holder in (game.rules, *((game.showdown,) if game.showdown else ())):
        for field in fields(holder):
            yield field.name, getattr(holder, field.name)


def _place(function: Callable[..., Any]) -> str:
    code = getattr(function, "__code__", None)
    return f" ({Path(code.co_filename).name}, line {code.co_firstlineno})" if code else ""


def _verify_body(function: Callable[..., Any], path: Path) -> None:
    """Check what a rule is made of."""
    node = _read_functions(path).get(function.__code__.co_firstlineno)
    if node is None:
        return  # made by a program, not written in this file
    body = node.body[1:] if ast.get_docstring(node) is not None else node.body
    for each in (inner for statement in body for inner in ast.walk(statement)):
        fault = _find_fault(each, function)
        if fault:
            line = getattr(each, "lineno", node.lineno)
            raise RuleLanguageError(
                f"{path.name}, line {line}: rule {function.__name__} has {fault}: a rule uses only integers, tuples, "
                "complete named tuples, if, small loops and other rules",
                code="rule-language",
                rule=function.__name__,
                line=line,
                fault=fault,
            )


@cache
def _read_functions(path: Path) -> dict[int, ast.FunctionDef]:
    """Read the functions of a file, by the line that Python counts as their first."""
    functions = (node for node in ast.walk(ast.parse(path.read_bytes())) if isinstance(node, ast.FunctionDef))
    return {min([node.lineno, *(each.lineno for each in node.decorator_list)]): node for node in functions}


def _find_fault(node: ast.AST, function: Callable[..., Any]) -> str:
    """Say what a rule cannot have, "" if this is none of that."""
    if isinstance(node, ast.Constant):
        return _CONSTANTS.get(type(node.value), "")
    if isinstance(node, ast.Attribute) and node.attr == "_replace":
        return "_replace"
    if isinstance(node, ast.Name) and node.id not in _BUILTINS and _is_builtin(node.id, function):
        return node.id
    if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div):
        return "a division by / (write //)"
    return _REFUSED.get(type(node), "")


def _is_builtin(name: str, function: Callable[..., Any]) -> bool:
    """Whether a name is Python's own, not one of the rule or its module."""
    code = function.__code__
    return (
        hasattr(builtins, name)
        and name not in function.__globals__
        and name not in (*code.co_varnames, *code.co_freevars, *code.co_cellvars)
    )
