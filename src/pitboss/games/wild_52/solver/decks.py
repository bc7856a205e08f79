"""The deck of Wild 52 as its solver numbers it, and which outcome a showdown is."""

from collections.abc import Sequence
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.counting.blocks import Integers
from pitboss.counting.compile import kernel
from pitboss.counting.groups import Layout, layout
from pitboss.counting.showdown import cards_of
from pitboss.counting.suit_orbits import Orbits, orbits
from pitboss.games.wild_52 import rules

RANKS = range(13)
JOKER = 52
CELLS = 6
"""Cells of a showdown: win, tie, lose against a qualified dealer, then against one who is not."""


class Deck(NamedTuple):
    """Four suits of some ranks and a Joker: what of it lies in a round of one seat."""

    layout: Layout
    orbits: Orbits
    masks: Integers
    cards: int

    @property
    def dealers(self) -> int:
        """How many hands the dealer may hold beside seven cards."""
        return comb(self.cards - 7, 5)

    @property
    def showdowns(self) -> int:
        """How many second community cards and dealer's hands may follow the first community card."""
        return (self.cards - 6) * self.dealers

    @property
    def rounds(self) -> int:
        """How many community cards, in their order, and dealer's hands may follow the player's five."""
        return (self.cards - 5) * self.showdowns


def deck_of(ranks: Sequence[int]) -> Deck:
    """Return a deck and the classes of its fives."""
    numbered = layout(ranks)
    classes = orbits(numbered)
    return Deck(numbered, classes, masks_of(numbered, classes.hands), 4 * len(ranks) + 1)


@kernel
def masks_of(layout: Layout, hands: NDArray[np.int32]) -> Integers:
    """Return the cards of hands, which rise, of a layout."""
    masks = np.empty(len(hands), np.int64)
    block = 0
    for each in range(len(hands)):
        while layout.start[block + 1] <= hands[each]:
            block += 1
        masks[each] = cards_of(layout, block, hands[each] - layout.start[block])
    return masks


def outcome_of_cells(options: Any) -> Integers:
    """Return the outcome of each cell, shape (2 raises, 6 cells), from the rule that compares two hands."""
    lowest = options.dealer_qualifies
    cells = [(dealer, mine) for dealer in (lowest, lowest - 1) for mine in (dealer + 1, dealer, dealer - 1)]
    return np.array(
        [[rules.main_outcome(mine, dealer, raised, options) for dealer, mine in cells] for raised in (0, 1)], np.int64
    )
