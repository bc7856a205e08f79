"""Find the hands of a block that hold a board card or make a flush with it.

With a board, all hands of one multiset of ranks have one strength, except those with five or more cards of a suit,
counting the board's cards and a Joker in every suit.  Which hands these are depends on suits alone: on the hand's
shape, on the suits of the board, and on which of the hand's groups, if any, have the ranks of the board's cards.  So
one *pattern* serves all blocks and boards that share these.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.games.wild_52.solver.disjoint_counts import number_sets
from pitboss.games.wild_52.solver.hand_layout import JOKER_KIND, HandLayout, SetCounts
from pitboss.kernels.compile import kernel, kernel_helper
from pitboss.kernels.enumeration import IntArray

HandKinds = NDArray[np.int8]

_PLACES = 6

IMPOSSIBLE, ORDINARY, FLUSH = 0, 1, 2
"""A hand in a pattern: it holds a card of the board, it has the block's strength, or it makes a flush."""


class FlushPatterns(NamedTuple):
    """Patterns of one kind of board, numbered by ``find_pattern``.

    Numbers of hands fit 16 bits.

    ``kinds[first_hand[pattern]:]`` classifies each hand of a block, ``flushes[pattern]`` is the number of flushes, and
    ``counts[first_count[pattern]:]``, laid out as ``HandLayout.code_starts``, has how many ordinary hands hold each
    set.
    """

    kinds: HandKinds
    first_hand: IntArray
    counts: SetCounts
    first_count: IntArray
    flushes: IntArray


@kernel_helper
def find_pattern(layout: HandLayout, block: int, board: IntArray) -> Any:
    """Return the number of the pattern of a block with the board.

    ``board`` has the slots of its two cards.
    """
    # 0 stands for a rank that no group has, else the group's number plus 1: six places for each of the two cards.
    first, second = 0, 0
    for group in range(_PLACES - 1):
        slot = layout.slots[block, group]
        if slot == board[0]:
            first = group + 1
        if slot == board[1]:
            second = group + 1
    return (layout.shape[block] * _PLACES + first) * _PLACES + second


def make_patterns(layout: HandLayout, board: tuple[int, int]) -> FlushPatterns:
    """Build all patterns for a board of two cards of these suits.

    A suit is 0..3, or -1 for a Joker.
    """
    shapes = np.repeat(np.arange(len(layout.kinds)), _PLACES * _PLACES)
    hands = layout.lengths[shapes, layout.codes[shapes] - 1]
    sets = layout.code_starts[shapes, layout.codes[shapes] - 1]
    patterns = FlushPatterns(
        kinds=np.zeros(hands.sum(), np.int8),
        first_hand=np.cumsum(hands) - hands,
        counts=np.zeros(sets.sum(), np.int16),
        first_count=np.cumsum(sets) - sets,
        flushes=np.zeros(len(shapes), np.int64),
    )
    _fill_patterns(layout, np.array(board, np.int64), patterns)
    return patterns


@kernel
def _fill_patterns(layout: HandLayout, board: IntArray, patterns: FlushPatterns) -> None:
    numbers = np.zeros(32, np.int64)
    for pattern in range(len(patterns.flushes)):
        shape = pattern // (_PLACES * _PLACES)
        first, second = pattern // _PLACES % _PLACES - 1, pattern % _PLACES - 1
        kinds = layout.kinds[shape]
        whole = layout.codes[shape] - 1
        starts = layout.code_starts[shape] + patterns.first_count[pattern]
        for state in range(layout.lengths[shape, whole]):
            hand_kind = _classify_hand(kinds, layout.suits[layout.first_state[shape] + state], board, first, second)
            patterns.kinds[patterns.first_hand[pattern] + state] = hand_kind
            if hand_kind == FLUSH:
                patterns.flushes[pattern] += 1
            elif hand_kind == ORDINARY:
                sets = number_sets(layout, shape, starts, state, numbers)
                for each in range(sets - 1):
                    patterns.counts[numbers[each]] += 1


@kernel_helper
def _classify_hand(kinds: IntArray, suits: int, board: IntArray, first: int, second: int) -> int:
    """Classify one hand.

    ``first`` and ``second`` are the groups of the ranks of the board's cards, -1 for none.
    """
    # A group of a board card's rank holds that very card if it is the Joker or has the card's suit.
    for card, group in ((board[0], first), (board[1], second)):
        if group >= 0 and (card < 0 or suits >> 4 * group + card & 1):
            return IMPOSSIBLE
    # A card of the board counts in its suit, a Joker (-1) in every suit, and so does a Joker in the hand.
    for suit in range(4):
        count = 0
        for card in board:
            count += 1 if card < 0 or card == suit else 0
        for group in range(_PLACES - 1):
            if kinds[group] == JOKER_KIND or (kinds[group] and suits >> 4 * group + suit & 1):
                count += 1
        if count >= 5:
            return FLUSH
    return ORDINARY
