"""The example games are found while their tests run, whatever the environment names."""

import os
from collections.abc import Iterator
from typing import Any

import pytest

import pitboss.games
from examples.loading import EXAMPLES
from pitboss.core.game_folders import VARIABLE
from pitboss.web.jobs import worker
from pitboss.web.pages.assets import render_felts
from pitboss.web.pages.round_check import build_saved_page
from pitboss.web.pages.table_layout import load_games_with

_BY_GAMES: tuple[Any, ...] = (
    vars(pitboss.games)["_discover"],
    vars(worker)["_index_parts"],
    build_saved_page,
    load_games_with,
    render_felts,
)
"""What a process finds once, for the games that it has then."""


def _forget_games() -> None:
    for found in _BY_GAMES:
        found.cache_clear()


@pytest.fixture(autouse=True)
def _find_example_games(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv(VARIABLE, os.pathsep.join(filter(None, (os.environ.get(VARIABLE), str(EXAMPLES)))))
    if str(EXAMPLES) not in pitboss.games.__path__:
        pitboss.games.__path__.append(str(EXAMPLES))
    _forget_games()
    yield
    _forget_games()
