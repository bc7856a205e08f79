"""Give compiled functions names that no other process gives.

Numba numbers the functions that a process compiles from 1, and a number is all that tells two functions apart that
came from one closure and take the same types: the settlement of two games, say, in the engine's walk.  Kernels of one
process are cached and loaded by another beside kernels of a third.  Where two bring a function of the same name, the
linker takes the one that was loaded first, so a kernel would run with the rules of another.  Here each process numbers
from a place of its own, and so does each process that is forked from it.
"""

import os
import secrets
from itertools import count

from numba.core.bytecode import FunctionIdentity

_NUMBERS = "_unique_ids"
"""Where Numba takes the numbers of functions from."""

_NUMBER_BITS = 62


def number_functions_apart() -> None:
    """Number functions from a place that no other process has.

    A process that is forked from this one numbers from a place of its own again.
    """
    number_from_a_new_place()
    os.register_at_fork(after_in_child=number_from_a_new_place)


def number_from_a_new_place() -> None:
    """Number the functions compiled from now on from a place drawn among 2**62."""
    getattr(FunctionIdentity, _NUMBERS)  # a release of Numba that numbers otherwise fails here, and not unnoticed
    setattr(FunctionIdentity, _NUMBERS, count(secrets.randbits(_NUMBER_BITS)))
