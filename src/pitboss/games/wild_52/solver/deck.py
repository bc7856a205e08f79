"""Number the deck of Wild 52 for its solver, and map showdowns to outcomes."""

from collections.abc import Sequence
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.games.wild_52 import rules
from pitboss.games.wild_52.solver.census import get_cards
from pitboss.games.wild_52.solver.hand_layout import HandLayout, make_layout
from pitboss.games.wild_52.solver.suit_orbits import SuitOrbits, compute_orbits
from pitboss.kernels.compile import kernel
from pitboss.kernels.enumeration import IntArray

RANKS = range(13)
JOKER = 52
CELLS = 6
"""Cells of a showdown: win, tie, lose against a qualified dealer, then against one who is not."""


class JokerDeck(NamedTuple):
    """A deck of four suits of some ranks and a Joker.

    It has the numbers of hands and boards in a round of one seat.
    """

    layout: HandLayout
    orbits: SuitOrbits
    masks: IntArray
    cards: int

    @property
    def dealer_hands(self) -> int:
        """The number of hands that the dealer may hold given the other seven cards."""
        return comb(self.cards - 7, 5)

    @property
    def showdowns(self) -> int:
        """The number of second cards and dealer's hands that may follow the first card."""
        return (self.cards - 6) * self.dealer_hands

    @property
    def rounds(self) -> int:
        """The number of ordered boards and dealer's hands that may follow the five."""
        return (self.cards - 5) * self.showdowns


def build_deck(ranks: Sequence[int]) -> JokerDeck:
    """Build a deck and the classes of its fives."""
    layout = make_layout(ranks)
    classes = compute_orbits(layout)
    return JokerDeck(layout, classes, compute_masks(layout, classes.representatives), 4 * len(ranks) + 1)


@kernel
def compute_masks(layout: HandLayout, hands: NDArray[np.int32]) -> IntArray:
    """Compute the card sets of hands, in ascending order, of a layout."""
    masks = np.empty(len(hands), np.int64)
    block = 0
    for each in range(len(hands)):
        while layout.block_starts[block + 1] <= hands[each]:
            block += 1
        masks[each] = get_cards(layout, block, hands[each] - layout.block_starts[block])
    return masks


def map_cells_to_outcomes(options: Any) -> IntArray:
    """Compute the outcome of each cell, shape (2 raises, 6 cells).

    It comes from the rule that compares two hands.
    """
    lowest = options.dealer_qualifies
    cells = [(dealer, mine) for dealer in (lowest, lowest - 1) for mine in (dealer + 1, dealer, dealer - 1)]
    return np.array(
        [[rules.settle_main(mine, dealer, raised, options) for dealer, mine in cells] for raised in (0, 1)], np.int64
    )
