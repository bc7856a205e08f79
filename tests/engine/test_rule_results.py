"""Rules that return something other than whole numbers, or fail, are refused in a line that names the rule."""

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from typing import Any

import pytest

from conformance.drawing import each_game
from examples.loading import load_example
from pitboss.cards import take_cards
from pitboss.contract import Game, LegResult, Showdown, ViewField, Zone
from pitboss.core.errors import PitbossError
from pitboss.engine.information_checks import verify_rules
from pitboss.engine.places import learn_place_groups
from pitboss.engine.plan import make_plan
from pitboss.engine.rule_results import verify_rule_results
from pitboss.options import encode_options, resolve_options
from refusals import refusal

GAME = load_example("three_card_poker")
RULES = GAME.rules


def verify(game: Game) -> None:
    verify_rule_results(game, encode_options(game, resolve_options(game, {})), tuple(game.deck.cards))


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
    with pytest.raises(PitbossError, match=r"test_rule_results.py, line \d+", check=refusal("rule-fails", rule="fail")):
        verify(game)


def test_a_rule_that_raises_an_exception_on_a_later_deal_is_refused() -> None:
    """The deals that are played first, to check types, do not show it; those that tell the paths do."""
    calls = count()

    def fail(*arguments: Any) -> Any:
        if next(calls) > 60:
            raise ZeroDivisionError
        return RULES.next_decision(*arguments)

    game = replace(GAME, rules=replace(RULES, next_decision=fail))
    with pytest.raises(
        PitbossError, match=r"test_rule_results.py, line \d+", check=refusal("rules-fail", game=GAME.id)
    ):
        make_plan(game)


def test_a_description_that_deals_other_cards_than_the_rules_is_refused() -> None:
    game = replace(GAME, deal_order=(Zone("seat", 3), Zone("dealer", 2)))
    with pytest.raises(PitbossError, check=refusal("deal-order", game=GAME.id)):
        verify(game)


@pytest.mark.parametrize("field", [ViewField("player", 4, 4), ViewField("dealer", 1, 1), ViewField("board", 1, 1)])
def test_a_decision_that_names_other_cards_than_the_view_shows_is_refused(field: ViewField) -> None:
    decision = replace(GAME.decisions[0], view_fields=(field,))
    with pytest.raises(PitbossError, check=refusal("view-field", game=GAME.id, decision="fold-or-play")):
        verify(replace(GAME, decisions=(decision,)))


def with_rules(**rules: Callable[..., Any]) -> Game:
    return replace(GAME, rules=replace(RULES, **rules))


def test_a_rule_that_does_not_end_is_refused() -> None:
    def settle(_tables: Any, state: Any, _options: Any) -> Any:
        while state:
            pass

    with pytest.raises(PitbossError, match="does not end", check=refusal("rule-endless", rule="settle")):
        verify(with_rules(settle=settle))


def test_an_action_that_is_not_noted_is_refused() -> None:
    with pytest.raises(PitbossError, check=refusal("asked-again", decision="fold-or-play")):
        verify(with_rules(act=lambda state, *_: state))


def test_an_outcome_with_other_chips_is_refused() -> None:
    def settle(tables: Any, state: Any, options: Any) -> Any:
        return RULES.settle(tables, state._replace(choice=2) if state.choice == 1 else state, options)

    with pytest.raises(PitbossError, match="after fold: it has 1 on play, where the player put 0"):
        verify(with_rules(settle=settle))


def test_the_cards_of_another_zone_are_refused() -> None:
    for zones in ((Zone("dealer", 3), Zone("seat", 3)), (Zone("seat", 3), Zone("deler", 3))):
        with pytest.raises(PitbossError, check=refusal("deal-order", game=GAME.id)):
            verify(replace(GAME, deal_order=zones))


def test_a_field_that_the_view_does_not_have_is_named() -> None:
    decision = replace(GAME.decisions[0], view_fields=(ViewField("exposed", 1, 1),))
    with pytest.raises(PitbossError, match=r"has no field exposed .* names 1 card:", check=refusal("view-field")):
        verify(replace(GAME, decisions=(decision,)))


@pytest.mark.parametrize("first", [0, 1], ids=["the seat's cards", "some of them"])
def test_a_card_dealt_into_two_fields_while_another_is_in_none_is_refused(first: int) -> None:
    def deal(deck: Any, *rest: Any) -> Any:
        return RULES.deal(deck, *rest)._replace(dealer=take_cards(deck, first, 3))

    with pytest.raises(PitbossError, match=f"puts card {first + 1} into", check=refusal("card-in-two-fields")):
        learn_place_groups(with_rules(deal=deal))


@pytest.mark.parametrize("part", ["mine", "theirs", "evaluate_hands"])
def test_a_strength_that_tells_suits_apart_is_refused(part: str) -> None:
    showdown = GAME.showdown
    assert showdown

    def mine(tables: Any, state: Any, options: Any) -> Any:
        return showdown.mine(tables, state, options) * 4 + state.player % 3

    def theirs(tables: Any, state: Any, options: Any) -> Any:
        return showdown.theirs(tables, state, options) * 4 + state.dealer % 3

    def evaluate_hands(_tables: Any, state: Any, _options: Any) -> tuple[int, int]:
        return state.player % 5, 0

    rules = {"mine": mine, "theirs": theirs, "evaluate_hands": evaluate_hands}
    changed = {part: rules[part]}
    game = with_rules(**changed) if part == "evaluate_hands" else replace(GAME, showdown=replace(showdown, **changed))
    codes = encode_options(game, resolve_options(game, {}))
    with pytest.raises(PitbossError, check=refusal("rules-tell-suits", rule=part)):
        verify_rules(game, codes, tuple(game.deck.cards))
