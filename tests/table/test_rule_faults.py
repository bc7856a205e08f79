"""A game whose rules return or raise what they must not pays nobody: the round says so in one line."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from conformance.drawing import each_game
from examples.loading import load_example
from pitboss.contract import Game
from pitboss.core.errors import PitbossError
from pitboss.engine.rule_errors import RuleFaultError
from pitboss.table.round import Round, Stake, open_round
from pitboss.table.round.rule_faults import report_rule_faults
from refusals import refusal

GAME = load_example("three_card_poker")
RULES = GAME.rules


def dealt(**rules: Callable[..., Any]) -> Round:
    """Return a round of the game with other rules, dealt."""
    game: Game = replace(GAME, rules=replace(RULES, **rules))
    return open_round(game).place_wager(Stake(0, "main", 1_000)).deal(tuple(game.deck.cards))


@pytest.mark.parametrize("outcome", [-5, 99, 1.0, None])
def test_an_outcome_that_main_does_not_have_is_not_paid(outcome: Any) -> None:
    now = dealt(settle=lambda _tables, state, _options: (outcome if state.choice else -1, -1, -1))
    with pytest.raises(RuleFaultError, check=refusal("rule-returns", game=GAME.id, rule="settle")):
        now.decide(0, "play")
    assert not now.is_closed


@pytest.mark.parametrize("outcomes", [(0,), [0, 0, 0], 7])
def test_something_other_than_an_outcome_for_each_wager_is_not_paid(outcomes: Any) -> None:
    with pytest.raises(RuleFaultError, check=refusal("rule-returns", game=GAME.id, rule="settle")):
        dealt(settle=lambda *_: outcomes)


def test_chips_that_were_not_put_down_are_neither_paid_nor_taken() -> None:
    now = dealt(act=lambda state, _decision, _action, _cards: RULES.act(state, 0, 1, 0))
    assert now.decide(0, "play").is_closed
    with pytest.raises(RuleFaultError, check=refusal("other-chips", circle="play")):
        now.decide(0, "fold")


def test_a_decision_without_an_action_is_said() -> None:
    with pytest.raises(PitbossError, check=refusal("no-action", game=GAME.id)):
        dealt(legal_actions=lambda *_: 0).list_legal_actions()


def test_an_exception_of_a_rule_is_named_with_its_place_and_others_are_not_hidden() -> None:
    class Broken:
        game = GAME

        @report_rule_faults
        def deal(self) -> Any:
            return RULES.deal((), 1, 0, 0, 0, 0)

        @report_rule_faults
        def view(self) -> Any:
            return RULES.view(None)

    with pytest.raises(TypeError):
        Broken().deal()
    with pytest.raises(RuleFaultError, match=r"rules\.py, line \d+", check=refusal("rule-fails", rule="view")):
        Broken().view()


@each_game
def test_every_game_has_a_leg_for_the_chips_of_each_way_to_play(game: Game) -> None:
    stakes = {(action.circle, action.stake) for decision in game.decisions for action in decision.actions}
    for circle, stake in stakes - {("", 0)}:
        assert any((leg.circle, leg.stake) == (circle, stake) for out in game.main.outcomes for leg in out.legs)
