"""The faults of rules that show only in a round: nothing is paid by them."""

import traceback
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar, cast

from pitboss.contract import Action, Decision, Game
from pitboss.core.errors import PitbossError
from pitboss.engine.rule_errors import make_failing_rule_error, make_no_action_error, verify_chips
from pitboss.table.round.events import RoundEvent, find_decisions
from pitboss.table.round.payment import DecidedWager
from pitboss.table.round.wagers import get_wager

Command = TypeVar("Command", bound=Callable[..., Any])


def report_rule_faults(command: Command) -> Command:
    """Make a command report in one line which rule raised an exception.

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
            game, stack = game_round.game, traceback.extract_tb(error.__traceback__)
            frames = [each for each in stack if Path(each.filename).resolve().is_relative_to(game.folder.resolve())]
            if not frames:
                raise
            raise make_failing_rule_error(game, frames[-1].name, error, frames[-1]) from error

    return cast("Command", run)


def list_legal(game: Game, decision: Decision, legal: int) -> dict[str, Action]:
    """Return the actions of a mask, by id (raises PitbossError if there is none)."""
    actions = {action.id: action for index, action in enumerate(decision.actions) if legal >> index & 1}
    if not actions:
        raise make_no_action_error(game, decision.id)
    return actions


def verify_chips_put_down(game: Game, decided: Iterable[DecidedWager], events: Sequence[RoundEvent]) -> None:
    """Check that what settles has the chips that were put down (``verify_chips``)."""
    for each in decided:
        stake = each.stake
        put = dict.fromkeys(get_wager(game, stake.bet).circles or (stake.bet,), 1)
        if stake.bet == game.main.id:
            for made in find_decisions(events, stake.seat):
                if made.cents:
                    put[made.circle] = put.get(made.circle, 0) + made.cents // stake.cents
        verify_chips(game, each.outcome, put)
