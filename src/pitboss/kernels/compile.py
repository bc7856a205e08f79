"""Register the marked rules with Numba, and compile the kernels that call them.

Compiled kernels are cached under a hash of their source (``kernel_cache``): Numba's own cache would go on serving a
kernel after a rule in another file has changed.
"""

import re
from collections.abc import Callable
from functools import partial
from linecache import getline
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core import types
from numba.core.dispatcher import Dispatcher as NumbaDispatcher
from numba.core.errors import NumbaError
from numba.core.types import Dispatcher
from numba.core.typing.templates import AbstractTemplate, infer_global
from numba.extending import register_jitable

from pitboss.core.errors import PitbossError
from pitboss.core.rule import list_rules
from pitboss.kernels.inline_library import InlineCompiler
from pitboss.kernels.kernel_cache import KernelCache
from pitboss.kernels.unique_names import number_functions_apart

Function = TypeVar("Function", bound=Callable[..., Any])

_PLACE = re.compile(r"^ *During: (?:typing|lowering) .* at (.+) \((\d+)\)$|^ *File \"(.+)\", line (\d+):", re.MULTILINE)
"""Where Numba says that something cannot be compiled."""

_COMPILE = "_compile_for_args"
"""The method of a dispatcher that compiles it at a call with new types."""

_INLINE: dict[str, Any] = {"_nrt": False, "no_cfunc_wrapper": True, "pipeline_class": InlineCompiler}
"""How a function is compiled that only kernels call: without reference counts, and to intermediate code alone."""

_registered: set[Callable[..., Any]] = set()

number_functions_apart()


def register_rules() -> None:
    """Make every rule marked so far callable from kernels; register each one once.

    A rule stays a plain function for Python, and is compiled as part of each kernel that calls it.
    The next call registers the rules that are marked later.

    Rules are compiled without reference counts: a rule only reads the arrays it is given, and so
    must not return one.  Counting references would triple the time to evaluate a hand.  Like helpers they get no
    machine code of their own (``inline_library``).
    """
    for function in list_rules():
        if function not in _registered:
            register_jitable(**_INLINE)(function)
            _registered.add(function)


def kernel(function: Function) -> Function:
    """Compile a function over arrays, rules and integers at its first call.

    It runs on one core and without the interpreter's lock, so several threads can run kernels at once.  The compiled
    code is cached.  The function may close over rules and integers: a factory can build the kernels of a game.
    """
    return _compile_kernel(function, no_cfunc_wrapper=True)


def no_alloc_kernel(function: Function) -> Function:
    """Compile as ``kernel`` does, for a function that makes no arrays.

    It only fills arrays it is given.  It is compiled without reference counts: with many arrays in named tuples these
    would be most of the compiled code.
    """
    return _compile_kernel(function, no_cfunc_wrapper=True, _nrt=False)


def kernel_helper(function: Function) -> Function:
    """Make a function callable from kernels as a rule is.

    It is compiled as part of them, without reference counts.  It may therefore read and fill the arrays it is given,
    but must not make or return one.  It is compiled once for all callers; a rule is compiled once for kernels and again
    for helpers and rules, because Numba treats them as different.
    """
    return _make_callable(function)


def _make_callable(function: Function, **options: bool) -> Function:
    """Make a function callable from kernels, compiled once for all callers."""
    compiled = numba.njit(no_cpython_wrapper=True, **_INLINE, **options)(function)

    def generic(self: Any, args: Any, kws: Any) -> Any:
        return Dispatcher(compiled).get_call_type(self.context, args, kws)

    def get_impl_key(_self: Any, sig: Any) -> Any:
        return compiled.get_overload(sig.args)

    # Numba types a call of the plain function as a call of the compiled one: ``generic`` gives its signature, and
    # ``get_impl_key`` the overload to link.
    called = type("Called", (AbstractTemplate,), {"key": function, "generic": generic, "get_impl_key": get_impl_key})
    infer_global(function, types.Function(called))
    return function


def inlined_helper(function: Function) -> Function:
    """Make a function callable from kernels, inlined into its one caller.

    Otherwise a large function is called, and what both it and its caller compute is computed twice.
    """
    return _make_callable(function, forceinline=True)


def parallel_kernel(function: Function) -> Function:
    """Compile as ``kernel`` does, with ``numba.prange`` loops on all cores."""
    return _compile_kernel(function, parallel=True)


def _compile_kernel(function: Function, **options: bool) -> Function:
    register_rules()
    dispatcher = numba.njit(nogil=True, **options)(function)
    if isinstance(dispatcher, NumbaDispatcher):  # a plain function where NUMBA_DISABLE_JIT is set
        vars(dispatcher)["_cache"] = KernelCache(function)
        vars(dispatcher)[_COMPILE] = partial(_compile_or_explain, getattr(dispatcher, _COMPILE))
    return cast("Function", dispatcher)


def _compile_or_explain(compile_for_args: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Compile a kernel for the types of its arguments, as Numba does.

    Raises:
        PitbossError: a rule has something that cannot be compiled; the message says where.
    """
    try:
        return compile_for_args(*args, **kwargs)
    except NumbaError as error:
        path, line, text = _find_fault(str(error))
        raise PitbossError(
            f"{path}, line {line}, cannot be compiled: {text}: a rule uses only integers, tuples, named tuples built "
            "whole, if, small loops and other rules with all their arguments",
            code="rule-not-compiled",
            path=path,
            line=line,
        ) from error


def _find_fault(message: str) -> tuple[str, int, str]:
    """Find the file, the line and the text that a message of Numba is about.

    The innermost place comes first, and places in rules go before those in the kernels that call them.  A name that is
    not defined has no place: then it is the rule that was compiled last.
    """
    files, rules = _list_rule_files(), {function.__name__: function for function in list_rules()}
    places = [(match[1] or match[3], int(match[2] or match[4])) for match in _PLACE.finditer(message)]
    in_rules = [place for place in places if Path(place[0]).resolve() in files]
    unknown = re.search(r"NameError: (.+)", message)
    called = [name for name in re.findall(r"Function\(<function (\w+) at", message) if name in rules]
    if called and (unknown or not in_rules):
        code = rules[called[-1]].__code__
        return code.co_filename, code.co_firstlineno, unknown[1] if unknown else called[-1]
    path, line = (in_rules or places or [("a kernel", 0)])[0]
    return path, line, repr(getline(path, line).strip())


def _list_rule_files() -> set[Path]:
    """Return the files that have rules."""
    return {Path(function.__code__.co_filename).resolve() for function in list_rules()}
