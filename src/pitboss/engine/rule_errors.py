"""The errors of rules that fail, ask twice, or leave a decision or a wager open."""

import traceback
from collections.abc import Iterator
from contextlib import contextmanager

from pitboss.contract import NO_DECISION, Game
from pitboss.core.errors import PitbossError, StrategyError
from pitboss.solver_api import Strategy


@contextmanager
def refuse_failing_rules(game: Game) -> Iterator[None]:
    """Say in a line what rules raise on a deal that ``verify_types`` did not play."""
    try:
        yield
    except PitbossError:
        raise
    except Exception as error:
        at = traceback.extract_tb(error.__traceback__)[-1]
        raise PitbossError(
            f"the rules of {game.id} cannot be followed, {type(error).__name__}: {error} ({at.filename}, line "
            f"{at.lineno}): correct them",
            code="rules-fail",
            game=game.id,
        ) from error


def make_no_action_error(game: Game, decision: str) -> PitbossError:
    """Make the error of a decision without a legal action."""
    return PitbossError(
        f"legal_actions of {game.id} allows no action at {decision}: allow at least one",
        code="no-action",
        game=game.id,
        decision=decision,
    )


def verify_asked(game: Game, asks: int, asked: int) -> None:
    """Verify that no decision is asked for that is past.

    ``asked`` is the first that is not.

    Raises:
        PitbossError: ``next_decision`` has returned ``asks``, which is past.
    """
    if asks == NO_DECISION or asks >= asked:
        return
    raise PitbossError(
        f"next_decision of {game.id} asks again for {game.decisions[asks].id}: ask for each decision at most once, in "
        "the order of GAME.decisions",
        code="asked-again",
        game=game.id,
        decision=game.decisions[asks].id,
    )


def make_unsettled_error(game: Game, wager: str) -> PitbossError:
    """Make the error of a wager that is never settled."""
    return PitbossError(
        f"settle of {game.id} leaves {wager} unsettled at the end of a round: settle every wager",
        code="wager-unsettled",
        game=game.id,
        wager=wager,
    )


def make_odd_outcome_error(game: Game, wager: int, rule: str = "settle") -> PitbossError:
    """Make the error of an outcome that a wager does not have."""
    name, last = game.wagers[wager].id, len(game.wagers[wager].outcomes) - 1
    return PitbossError(
        f"the deals of {game.id} do not add up: {rule} gives {name} an outcome that it does not have: return a whole "
        f"number from 0 to {last} for it",
        code="odd-outcome",
        game=game.id,
        wager=name,
        rule=rule,
    )


def make_too_many_draws_error(game: Game, moment: str, count: int, left: int) -> PitbossError:
    """Make the error of a draw of more cards than are left, or of fewer than 0."""
    return PitbossError(
        f"{game.id} draws {count} cards {moment}, where {left} are left: draw from 0 to {left}",
        code="odd-draws",
        game=game.id,
        moment=moment,
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
