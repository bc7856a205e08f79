"""The example games are found while their tests run, whatever the environment names."""

from collections.abc import Iterator

import pytest

from examples.loading import EXAMPLES
from outside_games import finding_games


@pytest.fixture(autouse=True)
def _find_example_games() -> Iterator[None]:
    with finding_games(EXAMPLES):
        yield
