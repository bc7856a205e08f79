"""Rules that return something other than whole numbers, or fail, are refused in a line that names the rule."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from conformance.drawing import each_game
from examples.loading import load_example
from pitboss.contract import Game, LegResult, Showdown, ViewField, Zone
from pitboss.core.errors import PitbossError
from pitboss.engine.rule_types import verify_types
from pitboss.options import encode_options, resolve_options
from refusals import refusal

GAME = load_example("three_card_poker")
RULES = GAME.rules


def verify(game: Game) -> None:
    verify_types(game, encode_options(game, resolve_options(game, {})), tuple(game.deck.cards))


@each_game
def test_the_rules_of_games_are_accepted(game: Game) -> None:
    verify(game)


@pytest.mark.parametrize(
    ("rule", "wrong"),
    [
        ("count_dealt", lambda _seats: 60),
        ("count_dealt", lambda _seats: 6.0),
        ("deal", lambda deck, *_: tuple(deck[:4])),
        ("deal", lambda deck, *rest: RULES.deal(deck, *rest)._replace(choice=0.5)),
        ("next_decision", lambda *_: None),
        ("next_decision", lambda *_: 1),
        ("view", lambda _state: [0, 0]),
        ("legal_actions", lambda *_: [0, 1]),
        ("legal_actions", lambda *_: 4),
        ("act", lambda *_: None),
        ("act", lambda state, *_: tuple(state)),
        ("show_dealer", lambda state: state.player),
        ("count_draws", lambda *_: -1),
        ("settle", lambda *_: 0),
        ("settle", lambda *_: (0, 0)),
        ("settle", lambda *_: (0, 0.0, 0)),
        ("settle", lambda *_: (LegResult.WIN, 99, 0)),
    ],
)
def test_something_other_than_whole_numbers_in_range_is_refused(rule: str, wrong: Callable[..., Any]) -> None:
    game = replace(GAME, rules=replace(RULES, **{rule: wrong}))
    with pytest.raises(PitbossError, check=refusal("rule-returns", game=GAME.id, rule=rule)):
        verify(game)


@pytest.mark.parametrize("part", ["mine", "theirs", "outcome"])
@pytest.mark.parametrize("wrong", [-1, 1 << 31, 2.0])
def test_a_showdown_of_something_other_than_strengths_and_outcomes_is_refused(part: str, wrong: Any) -> None:
    assert GAME.showdown

    def rule(*_: Any) -> Any:
        return wrong

    game = replace(GAME, showdown=replace(GAME.showdown, **{part: rule}))
    assert isinstance(game.showdown, Showdown)
    with pytest.raises(PitbossError, check=refusal("rule-returns", game=GAME.id, rule="rule")):
        verify(game)


@pytest.mark.parametrize("rule", ["deal", "next_decision", "view", "legal_actions", "act", "show_dealer", "settle"])
def test_a_rule_that_raises_an_exception_is_refused(rule: str) -> None:
    def fail(*_: Any) -> Any:
        raise ZeroDivisionError

    game = replace(GAME, rules=replace(RULES, **{rule: fail}))
    with pytest.raises(PitbossError, match=r"test_rule_types.py, line \d+", check=refusal("rule-fails", rule="fail")):
        verify(game)


def test_a_description_that_deals_other_cards_than_the_rules_is_refused() -> None:
    game = replace(GAME, deal_order=(Zone("seat", 3), Zone("dealer", 2)))
    with pytest.raises(PitbossError, check=refusal("deal-order", game=GAME.id)):
        verify(game)


@pytest.mark.parametrize("field", [ViewField("player", 4, 4), ViewField("dealer", 1, 1), ViewField("board", 1, 1)])
def test_a_decision_that_names_other_cards_than_the_view_shows_is_refused(field: ViewField) -> None:
    decision = replace(GAME.decisions[0], view_fields=(field,))
    with pytest.raises(PitbossError, check=refusal("view-field", game=GAME.id, decision="fold-or-play")):
        verify(replace(GAME, decisions=(decision,)))
