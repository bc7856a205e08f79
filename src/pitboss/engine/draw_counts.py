"""Count the dealer's hands against the player's by classes of sets."""

from typing import NamedTuple

from pitboss.cards import popcount
from pitboss.kernels.class_numbering import ClassNumbers, number_class
from pitboss.kernels.compile import kernel, kernel_helper
from pitboss.kernels.enumeration import IntArray

UPTO, CUTS = 1, 2
"""The columns of the table and of answers: below, not above, and those below each cut."""


class Questions(NamedTuple):
    """The questions by set of cards.

    The sets of class ``number`` have the place ``places[number]``, and the questions from ``starts[place]`` to
    ``starts[place + 1]``.  ``answers[question, column]`` counts the dealer's hands.
    """

    numbers: ClassNumbers
    places: IntArray
    starts: IntArray
    sets: IntArray
    strengths: IntArray
    answers: IntArray


class Dealers(NamedTuple):
    """The dealer's final hands up to suits, in order of strength.

    Each stands for ``weights`` hands.
    """

    masks: IntArray
    weights: IntArray
    strengths: IntArray


@kernel
def number_sets(numbers: ClassNumbers, sets: IntArray, places: IntArray) -> None:
    """Write the place of each set by the number of its class."""
    for index in range(len(sets)):
        number, _ = number_class(sets[index], numbers)
        places[number] = index


@kernel_helper
def _enter(numbers: ClassNumbers, cards: int, largest: int, column: int, weight: int, table: IntArray) -> None:
    """Add a hand of the dealer's to the rows of its subsets."""
    subset = cards
    while True:
        if popcount(subset) <= largest:
            number, _ = number_class(subset, numbers)
            table[number, column] += weight
        if subset == 0:
            break
        subset = (subset - 1) & cards


@kernel_helper
def _ask(numbers: ClassNumbers, cards: int, largest: int, table: IntArray, answer: IntArray) -> None:
    """Count the hands entered, by column, that share no card with a set."""
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


@kernel
def answer_questions(
    questions: Questions, order: IntArray, dealers: Dealers, cuts: IntArray, largest: int, table: IntArray
) -> None:
    """Walk up the questions in ``order`` of strength, and answer each."""
    numbers, hands = questions.numbers, len(dealers.masks)
    for cut in range(len(cuts)):
        hand = 0
        while hand < hands and dealers.strengths[hand] < cuts[cut]:
            _enter(numbers, dealers.masks[hand], largest, CUTS + cut, dealers.weights[hand], table)
            hand += 1
    below, upto = 0, 0
    for question in order:
        strength = questions.strengths[question]
        while below < hands and dealers.strengths[below] < strength:
            _enter(numbers, dealers.masks[below], largest, 0, dealers.weights[below], table)
            below += 1
        while upto < hands and dealers.strengths[upto] <= strength:
            _enter(numbers, dealers.masks[upto], largest, UPTO, dealers.weights[upto], table)
            upto += 1
        _ask(numbers, questions.sets[question], largest, table, questions.answers[question])


@kernel
def count_against(
    dealers: Dealers, becomes: IntArray, avoided: IntArray, strengths: IntArray, counts: IntArray
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
