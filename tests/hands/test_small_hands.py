"""Three-card, four-card and low hands: all counted, ordered as the oracle orders them, and named."""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from oracle.small_hands import SmallHand, best_four, low_hand, order_of, small_hand
from pitboss.cards import DECK_52, format_cards, make_mask, parse_cards
from pitboss.hands import (
    LOW,
    MINI_ROYAL,
    NO_HAND,
    evaluate_four_cards,
    evaluate_low,
    evaluate_three_cards,
    find_best_five,
    find_three_card_line,
    format_hand,
    format_showdown,
    get_category,
    get_category_name,
)

THREE_CARD_COUNTS = {
    "straight-flush": 4 * 12,
    "three-of-a-kind": 13 * 4,
    "straight": 12 * (4**3 - 4),
    "flush": 4 * (comb(13, 3) - 12),
    "pair": 13 * 6 * 48,
    "high-card": (comb(13, 3) - 12) * (4**3 - 4),
}
FOUR_CARD_COUNTS = {
    "four-of-a-kind": 13,
    "straight-flush": 4 * 11,
    "three-of-a-kind": 13 * 4 * 48,
    "flush": 4 * (comb(13, 4) - 11),
    "straight": 11 * (4**4 - 4),
    "two-pair": comb(13, 2) * 6 * 6,
    "pair": 13 * 6 * comb(12, 2) * 16,
    "high-card": (comb(13, 4) - 11) * (4**4 - 4),
}
codes = st.integers(0, 51)


def mask_of(held: str) -> int:
    return make_mask(parse_cards(held, DECK_52))


def named(strength: int) -> SmallHand:
    """Return a strength of the package as the oracle writes hands."""
    ranks = tuple(rank for shift in (16, 12, 8, 4, 0) if (rank := strength >> shift & 15))
    return get_category_name(strength), ranks


def test_the_counts_are_those_of_all_hands_and_as_published() -> None:
    assert sum(THREE_CARD_COUNTS.values()) == comb(52, 3) == 22_100
    assert sum(FOUR_CARD_COUNTS.values()) == comb(52, 4) == 270_725
    assert list(THREE_CARD_COUNTS.values()) == [48, 52, 720, 1_096, 3_744, 16_440]
    assert list(FOUR_CARD_COUNTS.values()) == [13, 44, 2_496, 2_816, 2_772, 2_808, 82_368, 177_408]


def verify_all(cards: int, evaluate: Callable[[int], int], counts: dict[str, int], classes: int) -> None:
    """Check all hands of a size: their counts, each hand, and that the oracle orders them as their strengths do."""
    hands = {held: evaluate(make_mask(held)) for held in combinations(range(52), cards)}
    assert Counter(map(get_category_name, hands.values())) == counts
    oracle = {held: small_hand(held) for held in hands}
    assert all(oracle[held] == named(strength) for held, strength in hands.items())
    strengths = {oracle[held]: strength for held, strength in hands.items()}
    in_order = [strengths[hand] for hand in sorted(strengths, key=order_of)]
    assert in_order == sorted(set(hands.values()))
    assert len(in_order) == classes


def test_every_three_card_hand_is_counted_and_ordered_as_the_oracle_does() -> None:
    verify_all(3, evaluate_three_cards, THREE_CARD_COUNTS, classes=12 + 13 + 12 + (comb(13, 3) - 12) * 2 + 13 * 12)


@pytest.mark.more
def test_every_four_card_hand_is_counted_and_ordered_as_the_oracle_does() -> None:
    verify_all(
        4,
        evaluate_four_cards,
        FOUR_CARD_COUNTS,
        classes=13 + 11 + 13 * 12 + (comb(13, 4) - 11) * 2 + 11 + 78 + 13 * comb(12, 2),
    )


@pytest.mark.compiled
@pytest.mark.parametrize("cards", [3, 4])
def test_compiled_rules_give_what_interpreted_rules_give(cards: int) -> None:
    from pitboss.kernels.compile import kernel

    @kernel
    def evaluate_all(masks: NDArray[np.int64], cards: int) -> NDArray[np.int64]:
        strengths = np.zeros((2, len(masks)), np.int64)
        for number, mask in enumerate(masks):
            strengths[0, number] = evaluate_three_cards(mask) if cards == 3 else evaluate_four_cards(mask)
            strengths[1, number] = evaluate_low(mask)
        return strengths

    hands = list(combinations(range(0, 52, 2), cards))
    masks = np.array([make_mask(hand) for hand in hands])
    evaluate = evaluate_three_cards if cards == 3 else evaluate_four_cards
    assert evaluate_all(masks, cards).tolist() == [[evaluate(int(mask)) for mask in masks], [NO_HAND] * len(masks)]


@given(st.integers(5, 7).flatmap(lambda size: st.lists(codes, min_size=size, max_size=size, unique=True)))
def test_the_best_four_and_the_low_of_more_cards_are_the_oracles(cards: list[int]) -> None:
    assert named(evaluate_four_cards(make_mask(cards))) == best_four(cards)
    verify_low(cards)


@given(
    st.lists(st.sampled_from([code for code in range(52) if (code + 1) % 13 <= 8]), min_size=7, max_size=7, unique=True)
)
def test_a_low_of_low_cards_is_the_oracles(cards: list[int]) -> None:
    verify_low(cards)


def verify_low(cards: Sequence[int]) -> None:
    strength, low = evaluate_low(make_mask(cards)), low_hand(cards)
    assert (strength == NO_HAND) == (low is None)
    if low is not None:
        assert tuple(15 - (strength >> shift & 15) for shift in (16, 12, 8, 4, 0)) == low


def test_the_better_low_has_the_higher_strength() -> None:
    held = ("8c 7d 6h 5s 4c", "8c 7d 6h 5s Ac", "8c 5d 4h 2s Ac", "7c 6d 5h 4s 3c", "5c 4c 3c 2c Ac")
    lows = [evaluate_low(mask_of(cards)) for cards in held]
    assert lows == sorted(set(lows))
    assert get_category(lows[0]) == LOW
    assert evaluate_low(mask_of("9c 7d 6h 5s 4c Kd Kh")) == NO_HAND < lows[0]


@pytest.mark.parametrize(
    ("held", "name"),
    [
        ("As Kd 9c", "ace-king high"),
        ("6s 6d 9c", "pair of sixes"),
        ("Ks 9s 2s", "flush, king high"),
        ("As 2d 3c", "straight, three high"),
        ("Qs Kd Ac", "straight, ace high"),
        ("Ks Ad 2c", "ace-king high"),
        ("4s 4d 4c", "three of a kind, fours"),
        ("As 2s 3s", "straight flush, three high"),
    ],
)
def test_three_cards_have_names_at_the_table(held: str, name: str) -> None:
    assert format_hand(evaluate_three_cards(mask_of(held))) == name


@pytest.mark.parametrize(
    ("held", "name"),
    [
        ("As Kd 9c 2h", "ace-king high"),
        ("6s 6d 9c 2h", "pair of sixes"),
        ("6s 6d 9c 9h", "two pair, nines and sixes"),
        ("As 2d 3c 4h", "straight, four high"),
        ("Ks 9s 2s 3s", "flush, king high"),
        ("4s 4d 4c As", "three of a kind, fours"),
        ("As 2s 3s 4s", "straight flush, four high"),
        ("4s 4d 4c 4h", "four of a kind, fours"),
    ],
)
def test_four_cards_have_names_at_the_table(held: str, name: str) -> None:
    assert format_hand(evaluate_four_cards(mask_of(held))) == name


def test_a_showdown_names_the_kickers_that_decide() -> None:
    kings, others, tens = (evaluate_three_cards(mask_of(held)) for held in ("Ks Kd 9c", "Kh Kc 4c", "Th Tc 4c"))
    assert format_showdown(kings, others) == (
        "pair of kings, nine kicker, beats the dealer's pair of kings, four kicker"
    )
    assert format_showdown(tens, kings) == "the dealer's pair of kings beats pair of tens"
    assert format_showdown(kings, kings) == "both have pair of kings, nine kicker"
    low, other = (evaluate_low(mask_of(held)) for held in ("8c 6d 4h 2s Ac", "8c 6d 5h 2s Ac"))
    assert format_showdown(low, other) == "eight-six-four low beats the dealer's eight-six-five low"


def test_the_cards_that_make_a_small_hand_are_shown() -> None:
    held = mask_of("Ks Kh 7d 7c 2s")
    assert format_cards(find_best_five(held, 0, evaluate_four_cards(held)), DECK_52) == "Ks Kh 7d 7c"
    held = mask_of("3h Ah 2h")
    assert format_cards(find_best_five(held, 0, evaluate_three_cards(held)), DECK_52) == "3h 2h Ah"


def test_the_lines_of_a_three_card_pay_table() -> None:
    held = ("Ks Qs As", "As 2s 3s", "4s 4d 4c", "Qs Kd Ac", "Ks 9s 2s", "6s 6d 9c", "As Kd 9c")
    assert [find_three_card_line(None, mask_of(cards), None) for cards in held] == list(range(7))
    assert evaluate_three_cards(mask_of("Kd Qd Jd")) < MINI_ROYAL == evaluate_three_cards(mask_of("Kd Qd Ad")) & ~0xFFFF
