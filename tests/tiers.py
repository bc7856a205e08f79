"""Which cases of a test every change must pass, and which only the longest tier has."""

from collections.abc import Iterable
from typing import Any

import pytest


def keep_first(cases: Iterable[Any], count: int) -> list[Any]:
    """Return the cases of a test, all but the first ``count`` marked for the longest tier."""
    each = list(cases)
    return [*each[:count], *(mark_long(case) for case in each[count:])]


def keep_named(names: Iterable[str], *kept: str) -> list[Any]:
    """Return the names that a test runs on, all but those ``kept`` marked for the longest tier."""
    return [name if name in kept else mark_long(name) for name in names]


def mark_long(case: Any) -> Any:
    """Mark a case, a tuple if the test takes several values, for the longest tier."""
    return pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.long)
