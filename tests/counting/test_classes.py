"""Classes of sets up to suits, compared with trying every relabelling."""

from itertools import combinations, permutations
from math import comb

import numpy as np
import pytest

from pitboss.cards import FIRST_JOKER, mask_of
from pitboss.counting.classes import (
    Classes,
    SuitedDeck,
    exchangeable,
    least,
    least_sets,
    orbit,
    orbits,
    place_in_least,
)
from pitboss.counting.numbers import number_subsets, numbered_sets, subset_sizes

WITH_JOKERS = SuitedDeck((0, 5, 12), 4, 2)
WITH_A_JOKER = SuitedDeck((2, 3, 4, 9), 3, 1)
TWO_SUITS = SuitedDeck((0, 1, 6, 7, 8, 12), 2, 0)
DECKS = [WITH_JOKERS, WITH_A_JOKER, TWO_SUITS]


def relabelled(deck: SuitedDeck, codes: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return the codes after every exchange of suits and Jokers."""
    jokers = range(FIRST_JOKER, FIRST_JOKER + deck.jokers)
    return [
        tuple(changed[code] for code in codes)
        for suits in permutations(range(deck.suits))
        for swapped in permutations(jokers)
        for changed in [
            {code: suits[code // 13] * 13 + code % 13 for code in deck.cards if code < FIRST_JOKER}
            | dict(zip(jokers, swapped, strict=True))
        ]
    ]


@pytest.mark.parametrize("deck", DECKS)
@pytest.mark.parametrize("cards", [2, 3, 4])
def test_the_least_set_is_the_least_of_all_relabellings(deck: SuitedDeck, cards: int) -> None:
    for codes in combinations(deck.cards, cards):
        all_sets = {mask_of(each) for each in relabelled(deck, codes)}
        assert least(mask_of(codes)) == min(all_sets)
        assert orbit(min(all_sets), deck.suits, deck.jokers) == len(all_sets)


@pytest.mark.parametrize("deck", DECKS)
def test_cards_that_an_exchange_makes_one_another_have_one_place(deck: SuitedDeck) -> None:
    for codes in combinations(deck.cards, 4):
        mask = mask_of(codes)
        orders = relabelled(deck, codes)
        for index, code in enumerate(codes):
            places = {sorted(each).index(each[index]) for each in orders if mask_of(each) == least(mask)}
            assert place_in_least(mask, code) == min(places)
            assert exchangeable(mask, code) == len(places)


@pytest.mark.parametrize("deck", DECKS)
def test_every_class_is_numbered_once(deck: SuitedDeck) -> None:
    classes = Classes(deck, 5)
    steps, sets = numbered_sets(len(deck.cards), 5)
    assert len(classes.of_number) == sets
    seen: dict[int, int] = {}
    for size in range(5):
        for codes in combinations(range(len(deck.cards)), size):
            number = sum(int(steps[place, index]) for index, place in enumerate(codes))
            mask = least(mask_of(deck.cards[place] for place in codes))
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
    classes = Classes(deck, 4)
    masks = np.array([mask_of(codes) for codes in combinations(deck.cards, 4)])
    columns = [0b0000, 0b0001, 0b1010, 0b0111, 0b1101]
    rows = classes.rows(masks, columns)
    for codes, row in zip(combinations(deck.cards, 4), rows, strict=True):
        for subset, number in zip(columns, row, strict=True):
            held = mask_of(code for index, code in enumerate(codes) if subset >> index & 1)
            assert classes.masks[number] == least(held)


@pytest.mark.parametrize("deck", DECKS)
@pytest.mark.parametrize("cards", [2, 5])
def test_least_sets_stand_for_all_sets(deck: SuitedDeck, cards: int) -> None:
    found = least_sets(deck, cards)
    assert found.tolist() == sorted({least(mask_of(codes)) for codes in combinations(deck.cards, cards)})
    assert int(orbits(deck, found).sum()) == comb(len(deck.cards), cards)


@pytest.mark.compiled
def test_the_classes_of_five_and_six_of_54_cards_are_as_many_as_is_known() -> None:
    deck = SuitedDeck(jokers=2)
    sixes = least_sets(deck, 6)
    assert len(sixes) == 1_113_879
    assert int(orbits(deck, sixes).sum()) == comb(54, 6)
    assert len(least_sets(SuitedDeck(), 5)) == 134_459


def test_every_subset_gets_its_own_number() -> None:
    steps, sets = numbered_sets(9, 4)
    numbers = np.zeros(8, np.int64)
    seen = {0}
    for places in combinations(range(9), 3):
        number_subsets(np.array(places), steps, subset_sizes(3), numbers)
        assert numbers[0] == 0
        assert numbers[1 << 2] == 1 + places[2]
        seen |= set(numbers.tolist())
    assert seen == set(range(sets))
