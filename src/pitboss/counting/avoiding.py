"""How many hands of a growing collection share no card with each hand of a block.

A table keeps for every set S of fewer cards than a hand how many hands so far hold all of S, as ``pairs`` does; by
inclusion and exclusion the hands that share no card with H are the sum, over all S within H, of (-1)^|S| table[S].  A
whole hand is not kept: where it counts, it is the hand itself.  Words may carry several counts side by side, for all of
this is addition: a count in between may run over, only those that are read must fit.

For all hands of one multiset of ranks the sums are made together (``expanded``): first over what is taken of the first
group, then of the second ..., which costs a few additions a hand instead of 32 look-ups.
"""

from typing import Any

import numpy as np

from pitboss.counting.blocks import Integers
from pitboss.counting.compile import part
from pitboss.counting.groups import JOKER_KIND, STATES_OF, WITHIN, Counts, Layout

MOST_WORDS = 4096
"""Room for the arrays between two steps of an expansion."""


@part
def expand(layout: Layout, table: Integers, block: int, buffers: Integers) -> int:
    """Sum up the table for every hand of a block, and return which of the two ``buffers`` holds the sums.

    ``buffers`` has shape (2, ``MOST_WORDS``).
    """
    shape = layout.shape[block]
    depth = 0
    for number in range(layout.first_step[shape], layout.first_step[shape + 1]):
        step = layout.steps[number]
        depth = step[0]
        source, into = table if depth == 0 else buffers[1 - depth % 2], buffers[depth % 2]
        kind, outer, inner, to = step[1], step[2], step[3], step[4]
        none, one = _start(layout, block, step, 0), _start(layout, block, step, 1)
        if kind == 1:
            _single(outer, inner, source, none, one, into, to)
        elif kind == 2:
            _pair(outer, inner, source, none, one, _start(layout, block, step, 2), into, to)
        elif kind == JOKER_KIND:
            for each in range(outer * inner):
                into[np.uint64(to + each)] = source[np.uint64(none + each)] - source[np.uint64(one + each)]
        else:
            _three_or_four(layout, block, step, source, into)
    return depth % 2


@part
def _start(layout: Layout, block: int, step: Integers, taken: int) -> Any:
    """Return where a step finds the sums that take so many cards of its group: by sets of a code, or in a buffer."""
    return layout.sets[block, step[5 + taken]] if step[0] == 0 else step[5 + taken]


@part
def _three_or_four(layout: Layout, block: int, step: Integers, source: Integers, into: Integers) -> None:
    """Expand three or four cards of a rank: four states, or one."""
    kind, outer, inner, to = step[1], step[2], step[3], step[4]
    for before in range(outer):
        for state in range(STATES_OF[kind]):
            for after in range(inner):
                total = 0
                for taken in range(1 << kind):
                    size = _size(taken)
                    at = (before * STATES_OF[size] + WITHIN[kind, state, taken]) * inner + after
                    word = source[_start(layout, block, step, size) + at]
                    total += -word if size & 1 else word
                into[to + (before * STATES_OF[kind] + state) * inner + after] = total


@part
def _size(taken: int) -> int:
    return (taken & 1) + (taken >> 1 & 1) + (taken >> 2 & 1) + (taken >> 3 & 1)


@part
def _single(outer: int, inner: int, source: Integers, none: int, one: int, into: Integers, to: int) -> None:
    """Expand one card of a rank: four states."""
    if inner == 1:
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


@part
def _pair(outer: int, inner: int, source: Integers, none: int, one: int, two: int, into: Integers, to: int) -> None:
    """Expand two cards of a rank: six states."""
    for before in range(outer):
        state = 0
        for lower in range(3):
            for higher in range(lower + 1, 4):
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


@part
def add_block(layout: Layout, table: Integers, block: int, held: Counts, first: int, unit: int) -> None:
    """Add ``unit`` for hands of a block to every set they hold.

    ``held[first:]`` says, laid out as ``layout.within``, how many of the hands added hold each set.
    """
    shape = layout.shape[block]
    for code in range(layout.codes[shape] - 1):
        at = layout.sets[block, code]
        given = first + layout.within[shape, code]
        for each in range(layout.lengths[shape, code]):
            table[np.uint64(at + each)] += unit * int(held[np.uint64(given + each)])


@part
def number_sets(layout: Layout, shape: int, starts: Integers, state: int, numbers: Integers) -> int:
    """Number all sets within one hand of a shape, and return how many there are.

    ``starts`` says where the sets of each code start.  The sets follow one another as binary numbers, a bit for each
    card, so the sign of the ``i``-th is that of ``i``'s count of ones; the last is the whole hand.
    """
    codes = layout.subset_codes[shape]
    places = layout.subset_places[layout.first_state[shape] + state]
    sets = 1 << layout.cards
    for each in range(sets):
        numbers[each] = starts[np.uint64(codes[each])] + places[each]
    return sets


@part
def add_sets(table: Integers, numbers: Integers, sets: int, unit: Any) -> None:
    """Add ``unit`` to the sets of one hand but the last, the whole hand."""
    for each in range(sets - 1):
        table[np.uint64(numbers[each])] += unit


@part
def sum_sets(table: Integers, numbers: Integers, sets: int) -> int:
    """Sum up the table for one hand."""
    total = 0
    for each in range(sets - 1):
        word = table[np.uint64(numbers[each])]
        ones = _size(each & 15) + (each >> 4)
        total += -word if ones & 1 else word
    return total
