"""How often any play can be paid by each line of the Blind, from above.

A play that wants one line alone locks W1 where that makes the line, checks elsewhere, and plays wherever W2 makes it.
Count it as if every dealer lost: no play is paid by the line more often.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np

from pitboss.cards import RANK_COUNT, SUIT_COUNT
from pitboss.core.progress import ProgressCallback
from pitboss.games.shifting_wilds.rules import BLIND_LINES, HAND, ShiftingOptions, rank_hand
from pitboss.games.shifting_wilds.solver.deck import list_openings
from pitboss.hands import (
    ROYAL_FLUSH,
    HandTables,
    get_category,
    get_category_name,
    load_hand_tables,
    pack_lowest_strength,
)
from pitboss.kernels.compile import kernel
from pitboss.kernels.enumeration import IntArray
from pitboss.kernels.subsets import first_subset, next_subset
from pitboss.pay_limits import PayLimits

_ALL_RANKS = tuple(range(RANK_COUNT))
_COMMUNITY = 2


@kernel
def chase_lines(
    tables: HandTables, community: int, rest: int, cards: IntArray, options: ShiftingOptions, weight: int, most: Any
) -> None:
    """Add what the best chase of each line makes of every four cards and every W1.

    It counts pairs of W1 and W2, so a line that a Lock makes counts once for each W2.
    """
    made = np.zeros(BLIND_LINES + 1, np.int64)
    hole = first_subset(rest, HAND)
    while hole:
        made[:] = 0
        indicators = 0
        for card in cards:
            if card & (community | hole) == 0:
                indicators += 1
                strength = rank_hand(tables, hole, community, card, options)
                made[min(ROYAL_FLUSH - get_category(strength), BLIND_LINES)] += 1
        for line in range(BLIND_LINES):
            # Each of ``made`` W1s is locked; with each other W1 that many W2s make the line.
            most[line] += weight * made[line] * ((indicators - 1) + (indicators - made[line]))
        hole = next_subset(rest, hole)


def count_pay_limits(
    options: ShiftingOptions, progress: ProgressCallback, ranks: Sequence[int] = _ALL_RANKS
) -> PayLimits:
    """Return the least and the most staked on each line of the Blind.

    No line is ever certain.
    """
    codes = sorted(suit * RANK_COUNT + rank for suit in range(SUIT_COUNT) for rank in ranks)
    cards = np.array([1 << code for code in codes], np.int64)
    most, openings = np.zeros(BLIND_LINES, np.int64), list_openings(ranks)
    for done, (opening, weight) in enumerate(openings, 1):
        community = sum(1 << card for card in opening)
        rest = sum(1 << code for code in codes) & ~community
        chase_lines(load_hand_tables(), community, rest, cards, options, weight, most)
        progress(done, len(openings))
    left = len(cards) - _COMMUNITY
    deals = comb(len(cards), _COMMUNITY) * comb(left, HAND) * (left - HAND) * (left - HAND - 1)
    lines = [("blind", get_category_name(pack_lowest_strength(ROYAL_FLUSH - line))) for line in range(BLIND_LINES)]
    by_line = {line: Fraction(int(paid), deals) for line, paid in zip(lines, most, strict=True)}
    return PayLimits(dict.fromkeys(by_line, Fraction(0)), by_line)
