"""Hands the marked rules to Numba: a kernel may call any of them as it stands.

Compiled kernels are kept under a hash of the source that they are made of (``kernel_cache``): Numba by itself keeps
serving a kernel after a rule in another file has changed.
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

_registered: set[Callable[..., Any]] = set()


def register_rules() -> None:
    """Make every rule marked so far callable from kernels; each is handed over once.

    A rule stays the plain function for Python, and is compiled as part of each kernel that calls it.
    Rules marked later are handed over by the next call.

    They are compiled without reference counts: a rule only looks into the arrays it is given, and so
    must not return one.  Counting would cost three times the evaluation of a hand.
    """
    for function in list_rules():
        if function not in _registered:
            register_jitable(_nrt=False, no_cfunc_wrapper=True)(function)
            _registered.add(function)


def kernel(function: Function) -> Function:
    """Compile a function over arrays, rules and integers at its first call; it runs on one core.

    It runs without the interpreter's lock, so threads may run several, and what was compiled is kept.
    The function may close over rules and integers: a factory makes the kernels of a game.
    """
    return _compile_kernel(function, no_cfunc_wrapper=True)


def no_alloc_kernel(function: Function) -> Function:
    """Compile as ``kernel`` does a function that makes no array, nor returns one, but fills those it is given.

    Without reference counts: where many arrays are handed over, in named tuples, these are most of what is compiled.
    """
    return _compile_kernel(function, no_cfunc_wrapper=True, _nrt=False)


def kernel_helper(function: Function) -> Function:
    """Make a function callable from kernels as a rule is: compiled as part of them, without reference counts.

    So it may look into and fill the arrays it is given, and must neither make nor return one.  It is compiled once for
    all callers; a rule once for kernels and once more for parts and rules, for Numba takes them to differ.
    """
    options = {"_nrt": False, "no_cpython_wrapper": True, "no_cfunc_wrapper": True, "pipeline_class": InlineCompiler}
    compiled = numba.njit(**options)(function)

    def generic(self: Any, args: Any, kws: Any) -> Any:
        return Dispatcher(compiled).get_call_type(self.context, args, kws)

    def get_impl_key(_self: Any, sig: Any) -> Any:
        return compiled.get_overload(sig.args)

    # What Numba makes of a call of the plain function: one of the compiled function.
    called = type("Called", (AbstractTemplate,), {"key": function, "generic": generic, "get_impl_key": get_impl_key})
    infer_global(function, types.Function(called))
    return function


def inlined_helper(function: Function) -> Function:
    """Make a function callable as ``kernel_helper`` does, and inline it into the body of its one caller.

    A large function is otherwise called, and what it and its caller both compute is computed twice.
    """
    register_jitable(_nrt=False, forceinline=True)(function)
    return function


def parallel_kernel(function: Function) -> Function:
    """Compile as ``kernel`` does, with the loops over ``numba.prange`` spread over the cores."""
    return _compile_kernel(function, parallel=True)


def _compile_kernel(function: Function, **options: bool) -> Function:
    register_rules()
    dispatcher = numba.njit(nogil=True, **options)(function)
    if isinstance(dispatcher, NumbaDispatcher):  # a plain function where NUMBA_DISABLE_JIT is set
        vars(dispatcher)["_cache"] = KernelCache(function)
    return cast("Function", dispatcher)
