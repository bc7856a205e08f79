"""Decide hands after a draw by the known cards of the exposed suit.

These are hands whose strength and cards given up do not decide.

What a hand is worth more played than folded is a sum over ranks plus what the dealer's flushes change, and those depend
only on which cards of the exposed suit are known (``exchange_values.FinalValues``).  So a hand plays if that change is
above a *threshold*, and a table of the change by 13 known cards decides it.  Only where the suits of Force could matter
as well is a hand left to be counted.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import RANK_COUNT, SUIT_COUNT, get_suit_ranks, popcount
from pitboss.core.rule import rule
from pitboss.games.lunar.outcomes import BOUGHT, NO_DRAW
from pitboss.games.lunar.rules import HAND
from pitboss.games.lunar.solver.exchange_values import FinalValues
from pitboss.games.lunar.solver.exposed_card import ExposedCard
from pitboss.games.lunar.solver.force_gains import LEAST, MOST
from pitboss.games.lunar.solver.multisets import LunarMultisets
from pitboss.hands import HandTables, compute_key, load_hand_tables
from pitboss.hands.evaluator import RANK_SUM_MASK, SUIT_SHIFT
from pitboss.kernels.enumeration import IntArray
from pitboss.kernels.set_numbering import build_same_size_steps, number_set

COUNTED = -1
"""The change row of a hand that has to be counted."""

_NEVER = np.iinfo(np.int64).max


class MixedHands(NamedTuple):
    """The hands in mixed entries of ``ExposedCardPolicy.by_dead``, in their order.

    ``places`` (hands,) is the place of each one's entry.  Six cards of one strength share an entry: ``keys`` (hands,)
    tell them apart (``make_hand_key``).  A hand plays if ``changes[change_rows[hand], known]`` is above
    ``thresholds[hand]``; ``known`` are the known cards of the exposed suit.  If the row is ``COUNTED`` this is not
    enough.
    """

    places: NDArray[np.int32]
    keys: IntArray
    thresholds: IntArray
    change_rows: NDArray[np.int32]
    changes: IntArray


class Bounds(NamedTuple):
    """Bounds of what each hand is worth more played than folded."""

    low: IntArray
    high: IntArray


@rule
def make_hand_key(tables: HandTables, hand: int) -> int:
    """Return a number that tells hands apart by what they may be worth.

    It differs for hands of other ranks, and for flushes of other ranks.
    """
    key = compute_key(tables, hand, 0) & RANK_SUM_MASK
    for suit_index in range(SUIT_COUNT):
        of_suit = get_suit_ranks(hand, suit_index)
        if popcount(of_suit) >= HAND:
            key |= of_suit << SUIT_SHIFT
    return key


def bound_hands(values: FinalValues, row: int) -> Bounds:
    """Return the bounds with the cards given up of a row, whatever the suits."""
    low, high = (values.by_rank[row] + bound[values.classes] for bound in (values.least, values.most))
    forcing = np.flatnonzero(values.force_rows >= 0)
    for bounded, which in ((low, LEAST), (high, MOST)):
        bounded[forcing] += values.force_sums[values.force_rows[forcing], which, values.force_start + row]
    return Bounds(low, high)


def list_mixed_hands(
    card: ExposedCard, draw: int, rows: IntArray, mixed: NDArray[np.bool_], strengths: IntArray, starts: IntArray
) -> MixedHands:
    """List the hands of mixed entries after a draw.

    ``rows`` are multisets of cards given up.  ``mixed`` (``number_multisets``, strengths) says which entries are mixed,
    and ``starts`` (strengths,) where those of a strength start.  ``MixedHands.changes`` has a row for each class of
    hands: ``combine_mixed_hands`` takes those that are needed.
    """
    values, turned, hands = card.compute_values(draw), card.count_turned(draw), card.deck.get_hands(draw)
    given = 0 if draw == BOUGHT else draw
    numbers, counts = number_multisets(card.deck.sets, given), card.deck.sets.get_counts(given)
    keys = np.array([make_hand_key(load_hand_tables(), mask) for mask in hands.masks.tolist()])
    at, parts = np.searchsorted(strengths, hands.strengths), []
    for row in rows.tolist():
        listed = np.flatnonzero(
            mixed[numbers[row], at] & (hands.counts + counts[row] <= card.dealer.copies).all(axis=1)
        )
        low, high = (bound[listed] for bound in bound_hands(values, row))
        worth, classes = values.by_rank[row, listed], values.classes[listed]
        # All changes are multiples of ``turned``, so ``worth + change > 0`` if the multiple is above this.
        thresholds = -worth // turned
        thresholds[low > 0], thresholds[high <= 0] = -_NEVER, _NEVER
        is_exact = (low == worth + values.least[classes]) & (high == worth + values.most[classes])
        change_rows = np.where(is_exact | (low > 0) | (high <= 0), classes, COUNTED)
        parts.append((starts[at[listed]] + numbers[row], keys[listed], thresholds, change_rows))
    places, keys, thresholds, change_rows = (np.concatenate(column) for column in zip(*parts, strict=True))
    changes = card.flush_changes[BOUGHT if draw == BOUGHT else NO_DRAW].changes
    return MixedHands(places.astype(np.int32), keys, thresholds, change_rows.astype(np.int32), changes)


def number_multisets(sets: LunarMultisets, cards: int) -> IntArray:
    """Return the number of every multiset of ``cards`` ranks.

    It is the number of a set without equal elements: the i-th of the rising ranks is raised by i, so that even four of
    a rank become four places.
    """
    steps = build_same_size_steps(RANK_COUNT + HAND, HAND)
    held = sets.ranks[sets.start[cards] : sets.start[cards + 1], :cards].tolist()
    return np.array([number_set(sum(1 << rank + i for i, rank in enumerate(each)), steps) for each in held])


def combine_mixed_hands(parts: Sequence[MixedHands]) -> MixedHands:
    """Combine the mixed hands of several draws, in the order of their places."""
    change_rows, changes, length = [], [], 0
    for part in parts:
        used, rows = np.unique(part.change_rows[part.change_rows != COUNTED], return_inverse=True)
        numbered = np.full(len(part.change_rows), COUNTED, np.int32)
        numbered[part.change_rows != COUNTED] = rows + length
        change_rows.append(numbered)
        changes.append(part.changes[used])
        length += len(used)
    places, keys, thresholds = (np.concatenate([part[field] for part in parts]) for field in range(3))
    order = np.argsort(places, kind="stable")
    return MixedHands(
        places[order], keys[order], thresholds[order], np.concatenate(change_rows)[order], np.concatenate(changes)
    )
