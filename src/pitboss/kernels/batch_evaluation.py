"""Evaluate arrays of hands, and count the categories of all hands of a deck."""

from itertools import combinations
from typing import NamedTuple

import numba
import numpy as np
from numba import prange
from numpy.typing import ArrayLike, NDArray

from pitboss.cards import FIRST_JOKER, RANK_COUNT, Deck, count_jokers, popcount
from pitboss.core.errors import CardError
from pitboss.hands import (
    CATEGORY_COUNT,
    EMPTY_KEY,
    ROYAL_FIRST,
    HandTables,
    compute_key,
    evaluate_key,
    get_category,
    load_hand_tables,
)
from pitboss.kernels.compile import kernel, kernel_helper, parallel_kernel

_CARDS = FIRST_JOKER + 2
_MIN_CARDS, _MAX_CARDS, _MAX_WILDS = 5, 7, 3
_INVALID = -1
_CHUNK = 32


def compute_strengths(hands: ArrayLike, wilds: int = 0, ranking: int = ROYAL_FIRST) -> NDArray[np.int32]:
    """Return the strengths of many hands of five to seven cards.

    ``wilds`` wild cards are added to each.  ``hands`` is an integer array of card codes, shape (n, cards), or of masks,
    shape (n,).  Jokers in it are wild too, at most three wilds in all.  The result has shape (n,).

    >>> from pitboss.hands import format_hand
    >>> [format_hand(strength) for strength in compute_strengths([[12, 11, 10, 9, 8], [0, 13, 26, 39, 52]])]
    ['royal flush', 'five of a kind, deuces']

    Raises:
        CardError: a code is not a valid card, a hand has a card twice, or has too few or too many cards or wilds.
    """
    array = np.ascontiguousarray(hands)
    array = array.astype(array.dtype.newbyteorder("="), copy=False)  # compiled code reads this machine's order of bytes
    if array.ndim not in {1, 2} or array.dtype.kind not in "iu":
        raise CardError(
            f"hands are integers of shape (n, cards) or (n,), not {array.dtype} of shape {array.shape}",
            code="invalid-hands",
            dtype=array.dtype,
            shape=array.shape,
        )
    if array.ndim == 1:
        result = _evaluate_masks(load_hand_tables(), array.astype(np.int64), wilds, ranking)
    else:
        result = _evaluate_codes(load_hand_tables(), array, wilds, ranking)
    if len(result) and result.min() == _INVALID:
        raise CardError(
            f"hand {result.argmin()} is not valid: a hand is five to seven different cards 0..53, at most three wild",
            code="invalid-hands",
        )
    return result


@kernel
def _evaluate_codes(tables: HandTables, hands: NDArray[np.integer], wilds: int, ranking: int) -> NDArray[np.int32]:
    """Evaluate hands of shape (n, cards); ``_INVALID`` where a hand is not valid."""
    result = np.empty(len(hands), np.int32)
    cards = hands.shape[1]
    start = EMPTY_KEY + wilds * int(tables.card_keys[FIRST_JOKER])
    # With the number of cards written out the compiler unrolls the loop over them, which saves a quarter of the time.
    if wilds < 0 or not _MIN_CARDS <= cards + wilds <= _MAX_CARDS:
        result[:] = _INVALID
    elif cards == 7:
        for i in range(len(hands)):
            result[i] = _evaluate_row(tables, hands, i, 7, start, wilds, ranking)
    elif cards == 6:
        for i in range(len(hands)):
            result[i] = _evaluate_row(tables, hands, i, 6, start, wilds, ranking)
    elif cards == 5:
        for i in range(len(hands)):
            result[i] = _evaluate_row(tables, hands, i, 5, start, wilds, ranking)
    else:
        for i in range(len(hands)):
            result[i] = _evaluate_row(tables, hands, i, cards, start, wilds, ranking)
    return result


@kernel_helper
def _evaluate_row(
    tables: HandTables, hands: NDArray[np.integer], row: int, cards: int, start: int, wilds: int, ranking: int
) -> int:
    """Evaluate the hand of ``cards`` codes in a row and ``wilds`` more cards.

    ``start`` is the key of the ``wilds``.  Return ``_INVALID`` if the hand is not valid.
    """
    key = start
    mask = 0
    for j in range(cards):
        code = int(hands[row, j])
        # A code outside the deck, or a card twice, leaves the mask short of cards.
        if 0 <= code < _CARDS:
            key += int(tables.card_keys[code])
            mask |= 1 << code
    all_wilds = wilds + count_jokers(mask)
    if popcount(mask) != cards or all_wilds > _MAX_WILDS:
        return _INVALID
    return evaluate_key(tables, key, mask, all_wilds, ranking)


@kernel
def _evaluate_masks(tables: HandTables, masks: NDArray[np.int64], wilds: int, ranking: int) -> NDArray[np.int32]:
    """Evaluate masks of shape (n,); ``_INVALID`` where a mask is not a valid hand."""
    result = np.empty(len(masks), np.int32)
    for i in range(len(masks)):
        mask = int(masks[i]) if 0 <= masks[i] < 1 << _CARDS else 0
        all_wilds = wilds + count_jokers(mask)
        cards = popcount(mask) + wilds
        if wilds < 0 or all_wilds > _MAX_WILDS or not _MIN_CARDS <= cards <= _MAX_CARDS:
            result[i] = _INVALID
        else:
            result[i] = evaluate_key(tables, compute_key(tables, mask, all_wilds), mask, all_wilds, ranking)
    return result


class _CardSets(NamedTuple):
    """Sets of one size from a deck, in order.

    A set has its first position, the position after its last card, its key and its mask.
    """

    first_place: NDArray[np.int64]
    next_place: NDArray[np.int64]
    keys: NDArray[np.int64]
    masks: NDArray[np.int64]


def count_categories(deck: Deck, cards: int, ranking: int = ROYAL_FIRST) -> list[int]:
    """Count all hands of five to seven cards by category, Jokers wild.

    Every single hand is evaluated.  It is made of one to three cards and two pairs of cards, each later
    in the deck than the one before, so the innermost loop runs along a list of pairs.  The deck is taken
    rank by rank, so that neighbouring hands look up neighbouring table entries.

    >>> from pitboss.cards import DECK_52
    >>> count_categories(DECK_52, 5)[6:9]
    [3744, 624, 36]
    """
    deck_order = sorted(deck.cards, key=lambda code: (code // FIRST_JOKER, code % RANK_COUNT))
    pairs = _list_sets(deck_order, 2)
    first_pair = np.searchsorted(pairs.first_place, np.arange(deck.size + 1))
    beginnings = _list_sets(deck_order, cards - 4)
    # The first beginnings have most of the hands: small chunks keep all cores busy to the end.
    with numba.parallel_chunksize(_CHUNK):
        counts: NDArray[np.int64] = _count_categories(load_hand_tables(), beginnings, pairs, first_pair, ranking)
    return [int(count) for count in counts.sum(axis=0)]


def _list_sets(deck_order: list[int], size: int) -> _CardSets:
    """Return all sets of ``size`` cards, ordered by their positions in the deck."""
    places = np.array(list(combinations(range(len(deck_order)), size)), np.int64)
    codes = np.array(deck_order, np.int64)[places]
    keys = load_hand_tables().card_keys[codes].sum(axis=1)
    return _CardSets(places[:, 0].copy(), places[:, -1] + 1, keys, (1 << codes).sum(axis=1))


@parallel_kernel
def _count_categories(
    tables: HandTables, beginnings: _CardSets, pairs: _CardSets, first_pair: NDArray[np.int64], ranking: int
) -> NDArray[np.int64]:
    """Count the hands of each beginning and two later pairs by category.

    The result has shape (beginnings, categories).
    """
    counts = np.zeros((len(beginnings.keys), CATEGORY_COUNT), np.int64)
    # The three parts rise in deck order, so each hand is split in exactly one way and met once.  Keys add up over
    # cards that differ, so the key of a hand is the sum of its parts' keys.
    for beginning in prange(len(beginnings.keys)):
        for middle in range(first_pair[beginnings.next_place[beginning]], len(pairs.keys)):
            key = EMPTY_KEY + int(beginnings.keys[beginning]) + int(pairs.keys[middle])
            mask = int(beginnings.masks[beginning]) | int(pairs.masks[middle])
            for last in range(first_pair[pairs.next_place[middle]], len(pairs.keys)):
                hand = mask | int(pairs.masks[last])
                strength = evaluate_key(tables, key + int(pairs.keys[last]), hand, count_jokers(hand), ranking)
                counts[beginning, get_category(strength)] += 1
    return counts
