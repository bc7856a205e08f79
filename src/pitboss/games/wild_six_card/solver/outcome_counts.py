"""Count the outcomes of ``main`` and of the side wagers together.

This is done for a choice from every first five.

All side wagers of the game depend on the first five and the card drawn, so every deal has one outcome of each.
"""

from typing import Any, NamedTuple

import numpy as np

from pitboss.cards import FIRST_JOKER, RANK_COUNT, SUIT_COUNT, bit, get_rank, get_suit_ranks
from pitboss.games.wild_six_card import GAME
from pitboss.games.wild_six_card.rules import (
    AUTOMATIC,
    HAND,
    RESULT_COUNT,
    WIN,
    WildSixOptions,
    find_tax,
    number_tax_outcome,
    settle_draw_bonus,
    settle_queens_or_better,
)
from pitboss.games.wild_six_card.solver.census import SIX, FirstFives, SixesCensus, count_results
from pitboss.games.wild_six_card.solver.decide import NO_CHOICE, SCALE, STAND, ChoiceCodes
from pitboss.games.wild_six_card.solver.set_classes import write_codes
from pitboss.hands import HandTables, evaluate_six_cards, load_hand_tables
from pitboss.kernels.compile import kernel, kernel_helper
from pitboss.kernels.enumeration import IntArray, map_ranges

SIDE_OUTCOME_COUNTS = {wager.id: len(wager.outcomes) for wager in GAME.wagers[1:]}
MAIN_OUTCOME_COUNT = len(GAME.main.outcomes)


class _FirstFiveResults(NamedTuple):
    """The results of each first five.

    They are Queens Or Better, the row of the Tax Schedule, and the class of its discard.
    """

    queens: IntArray
    taxes: IntArray
    discards: IntArray


def tally_outcomes(
    first_fives: FirstFives, census: SixesCensus, choices: ChoiceCodes, options: WildSixOptions
) -> IntArray:
    """Count the deals by outcome of each side wager and of ``main``.

    The four dimensions are Queens Or Better, Taxpayer's Fortune, Draw Bonus and ``main``.

    Sums are ``SCALE`` times too large, 12 x 1.9e15 for the whole deck, below 2**55, and are divided at the end: cards
    that relabellings of a first five exchange are discarded equally often.
    """
    five_results = _FirstFiveResults(*np.zeros((3, len(choices)), np.int64))
    _settle_first_fives(load_hand_tables(), options, first_fives.masks, choices, five_results)

    def count_part(first: int, after: int) -> IntArray:
        counts = np.zeros((*SIDE_OUTCOME_COUNTS.values(), MAIN_OUTCOME_COUNT), np.int64)
        _tally(load_hand_tables(), options, five_results, census, choices, first, after, counts)
        return counts

    counts: IntArray = np.sum(map_ranges(count_part, len(census.masks)), axis=0)
    return counts // SCALE


@kernel_helper
def _classify_card(mask: int, code: int) -> Any:
    """Classify a card of a set up to relabellings of the set.

    Two cards have the same number only if a relabelling of the set into itself exchanges them.
    """
    if code >= FIRST_JOKER:
        return RANK_COUNT
    return get_suit_ranks(mask, code // RANK_COUNT) << SUIT_COUNT | get_rank(code)


@kernel
def _settle_first_fives(
    tables: HandTables,
    options: WildSixOptions,
    first_fives: IntArray,
    choices: ChoiceCodes,
    five_results: _FirstFiveResults,
) -> None:
    codes = np.zeros(HAND, np.int64)
    for each in range(len(first_fives)):
        five_results.queens[each] = settle_queens_or_better(tables, first_fives[each], options)
        five_results.taxes[each] = find_tax(tables, first_fives[each], options)
        if choices[each] not in (NO_CHOICE, STAND):
            write_codes(first_fives[each], codes)
            five_results.discards[each] = _classify_card(first_fives[each], codes[choices[each]])


@kernel
def _tally(
    tables: HandTables, options: WildSixOptions, five_results: _FirstFiveResults, census: SixesCensus,
    choices: ChoiceCodes, first: int, after: int, counts: IntArray,
) -> None:  # fmt: skip
    codes = np.zeros(SIX, np.int64)
    results = np.zeros((SIX, RESULT_COUNT), np.int64)
    discards = np.zeros(SIX, np.int64)
    for each in range(first, after):
        six, times = census.masks[each], SCALE * census.orbits[each]
        write_codes(six, codes)
        for dropped in range(SIX):
            count_results(census, each, dropped, times, results[dropped])
        line, bonus = evaluate_six_cards(six), settle_draw_bonus(tables, six, options)
        for drawn in range(SIX):
            five = census.fives[each, drawn]
            choice = choices[five]
            cell = counts[five_results.queens[five], number_tax_outcome(five_results.taxes[five], line), bonus]
            if choice == NO_CHOICE:
                cell[AUTOMATIC] += times * census.dealer_hands
            elif choice == STAND:
                for result in range(RESULT_COUNT):
                    cell[WIN + RESULT_COUNT + result] += results[drawn, result]
            else:
                held, exchangeable = six ^ bit(codes[drawn]), 0
                for dropped in range(SIX):
                    if dropped != drawn and _classify_card(held, codes[dropped]) == five_results.discards[five]:
                        discards[exchangeable] = dropped
                        exchangeable += 1
                for dropped in discards[:exchangeable]:
                    for result in range(RESULT_COUNT):
                        cell[WIN + result] += results[dropped, result] // exchangeable
