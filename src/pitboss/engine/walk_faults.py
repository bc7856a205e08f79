"""Say what is wrong with rules that a walk could not follow."""

from pitboss.contract import Game
from pitboss.core.errors import PitbossError
from pitboss.engine.rule_errors import (
    make_illegal_choice_error,
    make_no_action_error,
    make_unknown_outcome_error,
    make_unsettled_error,
)
from pitboss.engine.walk_state import (
    EARLY_DRAW,
    HIDDEN_DRAW,
    ILLEGAL_CHOICE,
    NO_ACTION,
    ODD_OUTCOME,
    ODD_VIEW,
    UNSETTLED_WAGER,
    WalkCounters,
)
from pitboss.solver_api import Strategy


def verify_walk(game: Game, tally: WalkCounters, strategy: Strategy | None = None) -> None:
    """Verify that the walk found no fault.

    Raises:
        StrategyError: the strategy takes an action that is not legal.
        PitbossError: the rules leave a decision without a legal action or a wager without a settlement, or deal and
            show cards in a way that the walk cannot follow.
    """
    fault, place = int(tally.fault[0]), int(tally.fault[1])
    if not fault:
        return
    decision = game.decisions[place].id if place < len(game.decisions) else ""
    if fault == ILLEGAL_CHOICE and strategy:
        raise make_illegal_choice_error(game, strategy, place)
    if fault == NO_ACTION:
        raise make_no_action_error(game, decision)
    if fault == UNSETTLED_WAGER:
        raise make_unsettled_error(game, game.wagers[place].id)
    if fault == ODD_OUTCOME:
        raise make_unknown_outcome_error(game, place)
    if fault == ODD_VIEW:
        raise PitbossError(
            f"view of {game.id} shows cards at {decision} that depend on others shown at the same time: show the same "
            "places with every deal, or show them after another decision",
            code="odd-view",
            game=game.id,
            decision=decision,
        )
    if fault == HIDDEN_DRAW:
        raise PitbossError(
            f"a card that a seat of {game.id} has drawn is not in its view at {decision}: show it, or let it be drawn "
            "after the last decision",
            code="hidden-draw",
            game=game.id,
            decision=decision,
        )
    if fault == EARLY_DRAW:
        raise PitbossError(
            f"the dealer of {game.id} draws a card before {decision}: make the dealer draw it after the last decision",
            code="early-draw",
            game=game.id,
            decision=decision,
        )
    moment = f"at {decision}" if decision else "at the end of a round"
    raise PitbossError(
        f"the deals of {game.id} do not add up: in a few of them another number of cards is drawn {moment}, or more "
        "than are left: let the number depend on actions, not on cards",
        code="odd-draws",
        game=game.id,
        decision=decision,
    )
