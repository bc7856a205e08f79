"""Hands by groups of ranks: every hand and set has its own number, and sums over suits are those of single hands."""

from itertools import combinations
from math import comb

import numpy as np
import pytest

from pitboss.counting.avoiding import MOST_WORDS, add_block, add_sets, expand, number_sets, sum_sets
from pitboss.counting.blocks import Integers
from pitboss.counting.compile import kernel
from pitboss.counting.groups import Counts, Layout, layout
from pitboss.counting.showdown import cards_of
from pitboss.counting.suit_orbits import exchanged_hands, orbits

JOKER = 52


@kernel
def _numbered(numbered: Layout, block: int, state: int, numbers: Integers) -> int:
    return number_sets(numbered, numbered.shape[block], numbered.sets[block], state, numbers)


@kernel
def _tables(numbered: Layout, chosen: Integers, table: Integers, sums: Integers, expanded: Integers) -> None:
    """Add chosen hands one by one, then sum up for every hand by itself and for every block."""
    numbers = np.zeros(32, np.int64)
    buffers = np.zeros((2, MOST_WORDS), np.int64)
    for block in range(len(numbered.shape)):
        for state in range(numbered.start[block + 1] - numbered.start[block]):
            if chosen[numbered.start[block] + state]:
                sets = number_sets(numbered, numbered.shape[block], numbered.sets[block], state, numbers)
                add_sets(table, numbers, sets, 1)
    for block in range(len(numbered.shape)):
        filled = expand(numbered, table, block, buffers)
        for state in range(numbered.start[block + 1] - numbered.start[block]):
            sets = number_sets(numbered, numbered.shape[block], numbered.sets[block], state, numbers)
            sums[numbered.start[block] + state] = sum_sets(table, numbers, sets)
            expanded[numbered.start[block] + state] = buffers[filled, state]


@kernel
def _block_added(numbered: Layout, block: int, table: Integers, held: Counts) -> None:
    add_block(numbered, table, block, held, 0, 1)


def masks_of(numbered: Layout) -> list[int]:
    """Return every hand of a layout as a set of cards, in the order of their numbers."""
    return [
        int(cards_of(numbered, block, state))
        for block in range(len(numbered.shape))
        for state in range(int(numbered.start[block + 1] - numbered.start[block]))
    ]


@pytest.mark.parametrize("ranks", [(0, 1, 2), (3, 4, 11, 12)])
def test_every_hand_has_one_number_and_every_set_another(ranks: tuple[int, ...]) -> None:
    numbered = layout(ranks)
    deck = [*(13 * suit + rank for suit in range(4) for rank in ranks), JOKER]
    masks = masks_of(numbered)
    assert sorted(masks) == sorted(sum(1 << card for card in hand) for hand in combinations(deck, 5))
    assert numbered.nothing == sum(comb(len(deck), size) for size in range(5))
    of_number: dict[int, int] = {}
    numbers = np.zeros(32, np.int64)
    for block in range(len(numbered.shape)):
        for state in range(int(numbered.start[block + 1] - numbered.start[block])):
            hand = masks[int(numbered.start[block]) + state]
            assert _numbered(numbered, block, state, numbers) == 32
            # Bits of a subset's place follow the cards rank by rank, suit by suit.
            cards = sorted((c for c in deck if hand >> c & 1), key=lambda card: (card == JOKER, card % 13, card // 13))
            for subset in range(31):
                mask = sum(1 << card for place, card in enumerate(cards) if subset >> place & 1)
                assert of_number.setdefault(int(numbers[subset]), mask) == mask
    assert sorted(of_number) == list(range(numbered.nothing))


@pytest.mark.parametrize("ranks", [(0, 1, 2), (3, 4, 11, 12)])
def test_sums_count_the_hands_that_share_no_card(ranks: tuple[int, ...]) -> None:
    numbered = layout(ranks)
    masks = np.array(masks_of(numbered), np.int64)
    chosen = (np.random.default_rng(52).random(len(masks)) < 0.3).astype(np.int64)
    table, sums, expanded = np.zeros(numbered.table, np.int64), np.zeros_like(masks), np.zeros_like(masks)
    _tables(numbered, chosen, table, sums, expanded)
    held = masks[chosen == 1]
    apart = np.array([((held & mask) == 0).sum() for mask in masks])
    assert (sums - chosen == apart).all()  # the hand itself is not kept: it is counted though it shares all cards
    assert (expanded == sums).all()
    assert not table[numbered.nothing :].any()


def test_a_block_is_added_as_its_hands_are() -> None:
    numbered = layout((0, 5, 9))
    hands = np.ones(int(numbered.start[-1]), np.int64)
    one_by_one, table = np.zeros(numbered.table, np.int64), np.zeros(numbered.table, np.int64)
    _tables(numbered, hands, one_by_one, hands.copy(), hands.copy())
    for block, shape in enumerate(numbered.shape):
        # Beside no board a set of so many cards of each rank is held by as many hands of the block as complete it.
        lengths = numbered.lengths[shape, : numbered.codes[shape]]
        subsets = np.bincount(numbered.subset_codes[shape], minlength=len(lengths))
        _block_added(numbered, block, table, np.repeat(lengths[-1] * subsets // lengths, lengths).astype(np.int16))
    assert (table == one_by_one).all()


def test_exchanged_suits_give_the_hand_with_those_suits_exchanged() -> None:
    numbered = layout((0, 5, 9, 12))
    masks = masks_of(numbered)

    def swapped(mask: int, first: int, second: int) -> int:
        suits = {first: second, second: first}
        cards = [card for card in range(53) if mask >> card & 1]
        return sum(
            1 << (card if card == JOKER else 13 * suits.get(card // 13, card // 13) + card % 13) for card in cards
        )

    for first, second in combinations(range(4), 2):
        assert [masks[each] for each in exchanged_hands(numbered, first, second)] == [
            swapped(mask, first, second) for mask in masks
        ]


def test_classes_hold_all_hands_once_and_agree_with_their_exchanges() -> None:
    numbered = layout((0, 5, 9))
    classes = orbits(numbered)
    hands = comb(13, 5)
    assert classes.weights.sum() == hands
    assert (np.bincount(classes.classes) == classes.weights).all()
    assert (classes.classes[classes.hands] == np.arange(len(classes.hands))).all()
    for first, second in ((1, 2), (1, 3), (2, 3)):
        assert (classes.classes[exchanged_hands(numbered, first, second)] == classes.classes).all()
    # Rank patterns of five cards of three ranks and a Joker, up to all suits: the least of each class, by hand count.
    every = np.arange(hands)
    least = every.copy()
    for _ in range(4):
        for pair in combinations(range(4), 2):
            least = np.minimum(least, least[exchanged_hands(numbered, *pair)])
    assert classes.hands[classes.least].tolist() == sorted(set(least.tolist()))


@pytest.mark.compiled
def test_fives_of_the_whole_deck_have_as_many_classes_as_are_known() -> None:
    """Up to suits there are 134,459 fives of 52 cards and 16,432 fours, which a Joker makes fives."""
    assert int(orbits(layout(range(13))).least.sum()) == 134_459 + 16_432
