"""Choose the best action for every first five.

The results of each discard and of standing are totalled, and their nets compared.

The results of six cards K are added to all pairs (F, x) that lead to them: the first five F is K without one card, and
x is discarded from F.  Then each F takes the choice with the highest net.  All sums are over the sets that a least set
stands for.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import FIRST_JOKER, bit, get_rank
from pitboss.games.wild_six_card.rules import HAND, RESULT_COUNT, WIN
from pitboss.games.wild_six_card.solver.census import SIX, FirstFives, Flags, SixesCensus, count_results
from pitboss.games.wild_six_card.solver.set_classes import write_codes
from pitboss.kernels.compile import kernel
from pitboss.kernels.enumeration import IntArray, map_ranges
from pitboss.kernels.suit_symmetry import count_exchangeable, find_canonical_place

STAND = HAND
NO_CHOICE = -1
SCALE = 12
"""A multiple of every number of exchangeable cards, 1 to 4."""

ChoiceCodes = NDArray[np.int8]
"""For each first five the place of its discard in ascending order, ``STAND``, or ``NO_CHOICE`` (W6-2)."""


class ChoiceTotals(NamedTuple):
    """The numbers of deals that win, tie, lose and push, by first five and choice.

    ``discarded[first, place]`` is for the discard of the card at ``place``, over all sets that the first five stands
    for and all cards exchangeable with the discard; the places of those other cards are 0.  ``stood[first]`` is for
    standing.  A sum is over 48 sets of five exchangeable cards or fewer and the 49 cards drawn: below 48 x 4 x 49 x
    C(48, 6) < 2**37.
    """

    discarded: IntArray
    stood: IntArray


def total_choices(first_fives: FirstFives, census: SixesCensus) -> ChoiceTotals:
    """Total the results of each choice.

    Where nothing is drawn, each remaining card counts as the one drawn.
    """

    def total_part(first: int, after: int) -> ChoiceTotals:
        totals = ChoiceTotals(
            np.zeros((len(first_fives.masks), HAND, RESULT_COUNT), np.int64),
            np.zeros((len(first_fives.masks), RESULT_COUNT), np.int64),
        )
        _add_results(first_fives, census, first, after, totals)
        return totals

    parts = map_ranges(total_part, len(census.masks))
    return ChoiceTotals(*(np.sum(part, axis=0) for part in zip(*parts, strict=True)))


@kernel
def _add_results(first_fives: FirstFives, census: SixesCensus, first: int, after: int, totals: ChoiceTotals) -> None:
    codes = np.zeros(SIX, np.int64)
    results = np.zeros((SIX, RESULT_COUNT), np.int64)
    for each in range(first, after):
        six = census.masks[each]
        write_codes(six, codes)
        for dropped in range(SIX):
            count_results(census, each, dropped, census.orbits[each], results[dropped])
        for drawn in range(SIX):
            five = census.fives[each, drawn]
            if not first_fives.is_winner[five]:
                held = six ^ bit(codes[drawn])
                for result in range(RESULT_COUNT):
                    totals.stood[five, result] += results[drawn, result]
                for dropped in range(SIX):
                    if dropped != drawn:
                        place = find_canonical_place(held, codes[dropped])
                        for result in range(RESULT_COUNT):
                            totals.discarded[five, place, result] += results[dropped, result]


def choose_best_discards(
    first_fives: FirstFives, totals: ChoiceTotals, nets: Sequence[int], *, may_stand: bool
) -> tuple[ChoiceCodes, Flags]:
    """Choose the highest net for each first five, and tell where nets are equal.

    Nets are equal where another choice, not just up to suits, has the same net.

    Of equal values standing is taken, else the lowest card, a Joker last (ALL-9).  Values of one first five are
    compared as sums over the sets it stands for, times ``SCALE``.
    """
    choices, equal = np.empty(len(first_fives.masks), np.int8), np.zeros(len(first_fives.masks), np.bool_)
    _choose_each(first_fives, totals, int(may_stand), np.array(nets), choices, equal)
    return choices, equal


@kernel
def _choose_each(
    first_fives: FirstFives, totals: ChoiceTotals, may_stand: int, nets: IntArray, choices: ChoiceCodes, equal: Flags
) -> None:
    codes = np.zeros(HAND, np.int64)
    for each in range(len(first_fives.masks)):
        choices[each] = NO_CHOICE
        if first_fives.is_winner[each]:
            continue
        mask = first_fives.masks[each]
        best_value, lowest_height = 0, 0
        if may_stand:
            choices[each] = STAND
            best_value = SCALE * _compute_value(nets, WIN + RESULT_COUNT, totals.stood[each])
        write_codes(mask, codes)
        for place in range(HAND):
            code = codes[place]
            if find_canonical_place(mask, code) == place:
                value = (
                    SCALE // count_exchangeable(mask, code) * _compute_value(nets, WIN, totals.discarded[each, place])
                )
                height = FIRST_JOKER if code >= FIRST_JOKER else get_rank(code)
                is_better = choices[each] == NO_CHOICE or value > best_value
                equal[each] = not is_better and (equal[each] or value == best_value)
                if is_better or (value == best_value and choices[each] != STAND and height < lowest_height):
                    choices[each], best_value, lowest_height = place, value, height


def compute_values(
    first_fives: FirstFives, totals: ChoiceTotals, nets: Sequence[int], choices: ChoiceCodes
) -> IntArray:
    """Compute the net of each first five's choice over all deals.

    The deals are those of the sets it stands for.  The net is 0 where there is no choice.
    """
    values = np.zeros(len(choices), np.int64)
    _fill_values(first_fives.masks, totals, np.array(nets), choices, values)
    return values


@kernel
def _fill_values(masks: IntArray, totals: ChoiceTotals, nets: IntArray, choices: ChoiceCodes, values: IntArray) -> None:
    codes = np.zeros(HAND, np.int64)
    for each in range(len(masks)):
        choice = choices[each]
        if choice == STAND:
            values[each] = _compute_value(nets, WIN + RESULT_COUNT, totals.stood[each])
        elif choice != NO_CHOICE:
            write_codes(masks[each], codes)
            exchangeable = count_exchangeable(masks[each], codes[choice])
            values[each] = _compute_value(nets, WIN, totals.discarded[each, choice]) // exchangeable


@kernel
def _compute_value(nets: IntArray, first: int, results: IntArray) -> int:
    value = 0
    for result in range(len(results)):
        value += nets[first + result] * results[result]
    return value
