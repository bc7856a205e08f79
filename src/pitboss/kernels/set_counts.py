"""Enumerate all sets of a given size and count them by a rule's outcome."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from pitboss.core.progress import ProgressCallback, ignore_progress
from pitboss.hands import HandTables, load_hand_tables
from pitboss.kernels.compile import kernel
from pitboss.kernels.enumeration import IntArray, advance_set, get_card_bits, map_blocks, write_first_set

RuleFunction = Callable[..., Any]
BlockKernel = Callable[[HandTables, IntArray, Any, int, int], IntArray]


def count_sets(
    outcome: RuleFunction,
    outcomes: int,
    deck: Sequence[int],
    cards: int,
    options: Any,
    progress: ProgressCallback = ignore_progress,
) -> list[int]:
    """Count sets of cards by ``outcome(tables, mask, options)``.

    The sets have ``cards`` (2 or more) cards of ``deck``.  The result has ``outcomes`` counts, which add up to
    C(len(deck), cards).

    Raises:
        ValueError: the rule gave a set no outcome from 0 to ``outcomes`` - 1.
    """
    return _count_blocks(_make_sets_kernel(outcome, outcomes, cards), deck, cards, options, progress)


def count_sets_by_last_card(
    outcome: RuleFunction,
    outcomes: int,
    deck: Sequence[int],
    cards: int,
    options: Any,
    progress: ProgressCallback = ignore_progress,
) -> list[int]:
    """Count pairs of a set and its last card by the outcome of a rule.

    As ``count_sets``, but by ``outcome(tables, first_mask, last_mask, options)``; the counts add up to C(len(deck),
    cards) times ``cards``.
    """
    return _count_blocks(_make_last_card_kernel(outcome, outcomes, cards), deck, cards, options, progress)


def _count_blocks(
    block: BlockKernel, deck: Sequence[int], cards: int, options: Any, progress: ProgressCallback
) -> list[int]:
    tables, bits = load_hand_tables(), get_card_bits(deck)
    counts = map_blocks(lambda last, before: block(tables, bits, options, last, before), len(deck), cards, progress)
    *named, undecided = (int(count) for count in np.sum(counts, axis=0))
    if undecided:
        raise ValueError(f"{undecided} sets have no outcome: the rule must give each of them one of {len(named)}")
    return named


@cache
def _make_sets_kernel(outcome: RuleFunction, outcomes: int, cards: int) -> BlockKernel:
    """Compile the count of one block, with a last entry for sets without outcome."""

    @kernel
    def block(tables: HandTables, bits: IntArray, options: Any, last: int, before_last: int) -> IntArray:
        counts = np.zeros(outcomes + 1, np.int64)
        places = np.zeros(cards, np.int64)
        mask = write_first_set(places, bits, cards, last, before_last)
        while mask != 0:
            result = outcome(tables, mask, options)
            counts[result if 0 <= result < outcomes else outcomes] += 1
            mask = advance_set(places, bits, cards, mask)
        return counts

    return block


@cache
def _make_last_card_kernel(outcome: RuleFunction, outcomes: int, cards: int) -> BlockKernel:
    """Compile the count of one block, with each card of a set as its last one."""

    @kernel
    def block(tables: HandTables, bits: IntArray, options: Any, last: int, before_last: int) -> IntArray:
        counts = np.zeros(outcomes + 1, np.int64)
        places = np.zeros(cards, np.int64)
        mask = write_first_set(places, bits, cards, last, before_last)
        while mask != 0:
            for place in places:
                last_card = bits[place]
                result = outcome(tables, mask ^ last_card, last_card, options)
                counts[result if 0 <= result < outcomes else outcomes] += 1
            mask = advance_set(places, bits, cards, mask)
        return counts

    return block
