"""Value final hands against every hand that the dealer may hold.

These are the hands that the cards drawn leave possible.

The dealer's hidden fours are sorted once.  A table holds, for every set S of at most four live cards, how many fours
contain all of it, by how they compare with the current final hand: final hands are taken by rising strength, and a
qualified four changes from stronger to equal to weaker.  The fours that share no card with the cards drawn are the sum,
over all S within these, of (-1)^|S| table[S].  A word has three counts of 21 bits; there are at most
C(46, 4) = 163,185 fours, and partial sums may overflow.

    63 | 62 ...... 42 | 41 .............. 21 | 20 ...... 0
       | unqualified  |   not stronger       |   weaker
"""

from typing import NamedTuple

import numpy as np

from pitboss.games.lunar.outcomes import AFTER_FORCE, NOT_FORCED, get_path_start
from pitboss.games.lunar.rules import (
    MOST_EXCHANGED,
    PLAYED,
    UNDECIDED,
    LunarOptions,
    LunarState,
    rank_hand,
    settle_showdown,
)
from pitboss.games.lunar.solver.hint_dealer_hands import HIDDEN, PLACE_BITS, PLACE_MASK
from pitboss.games.lunar.solver.hint_force import (
    HintWorkspace,
    UnqualifiedDealers,
    UnseenCards,
    bound_not_stronger,
    can_force,
    compute_force_gain,
    get_end_nets,
    get_force_start,
)
from pitboss.hands import NO_HAND, HandTables
from pitboss.kernels.compile import kernel_helper, no_alloc_kernel
from pitboss.kernels.enumeration import IntArray

GROUP_SHIFT = PLACE_BITS * MOST_EXCHANGED

# The lanes of a word.  Fours below the qualifier count in their own lane only.
LANE_BITS = 21
COUNT_MASK = (1 << LANE_BITS) - 1
WEAKER = 1
NOT_STRONGER = 1 << LANE_BITS
UNQUALIFIED = 1 << 2 * LANE_BITS


class HandGroups(NamedTuple):
    """Final hands that belong together.

    A group is one way of playing or drawing, with one choice of the cards given up.

    ``kept`` are the cards kept and ``drawn`` how many cards are drawn to them; a hand is worth at least its ``floors``,
    what a fold nets, in units.
    """

    kept: IntArray
    drawn: IntArray
    floors: IntArray


class HandsByStrength(NamedTuple):
    """Final hands by strength.

    ``last[key]`` is one of a key's hands, ``before[hand]`` another of the same key, or -1.

    ``codes`` have the places of the cards drawn, and above them the group.  Key 2 i is for hands between the dealer's
    strengths i - 1 and i, key 2 i + 1 for hands as strong as the i-th.
    """

    last: IntArray
    before: IntArray
    codes: IntArray


class FoursByStrength(NamedTuple):
    """The hidden fours by strength.

    ``places`` has the places of all of them, ``low`` the numbers of those below the qualifier.

    Those of the i-th strength of ``levels``, from the lowest that qualifies, are ``order[starts[i]:starts[i + 1]]``.
    """

    places: IntArray
    low: IntArray
    levels: IntArray
    order: IntArray
    starts: IntArray


class SetTable(NamedTuple):
    """The table of words, and what numbers its entries.

    The steps and sizes number them; ``numbers`` is a scratch array for one set.
    """

    table: IntArray
    steps: IntArray
    sizes: IntArray
    numbers: IntArray


@no_alloc_kernel
def fill_hands(
    tables: HandTables,
    live: IntArray,
    levels: IntArray,
    groups: HandGroups,
    first: int,
    every: int,
    places: IntArray,
    hands: HandsByStrength,
) -> None:
    """Add the final hands of all groups, or a regular part of them.

    Of all in their order, the ``first`` and then one of ``every`` are added.  ``places`` is a scratch array for the
    places of the cards drawn, with one element more.
    """
    at, turn = 0, first
    for group in range(len(groups.kept)):
        drawn = groups.drawn[group]
        for each in range(drawn):
            places[each] = each
        places[drawn] = len(live)
        moved = -1
        while moved < drawn:
            if turn == 0:
                add_hand(tables, live, levels, groups, group, places, hands, at)
                at += 1
            turn = turn - 1 if turn else every - 1
            moved = 0
            while moved < drawn and places[moved] + 1 == places[moved + 1]:
                places[moved] = moved
                moved += 1
            if moved < drawn:
                places[moved] += 1


@no_alloc_kernel
def add_hand(
    tables: HandTables,
    live: IntArray,
    levels: IntArray,
    groups: HandGroups,
    group: int,
    places: IntArray,
    hands: HandsByStrength,
    at: int,
) -> None:
    """Add a final hand to those of its strength.

    It becomes number ``at``; its cards drawn are at ``places``.
    """
    mask, code = groups.kept[group], group << GROUP_SHIFT
    for each in range(groups.drawn[group]):
        mask |= live[places[each]]
        code |= places[each] << PLACE_BITS * each
    mine = rank_hand(tables, mask)
    level, above = 0, len(levels)
    while level < above:
        middle = (level + above) // 2
        level, above = (middle + 1, above) if levels[middle] < mine else (level, middle)
    key = 2 * level + (1 if level < len(levels) and levels[level] == mine else 0)
    hands.codes[at] = code
    hands.before[at] = hands.last[key]
    hands.last[key] = at


@kernel_helper
def number_subsets(sets: SetTable, code: int, cards: int) -> None:
    """Number every subset of at most four of the places in ``code``.

    Bit i of a subset is the i-th place.
    """
    sets.numbers[0] = 0
    for card in range(cards):
        place = code >> PLACE_BITS * card & PLACE_MASK
        for each in range(1 << card):
            subset = np.uint64(each)
            step = sets.steps[np.uint64(place), np.uint64(sets.sizes[subset])]
            sets.numbers[np.uint64(each | 1 << card)] = sets.numbers[subset] + step


@kernel_helper
def add_four(sets: SetTable, code: int, unit: int) -> None:
    """Add ``unit`` to every set within a four."""
    number_subsets(sets, code, HIDDEN)
    for subset in range(1 << HIDDEN):
        sets.table[np.uint64(sets.numbers[np.uint64(subset)])] += unit


@kernel_helper
def count_disjoint(sets: SetTable, code: int, cards: int) -> int:
    """Return the word of the fours that share no card with those in ``code``.

    ``code`` has at most five cards.
    """
    number_subsets(sets, code, cards)
    word = 0
    # Subsets of five cards have no entry: no four contains them.
    for each in range(min(1 << cards, len(sets.sizes))):
        subset = np.uint64(each)
        counted = sets.table[np.uint64(sets.numbers[subset])]
        word += -counted if sets.sizes[subset] & 1 else counted
    return word


@kernel_helper
def find_win(tables: HandTables, hand: int, draw: int, at: int, options: LunarOptions) -> int:
    """Return the outcome of a final hand that beats a qualified dealer.

    The outcomes against a qualified dealer start at ``at``.
    """
    return settle_showdown(tables, LunarState(hand, 0, 0, 0, 0, 0, draw, PLAYED, UNDECIDED, 1), NO_HAND, at, options)


@kernel_helper
def count_fours_and_cards(left: int) -> tuple[int, int]:
    """Count the fours among ``left`` cards, and the cards that may come after them."""
    return left * (left - 1) * (left - 2) * (left - 3) // 24, left - HIDDEN


@kernel_helper
def compute_value_without_force(
    tables: HandTables, options: LunarOptions, nets: IntArray, hand: int, draw: int, word: int, fours: int
) -> int:
    """Return what a final hand is worth if the Ante is always taken.

    It is the worth over the fours counted in ``word``.
    """
    ends = get_end_nets(nets, draw)
    weaker, not_stronger, unqualified = word & COUNT_MASK, word >> LANE_BITS & COUNT_MASK, word >> 2 * LANE_BITS
    value: int = unqualified * ends.take_ante + (fours - unqualified - not_stronger) * ends.lose
    win = nets[find_win(tables, hand, draw, get_path_start(draw) + NOT_FORCED, options)]
    return value + weaker * int(win) + (not_stronger - weaker) * ends.tie


@no_alloc_kernel
def sum_group_values(
    tables: HandTables,
    options: LunarOptions,
    nets: IntArray,
    live: UnseenCards,
    hidden_fours: FoursByStrength,
    low: UnqualifiedDealers,
    groups: HandGroups,
    hands: HandsByStrength,
    sets: SetTable,
    workspace: HintWorkspace,
    totals: IntArray,
) -> None:
    """Add to ``totals`` what the final hands of each group are worth.

    Totals are in units, over all fours and next cards.
    """
    for four in hidden_fours.low:
        add_four(sets, hidden_fours.places[four], UNQUALIFIED)
    for key in range(len(hands.last)):
        equal = hidden_fours.order[:0]
        if key & 1:
            equal = hidden_fours.order[hidden_fours.starts[key >> 1] : hidden_fours.starts[(key >> 1) + 1]]
        # Fours as strong as the hands of this key are not stronger before these are valued, and weaker only afterwards.
        for four in equal:
            add_four(sets, hidden_fours.places[four], NOT_STRONGER)
        most = -1
        hand = hands.last[key]
        while hand >= 0:
            code = hands.codes[hand]
            group = code >> GROUP_SHIFT
            draw, drawn = groups.drawn[group], 0
            for each in range(draw):
                drawn |= live.cards[code >> PLACE_BITS * each & PLACE_MASK]
            mask = groups.kept[group] | drawn
            word = count_disjoint(sets, code, draw)
            fours, cards = count_fours_and_cards(len(live.cards) - draw)
            value = compute_value_without_force(tables, options, nets, mask, draw, word, fours) * cards
            ends, mine = get_end_nets(nets, draw), rank_hand(tables, mask)
            win = nets[find_win(tables, mask, draw, get_force_start(draw) + AFTER_FORCE, options)]
            if can_force(cards, cards, win, ends):
                most = most if most >= 0 else bound_not_stronger(live, low, mine, workspace)
                if can_force(min(most, cards), cards, win, ends):
                    value += compute_force_gain(live, low, drawn, mine, win, ends, workspace)
            totals[group] += max(value, groups.floors[group] * fours * cards)
            hand = hands.before[hand]
        for four in equal:
            add_four(sets, hidden_fours.places[four], WEAKER)
