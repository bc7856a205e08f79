"""Declarations that contradict one another or name nothing are refused when the game is loaded, in one line."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import pytest

from conformance.drawing import each_game
from examples.loading import FOLDERS, load_example
from pitboss.builders import NOT_QUALIFIED_REASON, make_fold_reason
from pitboss.contract import Game, Option, StakeConstraint, StakeConstraintKind, Wager, Zone, no_hands
from pitboss.declarations import DeclarationError, verify_declarations
from pitboss.games import load_games
from pitboss.options import resolve_options
from pitboss.rule_language import verify_rule_language
from pitboss.table.round.reasons import SettledHand
from refusals import refusal

SIX_CARD, LUNAR = load_games()["six-card"], load_games()["lunar"]


def reword(wager: Wager, text: str) -> Wager:
    """Return a wager with another reason on the last leg of its last outcome."""
    *outcomes, last = wager.outcomes
    *legs, leg = last.legs
    return replace(wager, outcomes=(*outcomes, replace(last, legs=(*legs, replace(leg, reason=text)))))


def with_options(game: Game, options: Iterable[Option]) -> Game:
    """Return a game with other options, and the type that the rules take."""
    by_name = {option.name: option for option in options}
    options_type = type("Options", (), {"_fields": tuple(by_name)})
    return replace(game, options=tuple(by_name.values()), options_type=options_type)


def name_main_part(text: str) -> Game:
    *parts, last = LUNAR.main_parts
    return replace(LUNAR, main_parts=(*parts, reword(last, text)))


TEMPLATES: dict[str, Callable[[str], Game]] = {
    "main": lambda text: replace(SIX_CARD, wagers=(reword(SIX_CARD.wagers[0], text), *SIX_CARD.wagers[1:])),
    "side wager": lambda text: replace(SIX_CARD, wagers=(*SIX_CARD.wagers[:-1], reword(SIX_CARD.wagers[-1], text))),
    "part of main": name_main_part,
    "lost by a fold": lambda text: replace(
        SIX_CARD, reason_fields={**SIX_CARD.reason_fields, "lost": make_fold_reason(lambda *_: False, text)}
    ),
}


@pytest.mark.parametrize("kind", TEMPLATES)
@pytest.mark.parametrize("field", ["dealer_qualifes", "", "dealer-qualifies", "mine!r", "mine:9", " mine", "mine.x"])
def test_a_field_that_nothing_fills_is_refused_wherever_it_is_written(kind: str, field: str) -> None:
    with pytest.raises(DeclarationError, match="write the words instead", check=refusal("unknown-reason-field")):
        verify_declarations(TEMPLATES[kind](f"below {{{field}}}"))


@pytest.mark.parametrize("kind", TEMPLATES)
def test_a_field_that_is_not_closed_is_refused(kind: str) -> None:
    with pytest.raises(DeclarationError, check=refusal("unknown-reason-field", name="dealer")):
        verify_declarations(TEMPLATES[kind]("below {dealer"))


@pytest.mark.parametrize("kind", TEMPLATES)
def test_what_is_filled_in_may_be_written_everywhere(kind: str) -> None:
    game = TEMPLATES[kind]("{made}{mine}{dealers}{showdown}{dealer_qualifies} and words")
    verify_declarations(with_options(game, (*game.options, *LUNAR.options)))


@pytest.mark.parametrize("kind", TEMPLATES)
def test_a_reason_that_names_an_option_needs_that_option(kind: str) -> None:
    game = TEMPLATES[kind](NOT_QUALIFIED_REASON)
    others = [option for option in game.options if option.name != "dealer_qualifies"]
    with pytest.raises(DeclarationError, check=refusal("unknown-reason-field", name="dealer_qualifies")):
        verify_declarations(with_options(game, others))


@pytest.mark.parametrize("field", ["mine", "dealers", "showdown"])
def test_a_hand_in_a_reason_needs_the_rule_that_ranks_it(field: str) -> None:
    game = TEMPLATES["side wager"](f"it is {{{field}}}")
    verify_declarations(game)
    with pytest.raises(DeclarationError, match="evaluate_hands", check=refusal("no-evaluate-hands")):
        verify_declarations(replace(game, rules=replace(game.rules, evaluate_hands=no_hands)))


def test_a_paid_line_in_a_reason_needs_a_line() -> None:
    with pytest.raises(DeclarationError, check=refusal("no-paid-line")):
        verify_declarations(TEMPLATES["side wager"]("{paid}"))


def test_a_text_that_a_game_returns_in_a_round_is_refused_by_name() -> None:
    def explain(*_: Any) -> str:
        return "below {dealer_qualifes}"

    game = replace(SIX_CARD, reason_fields={"lost": explain})
    hand = SettledHand(game, (), (), resolve_options(game, {}), is_face_up=True)
    with pytest.raises(DeclarationError, match="the reason field lost of six-card returns"):
        hand.fill_reason("{lost}", "")


@pytest.mark.parametrize(
    "change",
    [
        {"status_option": "served"},
        {"census_option": "served"},
        {"constraints": (StakeConstraint(StakeConstraintKind.AT_MOST, "main", "SC-1", "served"),)},
    ],
    ids=lambda change: next(iter(change)),
)
def test_an_option_that_a_wager_names_must_be_one(change: dict[str, Any]) -> None:
    wager = replace(SIX_CARD.wagers[-1], **change)
    with pytest.raises(DeclarationError, check=refusal("unknown-option-named", name="served")):
        verify_declarations(replace(SIX_CARD, wagers=(*SIX_CARD.wagers[:-1], wager)))


def change_main(**changes: Any) -> Game:
    return replace(SIX_CARD, wagers=(replace(SIX_CARD.main, **changes), *SIX_CARD.wagers[1:]))


def change_leg(**changes: Any) -> Game:
    """Change the last leg of main's last outcome."""
    *outcomes, last = SIX_CARD.main.outcomes
    *legs, leg = last.legs
    return change_main(outcomes=(*outcomes, replace(last, legs=(*legs, replace(leg, **changes)))))


def change_action(**changes: Any) -> Game:
    """Change the last action of the decision."""
    decision = SIX_CARD.decisions[0]
    actions = (*decision.actions[:-1], replace(decision.actions[-1], **changes))
    return replace(SIX_CARD, decisions=(replace(decision, actions=actions),))


FAULTS: dict[str, tuple[Callable[[], Game], str]] = {
    "main is not first": (lambda: replace(SIX_CARD, wagers=SIX_CARD.wagers[::-1]), "no-main"),
    "two wagers of one id": (lambda: replace(SIX_CARD, wagers=(*SIX_CARD.wagers, SIX_CARD.main)), "name-twice"),
    "two outcomes of one name": (lambda: change_main(outcomes=SIX_CARD.main.outcomes[-1:] * 2), "name-twice"),
    "two actions of one id": (lambda: change_action(id="fold"), "name-twice"),
    "an id with a capital": (lambda: change_action(id="Play"), "invalid-id"),
    "a time-out action that is none": (
        lambda: replace(SIX_CARD, decisions=(replace(SIX_CARD.decisions[0], timeout_action="fould"),)),
        "unknown-name",
    ),
    "half an Ante": (lambda: change_action(stake=0.5), "not-whole"),
    "less than nothing": (lambda: change_leg(stake=-1), "not-whole"),
    "fewer cards than none": (lambda: replace(SIX_CARD, deal_order=(Zone("seat", -6),)), "not-whole"),
    "a circle that is none": (lambda: change_leg(circle="plya"), "unknown-name"),
    "a stake of no action": (lambda: change_leg(stake=2), "stake-of-no-action"),
    "a stake without a circle": (lambda: change_action(circle=""), "stake-without-circle"),
    "no leg for the Ante": (
        lambda: change_main(outcomes=(replace(SIX_CARD.main.outcomes[0], legs=()),)),
        "legs-of-outcome",
    ),
    "chips pulled back that lose": (lambda: change_leg(pulled_back=True), "pulled-back-without-push"),
    "lines without a table": (lambda: change_leg(lines=("flush",)), "lines-without-table"),
    "a table of another wager": (lambda: change_leg(lines=("flush",), paytable_kind="aces-up"), "unknown-name"),
    "an option without codes": (
        lambda: replace(SIX_CARD, options=(replace(SIX_CARD.options[0], codes=()), *SIX_CARD.options[1:])),
        "option-codes",
    ),
    "a default that is no value": (
        lambda: replace(SIX_CARD, options=(replace(SIX_CARD.options[0], default="x"), *SIX_CARD.options[1:])),
        "unknown-name",
    ),
    "options in another order": (lambda: replace(SIX_CARD, options=SIX_CARD.options[::-1]), "options-type"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_declarations_that_contradict_one_another_are_refused(fault: str) -> None:
    make, code = FAULTS[fault]
    with pytest.raises(DeclarationError, check=refusal(code)):
        verify_declarations(make())


@each_game
def test_the_declarations_of_games_are_accepted(game: Game) -> None:
    verify_declarations(game)


@pytest.mark.parametrize("name", FOLDERS)
def test_examples_are_loaded_without_a_word(name: str) -> None:
    game = load_example(name)
    verify_declarations(game)
    verify_rule_language(game)


def test_chips_of_two_decisions_may_lie_in_one_circle() -> None:
    once = SIX_CARD.decisions[0]
    twice = replace(change_leg(stake=2), decisions=(once, replace(once, id="again")))
    verify_declarations(twice)
    with pytest.raises(DeclarationError, match="where a player puts 1 or 2", check=refusal("stake-of-no-action")):
        verify_declarations(replace(change_leg(stake=3), decisions=twice.decisions))
