"""What a choice from every first five leads to: the outcomes of ``main``, with those of the side wagers beside them.

All side wagers of the game stand on the first five and the card drawn, so every deal has one outcome of each.
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
from pitboss.games.wild_six_card.solver.decide import NO_CHOICE, SCALE, STAND, Choices
from pitboss.hands import HandTables, evaluate_six_cards, load_hand_tables
from pitboss.kernels.compile import kernel, kernel_helper
from pitboss.kernels.enumeration import IntArray, map_ranges
from pitboss.kernels.set_classes import write_codes

SIDE_OUTCOME_COUNTS = {wager.id: len(wager.outcomes) for wager in GAME.wagers[1:]}
MAIN_OUTCOME_COUNT = len(GAME.wagers[0].outcomes)


class _FirstFiveResults(NamedTuple):
    """What each first five settles: Queens Or Better, the row of the Tax Schedule, and which cards are discarded."""

    queens: IntArray
    taxes: IntArray
    discards: IntArray


def book_outcomes(first_fives: FirstFives, census: SixesCensus, choices: Choices, options: WildSixOptions) -> IntArray:
    """Return the deals by outcome of Queens Or Better, Taxpayer's Fortune, Draw Bonus and ``main``: four dimensions.

    Sums are kept ``SCALE`` times too large, 12 x 1.9e15 for the whole deck, below 2**55, and divided at the end: cards
    that relabellings of a first five exchange are discarded equally often.
    """
    settled = _FirstFiveResults(*np.zeros((3, len(choices)), np.int64))
    _settle_first_fives(load_hand_tables(), options, first_fives.masks, choices, settled)

    def of_part(first: int, after: int) -> IntArray:
        ended = np.zeros((*SIDE_OUTCOME_COUNTS.values(), MAIN_OUTCOME_COUNT), np.int64)
        _book(load_hand_tables(), options, settled, census, choices, first, after, ended)
        return ended

    ended: IntArray = np.sum(map_ranges(of_part, len(census.masks)), axis=0)
    return ended // SCALE


@kernel_helper
def _classify_card(mask: int, code: int) -> Any:
    """Tell cards of a set apart but those that a relabelling of the set into itself can exchange."""
    if code >= FIRST_JOKER:
        return RANK_COUNT
    return get_suit_ranks(mask, code // RANK_COUNT) << SUIT_COUNT | get_rank(code)


@kernel
def _settle_first_fives(
    tables: HandTables, options: WildSixOptions, firsts: IntArray, choices: Choices, settled: _FirstFiveResults
) -> None:
    codes = np.zeros(HAND, np.int64)
    for each in range(len(firsts)):
        settled.queens[each] = settle_queens_or_better(tables, firsts[each], options)
        settled.taxes[each] = find_tax(tables, firsts[each], options)
        if choices[each] not in (NO_CHOICE, STAND):
            write_codes(firsts[each], codes)
            settled.discards[each] = _classify_card(firsts[each], codes[choices[each]])


@kernel
def _book(
    tables: HandTables, options: WildSixOptions, settled: _FirstFiveResults, census: SixesCensus, choices: Choices,
    first: int, after: int, ended: IntArray,
) -> None:  # fmt: skip
    codes = np.zeros(SIX, np.int64)
    booked = np.zeros((SIX, RESULT_COUNT), np.int64)
    lost = np.zeros(SIX, np.int64)
    for each in range(first, after):
        six, times = census.masks[each], SCALE * census.orbits[each]
        write_codes(six, codes)
        for gone in range(SIX):
            count_results(census, each, gone, times, booked[gone])
        line, bonus = evaluate_six_cards(six), settle_draw_bonus(tables, six, options)
        for drawn in range(SIX):
            five = census.fives[each, drawn]
            choice = choices[five]
            into = ended[settled.queens[five], number_tax_outcome(settled.taxes[five], line), bonus]
            if choice == NO_CHOICE:
                into[AUTOMATIC] += times * census.dealer_hands
            elif choice == STAND:
                for result in range(RESULT_COUNT):
                    into[WIN + RESULT_COUNT + result] += booked[drawn, result]
            else:
                held, alike = six ^ bit(codes[drawn]), 0
                for gone in range(SIX):
                    if gone != drawn and _classify_card(held, codes[gone]) == settled.discards[five]:
                        lost[alike] = gone
                        alike += 1
                for gone in lost[:alike]:
                    for result in range(RESULT_COUNT):
                        into[WIN + result] += booked[gone, result] // alike
