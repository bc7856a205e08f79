"""What final hands are worth against the dealer's hidden cards, ranks alone, whatever ranks are dead.

Suits matter only where a flush does.  Leave flushes out, and how many hidden fours of some ranks there are depends on
nothing but how many cards of each rank are live.  Start from a word for each four ranks, what it means to the hand at
hand.  ``holding`` adds them up to the words of all fours that hold a given set of cards; then a card dies by one
subtraction: the fours without it are all, less those that hold it.  A word may be a value in units or several counts
side by side, for all of this is addition.
"""

import numpy as np

from pitboss.cards import RANKS
from pitboss.counting.blocks import Integers
from pitboss.counting.compile import kernel, part
from pitboss.games.lunar.solver.exposed import HIDDEN
from pitboss.games.lunar.solver.multisets import Multisets

LANE = 21
COUNT = (1 << LANE) - 1
WIN = 1
TIE = 1 << LANE
TAKE = 1 << 2 * LANE
"""Counts side by side: at most C(46, 4) = 163,185 dealers; on the way sums reach four times that, below 2**21."""


@part
def word_of(mine: int, dealers: int, qualifies: int, win: int, tie: int, lose: int, take: int) -> int:
    """Return what a dealer of a strength means to a hand; nothing where the deck has no such dealer."""
    if dealers < 0:
        return 0
    if dealers < qualifies:
        return take
    return win if mine > dealers else tie if mine == dealers else lose


@part
def left_of(copies: Integers, counts: Integers, left: Integers) -> bool:
    """Lay out how many cards of each rank are left without a hand, and tell whether the deck has the hand at all."""
    least = 0
    for rank in range(RANKS):
        left[rank] = copies[rank] - counts[rank]
        least = min(least, left[rank])
    return least >= 0


@part
def holding(words: Integers, left: Integers, sets: Multisets) -> None:
    """Add up the words of fours to those of all fours that hold a smaller set: each is met once for every card more."""
    for size in range(HIDDEN - 1, -1, -1):
        for number in range(sets.start[size], sets.start[size + 1]):
            total = 0
            for rank in range(RANKS):
                more = sets.add[number, rank]
                live = left[rank] - sets.counts[number, rank]
                if more >= 0 and live > 0:
                    total += live * words[more]
            words[number] = total // (HIDDEN - size)


@part
def died(words: Integers, after: Integers, sets: Multisets, rank: int, sizes: int) -> None:
    """Lay out the words of sets below ``sizes`` cards after a card of a rank has died."""
    for number in range(sets.start[sizes]):
        more = sets.add[number, rank]
        after[number] = words[number] - (words[more] if 0 <= more < sets.start[HIDDEN + 1] else 0)


@part
def dead_sums(
    words: Integers,
    left: Integers,
    sets: Multisets,
    most: int,
    hand: int,
    two: Integers,
    three: Integers,
    four: Integers,
    five: Integers,
) -> None:
    """Write the word of no cards for every multiset of two to ``most`` dead cards, into column ``hand``."""
    start, add = sets.start, sets.add
    for first in range(RANKS):
        if left[first] < 1:
            continue
        left[first] -= 1
        died(words[0], words[1], sets, first, min(HIDDEN + 1, most))
        for second in range(first, RANKS):
            if left[second] < 1:
                continue
            left[second] -= 1
            pair = add[add[0, first], second]
            died(words[1], words[2], sets, second, most - 1)
            two[pair - start[2], hand] = words[2, 0]
            for third in range(second, RANKS):
                if left[third] < 1:
                    continue
                left[third] -= 1
                trio = add[pair, third]
                died(words[2], words[3], sets, third, most - 2)
                three[trio - start[3], hand] = words[3, 0]
                for fourth in range(third, RANKS):
                    if left[fourth] < 1:
                        continue
                    left[fourth] -= 1
                    quad = add[trio, fourth]
                    died(words[3], words[4], sets, fourth, most - 3)
                    four[quad - start[4], hand] = words[4, 0]
                    for fifth in range(fourth, RANKS if most > HIDDEN else 0):
                        if left[fifth] >= 1:
                            five[add[quad, fifth] - start[5], hand] = words[4, 0] - words[4, add[0, fifth]]
                    left[fourth] += 1
                left[third] += 1
            left[second] += 1
        left[first] += 1


@kernel
def rank_sums(
    counts: Integers,
    strengths: Integers,
    win: Integers,
    tie: int,
    lose: int,
    take: int,
    copies: Integers,
    dealers: Integers,
    qualifies: int,
    sets: Multisets,
    most: int,
    none: Integers,
    two: Integers,
    three: Integers,
    four: Integers,
    five: Integers,
) -> None:
    """Sum the words of all dealers for every hand, beside every dead multiset of up to ``most`` cards (0, 4 or 5).

    ``dealers`` are strengths by hidden ranks; results are laid out by dead multiset and hand: ``none`` (1, hands),
    ``two`` (sets of two, hands) ..., 0 where the deck has not the cards.
    """
    words = np.zeros((HIDDEN + 1, sets.start[HIDDEN + 1]), np.int64)
    left = np.zeros(RANKS, np.int64)
    fours = sets.start[HIDDEN]
    for hand in range(len(counts)):
        if left_of(copies, counts[hand], left):
            for hidden in range(len(dealers)):
                words[0, fours + hidden] = word_of(
                    strengths[hand], dealers[hidden], qualifies, win[hand], tie, lose, take
                )
            holding(words[0], left, sets)
            none[0, hand] = words[0, 0]
            if most:
                dead_sums(words, left, sets, most, hand, two, three, four, five)
