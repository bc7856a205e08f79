"""Exact counts of how often each strength meets a stronger one.

The two hands are disjoint, and their pairs are counted without visiting them.  Two hands of six of 52 cards make 1.9e14
pairs.  But if only the weaker hand's strength matters, it is enough to know, for each hand, how many stronger ones
share no card with it.  The kernel sweeps hands from the strongest down and keeps, for every set S of cards,
``holding[S]``: how many hands so far contain all of S.  By inclusion and exclusion the number of stronger hands that
share no card with H is the sum, over all S within H, of (-1)^|S| holding[S].  S = H adds nothing, because no other hand
contains all of H, so sets as large as a hand have no entry.

A hand is one word (P is ``PLACE_BITS``):

    strength | place of the highest card | ... | place of the lowest card
             |          P bits           |     |          P bits
"""

from collections.abc import Callable, Sequence
from functools import cache
from math import comb
from typing import Any

import numpy as np

from pitboss.core.progress import ProgressCallback, ignore_progress
from pitboss.hands import HandTables, load_hand_tables
from pitboss.kernels.compile import kernel
from pitboss.kernels.enumeration import IntArray, advance_set, get_card_bits, map_blocks, write_first_set
from pitboss.kernels.set_numbering import build_set_steps, list_subset_sizes, number_subsets

RuleFunction = Callable[..., Any]

# A hand is one word: its strength, then the positions of its cards in the deck, the highest first.
PLACE_BITS = 6
_SLICES = 50


def count_pairs_by_weaker(
    strength: RuleFunction,
    deck: Sequence[int],
    cards: int,
    options: Any,
    lowest: int,
    progress: ProgressCallback = ignore_progress,
) -> dict[int, int]:
    """Count the pairs that a hand of each strength makes with a stronger one.

    Only strengths of ``lowest`` or more are in the result, the strongest first.  ``strength(tables, mask, options)``,
    below 2**24, ranks a hand of ``cards`` (2 to 6) cards of ``deck`` (at most 64).  A pair is a hand of that strength
    and a stronger one that shares no card with it.
    """
    words = np.sort(pack_hands(strength, deck, cards, options, lowest))[::-1].copy()
    ranked = words >> PLACE_BITS * cards
    bounds = np.flatnonzero(np.diff(ranked, prepend=-1, append=-1))
    starts, ends = bounds[:-1], bounds[1:]
    sizes = list_subset_sizes(cards)
    steps, sets = build_set_steps(len(deck), cards)
    holding = np.zeros(sets, np.int32)
    pairs: list[int] = []
    for part in np.array_split(np.arange(len(starts)), _SLICES):
        pairs += _sweep_pairs(words, starts[part], ends[part], holding, steps, sizes).tolist()
        progress(len(pairs), len(starts))
    return dict(zip(ranked[starts].tolist(), pairs, strict=True))


def pack_hands(strength: RuleFunction, deck: Sequence[int], cards: int, options: Any, lowest: int) -> IntArray:
    """Return every hand of strength ``lowest`` or more as one word.

    ``lowest`` is 0 or above.  The order is the same for every rule.
    """
    tables, bits, block = load_hand_tables(), get_card_bits(deck), _make_words_kernel(strength, cards)

    def pack_block(last: int, before_last: int) -> IntArray:
        return block(tables, bits, options, lowest, last, before_last, comb(before_last, cards - 2))

    return np.concatenate(map_blocks(pack_block, len(deck), cards, ignore_progress))


@cache
def _make_words_kernel(strength: RuleFunction, cards: int) -> Callable[..., IntArray]:
    @kernel
    def block(
        tables: HandTables, bits: IntArray, options: Any, lowest: int, last: int, before_last: int, capacity: int
    ) -> IntArray:
        words = np.empty(capacity, np.int64)
        used = 0
        places = np.zeros(cards, np.int64)
        mask = write_first_set(places, bits, cards, last, before_last)
        while mask != 0:
            word = strength(tables, mask, options)
            if word >= lowest:
                for place in places[::-1]:
                    word = word << PLACE_BITS | place
                words[used] = word
                used += 1
            mask = advance_set(places, bits, cards, mask)
        return words[:used].copy()

    return block


@kernel
def _sweep_pairs(
    words: IntArray, starts: IntArray, ends: IntArray, holding: Any, steps: IntArray, sizes: IntArray
) -> IntArray:
    """Sweep hands of falling strength; return each strength's pairs.

    Hands of one strength are swept together.  ``sizes`` has the size of every proper subset of a hand's cards.
    """
    pairs = np.zeros(len(starts), np.int64)
    numbers = np.zeros(len(sizes) + 1, np.int64)
    places = np.zeros(steps.shape[1], np.int64)
    for each in range(len(starts)):
        # All hands of one strength ask before any of them enters the table, so equal hands are not counted as stronger.
        for hand in range(starts[each], ends[each]):
            unpack_places(words[hand], places)
            number_subsets(places, steps, sizes, numbers)
            for subset in range(len(sizes)):
                held = holding[numbers[subset]]
                pairs[each] += -held if sizes[subset] & 1 else held
        add_holding(words[starts[each] : ends[each]], holding, steps, sizes)
    return pairs


@kernel
def add_holding(words: IntArray, holding: Any, steps: IntArray, sizes: IntArray) -> None:
    """Count each hand in ``holding`` under every proper subset of its cards."""
    numbers = np.zeros(len(sizes) + 1, np.int64)
    places = np.zeros(steps.shape[1], np.int64)
    for word in words:
        unpack_places(word, places)
        number_subsets(places, steps, sizes, numbers)
        for subset in range(len(sizes)):
            holding[numbers[subset]] += 1


@kernel
def unpack_places(word: int, places: IntArray) -> None:
    """Write the rising positions of a word's cards into ``places``."""
    for card in range(len(places)):
        places[card] = word >> PLACE_BITS * card & (1 << PLACE_BITS) - 1
