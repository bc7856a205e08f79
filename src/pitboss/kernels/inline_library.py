"""What Numba makes of a part: a draft that the kernels calling it take over, optimize and turn into machine code.

By itself Numba does both for every function, and then again for each that calls it, with all that it has taken over.  A
part is never called but from kernels, so one without machine code of its own is enough: a fifth of all compilation.
"""

from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler


class _NullEngine:
    """In the place of the engine that would bind a function to what it may raise by itself."""

    def set_env(self, _name: str, _environment: Any) -> None:
        """Bind nothing: there is no machine code."""


class InlineLibrary(JITCodeLibrary):
    """The code of one part, with that of all parts and rules it calls, as it was written."""

    @property
    def codegen(self) -> Any:
        """Return what binds the code once there is some."""
        return _NullEngine()

    def get_pointer_to_function(self, _name: str) -> int:
        """Return that there is no machine code."""
        return 0

    def _optimize_final_module(self) -> None:
        """Leave it to the kernels: what they inline is optimized anew."""

    def _finalize_final_module(self) -> None:
        """Make no machine code."""
        self._finalized = True


class InlineCompiler(Compiler):
    """Numba's compiler, stopped at a draft."""

    def __init__(self, typing: Any, target: Any, _library: Any, *others: Any) -> None:
        """Compile into a draft in the place of a library that can be called."""
        super().__init__(typing, target, InlineLibrary(target.codegen(), "draft"), *others)
