"""What a showdown census cannot count, known before anything is solved."""

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from pitboss.contract import Game

if TYPE_CHECKING:
    # Loaded only for a game without a solver of its own, so that the sheets of others stay quick.
    from pitboss.engine.showdown import ShowdownShape

NO_NEW_CARD = "it is solved by a showdown census, and one of its decisions sees no new card"


def explain_why_not_followed(game: Game, options: Any) -> str:
    """Explain why no strategy can be followed through every deal; empty if one can.

    ``options`` are the option codes.

    >>> from pitboss.games import load_game
    >>> from pitboss.options import encode_options, resolve_options
    >>> game = load_game("six-card")
    >>> explain_why_not_followed(game, encode_options(game, resolve_options(game, {})))
    ''
    """
    shape = _learn_census(game, options)
    if shape is None:
        return ""
    from pitboss.engine.decision_names import list_action_paths
    from pitboss.engine.showdown import explain_why_not_listed

    return explain_why_not_listed(shape, game.deck.size) or ("" if list_action_paths(shape) else NO_NEW_CARD)


def explain_uncounted_sides(game: Game, options: Any) -> str:
    """Explain why no side wager can be counted along with main; empty if one can.

    ``options`` are the option codes.  A visit counts side wagers too, where it is quick.
    """
    shape = _learn_census(game, options)
    if shape is None:
        return ""
    from pitboss.engine.plan import QUICK_SETTLEMENTS, count_settlements
    from pitboss.engine.showdown import explain_why_not_listed

    return "" if count_settlements(game) <= QUICK_SETTLEMENTS else explain_why_not_listed(shape, game.deck.size)


@lru_cache(maxsize=64)
def _learn_census(game: Game, options: Any) -> "ShowdownShape | None":
    """Learn the showdown of a game that a census solves; None for another game."""
    if game.solver:
        return None
    from pitboss.engine.plan import CENSUS, make_plan
    from pitboss.engine.showdown import learn_showdown

    if make_plan(game).way != CENSUS:
        return None
    return learn_showdown(game, options, list(game.deck.cards))
