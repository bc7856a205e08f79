"""The faults of rules that show only in a round: nothing is paid by them."""

import traceback
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar, cast

from pitboss.contract import UNSETTLED, Action, Decision, Game
from pitboss.core.errors import PitbossError
from pitboss.engine.rule_errors import make_no_action_error
from pitboss.table.round.events import RoundEvent, find_decisions
from pitboss.table.round.payment import DecidedWager
from pitboss.table.round.wagers import get_wager

Command = TypeVar("Command", bound=Callable[..., Any])


class RuleFaultError(PitbossError):
    """A rule of a game returns or raises what it must not."""


def name_failing_rule(command: Command) -> Command:
    """Have a command say in one line which rule raises an exception.

    Raises:
        RuleFaultError: an exception comes from the game's own folder.
    """

    @wraps(command)
    def run(game_round: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            return command(game_round, *args, **kwargs)
        except PitbossError:
            raise
        except Exception as error:
            game = game_round.game
            frames = [each for each in traceback.extract_tb(error.__traceback__) if _is_in(game.folder, each.filename)]
            if not frames:
                raise
            at = frames[-1]
            raise RuleFaultError(
                f"{at.name} of {game.id} fails with {type(error).__name__}: {error} ({at.filename}, line {at.lineno}): "
                "correct it",
                code="rule-fails",
                game=game.id,
                rule=at.name,
            ) from error

    return cast("Command", run)


def _is_in(folder: Path, filename: str) -> bool:
    return Path(filename).resolve().is_relative_to(folder.resolve())


def list_legal(game: Game, decision: Decision, legal: int) -> dict[str, Action]:
    """Return the actions of a mask, by id (raises PitbossError if there is none)."""
    actions = {action.id: action for index, action in enumerate(decision.actions) if legal >> index & 1}
    if not actions:
        raise make_no_action_error(game, decision.id)
    return actions


def verify_outcomes(game: Game, outcomes: Any) -> tuple[int, ...]:
    """Return an outcome or UNSETTLED for each wager (raises RuleFaultError)."""
    wagers = game.wagers
    if not isinstance(outcomes, tuple) or len(outcomes) != len(wagers):
        raise RuleFaultError(
            f"settle of {game.id} returns {outcomes!r}: return a tuple of whole numbers, the outcomes of "
            f"{', '.join(wager.id for wager in wagers)}",
            code="rule-returns",
            game=game.id,
            rule="settle",
        )
    for wager, outcome in zip(wagers, outcomes, strict=True):
        if not isinstance(outcome, int) or not UNSETTLED <= outcome < len(wager.outcomes):
            raise RuleFaultError(
                f"settle of {game.id} returns {outcome!r} for {wager.id}: return UNSETTLED or a whole number from 0 to "
                f"{len(wager.outcomes) - 1}",
                code="rule-returns",
                game=game.id,
                rule="settle",
            )
    return tuple(outcomes)


def verify_chips(game: Game, decided: Iterable[DecidedWager], events: Sequence[RoundEvent]) -> None:
    """Check that what settles has the chips that were put down.

    Otherwise a player who raised one Ante could be paid for two (raises RuleFaultError).
    """
    for stake, outcome in ((each.stake, each.outcome) for each in decided):
        laid = dict.fromkeys(get_wager(game, stake.bet).circles or (stake.bet,), stake.cents)
        if stake.bet == game.main.id:
            for made in find_decisions(events, stake.seat):
                if made.cents:
                    laid[made.circle] = laid.get(made.circle, 0) + made.cents
        settled = {leg.circle: leg.stake * stake.cents for leg in outcome.legs if leg.stake}
        if settled != laid:
            circle = next(each for each in (*laid, *settled) if laid.get(each, 0) != settled.get(each, 0))
            raise RuleFaultError(
                f"settle of {game.id} gives {outcome.name} of {stake.bet}, which has "
                f"{settled.get(circle, 0) // stake.cents} on {circle}, where the player put "
                f"{laid.get(circle, 0) // stake.cents}: return an outcome with the chips that were put down",
                code="other-chips",
                game=game.id,
                outcome=outcome.name,
                circle=circle,
            )
