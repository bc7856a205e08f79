"""The games, one folder each, found by discovery.

A folder under this package (or under a folder named in the environment variable ``PITBOSS_GAMES``, so that a
designer need not touch an installed package) whose ``__init__`` has a ``GAME`` is a game.
"""

import os
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from pitboss.contract import Game
from pitboss.core.errors import UnknownNameError

__path__ = [*__path__, *filter(None, os.environ.get("PITBOSS_GAMES", "").split(os.pathsep))]


@cache
def load_games() -> dict[str, Game]:
    """Return every game found, by id.

    >>> load_games()["six-card"].name
    'Six Card Poker'
    """
    folders = [module.name for module in iter_modules(__path__) if module.ispkg and not module.name.startswith("_")]
    found: list[Game] = [import_module(f"{__name__}.{folder}").GAME for folder in folders]
    return {game.id: game for game in sorted(found, key=lambda game: game.id)}


def load_game(name: str) -> Game:
    """Return the game with this id.

    Raises:
        UnknownNameError: there is none.
    """
    try:
        return load_games()[name]
    except KeyError:
        raise UnknownNameError("game", name, load_games()) from None
