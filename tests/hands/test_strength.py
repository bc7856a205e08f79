"""The evaluator's rules against the slow oracle, on every path: five to seven cards, zero to three wilds."""

from collections.abc import Sequence
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle.naive import best_hand
from pitboss.cards import DECK_52, DECK_54, make_mask, parse_cards
from pitboss.hands import (
    ANY_CARD_FLUSH,
    EMPTY_KEY,
    FIVE_FIRST,
    FIVE_OF_A_KIND_OVER_ROYAL,
    FULL_HOUSE,
    NO_HAND,
    ROYAL_FIRST,
    ROYAL_FLUSH,
    STRAIGHT_FLUSH,
    evaluate_key,
    evaluate_strength,
    evaluate_with_jokers,
    get_category,
    get_category_name,
    get_first_rank,
    get_natural_category,
    load_hand_tables,
    pack_lowest_strength,
    pack_strength,
)

RANKINGS = (ROYAL_FIRST, FIVE_FIRST, ANY_CARD_FLUSH, FIVE_FIRST + ANY_CARD_FLUSH)
CATEGORIES = {
    "high-card": 0,
    "pair": 1,
    "two-pair": 2,
    "three-of-a-kind": 3,
    "straight": 4,
    "flush": 5,
    "full-house": 6,
    "four-of-a-kind": 7,
    "straight-flush": 8,
    "five-of-a-kind": 9,
    "royal-flush": 10,
}
PATHS = list(product((5, 6, 7), range(4)))
# The oracle takes a second for seven cards with three wilds.
SAMPLES = {0: 200, 1: 60, 2: 10, 3: 2}


def cards(text: str) -> int:
    """Parse cards as a mask."""
    return make_mask(parse_cards(text, DECK_54))


def by_the_oracle(codes: Sequence[int], wilds: int, ranking: int) -> int:
    """Return the oracle's hand as a strength."""
    five_first = bool(ranking & FIVE_FIRST)
    name, ranks = best_hand(codes, wilds, five_first=five_first, any_card=bool(ranking & ANY_CARD_FLUSH))
    over_royal = five_first and name == "five-of-a-kind"
    number = FIVE_OF_A_KIND_OVER_ROYAL if over_royal else CATEGORIES[name]
    return pack_strength(number, *ranks)


def pools() -> list[list[int]]:
    """Return decks to draw from: the whole one, and parts in which rare hands are common."""
    return [
        list(range(52)),
        [code for code in range(52) if code // 13 < 2],
        [code for code in range(52) if code % 13 in {12, 11, 10, 9, 8, 7}],
        [code for code in range(52) if code % 13 in {12, 3, 2, 1, 0} and code // 13 < 3],
        [code for code in range(52) if code % 13 in {12, 11, 5} or code // 13 == 2],
    ]


def assert_agreement_with_the_oracle(size: int, wilds: int, ranking: int, samples: int) -> None:
    chance = np.random.default_rng([size, wilds, ranking, samples])
    for sample in range(samples):
        codes = chance.permutation(pools()[sample % 5])[: size - wilds].tolist()
        strength = evaluate_strength(load_hand_tables(), make_mask(codes), wilds, ranking)
        assert strength == by_the_oracle(codes, wilds, ranking), (codes, wilds, ranking)


@pytest.mark.more
@pytest.mark.in_turn("ranking")
@pytest.mark.parametrize("ranking", RANKINGS)
@pytest.mark.parametrize(("size", "wilds"), PATHS)
def test_every_path_agrees_with_the_oracle(size: int, wilds: int, ranking: int) -> None:
    assert_agreement_with_the_oracle(size, wilds, ranking, SAMPLES[wilds])


@pytest.mark.long
@pytest.mark.parametrize("ranking", RANKINGS)
@pytest.mark.parametrize(("size", "wilds"), PATHS)
def test_every_path_agrees_with_the_oracle_on_many_hands(size: int, wilds: int, ranking: int) -> None:
    assert_agreement_with_the_oracle(size, wilds, ranking, 20 * SAMPLES[wilds])


@pytest.mark.parametrize(
    ("held", "wilds", "ranking", "expected"),
    [
        # The same cards make a flush and a better or worse hand.
        ("Ah Ad Ac 9h 5h 2h", 1, ROYAL_FIRST, ("four-of-a-kind", 14, 14, 14, 14, 9)),
        ("Ah Ad 9h 9d 5h 2h", 1, ROYAL_FIRST, ("full-house", 14, 14, 14, 9, 9)),
        ("9h 8h 7h 6h 9d 9c", 1, ROYAL_FIRST, ("straight-flush", 10, 9, 8, 7, 6)),
        ("9h 9d 9c 9s 8h 7h 6h", 0, ROYAL_FIRST, ("four-of-a-kind", 9, 9, 9, 9, 8)),
        # Three wilds make a flush of either suit: the better one counts, not the first.
        ("9h 8h 2d 3d", 3, ROYAL_FIRST, ("straight-flush", 12, 11, 10, 9, 8)),
        ("2h 3h 9d 8d", 3, ROYAL_FIRST, ("straight-flush", 12, 11, 10, 9, 8)),
        ("2h 8h", 3, ROYAL_FIRST, ("four-of-a-kind", 8, 8, 8, 8, 2)),
        # The ace counts low, and a wild completes it.
        ("Ah 2d 4c 5s", 1, ROYAL_FIRST, ("straight", 5, 4, 3, 2, 1)),
        ("Ah 2h 4h 5h 5d", 1, ROYAL_FIRST, ("straight-flush", 5, 4, 3, 2, 1)),
        ("Ah 2h 3h 4h 5h", 0, ROYAL_FIRST, ("straight-flush", 5, 4, 3, 2, 1)),
        ("2s 3d 4c 5h", 1, ROYAL_FIRST, ("straight", 6, 5, 4, 3, 2)),
        ("Ks Ad 2c 3h 4s", 0, ROYAL_FIRST, ("high-card", 14, 13, 4, 3, 2)),
        # The two highest hands in both orders, from the same seven cards.
        ("Ah Kh Qh Ad Ac", 2, ROYAL_FIRST, ("royal-flush", 14, 13, 12, 11, 10)),
        ("Ah Kh Qh Ad Ac", 2, FIVE_FIRST, ("five-of-a-kind", 14, 14, 14, 14, 14)),
        ("2h 2d 2c 2s", 1, FIVE_FIRST, ("five-of-a-kind", 2, 2, 2, 2, 2)),
        # In a flush a wild is the highest rank missing, or with any_card a second ace.
        ("Kh 9h 5h 2h", 1, ROYAL_FIRST, ("flush", 14, 13, 9, 5, 2)),
        ("Ah 9h 5h 2h", 1, ROYAL_FIRST, ("flush", 14, 13, 9, 5, 2)),
        ("Ah 9h 5h 2h", 1, ANY_CARD_FLUSH, ("flush", 14, 14, 9, 5, 2)),
        ("Ah Kh 9h 5h 2h 3s", 1, ROYAL_FIRST, ("flush", 14, 13, 12, 9, 5)),
        ("Ah Kh 9h 5h 2h 3s", 1, ANY_CARD_FLUSH, ("flush", 14, 14, 13, 9, 5)),
        ("Ah Kh 9h 5h 2h 3s", 0, ANY_CARD_FLUSH, ("flush", 14, 13, 9, 5, 2)),
        # Two pair with a wild is three of a kind, a pair with two wilds four.
        ("Ks Kh 7d 5c", 1, ROYAL_FIRST, ("three-of-a-kind", 13, 13, 13, 7, 5)),
        ("Ks Kh 7d", 2, ROYAL_FIRST, ("four-of-a-kind", 13, 13, 13, 13, 7)),
        ("Ks Kh 7d 7c 2s 2h 3d", 0, ROYAL_FIRST, ("two-pair", 13, 13, 7, 7, 3)),
    ],
)
def test_aimed_hands(held: str, wilds: int, ranking: int, expected: tuple[str, int]) -> None:
    strength = evaluate_strength(load_hand_tables(), cards(held), wilds, ranking)
    name, *ranks = expected
    assert (get_category_name(strength), strength & 0xFFFFF) == (name, pack_strength(0, *ranks))
    assert strength == by_the_oracle(parse_cards(held, DECK_52), wilds, ranking)


def test_a_wild_royal_ties_a_natural_one() -> None:
    natural = evaluate_strength(load_hand_tables(), cards("As Ks Qs Js Ts"), 0, ROYAL_FIRST)
    assert evaluate_strength(load_hand_tables(), cards("Ah Kh Th 2c"), 2, ROYAL_FIRST) == natural


def test_wilds_tie_by_the_ranks_they_stand_for() -> None:
    with_wild = evaluate_strength(load_hand_tables(), cards("Ks Kh 7d 5c"), 1, ROYAL_FIRST)
    assert evaluate_strength(load_hand_tables(), cards("Kd Kc Kh 7s 5h"), 0, ROYAL_FIRST) == with_wild


def test_royal_and_five_of_a_kind_change_places_with_the_order() -> None:
    royal, fives = cards("As Ks Qs Js Ts"), cards("As Ah Ad Ac")
    tables = load_hand_tables()
    assert evaluate_strength(tables, royal, 0, ROYAL_FIRST) > evaluate_strength(tables, fives, 1, ROYAL_FIRST)
    assert evaluate_strength(tables, royal, 0, FIVE_FIRST) < evaluate_strength(tables, fives, 1, FIVE_FIRST)
    assert get_category(evaluate_strength(tables, fives, 1, FIVE_FIRST)) == FIVE_OF_A_KIND_OVER_ROYAL
    assert get_category(evaluate_strength(tables, royal, 0, FIVE_FIRST)) == ROYAL_FLUSH


def test_jokers_in_the_mask_are_wild_only_where_asked() -> None:
    tables = load_hand_tables()
    held = cards("As Ah 7d 7c 2s Jk1 Jk2")
    assert evaluate_with_jokers(tables, held, ROYAL_FIRST) == evaluate_strength(tables, held, 2, ROYAL_FIRST)
    assert get_first_rank(evaluate_strength(tables, held, 0, ROYAL_FIRST)) == 14
    assert get_category_name(evaluate_strength(tables, held, 0, ROYAL_FIRST)) == "two-pair"


def test_what_the_naturals_make_tells_a_line_made_with_the_joker() -> None:
    tables = load_hand_tables()
    assert get_natural_category(tables, cards("9h 8h 7h 6h 5h 4h Jk1")) == STRAIGHT_FLUSH
    assert get_natural_category(tables, cards("Ks Kh 7d 7c 7s 2h Jk1")) == FULL_HOUSE
    assert get_natural_category(tables, cards("Ks Kh 7d 7c Jk1 Jk2")) == NO_HAND


def test_a_threshold_is_reached_by_its_own_hands_alone() -> None:
    tables = load_hand_tables()
    aces, kings = (evaluate_strength(tables, cards(f"{pair} 9d 5c 3h"), 0, ROYAL_FIRST) for pair in ("As Ad", "Ks Kd"))
    assert aces >= pack_lowest_strength(1, 14) > kings >= pack_lowest_strength(1) > pack_lowest_strength(0, 14, 13)


hands_of_seven = st.lists(st.integers(0, 51), min_size=7, max_size=7, unique=True)


@given(hands_of_seven, st.permutations(range(4)), st.sampled_from(RANKINGS), st.integers(0, 3))
def test_suits_are_alike(codes: list[int], suits: list[int], ranking: int, wilds: int) -> None:
    codes = codes[wilds:]
    relabelled = [suits[code // 13] * 13 + code % 13 for code in codes]
    tables = load_hand_tables()
    assert evaluate_strength(tables, make_mask(codes), wilds, ranking) == evaluate_strength(
        tables, make_mask(relabelled), wilds, ranking
    )


@given(hands_of_seven, st.sampled_from(RANKINGS), st.integers(0, 2))
def test_another_card_or_a_wild_in_its_place_never_hurts(codes: list[int], ranking: int, wilds: int) -> None:
    tables = load_hand_tables()
    fewer, more = make_mask(codes[wilds + 1 :]), make_mask(codes[wilds:])
    with_card = evaluate_strength(tables, more, wilds, ranking)
    assert (
        evaluate_strength(tables, fewer, wilds + 1, ranking)
        >= with_card
        >= evaluate_strength(tables, fewer, wilds, ranking)
    )


@given(hands_of_seven, st.sampled_from(RANKINGS), st.integers(0, 2))
def test_keys_added_card_by_card_are_the_key_of_the_mask(codes: list[int], ranking: int, jokers: int) -> None:
    tables = load_hand_tables()
    codes = [*codes[jokers:], *range(52, 52 + jokers)]
    mask = make_mask(codes)
    key = EMPTY_KEY + sum(int(tables.card_keys[code]) for code in codes)
    assert evaluate_key(tables, key, mask, jokers, ranking) == evaluate_with_jokers(tables, mask, ranking)
