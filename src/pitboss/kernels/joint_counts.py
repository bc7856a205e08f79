"""Counts of two wagers on the same deals, for each pair of outcomes.

Wagers on the cards of one seat are counted set by set.  Wagers on two disjoint hands have far too many pairs to visit:
with ``F[i][S]`` and ``G[j][S]`` the numbers of hands of outcome i and j that contain all cards of a set S, the number
of disjoint pairs of outcomes i and j is the sum, over all S, of (-1)^|S| F[i][S] G[j][S].  Only the hand itself
contains a whole hand.
"""

from collections.abc import Sequence
from functools import cache
from math import comb
from typing import Any, NamedTuple

import numpy as np

from pitboss.core.progress import ProgressCallback, ignore_progress
from pitboss.hands import HandTables
from pitboss.kernels.compile import kernel_helper
from pitboss.kernels.enumeration import IntArray
from pitboss.kernels.hand_pairs import PLACE_BITS, add_holding, count_pairs_by_weaker, pack_hands
from pitboss.kernels.set_counts import ALL_CARDS, JointTable, JointWager, RuleFunction, count_joint_sets, count_sets
from pitboss.kernels.set_numbering import build_set_steps, list_subset_sizes


def count_joint_with_position(
    outcome: RuleFunction,
    outcomes: int,
    deck: Sequence[int],
    positions: Sequence[int],
    card: int,
    outcome_by_position: Sequence[int],
    options: Any,
    progress: ProgressCallback = ignore_progress,
) -> JointTable:
    """Count a wager on some cards together with one on a card's position.

    The first is on the cards at ``positions``, the second on the position of ``card``.  ``outcome(tables, mask,
    options)`` settles the first on the set of those cards; ``outcome_by_position`` has the outcome of the second for
    every position of the deck.  Deals are sets times the positions that ``card`` can have, each equally often.
    """
    held = 1 << card

    def holds(_tables: HandTables, mask: int, _options: Any) -> int:
        return 1 if mask & held else 0

    table = count_joint_sets(
        JointWager(outcome, outcomes, ALL_CARDS),
        JointWager(kernel_helper(holds), 2, ALL_CARDS),
        deck,
        len(positions),
        options,
        progress,
    )
    inside, outside = len(positions), len(deck) - len(positions)
    joint = [[0] * (max(outcome_by_position) + 1) for _ in range(outcomes)]
    for row, (without, with_card) in zip(joint, table, strict=True):
        # A set with the card leaves it ``inside`` positions, a set without it ``outside``.  Scaled to the product of
        # both, every position counts a set with the card ``outside`` times, a set without it ``inside`` times.
        for place, settled in enumerate(outcome_by_position):
            row[settled] += with_card * outside if place in positions else without * inside
    return joint


def count_disjoint_pairs(one: IntArray, other: IntArray, deck_size: int, cards: int) -> JointTable:
    """Count the ordered pairs of disjoint hands by the class of each.

    The hands are of ``cards`` (2 to 6) of ``deck_size`` cards.  ``one`` and ``other`` are hands as words
    (``hand_pairs.pack_hands``), the same hands in the same order, each under its own class, which takes the place of a
    strength and runs 0, 1 ...  Sums stay below 2**63: at most all pairs of hands, 4.2e14, are ever added up, with
    either sign, over the 64 subsets of a hand.
    """
    classes, others = (words >> PLACE_BITS * cards for words in (one, other))
    rows, columns = np.bincount(classes), np.bincount(others)
    both = np.bincount(classes * len(columns) + others, minlength=len(rows) * len(columns))
    steps, sets = build_set_steps(deck_size, cards)
    sizes = list_subset_sizes(cards)
    signs = np.concatenate([np.full(comb(deck_size, size), (-1) ** size, np.int64) for size in range(cards)])
    # The whole hand as S: a pair of equal hands, with the sign of the hand's size.
    pairs = (-1) ** cards * both.reshape(len(rows), len(columns))
    # If all hands are given, each hand has the same number of disjoint partners.  So the commonest class of each
    # wager needs no sums: it gets what the other classes leave of the total.
    complete = len(one) == comb(deck_size, cards)
    row_left, column_left = (int(rows.argmax()), int(columns.argmax())) if complete else (-1, -1)
    held = {
        row: _count_holding(one[classes == row], sets, steps, sizes) * signs
        for row in range(len(rows))
        if row != row_left
    }
    for column in range(len(columns)):
        if column != column_left:
            holding = _count_holding(other[others == column], sets, steps, sizes)
            for row, signed in held.items():
                pairs[row, column] += int(np.dot(signed, holding))
    if complete:
        partners = comb(deck_size - cards, cards)
        pairs[:, column_left] = 0
        pairs[:, column_left] = rows * partners - pairs.sum(axis=1)
        pairs[row_left] = 0
        pairs[row_left] = columns * partners - pairs.sum(axis=0)
    table: JointTable = pairs.tolist()
    return table


def _count_holding(words: IntArray, sets: int, steps: IntArray, sizes: IntArray) -> IntArray:
    """Count, for every set of fewer cards than a hand, the hands with all of it."""
    holding = np.zeros(sets, np.int64)
    add_holding(words, holding, steps, sizes)
    return holding


class ComparedWager(NamedTuple):
    """A wager on the weaker of two hands (see ``contract.HandPairCensus``)."""

    strength: RuleFunction
    outcome: RuleFunction
    outcomes: int
    lowest: int
    otherwise: int


def count_joint_compared(
    wager: RuleFunction, outcomes: int, compared: ComparedWager, deck: Sequence[int], cards: int, options: Any
) -> JointTable:
    """Count pairs of hands by a wager on mine and one on the weaker of both.

    The pairs are ordered, mine and theirs.  ``wager(tables, mask, options)`` settles mine.  Hands of ``lowest`` or more
    are put into classes that end both wagers in the same way; of two classes one must be stronger throughout.  Pairs
    within one class are ties or have an order: those with an order are the pairs of ``count_pairs_by_weaker`` that do
    not lie in two classes.

    Raises:
        ValueError: strengths that end the wagers in the same way are not consecutive.
    """
    shift = PLACE_BITS * cards
    ranked = pack_hands(compared.strength, deck, cards, options, compared.lowest)
    settled = pack_hands(_drop_weak(wager, compared.strength, compared.lowest), deck, cards, options, 0) >> shift
    levels, at = np.unique(ranked >> shift, return_inverse=True)
    ends = np.array([compared.outcome(int(level), int(levels[-1]) + 1, options) for level in levels], np.int64)
    ends[ends < 0] = compared.otherwise  # a rule may lack an outcome for the strongest hand: it is never the weaker one
    kinds, classes = np.unique(settled * compared.outcomes + ends[at], return_inverse=True)
    joint = [[0] * compared.outcomes for _ in range(outcomes)]
    words = classes.astype(np.int64) << shift | ranked & (1 << shift) - 1
    pairs = count_disjoint_pairs(words, words, len(deck), cards)
    class_of = np.zeros(len(levels), np.int64)
    class_of[at] = classes
    weaker = [0] * len(kinds)
    pairs_by_level = count_pairs_by_weaker(compared.strength, deck, cards, options, compared.lowest)
    for level, kind in zip(levels.tolist(), class_of.tolist(), strict=True):
        weaker[kind] += pairs_by_level[level]
    rising = _order_classes(levels[at], classes)
    # If my hand is of class ``weak``, the weaker hand decides the end: pairs with a stronger class, and twice the
    # ordered pairs within the class, as either of the two can be mine.  If mine is of a ``stronger`` class, its own row
    # counts.
    for place, weak in enumerate(rising):
        row, end = divmod(int(kinds[weak]), compared.outcomes)
        stronger = rising[place + 1 :]
        joint[row][end] += 2 * weaker[weak] - sum(pairs[weak][strong] for strong in stronger)
        for strong in stronger:
            joint[int(kinds[strong]) // compared.outcomes][end] += pairs[strong][weak]
    partners = comb(len(deck) - cards, cards)
    # All other pairs end in ``otherwise``.
    for row_counts, total in zip(joint, count_sets(wager, outcomes, deck, cards, options), strict=True):
        row_counts[compared.otherwise] += total * partners - sum(row_counts)
    return joint


@cache
def _drop_weak(wager: RuleFunction, strength: RuleFunction, lowest: int) -> RuleFunction:
    """Compile the wager's rule, without an outcome for hands below ``lowest``."""

    def settle_strong(tables: HandTables, mask: int, options: Any) -> int:
        return int(wager(tables, mask, options)) if strength(tables, mask, options) >= lowest else -1

    return kernel_helper(settle_strong)


def _order_classes(strengths: IntArray, classes: IntArray) -> list[int]:
    """Return the classes from the weakest up.

    Raises:
        ValueError: a class has strengths both below and above another's.
    """
    least, most = np.full(classes.max() + 1, strengths.max()), np.zeros(classes.max() + 1, np.int64)
    np.minimum.at(least, classes, strengths)
    np.maximum.at(most, classes, strengths)
    order = np.argsort(least)
    if (most[order][:-1] >= least[order][1:]).any():
        raise ValueError("hands that end both wagers alike must be of strengths that lie together")
    rising: list[int] = order.tolist()
    return rising
