"""A served progressive for each test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from web.served import Served, cheaply, copied, serving


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """A progressive of two tables in SQLite, with its people."""
    cheaply(monkeypatch)
    with serving(*copied(tmp_path), monkeypatch) as made:
        yield made
