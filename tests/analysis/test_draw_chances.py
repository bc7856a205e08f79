"""The hands after a draw, against a loop in Python over every draw by the game's plain rules."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import pytest

from pitboss.analysis.draw_chances import compute_draw_chances
from pitboss.analysis.game_terms import GameTerms
from pitboss.analysis.hint_request import parse_hint_request
from pitboss.analysis.position import Position
from pitboss.cards import DECK_52, make_mask, parse_cards
from pitboss.contract import Rules, no_hands
from pitboss.games import load_game
from pitboss.hands import load_hand_tables, pack_lowest_strength
from pitboss.options import resolve_options
from pitboss.paytables import select_paytables

PAIR = pack_lowest_strength(1)

HANDS = ("9s 9d 7c 4s 2d", "As Kd 7c 4s 2d", "Qs 9s 7s 4s 2d", "9s 9d 4c 4s 2d", "9s 8d 7c 6s 5d", "9s 9d 9c 9h 2d")


def find(game_id: str, cards: dict[str, str], options: dict[str, str] | None = None) -> tuple[Position, dict[str, str]]:
    """Return a position, and the options."""
    game = load_game(game_id)
    resolved = resolve_options(game, options or {})
    return parse_hint_request(game, GameTerms(select_paytables(game), resolved), cards).position, resolved


@pytest.mark.compiled
@pytest.mark.parametrize("hand", HANDS)
def test_every_draw_is_counted_as_the_rules_rank_it(hand: str) -> None:
    game, tables = load_game("lunar"), load_hand_tables()
    position, options = find("lunar", {"player": hand, "dealer": "3c"})
    found = compute_draw_chances(game, options, position)
    assert [each.action for each in found] == [
        *["buy"],
        *["exchange-2"] * 10,
        *["exchange-3"] * 10,
        *["exchange-4"] * 5,
        "exchange-5",
    ]
    held = make_mask(parse_cards(hand, DECK_52))
    unseen = [card for card in DECK_52.cards if not (held | make_mask(parse_cards("3c", DECK_52))) >> card & 1]
    codes = game.options_type(*(0 for _ in game.options))
    blank = game.rules.deal(list(DECK_52.cards), 1, 0, 1)
    # One exchange of three has 15,180 draws, one of four ten times as many.
    for each, size in ((found[0], 1), (found[1], 2), (found[10], 2), (found[11], 3), (found[20], 3)):
        strengths = [
            game.rules.evaluate_hands(tables, blank._replace(player=held & ~each.cards | make_mask(drawn)), codes)[0]
            for drawn in combinations(unseen, size)
        ]
        for step, chance in each.steps:
            assert chance == Fraction(sum(strength >= step for strength in strengths), len(strengths))


@pytest.mark.compiled
def test_the_steps_follow_the_hand_and_what_the_dealer_needs() -> None:
    game, hand = load_game("lunar"), {"player": "Qs 9s 7s 4s 2d", "dealer": "3c"}
    for value, count in (("ace-king", 3), ("always", 2), ("pair-of-4", 2)):
        position, options = find("lunar", hand, {"dealer_qualifies": value})
        (buy, *_) = compute_draw_chances(game, options, position)
        assert len(buy.steps) == count
        assert [step for step, _ in buy.steps][-2:] == [PAIR, 2 * PAIR]
        assert buy.held_step is None
        assert not buy.is_kept


def test_other_decisions_have_no_draws_to_count() -> None:
    asked = (
        ("six-card", {"player": "As Kd 9h 7c 4s 2d", "dealer": "Qs Jd 3h"}),
        ("wild-six-card", {"player": "9s 9d 7c 4s 2d"}),  # it draws at its last decision, where wins are counted
        ("lunar", {"player": "9s 9d 7c 4s 2d 3h", "drew": "3h", "dealer": "Ks"}),
    )
    for game_id, cards in asked:
        position, options = find(game_id, cards)
        assert compute_draw_chances(load_game(game_id), options, position) == ()


def test_a_game_that_does_not_rank_the_hand_has_none() -> None:
    position, options = find("lunar", {"player": "9s 9d 7c 4s 2d", "dealer": "Ks"})
    game = load_game("lunar")
    rules: Rules = replace(game.rules, evaluate_hands=no_hands)
    assert compute_draw_chances(replace(game, rules=rules), options, position) == ()
