"""Count the dealer's hands that contain a small set of cards.

A table has an entry for each set of at most as many cards as the smaller private hand has.  By inclusion and exclusion
it says how many of the hands entered have no card of one of the player's hands.

The sets of one hand are found by loops nested as deep as the largest of them, each built around the next.  These take
the arrays that they use, not all the work: the compiler then keeps them in registers.  Numbers of sets are unsigned.
"""

from typing import Any

import numpy as np

from pitboss.cards import popcount
from pitboss.contract import RuleFunction
from pitboss.engine.census_hands import list_places
from pitboss.engine.census_types import CensusArrays, NumberArray, PrivateHands
from pitboss.kernels.compile import inlined_helper
from pitboss.kernels.enumeration import IntArray


def build_keep_numbers(cards: int, largest: int) -> RuleFunction:
    """Build the function that numbers the subsets of hands.

    ``keep_numbers(work, hands, listed)``: those of more than ``largest`` cards get the number 0.
    """

    @inlined_helper
    def keep_numbers(work: CensusArrays, hands: PrivateHands, listed: int) -> None:
        places, steps = work.workspace.places, work.counting.set_steps
        for index in range(listed):
            list_places(hands.masks[index], work.counting.of_card, places)
            numbers = hands.numbers[index]
            # A subset whose highest card is ``card`` is one of the subsets of the lower cards plus this card.
            for card in range(cards):
                for subset in range(1 << card):
                    size = popcount(subset)
                    if size < largest:
                        numbers[subset | 1 << card] = numbers[subset] + steps[places[card], size]

    return keep_numbers


def _build_add_to_sets(cards: int, largest: int, size: int = 0) -> RuleFunction:
    """Build the function that adds to the entries of a hand's sets of cards.

    ``add_to_sets(table, steps, places, first, number, step)`` adds to the entry of a set of ``size`` cards, and of each
    set that this makes with cards from ``first`` on.
    """
    add_next: Any = _build_add_to_sets(cards, largest, size + 1) if size < largest else None

    @inlined_helper
    def add_to_largest(
        table: IntArray, _steps: NumberArray, _places: NumberArray, _first: int, number: Any, step: int
    ) -> None:
        table[number] += step

    @inlined_helper
    def add_to_sets(
        table: IntArray, steps: NumberArray, places: NumberArray, first: int, number: Any, step: int
    ) -> None:
        table[number] += step
        for card in range(first, cards):
            add_next(table, steps, places, card + 1, number + steps[places[card], size], step)

    return add_to_largest if add_next is None else add_to_sets


def _build_add_up_sets(cards: int, largest: int, size: int = 0) -> RuleFunction:
    """Build the function that adds up the entries of a hand's sets of cards.

    ``add_up_sets(table, steps, places, first, number) -> packed`` adds up the same entries as ``add_to_sets`` changes,
    those of sets with an odd number of cards negative.
    """
    add_next: Any = _build_add_up_sets(cards, largest, size + 1) if size < largest else None
    odd = size % 2 == 1

    @inlined_helper
    def add_up_largest(table: IntArray, _steps: NumberArray, _places: NumberArray, _first: int, number: Any) -> int:
        packed: int = -table[number] if odd else table[number]
        return packed

    @inlined_helper
    def add_up_sets(table: IntArray, steps: NumberArray, places: NumberArray, first: int, number: Any) -> int:
        packed: int = -table[number] if odd else table[number]
        for card in range(first, cards):
            packed += add_next(table, steps, places, card + 1, number + steps[places[card], size])
        return packed

    return add_up_largest if add_next is None else add_up_sets


def build_add_dealer_hand(cards: int, largest: int, *, listed: bool) -> RuleFunction:
    """Build the function that adds a hand of the dealer's to the set counts.

    ``add_dealer_hand(work, index, step)`` adds ``step`` to the packed lanes of each of its subsets.
    ``listed`` says that the numbers of the dealer's hands are kept.
    """
    add_to_sets = _build_add_to_sets(cards, largest)

    @inlined_helper
    def add_listed(work: CensusArrays, index: int, step: int) -> None:
        for subset in range(1 << cards):
            if popcount(subset) <= largest:
                work.workspace.table[work.theirs.numbers[index, subset]] += step

    @inlined_helper
    def add_other(work: CensusArrays, index: int, step: int) -> None:
        places = work.workspace.places
        list_places(work.theirs.masks[index], work.counting.of_card, places)
        add_to_sets(work.workspace.table, work.counting.set_steps, places, 0, np.uint64(0), step)

    return add_listed if listed else add_other


def build_count_lanes(cards: int, largest: int, *, listed: bool) -> RuleFunction:
    """Build the function that counts the dealer's hands against one hand.

    ``count_lanes(work, index) -> packed``: the packed lanes of a hand of the player's.
    ``listed`` says that the numbers of the player's hands are kept.
    """
    add_up_sets = _build_add_up_sets(cards, largest)

    @inlined_helper
    def count_listed(work: CensusArrays, index: int) -> int:
        packed = 0
        for subset in range(1 << cards):
            size = popcount(subset)
            if size <= largest:
                entered = int(work.workspace.table[work.mine.numbers[index, subset]])
                packed += -entered if size & 1 else entered
        return packed

    @inlined_helper
    def count_other(work: CensusArrays, index: int) -> int:
        places = work.workspace.places
        list_places(work.mine.masks[index], work.counting.of_card, places)
        packed: int = add_up_sets(work.workspace.table, work.counting.set_steps, places, 0, np.uint64(0))
        return packed

    return count_listed if listed else count_other
