"""How the hands of every six cards of a player's meet the dealer's: one sweep, and all that the play asks of it.

A player's six are the first five F and the card drawn y.  For each card x of them one sweep (``counting.sweep``) over
the dealer's six tells how many dealer hands disjoint from the six are weaker than the five without x, and how many no
stronger: x is the discard, or y itself where F stands.  All of it is done for least sets alone (``counting.classes``).
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
from pitboss.hands import HandTables, load_hand_tables
from pitboss.kernels.compile import kernel, kernel_helper
from pitboss.kernels.enumeration import IntArray, map_ranges
from pitboss.kernels.set_classes import ClassNumbers, SetClasses, write_codes
from pitboss.kernels.strength_sweep import (
    HandCounts,
    Strengths,
    SweepQueries,
    SweptHands,
    count_weaker,
    list_even_first,
)
from pitboss.kernels.suit_symmetry import SuitedDeck, compute_orbit_sizes, list_canonical_sets

SIX = HAND + 1
FOUR_QUERY = SIX
"""Behind the six fives: how many of the dealer's hands are below four of a kind."""

SWEEP_STEPS = 25
STEPS = SWEEP_STEPS + 8
"""Of the whole progress: what comes before and after the sweep, told in eights of its time."""

Flags = NDArray[np.bool_]


class FirstFives(NamedTuple):
    """Every first five up to suits: the least set, for how many it stands, and whether it wins at once (W6-2)."""

    masks: IntArray
    orbits: IntArray
    is_winner: Flags


class SixesCensus(NamedTuple):
    """Every six cards up to suits, and the ``dealer_hands`` the dealer can have beside each of them.

    ``masks`` has the least sets and ``compute_orbit_sizes`` for how many each stands.  By the place of a card among the
    rising ones, shape (sixes, 6), ``fives`` has the number among ``FirstFives`` of the others.  With ``FOUR_QUERY``
    behind, (sixes, 7), ``strengths`` has the strength of the others, ``weaker`` and ``no_stronger`` how many of the
    dealer's hands are so.
    """

    masks: IntArray
    orbits: IntArray
    fives: ClassNumbers
    strengths: Strengths
    weaker: HandCounts
    no_stronger: HandCounts
    dealer_hands: int


def take_census(
    deck: SuitedDeck, options: WildSixOptions, progress: ProgressCallback
) -> tuple[FirstFives, SixesCensus]:
    """Let the hands of all sixes of a deck of twelve cards or more meet the dealer's."""
    classes, sixes = SetClasses(deck, SIX), list_canonical_sets(deck, SIX)
    subsets = list_even_first(SIX, include_all=False)
    rows = classes.classify_subsets(sixes, subsets)
    progress(3, STEPS)
    whole, asked = _rank_all_sixes(options, sixes)
    hands = SweptHands(rows, compute_orbit_sizes(deck, sixes), whole)
    progress(4, STEPS)
    answers = count_weaker(
        classes, hands, SweepQueries(rows, asked, whole), lambda done, of: progress(4 + done * SWEEP_STEPS // of, STEPS)
    )
    first = classes.first[HAND]
    fives = rows[:, [subsets.index((1 << SIX) - 1 ^ 1 << place) for place in range(SIX)]] - np.uint32(first)
    masks = classes.masks[first:]
    won = np.empty(len(masks), np.bool_)
    _mark_winners(load_hand_tables(), options, masks, won)
    met = SixesCensus(sixes, hands.orbits, fives, asked, *answers, comb(len(deck.cards) - SIX, SIX))
    return FirstFives(masks, classes.orbits[first:], won), met


def _rank_all_sixes(options: WildSixOptions, sixes: IntArray) -> tuple[Strengths, Strengths]:
    """Return the strengths of the dealer's six, and for a player's six what to ask: each five, and four of a kind."""
    whole, asked = np.empty(len(sixes), np.int32), np.empty((len(sixes), SIX + 1), np.int32)
    tables = load_hand_tables()
    map_ranges(lambda first, after: _rank_sixes(tables, options, sixes, first, after, whole, asked), len(sixes))
    return whole, asked


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
    """Write into ``counts`` how many of the dealer's hands the five without one card beat, tie, lose and push to.

    All that matters is how they compare, and with four of a kind; each counts ``times``.  Five cards that are stood on
    come to the same results.
    """
    made, weaker, no_stronger = (
        census.strengths[each, place],
        census.weaker[each, place],
        census.no_stronger[each, place],
    )
    below_four = max(no_stronger, census.weaker[each, FOUR_QUERY])
    for result in range(RESULT_COUNT):
        counts[result] = 0
    counts[settle_main(DISCARDED, made, made - 1) - WIN] += times * weaker
    counts[settle_main(DISCARDED, made, made) - WIN] += times * (no_stronger - weaker)
    counts[settle_main(DISCARDED, made, max(made, FOUR_OR_BETTER - 2) + 1) - WIN] += times * (below_four - no_stronger)
    counts[settle_main(DISCARDED, made, max(made + 1, FOUR_OR_BETTER)) - WIN] += times * (
        census.dealer_hands - below_four
    )
