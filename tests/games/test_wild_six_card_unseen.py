"""Hands of unseen cards by strength and card, compared with every one of them."""

from collections.abc import Sequence
from itertools import combinations
from math import comb

import numpy as np
import pytest

from pitboss.cards import DECK_54, make_mask, parse_cards, seeded_bits, shuffle_deck
from pitboss.games.wild_six_card.rules import WildSixOptions, rank_hand
from pitboss.games.wild_six_card.solver.opponent_histogram import count_opponents
from pitboss.hands import ANY_CARD_FLUSH, load_hand_tables, pack_lowest_strength

TABLES = load_hand_tables()
PLAIN = WildSixOptions(stand_pat=0, queens_or_better=0, draw_bonus=0, wild_flush=0)
ANY_CARD = PLAIN._replace(wild_flush=ANY_CARD_FLUSH)

FLUSHES = "As Ks Qs Js Ts 4s 2s Ah Ad 2c Jk1 Jk2"
GROUPS = "As Ah Ad Ac Ks Kh Kd Kc Qs Jk1 2s 3s 4s 5s"
NO_JOKER = "2h 3h 4h 5h 6h 7h 8h 2s 2d 9c Tc Jc Qc Kc"
ONE_SUIT = "2h 3h 4h 5h 6h 7h 8h 9h Jk1 Jk2"


def assert_as_enumerated(unseen: Sequence[int], options: WildSixOptions, every: int) -> None:
    """Compare with the strengths of all sixes, asking about one in ``every``."""
    made = {hand: rank_hand(TABLES, make_mask(hand), options) for hand in combinations(unseen, 6)}
    asked = sorted({*sorted(set(made.values()))[::every], pack_lowest_strength(7), 1 << 24})
    counted = count_opponents(rank_hand, options, make_mask(unseen), asked)
    hands, holding = np.zeros_like(counted.hands), np.zeros_like(counted.by_card)
    for hand, strength in made.items():
        below = sum(each < strength for each in asked)
        level = 2 * below + (strength in asked)
        hands[level] += 1
        holding[level, list(hand)] += 1
    assert counted.hands.tolist() == hands.tolist()
    assert counted.by_card.tolist() == holding.tolist()
    assert counted.hands.sum() == comb(len(unseen), 6)


def test_sixes_of_one_suit_and_two_jokers_are_counted_as_one_by_one() -> None:
    assert_as_enumerated(parse_cards(ONE_SUIT, DECK_54), PLAIN, 1)


@pytest.mark.compiled
@pytest.mark.parametrize("options", [PLAIN, ANY_CARD])
@pytest.mark.parametrize("unseen", [FLUSHES, GROUPS, NO_JOKER])
def test_sixes_of_few_unseen_cards_are_counted_as_one_by_one(unseen: str, options: WildSixOptions) -> None:
    assert_as_enumerated(parse_cards(unseen, DECK_54), options, 1)


@pytest.mark.compiled
def test_sixes_of_any_unseen_cards_are_counted_as_one_by_one() -> None:
    bits = seeded_bits(54)
    for cards in (6, 9, 12, 14, 16, 17):
        assert_as_enumerated(sorted(shuffle_deck(DECK_54, bits)[:cards]), PLAIN, 7)


def test_fewer_than_six_cards_make_no_hand() -> None:
    assert (
        count_opponents(
            rank_hand, PLAIN, make_mask(parse_cards("As Ks Qs Jk1 Jk2", DECK_54)), [pack_lowest_strength(7)]
        ).hands.sum()
        == 0
    )
