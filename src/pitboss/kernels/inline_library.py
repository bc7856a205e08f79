"""Compilation of rules and helpers to intermediate code only.

The kernels that call them inline, optimize and assemble this code.  By itself Numba optimizes and assembles every
function, and then does it again in each caller with all the code that the caller took over.  Only kernels call a rule
or a helper, so it needs no machine code of its own: that saves half of the compilation.
"""

from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler


class _NullEngine:
    """A stand-in for the engine that binds environments to machine code."""

    def set_env(self, _name: str, _environment: Any) -> None:
        """Bind nothing: there is no machine code."""


class InlineLibrary(JITCodeLibrary):
    """The unoptimized code of one helper, and of helpers and rules it calls."""

    @property
    def codegen(self) -> Any:
        """Return a stand-in for the code generator: there is no code to bind."""
        return _NullEngine()

    def get_pointer_to_function(self, _name: str) -> int:
        """Return 0: there is no machine code."""
        return 0

    def _optimize_final_module(self) -> None:
        """Leave this to the kernels: they optimize whatever they inline."""

    def _finalize_final_module(self) -> None:
        """Make no machine code."""
        self._finalized = True


class InlineCompiler(Compiler):
    """Numba's compiler, stopped before it makes machine code."""

    def __init__(self, typing: Any, target: Any, _library: Any, *others: Any) -> None:
        """Compile into an ``InlineLibrary`` instead of a library that can be called."""
        super().__init__(typing, target, InlineLibrary(target.codegen(), "draft"), *others)
