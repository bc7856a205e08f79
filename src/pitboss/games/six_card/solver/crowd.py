"""The dealer's completions of three exposed cards, and how they pass from stronger to equal to weaker.

All that is counted of them rides in two words of an entry (``rank_tables``).  The first has, above bit 32, what a
played hand is worth more than a fold, and below it the completions that do not qualify; the second has, above bit
32, those that are not stronger than the hand, and below it those that are weaker.
"""

from typing import Any, NamedTuple

import numpy as np

from pitboss.cards import SUIT_COUNT, get_suit_ranks, popcount
from pitboss.counting.blocks import Integers
from pitboss.counting.compile import filling_kernel, part
from pitboss.counting.rank_hands import NO_SUIT, Live
from pitboss.counting.rank_tables import (
    DRAWN,
    ENTRIES,
    MIXED,
    MOST_SETS,
    MOST_TOUCHED,
    PLAIN,
    PURE,
    Pieces,
    cards_drawn,
    drawn_sets,
    make_pieces,
    touched,
)
from pitboss.games.six_card.rules import Options, hand_strength, main_outcome
from pitboss.hands import NO_HAND, HandTables

LANE = 1 << 32


class Crowd(NamedTuple):
    """The dealer's completions by rising strength: what they change in the tables, from ``starts`` on."""

    strengths: Integers
    order: Integers
    starts: Integers
    at: Integers
    times: Integers
    used: int


def flush_suit(board: int) -> int:
    """Return the suit in which three more cards can make the dealer's flush: two of three exposed, or all."""
    for each in range(SUIT_COUNT):
        if popcount(get_suit_ranks(board, each)) >= 2:
            return each
    return NO_SUIT


def differences_of(board: int) -> int:
    """Say which completions a suit can matter to: none, those all of the suit, or those with two cards of it."""
    each = flush_suit(board)
    if each == NO_SUIT:
        return PLAIN
    return PURE if popcount(get_suit_ranks(board, each)) == 2 else MIXED


def crowd_of(tables: HandTables, options: Options, board: int, live: Live) -> Crowd:
    """Evaluate the dealer's completions of a board, one of each kind."""
    sets = np.zeros((MOST_SETS, DRAWN), np.int64)
    kinds = drawn_sets(live, sets)
    strengths, order, starts = (np.zeros(length, np.int64) for length in (kinds, kinds, kinds + 1))
    at, times = np.empty(MOST_TOUCHED, np.int64), np.empty(MOST_TOUCHED, np.int64)
    crowd = Crowd(strengths, order, starts, at, times, kinds)
    _fill_crowd(tables, options, board, live, sets, differences_of(board), make_pieces(), crowd)
    return crowd


@filling_kernel
def _fill_crowd(
    tables: HandTables,
    options: Options,
    board: int,
    live: Live,
    sets: Integers,
    differences: int,
    pieces: Pieces,
    crowd: Crowd,
) -> None:
    """Evaluate these kinds of completions."""
    for kind in range(crowd.used):
        crowd.strengths[kind] = hand_strength(tables, board | cards_drawn(sets[kind], live), options)
        used = crowd.starts[kind]
        crowd.starts[kind + 1] = touched(sets[kind], live, differences, crowd.at, crowd.times, used, pieces)
    _sort(crowd.strengths, crowd.order)


@part
def _sort(strengths: Integers, order: Integers) -> None:
    """Lay out the places of strengths by rising strength (D. L. Shell, 1959): far sooner compiled than Numba's sort."""
    for place in range(len(order)):
        order[place] = place
    gap = 1
    while 3 * gap < len(order):
        gap = 3 * gap + 1
    while gap:
        for place in range(gap, len(order)):
            moved, to = order[place], place
            while to >= gap and strengths[order[to - gap]] > strengths[moved]:
                order[to] = order[to - gap]
                to -= gap
            order[to] = moved
        gap //= 3


@part
def _move(crowd: Crowd, kind: int, table: Any, first: int, second: int) -> None:
    """Add to both words of whatever the completions of a kind touch."""
    for entry in range(crowd.starts[kind], crowd.starts[kind + 1]):
        table[crowd.at[entry], 0] += crowd.times[entry] * first
        table[crowd.at[entry], 1] += crowd.times[entry] * second


@part
def _worth(nets: Integers, mine: int, dealers: int, options: Options) -> int:
    """Return what a played hand nets more than a fold."""
    return int(nets[main_outcome(mine, dealers, options)])


@part
def pass_up_to(
    crowd: Crowd, table: Any, nets: Integers, options: Options, strength: int, weaker: int, equal: int
) -> tuple[int, int]:
    """Move the completions on to a hand of ``strength``: ``weaker`` have been passed, those up to ``equal`` tied.

    Return the new numbers.
    """
    while weaker < crowd.used and crowd.strengths[crowd.order[weaker]] < strength:
        kind = crowd.order[weaker]
        theirs = crowd.strengths[kind]
        ahead = _worth(nets, theirs + 1, theirs, options)
        if weaker < equal:
            _move(crowd, kind, table, (ahead - _worth(nets, theirs, theirs, options)) << 32, 1)
        else:
            _move(crowd, kind, table, (ahead - _worth(nets, NO_HAND, theirs, options)) << 32, LANE | 1)
        weaker += 1
    equal = max(weaker, equal)
    while equal < crowd.used and crowd.strengths[crowd.order[equal]] == strength:
        gain = _worth(nets, strength, strength, options) - _worth(nets, NO_HAND, strength, options)
        _move(crowd, crowd.order[equal], table, gain << 32, LANE)
        equal += 1
    return weaker, equal


def all_stronger(crowd: Crowd, options: Options, nets: Integers) -> Any:
    """Return the tables as they are for a hand weaker than all completions."""
    table = np.zeros((ENTRIES, 2), np.int64)
    _fill_all_stronger(crowd, options, nets, table)
    return table


@filling_kernel
def _fill_all_stronger(crowd: Crowd, options: Options, nets: Integers, table: Any) -> None:
    for kind in range(crowd.used):
        theirs = crowd.strengths[kind]
        not_qualified = 1 - (main_outcome(theirs, theirs, options) & 1)
        _move(crowd, kind, table, (_worth(nets, NO_HAND, theirs, options) << 32) + not_qualified, 0)
