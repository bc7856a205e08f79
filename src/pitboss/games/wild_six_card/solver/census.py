"""Count the showdowns of a player's sixes against the dealer's, in one sweep.

A player's six cards are the first five F and the card drawn y.  For each card x of the six, one sweep
(``strength_sweep``) over the dealer's six counts the dealer's hands, disjoint from the six, that are weaker
than the five without x, and those that are no stronger: x is the discard, or y itself where F stands.  Only least sets
are counted (``set_classes``).
"""

from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import bit
from pitboss.core.progress import ProgressCallback
from pitboss.games.wild_six_card.rules import (
    DISCARDED,
    FOUR_OR_BETTER,
    HAND,
    RESULT_COUNT,
    UNDECIDED,
    WIN,
    WildSixOptions,
    WildSixState,
    is_automatic_winner,
    rank_hand,
    settle_main,
)
from pitboss.games.wild_six_card.solver.set_classes import ClassIndexes, SetClasses, write_codes
from pitboss.games.wild_six_card.solver.strength_sweep import (
    HandCounts,
    Strengths,
    SweptHands,
    count_weaker,
    list_even_first,
)
from pitboss.hands import HandTables, load_hand_tables
from pitboss.kernels.compile import kernel, kernel_helper
from pitboss.kernels.enumeration import IntArray, map_ranges
from pitboss.kernels.suit_symmetry import SuitedDeck, compute_orbit_sizes, list_canonical_sets

SIX = HAND + 1
FOUR_QUERY = SIX
"""The query after those of the six fives: the number of dealer's hands below four of a kind."""

SWEEP_STEPS = 25
STEPS = SWEEP_STEPS + 8
"""The steps of the whole progress: those of the sweep, and eight before and after it."""

Flags = NDArray[np.bool_]


class FirstFives(NamedTuple):
    """Every first five up to suits.

    Each has its least set, the number of sets it stands for, and whether it wins (W6-2).
    """

    masks: IntArray
    orbits: IntArray
    is_winner: Flags


class SixesCensus(NamedTuple):
    """Every six cards up to suits, with counts of the dealer's hands.

    ``masks`` has the least sets, and ``orbits`` the number of sets each stands for.  ``fives``, shape (sixes, 6), has
    for each place of a card, in ascending order, the number among ``FirstFives`` of the other five.  ``strengths``,
    ``weaker`` and ``no_stronger``, shape (sixes, 7), have the strength of the other five and the numbers of dealer's
    hands that are weaker, and no stronger; the last column is ``FOUR_QUERY``.  ``dealer_hands`` is the number of all
    dealer's hands for any six.
    """

    masks: IntArray
    orbits: IntArray
    fives: ClassIndexes
    strengths: Strengths
    weaker: HandCounts
    no_stronger: HandCounts
    dealer_hands: int


def take_census(
    deck: SuitedDeck, options: WildSixOptions, progress: ProgressCallback
) -> tuple[FirstFives, SixesCensus]:
    """Count the showdowns of all sixes of a deck against the dealer's hands.

    The deck has twelve cards or more.
    """
    classes, sixes = SetClasses.build(deck, SIX), list_canonical_sets(deck, SIX)
    subsets = list_even_first(SIX)
    rows = classes.classify_subsets(sixes, subsets)
    progress(3, STEPS)
    six_strengths, queries = _rank_all_sixes(options, sixes)
    hands = SweptHands(rows, compute_orbit_sizes(deck, sixes), six_strengths)
    progress(4, STEPS)
    answers = count_weaker(classes, hands, queries, lambda done, of: progress(4 + done * SWEEP_STEPS // of, STEPS))
    first_class = classes.first[HAND]
    fives = rows[:, [subsets.index((1 << SIX) - 1 ^ 1 << place) for place in range(SIX)]] - np.uint32(first_class)
    masks = classes.masks[first_class:]
    is_winner = np.empty(len(masks), np.bool_)
    _mark_winners(load_hand_tables(), options, masks, is_winner)
    census = SixesCensus(sixes, hands.orbits, fives, queries, *answers, comb(len(deck.cards) - SIX, SIX))
    return FirstFives(masks, classes.orbits[first_class:], is_winner), census


def _rank_all_sixes(options: WildSixOptions, sixes: IntArray) -> tuple[Strengths, Strengths]:
    """Rank all sixes as the dealer's, and make the queries of a player's six.

    The queries are each five, and four of a kind.
    """
    six_strengths, queries = np.empty(len(sixes), np.int32), np.empty((len(sixes), SIX + 1), np.int32)
    tables = load_hand_tables()
    map_ranges(
        lambda first, after: _rank_sixes(tables, options, sixes, first, after, six_strengths, queries), len(sixes)
    )
    return six_strengths, queries


@kernel
def _rank_sixes(
    tables: HandTables,
    options: WildSixOptions,
    sixes: IntArray,
    first: int,
    after: int,
    six_strengths: Strengths,
    queries: Strengths,
) -> None:
    codes = np.zeros(SIX, np.int64)
    for each in range(first, after):
        six = sixes[each]
        six_strengths[each] = rank_hand(tables, six, options)
        write_codes(six, codes)
        for place in range(SIX):
            queries[each, place] = rank_hand(tables, six ^ bit(codes[place]), options)
        queries[each, FOUR_QUERY] = FOUR_OR_BETTER


@kernel
def _mark_winners(tables: HandTables, options: WildSixOptions, firsts: IntArray, is_winner: Flags) -> None:
    for each in range(len(firsts)):
        is_winner[each] = is_automatic_winner(tables, WildSixState(firsts[each], 0, 0, 0, 0, 0, UNDECIDED, 0), options)


@kernel_helper
def count_results(census: SixesCensus, each: int, place: int, times: int, counts: IntArray) -> None:
    """Write the results of the five cards without one of the six into ``counts``.

    They are the dealer's hands that the five beat, tie, lose to and push against.  Each dealer's hand counts ``times``.
    The results for five cards that stand are the same.
    """
    strength, weaker, no_stronger = (
        census.strengths[each, place],
        census.weaker[each, place],
        census.no_stronger[each, place],
    )
    # The result depends only on how the dealer's hand compares with the five and with four of a kind, so one dealer's
    # strength stands for all hands of a range: below the five, equal to it, above it but below four of a kind, above.
    below_four = max(no_stronger, census.weaker[each, FOUR_QUERY])
    for result in range(RESULT_COUNT):
        counts[result] = 0
    counts[settle_main(DISCARDED, strength, strength - 1) - WIN] += times * weaker
    counts[settle_main(DISCARDED, strength, strength) - WIN] += times * (no_stronger - weaker)
    counts[settle_main(DISCARDED, strength, max(strength, FOUR_OR_BETTER - 2) + 1) - WIN] += times * (
        below_four - no_stronger
    )
    counts[settle_main(DISCARDED, strength, max(strength + 1, FOUR_OR_BETTER)) - WIN] += times * (
        census.dealer_hands - below_four
    )
