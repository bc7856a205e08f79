"""Answer what the dealer's hands do against the player's, by classes of sets."""

from typing import NamedTuple

from pitboss.cards import popcount
from pitboss.engine.class_counts import RankedHands, add_hands_below_cuts, add_hands_up_to, count_disjoint_hands
from pitboss.kernels.class_numbering import ClassNumbers, number_class
from pitboss.kernels.compile import kernel
from pitboss.kernels.enumeration import IntArray


class DisjointQueries(NamedTuple):
    """Queries for hands that share no card with a set.

    The sets of class ``number`` have the place ``places[number]``, and the queries from ``starts[place]`` to
    ``starts[place + 1]``.  ``answers[query, column]`` counts the dealer's hands.
    """

    numbers: ClassNumbers
    places: IntArray
    starts: IntArray
    sets: IntArray
    strengths: IntArray
    answers: IntArray


@kernel
def number_sets(numbers: ClassNumbers, sets: IntArray, places: IntArray) -> None:
    """Write the place of each set by the number of its class."""
    for index in range(len(sets)):
        number, _ = number_class(sets[index], numbers)
        places[number] = index


@kernel
def run_queries(
    queries: DisjointQueries, order: IntArray, dealers: RankedHands, cuts: IntArray, largest: int, table: IntArray
) -> None:
    """Walk up the queries in ``order`` of strength, and answer each."""
    numbers, below, upto = queries.numbers, 0, 0
    add_hands_below_cuts(numbers, dealers, cuts, largest, table)
    for query in order:
        below, upto = add_hands_up_to(numbers, dealers, queries.strengths[query], below, upto, largest, table)
        count_disjoint_hands(numbers, queries.sets[query], largest, table, queries.answers[query])


@kernel
def count_against(
    dealers: RankedHands, becomes: IntArray, avoided: IntArray, strengths: IntArray, counts: IntArray
) -> None:
    """Count the dealer's hands without some cards, by strength and card.

    ``becomes[exchange, card]`` is what an exchange makes of a card, ``avoided[exchange]`` the cards of which it makes
    those that the dealer cannot have.  ``counts[2 i]`` gets the hands between the strengths i - 1 and i, ``counts[2 i +
    1]`` those of strength i, by card and, at 63, all; each as many times as there are exchanges.
    """
    every, at = counts.shape[1] - 1, 0
    for hand in range(len(dealers.masks)):
        strength, cards, weight = dealers.strengths[hand], dealers.masks[hand], dealers.weights[hand]
        while at < len(strengths) and strengths[at] < strength:
            at += 1
        row = 2 * at + (1 if at < len(strengths) and strengths[at] == strength else 0)
        for exchange in range(len(avoided)):
            if cards & avoided[exchange] == 0:
                counts[row, every] += weight
                rest = cards
                while rest:
                    card = popcount((rest & -rest) - 1)
                    counts[row, becomes[exchange, card]] += weight
                    rest &= rest - 1
