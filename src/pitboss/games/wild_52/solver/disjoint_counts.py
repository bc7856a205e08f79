"""Count hands of a growing collection that share no card with a block's hands.

For every set S of fewer cards than a hand, a table holds how many hands so far contain all of S, as in ``hand_pairs``.
By inclusion and exclusion, the number of hands that share no card with H is the sum, over all S within H, of
(-1)^|S| table[S].  A whole hand has no entry: where it counts, only the hand itself contains it.  A word may hold
several counts in separate lanes, because the kernels only add: a lane may overflow on the way, only the final counts
must fit.

``expand_block`` computes these sums for all hands of one multiset of ranks together: it first sums over the part of S
in the first group of cards, then over the part in the second, and so on.  That costs a few additions a hand instead of
32 look-ups.
"""

from typing import Any

import numpy as np

from pitboss.games.wild_52.solver.hand_layout import JOKER_KIND, KIND_STATES, SUBSET_STATES, HandLayout, SetCounts
from pitboss.kernels.compile import kernel_helper
from pitboss.kernels.enumeration import IntArray

MAX_WORDS = 4096
"""The size of the buffers between two steps of an expansion."""


@kernel_helper
def expand_block(layout: HandLayout, table: IntArray, block: int, buffers: IntArray) -> int:
    """Sum the table for every hand of a block.

    Return which of the two ``buffers``, shape (2, ``MAX_WORDS``), has the sums.
    """
    shape = layout.shape[block]
    depth = 0
    # Steps of one depth expand the same group.  The first depth reads the table, later ones read the buffer that the
    # depth before has filled, so two buffers in turn are enough.
    for number in range(layout.first_step[shape], layout.first_step[shape + 1]):
        step = layout.steps[number]
        depth = step[0]
        source, into = table if depth == 0 else buffers[1 - depth % 2], buffers[depth % 2]
        kind, outer, inner, to = step[1], step[2], step[3], step[4]
        none, one = _find_source(layout, block, step, 0), _find_source(layout, block, step, 1)
        if kind == 1:
            _expand_single(outer, inner, source, none, one, into, to)
        elif kind == 2:
            _expand_pair(outer, inner, source, none, one, _find_source(layout, block, step, 2), into, to)
        elif kind == JOKER_KIND:
            for each in range(outer * inner):
                into[np.uint64(to + each)] = source[np.uint64(none + each)] - source[np.uint64(one + each)]
        else:
            _expand_many(layout, block, step, source, into)
    return depth % 2


@kernel_helper
def _find_source(layout: HandLayout, block: int, step: IntArray, taken: int) -> Any:
    """Return where a step finds the sums that take ``taken`` cards of its group.

    At depth 0 the step names a code of sets in the table, later a place in a buffer.
    """
    return layout.set_starts[block, step[5 + taken]] if step[0] == 0 else step[5 + taken]


@kernel_helper
def _expand_many(layout: HandLayout, block: int, step: IntArray, source: IntArray, into: IntArray) -> None:
    """Expand three or four cards of a rank: four states, or one."""
    kind, outer, inner, to = step[1], step[2], step[3], step[4]
    for before in range(outer):
        for state in range(KIND_STATES[kind]):
            for after in range(inner):
                total = 0
                # Every set of the group's cards comes once, with the sign of its size; its suits form a state of their
                # own.
                for taken in range(1 << kind):
                    size = _count_bits(taken)
                    at = (before * KIND_STATES[size] + SUBSET_STATES[kind, state, taken]) * inner + after
                    word = source[_find_source(layout, block, step, size) + at]
                    total += -word if size & 1 else word
                into[to + (before * KIND_STATES[kind] + state) * inner + after] = total


@kernel_helper
def _count_bits(taken: int) -> int:
    return (taken & 1) + (taken >> 1 & 1) + (taken >> 2 & 1) + (taken >> 3 & 1)


@kernel_helper
def _expand_single(outer: int, inner: int, source: IntArray, none: int, one: int, into: IntArray, to: int) -> None:
    """Expand one card of a rank: four states."""
    if inner == 1:
        # Of one card, S takes none (plus) or the card of this suit (minus).
        for before in range(outer):
            word = source[np.uint64(none + before)]
            for state in range(4):
                into[np.uint64(to + before * 4 + state)] = word - source[np.uint64(one + before * 4 + state)]
        return
    for before in range(outer):
        for state in range(4):
            at = (before * 4 + state) * inner
            for after in range(inner):
                into[np.uint64(to + at + after)] = (
                    source[np.uint64(none + before * inner + after)] - source[np.uint64(one + at + after)]
                )


@kernel_helper
def _expand_pair(
    outer: int, inner: int, source: IntArray, none: int, one: int, two: int, into: IntArray, to: int
) -> None:
    """Expand two cards of a rank: six states."""
    for before in range(outer):
        state = 0
        for lower in range(3):
            for higher in range(lower + 1, 4):
                # Of two cards, S takes none (plus), either one (minus) or both (plus).
                low = one + (before * 4 + lower) * inner
                high = one + (before * 4 + higher) * inner
                at = (before * 6 + state) * inner
                for after in range(inner):
                    into[np.uint64(to + at + after)] = (
                        source[np.uint64(none + before * inner + after)]
                        - source[np.uint64(low + after)]
                        - source[np.uint64(high + after)]
                        + source[np.uint64(two + at + after)]
                    )
                state += 1


@kernel_helper
def add_block(layout: HandLayout, table: IntArray, block: int, held: SetCounts, first: int, unit: int) -> None:
    """Add ``unit`` for hands of a block to every set they contain.

    ``held[first:]``, laid out by ``HandLayout.code_starts``, has the number of added hands that contain each set.
    """
    shape = layout.shape[block]
    for code in range(layout.codes[shape] - 1):
        at = layout.set_starts[block, code]
        given = first + layout.code_starts[shape, code]
        for each in range(layout.lengths[shape, code]):
            table[np.uint64(at + each)] += unit * int(held[np.uint64(given + each)])


@kernel_helper
def number_sets(layout: HandLayout, shape: int, starts: IntArray, state: int, numbers: IntArray) -> int:
    """Number all sets within one hand of a shape, and return how many there are.

    ``starts`` has where the sets of each code start.  The sets are in the order of binary numbers with one bit for each
    card, so the sign of the ``i``-th is that of the number of ones in ``i``; the last is the whole hand.
    """
    codes = layout.subset_codes[shape]
    places = layout.subset_places[layout.first_state[shape] + state]
    sets = 1 << layout.cards
    for each in range(sets):
        numbers[each] = starts[np.uint64(codes[each])] + places[each]
    return sets


@kernel_helper
def add_sets(table: IntArray, numbers: IntArray, sets: int, unit: Any) -> None:
    """Add ``unit`` to the sets of one hand except the last, the whole hand."""
    for each in range(sets - 1):
        table[np.uint64(numbers[each])] += unit


@kernel_helper
def sum_sets(table: IntArray, numbers: IntArray, sets: int) -> int:
    """Sum the table for one hand."""
    total = 0
    for each in range(sets - 1):
        word = table[np.uint64(numbers[each])]
        ones = _count_bits(each & 15) + (each >> 4)
        total += -word if ones & 1 else word
    return total
