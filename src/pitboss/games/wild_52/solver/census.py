"""Count the dealers that every hand meets on a board of two cards.

There are three counts: dealers below the hand, equal to it, and not qualified.

All fives are sorted by strength and swept upward; a table holds how many hands so far contain each set of up to four
cards (``disjoint_counts``).  A word of the table has three lanes of 21 bits; no hand meets more than
C(46, 5) = 1,370,754 dealers, below 2**21:

    63 | 62 ............ 42 | 41 .............. 21 | 20 ............... 0
       |   not qualified    | up to the strength,  | below the strength
       |                    | which is included    |

A word of ``SortedHands``:

    strength | block, 22 bits | number within the block, 10 bits (0 for a whole block)
"""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from pitboss.games.wild_52.solver.disjoint_counts import (
    MAX_WORDS,
    add_block,
    add_sets,
    expand_block,
    number_sets,
    sum_sets,
)
from pitboss.games.wild_52.solver.flush_patterns import FLUSH, ORDINARY, FlushPatterns, HandKinds, find_pattern
from pitboss.games.wild_52.solver.hand_layout import JOKER_KIND, HandLayout
from pitboss.hands import HandTables
from pitboss.kernels.compile import kernel, kernel_helper
from pitboss.kernels.enumeration import IntArray
from pitboss.kernels.sorted_strengths import read_strength

RuleFunction = Callable[..., Any]

LANE_BITS = 21
LANE_MASK = (1 << LANE_BITS) - 1
WORD_BITS = 32
_BELOW = 1
_UP_TO = 1 << LANE_BITS
_UNQUALIFIED = 1 << 2 * LANE_BITS
_STATE_BITS = 10
_STATE_MASK = (1 << _STATE_BITS) - 1
_BLOCK_BITS = 22
_SHIFT = _BLOCK_BITS + _STATE_BITS
_PLACE_MASK = (1 << _BLOCK_BITS) - 1
NO_STRENGTH = 1 << 24
"""A strength that no hand reaches."""
_FIRST_JOKER = 52


class SortedHands(NamedTuple):
    """All fives that go with a board, by rising strength.

    ``blocks`` and ``flushes`` are words, the strength above the place.

    The place of a block is its number, shifted as in the word of a flush; that of a flush is its block and its number
    within the block.  ``patterns`` has the pattern of each block.
    """

    blocks: IntArray
    flushes: IntArray
    patterns: IntArray


class KeptCounts(NamedTuple):
    """The dealers that each strong hand meets on one board.

    The hands are those of at least ``min_strength``; the counts are words that ``split_lanes`` reads.

    ``blocks`` has the hands of those of ``SortedHands.blocks``, block after block; the words of impossible hands and
    of flushes among them have no meaning.  ``flushes`` has those of ``SortedHands.flushes``, each in its place.
    """

    min_strength: int
    blocks: IntArray
    flushes: IntArray


def make_kept_counts(layout: HandLayout, fives: SortedHands, min_strength: int) -> KeptCounts:
    """Return an array for the counts of hands of ``min_strength`` or more.

    ``NO_STRENGTH`` means that only sums are wanted.
    """
    strong = fives.blocks[fives.blocks >> _SHIFT >= min_strength] >> _STATE_BITS & _PLACE_MASK
    words = (layout.block_starts[strong + 1] - layout.block_starts[strong]).sum()
    flushes = len(fives.flushes) if min_strength < NO_STRENGTH else 0
    return KeptCounts(min_strength, np.empty(words, np.int64), np.empty(flushes, np.int64))


@kernel_helper
def get_strength(word: int) -> int:
    """Return the strength in a word of ``SortedHands``."""
    return word >> _SHIFT


@kernel_helper
def get_block(word: int) -> int:
    """Return the block in a word of ``SortedHands``."""
    return word >> _STATE_BITS & _PLACE_MASK


@kernel_helper
def get_state(word: int) -> int:
    """Return the number within its block in a word of ``SortedHands.flushes``."""
    return word & _STATE_MASK


@kernel_helper
def split_lanes(word: int) -> tuple[int, int, int]:
    """Return how many dealers are below a hand, up to and with it, and not qualified."""
    return word & LANE_MASK, word >> LANE_BITS & LANE_MASK, word >> 2 * LANE_BITS


@kernel_helper
def get_cards(layout: HandLayout, block: int, state: int) -> int:
    """Return one hand of a block as a set of cards."""
    shape = layout.shape[block]
    suits = layout.suits[layout.first_state[shape] + state]
    mask = 0
    for group in range(5):
        kind = layout.kinds[shape, group]
        if kind == JOKER_KIND:
            mask |= 1 << _FIRST_JOKER
        elif kind:
            # Four bits of suits spread out, one every 13 bits: the cards of the lowest rank, which then shift to the
            # group's rank.
            held = suits >> 4 * group & 15
            spread = (held & 1) | (held & 2) << 12 | (held & 4) << 24 | (held & 8) << 36
            mask |= spread << layout.ranks[layout.slots[block, group]]
    return mask


@kernel
def _sort_by_strength(words: IntArray) -> IntArray:
    """Return words sorted by their strength.

    They are sorted by two digits of twelve bits, the lower first.
    """
    for shift in (_SHIFT, _SHIFT + 12):
        # A radix sort: count each digit, sum the counts to the places where a digit starts, then place the words in
        # order.
        before = np.zeros((1 << 12) + 1, np.int64)
        for word in words:
            before[np.uint64((word >> shift & 4095) + 1)] += 1
        for digit in range(1 << 12):
            before[digit + 1] += before[digit]
        sorted_words = np.empty_like(words)
        for word in words:
            at = np.uint64(word >> shift & 4095)
            sorted_words[np.uint64(before[at])] = word
            before[at] += 1
        words = sorted_words
    return words


@cache
def make_sorter(strength: RuleFunction) -> Callable[..., SortedHands]:
    """Return a function that sorts the fives with a board by ``strength``.

    ``strength(tables, mask of seven, options)`` is below 2**24.

    The function takes layout, patterns of the board's kind, hand tables, options, the slots of the two cards of the
    board, and the board as a set of cards.
    """

    @kernel
    def make_words(
        layout: HandLayout, patterns: FlushPatterns, tables: HandTables, options: Any, board: IntArray, mask: int
    ) -> tuple[IntArray, IntArray, IntArray]:
        numbers = np.empty(len(layout.shape), np.int64)
        blocks = np.empty(len(layout.shape), np.int64)
        used, flush_end = 0, 0
        for block in range(len(layout.shape)):
            numbers[block] = find_pattern(layout, block, board)
            flush_end += patterns.flushes[numbers[block]]
        flushes = np.empty(flush_end, np.int64)
        flush_end = 0
        for block in range(len(layout.shape)):
            ordinary = patterns.counts[patterns.first_count[numbers[block]]]
            suited = patterns.flushes[numbers[block]]
            first = patterns.first_hand[numbers[block]]
            state = 0
            place = block << _STATE_BITS
            # One ordinary hand is enough for the whole block; every flush gets a word.  Stop when both have been found.
            while ordinary or suited:
                hand_kind = patterns.kinds[first + state]
                if hand_kind == FLUSH or (hand_kind == ORDINARY and ordinary):
                    word = strength(tables, get_cards(layout, block, state) | mask, options) << _SHIFT
                    if hand_kind == FLUSH:
                        flushes[flush_end] = word | place | state
                        flush_end += 1
                        suited -= 1
                    else:
                        blocks[used] = word | place
                        used += 1
                        ordinary = 0
                state += 1
        return blocks[:used].copy(), flushes, numbers

    def sorted_fives(*arguments: Any) -> SortedHands:
        blocks, flushes, numbers = make_words(*arguments)
        return SortedHands(_sort_by_strength(blocks), _sort_by_strength(flushes), numbers)

    return sorted_fives


@kernel
def sweep_board(
    layout: HandLayout, patterns: FlushPatterns, fives: SortedHands, lowest: int, sums: IntArray, kept: KeptCounts
) -> None:
    """Sweep the fives with a board, and add the dealers that each meets to ``sums``.

    The counts to keep are stored in ``kept``.

    ``sums`` has shape (3, hands); a word of it has two lanes of 32 bits.  For a hand of ``lowest`` or more (it would
    qualify): ``sums[0]`` dealers below it, and up to and with it; ``sums[1]``, lower lane, dealers not qualified.  For
    a hand below ``lowest``: ``sums[2]`` as ``sums[0]``; ``sums[1]``, upper lane, dealers not qualified.
    """
    table = np.zeros(layout.table_size, np.int64)
    buffers = np.empty((2, MAX_WORDS), np.int64)
    blocks, flushes = fives.blocks, fives.flushes
    rows, words = np.empty((1024, 32), np.int32), np.empty(1024, np.int64)
    # All hands below the qualifier enter their lane first: it is the same for every hand of the sweep.
    low, flush = _find_end(blocks, 0, lowest), _find_end(flushes, 0, lowest)
    _add_blocks(layout, patterns, fives, table, 0, low, _UNQUALIFIED)
    for each in range(flush):
        _number_flushes(layout, flushes, each, each + 1, rows)
        _add_flushes(table, rows, 1, _UNQUALIFIED)
    block, flush, at = 0, 0, 0
    # One pass for each strength.  Its hands enter the "up to" lane, then the table answers for each of them, then they
    # enter the "below" lane: so equal hands are counted in the first lane only.
    while block < len(blocks) or flush < len(flushes):
        strength = min(read_strength(blocks, block, _SHIFT), read_strength(flushes, flush, _SHIFT))
        block_end, flush_end = _find_end(blocks, block, strength + 1), _find_end(flushes, flush, strength + 1)
        if flush_end - flush > len(rows):
            rows, words = np.empty((flush_end - flush, 32), np.int32), np.empty(flush_end - flush, np.int64)
        _number_flushes(layout, flushes, flush, flush_end, rows)
        _add_blocks(layout, patterns, fives, table, block, block_end, _UP_TO)
        _add_flushes(table, rows, flush_end - flush, _UP_TO)
        qualified = 1 if strength >= lowest else 0
        itself = _UP_TO if qualified else _UP_TO + _UNQUALIFIED
        for each in range(block, block_end):
            number = blocks[each] >> _STATE_BITS & _PLACE_MASK
            dealer_hands = buffers[expand_block(layout, table, number, buffers)]
            first, start = patterns.first_hand[fives.patterns[number]], layout.block_starts[number]
            length = layout.block_starts[number + 1] - start
            _tally_block(dealer_hands, patterns.kinds, first, length, qualified, sums, start)
            if strength >= kept.min_strength:
                for hand in range(length):
                    kept.blocks[np.uint64(at + hand)] = dealer_hands[np.uint64(hand)] - itself
                at += length
        for each in range(flush, flush_end):
            words[each - flush] = sum_sets(table, rows[each - flush], 32)
        _tally_flushes(layout, flushes, flush, flush_end, words, qualified, sums, kept)
        _add_blocks(layout, patterns, fives, table, block, block_end, _BELOW)
        _add_flushes(table, rows, flush_end - flush, _BELOW)
        block, flush = block_end, flush_end


@kernel_helper
def _find_end(words: IntArray, place: int, strength: int) -> int:
    """Return where words of less than a strength end, starting from an earlier place."""
    while read_strength(words, place, _SHIFT) < strength:
        place += 1
    return place


@kernel_helper
def _add_blocks(
    layout: HandLayout, patterns: FlushPatterns, fives: SortedHands, table: IntArray, first: int, end: int, unit: int
) -> None:
    """Add the ordinary hands of blocks, ``unit`` for each."""
    for each in range(first, end):
        block = fives.blocks[each] >> _STATE_BITS & _PLACE_MASK
        add_block(layout, table, block, patterns.counts, patterns.first_count[fives.patterns[block]], unit)


@kernel_helper
def _number_flushes(layout: HandLayout, flushes: IntArray, first: int, end: int, rows: Any) -> None:
    """Number the sets of flushes, one row each."""
    for each in range(first, end):
        block = flushes[each] >> _STATE_BITS & _PLACE_MASK
        state = flushes[each] & _STATE_MASK
        number_sets(layout, layout.shape[block], layout.set_starts[block], state, rows[each - first])


@kernel_helper
def _add_flushes(table: IntArray, rows: Any, flushes: int, unit: int) -> None:
    """Add flushes whose sets are already numbered, ``unit`` for each."""
    for each in range(flushes):
        add_sets(table, rows[each], 32, unit)


@kernel_helper
def _tally_block(
    words: IntArray, hands: HandKinds, first: int, length: int, qualified: int, sums: IntArray, start: int
) -> None:
    """Add the lanes of the words of ordinary hands to the sums.

    A word still counts the hand itself as a dealer.
    """
    compared = sums[0] if qualified else sums[2]
    unqualified = sums[1]
    up = 0 if qualified else WORD_BITS
    itself = _UP_TO if qualified else _UP_TO + _UNQUALIFIED
    for each in range(length):
        # The table holds the hand itself, which no dealer can have: ``itself`` takes it out of the lanes it is in.
        word = words[np.uint64(each)] - itself if hands[np.uint64(first + each)] == ORDINARY else 0
        compared[np.uint64(start + each)] += (word & LANE_MASK) | (word >> LANE_BITS & LANE_MASK) << WORD_BITS
        unqualified[np.uint64(start + each)] += (word >> 2 * LANE_BITS) << up


@kernel_helper
def _tally_flushes(
    layout: HandLayout,
    flushes: IntArray,
    first: int,
    end: int,
    words: IntArray,
    qualified: int,
    sums: IntArray,
    kept: KeptCounts,
) -> None:
    """Add the lanes of the words of some flushes to the sums.

    This runs after all their look-ups, because most of these miss the processor's cache.
    """
    compared = sums[0] if qualified else sums[2]
    unqualified = sums[1]
    up = 0 if qualified else WORD_BITS
    itself = _UP_TO if qualified else _UP_TO + _UNQUALIFIED
    for each in range(first, end):
        hand = np.uint64(
            layout.block_starts[flushes[each] >> _STATE_BITS & _PLACE_MASK] + (flushes[each] & _STATE_MASK)
        )
        word = words[each - first] - itself
        compared[hand] += (word & LANE_MASK) | (word >> LANE_BITS & LANE_MASK) << WORD_BITS
        unqualified[hand] += (word >> 2 * LANE_BITS) << up
        if flushes[each] >> _SHIFT >= kept.min_strength:
            kept.flushes[each] = word
