"""The names of hands, and the five cards that are shown for them."""

import numpy as np
import pytest

from pitboss.cards import DECK_52, DECK_54, count_jokers, format_cards, make_mask, parse_cards
from pitboss.core.errors import CardError
from pitboss.hands import (
    ANY_CARD_FLUSH,
    CATEGORY_COUNT,
    FIVE_FIRST,
    ROYAL_FIRST,
    evaluate_strength,
    evaluate_with_jokers,
    find_best_five,
    format_hand,
    get_category_name,
    load_hand_tables,
    pack_strength,
)
from refusals import refusal


@pytest.mark.parametrize(
    ("held", "name"),
    [
        ("As Kd 9c 7h 4s", "ace-king high"),
        ("6s 6d 9c 7h 4s", "pair of sixes"),
        ("2s 2d 9c 9h 4s", "two pair, nines and deuces"),
        ("Qs Qd Qc 9h 4s", "three of a kind, queens"),
        ("As 2d 3c 4h 5s", "straight, five high"),
        ("As Ts 3s 4s 5s", "flush, ace high"),
        ("3s 3d 3c Th Ts", "full house, threes over tens"),
        ("Js Jd Jc Jh Ts", "four of a kind, jacks"),
        ("9s 8s 7s 6s 5s", "straight flush, nine high"),
        ("8s 8d 8c 8h Jk1", "five of a kind, eights"),
        ("As Ks Jk1 Js Jk2", "royal flush"),
    ],
)
def test_every_category_has_a_name_at_the_table(held: str, name: str) -> None:
    strength = evaluate_with_jokers(load_hand_tables(), make_mask(parse_cards(held, DECK_54)), ROYAL_FIRST)
    assert format_hand(strength) == name


def test_five_of_a_kind_has_one_name_in_both_orders() -> None:
    fives = make_mask(parse_cards("8s 8d 8c 8h", DECK_52))
    names = {format_hand(evaluate_strength(load_hand_tables(), fives, 1, order)) for order in (ROYAL_FIRST, FIVE_FIRST)}
    assert names == {"five of a kind, eights"}


def test_scripts_know_every_category_by_a_name() -> None:
    names = [get_category_name(pack_strength(number, 0, 0, 0, 0, 0)) for number in range(CATEGORY_COUNT)]
    assert len(set(names)) == CATEGORY_COUNT - 1
    assert names[9] == names[11] == "five-of-a-kind"


@pytest.mark.parametrize(
    ("held", "ranking", "shown"),
    [
        ("Ks 7d Kh 7c 2s 3h", ROYAL_FIRST, "Ks Kh 7d 7c 3h"),
        ("Ks 7d Kh 7c 2s Jk1", ROYAL_FIRST, "Ks Kh Kd 7d 7c"),
        ("5s 4s 3s As Jk1", ROYAL_FIRST, "5s 4s 3s 2s As"),
        ("5s 4h 3s Ad Jk1", ROYAL_FIRST, "5s 4h 3s 2s Ad"),
        ("8s 8d 8c 8h Jk1", ROYAL_FIRST, "8s 8h 8d 8c 8s"),
        ("Kc 9c 5c 2c Jk1 Kd", ROYAL_FIRST, "Ac Kc 9c 5c 2c"),
        ("Ac 9c 5c 2c Jk1 Kd", ROYAL_FIRST, "Ac Kc 9c 5c 2c"),
        ("Ac 9c 5c 2c Jk1 Kd", ANY_CARD_FLUSH, "Ac Ac 9c 5c 2c"),
        ("2h 3h 9d 8d Jk1 Jk2 7d", ROYAL_FIRST, "Jd Td 9d 8d 7d"),
        ("Ad Kd Jd 2s 3h Jk1 Jk2", ROYAL_FIRST, "Ad Kd Qd Jd Td"),
    ],
)
def test_the_five_cards_shown_have_wilds_as_what_they_stand_for(held: str, ranking: int, shown: str) -> None:
    mask = make_mask(parse_cards(held, DECK_54))
    strength = evaluate_with_jokers(load_hand_tables(), mask, ranking)
    assert format_cards(find_best_five(mask, count_jokers(mask), strength), DECK_52) == shown


def test_the_five_cards_shown_are_worth_the_hand() -> None:
    """Evaluate the five cards again, unless a card is shown twice, as in five of a kind."""
    chance = np.random.default_rng(5)
    tables = load_hand_tables()
    for _ in range(500):
        mask = make_mask(chance.permutation(54)[:7].tolist())
        strength = evaluate_with_jokers(tables, mask, ROYAL_FIRST)
        five = find_best_five(mask, count_jokers(mask), strength)
        if len(set(five)) == 5:
            assert evaluate_strength(tables, make_mask(five), 0, ROYAL_FIRST) == strength
        else:
            assert get_category_name(strength) == "five-of-a-kind"


@pytest.mark.parametrize(
    ("held", "other"), [("Ks Kh 7d 7c 2s", "Ks Kh Kd 7c 7s"), ("Ks Kh 7d 7c 2s", "9s 8s 7s 6s 2s")]
)
def test_a_strength_of_other_cards_is_refused(held: str, other: str) -> None:
    strength = evaluate_strength(load_hand_tables(), make_mask(parse_cards(other, DECK_52)), 0, ROYAL_FIRST)
    with pytest.raises(CardError, check=refusal("other-hand")):
        find_best_five(make_mask(parse_cards(held, DECK_52)), 0, strength)
