"""The games, one folder each, discovered at import.

A game is a folder whose ``__init__`` has a ``GAME``.  It lies in this package, or in a folder that the environment
variable ``PITBOSS_GAMES`` names, so that a designer need not change an installed package.
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
    """Import every game and return them by id.

    >>> load_games()["six-card"].name
    'Six Card Poker'
    """
    folders = [module.name for module in iter_modules(__path__) if module.ispkg and not module.name.startswith("_")]
    discovered: list[Game] = [import_module(f"{__name__}.{folder}").GAME for folder in folders]
    return {game.id: game for game in sorted(discovered, key=lambda game: game.id)}


def load_game(name: str) -> Game:
    """Return the game with this id.

    Raises:
        UnknownNameError: no game has this id.
    """
    try:
        return load_games()[name]
    except KeyError:
        raise UnknownNameError("game", name, load_games()) from None
