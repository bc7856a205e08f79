"""Numbers of classes of small sets, compared with the least set of each."""

from itertools import combinations
from math import comb

import numpy as np
import pytest

from pitboss.cards import make_mask
from pitboss.games.wild_six_card.solver.set_classes import SetClasses
from pitboss.kernels.set_numbering import build_set_steps, list_subset_sizes, number_subsets
from pitboss.kernels.suit_symmetry import SuitedDeck, canonicalize

WITH_JOKERS = SuitedDeck((0, 5, 12), 4, 2)
WITH_A_JOKER = SuitedDeck((2, 3, 4, 9), 3, 1)
TWO_SUITS = SuitedDeck((0, 1, 6, 7, 8, 12), 2, 0)
DECKS = [WITH_JOKERS, WITH_A_JOKER, TWO_SUITS]


@pytest.mark.parametrize("deck", DECKS)
def test_every_class_is_numbered_once(deck: SuitedDeck) -> None:
    classes = SetClasses.build(deck, 5)
    steps, sets = build_set_steps(len(deck.cards), 5)
    assert len(classes.of_number) == sets
    seen: dict[int, int] = {}
    for size in range(5):
        for codes in combinations(range(len(deck.cards)), size):
            number = sum(int(steps[place, index]) for index, place in enumerate(codes))
            mask = canonicalize(make_mask(deck.cards[place] for place in codes))
            assert seen.setdefault(mask, int(classes.of_number[number])) == classes.of_number[number]
    assert sorted(seen.values()) == list(range(len(classes.masks)))
    assert all(classes.masks[number] == mask for mask, number in seen.items())
    by_size = [
        int(classes.orbits[first:after].sum())
        for first, after in zip(classes.first[:-1], classes.first[1:], strict=True)
    ]
    assert by_size == [comb(len(deck.cards), size) for size in range(5)]


@pytest.mark.parametrize("deck", DECKS)
def test_rows_hold_the_classes_of_subsets(deck: SuitedDeck) -> None:
    classes = SetClasses.build(deck, 4)
    masks = np.array([make_mask(codes) for codes in combinations(deck.cards, 4)])
    columns = [0b0000, 0b0001, 0b1010, 0b0111, 0b1101]
    rows = classes.classify_subsets(masks, columns)
    for codes, row in zip(combinations(deck.cards, 4), rows, strict=True):
        for subset, number in zip(columns, row, strict=True):
            held = make_mask(code for index, code in enumerate(codes) if subset >> index & 1)
            assert classes.masks[number] == canonicalize(held)


def test_every_subset_gets_its_own_number() -> None:
    steps, sets = build_set_steps(9, 4)
    numbers = np.zeros(8, np.int64)
    seen = {0}
    for places in combinations(range(9), 3):
        number_subsets(np.array(places), steps, list_subset_sizes(3), numbers)
        assert numbers[0] == 0
        assert numbers[1 << 2] == 1 + places[2]
        seen |= set(numbers.tolist())
    assert seen == set(range(sets))
