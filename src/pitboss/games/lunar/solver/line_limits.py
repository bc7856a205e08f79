"""How often any play can be paid by each line of main, from above.

A play that wants one line of the Bet alone takes, with every first five, the action that makes the line most often.
Count it as if every dealer qualified and lost: no play is paid by the line more often.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import comb, lcm
from typing import Any

import numpy as np

from pitboss.cards import RANK_COUNT, SUIT_COUNT
from pitboss.core.progress import ProgressCallback
from pitboss.games.lunar.combinations import (
    ACE_KING,
    NO_COMBINATION,
    SECONDS_OF_SIX,
    find_first_combination,
    find_second_combination,
)
from pitboss.games.lunar.first_five import INSTANT_CASH_LINES, NO_INSTANT_CASH, settle_ranked_instant_cash
from pitboss.games.lunar.rules import HAND, MOST_EXCHANGED, LunarOptions, rank_hand
from pitboss.hands import CATEGORY_COUNT, HandTables, get_category_name, load_hand_tables, pack_lowest_strength
from pitboss.kernels.compile import kernel
from pitboss.kernels.enumeration import IntArray
from pitboss.kernels.set_numbering import build_set_steps
from pitboss.pay_limits import PayLimits

PAID_CATEGORIES = tuple(SECONDS_OF_SIX)
"""The categories that a line of the Bet pays, in printed order."""

_ALL_RANKS = tuple(range(RANK_COUNT))
_SUBSETS = 1 << HAND
_BET = 2


@kernel
def add_lines(tables: HandTables, mask: int, options: LunarOptions, paid: IntArray) -> None:
    """Add one to each line that pays a hand, by category (LU-9)."""
    first = find_first_combination(rank_hand(tables, mask))
    if first == NO_COMBINATION:
        return
    paid[first] += 1
    second = find_second_combination(mask, first, options.paired_straight)
    if second != NO_COMBINATION:
        paid[second] += 1


@kernel
def number_subsets(places: IntArray, steps: IntArray, numbers: IntArray) -> None:
    """Number all subsets of five rising places, by the bits of the places chosen."""
    for chosen in range(len(numbers)):
        number, size = 0, 0
        for place in range(len(places)):
            if chosen >> place & 1:
                number += steps[places[place], size]
                size += 1
        numbers[chosen] = number


@kernel
def add_hands(
    tables: HandTables, cards: IntArray, last: int, steps: IntArray, options: LunarOptions, sums: Any
) -> None:
    """Add the lines of all five cards up to ``last`` to each of their subsets."""
    numbers, paid, places = np.zeros(_SUBSETS, np.int64), np.zeros(CATEGORY_COUNT, np.int64), np.zeros(HAND, np.int64)
    places[4] = last
    for four in range(last):
        for three in range(four):
            for two in range(three):
                for one in range(two):
                    places[0], places[1], places[2], places[3] = one, two, three, four
                    paid[:] = 0
                    add_lines(tables, cards[one] | cards[two] | cards[three] | cards[four] | cards[last], options, paid)
                    number_subsets(places, steps, numbers)
                    for line in range(CATEGORY_COUNT):
                        if paid[line]:
                            for number in numbers:
                                sums[number, line] += paid[line]


@kernel
def chase_lines(
    tables: HandTables,
    cards: IntArray,
    last: int,
    steps: IntArray,
    options: LunarOptions,
    sums: Any,
    scale: IntArray,
    most: IntArray,
    cash: IntArray,
) -> None:
    """Add what the best chase of each line makes of first fives up to ``last``.

    ``scale[n]`` is what one draw of n cards adds, 0 if n cards cannot be drawn.  First fives that are paid Instant Cash
    are added to ``cash``.
    """
    numbers, places = np.zeros(_SUBSETS, np.int64), np.zeros(HAND, np.int64)
    made, six = np.zeros((_SUBSETS, CATEGORY_COUNT), np.int64), np.zeros(CATEGORY_COUNT, np.int64)
    places[4] = last
    for four in range(last):
        for three in range(four):
            for two in range(three):
                for one in range(two):
                    places[0], places[1], places[2], places[3] = one, two, three, four
                    first = cards[one] | cards[two] | cards[three] | cards[four] | cards[last]
                    cashed = settle_ranked_instant_cash(rank_hand(tables, first))
                    if cashed != NO_INSTANT_CASH:
                        cash[cashed] += 1
                        continue
                    six[:] = 0
                    for card in cards:
                        if card & first == 0:
                            add_lines(tables, first | card, options, six)
                    number_subsets(places, steps, numbers)
                    for kept in range(_SUBSETS):
                        made[kept] = sums[numbers[kept]]
                    # From the hands that hold at least these cards to those that hold these and no other of the five.
                    for place in range(HAND):
                        for kept in range(_SUBSETS):
                            if kept >> place & 1 == 0:
                                made[kept] -= made[kept | 1 << place]
                    for line in range(CATEGORY_COUNT):
                        best = six[line] * scale[1]
                        for kept in range(_SUBSETS):
                            drawn = HAND
                            for place in range(HAND):
                                drawn -= kept >> place & 1
                            if drawn != 1:
                                best = max(best, min(made[kept, line] * scale[drawn], scale[0]))
                        most[line] += best


def count_pay_limits(
    options: LunarOptions, progress: ProgressCallback, ranks: Sequence[int] = _ALL_RANKS, suits: int = SUIT_COUNT
) -> PayLimits:
    """Return the least and the most staked on each line of main in a round.

    Of the cards unseen after a first five one is exposed, so n cards are drawn in C(unseen - 1, n) ways, and no more
    draws make a line than there are without the exposed card.  Instant Cash is paid before anything is decided, so
    every play is paid the same.  No line of the Bet is ever certain.
    """
    cards = np.array(sorted(1 << suit * RANK_COUNT + rank for suit in range(suits) for rank in ranks), np.int64)
    tables, unseen, first_fives = load_hand_tables(), len(cards) - HAND, comb(len(cards), HAND)
    steps, sets = build_set_steps(len(cards), HAND + 1)
    sums, most = np.zeros((sets, CATEGORY_COUNT), np.int32), np.zeros(CATEGORY_COUNT, np.int64)
    cash = np.zeros(len(INSTANT_CASH_LINES), np.int64)
    ways = [comb(unseen - 1, drawn) for drawn in range(min(MOST_EXCHANGED, unseen - HAND - 1) + 1)]
    whole = lcm(*ways)
    scale = np.array([whole // each for each in ways] + [0] * (MOST_EXCHANGED + 1 - len(ways)), np.int64)
    for last in range(HAND - 1, len(cards)):
        add_hands(tables, cards, last, steps, options, sums)
    for last in range(HAND - 1, len(cards)):
        chase_lines(tables, cards, last, steps, options, sums, scale, most, cash)
        progress(comb(last + 1, HAND), first_fives)
    by_cash = {
        ("instant-cash", line): Fraction(int(count), first_fives)
        for line, count in zip(INSTANT_CASH_LINES, cash, strict=True)
    }
    by_bet = {
        ("bet", "ace-king" if category == ACE_KING else get_category_name(pack_lowest_strength(category))): _BET
        * Fraction(int(most[category]), whole * first_fives)
        for category in PAID_CATEGORIES
    }
    return PayLimits(dict.fromkeys(by_bet, Fraction(0)) | by_cash, by_bet | by_cash)
