"""The sweep over classes, compared with every pair of sets."""

from itertools import combinations

import numpy as np
import pytest

from pitboss.cards import make_mask, popcount
from pitboss.games.wild_six_card.solver.set_classes import SetClasses
from pitboss.games.wild_six_card.solver.strength_sweep import SweptHands, count_weaker, list_even_first
from pitboss.kernels.suit_symmetry import SuitedDeck, canonicalize, compute_orbit_sizes, list_canonical_sets

DECKS = [SuitedDeck((0, 5, 12), 4, 2), SuitedDeck((2, 3, 4, 9), 3, 1), SuitedDeck((0, 1, 6, 7, 8, 12), 2, 0)]
FAR_APART = 10_007


def rank(mask: int) -> int:
    """Rank sets equally up to suits, with many ties."""
    return canonicalize(mask) * 31 % 17 * FAR_APART


def test_even_subsets_come_first() -> None:
    assert list_even_first(3) == [0b000, 0b011, 0b101, 0b110, 0b001, 0b010, 0b100]


@pytest.mark.parametrize("deck", DECKS)
@pytest.mark.parametrize("cards", [1, 2, 3, 4, 5])
def test_weaker_hands_that_share_no_card_are_counted_as_they_are_met(deck: SuitedDeck, cards: int) -> None:
    classes = SetClasses.build(deck, cards)
    all_hands = [make_mask(codes) for codes in combinations(deck.cards, cards)]
    sets = list_canonical_sets(deck, cards)
    hands = SweptHands(
        classes.classify_subsets(sets, list_even_first(cards)),
        compute_orbit_sizes(deck, sets),
        np.array([rank(mask) for mask in sets.tolist()], np.int32),
    )
    strengths = np.array([[0, rank(mask), rank(mask) + 1, 9 * FAR_APART] for mask in sets.tolist()], np.int32)
    told: list[tuple[int, int]] = []
    weaker, no_stronger = count_weaker(classes, hands, strengths, lambda done, of: told.append((done, of)))
    for index, mask in enumerate(sets.tolist()):
        met = [rank(hand) for hand in all_hands if not hand & mask]
        for column, strength in enumerate(strengths[index].tolist()):
            assert weaker[index, column] == sum(each < strength for each in met)
            assert no_stronger[index, column] == sum(each <= strength for each in met)
    assert told[-1][0] == told[-1][1]
    assert told == sorted(told)


def test_counts_that_could_outgrow_their_half_of_a_word_are_refused() -> None:
    deck = SuitedDeck((0, 1), 4, 2)
    classes = SetClasses.build(deck, 2)
    sets = list_canonical_sets(deck, 2)
    rows = classes.classify_subsets(sets, list_even_first(2))
    strengths = np.zeros(len(sets), np.int32)
    assert [popcount(int(mask)) for mask in sets] == [2] * len(sets)
    hands = SweptHands(rows, np.full(len(sets), 1 << 24, np.int64), strengths)
    with pytest.raises(ValueError, match="outgrow 31 bits"):
        count_weaker(classes, hands, strengths[:, None])
