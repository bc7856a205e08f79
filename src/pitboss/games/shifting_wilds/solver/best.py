"""The best play of single hands, for a simulation to follow: Locks as a table, and Plays by the ranks of a hand.

The first decision is kept for every hand up to suits with every W1.  The second is mostly told by a hand's ranks beside
the community cards and W2 (``bands``).  Where they do not tell, C(44, 4) hands of the dealer are met one by one.
"""

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import DECK_52, RANK_COUNT, SUIT_COUNT, get_rank, get_suit_ranks, popcount
from pitboss.core.progress import ProgressCallback
from pitboss.core.rule import rule
from pitboss.counting.blocks import Integers
from pitboss.counting.compile import filling_kernel
from pitboss.counting.numbers import number_of_set, steps_of_sets
from pitboss.counting.subsets import first_subset, next_subset
from pitboss.counting.suits import exchanged, exchanges
from pitboss.games.shifting_wilds.rules import (
    HAND,
    PLAY,
    Options,
    View,
    hand_strength,
    main_outcome,
    wilds,
)
from pitboss.games.shifting_wilds.solver.bands import SOME_FOLD, SOME_PLAY, Marks, marks_of
from pitboss.games.shifting_wilds.solver.crowd import WIDTH
from pitboss.games.shifting_wilds.solver.decks import Deck, deck_of, openings_of
from pitboss.games.shifting_wilds.solver.openings import both_stakes
from pitboss.hands import HandTables
from pitboss.solver_api import SolverProblem

_DECK = DECK_52.mask
_FOLD = 1


class BestPlay(NamedTuple):
    """What the best play goes by; sets of cards are numbered by ``steps`` (``number_of_set``).

    ``openings`` (1326,) is the row of every two community cards among openings up to suits, ``orders`` (1326, 4) the
    exchange of suits that makes them so.  ``kinds`` (openings,) is 0 for cards of two suits, 1 for a pair, 2 for cards
    of one suit; by kind ``groups`` (3, 6, 4) are the exchanges that leave an opening alone, the identity behind them,
    and ``classes`` (3, 270725) numbers the least hands of those that they make of one another.  ``locks`` has from
    ``starts`` (openings,) on a word for each of these: a bit for each lane of W1 with which the hand locks.
    ``multisets`` numbers rising ranks, and ``plays`` (openings, 52, multisets + 1) is ``bands.Marks.plays``.  ``worth``
    (outcomes,) is what each outcome nets more than a fold.
    """

    steps: Integers
    openings: NDArray[np.int16]
    orders: Integers
    kinds: NDArray[np.int8]
    groups: Integers
    classes: NDArray[np.int32]
    starts: Integers
    locks: Integers
    multisets: NDArray[np.int16]
    plays: NDArray[np.int8]
    worth: Integers


def best_play(problem: SolverProblem, progress: ProgressCallback) -> BestPlay:
    """Return what ``choose_best`` plays by; it takes about half as long as a solution, and is 150 MB.

    Raises:
        MagnitudeError: as ``solve``.
    """
    deck = deck_of(range(RANK_COUNT))
    stakes = both_stakes(deck, problem)
    listed = [cards for cards, _ in openings_of(range(RANK_COUNT))]
    best = nothing_known(deck, listed, problem)
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        marked = threads.map(lambda cards: marks_of(deck, cards, problem.options, stakes), listed)
        for done, marks in enumerate(marked, 1):
            keep(marks, done - 1, best)
            progress(done, len(listed))
    return best


def nothing_known(deck: Deck, listed: Sequence[tuple[int, int]], problem: SolverProblem) -> BestPlay:
    """Return what is to be filled in for these openings: each two cards with the row of the opening of their kind."""
    steps = steps_of_sets(DECK_52.size, HAND)
    examples = [exchanges(DECK_52.mask, _mask(cards)) for cards in ((0, RANK_COUNT + 1), (0, RANK_COUNT), (0, 1))]
    sizes = [len(orders) for orders in examples]
    groups = np.stack([np.concatenate([orders, *[orders[:1]] * (max(sizes) - len(orders))]) for orders in examples])
    kinds = [sizes.index(len(exchanges(DECK_52.mask, _mask(cards)))) for cards in listed]
    classes = np.zeros((len(groups), comb(DECK_52.size, HAND)), np.int32)
    lengths = [number_classes(orders, row) for orders, row in zip(groups, classes, strict=True)]
    ends = np.cumsum([lengths[kind] for kind in kinds])
    openings = np.full(comb(DECK_52.size, 2), -1, np.int16)
    orders = np.zeros((len(openings), SUIT_COUNT), np.int64)
    for community in combinations(DECK_52.cards, 2):
        number = number_of_set(_mask(community), steps)
        for order in exchanges(DECK_52.mask).tolist():
            cards = [code for code in DECK_52.cards if exchanged(_mask(community), order) >> code & 1]
            if (cards[0], cards[1]) in listed:
                openings[number], orders[number] = listed.index((cards[0], cards[1])), order
    multisets = deck.sets.multisets
    return BestPlay(
        steps,
        openings,
        orders,
        np.array(kinds, np.int8),
        groups,
        classes,
        np.append(0, ends[:-1]),
        np.zeros(ends[-1], np.int64),
        multisets.number.astype(np.int16),
        np.zeros((len(listed), DECK_52.size, len(multisets.slots) + 1), np.int8),
        np.array([net - problem.nets[0] for net in problem.nets], np.int64),
    )


def _mask(cards: Sequence[int]) -> int:
    return sum(1 << card for card in cards)


def keep(marks: Marks, row: int, best: BestPlay) -> None:
    """Fill in what is known of the opening of a row."""
    best.plays[row] = marks.plays
    place_locks(
        marks.hands.masks, marks.locks, best.steps, best.classes[best.kinds[row]], best.locks[best.starts[row] :]
    )


@filling_kernel
def place_locks(masks: Integers, words: Integers, steps: Integers, classes: Any, locks: Integers) -> None:
    """Put the word of every hand where its class stands."""
    for each in range(len(masks)):
        locks[classes[number_of_set(masks[each], steps)]] = words[each]


@filling_kernel
def number_classes(orders: Integers, classes: Any) -> int:
    """Number the least of the sets of four cards that exchanges of suits, a group, make of one another."""
    mask, found = first_subset(_DECK, HAND), 0
    for number in range(len(classes)):
        if least_image(mask, 0, orders)[0] == mask:
            classes[number] = found
            found += 1
        mask = next_subset(_DECK, mask)
    return found


@rule
def least_image(hand: int, w1: int, orders: Any) -> tuple[int, int]:
    """Return the least hand that exchanges of suits make of one, and W1 with the same exchange."""
    least, beside = hand, w1
    for order in range(len(orders)):
        image = exchanged(hand, orders[order])
        if image < least:
            least, beside = image, exchanged(w1, orders[order])
    return least, beside


@rule
def ranks_of_hand(hand: int) -> int:
    """Return the rising ranks of a hand as digits of base 13, the lowest rank first.

    >>> ranks_of_hand(0b1010 | 0b1000 << 13) == 1 + 3 * 13 + 3 * 169
    True
    """
    number, place = 0, 1
    for height in range(RANK_COUNT):
        for suit_index in range(SUIT_COUNT):
            if get_suit_ranks(hand, suit_index) >> height & 1:
                number += height * place
                place *= RANK_COUNT
    return number


@rule
def makes_flush(hand: int, community: int, indicator: int) -> bool:
    """Tell whether a hand has the cards for a flush beside community cards and its indicator."""
    wild, shown = wilds(hand, indicator), community | indicator
    for suit_index in range(SUIT_COUNT):
        lies = popcount(get_suit_ranks(shown, suit_index))
        if lies and lies + popcount(wild) + popcount(get_suit_ranks(hand & ~wild, suit_index)) > HAND:
            return True
    return False


@rule
def choose_best(tables: HandTables, view: View, asked: int, best: BestPlay, options: Options) -> tuple[int, int]:
    """Check or lock as the table says; play or fold as the ranks say, else as all hands of the dealer do (ALL-9)."""
    if asked == 0:
        return told_to_lock(view, best), 0
    told = told_by_ranks(view, best)
    if told == SOME_FOLD:
        return _FOLD, 0
    if told == SOME_PLAY:
        return PLAY, 0
    return PLAY if value_of_play(tables, view, best.worth, options) >= 0 else _FOLD, 0


@rule
def told_to_lock(view: View, best: BestPlay) -> int:
    """Return 1 for a Lock and 0 for a Check."""
    number = number_of_set(view.community, best.steps)
    row, order = best.openings[number], best.orders[number]
    kind = best.kinds[row]
    hand, w1 = least_image(exchanged(view.player, order), exchanged(view.w1, order), best.groups[kind])
    word = best.locks[best.starts[row] + best.classes[kind, number_of_set(hand, best.steps)]]
    card = popcount(w1 - 1)
    return int(word >> (card // RANK_COUNT * WIDTH + get_rank(card)) & 1)


@rule
def told_by_ranks(view: View, best: BestPlay) -> int:
    """Return what the ranks tell, or that it is a flush: ``SOME_FOLD``, ``SOME_PLAY`` or both."""
    number = number_of_set(view.community, best.steps)
    w2 = exchanged(view.w2, best.orders[number])
    column = best.plays.shape[2] - 1
    if not makes_flush(view.player, view.community, view.w2):
        column = best.multisets[ranks_of_hand(view.player)]
    return int(best.plays[best.openings[number], popcount(w2 - 1), column])


@rule
def value_of_play(tables: HandTables, view: View, worth: Any, options: Options) -> int:
    """Return what playing nets more than folding, summed over the C(44, 4) hands of the dealer."""
    mine = hand_strength(tables, view.player, view.community, view.w2, options)
    left = _DECK & ~(view.player | view.community | view.w1 | view.w2)
    held, value = first_subset(left, HAND), 0
    while held:
        dealers = hand_strength(tables, held, view.community, view.w2, options)
        value += worth[main_outcome(mine, dealers, 1, options)]
        held = next_subset(left, held)
    return value
