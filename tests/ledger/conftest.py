"""The same cases on every database."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.databases import DATABASES
from pitboss.ledger.store import Store


@pytest.fixture(params=DATABASES)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database."""
    return DATABASES[request.param](tmp_path)


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    """An empty ledger."""
    made = Store.open_or_create(url)
    yield made
    made.close()
