"""What Bonus and Joker come to under the play of main, and what main nets beside each of their outcomes.

Both are decided by the player's five and the community cards.  Hands that the Bonus pays are the strong ones beside
their board, so the sweep keeps what each of these meets, and all hands beside a second card that is the Joker; once the
second decisions after a first card are known, the words kept are read with them.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.counting.blocks import Integers
from pitboss.counting.compile import kernel, part
from pitboss.counting.flushes import ORDINARY, Patterns
from pitboss.counting.groups import Layout
from pitboss.counting.showdown import Kept, Sorted, block_of, cards_of, lanes, made_of, state_of
from pitboss.counting.suit_orbits import exchanged_hands
from pitboss.games.wild_52 import rules
from pitboss.games.wild_52.solver.decks import Deck
from pitboss.hands import FOUR_OF_A_KIND, STRAIGHT, HandTables, get_category, load_hand_tables, pack_lowest_strength

LEAST = pack_lowest_strength(STRAIGHT)
"""The Bonus pays no hand below this."""

_LINES = rules.BONUS_LOSES
_UNKNOWN = -1
# A fact: a second Play in the lowest bit, then for how many hands one stands (up to six), then its class.
_MOST_ALIKE = 7
_WHOLE_SHIFT = 4
JOKER_SECOND = _LINES


class Sides(NamedTuple):
    """What comes of hands that play, by class up to all four suits.

    ``wholes`` gives for a class of ``Orbits`` the number of the class up to all suits.  ``totals``, shape (12, classes
    up to all suits, 2): how many ordered community cards make each paying line of the Bonus, and last how many have the
    Joker second; and what main nets beside them in units of the nets.  Both are over all hands of the class.
    ``alike``, shape (2, hands): for how many a hand of the deck stands beside a board that leaves three suits alike, or
    two; none where another stands for it.
    """

    alike: NDArray[np.int8]
    wholes: NDArray[np.int32]
    totals: Integers

    @property
    def boards(self) -> Integers:
        """The community cards of ``totals``."""
        return self.totals[:, :, 0]

    @property
    def values(self) -> Integers:
        """What main nets beside them."""
        return self.totals[:, :, 1]


class Around(NamedTuple):
    """What the hands beside a board are added up by.

    ``facts``, shape (2, hands), beside boards that leave three suits alike or two, as ``_facts`` returns them; ``nets``
    (2 raises, 6 cells); ``totals`` those of ``Sides``, which they are added to.
    """

    layout: Layout
    tables: HandTables
    options: Any
    nets: Integers
    dealers: int
    facts: NDArray[np.int32]
    totals: Integers


class Swept(NamedTuple):
    """A board swept: its fives, patterns and words kept, how many suits it has, and for how many boards it stands."""

    fives: Sorted
    patterns: Patterns
    words: Kept
    mask: int
    suits: int
    times: int
    joker_second: bool


def no_sides(deck: Deck) -> Sides:
    """Return what is to be filled, nothing yet."""
    classes = deck.orbits
    least = np.minimum(classes.hands, classes.hands[classes.classes[classes.across]].min(axis=0))
    found, wholes = np.unique(least, return_inverse=True)
    other = exchanged_hands(deck.layout, 2, 3)
    alike = np.zeros((2, len(other)), np.int8)
    alike[0, classes.hands] = classes.weights
    alike[1] = 1 + np.sign(other - np.arange(len(other)))
    return Sides(alike, wholes.astype(np.int32), np.zeros((_LINES + 1, len(found), 2), np.int64))


def add_sides(
    deck: Deck, boards: Iterable[Swept], options: Any, nets: Integers, twice: NDArray[np.bool_], into: Sides
) -> None:
    """Add what comes beside the boards of one first card with these second decisions, by class."""
    facts = _facts(into.alike, deck.orbits.classes, (into.wholes << _WHOLE_SHIFT) + twice)
    around = Around(deck.layout, load_hand_tables(), options, nets, deck.dealers, facts, into.totals)
    for board in boards:
        _add(around, board)


@kernel
def _facts(alike: NDArray[np.int8], classes: NDArray[np.int32], numbers: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return by hand, beside both sorts of boards, its class, what it does, and for how many it stands (none: 0)."""
    facts = np.zeros(alike.shape, np.int32)
    for suits in range(2):
        for hand in range(len(classes)):
            if alike[suits, hand]:
                facts[suits, hand] = numbers[np.uint64(classes[hand])] + (alike[suits, hand] << 1)
    return facts


@kernel
def _add(around: Around, board: Swept) -> None:
    """Add what comes beside one board."""
    _add_blocks(around, board)
    _add_flushes(around, board)


@part
def _add_blocks(around: Around, board: Swept) -> None:
    layout, facts = around.layout, around.facts[board.suits - 1]
    at = 0
    for word in board.fives.blocks:
        made, block = made_of(word), block_of(word)
        if made < board.words.least:
            continue
        first = board.patterns.first_hand[board.fives.patterns[block]]
        start = layout.start[block]
        line = _UNKNOWN
        for state in range(layout.start[block + 1] - start):
            fact = facts[np.uint64(start + state)]
            if fact == 0 or board.patterns.hands[np.uint64(first + state)] != ORDINARY:
                continue
            if line == _UNKNOWN:
                line = rules.bonus_of(around.tables, cards_of(layout, block, state) | board.mask, around.options)
            _book(around, board, made, line, fact, board.words.blocks[np.uint64(at + state)])
        at += layout.start[block + 1] - start


@part
def _add_flushes(around: Around, board: Swept) -> None:
    layout, facts = around.layout, around.facts[board.suits - 1]
    made, line = _UNKNOWN, _UNKNOWN
    for place in range(len(board.fives.flushes)):
        word = board.fives.flushes[np.uint64(place)]
        block, state = block_of(word), state_of(word)
        fact = facts[np.uint64(layout.start[np.uint64(block)] + state)]
        if fact == 0:
            continue
        # Below four of a kind the line is a matter of the strength; above, of the Joker's part in it too.
        if made_of(word) != made or get_category(made) >= FOUR_OF_A_KIND:
            made = made_of(word)
            line = rules.bonus_of(around.tables, cards_of(layout, block, state) | board.mask, around.options)
        _book(around, board, made, line, fact, board.words.flushes[np.uint64(place)])


@part
def _book(around: Around, board: Swept, made: int, line: int, fact: int, word: int) -> None:
    """Add what a hand of this strength and line nets against all dealers beside its board."""
    below, up_to, unqualified = lanes(word)
    nets, raised, dealers = around.nets, fact & 1, around.dealers
    if made >= around.options.dealer_qualifies:
        net = nets[raised, 0] * (below - unqualified) + nets[raised, 3] * unqualified
        net += nets[raised, 1] * (up_to - below) + nets[raised, 2] * (dealers - up_to)
    else:
        net = nets[raised, 5] * (unqualified - up_to) + nets[raised, 2] * (dealers - unqualified)
        net += nets[raised, 3] * below + nets[raised, 4] * (up_to - below)
    whole, boards = np.uint64(fact >> _WHOLE_SHIFT), (fact >> 1 & _MOST_ALIKE) * board.times
    if line < _LINES:
        around.totals[line, whole, 0] += boards
        around.totals[line, whole, 1] += boards * net
    if board.joker_second:
        around.totals[JOKER_SECOND, whole, 0] += boards
        around.totals[JOKER_SECOND, whole, 1] += boards * net
