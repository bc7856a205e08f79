"""The example games are found while their tests run, whatever the environment names."""

import os

import pytest

from examples.loading import EXAMPLES
from pitboss.core.game_folders import VARIABLE


@pytest.fixture(autouse=True)
def _find_example_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, os.pathsep.join(filter(None, (os.environ.get(VARIABLE), str(EXAMPLES)))))
