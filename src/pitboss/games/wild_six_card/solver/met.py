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
from pitboss.counting.blocks import Integers, in_parts
from pitboss.counting.classes import Classes, ClassNumbers, lay_out
from pitboss.counting.compile import kernel, part
from pitboss.counting.suits import SuitedDeck, least_sets, orbits
from pitboss.counting.sweep import Counts, Hands, Questions, Strengths, counted, even_first
from pitboss.games.wild_six_card.rules import (
    DISCARDED,
    FOUR_OR_BETTER,
    HAND,
    RESULTS,
    UNDECIDED,
    WIN,
    Options,
    State,
    automatic,
    hand_strength,
    main_outcome,
)
from pitboss.hands import HandTables, load_hand_tables

SIX = HAND + 1
FOUR_ASKED = SIX
"""Behind the six fives: how many of the dealer's hands are below four of a kind."""

SWEEP_STEPS = 25
STEPS = SWEEP_STEPS + 8
"""Of the whole progress: what comes before and after the sweep, told in eights of its time."""

Flags = NDArray[np.bool_]


class Firsts(NamedTuple):
    """Every first five up to suits: the least set, for how many it stands, and whether it wins at once (W6-2)."""

    masks: Integers
    orbits: Integers
    won: Flags


class Met(NamedTuple):
    """Every six cards up to suits, and the ``hands`` the dealer can have beside each of them.

    ``masks`` has the least sets and ``orbits`` for how many each stands.  By the place of a card among the rising ones,
    shape (sixes, 6), ``fives`` has the number among ``Firsts`` of the others.  With ``FOUR_ASKED`` behind, (sixes, 7),
    ``made`` has the strength of the others, ``weaker`` and ``no_stronger`` how many of the dealer's hands are so.
    """

    masks: Integers
    orbits: Integers
    fives: ClassNumbers
    made: Strengths
    weaker: Counts
    no_stronger: Counts
    hands: int


def meet(deck: SuitedDeck, options: Options, progress: ProgressCallback) -> tuple[Firsts, Met]:
    """Let the hands of all sixes of a deck of twelve cards or more meet the dealer's."""
    classes, sixes = Classes(deck, SIX), least_sets(deck, SIX)
    subsets = even_first(SIX, whole=False)
    rows = classes.rows(sixes, subsets)
    progress(3, STEPS)
    whole, asked = _six_strengths(options, sixes)
    hands = Hands(rows, orbits(deck, sixes), whole)
    progress(4, STEPS)
    answers = counted(
        classes, hands, Questions(rows, asked, whole), lambda done, of: progress(4 + done * SWEEP_STEPS // of, STEPS)
    )
    first = classes.first[HAND]
    fives = rows[:, [subsets.index((1 << SIX) - 1 ^ 1 << place) for place in range(SIX)]] - np.uint32(first)
    masks = classes.masks[first:]
    won = np.empty(len(masks), np.bool_)
    _mark_winners(load_hand_tables(), options, masks, won)
    met = Met(sixes, hands.orbits, fives, asked, *answers, comb(len(deck.cards) - SIX, SIX))
    return Firsts(masks, classes.orbits[first:], won), met


def _six_strengths(options: Options, sixes: Integers) -> tuple[Strengths, Strengths]:
    """Return the strengths of the dealer's six, and for a player's six what to ask: each five, and four of a kind."""
    whole, asked = np.empty(len(sixes), np.int32), np.empty((len(sixes), SIX + 1), np.int32)
    tables = load_hand_tables()
    in_parts(lambda first, after: _rank_sixes(tables, options, sixes, first, after, whole, asked), len(sixes))
    return whole, asked


@kernel
def _rank_sixes(
    tables: HandTables, options: Options, sixes: Integers, first: int, after: int, whole: Strengths, asked: Strengths
) -> None:
    codes = np.zeros(SIX, np.int64)
    for each in range(first, after):
        six = sixes[each]
        whole[each] = hand_strength(tables, six, options)
        lay_out(six, codes)
        for place in range(SIX):
            asked[each, place] = hand_strength(tables, six ^ bit(codes[place]), options)
        asked[each, FOUR_ASKED] = FOUR_OR_BETTER


@kernel
def _mark_winners(tables: HandTables, options: Options, firsts: Integers, won: Flags) -> None:
    for each in range(len(firsts)):
        won[each] = automatic(tables, State(firsts[each], 0, 0, 0, 0, 0, UNDECIDED, 0), options)


@part
def results(met: Met, each: int, place: int, times: int, booked: Integers) -> None:
    """Write into ``booked`` how many of the dealer's hands the five without one card beat, tie, lose and push to.

    All that matters is how they compare, and with four of a kind; each counts ``times``.  Five cards that are stood on
    come to the same results.
    """
    made, weaker, no_stronger = met.made[each, place], met.weaker[each, place], met.no_stronger[each, place]
    below_four = max(no_stronger, met.weaker[each, FOUR_ASKED])
    for result in range(RESULTS):
        booked[result] = 0
    booked[main_outcome(DISCARDED, made, made - 1) - WIN] += times * weaker
    booked[main_outcome(DISCARDED, made, made) - WIN] += times * (no_stronger - weaker)
    booked[main_outcome(DISCARDED, made, max(made, FOUR_OR_BETTER - 2) + 1) - WIN] += times * (below_four - no_stronger)
    booked[main_outcome(DISCARDED, made, max(made + 1, FOUR_OR_BETTER)) - WIN] += times * (met.hands - below_four)
