"""Enumerating sets of cards, compared with itertools."""

from itertools import combinations
from math import comb

import pytest

from pitboss.cards import DECK_54, make_mask
from pitboss.kernels.compile import kernel
from pitboss.kernels.subsets import first_subset, next_subset

CARDS = [51, 0, 7, 20, 33, 13, 40, 3, 26, 53]


@pytest.mark.parametrize("size", range(1, len(CARDS) + 1))
def test_every_set_comes_once_in_the_order_of_its_number(size: int) -> None:
    cards = make_mask(CARDS)
    chosen, found = first_subset(cards, size), []
    while chosen:
        found.append(chosen)
        chosen = next_subset(cards, chosen)
    assert found == sorted(make_mask(held) for held in combinations(CARDS, size))


@pytest.mark.compiled
@pytest.mark.parametrize("cards", [DECK_54.mask, DECK_54.mask & ~0b1011, DECK_54.mask >> 2])
def test_compiled_it_steps_through_a_deck_up_to_its_last_card(cards: int) -> None:
    sets, union = stepped(cards, 4)
    assert (sets, union) == (comb(cards.bit_count(), 4), cards)


@kernel
def stepped(cards: int, size: int) -> tuple[int, int]:
    """Count the sets and collect their cards."""
    sets, union, chosen = 0, 0, first_subset(cards, size)
    while chosen:
        sets += 1
        union |= chosen
        chosen = next_subset(cards, chosen)
    return sets, union
