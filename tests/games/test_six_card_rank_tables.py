"""The weights of disjoint sets of three cards, compared with plain sums, for arbitrary weights."""

from itertools import combinations

import numpy as np
import pytest

from oracle.six_card import classify_hands
from pitboss.cards import get_suit_ranks, make_mask, popcount
from pitboss.games.six_card.solver.disjoint_weights import (
    ENTRIES,
    MAX_SETS,
    MAX_TOUCHED,
    MIXED,
    PLAIN,
    PURE,
    HandEntries,
    PartsWorkspace,
    add_differences,
    compute_difference,
    compute_plain_value,
    evaluate_states,
    find_entries,
    list_drawn_sets,
    list_touched,
    make_drawn_mask,
    make_workspace,
)
from pitboss.games.six_card.solver.hand_classes import (
    NO_SUIT,
    HandClasses,
    LiveCards,
    find_suited_groups,
    sort_live_cards,
)
from pitboss.kernels.compile import kernel
from pitboss.kernels.enumeration import IntArray

SUIT = 1
DECK = 52
NEEDED = {PLAIN: 4, PURE: 3, MIXED: 2}  # cards of the suit from which on they matter


@kernel
def masks_of(live: LiveCards, sets: IntArray) -> IntArray:
    """Return one set of live cards of each kind."""
    masks = np.zeros(len(sets), np.int64)
    for kind in range(len(sets)):
        masks[kind] = make_drawn_mask(sets[kind], live)
    return masks


def kinds_drawn(live: LiveCards) -> IntArray:
    """Return one set of three live cards of each kind."""
    sets = np.zeros((MAX_SETS, 3), np.int64)
    return masks_of(live, sets[: list_drawn_sets(live, sets)])


@kernel
def values(
    hands: HandClasses,
    entries: HandEntries,
    live: LiveCards,
    differences: int,
    weights: IntArray,
    pieces: PartsWorkspace,
) -> IntArray:
    """Return for each hand both words, and both words' coefficient of each rank alone, shape (n, 14)."""
    sets = np.zeros((MAX_SETS, 3), np.int64)
    at, times = np.zeros(MAX_TOUCHED, np.int64), np.zeros(MAX_TOUCHED, np.int64)
    table = np.zeros((ENTRIES, 2), np.int64)
    for kind in range(list_drawn_sets(live, sets)):
        for entry in range(list_touched(sets[kind], live, differences, at, times, 0, pieces)):
            table[at[entry], 0] += times[entry] * weights[kind]
            table[at[entry], 1] -= times[entry] * weights[kind] * 3
    found = np.zeros((len(hands.groups), 14), np.int64)
    first, second = np.zeros(64, np.int64), np.zeros(64, np.int64)
    for hand in range(len(hands.groups)):
        first[0], second[0] = compute_plain_value(table, entries, hand)
        add_differences(table, hands, entries, hand, differences, first, second)
        for group in range(hands.groups[hand]):
            one, other = compute_difference(table, hands, entries, hand, group, differences)
            found[hand, 2 + 2 * group] = one - first[1 << group]
            found[hand, 3 + 2 * group] = other - second[1 << group]
        evaluate_states(first, hands.groups[hand])
        evaluate_states(second, hands.groups[hand])
        state = find_suited_groups(hands.masks[hand], live.suit)
        found[hand, 0], found[hand, 1] = first[state], second[state]
    return found


def kind_of(mask: int, flush_suit: int) -> tuple[tuple[int, bool], ...]:
    """Return a key that is equal for sets of cards that are alike."""
    cards = [card for card in range(DECK) if mask >> card & 1]
    return tuple(sorted((card % 13, card // 13 == flush_suit) for card in cards))


def weight_of(mask: int, differences: int) -> int:
    """Weigh a set by its ranks, and by its cards in the suit if there are enough of them."""
    enough = popcount(get_suit_ranks(mask, SUIT)) >= NEEDED[differences]
    kind = kind_of(mask, SUIT)
    return sum(hash(part) % 1_000_003 for part in (kind if enough else (tuple(rank for rank, _ in kind),))) % 1_009


@pytest.mark.compiled
@pytest.mark.parametrize("dead", [[], [0, 14, 28], [13, 14, 15], [12, 25, 38], [13, 0, 26]])
@pytest.mark.parametrize("flush_suit", [NO_SUIT, SUIT])
def test_sets_drawn_are_one_of_each_kind(dead: list[int], flush_suit: int) -> None:
    left = (1 << DECK) - 1 & ~make_mask(dead)
    live = [card for card in range(DECK) if left >> card & 1]
    masks = kinds_drawn(sort_live_cards(left, flush_suit)).tolist()
    assert all(popcount(mask) == 3 and mask & ~left == 0 for mask in masks)
    kinds = [kind_of(mask, flush_suit) for mask in masks]
    assert len(set(kinds)) == len(kinds)
    assert set(kinds) == {kind_of(make_mask(held), flush_suit) for held in combinations(live, 3)}


@pytest.mark.more
@pytest.mark.compiled
@pytest.mark.in_turn("dead")
@pytest.mark.parametrize("differences", [PLAIN, PURE, MIXED])
@pytest.mark.parametrize("dead", [[3, 17, 43], [13, 14, 25], [12, 25, 24], [2, 15, 28]])
def test_weights_of_disjoint_sets_are_added_up(differences: int, dead: list[int]) -> None:
    flush_suit = NO_SUIT if differences == PLAIN else SUIT
    left = (1 << DECK) - 1 & ~make_mask(dead)
    live = [card for card in range(DECK) if left >> card & 1]
    drawn = np.array([make_mask(held) for held in combinations(live, 3)])
    weights = np.array([weight_of(int(mask), differences) for mask in drawn])
    rng = np.random.default_rng(7)
    order = [rng.permutation(live).tolist() for _ in range(12)]
    order += [sorted(held, key=lambda card: card % 13)[:6] for held in order]
    order += [sorted(held, key=lambda card: (card // 13 != SUIT, card % 13 * 5 % 13))[:6] for held in order[:2]]
    order += [sorted(held, key=lambda card: (card // 13 != SUIT, -card % 13))[1:7] for held in order[:2]]
    order += [[29, 42, 3 if 16 in dead else 16, *(card for card in held if card % 13 != 3)] for held in order[:2]]
    hands = [make_mask(held[:6]) for held in order]
    alive, classes = sort_live_cards(left, flush_suit), classify_hands(hands)
    of_kinds = np.array([weight_of(int(mask), differences) for mask in kinds_drawn(alive)])
    found = values(classes, find_entries(classes), alive, differences, of_kinds, make_workspace())
    added_up = [int(weights[drawn & hand == 0].sum()) for hand in hands]
    assert found[:, 0].tolist() == added_up
    assert found[:, 1].tolist() == [-3 * value for value in added_up]
    assert not found[:, 2:].any()
