"""The errors of rules that leave a decision or a wager open."""

from pitboss.contract import Game
from pitboss.core.errors import PitbossError, StrategyError
from pitboss.solver_api import Strategy


def make_no_action_error(game: Game, decision: str) -> PitbossError:
    """Make the error of a decision without a legal action."""
    return PitbossError(
        f"legal_actions of {game.id} allows no action at {decision}: allow at least one",
        code="no-action",
        game=game.id,
        decision=decision,
    )


def make_unsettled_error(game: Game, wager: str) -> PitbossError:
    """Make the error of a wager that is never settled."""
    return PitbossError(
        f"settle of {game.id} leaves {wager} unsettled at the end of a round: settle every wager",
        code="wager-unsettled",
        game=game.id,
        wager=wager,
    )


def make_illegal_choice_error(game: Game, strategy: Strategy, asked: int) -> StrategyError:
    """Make the error of a strategy that takes an action that is not legal."""
    decision = game.decisions[asked].id
    return StrategyError(
        f"strategy {strategy.id} takes an action at {decision} that is not legal",
        code="illegal-choice",
        game=game.id,
        strategy=strategy.id,
        decision=decision,
    )
