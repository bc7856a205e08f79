"""The errors of rules that fail, return what they must not, or leave it out."""

import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from pitboss.contract import NO_DECISION, UNSETTLED, Game, Outcome
from pitboss.core.errors import PitbossError, StrategyError
from pitboss.solver_api import Strategy


class RuleFaultError(PitbossError):
    """An error for a rule of a game that returns or raises what it must not."""


def make_failing_rule_error(game: Game, rule: str, error: Exception, at: traceback.FrameSummary) -> RuleFaultError:
    """Make the error of a rule that raises an exception, with the place."""
    return RuleFaultError(
        f"{rule} of {game.id} fails with {type(error).__name__}: {error} ({at.filename}, line {at.lineno}): correct it",
        code="rule-fails",
        game=game.id,
        rule=rule,
    )


def verify_outcomes(game: Game, outcomes: Any, after: str = "") -> tuple[int, ...]:
    """Return what ``settle`` returned: an outcome or UNSETTLED for each wager.

    ``after`` says what was done before, for the message.

    Raises:
        RuleFaultError: it is something else.
    """
    wagers = game.wagers
    if (
        not isinstance(outcomes, tuple)
        or len(outcomes) != len(wagers)
        or not all(isinstance(each, int) for each in outcomes)
    ):
        named = ", ".join(wager.id for wager in wagers)
        raise make_return_error(game, "settle", outcomes, f"a tuple of whole numbers, the outcomes of {named}")
    for wager, outcome in zip(wagers, outcomes, strict=True):
        if not UNSETTLED <= outcome < len(wager.outcomes):
            wanted = f"UNSETTLED or 0 to {len(wager.outcomes) - 1}, the outcomes of {wager.id}"
            raise make_return_error(game, "settle", outcome, wanted, f" for {wager.id}{after}")
    return outcomes


def make_return_error(game: Game, rule: str, value: Any, wanted: str, moment: str = "") -> RuleFaultError:
    """Make the error of a rule that returns something else than it is asked for."""
    return RuleFaultError(
        f"{rule} of {game.id} returns {value!r}{moment}: return {wanted}",
        code="rule-returns",
        game=game.id,
        rule=rule,
    )


def verify_chips(game: Game, outcome: Outcome, put: Mapping[str, int], after: str = "") -> None:
    """Verify that an outcome has the chips in each circle that were put there.

    Otherwise a player who raised one Ante could be paid for two.  ``put`` is in units of the wager's base.

    Raises:
        RuleFaultError: it has others.
    """
    settled = {leg.circle: leg.stake for leg in outcome.legs if leg.stake}
    for circle in (*put, *settled):
        if put.get(circle, 0) != settled.get(circle, 0):
            raise RuleFaultError(
                f"settle of {game.id} gives {outcome.name}{after}: it has {settled.get(circle, 0)} on {circle}, where "
                f"the player put {put.get(circle, 0)}: return an outcome with the chips that were put down",
                code="other-chips",
                game=game.id,
                outcome=outcome.name,
                circle=circle,
            )


@contextmanager
def translate_rule_exceptions(game: Game) -> Iterator[None]:
    """Raise what rules raise on a deal as a PitbossError of one line.

    It is for deals that ``verify_rule_results`` did not play.
    """
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


def verify_decision_order(game: Game, asks: int, due: int) -> None:
    """Verify that no decision is asked for that is past.

    ``due`` is the first that is not.

    Raises:
        PitbossError: ``next_decision`` has returned ``asks``, which is past.
    """
    if asks == NO_DECISION or asks >= due:
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


def make_unknown_outcome_error(game: Game, wager: int, rule: str = "settle") -> PitbossError:
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
        f"{game.id} draws {count} cards {moment}, but {left} are left: draw from 0 to {left}",
        code="odd-draws",
        game=game.id,
        moment=moment,
    )


def make_illegal_choice_error(game: Game, strategy: Strategy, index: int) -> StrategyError:
    """Make the error of a strategy that takes an action that is not legal."""
    decision = game.decisions[index].id
    return StrategyError(
        f"strategy {strategy.id} takes an action at {decision} that is not legal",
        code="illegal-choice",
        game=game.id,
        strategy=strategy.id,
        decision=decision,
    )
