"""Load the compiler with what it knows of Python's and NumPy's functions.

A process does this with its first kernel, and it takes half a second.  A fork server imports this module, so that the
processes forked from it need not.  It collects no garbage from then on: almost nothing that modules make while they
load is garbage, and a fork is to enable it (``tasks.fork_server``).
"""

import gc

from numba.core.registry import cpu_target

gc.disable()
cpu_target.typing_context.refresh()
cpu_target.target_context.refresh()
