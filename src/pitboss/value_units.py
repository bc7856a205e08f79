"""The wager that a game's values and edges are in: the first mandatory one."""

from pitboss.builders import display_name
from pitboss.contract import Game


def name_value_unit(game: Game) -> str:
    """Name the unit of the values of actions: the game's first mandatory wager.

    >>> from pitboss.games import load_game
    >>> name_value_unit(load_game("lunar")), name_value_unit(load_game("wild-six-card"))
    ('Antes', 'Poker bets')
    """
    circle = game.main.circles[0]
    return "Antes" if circle == "ante" else f"{display_name(circle).title()} bets"


def name_first_wager(game: Game) -> str:
    """Name the wager that edges are a share of, with its article.

    >>> from pitboss.games import load_game
    >>> name_first_wager(load_game("lunar")), name_first_wager(load_game("wild-six-card"))
    ('an Ante', 'a Poker bet')
    """
    one = name_value_unit(game).removesuffix("s")
    return f"{'an' if one[0] in 'AEIOU' else 'a'} {one}"
