"""Sets of cards up to an exchange of suits: one of each kind, and how many there are of it.

No rule of poker prefers a suit, so what is true of a set of cards is true of all it becomes when suits change
places.  Three exposed cards are 22,100 sets, but 1,755 up to suits.
"""

from collections.abc import Sequence
from itertools import combinations, permutations
from typing import Any

import numpy as np

from pitboss.cards import SUITS, suit
from pitboss.core.rule import rule
from pitboss.counting.blocks import Integers


@rule
def exchanged(mask: Any, order: Any) -> Any:
    """Return the set with suit ``order[i]`` in the place of suit ``i``; Jokers are dropped.

    >>> bin(exchanged(0b101, (1, 0, 2, 3))) == bin(0b101 << 13)
    True
    """
    return suit(mask, order[0]) | suit(mask, order[1]) << 13 | suit(mask, order[2]) << 26 | suit(mask, order[3]) << 39


def exchanges(deck: int) -> Integers:
    """Return the exchanges of suits that leave the set ``deck`` as it is, shape (exchanges, 4), the identity first."""
    return np.array([order for order in permutations(range(SUITS)) if exchanged(deck, order) == deck], np.int64)


def sets_up_to_suits(deck: Sequence[int], cards: int) -> tuple[Integers, Integers]:
    """Return one set of ``cards`` natural cards of each kind, and how many sets of ``deck`` are of that kind.

    Two sets are of one kind if an exchange of suits that leaves the deck as it is makes one of the other.
    """
    masks = np.array([sum(1 << card for card in held) for held in combinations(deck, cards)], np.int64)
    images = [exchanged(masks, order) for order in exchanges(sum(1 << card for card in deck))]
    kinds, weights = np.unique(np.min(images, axis=0), return_counts=True)
    return kinds, weights.astype(np.int64)
