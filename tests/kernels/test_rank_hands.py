"""Classes and states of hands, compared with the hands themselves, one by one."""

from collections import Counter
from itertools import combinations
from math import comb

import numpy as np
import pytest

from oracle.six_card import classify_hands
from pitboss.cards import DECK_52, make_mask
from pitboss.games.six_card.solver.hand_classes import (
    NO_FLUSH,
    NO_SUIT,
    STATES,
    HandClasses,
    LiveCards,
    count_flush_ways,
    count_plain_ways,
    count_state_hands,
    find_flush_state,
    find_suited_groups,
    list_hand_classes,
    sort_live_cards,
)
from pitboss.kernels.batch_evaluation import compute_strengths
from pitboss.kernels.compile import kernel
from pitboss.kernels.enumeration import IntArray
from pitboss.kernels.suit_symmetry import list_suit_orders, permute_suits

SMALL = {
    "two long suits": [*range(8), *range(13, 21)],
    "three suits, one long": [*range(9), 13, 15, 17, 27, 30, 34],
    "four suits": [suit * 13 + rank for suit in range(4) for rank in (0, 5, 8, 12)],
    "one suit and strays": [*range(8), 20, 21, 34, 48],
}


@kernel
def ways_of(hands: HandClasses, hand: int, live: LiveCards) -> IntArray:
    """Return how many live hands each state of a class has."""
    ways = np.zeros(STATES, np.int64)
    if hands.flush[hand] == NO_FLUSH:
        count_plain_ways(hands, hand, live, ways)
        ways[1 if live.suit == NO_SUIT else 1 << hands.groups[hand] :] = 0
    else:
        plain, mixed, inside = count_flush_ways(hands, hand, hands.flush[hand], hands.odd[hand], live)
        ways[0] += plain
        ways[1 << hands.odd[hand]] += mixed
        ways[find_flush_state(hands, hand)] += inside
    return ways


@kernel
def ways_of_all(hands: HandClasses, live: LiveCards) -> IntArray:
    """Return how many live hands each state of each class has."""
    ways = np.zeros((len(hands.flush), STATES), np.int64)
    for hand in range(len(hands.flush)):
        ways[hand] = ways_of(hands, hand, live)
    return ways


@kernel
def visited(hands: HandClasses, live: LiveCards, orders: IntArray) -> int:
    """Visit the hands of every state of all classes; return how many states differ from their ways."""
    chosen = np.zeros(6, np.int64)
    wrong = 0
    for hand in range(len(hands.groups)):
        ways = ways_of(hands, hand, live)
        for state in range(1 << hands.groups[hand]):
            wrong += count_state_hands(hands, hand, state, live, orders, chosen)[0] != ways[state]
    return wrong


@kernel
def own_state(hands: HandClasses, hand: int, live: LiveCards) -> int:
    """Return the state of the hand that represents a class."""
    return find_suited_groups(hands.masks[hand], live.suit)


@kernel
def kinds_of_all(hands: HandClasses, live: LiveCards, orders: IntArray) -> int:
    """Return how many hands of the first states of all classes there are up to suits."""
    kinds = 0
    for hand in range(len(hands.flush)):
        kinds += count_state_hands(hands, hand, 0, live, orders, np.zeros(6, np.int64))[1]
    return kinds


def list_keys(hands: HandClasses) -> list[tuple[int, ...]]:
    """Name each class."""
    return list(map(tuple, np.column_stack((hands.ranks, hands.copies, hands.flush, hands.odd)).tolist()))


@pytest.fixture(scope="module")
def every() -> HandClasses:
    """Return all classes."""
    return list_hand_classes()


@pytest.mark.more
def test_there_are_as_many_classes_as_the_multisets_and_flushes(every: HandClasses) -> None:
    assert np.count_nonzero(every.flush == NO_FLUSH) == 18_395
    assert len(every.flush) == 18_395 + 1_287 * 13 + 1_716
    assert len(set(list_keys(every))) == len(every.flush)
    assert classify_hands(every.masks.tolist()).flush.tolist() == every.flush.tolist()


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("dead", "flush_suit"), [([], NO_SUIT), ([], 2), ([0, 1, 13], 0), ([5, 6, 7], 0), ([5, 18, 31], NO_SUIT)]
)
def test_every_hand_is_of_one_state_of_one_class(every: HandClasses, dead: list[int], flush_suit: int) -> None:
    live = sort_live_cards(DECK_52.mask & ~make_mask(dead), flush_suit)
    assert ways_of_all(every, live).sum() == comb(52 - len(dead), 6)


@pytest.mark.more
@pytest.mark.compiled
@pytest.mark.parametrize("deck", SMALL.values(), ids=SMALL)
@pytest.mark.parametrize("flush_suit", [NO_SUIT, 0, 1])
def test_hands_are_counted_and_visited_by_class_and_state(every: HandClasses, deck: list[int], flush_suit: int) -> None:
    """If no suit matters every state is the first."""
    live = sort_live_cards(make_mask(deck), flush_suit)
    masks = [make_mask(held) for held in combinations(deck, 6)]
    classes = classify_hands(masks)
    counted = Counter((key, own_state(classes, hand, live)) for hand, key in enumerate(list_keys(classes)))
    ways, keys = ways_of_all(every, live), list_keys(every)
    of_classes = {(keys[hand], state): int(ways[hand, state]) for hand, state in np.argwhere(ways).tolist()}
    assert of_classes == counted
    assert visited(every, live, list_suit_orders(make_mask(deck))) == 0


@pytest.mark.more
@pytest.mark.compiled
def test_hands_up_to_suits_are_the_orbits_of_the_suits_alike(every: HandClasses) -> None:
    deck = [suit * 13 + rank for suit in range(4) for rank in (0, 5, 8, 12)]
    left = make_mask(deck)
    orders = list_suit_orders(left)
    orbits = Counter(
        min(permute_suits(make_mask(held), order) for order in orders.tolist()) for held in combinations(deck, 6)
    )
    live = sort_live_cards(left, NO_SUIT)
    assert kinds_of_all(every, live, orders) == len(orbits)


@pytest.mark.compiled
def test_hands_of_a_class_have_its_strength(every: HandClasses) -> None:
    of_class = {key: hand for hand, key in enumerate(list_keys(every))}
    rng = np.random.default_rng(6)
    masks = [make_mask(rng.permutation(52)[:6].tolist()) for _ in range(4_000)]
    masks += [make_mask([*rng.permutation(13)[:5].tolist(), 13 + int(rng.integers(39))]) for _ in range(4_000)]
    classes = classify_hands(masks)
    of_its_class = [int(every.masks[of_class[key]]) for key in list_keys(classes)]
    assert compute_strengths(masks).tolist() == compute_strengths(of_its_class).tolist()
