"""Sum the weights of the three-card sets that share no card with a hand.

Let every set T of three live cards have a weight that depends only on T's ranks and on which of its cards are in the
suit that matters (``hand_classes``).  By inclusion and exclusion the weights of the sets disjoint from a hand H add
up to the sum, over S within H of at most three cards, of (-1)^|S| times the weight of all T that contain S.  That
weight depends on the ranks of S and on its cards in the suit, and so do the tables built here.

The cards of a rank are described by two *parts*: the plain part, as if all cards were outside the suit, and the
difference made when one of them is in the suit instead.  So the sum is a polynomial in the hand's state: the state's
bits are the variables, the products of the parts are the coefficients, and no degree is above three.  Six passes of
additions give its values at all 64 states (``evaluate_states``).

Every rank that is live in the suit must have at least two live cards outside it.

Entries of a table, from 0 on (R = 13 ranks, part bits: plain 0, difference 1):

    none | one rank, 1..3 cards x 2 parts x R | two ranks, one card each, 4 parts x pairs
         | two cards of one rank and one of another, 4 parts x R x R | three ranks, 8 parts x triples
"""

from itertools import combinations, combinations_with_replacement
from math import comb
from typing import Any, NamedTuple

import numpy as np

from pitboss.cards import RANK_COUNT, popcount
from pitboss.games.six_card.solver.hand_classes import BINOMIALS, HAND, HandClasses, LiveCards
from pitboss.kernels.compile import kernel_helper, no_alloc_kernel
from pitboss.kernels.enumeration import IntArray

DRAWN = 3

# Which differences exist: none (no suit matters), only those of sets with all cards in the suit, or any.
PLAIN, PURE, MIXED = 0, 1, 2

# Where the entries of one, two and three different ranks begin.  A level is the number of cards of a rank.
_ONE = 1
_PAIRS, _TRIPLES = comb(RANK_COUNT, 2), comb(RANK_COUNT, 3)
_TWO = _ONE + DRAWN * 2 * RANK_COUNT
_UNEVEN = _TWO + 4 * _PAIRS
_THREE = _UNEVEN + 4 * RANK_COUNT * RANK_COUNT
ENTRIES = _THREE + 8 * _TRIPLES

MAX_SETS = comb(2 * RANK_COUNT + DRAWN - 1, DRAWN)
MAX_TOUCHED = MAX_SETS * 27
_MAX_PARTS = 8
_TWOS, _THREES = comb(HAND, 2), comb(HAND, 3)
_SUBSETS = HAND + _TWOS + _THREES

Words = Any


class PartsWorkspace(NamedTuple):
    """Scratch arrays for the parts of up to three ranks that a set adds to.

    ``part_counts`` has how many parts each rank has; ``level``, ``part`` and ``sets`` describe each part.
    """

    ranks: IntArray
    part_counts: IntArray
    level: IntArray
    part: IntArray
    sets: IntArray


def make_workspace() -> PartsWorkspace:
    """Return scratch arrays for ``list_touched``."""
    one, each = DRAWN, (DRAWN, _MAX_PARTS)
    return PartsWorkspace(*(np.zeros(shape, np.int64) for shape in (one, one, each, each, each)))


@no_alloc_kernel
def list_drawn_sets(live: LiveCards, sets: IntArray) -> int:
    """List every three live cards, alike ones once, and return how many there are.

    A set is three kinds ``2 * rank + suited`` in order; ``sets`` has shape (``MAX_SETS``, 3).
    """
    used = 0
    for low in range(2 * RANK_COUNT):
        for middle in range(low, 2 * RANK_COUNT):
            for high in range(middle, 2 * RANK_COUNT):
                enough = True
                for kind in (low, middle, high):
                    copies = (low == kind) + (middle == kind) + (high == kind)
                    available = live.suited[kind >> 1] if kind & 1 else live.others[kind >> 1]
                    enough &= copies <= available
                if enough:
                    sets[used, 0], sets[used, 1], sets[used, 2] = low, middle, high
                    used += 1
    return used


@kernel_helper
def make_drawn_mask(three: IntArray, live: LiveCards) -> int:
    """Return one set of live cards of these three kinds, as a mask."""
    mask = 0
    for kind in three:
        rank = kind >> 1
        suit = live.suit if kind & 1 else 0
        # An unsuited card takes the first live suit, not the one that matters, whose card of this rank is not yet in
        # the mask.
        while kind & 1 == 0 and (
            suit == live.suit or live.suits[rank] >> suit & 1 == 0 or mask >> (suit * RANK_COUNT + rank) & 1
        ):
            suit += 1
        mask |= 1 << (suit * RANK_COUNT + rank)
    return mask


@no_alloc_kernel
def list_touched(
    three: IntArray,
    live: LiveCards,
    differences: int,
    at: IntArray,
    times: IntArray,
    used: int,
    workspace: PartsWorkspace,
) -> int:
    """Write the entries that the sets of three kinds add to, from ``used`` on.

    For each entry, write also how many of the sets add to it.  Return the new ``used``; ``workspace`` holds scratch
    arrays.
    """
    ranks, options, level, part, count = workspace
    options[:] = 1
    level[:] = 0
    part[:] = 0
    count[:] = 1
    # Each different rank is a block.  Ranks that are missing keep one part of level 0, which stands for no card.
    block = 0
    i = 0
    while i < DRAWN:
        ranks[block] = three[i] >> 1
        plain, suited = 0, 0
        while i < DRAWN and three[i] >> 1 == ranks[block]:
            suited += three[i] & 1
            plain += 1 - (three[i] & 1)
            i += 1
        options[block] = _list_parts(live.others[ranks[block]], plain, suited, level[block], part[block], count[block])
        block += 1
    # One part of each block together name one entry, and the counts multiply: cards of different ranks are
    # independent.  Products that are 0 for these ``differences`` have no entry.
    for a in range(options[0]):
        for b in range(options[1]):
            for c in range(options[2]):
                levels = (level[0, a], level[1, b], level[2, c])
                parts = part[0, a] | part[1, b] << 1 | part[2, c] << 2
                held = (levels[0] > 0) | (levels[1] > 0) << 1 | (levels[2] > 0) << 2
                is_complete = levels[0] + levels[1] + levels[2] == DRAWN
                if parts and (
                    differences == PLAIN
                    or (differences == PURE and parts != held)
                    or (differences == MIXED and is_complete and popcount(parts) == 1)
                ):
                    continue
                at[used] = _find_entry(levels, parts, ranks)
                times[used] = count[0, a] * count[1, b] * count[2, c]
                used += 1
    return used


@kernel_helper
def _list_parts(others: int, plain: int, suited: int, level: IntArray, part: IntArray, count: IntArray) -> int:
    """List the parts that one rank's cards of a set add to.

    For each part there is the signed number of sets that hold it.  If a part takes more cards than there are outside
    the suit, it must include the suited card, so the plain part describes it: no other cards of that number exist.
    """
    used = 0
    for within in range(suited + 1):
        for outside in range(plain + 1):
            holding = BINOMIALS[max(others - outside, 0), plain - outside]
            other_part = within if outside + within <= others else 0
            level[used], part[used], count[used] = within + outside, other_part, holding
            used += 1
            if within == 0 and outside > 0:
                level[used], part[used], count[used] = outside, 1, -holding
                used += 1
    return used


@kernel_helper
def _find_entry(levels: tuple[int, int, int], parts: int, ranks: IntArray) -> Any:
    """Return the entry of parts of up to three ranks, the lowest rank first.

    Level 0 stands for no part.
    """
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
        return _ONE + ((levels[first] - 1) * 2 + first_part) * RANK_COUNT + low
    if blocks == 3:
        return _THREE + parts * _TRIPLES + _number_triple(ranks[0], ranks[1], ranks[2])
    high, second_part = ranks[second], parts >> second & 1
    if levels[first] == 2:
        return _UNEVEN + ((first_part | second_part << 1) * RANK_COUNT + low) * RANK_COUNT + high
    if levels[second] == 2:
        return _UNEVEN + ((second_part | first_part << 1) * RANK_COUNT + high) * RANK_COUNT + low
    return _TWO + (first_part | second_part << 1) * _PAIRS + low + BINOMIALS[high, 2]


@kernel_helper
def _number_triple(low: Any, middle: Any, high: Any) -> Any:
    """Number three ranks, in order."""
    return low + BINOMIALS[middle, 2] + BINOMIALS[high, 3]


class HandEntries(NamedTuple):
    """The entries that classes of hands look up, one class a row.

    ``plain`` (n, 41) has the plain entry of each card, each two and each three cards of a hand of six.  ``pairs`` (n,
    15) and ``triples`` (n, 20) number two and three different ranks, those of the lowest ranks first.
    """

    plain: Any
    pairs: Any
    triples: Any


def find_entries(hands: HandClasses) -> HandEntries:
    """Return the entries that each class looks up."""
    ranks = hands.ranks.astype(np.int64)
    cards = np.repeat(hands.ranks, hands.copies.ravel()).reshape(ranks.shape)
    numbers = _tabulate_plain()
    plain = [numbers[1][cards[:, i]] for i in range(HAND)]
    plain += [numbers[2][cards[:, j], cards[:, i]] for j, i in _list_places(2)]
    plain += [numbers[3][cards[:, k], cards[:, j], cards[:, i]] for k, j, i in _list_places(3)]
    pairs = [ranks[:, j] + BINOMIALS[ranks[:, i], 2] for j, i in _list_places(2)]
    triples = [_number_triple(ranks[:, k], ranks[:, j], ranks[:, i]) for k, j, i in _list_places(3)]
    return HandEntries(*(np.stack(columns, 1).astype(np.uint16) for columns in (plain, pairs, triples)))


def _list_places(size: int) -> list[tuple[int, ...]]:
    """List the sets of ``size`` of a hand's six positions.

    They are in the order of ``HandEntries``.
    """
    return sorted(combinations(range(HAND), size), key=lambda places: places[::-1])


def _tabulate_plain() -> dict[int, IntArray]:
    """Return the plain entries of all ranks in order, by the number of cards."""
    entries = {size: np.zeros((RANK_COUNT,) * size, np.int64) for size in (1, 2, DRAWN)}
    for size, numbers in entries.items():
        for held in combinations_with_replacement(range(RANK_COUNT), size):
            ranks = [*sorted(set(held)), 0, 0][:DRAWN]
            levels = [held.count(rank) if each < len(set(held)) else 0 for each, rank in enumerate(ranks)]
            numbers[held] = _find_entry((levels[0], levels[1], levels[2]), 0, np.array(ranks))
    return entries


@kernel_helper
def compute_plain_value(table: Words, entries: HandEntries, hand: int) -> tuple[int, int]:
    """Return the polynomial's constant, in both words.

    It is the value of a state with no card in the suit.
    """
    # Inclusion and exclusion over the hand's subsets: plus for none and two cards, minus for one and three.
    first, second = table[0, 0], table[0, 1]
    for one in range(HAND):
        at = entries.plain[hand, one]
        first -= table[at, 0]
        second -= table[at, 1]
    for two in range(HAND, HAND + _TWOS):
        at = entries.plain[hand, two]
        first += table[at, 0]
        second += table[at, 1]
    for three in range(HAND + _TWOS, _SUBSETS):
        at = entries.plain[hand, three]
        first -= table[at, 0]
        second -= table[at, 1]
    return first, second


@kernel_helper
def add_differences(
    table: Words, hands: HandClasses, entries: HandEntries, hand: int, differences: int, first: Words, second: Words
) -> None:
    """Write the polynomial's other coefficients, in both words.

    Each is written at the state that has its variables set.
    """
    groups = hands.groups[hand]
    first[1 : 1 << groups] = 0
    second[1 : 1 << groups] = 0
    two, three = 0, 0
    # The coefficient of some variables is the product of their differences, with the sign of the subset's size.
    for i in range(groups):
        at = np.uint64(_ONE + RANK_COUNT + hands.ranks[hand, i])
        first[1 << i], second[1 << i] = -table[at, 0], -table[at, 1]
        for j in range(i):
            at = np.uint64(_TWO + 3 * _PAIRS + entries.pairs[hand, two])
            first[1 << i | 1 << j], second[1 << i | 1 << j] = table[at, 0], table[at, 1]
            two += 1
            for k in range(j):
                at = np.uint64(_THREE + 7 * _TRIPLES + entries.triples[hand, three])
                state = 1 << i | 1 << j | 1 << k
                first[state], second[state] = -table[at, 0], -table[at, 1]
                three += 1
    if differences == MIXED:
        _add_mixed(table, hands, entries, hand, first, second)


@kernel_helper
def compute_difference(
    table: Words, hands: HandClasses, entries: HandEntries, hand: int, group: int, differences: int
) -> tuple[int, int]:
    """Return the coefficient of one rank alone, in both words.

    It is the change when one card of the rank is in the suit.
    """
    ranks, copies = hands.ranks[hand], hands.copies[hand]
    at = _ONE + RANK_COUNT + ranks[group]
    first, second = -table[at, 0], -table[at, 1]
    # One difference times the plain part of a second card: of another rank, or of the same rank if there are more.
    if differences == MIXED:
        for other in range(hands.groups[hand]):
            if other != group:
                low, high = min(group, other), max(group, other)
                at = _TWO + (1 if group == low else 2) * _PAIRS + entries.pairs[hand, high * (high - 1) // 2 + low]
                first += copies[other] * table[at, 0]
                second += copies[other] * table[at, 1]
        if copies[group] > 1:
            at = _ONE + 3 * RANK_COUNT + ranks[group]
            first += (copies[group] - 1) * table[at, 0]
            second += (copies[group] - 1) * table[at, 1]
    return first, second


@kernel_helper
def _add_mixed(table: Words, hands: HandClasses, entries: HandEntries, hand: int, first: Words, second: Words) -> None:
    """Add the products of differences with a plain part.

    They exist only where two cards of the suit matter.  If only one of three cards is in the suit, the weight is that
    of three cards outside it, so those differences are 0.
    """
    groups, ranks, copies = hands.groups[hand], hands.ranks[hand], hands.copies[hand]
    two, three = 0, 0
    for i in range(groups):
        for j in range(i):
            pair = _TWO + entries.pairs[hand, two]
            two += 1
            _add_entry(table, pair + _PAIRS, copies[i], first, second, 1 << j)
            _add_entry(table, pair + 2 * _PAIRS, copies[j], first, second, 1 << i)
            for k in range(j):
                triple = _THREE + entries.triples[hand, three]
                three += 1
                _add_entry(table, triple + 3 * _TRIPLES, -copies[i], first, second, 1 << j | 1 << k)
                _add_entry(table, triple + 5 * _TRIPLES, -copies[j], first, second, 1 << i | 1 << k)
                _add_entry(table, triple + 6 * _TRIPLES, -copies[k], first, second, 1 << i | 1 << j)
        if copies[i] > 1:
            _add_entry(table, _ONE + 3 * RANK_COUNT + ranks[i], copies[i] - 1, first, second, 1 << i)
            for j in range(groups):
                if j != i:
                    at = _UNEVEN + (3 * RANK_COUNT + ranks[i]) * RANK_COUNT + ranks[j]
                    _add_entry(table, at, 1 - copies[i], first, second, 1 << i | 1 << j)


@kernel_helper
def _add_entry(table: Words, at: int, times: int, first: Words, second: Words, state: int) -> None:
    """Add an entry ``times`` over to the coefficients of a state."""
    first[state] += times * table[at, 0]
    second[state] += times * table[at, 1]


@kernel_helper
def evaluate_states(coefficients: Words, groups: int) -> None:
    """Turn a polynomial's coefficients into its values at all states.

    Each coefficient adds to every state that contains it.
    """
    # The sum over subsets, one variable at a time: with it set, add the value without it.
    for i in range(groups):
        step = 1 << i
        for start in range(0, 1 << groups, 2 * step):
            for state in range(start, start + step):
                coefficients[np.uint64(state + step)] += coefficients[np.uint64(state)]
