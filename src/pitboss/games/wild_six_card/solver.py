"""The exact best play of the Poker bet: which card to discard, or to stand, from every first five.

Only the discard is decided, and no board is shared, so one sweep (``counting.sweep``) over the dealer's six cards
answers for every six cards of the player's, the first five F and the card drawn y, and each discard x: how many dealer
hands disjoint from the six are weaker than the five kept, and how many no stronger.  The answers of six cards K are
added to all (F, x) they can come from, F = K without y; then each F takes what is best by the nets.  All of it is done
for least sets alone (``counting.classes``) and weighted by how many sets they stand for.
"""

from collections.abc import Callable, Sequence
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import DECK_54, FIRST_JOKER, bit, rank
from pitboss.contract import Solution
from pitboss.counting.blocks import Integers, in_parts
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
from pitboss.counting.sweep import Hands, Questions, counted, even_first
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

SIX = HAND + 1
OUTCOMES = WIN + 2 * RESULTS
STAND = HAND
NO_CHOICE = -1
_TOO_LARGE = 1 << 62
_SCALE = 12  # every number of exchangeable cards, 1 to 4, divides it

Progress = Callable[[int, int], None]


class Best(NamedTuple):
    """The best choice from every first five, by least sets: arrays of one length but for ``counts``.

    ``choices`` has the place of the card to discard among the rising cards, ``STAND``, or ``NO_CHOICE`` for automatic
    winners; ``equal`` tells where another choice, not just the same up to suits, is worth as much.  ``counts`` are the
    deals that end in each outcome of ``main``.
    """

    firsts: Integers
    orbits: Integers
    choices: NDArray[np.int8]
    equal: NDArray[np.bool_]
    counts: tuple[int, ...]


def solve(options: Options, nets: Sequence[int], progress: Progress) -> Solution:
    """Return what the best play leads to; see ``contract.Solution``.

    A deal is the first five, the card drawn or left and the dealer's six: C(54, 5) x 49 x C(48, 6) deals.  A position
    is a first five up to suits that is no automatic winner; two choices there are worth the same when they are not the
    same up to suits: standing and a discard, or two discards that no exchange of suits makes one.
    """
    found = best(SuitedDeck(jokers=DECK_54.jokers), options, nets, progress)
    paths = {"automatic": NO_CHOICE, "discard": HAND - 1, "stand": STAND}
    deals = (DECK_54.size - HAND) * comb(DECK_54.size - SIX, SIX)
    taken = np.where(np.isin(found.choices, (NO_CHOICE, STAND)), found.choices, paths["discard"])
    actions = {path: int(found.orbits[taken == choice].sum()) * deals for path, choice in paths.items()}
    return Solution(found.counts, actions, int(np.count_nonzero(found.equal)))


def best(deck: SuitedDeck, options: Options, nets: Sequence[int], progress: Progress) -> Best:
    """Return the best choices with a deck of twelve cards or more.

    Raises:
        ValueError: nets so large that values could outgrow 63 bits.
    """
    size = len(deck.cards)
    deals = (size - HAND) * comb(size - SIX, SIX)
    if max(map(abs, nets)) * deals * deck.relabellings * _SCALE >= _TOO_LARGE:
        raise ValueError(f"nets of up to {max(map(abs, nets))} units are too large to weigh exactly")
    tables = hand_tables()
    import time
    t = time.time()
    def tick(what):
        nonlocal t
        print(what, time.time() - t); t = time.time()
    classes = Classes(deck, SIX)
    tick("classes")
    sixes = least_sets(deck, SIX)
    tick("sixes")
    hands = Hands(
        classes.rows(sixes, even_first(SIX, whole=False)),
        orbits(deck, sixes),
        np.empty(len(sixes), np.int32),
    )
    tick("rows")
    fives = classes.masks[classes.first[HAND] :]
    asked = np.empty((len(sixes), SIX + 1), np.int32)
    in_parts(lambda first, after: _six_strengths(tables, options, sixes, first, after, hands.strengths, asked), len(sixes))
    tick("strengths")
    won = np.empty(len(fives), np.bool_)
    five_strengths = np.empty((len(fives), 2), np.int32)
    _five_strengths(tables, options, fives, five_strengths, won)
    answers = counted(classes, hands, Questions(hands.rows, asked, hands.strengths), progress)
    tick("sweep")
    without = np.array([even_first(SIX, whole=False).index(63 ^ 1 << card) for card in range(SIX)])
    all_hands = comb(size - SIX, SIX)
    def part(first, after):
        found = np.zeros((len(fives), HAND, RESULTS), np.int64)
        _gather(sixes, hands.orbits, hands.rows, without, asked, *answers, won, classes.first[HAND], all_hands, first, after, found)
        return found
    found = sum(in_parts(part, len(sixes)))
    tick("gather")
    stood = np.zeros((len(fives), RESULTS), np.int64)
    may_stand = legal(tables, View(0, 0, 0), 0, 0, options) >> 1 & 1
    if may_stand:
        rows = classes.rows(fives, even_first(HAND, whole=True))
        weaker, no_stronger = counted(classes, hands, Questions(rows, five_strengths), progress)
        _stand(five_strengths, weaker, no_stronger, comb(size - HAND, SIX), size - HAND - SIX, stood)
    tick("stood")
    choices = np.empty(len(fives), np.int8)
    equal = np.zeros(len(fives), np.bool_)
    counts = _decide(fives, classes.orbits[classes.first[HAND]:], won, found, stood, may_stand, np.array(nets), deals, choices, equal)
    tick("decide")
    return Best(fives, classes.orbits[classes.first[HAND]:], choices, equal, tuple(int(count) // _SCALE for count in counts))


@kernel
def _six_strengths(tables, options, sixes, first, after, whole, asked) -> None:
    codes = np.zeros(SIX, np.int64)
    for each in range(first, after):
        six = sixes[each]
        whole[each] = hand_strength(tables, six, options)
        lay_out(six, codes)
        for card in range(SIX):
            asked[each, card] = hand_strength(tables, six ^ bit(codes[card]), options)
        asked[each, SIX] = FOUR_OR_BETTER


@kernel
def _five_strengths(tables, options, fives, asked, won) -> None:
    for each in range(len(fives)):
        asked[each, 0] = hand_strength(tables, fives[each], options)
        asked[each, 1] = FOUR_OR_BETTER
        won[each] = automatic(tables, State(fives[each], 0, 0, 0, 0, 0, UNDECIDED, 0), options)


@kernel
def _book(choice, made, weaker, no_stronger, below_four, hands, booked) -> None:
    base = WIN + RESULTS * (choice - DISCARDED)
    booked[main_outcome(choice, made, made - 1) - base] += weaker
    booked[main_outcome(choice, made, made) - base] += no_stronger - weaker
    if made < FOUR_OR_BETTER:
        booked[main_outcome(choice, made, FOUR_OR_BETTER - 1) - base] += below_four - no_stronger
    booked[main_outcome(choice, made, max(made + 1, FOUR_OR_BETTER)) - base] += hands - max(no_stronger, below_four)


@kernel
def _gather(sixes, all_orbits, rows, without, asked, weaker, no_stronger, won, first_five, hands, first, after, found) -> None:
    codes = np.zeros(SIX, np.int64)
    results = np.zeros((SIX, RESULTS), np.int64)
    for each in range(first, after):
        six = sixes[each]
        lay_out(six, codes)
        results[:] = 0
        for x in range(SIX):
            _book(DISCARDED, asked[each, x], weaker[each, x], no_stronger[each, x], weaker[each, SIX], hands, results[x])
        for y in range(SIX):
            five = rows[each, without[y]] - first_five
            if not won[five]:
                held = six ^ bit(codes[y])
                for x in range(SIX):
                    if x != y:
                        place = place_in_least(held, codes[x])
                        for result in range(RESULTS):
                            found[five, place, result] += all_orbits[each] * results[x, result]


@kernel
def _stand(asked, weaker, no_stronger, hands, times, stood) -> None:
    for each in range(len(asked)):
        _book(STOOD, asked[each, 0], weaker[each, 0], no_stronger[each, 0], weaker[each, 1], hands, stood[each])
        stood[each] *= times


@kernel
def _decide(fives, all_orbits, won, found, stood, may_stand, nets, deals, choices, equal) -> Any:
    counts = np.zeros(OUTCOMES, np.int64)
    codes = np.zeros(HAND, np.int64)
    for each in range(len(fives)):
        five = fives[each]
        if won[each]:
            choices[each] = NO_CHOICE
            counts[AUTOMATIC] += _SCALE * deals * all_orbits[each]
            continue
        lay_out(five, codes)
        choice, top, lowest_card = NO_CHOICE, 0, 0
        if may_stand:
            choice = STAND
            top = 0
            for result in range(RESULTS):
                top += nets[WIN + RESULTS + result] * stood[each, result] * all_orbits[each] * _SCALE
        for place in range(HAND):
            if place_in_least(five, codes[place]) == place:
                value = 0
                for result in range(RESULTS):
                    value += nets[WIN + result] * found[each, place, result] * (_SCALE // exchangeable(five, codes[place]))
                height = FIRST_JOKER if codes[place] >= FIRST_JOKER else rank(codes[place])
                if choice == NO_CHOICE or value > top:
                    choice, top, lowest_card = place, value, height
                    equal[each] = False
                elif value == top:
                    equal[each] = True
                    if choice != STAND and height < lowest_card:
                        choice, lowest_card = place, height
        choices[each] = choice
        if choice == STAND:
            for result in range(RESULTS):
                counts[WIN + RESULTS + result] += stood[each, result] * all_orbits[each] * _SCALE
        else:
            for result in range(RESULTS):
                counts[WIN + result] += found[each, choice, result] * (_SCALE // exchangeable(five, codes[choice]))
    return counts
