"""What Bonus and Joker come to under the play of main, and what main nets beside each of their outcomes.

Both are decided by the player's five and the community cards.  Hands that the Bonus pays are the strong ones beside
their board, so the sweep keeps what each of these meets, and all hands beside a second card that is the Joker; once the
second decisions after a first card are known, the words kept are read with them.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.games.wild_52 import rules
from pitboss.games.wild_52.solver.deck import JokerDeck
from pitboss.hands import FOUR_OF_A_KIND, STRAIGHT, HandTables, get_category, load_hand_tables, pack_lowest_strength
from pitboss.kernels.compile import kernel, kernel_helper
from pitboss.kernels.enumeration import IntArray
from pitboss.kernels.flush_patterns import ORDINARY, FlushPatterns
from pitboss.kernels.hand_layout import HandLayout
from pitboss.kernels.showdown_census import (
    KeptCounts,
    SortedHands,
    get_block,
    get_cards,
    get_state,
    get_strength,
    split_lanes,
)
from pitboss.kernels.suit_orbits import swap_suits

LOWEST_PAID = pack_lowest_strength(STRAIGHT)
"""The Bonus pays no hand below this."""

_LINES = rules.BONUS_LOSES
_UNKNOWN = -1
# A fact: a second Play in the lowest bit, then for how many hands one stands (up to six), then its class.
_MULTIPLICITY_MASK = 7
_CLASS_SHIFT = 4
JOKER_SECOND = _LINES


class SideTotals(NamedTuple):
    """What comes of hands that play, by class up to all four suits.

    ``full_classes`` gives for a class of ``SuitOrbits`` the number of the class up to all suits.  ``totals``, shape
    (12, classes up to all suits, 2): how many ordered community cards make each paying line of the Bonus, and last how
    many have the Joker second; and what main nets beside them in units of the nets.  Both are over all hands of the
    class. ``multiplicity``, shape (2, hands): for how many a hand of the deck stands beside a board that leaves three
    suits alike, or two; none where another stands for it.
    """

    multiplicity: NDArray[np.int8]
    full_classes: NDArray[np.int32]
    totals: IntArray

    @property
    def boards(self) -> IntArray:
        """The community cards of ``totals``."""
        return self.totals[:, :, 0]

    @property
    def values(self) -> IntArray:
        """What main nets beside them."""
        return self.totals[:, :, 1]


class SideContext(NamedTuple):
    """What the hands beside a board are added up by.

    ``facts``, shape (2, hands), beside boards that leave three suits alike or two, as ``_pack_facts`` returns them;
    ``nets`` (2 raises, 6 cells); ``totals`` those of ``SideTotals``, which they are added to.
    """

    layout: HandLayout
    tables: HandTables
    options: Any
    nets: IntArray
    dealers: int
    facts: NDArray[np.int32]
    totals: IntArray


class SweptBoard(NamedTuple):
    """A board swept: its fives, patterns and words kept, how many suits it has, and for how many boards it stands."""

    fives: SortedHands
    patterns: FlushPatterns
    words: KeptCounts
    mask: int
    suits: int
    multiplicity: int
    joker_second: bool


def make_side_totals(deck: JokerDeck) -> SideTotals:
    """Return what is to be filled, nothing yet."""
    classes = deck.orbits
    least = np.minimum(
        classes.representatives, classes.representatives[classes.classes[classes.first_swaps]].min(axis=0)
    )
    found, wholes = np.unique(least, return_inverse=True)
    other = swap_suits(deck.layout, 2, 3)
    alike = np.zeros((2, len(other)), np.int8)
    alike[0, classes.representatives] = classes.weights
    alike[1] = 1 + np.sign(other - np.arange(len(other)))
    return SideTotals(alike, wholes.astype(np.int32), np.zeros((_LINES + 1, len(found), 2), np.int64))


def add_side_totals(
    deck: JokerDeck,
    boards: Iterable[SweptBoard],
    options: Any,
    nets: IntArray,
    twice: NDArray[np.bool_],
    side_totals: SideTotals,
) -> None:
    """Add what comes beside the boards of one first card with these second decisions, by class."""
    facts = _pack_facts(
        side_totals.multiplicity, deck.orbits.classes, (side_totals.full_classes << _CLASS_SHIFT) + twice
    )
    around = SideContext(deck.layout, load_hand_tables(), options, nets, deck.dealers, facts, side_totals.totals)
    for board in boards:
        _add_board(around, board)


@kernel
def _pack_facts(
    multiplicity: NDArray[np.int8], classes: NDArray[np.int32], numbers: NDArray[np.int32]
) -> NDArray[np.int32]:
    """Return by hand, beside both sorts of boards, its class, what it does, and for how many it stands (none: 0)."""
    facts = np.zeros(multiplicity.shape, np.int32)
    for suits in range(2):
        for hand in range(len(classes)):
            if multiplicity[suits, hand]:
                facts[suits, hand] = numbers[np.uint64(classes[hand])] + (multiplicity[suits, hand] << 1)
    return facts


@kernel
def _add_board(context: SideContext, board: SweptBoard) -> None:
    """Add what comes beside one board."""
    _add_blocks(context, board)
    _add_flushes(context, board)


@kernel_helper
def _add_blocks(context: SideContext, board: SweptBoard) -> None:
    layout, facts = context.layout, context.facts[board.suits - 1]
    at = 0
    for word in board.fives.blocks:
        made, block = get_strength(word), get_block(word)
        if made < board.words.min_strength:
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
            _add_hand(context, board, made, line, fact, board.words.blocks[np.uint64(at + state)])
        at += layout.block_starts[block + 1] - start


@kernel_helper
def _add_flushes(context: SideContext, board: SweptBoard) -> None:
    layout, facts = context.layout, context.facts[board.suits - 1]
    made, line = _UNKNOWN, _UNKNOWN
    for place in range(len(board.fives.flushes)):
        word = board.fives.flushes[np.uint64(place)]
        block, state = get_block(word), get_state(word)
        fact = facts[np.uint64(layout.block_starts[np.uint64(block)] + state)]
        if fact == 0:
            continue
        # Below four of a kind the line is a matter of the strength; above, of the Joker's part in it too.
        if get_strength(word) != made or get_category(made) >= FOUR_OF_A_KIND:
            made = get_strength(word)
            line = rules.settle_bonus(context.tables, get_cards(layout, block, state) | board.mask, context.options)
        _add_hand(context, board, made, line, fact, board.words.flushes[np.uint64(place)])


@kernel_helper
def _add_hand(context: SideContext, board: SweptBoard, made: int, line: int, fact: int, word: int) -> None:
    """Add what a hand of this strength and line nets against all dealers beside its board."""
    below, up_to, unqualified = split_lanes(word)
    nets, raised, dealers = context.nets, fact & 1, context.dealers
    if made >= context.options.dealer_qualifies:
        net = nets[raised, 0] * (below - unqualified) + nets[raised, 3] * unqualified
        net += nets[raised, 1] * (up_to - below) + nets[raised, 2] * (dealers - up_to)
    else:
        net = nets[raised, 5] * (unqualified - up_to) + nets[raised, 2] * (dealers - unqualified)
        net += nets[raised, 3] * below + nets[raised, 4] * (up_to - below)
    whole, boards = np.uint64(fact >> _CLASS_SHIFT), (fact >> 1 & _MULTIPLICITY_MASK) * board.multiplicity
    if line < _LINES:
        context.totals[line, whole, 0] += boards
        context.totals[line, whole, 1] += boards * net
    if board.joker_second:
        context.totals[JOKER_SECOND, whole, 0] += boards
        context.totals[JOKER_SECOND, whole, 1] += boards * net
