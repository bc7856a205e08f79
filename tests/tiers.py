"""Which cases of a test every change must pass, and which only the longest tier has."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any
from zlib import crc32

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


def mark_out_of_turn(items: Iterable[pytest.Item]) -> None:
    """Of a test marked ``in_turn``, leave every change one of five cases that are not long; which one its name says."""
    tests: dict[tuple[Path, str], dict[int, list[pytest.Function]]] = {}
    for item in items:
        marker = item.get_closest_marker("in_turn")
        if isinstance(item, pytest.Function) and marker and not item.get_closest_marker("long"):
            cases = tests.setdefault((item.path, item.originalname), {})
            cases.setdefault(item.callspec.indices[marker.args[0]], []).append(item)
    for (_, name), cases in tests.items():
        for place, case in enumerate(sorted(cases)):
            if (place + crc32(name.encode())) % min(5, len(cases)):
                for item in cases[case]:
                    item.add_marker(pytest.mark.long)
