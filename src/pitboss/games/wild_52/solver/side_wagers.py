"""Count Bonus and Joker under the play of main, with main's net by outcome.

Both are decided by the player's five and the community cards.  The Bonus pays hands that are strong with their board,
so the sweep stores the counts of these hands, and of all hands where the second card is the Joker.  Once the second
decisions after a first card are known, the stored words are read with them.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.games.wild_52 import rules
from pitboss.games.wild_52.solver.census import (
    KeptCounts,
    SortedHands,
    get_block,
    get_cards,
    get_state,
    get_strength,
    split_lanes,
)
from pitboss.games.wild_52.solver.deck import JokerDeck
from pitboss.games.wild_52.solver.flush_patterns import ORDINARY, FlushPatterns
from pitboss.games.wild_52.solver.hand_layout import HandLayout
from pitboss.games.wild_52.solver.suit_orbits import swap_suits
from pitboss.hands import FOUR_OF_A_KIND, STRAIGHT, HandTables, get_category, load_hand_tables, pack_lowest_strength
from pitboss.kernels.compile import kernel, kernel_helper
from pitboss.kernels.enumeration import IntArray

LOWEST_PAID = pack_lowest_strength(STRAIGHT)
"""The Bonus pays no hand below this."""

_LINES = rules.BONUS_LOSES
_UNKNOWN = -1
# A fact about a hand: a second Play (bit 0), the number of hands it stands for, up to six (bits 1-3), its class (bits
# 4 and up).
_MULTIPLICITY_MASK = 7
_CLASS_SHIFT = 4
JOKER_SECOND = _LINES


class SideTotals(NamedTuple):
    """Totals of hands that play, by class up to all four suits.

    ``full_classes`` maps a class of ``SuitOrbits`` to the number of the class up to all suits.  ``totals``, shape
    (12, classes up to all suits, 2), has for each paying line of the Bonus, and last for a second card that is the
    Joker, the number of ordered community cards and main's net with them in units of the nets, over all hands of the
    class.  ``multiplicity``, shape (2, hands), is the number of hands that a hand stands for with a board that leaves
    three suits alike, or two; 0 where another hand stands for it.
    """

    multiplicity: NDArray[np.int8]
    full_classes: NDArray[np.int32]
    totals: IntArray

    @property
    def boards(self) -> IntArray:
        """The numbers of community cards in ``totals``."""
        return self.totals[:, :, 0]

    @property
    def values(self) -> IntArray:
        """Main's nets in ``totals``."""
        return self.totals[:, :, 1]


class SideContext(NamedTuple):
    """What is needed to add up the hands of a board.

    ``facts``, shape (2, hands), are those of ``_pack_facts``, for boards that leave three suits alike, or two.
    ``nets`` has shape (2 raises, 6 cells).  The sums are added to ``totals``, as in ``SideTotals``.
    """

    layout: HandLayout
    tables: HandTables
    options: Any
    nets: IntArray
    dealer_hands: int
    facts: NDArray[np.int32]
    totals: IntArray


class SweptBoard(NamedTuple):
    """A swept board, and the boards it stands for.

    It has its fives, patterns and stored words, and its number of suits.
    """

    fives: SortedHands
    patterns: FlushPatterns
    words: KeptCounts
    mask: int
    suits: int
    multiplicity: int
    joker_second: bool


def make_side_totals(deck: JokerDeck) -> SideTotals:
    """Make the totals of a deck, all zero."""
    classes = deck.orbits
    lowest_hands = np.minimum(
        classes.representatives, classes.representatives[classes.classes[classes.first_swaps]].min(axis=0)
    )
    distinct, full_classes = np.unique(lowest_hands, return_inverse=True)
    swapped = swap_suits(deck.layout, 2, 3)
    multiplicity = np.zeros((2, len(swapped)), np.int8)
    multiplicity[0, classes.representatives] = classes.weights
    multiplicity[1] = 1 + np.sign(swapped - np.arange(len(swapped)))
    return SideTotals(multiplicity, full_classes.astype(np.int32), np.zeros((_LINES + 1, len(distinct), 2), np.int64))


def add_side_totals(
    deck: JokerDeck,
    boards: Iterable[SweptBoard],
    options: Any,
    nets: IntArray,
    twice: NDArray[np.bool_],
    side_totals: SideTotals,
) -> None:
    """Add the totals by class of the boards of one first card.

    ``twice`` has the second decisions with this card.
    """
    facts = _pack_facts(
        side_totals.multiplicity, deck.orbits.classes, (side_totals.full_classes << _CLASS_SHIFT) + twice
    )
    context = SideContext(deck.layout, load_hand_tables(), options, nets, deck.dealer_hands, facts, side_totals.totals)
    for board in boards:
        _add_board(context, board)


@kernel
def _pack_facts(
    multiplicity: NDArray[np.int8], classes: NDArray[np.int32], numbers: NDArray[np.int32]
) -> NDArray[np.int32]:
    """Pack the facts of every hand, for both sorts of boards.

    They are 0 where another hand stands for it.
    """
    facts = np.zeros(multiplicity.shape, np.int32)
    for suits in range(2):
        for hand in range(len(classes)):
            if multiplicity[suits, hand]:
                facts[suits, hand] = numbers[np.uint64(classes[hand])] + (multiplicity[suits, hand] << 1)
    return facts


@kernel
def _add_board(context: SideContext, board: SweptBoard) -> None:
    """Add the totals of one board."""
    _add_blocks(context, board)
    _add_flushes(context, board)


@kernel_helper
def _add_blocks(context: SideContext, board: SweptBoard) -> None:
    layout, facts = context.layout, context.facts[board.suits - 1]
    block_offset = 0
    for word in board.fives.blocks:
        strength, block = get_strength(word), get_block(word)
        if strength < board.words.min_strength:
            continue
        first = board.patterns.first_hand[board.fives.patterns[block]]
        start = layout.block_starts[block]
        line = _UNKNOWN
        for state in range(layout.block_starts[block + 1] - start):
            fact = facts[np.uint64(start + state)]
            if fact == 0 or board.patterns.kinds[np.uint64(first + state)] != ORDINARY:
                continue
            if line == _UNKNOWN:
                line = rules.settle_bonus(context.tables, get_cards(layout, block, state) | board.mask, context.options)
            _add_hand(context, board, strength, line, fact, board.words.blocks[np.uint64(block_offset + state)])
        block_offset += layout.block_starts[block + 1] - start


@kernel_helper
def _add_flushes(context: SideContext, board: SweptBoard) -> None:
    layout, facts = context.layout, context.facts[board.suits - 1]
    strength, line = _UNKNOWN, _UNKNOWN
    for place in range(len(board.fives.flushes)):
        word = board.fives.flushes[np.uint64(place)]
        block, state = get_block(word), get_state(word)
        fact = facts[np.uint64(layout.block_starts[np.uint64(block)] + state)]
        if fact == 0:
            continue
        # Below four of a kind the strength decides the line; from there on it also depends on the Joker's part.
        if get_strength(word) != strength or get_category(strength) >= FOUR_OF_A_KIND:
            strength = get_strength(word)
            line = rules.settle_bonus(context.tables, get_cards(layout, block, state) | board.mask, context.options)
        _add_hand(context, board, strength, line, fact, board.words.flushes[np.uint64(place)])


@kernel_helper
def _add_hand(context: SideContext, board: SweptBoard, strength: int, line: int, fact: int, word: int) -> None:
    """Add the net of a hand against all dealers with its board."""
    below, up_to, unqualified = split_lanes(word)
    nets, is_raised_twice, dealer_hands = context.nets, fact & 1, context.dealer_hands
    if strength >= context.options.dealer_qualifies:
        net = nets[is_raised_twice, 0] * (below - unqualified) + nets[is_raised_twice, 3] * unqualified
        net += nets[is_raised_twice, 1] * (up_to - below) + nets[is_raised_twice, 2] * (dealer_hands - up_to)
    else:
        net = nets[is_raised_twice, 5] * (unqualified - up_to) + nets[is_raised_twice, 2] * (dealer_hands - unqualified)
        net += nets[is_raised_twice, 3] * below + nets[is_raised_twice, 4] * (up_to - below)
    full_class, boards = np.uint64(fact >> _CLASS_SHIFT), (fact >> 1 & _MULTIPLICITY_MASK) * board.multiplicity
    if line < _LINES:
        context.totals[line, full_class, 0] += boards
        context.totals[line, full_class, 1] += boards * net
    if board.joker_second:
        context.totals[JOKER_SECOND, full_class, 0] += boards
        context.totals[JOKER_SECOND, full_class, 1] += boards * net
