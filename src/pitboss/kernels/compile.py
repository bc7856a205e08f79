"""Register the marked rules with Numba, and compile the kernels that call them.

Compiled kernels are cached under a hash of their source (``kernel_cache``): Numba's own cache would go on serving a
kernel after a rule in another file has changed.
"""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
from numba.core import types
from numba.core.dispatcher import Dispatcher as NumbaDispatcher
from numba.core.types import Dispatcher
from numba.core.typing.templates import AbstractTemplate, infer_global
from numba.extending import register_jitable

from pitboss.core.rule import list_rules
from pitboss.kernels.inline_library import InlineCompiler
from pitboss.kernels.kernel_cache import KernelCache

Function = TypeVar("Function", bound=Callable[..., Any])

_INLINE: dict[str, Any] = {"_nrt": False, "no_cfunc_wrapper": True, "pipeline_class": InlineCompiler}
"""How a function is compiled that only kernels call: without reference counts, and to intermediate code alone."""

_registered: set[Callable[..., Any]] = set()


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
    compiled = numba.njit(no_cpython_wrapper=True, **_INLINE)(function)

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
    register_jitable(forceinline=True, **_INLINE)(function)
    return function


def parallel_kernel(function: Function) -> Function:
    """Compile as ``kernel`` does, with ``numba.prange`` loops on all cores."""
    return _compile_kernel(function, parallel=True)


def _compile_kernel(function: Function, **options: bool) -> Function:
    register_rules()
    dispatcher = numba.njit(nogil=True, **options)(function)
    if isinstance(dispatcher, NumbaDispatcher):  # a plain function where NUMBA_DISABLE_JIT is set
        vars(dispatcher)["_cache"] = KernelCache(function)
    return cast("Function", dispatcher)
