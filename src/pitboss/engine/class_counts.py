"""Count the dealer's hands against others by classes of sets, up to suits.

A table has a row for each class of small sets: how many of the hands entered contain a set of the class, summed over
the sets of the class.  By inclusion and exclusion over the subsets of a set, with each row divided by the size of its
class, this tells how many of these hands share no card with it.
"""

from typing import NamedTuple

import numpy as np

from pitboss.cards import popcount
from pitboss.engine.census_types import BELOW, EQUAL, TOTAL
from pitboss.kernels.class_numbering import ClassNumbers, number_class
from pitboss.kernels.compile import kernel_helper
from pitboss.kernels.enumeration import IntArray

UPTO, CUTS = 1, 2
"""The columns of the table and of answers: below, not above, and those below each cut."""


class RankedHands(NamedTuple):
    """Hands of one side up to suits, in order of strength.

    Each stands for ``weights`` hands.
    """

    masks: IntArray
    weights: IntArray
    strengths: IntArray


def sort_hands(masks: IntArray, weights: IntArray, strengths: IntArray) -> tuple[RankedHands, IntArray]:
    """Sort hands by strength; return them, and their places before."""
    order = np.argsort(strengths, kind="stable")
    return RankedHands(masks[order], weights[order], strengths[order]), order


@kernel_helper
def _add_to_subsets(
    numbers: ClassNumbers, cards: int, largest: int, first: int, stop: int, weight: int, table: IntArray
) -> None:
    """Add a hand of the dealer's to the rows of its subsets, in some columns."""
    subset = cards
    while True:
        if popcount(subset) <= largest:
            number, _ = number_class(subset, numbers)
            for column in range(first, stop):
                table[number, column] += weight
        if subset == 0:
            break
        subset = (subset - 1) & cards


@kernel_helper
def add_hands_below_cuts(
    numbers: ClassNumbers, dealers: RankedHands, cuts: IntArray, largest: int, table: IntArray
) -> None:
    """Enter the hands below each cut in its column."""
    for hand in range(len(dealers.masks)):
        first = 0
        while first < len(cuts) and dealers.strengths[hand] >= cuts[first]:
            first += 1
        if first == len(cuts):
            break
        _add_to_subsets(
            numbers, dealers.masks[hand], largest, CUTS + first, CUTS + len(cuts), dealers.weights[hand], table
        )


@kernel_helper
def add_hands_up_to(
    numbers: ClassNumbers, dealers: RankedHands, strength: int, below: int, upto: int, largest: int, table: IntArray
) -> tuple[int, int]:
    """Enter the hands that are below a strength, and those that are not above it.

    The first ``below`` and ``upto`` hands are entered as such before.  Return how many are then.
    """
    hands = len(dealers.masks)
    while below < hands and dealers.strengths[below] < strength:
        # Hands that are passed over are entered in both columns at once.
        stop = UPTO if below < upto else CUTS
        _add_to_subsets(numbers, dealers.masks[below], largest, 0, stop, dealers.weights[below], table)
        below += 1
    upto = max(below, upto)
    while upto < hands and dealers.strengths[upto] == strength:
        _add_to_subsets(numbers, dealers.masks[upto], largest, UPTO, CUTS, dealers.weights[upto], table)
        upto += 1
    return below, upto


@kernel_helper
def count_disjoint_hands(numbers: ClassNumbers, cards: int, largest: int, table: IntArray, answer: IntArray) -> None:
    """Count the hands entered, by column, that share no card with a set."""
    for column in range(len(answer)):
        answer[column] = 0
    subset = cards
    while True:
        size = popcount(subset)
        if size <= largest:
            number, alike = number_class(subset, numbers)
            signed = -alike if size & 1 else alike
            for column in range(len(answer)):
                answer[column] += signed * table[number, column]
        if subset == 0:
            break
        subset = (subset - 1) & cards
    # A class has exchanges / alike sets, and its row is a sum over them all.
    for column in range(len(answer)):
        answer[column] //= numbers.exchanges


@kernel_helper
def add_answer(answer: IntArray, total: int, times: int, lanes: IntArray) -> None:
    """Add an answer, ``times`` over, to lanes; ``total`` is the number of all hands."""
    lanes[TOTAL] += times * total
    lanes[BELOW] += times * answer[0]
    lanes[EQUAL] += times * (answer[UPTO] - answer[0])
    for column in range(CUTS, len(answer)):
        lanes[column + 1] += times * answer[column]
