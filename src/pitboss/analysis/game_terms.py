"""The terms of a game, and its bets by their ids."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from pitboss.contract import Game, PayTable, Wager
from pitboss.core.errors import UnknownNameError


@dataclass(frozen=True, slots=True)
class GameTerms:
    """The setup of a game: its pay tables, its options and side stakes.

    There is a pay table of each kind and a value for every option.  Stakes are in Antes.
    """

    paytables: Mapping[str, PayTable]
    options: Mapping[str, str]
    stakes: Mapping[str, Fraction] = field(default_factory=dict)


def find_bet(game: Game, bet: str) -> Wager:
    """Return the wager, or part of main, with this id.

    Raises:
        UnknownNameError: the game has neither.
    """
    known = {wager.id: wager for wager in (*game.wagers, *game.main_parts)}
    if bet not in known:
        circle = [f"the {bet} is staked on main"] if bet in game.main.circles else []
        raise UnknownNameError("bet", bet, known, circle)
    return known[bet]
