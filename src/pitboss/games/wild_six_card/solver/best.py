"""The exact best play of the Poker bet: which card to discard, or to stand, from every first five.

Only the discard is decided, and no board is shared, so one sweep (``counting.sweep``) over the dealer's six cards
answers for every six cards of the player's, the first five F and the card drawn y, and each discard x: how many dealer
hands disjoint from the six are weaker than the five kept, and how many no stronger.  The answers of six cards K are
added to all (F, x) they can come from, F = K without y; then each F takes what is best by the nets.  All of it is done
for least sets alone (``counting.classes``) and weighted by how many sets they stand for.
"""

from collections.abc import Sequence
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import DECK_54, FIRST_JOKER, bit, rank
from pitboss.counting.blocks import Integers, Progress, in_parts, silent
from pitboss.counting.classes import (
    Classes,
    ClassNumbers,
    SuitedDeck,
    exchangeable,
    lay_out,
    least_sets,
    orbits,
    place_in_least,
)
from pitboss.counting.compile import kernel
from pitboss.counting.sweep import Counts, Hands, Questions, Strengths, counted, even_first
from pitboss.games.wild_six_card.rules import (
    AUTOMATIC,
    DISCARDED,
    FOUR_OR_BETTER,
    HAND,
    RESULTS,
    STOOD,
    UNDECIDED,
    WIN,
    Options,
    State,
    View,
    automatic,
    hand_strength,
    legal,
    main_outcome,
)
from pitboss.hands import HandTables, hand_tables
from pitboss.solving import Problem, Solution

SIX = HAND + 1
OUTCOMES = WIN + 2 * RESULTS
STAND = HAND
NO_CHOICE = -1
WHOLE_DECK = SuitedDeck(jokers=DECK_54.jokers)

_SWEEP_STEPS = 25
_STEPS = _SWEEP_STEPS + 8  # what comes before and after the sweep, told in eights of its time
_SCALE = 12  # every number of exchangeable cards, 1 to 4, divides it
_TOO_LARGE = 1 << 62

Flags = NDArray[np.bool_]


class Best(NamedTuple):
    """The best choice from every first five, by least sets (``firsts``, each standing for ``orbits`` sets).

    ``choices`` has the place of the card to discard among the rising cards, ``STAND``, or ``NO_CHOICE`` for an
    automatic winner; ``equal`` tells where another choice, not just the same up to suits, is worth as much.  ``counts``
    are the deals that end in each outcome of ``main``.

    ``drawn[first, place]`` has the deals that end in win, tie, lose and push when the card at ``place`` is discarded,
    over all sets that the first five stands for and all cards exchangeable with it, of which the others' places are
    empty; ``stood[first]`` those of standing, zeros where it is not allowed.
    """

    firsts: Integers
    orbits: Integers
    choices: NDArray[np.int8]
    equal: Flags
    counts: tuple[int, ...]
    drawn: Integers
    stood: Integers


def solve(problem: Problem, progress: Progress = silent, deck: SuitedDeck = WHOLE_DECK) -> Solution:
    """Return what the best play leads to.

    A deal is the first five, the card drawn and the dealer's six: C(54, 5) x 49 x C(48, 6) deals.  Where nothing is
    drawn every card left counts as the one that would have been.  A position is a first five up to suits that is no
    automatic winner; two choices count as equal there when no exchange of suits or Jokers makes one the other.
    """
    found = best(deck, problem.options, problem.nets, progress)
    deals = sum(found.counts) // int(found.orbits.sum())
    automatic_winners, standing = found.choices == NO_CHOICE, found.choices == STAND
    taken = {
        "automatic": automatic_winners,
        "discard": ~(automatic_winners | standing),
        "stand": standing,
    }
    actions = {path: int(found.orbits[where].sum()) * deals for path, where in taken.items()}
    return Solution(found.counts, actions, int(np.count_nonzero(found.equal)))


def best(deck: SuitedDeck, options: Options, nets: Sequence[int], progress: Progress = silent) -> Best:
    """Return the best choices with a deck of twelve cards or more.

    Raises:
        ValueError: nets so large that values could outgrow 63 bits.
    """
    size, largest = len(deck.cards), max(map(abs, nets))
    all_hands = comb(size - SIX, SIX)
    deals = (size - HAND) * all_hands
    if largest * deals * deck.relabellings * _SCALE >= _TOO_LARGE:
        raise ValueError(f"nets of up to {largest} units are too large to be weighed in 63 bits")
    classes, sixes = Classes(deck, SIX), least_sets(deck, SIX)
    rows = classes.rows(sixes, even_first(SIX, whole=False))
    progress(3, _STEPS)
    whole, asked = _six_strengths(options, sixes)
    hands = Hands(rows, orbits(deck, sixes), whole)
    progress(4, _STEPS)
    answers = counted(
        classes, hands, Questions(rows, asked, whole), lambda done, of: progress(4 + done * _SWEEP_STEPS // of, _STEPS)
    )
    firsts, stand_for = classes.masks[classes.first[HAND] :], classes.orbits[classes.first[HAND] :]
    first_asked, won = _first_strengths(options, firsts)
    fives = classes.rows(sixes, [(1 << SIX) - 1 ^ 1 << card for card in range(SIX)]) - np.uint32(classes.first[HAND])

    def drawn(first: int, after: int) -> Integers:
        found = np.zeros((len(firsts), HAND, RESULTS), np.int64)
        _draw(sixes, hands.orbits, fives, won, asked, *answers, all_hands, first, after, found)
        return found

    found = np.sum(in_parts(drawn, len(sixes)), axis=0)
    progress(_STEPS - 1, _STEPS)
    stood = np.zeros((len(firsts), RESULTS), np.int64)
    may_stand = legal(hand_tables(), View(0, 0, 0), 0, 0, options) >> 1 & 1
    if may_stand:
        own_rows = classes.rows(firsts, even_first(HAND, whole=True))
        stood_answers = counted(classes, hands, Questions(own_rows, first_asked))
        _stand(first_asked, *stood_answers, comb(size - HAND, SIX), size - HAND - SIX, stand_for, stood)
    choices, equal = np.empty(len(firsts), np.int8), np.zeros(len(firsts), np.bool_)
    _choose(firsts, won, found, stood, may_stand, np.array(nets), choices, equal)
    counts = _counts(firsts, stand_for, found, stood, choices, deals)
    progress(_STEPS, _STEPS)
    in_deals = tuple(int(count) // _SCALE for count in counts)
    return Best(firsts, stand_for, choices, equal, in_deals, found, stood)


def _six_strengths(options: Options, sixes: Integers) -> tuple[Strengths, Strengths]:
    """Return the strengths of the dealer's six, and for a player's six what to ask: each five, and four of a kind."""
    whole, asked = np.empty(len(sixes), np.int32), np.empty((len(sixes), SIX + 1), np.int32)
    tables = hand_tables()
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
        asked[each, SIX] = FOUR_OR_BETTER


def _first_strengths(options: Options, firsts: Integers) -> tuple[Strengths, Flags]:
    """Return for each first five what to ask if it stands, itself and four of a kind, and which win at once."""
    asked, won = np.empty((len(firsts), 2), np.int32), np.empty(len(firsts), np.bool_)
    _rank_firsts(hand_tables(), options, firsts, asked, won)
    return asked, won


@kernel
def _rank_firsts(tables: HandTables, options: Options, firsts: Integers, asked: Strengths, won: Flags) -> None:
    for each in range(len(firsts)):
        asked[each, 0] = hand_strength(tables, firsts[each], options)
        asked[each, 1] = FOUR_OR_BETTER
        won[each] = automatic(tables, State(firsts[each], 0, 0, 0, 0, 0, UNDECIDED, 0), options)


@kernel
def _book(
    choice: int, made: int, weaker: int, no_stronger: int, below_four: int, hands: int, times: int, booked: Integers
) -> None:
    """Book ``hands`` dealer hands, each ``times`` times, by result: all that matters is how they compare, and to four.

    ``below_four`` is how many are weaker than the least four of a kind.
    """
    base = WIN + RESULTS * (choice - DISCARDED)
    booked[main_outcome(choice, made, made - 1) - base] += times * weaker
    booked[main_outcome(choice, made, made) - base] += times * (no_stronger - weaker)
    if made < FOUR_OR_BETTER - 1:
        booked[main_outcome(choice, made, FOUR_OR_BETTER - 1) - base] += times * (below_four - no_stronger)
    at_least_four = times * (hands - max(no_stronger, below_four))
    booked[main_outcome(choice, made, max(made + 1, FOUR_OR_BETTER)) - base] += at_least_four


@kernel
def _draw(
    sixes: Integers,
    stand_for: Integers,
    fives: ClassNumbers,
    won: Flags,
    asked: Strengths,
    weaker: Counts,
    no_stronger: Counts,
    hands: int,
    first: int,
    after: int,
    found: Integers,
) -> None:
    """Add the results of six cards to every first five and discard they can come from, ``found[five, place, result]``.

    A sum is over all sets that the first five stands for and all cards exchangeable with the one discarded, 48 times at
    most, and the 49 cards drawn: below 48 x 49 x C(48, 6) < 2**35.
    """
    codes = np.zeros(SIX, np.int64)
    results = np.zeros((SIX, RESULTS), np.int64)
    for each in range(first, after):
        six = sixes[each]
        lay_out(six, codes)
        results[:] = 0
        for gone in range(SIX):
            _book(
                DISCARDED, asked[each, gone], weaker[each, gone], no_stronger[each, gone], weaker[each, SIX], hands,
                stand_for[each], results[gone],
            )  # fmt: skip
        for drawn in range(SIX):
            five = fives[each, drawn]
            if not won[five]:
                held = six ^ bit(codes[drawn])
                for gone in range(SIX):
                    if gone != drawn:
                        place = place_in_least(held, codes[gone])
                        for result in range(RESULTS):
                            found[five, place, result] += results[gone, result]


@kernel
def _stand(
    asked: Strengths,
    weaker: Counts,
    no_stronger: Counts,
    hands: int,
    undrawn: int,
    stand_for: Integers,
    stood: Integers,
) -> None:
    """Book standing for all sets a first five stands for; each of ``undrawn`` cards might have been drawn."""
    for each in range(len(asked)):
        _book(
            STOOD, asked[each, 0], weaker[each, 0], no_stronger[each, 0], weaker[each, 1], hands,
            undrawn * stand_for[each], stood[each],
        )  # fmt: skip


@kernel
def _choose(
    firsts: Integers,
    won: Flags,
    found: Integers,
    stood: Integers,
    may_stand: int,
    nets: Integers,
    choices: NDArray[np.int8],
    equal: Flags,
) -> None:
    """Take what nets most; of equal values standing, else the lowest card, a Joker last (ALL-9).

    Values of one first five are compared as sums over the sets it stands for, times ``_SCALE``.
    """
    codes = np.zeros(HAND, np.int64)
    for each in range(len(firsts)):
        choices[each] = NO_CHOICE
        if won[each]:
            continue
        top, lowest_height = 0, 0
        if may_stand:
            choices[each] = STAND
            top = _SCALE * _value(nets, WIN + RESULTS, stood[each])
        lay_out(firsts[each], codes)
        for place in range(HAND):
            code = codes[place]
            if place_in_least(firsts[each], code) == place:
                value = _SCALE // exchangeable(firsts[each], code) * _value(nets, WIN, found[each, place])
                height = FIRST_JOKER if code >= FIRST_JOKER else rank(code)
                better = choices[each] == NO_CHOICE or value > top
                equal[each] = not better and (equal[each] or value == top)
                if better or (value == top and choices[each] != STAND and height < lowest_height):
                    choices[each], top, lowest_height = place, value, height


@kernel
def _value(nets: Integers, first: int, booked: Integers) -> int:
    value = 0
    for result in range(len(booked)):
        value += nets[first + result] * booked[result]
    return value


@kernel
def _counts(
    firsts: Integers, stand_for: Integers, found: Integers, stood: Integers, choices: NDArray[np.int8], deals: int
) -> Integers:
    """Return the deals that end in each outcome times ``_SCALE``: at most 12 x 1.9e15 with all cards, below 2**55."""
    counts = np.zeros(OUTCOMES, np.int64)
    codes = np.zeros(HAND, np.int64)
    for each in range(len(firsts)):
        choice = choices[each]
        if choice == NO_CHOICE:
            counts[AUTOMATIC] += _SCALE * deals * stand_for[each]
        elif choice == STAND:
            counts[WIN + RESULTS :] += _SCALE * stood[each]
        else:
            lay_out(firsts[each], codes)
            counts[WIN : WIN + RESULTS] += _SCALE // exchangeable(firsts[each], codes[choice]) * found[each, choice]
    return counts
