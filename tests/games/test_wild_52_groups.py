"""Hands by groups of ranks: every hand and set has its own number, and sums over suits are those of single hands."""

from itertools import combinations
from math import comb

import numpy as np
import pytest

from pitboss.games.wild_52.solver.census import get_cards
from pitboss.games.wild_52.solver.disjoint_counts import (
    MAX_WORDS,
    add_block,
    add_sets,
    expand_block,
    number_sets,
    sum_sets,
)
from pitboss.games.wild_52.solver.hand_layout import HandLayout, SetCounts, make_layout
from pitboss.games.wild_52.solver.suit_orbits import compute_orbits, swap_suits
from pitboss.kernels.compile import kernel
from pitboss.kernels.enumeration import IntArray

JOKER = 52


@kernel
def _numbered(numbered: HandLayout, block: int, state: int, numbers: IntArray) -> int:
    return number_sets(numbered, numbered.shape[block], numbered.set_starts[block], state, numbers)


@kernel
def _tables(numbered: HandLayout, chosen: IntArray, table: IntArray, sums: IntArray, expanded: IntArray) -> None:
    """Add chosen hands one by one, then sum for every single hand and for every block."""
    numbers = np.zeros(32, np.int64)
    buffers = np.zeros((2, MAX_WORDS), np.int64)
    for block in range(len(numbered.shape)):
        for state in range(numbered.block_starts[block + 1] - numbered.block_starts[block]):
            if chosen[numbered.block_starts[block] + state]:
                sets = number_sets(numbered, numbered.shape[block], numbered.set_starts[block], state, numbers)
                add_sets(table, numbers, sets, 1)
    for block in range(len(numbered.shape)):
        filled = expand_block(numbered, table, block, buffers)
        for state in range(numbered.block_starts[block + 1] - numbered.block_starts[block]):
            sets = number_sets(numbered, numbered.shape[block], numbered.set_starts[block], state, numbers)
            sums[numbered.block_starts[block] + state] = sum_sets(table, numbers, sets)
            expanded[numbered.block_starts[block] + state] = buffers[filled, state]


@kernel
def _block_added(numbered: HandLayout, block: int, table: IntArray, held: SetCounts) -> None:
    add_block(numbered, table, block, held, 0, 1)


def masks_of(numbered: HandLayout) -> list[int]:
    """Return every hand of a layout as a set of cards, in the order of their numbers."""
    return [
        int(get_cards(numbered, block, state))
        for block in range(len(numbered.shape))
        for state in range(int(numbered.block_starts[block + 1] - numbered.block_starts[block]))
    ]


@pytest.mark.parametrize("ranks", [(0, 1, 2), (3, 4, 11, 12)])
def test_every_hand_has_one_number_and_every_set_another(ranks: tuple[int, ...]) -> None:
    numbered = make_layout(ranks)
    deck = [*(13 * suit + rank for suit in range(4) for rank in ranks), JOKER]
    masks = masks_of(numbered)
    assert sorted(masks) == sorted(sum(1 << card for card in hand) for hand in combinations(deck, 5))
    assert numbered.zero_start == sum(comb(len(deck), size) for size in range(5))
    of_number: dict[int, int] = {}
    numbers = np.zeros(32, np.int64)
    for block in range(len(numbered.shape)):
        for state in range(int(numbered.block_starts[block + 1] - numbered.block_starts[block])):
            hand = masks[int(numbered.block_starts[block]) + state]
            assert _numbered(numbered, block, state, numbers) == 32
            # Bits of a subset's place follow the cards rank by rank, suit by suit.
            cards = sorted((c for c in deck if hand >> c & 1), key=lambda card: (card == JOKER, card % 13, card // 13))
            for subset in range(31):
                mask = sum(1 << card for place, card in enumerate(cards) if subset >> place & 1)
                assert of_number.setdefault(int(numbers[subset]), mask) == mask
    assert sorted(of_number) == list(range(numbered.zero_start))


@pytest.mark.more
@pytest.mark.parametrize("ranks", [(0, 1, 2), (3, 4, 11, 12)])
def test_sums_count_the_hands_that_share_no_card(ranks: tuple[int, ...]) -> None:
    numbered = make_layout(ranks)
    masks = np.array(masks_of(numbered), np.int64)
    chosen = (np.random.default_rng(52).random(len(masks)) < 0.3).astype(np.int64)
    table, sums, expanded = np.zeros(numbered.table_size, np.int64), np.zeros_like(masks), np.zeros_like(masks)
    _tables(numbered, chosen, table, sums, expanded)
    held = masks[chosen == 1]
    apart = np.array([((held & mask) == 0).sum() for mask in masks])
    assert (sums - chosen == apart).all()  # a whole hand has no entry: it is counted though it shares all cards
    assert (expanded == sums).all()
    assert not table[numbered.zero_start :].any()


def test_a_block_is_added_as_its_hands_are() -> None:
    numbered = make_layout((0, 5, 9))
    hands = np.ones(int(numbered.block_starts[-1]), np.int64)
    one_by_one, table = np.zeros(numbered.table_size, np.int64), np.zeros(numbered.table_size, np.int64)
    _tables(numbered, hands, one_by_one, hands.copy(), hands.copy())
    for block, shape in enumerate(numbered.shape):
        # Without a board, as many hands of the block hold a set as there are ways to complete it.
        lengths = numbered.lengths[shape, : numbered.codes[shape]]
        subsets = np.bincount(numbered.subset_codes[shape], minlength=len(lengths))
        _block_added(numbered, block, table, np.repeat(lengths[-1] * subsets // lengths, lengths).astype(np.int16))
    assert (table == one_by_one).all()


def test_exchanged_suits_give_the_hand_with_those_suits_exchanged() -> None:
    numbered = make_layout((0, 5, 9, 12))
    masks = masks_of(numbered)

    def swapped(mask: int, first: int, second: int) -> int:
        suits = {first: second, second: first}
        cards = [card for card in range(53) if mask >> card & 1]
        return sum(
            1 << (card if card == JOKER else 13 * suits.get(card // 13, card // 13) + card % 13) for card in cards
        )

    for first, second in combinations(range(4), 2):
        assert [masks[each] for each in swap_suits(numbered, first, second)] == [
            swapped(mask, first, second) for mask in masks
        ]


def test_classes_hold_all_hands_once_and_agree_with_their_exchanges() -> None:
    numbered = make_layout((0, 5, 9))
    classes = compute_orbits(numbered)
    hands = comb(13, 5)
    assert classes.weights.sum() == hands
    assert (np.bincount(classes.classes) == classes.weights).all()
    assert (classes.classes[classes.representatives] == np.arange(len(classes.representatives))).all()
    for first, second in ((1, 2), (1, 3), (2, 3)):
        assert (classes.classes[swap_suits(numbered, first, second)] == classes.classes).all()
    # Rank patterns of five cards of three ranks and a Joker, up to all suits: the least of each class, by hand count.
    every = np.arange(hands)
    least = every.copy()
    for _ in range(4):
        for pair in combinations(range(4), 2):
            least = np.minimum(least, least[swap_suits(numbered, *pair)])
    assert classes.representatives[classes.is_first].tolist() == sorted(set(least.tolist()))


@pytest.mark.more
@pytest.mark.compiled
def test_fives_of_the_whole_deck_have_as_many_classes_as_are_known() -> None:
    """Up to suits there are 134,459 fives of 52 cards and 16,432 fours, which a Joker makes fives."""
    assert int(compute_orbits(make_layout(range(13))).is_first.sum()) == 134_459 + 16_432
