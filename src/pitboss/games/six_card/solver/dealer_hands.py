"""The dealer's completions of three exposed cards.

As hands are taken by rising strength, the completions pass from stronger to equal to weaker.

An entry of the tables (``kernels.disjoint_weights``) counts them in two words:

             bit 32 and above                      bits 0 to 31
    first    the gain of a play over a fold        completions that do not qualify
    second   completions not stronger than hand    completions weaker than the hand
"""

from typing import Any, NamedTuple

import numpy as np

from pitboss.cards import SUIT_COUNT, get_suit_ranks, popcount
from pitboss.core.rule import rule
from pitboss.games.six_card.rules import SixCardOptions, rank_hand, settle_main
from pitboss.games.six_card.solver.disjoint_weights import (
    DRAWN,
    ENTRIES,
    MAX_SETS,
    MAX_TOUCHED,
    MIXED,
    PLAIN,
    PURE,
    PartsWorkspace,
    list_drawn_sets,
    list_touched,
    make_drawn_mask,
    make_workspace,
)
from pitboss.games.six_card.solver.hand_classes import NO_SUIT, LiveCards
from pitboss.hands import NO_HAND, HandTables
from pitboss.kernels.compile import kernel_helper, no_alloc_kernel
from pitboss.kernels.enumeration import IntArray

UPPER_UNIT = 1 << 32


class DealerCompletions(NamedTuple):
    """The dealer's completions of three exposed cards.

    ``order`` sorts them by strength, ``starts`` is where their table entries begin.
    """

    strengths: IntArray
    order: IntArray
    starts: IntArray
    addresses: IntArray
    multiplicities: IntArray
    kind_count: int


@rule
def find_flush_suit(board: int) -> int:
    """Return the suit in which the dealer can make a flush, or ``NO_SUIT``.

    It is the suit of two or three of the exposed cards.
    """
    for each in range(SUIT_COUNT):
        if popcount(get_suit_ranks(board, each)) >= 2:
            return each
    return NO_SUIT


def find_difference_mode(board: int) -> int:
    """Return to which completions the suit can matter.

    It matters to none, to those all of the suit, or to those with two cards of it.
    """
    each = find_flush_suit(board)
    if each == NO_SUIT:
        return PLAIN
    return PURE if popcount(get_suit_ranks(board, each)) == 2 else MIXED


def make_completions(tables: HandTables, options: SixCardOptions, board: int, live: LiveCards) -> DealerCompletions:
    """Evaluate the dealer's completions of a board, one of each kind."""
    sets = np.zeros((MAX_SETS, DRAWN), np.int64)
    kinds = list_drawn_sets(live, sets)
    strengths, order, starts = (np.zeros(length, np.int64) for length in (kinds, kinds, kinds + 1))
    addresses, multiplicities = np.empty(MAX_TOUCHED, np.int64), np.empty(MAX_TOUCHED, np.int64)
    completions = DealerCompletions(strengths, order, starts, addresses, multiplicities, kinds)
    _fill_completions(tables, options, board, live, sets, find_difference_mode(board), make_workspace(), completions)
    return completions


@no_alloc_kernel
def _fill_completions(
    tables: HandTables,
    options: SixCardOptions,
    board: int,
    live: LiveCards,
    sets: IntArray,
    difference_mode: int,
    pieces: PartsWorkspace,
    completions: DealerCompletions,
) -> None:
    """Evaluate each kind of completion and list the table entries it touches."""
    for kind in range(completions.kind_count):
        completions.strengths[kind] = rank_hand(tables, board | make_drawn_mask(sets[kind], live), options)
        used = completions.starts[kind]
        completions.starts[kind + 1] = list_touched(
            sets[kind], live, difference_mode, completions.addresses, completions.multiplicities, used, pieces
        )
    _shell_sort(completions.strengths, completions.order)


@kernel_helper
def _shell_sort(strengths: IntArray, order: IntArray) -> None:
    """Fill ``order`` with the indices of rising strengths.

    This is Shell sort, which compiles faster than Numba's sort.
    """
    for place in range(len(order)):
        order[place] = place
    gap = 1
    while 3 * gap < len(order):
        gap = 3 * gap + 1
    while gap:
        for place in range(gap, len(order)):
            moved, to = order[place], place
            while to >= gap and strengths[order[to - gap]] > strengths[moved]:
                order[to] = order[to - gap]
                to -= gap
            order[to] = moved
        gap //= 3


@kernel_helper
def _add_to_entries(completions: DealerCompletions, kind: int, table: Any, first: int, second: int) -> None:
    """Add to both words of every entry that the completions of a kind touch."""
    for entry in range(completions.starts[kind], completions.starts[kind + 1]):
        table[completions.addresses[entry], 0] += completions.multiplicities[entry] * first
        table[completions.addresses[entry], 1] += completions.multiplicities[entry] * second


@kernel_helper
def _get_gain(gains: IntArray, mine: int, theirs: int, options: SixCardOptions) -> int:
    """Return what a played hand nets beyond a fold."""
    return int(gains[settle_main(mine, theirs, options)])


@kernel_helper
def advance_to(
    completions: DealerCompletions,
    table: Any,
    gains: IntArray,
    options: SixCardOptions,
    strength: int,
    weaker: int,
    equal: int,
) -> tuple[int, int]:
    """Advance the completions to a hand of ``strength``.

    Return the new ``weaker`` and ``equal``.  The first ``weaker`` completions in order are already counted as weaker,
    those from there up to ``equal`` as tied.
    """
    while weaker < completions.kind_count and completions.strengths[completions.order[weaker]] < strength:
        kind = completions.order[weaker]
        theirs = completions.strengths[kind]
        ahead = _get_gain(gains, theirs + 1, theirs, options)
        if weaker < equal:
            _add_to_entries(completions, kind, table, (ahead - _get_gain(gains, theirs, theirs, options)) << 32, 1)
        else:
            _add_to_entries(
                completions, kind, table, (ahead - _get_gain(gains, NO_HAND, theirs, options)) << 32, UPPER_UNIT | 1
            )
        weaker += 1
    equal = max(weaker, equal)
    while equal < completions.kind_count and completions.strengths[completions.order[equal]] == strength:
        gain = _get_gain(gains, strength, strength, options) - _get_gain(gains, NO_HAND, strength, options)
        _add_to_entries(completions, completions.order[equal], table, gain << 32, UPPER_UNIT)
        equal += 1
    return weaker, equal


def make_initial_table(completions: DealerCompletions, options: SixCardOptions, gains: IntArray) -> Any:
    """Return the tables for a hand that is weaker than all completions."""
    table = np.zeros((ENTRIES, 2), np.int64)
    _fill_initial_table(completions, options, gains, table)
    return table


@no_alloc_kernel
def _fill_initial_table(completions: DealerCompletions, options: SixCardOptions, gains: IntArray, table: Any) -> None:
    for kind in range(completions.kind_count):
        theirs = completions.strengths[kind]
        not_qualified = 1 - (settle_main(theirs, theirs, options) & 1)
        _add_to_entries(completions, kind, table, (_get_gain(gains, NO_HAND, theirs, options) << 32) + not_qualified, 0)
