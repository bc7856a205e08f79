"""The showdown census beside a board of two cards: dealers below, equal to and not qualified against every hand.

All fives are sorted by strength and swept upward; a table keeps how many hands so far hold each set of up to four cards
(``avoiding``).  A word has three lanes of 21 bits: hands below the strength at hand, up to and with it, and below the
dealer's qualifying strength; no hand meets more than C(46, 5) = 1,370,754 dealers, below 2**21.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from pitboss.counting.avoiding import MOST_WORDS, add_block, add_sets, expand, number_sets, sum_sets
from pitboss.counting.blocks import Integers
from pitboss.counting.compile import kernel
from pitboss.counting.flushes import FLUSH, ORDINARY, Patterns, pattern_of, suits_of_hand
from pitboss.counting.groups import JOKER_KIND, Layout
from pitboss.hands import HandTables

RuleFunction = Callable[..., Any]

LANE_BITS = 21
LANE = (1 << LANE_BITS) - 1
WORD_BITS = 32
_BELOW = 1
_UP_TO = 1 << LANE_BITS
_UNQUALIFIED = 1 << 2 * LANE_BITS
_STATE_BITS = 10
_STATE = (1 << _STATE_BITS) - 1
_BLOCK_BITS = 22
_PLACE = (1 << _BLOCK_BITS) - 1
_SUIT, _FIRST_JOKER = 13, 52

QUALIFIED, UNQUALIFIED, BELOW_THE_LINE = 0, 1, 2


class Sorted(NamedTuple):
    """All fives beside a board, by rising strength: ``blocks`` and ``flushes`` are words, strength above place.

    A block's place is its number (shifted as a flush's), a flush's its block and its number within.  ``patterns`` has
    each block's pattern.
    """

    blocks: Integers
    flushes: Integers
    patterns: Integers


@kernel
def cards_of(layout: Layout, block: int, state: int) -> int:
    """Return one hand of a block as a set of cards."""
    suits = np.zeros(5, np.int64)
    kinds = layout.kinds[layout.shape[block]]
    suits_of_hand(kinds, state, suits)
    mask = 0
    for group in range(5):
        if kinds[group] == JOKER_KIND:
            mask |= 1 << _FIRST_JOKER
        elif kinds[group]:
            rank = layout.ranks[layout.slots[block, group]]
            for suit in range(4):
                mask |= (suits[group] >> suit & 1) << (suit * _SUIT + rank)
    return mask


@cache
def sorter(strength: RuleFunction) -> Callable[..., Sorted]:
    """Return what sorts the fives beside a board by ``strength(tables, mask of seven, options)``, below 2**26.

    It takes layout, patterns of the board's kind, hand tables, options, the slots of the two cards of the board, and
    the board as a set of cards.
    """

    @kernel
    def words(
        layout: Layout, patterns: Patterns, tables: HandTables, options: Any, board: Integers, mask: int
    ) -> tuple[Integers, Integers, Integers]:
        numbers = np.empty(len(layout.shape), np.int64)
        blocks = np.empty(len(layout.shape), np.int64)
        used, room = 0, 0
        for block in range(len(layout.shape)):
            numbers[block] = pattern_of(layout, block, board)
            room += patterns.flushes[numbers[block]]
        flushes = np.empty(room, np.int64)
        room = 0
        for block in range(len(layout.shape)):
            ordinary = patterns.held[patterns.first_held[numbers[block]]]
            suited = patterns.flushes[numbers[block]]
            first = patterns.first_hand[numbers[block]]
            state = 0
            place = block << _STATE_BITS
            while ordinary or suited:
                found = patterns.hands[first + state]
                if found == FLUSH or (found == ORDINARY and ordinary):
                    word = strength(tables, cards_of(layout, block, state) | mask, options) << _BLOCK_BITS + _STATE_BITS
                    if found == FLUSH:
                        flushes[room] = word | place | state
                        room += 1
                        suited -= 1
                    else:
                        blocks[used] = word | place
                        used += 1
                        ordinary = 0
                state += 1
        return blocks[:used].copy(), flushes, numbers

    def sorted_fives(*arguments: Any) -> Sorted:
        blocks, flushes, numbers = words(*arguments)
        blocks.sort()
        flushes.sort()
        return Sorted(blocks, flushes, numbers)

    return sorted_fives


@kernel
def sweep(layout: Layout, patterns: Patterns, fives: Sorted, lowest: int, sums: Integers) -> None:
    """Sweep the fives beside a board and add what each meets to ``sums``, shape (3, hands).

    A word of ``sums`` has two lanes of 32 bits.  For a hand of ``lowest`` or more (it would qualify): ``sums[0]``
    dealers below it, and up to and with it; ``sums[1]``, lower lane, dealers not qualified.  For a hand below
    ``lowest``: ``sums[2]`` as ``sums[0]``; ``sums[1]``, upper lane, dealers not qualified.
    """
    table = np.zeros(layout.table, np.int64)
    buffers = np.empty((2, MOST_WORDS), np.int64)
    shift = _BLOCK_BITS + _STATE_BITS
    blocks, flushes = fives.blocks, fives.flushes
    rows = np.empty((1024, 32), np.int64)
    block, flush = 0, 0
    while block < len(blocks) and blocks[block] >> shift < lowest:
        _add(layout, patterns, fives, table, blocks[block], _UNQUALIFIED)
        block += 1
    while flush < len(flushes) and flushes[flush] >> shift < lowest:
        sets = _number(layout, flushes[flush], rows[0])
        add_sets(table, rows[0], sets, _UNQUALIFIED)
        flush += 1
    block, flush = 0, 0
    while block < len(blocks) or flush < len(flushes):
        made = 1 << 40
        if block < len(blocks):
            made = blocks[block] >> shift
        if flush < len(flushes):
            made = min(made, flushes[flush] >> shift)
        block_end, flush_end = block, flush
        while block_end < len(blocks) and blocks[block_end] >> shift == made:
            _add(layout, patterns, fives, table, blocks[block_end], _UP_TO)
            block_end += 1
        while flush_end < len(flushes) and flushes[flush_end] >> shift == made:
            flush_end += 1
        if flush_end - flush > len(rows):
            rows = np.empty((flush_end - flush, 32), np.int64)
        for each in range(flush, flush_end):
            add_sets(table, rows[each - flush], _number(layout, flushes[each], rows[each - flush]), _UP_TO)
        for each in range(block, block_end):
            number = blocks[each] >> _STATE_BITS & _PLACE
            filled = expand(layout, table, number, buffers)
            first = patterns.first_hand[fives.patterns[number]]
            start = layout.start[number]
            length = layout.start[number + 1] - start
            _book(buffers[filled], patterns.hands, first, length, made >= lowest, sums, start)
        for each in range(flush, flush_end):
            place = layout.start[flushes[each] >> _STATE_BITS & _PLACE] + (flushes[each] & _STATE)
            buffers[0, 0] = sum_sets(table, rows[each - flush], 32)
            _book(buffers[0], _ONE, 0, 1, made >= lowest, sums, place)
        for each in range(block, block_end):
            _add(layout, patterns, fives, table, blocks[each], _BELOW)
        for each in range(flush, flush_end):
            add_sets(table, rows[each - flush], 32, _BELOW)
        block, flush = block_end, flush_end


_ONE = np.array([ORDINARY], np.int64)


@kernel
def _add(layout: Layout, patterns: Patterns, fives: Sorted, table: Integers, word: int, unit: int) -> None:
    block = word >> _STATE_BITS & _PLACE
    add_block(layout, table, block, patterns.held, patterns.first_held[fives.patterns[block]], unit)


@kernel
def _number(layout: Layout, word: int, numbers: Integers) -> int:
    block = word >> _STATE_BITS & _PLACE
    return number_sets(layout.kinds[layout.shape[block]], layout.sets[block], word & _STATE, numbers)


@kernel
def _book(
    words: Integers, hands: Integers, first: int, length: int, qualified: bool, sums: Integers, start: int
) -> None:
    """Add the lanes of the words of ordinary hands to the sums; each word still counts the hand itself as a dealer's."""
    compared = sums[0] if qualified else sums[2]
    unqualified = sums[1]
    up = 0 if qualified else WORD_BITS
    itself = _UP_TO if qualified else _UP_TO + _UNQUALIFIED
    for each in range(length):
        word = words[np.uint64(each)] - itself if hands[np.uint64(first + each)] == ORDINARY else 0
        compared[np.uint64(start + each)] += (word & LANE) | (word >> LANE_BITS & LANE) << WORD_BITS
        unqualified[np.uint64(start + each)] += (word >> 2 * LANE_BITS) << up
