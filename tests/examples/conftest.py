"""The example games are found while their tests run, whatever the environment names."""

import os
from collections.abc import Iterator

import pytest

import pitboss.games
from examples.loading import EXAMPLES
from pitboss.core.game_folders import VARIABLE

_FOUND = vars(pitboss.games)["_discover"]


@pytest.fixture(autouse=True)
def _find_example_games(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv(VARIABLE, os.pathsep.join(filter(None, (os.environ.get(VARIABLE), str(EXAMPLES)))))
    if str(EXAMPLES) not in pitboss.games.__path__:
        pitboss.games.__path__.append(str(EXAMPLES))
    _FOUND.cache_clear()
    yield
    _FOUND.cache_clear()
