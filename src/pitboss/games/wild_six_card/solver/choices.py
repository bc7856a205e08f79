"""The best choice from every first five: what each discard, and standing, comes to, and what nets most.

The results of six cards K are added to all (F, x) they can come from: the first five F is K without a card, and x is
discarded from it.  Then each F takes what is best by the nets.  Sums over all sets that a least set stands for.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import FIRST_JOKER, bit, get_rank
from pitboss.counting.blocks import Integers, in_parts
from pitboss.counting.classes import lay_out
from pitboss.counting.compile import kernel
from pitboss.counting.suits import exchangeable, place_in_least
from pitboss.games.wild_six_card.rules import HAND, RESULTS, WIN
from pitboss.games.wild_six_card.solver.met import SIX, Firsts, Flags, Met, results

STAND = HAND
NO_CHOICE = -1
SCALE = 12
"""Every number of exchangeable cards, 1 to 4, divides it."""

Choices = NDArray[np.int8]
"""For each first five the place of the card to discard among the rising cards, ``STAND``, or ``NO_CHOICE`` (W6-2)."""


class Ends(NamedTuple):
    """How many deals end in win, tie, lose and push after each choice from every first five.

    ``drawn[first, place]``, when the card at ``place`` is discarded, over all sets that the first five stands for and
    all cards exchangeable with it, of which the others' places are empty; ``stood[first]`` when it stands.  A sum is
    over 48 sets of five exchangeable cards or fewer and the 49 cards drawn: below 48 x 4 x 49 x C(48, 6) < 2**37.
    """

    drawn: Integers
    stood: Integers


def ends_of(firsts: Firsts, met: Met) -> Ends:
    """Return what each choice comes to; if nothing is drawn every card left counts as the one that would have been."""

    def of_part(first: int, after: int) -> Ends:
        ends = Ends(
            np.zeros((len(firsts.masks), HAND, RESULTS), np.int64), np.zeros((len(firsts.masks), RESULTS), np.int64)
        )
        _add(firsts, met, first, after, ends)
        return ends

    parts = in_parts(of_part, len(met.masks))
    return Ends(*(np.sum(part, axis=0) for part in zip(*parts, strict=True)))


@kernel
def _add(firsts: Firsts, met: Met, first: int, after: int, ends: Ends) -> None:
    codes = np.zeros(SIX, np.int64)
    booked = np.zeros((SIX, RESULTS), np.int64)
    for each in range(first, after):
        six = met.masks[each]
        lay_out(six, codes)
        for gone in range(SIX):
            results(met, each, gone, met.orbits[each], booked[gone])
        for drawn in range(SIX):
            five = met.fives[each, drawn]
            if not firsts.won[five]:
                held = six ^ bit(codes[drawn])
                for result in range(RESULTS):
                    ends.stood[five, result] += booked[drawn, result]
                for gone in range(SIX):
                    if gone != drawn:
                        place = place_in_least(held, codes[gone])
                        for result in range(RESULTS):
                            ends.drawn[five, place, result] += booked[gone, result]


def best_choices(firsts: Firsts, ends: Ends, nets: Sequence[int], *, may_stand: bool) -> tuple[Choices, Flags]:
    """Return what nets most from each first five, and where another choice, not just up to suits, is worth as much.

    Of equal values standing is taken, else the lowest card, a Joker last (ALL-9).  Values of one first five are
    compared as sums over the sets it stands for, times ``SCALE``.
    """
    choices, equal = np.empty(len(firsts.masks), np.int8), np.zeros(len(firsts.masks), np.bool_)
    _choose(firsts, ends, int(may_stand), np.array(nets), choices, equal)
    return choices, equal


@kernel
def _choose(firsts: Firsts, ends: Ends, may_stand: int, nets: Integers, choices: Choices, equal: Flags) -> None:
    codes = np.zeros(HAND, np.int64)
    for each in range(len(firsts.masks)):
        choices[each] = NO_CHOICE
        if firsts.won[each]:
            continue
        mask = firsts.masks[each]
        top, lowest_height = 0, 0
        if may_stand:
            choices[each] = STAND
            top = SCALE * _value(nets, WIN + RESULTS, ends.stood[each])
        lay_out(mask, codes)
        for place in range(HAND):
            code = codes[place]
            if place_in_least(mask, code) == place:
                value = SCALE // exchangeable(mask, code) * _value(nets, WIN, ends.drawn[each, place])
                height = FIRST_JOKER if code >= FIRST_JOKER else get_rank(code)
                better = choices[each] == NO_CHOICE or value > top
                equal[each] = not better and (equal[each] or value == top)
                if better or (value == top and choices[each] != STAND and height < lowest_height):
                    choices[each], top, lowest_height = place, value, height


def values(firsts: Firsts, ends: Ends, nets: Sequence[int], choices: Choices) -> Integers:
    """Return what each first five's choice nets over all deals of the sets it stands for; 0 where nothing is chosen."""
    found = np.zeros(len(choices), np.int64)
    _fill_values(firsts.masks, ends, np.array(nets), choices, found)
    return found


@kernel
def _fill_values(masks: Integers, ends: Ends, nets: Integers, choices: Choices, found: Integers) -> None:
    codes = np.zeros(HAND, np.int64)
    for each in range(len(masks)):
        choice = choices[each]
        if choice == STAND:
            found[each] = _value(nets, WIN + RESULTS, ends.stood[each])
        elif choice != NO_CHOICE:
            lay_out(masks[each], codes)
            alike = exchangeable(masks[each], codes[choice])
            found[each] = _value(nets, WIN, ends.drawn[each, choice]) // alike


@kernel
def _value(nets: Integers, first: int, booked: Integers) -> int:
    value = 0
    for result in range(len(booked)):
        value += nets[first + result] * booked[result]
    return value
