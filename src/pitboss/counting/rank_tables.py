"""How much a weighted crowd of three-card sets leaves for a hand that shares no card with them.

Let every set T of three live cards have a weight that depends on nothing but T's ranks and which of its cards are in
the suit that matters (``rank_hands``).  By inclusion and exclusion the weights of the sets disjoint from a hand H add
up to the sum, over S within H of at most three cards, of (-1)^|S| times the weight of all T that hold S.  That weight
depends on the ranks of S and on its cards in the suit, and so do the tables kept here.

Cards of a rank are told by two *parts*: the plain one, with all cards of the rank outside the suit, and the
difference it makes when one of them is in the suit instead.  So the sum is a polynomial in a hand's state: its bits
are the variables, the parts' products the coefficients, no degree is above three.  Its values at all 64 states are
six passes of additions (``spread``).
"""

from math import comb
from typing import Any

import numpy as np

from pitboss.cards import RANKS
from pitboss.counting.blocks import Integers
from pitboss.counting.compile import kernel
from pitboss.counting.rank_hands import CHOOSE, Live, RankHands

DRAWN = 3

# Which differences exist: none (no suit matters), only between sets all of whose cards are in the suit, or any.
PLAIN, PURE, MIXED = 0, 1, 2

# Where the entries of one, two and three different ranks begin; level: how many cards of a rank.
_ONE = 1
_PAIRS, _TRIPLES = comb(RANKS, 2), comb(RANKS, 3)
_TWO = _ONE + DRAWN * 2 * RANKS
_UNEVEN = _TWO + 4 * _PAIRS
_THREE = _UNEVEN + 4 * RANKS * RANKS
ENTRIES = _THREE + 8 * _TRIPLES

MOST_SETS = comb(2 * RANKS + DRAWN - 1, DRAWN)
MOST_TOUCHED = MOST_SETS * 27
_OPTIONS = 8

Words = Any


@kernel
def drawn_sets(live: Live, sets: Integers) -> int:
    """Write every three live cards up to cards that are alike, each as three kinds ``2 * rank + suited`` in order.

    ``sets`` has shape (``MOST_SETS``, 3); return how many there are.
    """
    used = 0
    for low in range(2 * RANKS):
        for middle in range(low, 2 * RANKS):
            for high in range(middle, 2 * RANKS):
                enough = True
                for kind in (low, middle, high):
                    copies = (low == kind) + (middle == kind) + (high == kind)
                    there = live.suited[kind >> 1] if kind & 1 else live.others[kind >> 1]
                    enough &= copies <= there
                if enough:
                    sets[used, 0], sets[used, 1], sets[used, 2] = low, middle, high
                    used += 1
    return used


@kernel
def cards_drawn(three: Integers, live: Live) -> int:
    """Return one set of live cards of these three kinds, as a mask."""
    mask = 0
    for kind in three:
        rank = kind >> 1
        suit = live.suit if kind & 1 else 0
        while kind & 1 == 0 and (
            suit == live.suit or live.suits[rank] >> suit & 1 == 0 or mask >> (suit * RANKS + rank) & 1
        ):
            suit += 1
        mask |= 1 << (suit * RANKS + rank)
    return mask


@kernel
def touched(three: Integers, live: Live, differences: int, at: Integers, times: Integers, used: int) -> int:
    """Write which entries all sets of these three kinds add to, and how many of them to each, from ``used`` on.

    Return the new ``used``.
    """
    ranks = np.zeros(DRAWN, np.int64)
    options = np.ones(DRAWN, np.int64)
    level = np.zeros((DRAWN, _OPTIONS), np.int64)
    part = np.zeros((DRAWN, _OPTIONS), np.int64)
    count = np.ones((DRAWN, _OPTIONS), np.int64)
    block = 0
    i = 0
    while i < DRAWN:
        ranks[block] = three[i] >> 1
        plain, suited = 0, 0
        while i < DRAWN and three[i] >> 1 == ranks[block]:
            suited += three[i] & 1
            plain += 1 - (three[i] & 1)
            i += 1
        options[block] = _options_of(live.others[ranks[block]], plain, suited, level[block], part[block], count[block])
        block += 1
    for a in range(options[0]):
        for b in range(options[1]):
            for c in range(options[2]):
                levels = (level[0, a], level[1, b], level[2, c])
                parts = part[0, a] | part[1, b] << 1 | part[2, c] << 2
                held = (levels[0] > 0) | (levels[1] > 0) << 1 | (levels[2] > 0) << 2
                if parts and (differences == PLAIN or (differences == PURE and parts != held)):
                    continue
                at[used] = _entry(levels, parts, ranks)
                times[used] = count[0, a] * count[1, b] * count[2, c]
                used += 1
    return used


@kernel
def _options_of(others: int, plain: int, suited: int, level: Integers, part: Integers, count: Integers) -> int:
    """List the parts that one rank's cards of a set add to: how many of its sets hold the part, with its sign."""
    used = 0
    for within in range(suited + 1):
        for outside in range(plain + 1):
            holding = CHOOSE[max(others - outside, 0), plain - outside]
            level[used], part[used], count[used] = within + outside, within, holding
            used += 1
            if within == 0 and outside > 0:
                level[used], part[used], count[used] = outside, 1, -holding
                used += 1
    return used


@kernel
def _entry(levels: tuple[int, int, int], parts: int, ranks: Integers) -> int:
    """Return the entry of parts of up to three ranks, the lowest rank first; level 0 is no part."""
    first, second = -1, -1
    blocks = 0
    for block in range(DRAWN):
        if levels[block] > 0:
            blocks += 1
            if first < 0:
                first = block
            elif second < 0:
                second = block
    if blocks == 0:
        return 0
    low, first_part = ranks[first], parts >> first & 1
    if blocks == 1:
        return _ONE + ((levels[first] - 1) * 2 + first_part) * RANKS + low
    if blocks == 3:
        return _THREE + parts * _TRIPLES + triple_index(ranks[0], ranks[1], ranks[2])
    high, second_part = ranks[second], parts >> second & 1
    if levels[first] == 2:
        return _UNEVEN + ((first_part | second_part << 1) * RANKS + low) * RANKS + high
    if levels[second] == 2:
        return _UNEVEN + ((second_part | first_part << 1) * RANKS + high) * RANKS + low
    return _TWO + (first_part | second_part << 1) * _PAIRS + pair_index(low, high)


@kernel
def pair_index(low: int, high: int) -> int:
    """Number pairs of ranks, low below high."""
    return low + CHOOSE[high, 2]


@kernel
def triple_index(low: int, middle: int, high: int) -> int:
    """Number triples of ranks, in order."""
    return low + CHOOSE[middle, 2] + CHOOSE[high, 3]


@kernel
def plain_value(table: Words, hands: RankHands, hand: int) -> tuple[int, int]:
    """Return the polynomial's constant, in both words: the value of a state with no card in the suit."""
    groups, ranks, copies = hands.groups[hand], hands.ranks[hand], hands.copies[hand]
    first, second = table[0, 0], table[0, 1]
    for i in range(groups):
        x, y = _one(table, ranks[i], copies[i], 0)
        first += x
        second += y
        for j in range(i):
            x, y = _two(table, ranks[j], copies[j], 0, ranks[i], copies[i], 0)
            first += x
            second += y
            for k in range(j):
                at = _THREE + triple_index(ranks[k], ranks[j], ranks[i])
                times = copies[i] * copies[j] * copies[k]
                first -= times * table[at, 0]
                second -= times * table[at, 1]
    return first, second


@kernel
def add_differences(
    table: Words, hands: RankHands, hand: int, live: Live, differences: int, first: Words, second: Words
) -> None:
    """Write the other coefficients, in both words, at the states of their variables; those of dead cards are 0."""
    groups, ranks, copies = hands.groups[hand], hands.ranks[hand], hands.copies[hand]
    first[1 : 1 << groups] = 0
    second[1 : 1 << groups] = 0
    for i in range(groups):
        if live.suited[ranks[i]] == 0:
            continue
        first[1 << i], second[1 << i] = _one(table, ranks[i], copies[i], 1)
        for j in range(i):
            if live.suited[ranks[j]] == 0:
                continue
            both = 1 << i | 1 << j
            first[both], second[both] = _two(table, ranks[j], copies[j], 1, ranks[i], copies[i], 1)
            for k in range(j):
                if live.suited[ranks[k]]:
                    at = _THREE + 7 * _TRIPLES + triple_index(ranks[k], ranks[j], ranks[i])
                    first[both | 1 << k] = -table[at, 0]
                    second[both | 1 << k] = -table[at, 1]
    if differences == MIXED:
        _add_mixed(table, hands, hand, live, first, second)


@kernel
def _add_mixed(table: Words, hands: RankHands, hand: int, live: Live, first: Words, second: Words) -> None:
    """Add the coefficients of products in which some ranks are plain and some are not."""
    groups, ranks, copies = hands.groups[hand], hands.ranks[hand], hands.copies[hand]
    for i in range(groups):
        for j in range(i):
            for parts in range(1, 3):
                low, high = parts & 1, parts >> 1
                if live.suited[ranks[j if low else i]]:
                    state = low << j | high << i
                    x, y = _two(table, ranks[j], copies[j], low, ranks[i], copies[i], high)
                    first[state] += x
                    second[state] += y
            for k in range(j):
                for parts in range(1, 7):
                    state = (parts & 1) << k | (parts >> 1 & 1) << j | (parts >> 2) << i
                    times = 1
                    alive = 1
                    for place, group in enumerate((k, j, i)):
                        if parts >> place & 1:
                            alive *= live.suited[ranks[group]]
                        else:
                            times *= copies[group]
                    if alive:
                        at = _THREE + parts * _TRIPLES + triple_index(ranks[k], ranks[j], ranks[i])
                        first[state] -= times * table[at, 0]
                        second[state] -= times * table[at, 1]


@kernel
def _one(table: Words, rank: int, copies: int, part: int) -> tuple[int, int]:
    """Return what one rank adds by itself, in its plain or other part."""
    at = _ONE + part * RANKS + rank
    once = copies if part == 0 else 1
    first, second = -once * table[at, 0], -once * table[at, 1]
    for level in range(1, min(copies, DRAWN)):
        times = CHOOSE[copies, level + 1] if part == 0 else CHOOSE[copies - 1, level]
        if level == 2:
            times = -times
        at += 2 * RANKS
        first += times * table[at, 0]
        second += times * table[at, 1]
    return first, second


@kernel
def _two(
    table: Words, low: int, low_copies: int, low_part: int, high: int, high_copies: int, high_part: int
) -> tuple[int, int]:
    """Return what two ranks add together: a card of each, less two of one and one of the other."""
    low_once = 1 if low_part else low_copies
    high_once = 1 if high_part else high_copies
    at = _TWO + (low_part | high_part << 1) * _PAIRS + pair_index(low, high)
    first, second = low_once * high_once * table[at, 0], low_once * high_once * table[at, 1]
    if low_copies > 1:
        times = high_once * (low_copies - 1 if low_part else CHOOSE[low_copies, 2])
        at = _UNEVEN + ((low_part | high_part << 1) * RANKS + low) * RANKS + high
        first -= times * table[at, 0]
        second -= times * table[at, 1]
    if high_copies > 1:
        times = low_once * (high_copies - 1 if high_part else CHOOSE[high_copies, 2])
        at = _UNEVEN + ((high_part | low_part << 1) * RANKS + high) * RANKS + low
        first -= times * table[at, 0]
        second -= times * table[at, 1]
    return first, second


@kernel
def spread(coefficients: Words, groups: int) -> None:
    """Turn a polynomial's coefficients into its values at all states: each adds to every state that holds it."""
    for i in range(groups):
        step = 1 << i
        for start in range(0, 1 << groups, 2 * step):
            for state in range(start, start + step):
                coefficients[state + step] += coefficients[state]
