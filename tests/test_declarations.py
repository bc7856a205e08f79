"""A name in a game's declarations that nothing fills is refused when the game is loaded, in one line."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from pitboss.builders import NOT_QUALIFIED_REASON, make_fold_reason
from pitboss.contract import Game, StakeConstraint, StakeConstraintKind, Wager, no_hands
from pitboss.declarations import DeclarationError, verify_declarations
from pitboss.games import load_games
from pitboss.options import resolve_options
from pitboss.table.round.reasons import SettledHand
from refusals import refusal

SIX_CARD, LUNAR = load_games()["six-card"], load_games()["lunar"]


def reword(wager: Wager, text: str) -> Wager:
    """Return a wager with another reason on the last leg of its last outcome."""
    *outcomes, last = wager.outcomes
    *legs, leg = last.legs
    return replace(wager, outcomes=(*outcomes, replace(last, legs=(*legs, replace(leg, reason=text)))))


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
    verify_declarations(replace(game, options=(*game.options, *LUNAR.options)))


@pytest.mark.parametrize("kind", TEMPLATES)
def test_a_reason_that_names_an_option_needs_that_option(kind: str) -> None:
    game = TEMPLATES[kind](NOT_QUALIFIED_REASON)
    others = tuple(option for option in game.options if option.name != "dealer_qualifies")
    with pytest.raises(DeclarationError, check=refusal("unknown-reason-field", name="dealer_qualifies")):
        verify_declarations(replace(game, options=others))


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
