"""The fees of a game: chips that always lose."""

from pitboss.analysis.position import Position
from pitboss.contract import Game, LegResult


def list_fee_circles(game: Game) -> set[str]:
    """List the circles of fees.

    Chips that an action puts there always lose, as those for a draw in Lunar Poker.

    >>> from pitboss.games import load_game
    >>> sorted(list_fee_circles(load_game("lunar"))), list_fee_circles(load_game("six-card"))
    (['fee', 'force'], set())
    """
    legs = [leg for outcome in game.main.outcomes for leg in outcome.legs]
    kept = {leg.circle for leg in legs if leg.result is not LegResult.LOSE}
    actions = (action for decision in game.decisions for action in decision.actions)
    return {each.circle for each in actions if each.circle and each.circle not in kept}


def count_fees(game: Game, position: Position, action: str) -> int:
    """Count the Antes paid for fees by an action and by an earlier draw."""
    circles = list_fee_circles(game)
    fees = {each.id: each.stake for each in position.decision.actions if each.circle in circles}
    earlier = (each for decision in game.decisions[: position.decision_index] for each in decision.actions)
    drawn = (each.stake for each in earlier if each.draws and each.circle in circles)
    return fees.get(action, 0) + (max(drawn, default=0) if getattr(position.view, "drew", 0) else 0)
