"""The wager that a game's values and edges are in: the first mandatory one."""

from pitboss.builders import display_name
from pitboss.contract import Game


def name_value_unit(game: Game) -> str:
    """Name the unit of the values of actions: the game's first mandatory wager.

    >>> from pitboss.games import load_game
    >>> name_value_unit(load_game("lunar")), name_value_unit(load_game("wild-six-card"))
    ('Antes', 'Poker bets')
    """
    return f"{name_one_unit(game)}s"


def name_one_unit(game: Game) -> str:
    """Name one unit of the values of actions.

    >>> from pitboss.games import load_game
    >>> name_one_unit(load_game("lunar")), name_one_unit(load_game("wild-six-card"))
    ('Ante', 'Poker bet')
    """
    circle = game.main.circles[0]
    return "Ante" if circle == "ante" else f"{display_name(circle).title()} bet"


def name_first_wager(game: Game) -> str:
    """Name the wager that edges are a share of, with its article.

    >>> from pitboss.games import load_game
    >>> name_first_wager(load_game("lunar")), name_first_wager(load_game("wild-six-card"))
    ('an Ante', 'a Poker bet')
    """
    one = name_one_unit(game)
    return f"{'an' if one[0] in 'AEIOU' else 'a'} {one}"
