"""How tests wait for what must come."""

from collections.abc import Callable
from time import monotonic, sleep

PATIENT_SECONDS = 180
"""A loaded machine may need minutes for what takes a second on a quiet one; a test that passes waits for none of it."""


def wait_until(condition: Callable[[], object]) -> None:
    """Wait until a condition holds.

    Raises:
        AssertionError: it does not hold after ``PATIENT_SECONDS``.
    """
    until = monotonic() + PATIENT_SECONDS
    while not condition():
        assert monotonic() < until, "it did not come"
        sleep(0.01)
