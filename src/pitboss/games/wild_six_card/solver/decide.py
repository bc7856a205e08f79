"""The best choice from every first five: what each discard, and standing, comes to, and what nets most.

The results of six cards K are added to all (F, x) they can come from: the first five F is K without a card, and x is
discarded from it.  Then each F takes what is best by the nets.  Sums over all sets that a least set stands for.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import FIRST_JOKER, bit, get_rank
from pitboss.games.wild_six_card.rules import HAND, RESULT_COUNT, WIN
from pitboss.games.wild_six_card.solver.census import SIX, FirstFives, Flags, SixesCensus, count_results
from pitboss.kernels.compile import kernel
from pitboss.kernels.enumeration import IntArray, map_ranges
from pitboss.kernels.set_classes import write_codes
from pitboss.kernels.suit_symmetry import count_exchangeable, find_canonical_place

STAND = HAND
NO_CHOICE = -1
SCALE = 12
"""Every number of exchangeable cards, 1 to 4, divides it."""

Choices = NDArray[np.int8]
"""For each first five the place of the card to discard among the rising cards, ``STAND``, or ``NO_CHOICE`` (W6-2)."""


class ChoiceTotals(NamedTuple):
    """How many deals end in win, tie, lose and push after each choice from every first five.

    ``drawn[first, place]``, when the card at ``place`` is discarded, over all sets that the first five stands for and
    all cards exchangeable with it, of which the others' places are empty; ``stood[first]`` when it stands.  A sum is
    over 48 sets of five exchangeable cards or fewer and the 49 cards drawn: below 48 x 4 x 49 x C(48, 6) < 2**37.
    """

    discarded: IntArray
    stood: IntArray


def total_choices(first_fives: FirstFives, census: SixesCensus) -> ChoiceTotals:
    """Return what each choice comes to; if nothing is drawn every card left counts as the one that would have been."""

    def of_part(first: int, after: int) -> ChoiceTotals:
        ends = ChoiceTotals(
            np.zeros((len(first_fives.masks), HAND, RESULT_COUNT), np.int64),
            np.zeros((len(first_fives.masks), RESULT_COUNT), np.int64),
        )
        _add_results(first_fives, census, first, after, ends)
        return ends

    parts = map_ranges(of_part, len(census.masks))
    return ChoiceTotals(*(np.sum(part, axis=0) for part in zip(*parts, strict=True)))


@kernel
def _add_results(first_fives: FirstFives, census: SixesCensus, first: int, after: int, totals: ChoiceTotals) -> None:
    codes = np.zeros(SIX, np.int64)
    booked = np.zeros((SIX, RESULT_COUNT), np.int64)
    for each in range(first, after):
        six = census.masks[each]
        write_codes(six, codes)
        for gone in range(SIX):
            count_results(census, each, gone, census.orbits[each], booked[gone])
        for drawn in range(SIX):
            five = census.fives[each, drawn]
            if not first_fives.is_winner[five]:
                held = six ^ bit(codes[drawn])
                for result in range(RESULT_COUNT):
                    totals.stood[five, result] += booked[drawn, result]
                for gone in range(SIX):
                    if gone != drawn:
                        place = find_canonical_place(held, codes[gone])
                        for result in range(RESULT_COUNT):
                            totals.discarded[five, place, result] += booked[gone, result]


def choose_best_discards(
    first_fives: FirstFives, totals: ChoiceTotals, nets: Sequence[int], *, may_stand: bool
) -> tuple[Choices, Flags]:
    """Return what nets most from each first five, and where another choice, not just up to suits, is worth as much.

    Of equal values standing is taken, else the lowest card, a Joker last (ALL-9).  Values of one first five are
    compared as sums over the sets it stands for, times ``SCALE``.
    """
    choices, equal = np.empty(len(first_fives.masks), np.int8), np.zeros(len(first_fives.masks), np.bool_)
    _choose_each(first_fives, totals, int(may_stand), np.array(nets), choices, equal)
    return choices, equal


@kernel
def _choose_each(
    first_fives: FirstFives, totals: ChoiceTotals, may_stand: int, nets: IntArray, choices: Choices, equal: Flags
) -> None:
    codes = np.zeros(HAND, np.int64)
    for each in range(len(first_fives.masks)):
        choices[each] = NO_CHOICE
        if first_fives.is_winner[each]:
            continue
        mask = first_fives.masks[each]
        top, lowest_height = 0, 0
        if may_stand:
            choices[each] = STAND
            top = SCALE * _compute_value(nets, WIN + RESULT_COUNT, totals.stood[each])
        write_codes(mask, codes)
        for place in range(HAND):
            code = codes[place]
            if find_canonical_place(mask, code) == place:
                value = (
                    SCALE // count_exchangeable(mask, code) * _compute_value(nets, WIN, totals.discarded[each, place])
                )
                height = FIRST_JOKER if code >= FIRST_JOKER else get_rank(code)
                better = choices[each] == NO_CHOICE or value > top
                equal[each] = not better and (equal[each] or value == top)
                if better or (value == top and choices[each] != STAND and height < lowest_height):
                    choices[each], top, lowest_height = place, value, height


def compute_values(first_fives: FirstFives, totals: ChoiceTotals, nets: Sequence[int], choices: Choices) -> IntArray:
    """Return what each first five's choice nets over all deals of the sets it stands for; 0 where nothing is chosen."""
    found = np.zeros(len(choices), np.int64)
    _fill_values(first_fives.masks, totals, np.array(nets), choices, found)
    return found


@kernel
def _fill_values(masks: IntArray, totals: ChoiceTotals, nets: IntArray, choices: Choices, found: IntArray) -> None:
    codes = np.zeros(HAND, np.int64)
    for each in range(len(masks)):
        choice = choices[each]
        if choice == STAND:
            found[each] = _compute_value(nets, WIN + RESULT_COUNT, totals.stood[each])
        elif choice != NO_CHOICE:
            write_codes(masks[each], codes)
            alike = count_exchangeable(masks[each], codes[choice])
            found[each] = _compute_value(nets, WIN, totals.discarded[each, choice]) // alike


@kernel
def _compute_value(nets: IntArray, first: int, booked: IntArray) -> int:
    value = 0
    for result in range(len(booked)):
        value += nets[first + result] * booked[result]
    return value
