"""The games of a list, without those that cannot be asked what the list is about.

A game may be loaded, and yet a file of it that only some pages read is not valid, or the engine refuses its rules when
it first plays by them.  A list leaves such a game out, so that it takes no page of the others down.  What is about that
game alone asks it again, and is refused with the line that says what to correct.
"""

import logging
from collections.abc import Callable
from functools import cache

from pitboss.contract import Game
from pitboss.core.errors import PitbossError
from pitboss.engine.solver_lookup import can_solve
from pitboss.games import load_games

_LOG = logging.getLogger("pitboss.web")


@cache
def load_games_with(load_part: Callable[[Game], object]) -> dict[str, Game]:
    """Load the games of which one part is valid, by id.

    The part is what ``load_part`` asks: ``load_layout``, ``can_solve`` ...  The other games are logged.
    """
    games = dict[str, Game]()
    for name, game in load_games().items():
        try:
            load_part(game)
        except PitbossError as error:
            _LOG.warning("%s is left out: %s", name, error)
        else:
            games[name] = game
    return games


def list_games_with_rules() -> list[Game]:
    """Return the games whose rules the engine accepts.

    Those with a solver of their own are among them.  Only of these may a list ask what the engine tells: whether they
    can be solved, and which bets have a sheet.
    """
    return list(load_games_with(can_solve).values())
