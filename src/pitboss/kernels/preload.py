"""Load the compiler with what it knows of Python's and NumPy's functions.

A process does this with its first kernel, and it takes half a second.  A fork server imports this module, so that the
processes forked from it need not.
"""

from numba.core.registry import cpu_target

cpu_target.typing_context.refresh()
cpu_target.target_context.refresh()
