"""Enumerate all sets of a given size and count them by the outcomes of rules."""

from collections.abc import Callable, Sequence
from functools import cache
from math import comb
from typing import Any, NamedTuple

import numpy as np

from pitboss.core.progress import ProgressCallback, ignore_progress
from pitboss.hands import HandTables, load_hand_tables
from pitboss.kernels.compile import kernel, kernel_helper
from pitboss.kernels.enumeration import IntArray, advance_set, get_card_bits, map_blocks, write_first_set

RuleFunction = Callable[..., Any]
JointTable = list[list[int]]
"""Deals by the outcome of one wager (rows) and of the other (columns)."""

ALL_CARDS, ALL_BUT_LAST, LAST_APART = 0, 1, 2


class JointWager(NamedTuple):
    """A wager on a seat's cards: its rule, number of outcomes, and card form.

    ``form`` says which cards the rule is given.  ``ALL_CARDS``: all of them; ``ALL_BUT_LAST``: all but the last that
    came; ``LAST_APART``: the last and all others, apart.
    """

    outcome: RuleFunction
    outcomes: int
    form: int


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
    return _count_one_wager(JointWager(outcome, outcomes, ALL_CARDS), deck, cards, options, progress)


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
    return _count_one_wager(JointWager(outcome, outcomes, LAST_APART), deck, cards, options, progress)


def _count_one_wager(
    wager: JointWager, deck: Sequence[int], cards: int, options: Any, progress: ProgressCallback
) -> list[int]:
    """Count together with a wager that always ends in the same way."""
    table, undecided = _count_both(wager, JointWager(_end_alike, 1, ALL_CARDS), deck, cards, options, progress)
    if undecided:
        raise ValueError(f"{undecided} sets have no outcome: the rule must give each of them one of {wager.outcomes}")
    return [count for (count,) in table]


@kernel_helper
def _end_alike(_tables: HandTables, _mask: int, _options: Any) -> int:
    return 0


def count_joint_sets(
    one: JointWager,
    other: JointWager,
    deck: Sequence[int],
    cards: int,
    options: Any,
    progress: ProgressCallback = ignore_progress,
) -> JointTable:
    """Count sets of ``cards`` cards of ``deck`` by both outcomes.

    If a rule needs the last card, each set is counted once for each last card.

    Raises:
        ValueError: a rule gave a set no outcome of its own.
    """
    table, undecided = _count_both(one, other, deck, cards, options, progress)
    if undecided:
        message = f"some sets have no outcome: each must have one of {one.outcomes}, and one of {other.outcomes}"
        raise ValueError(message)
    return table


def _count_both(
    one: JointWager, other: JointWager, deck: Sequence[int], cards: int, options: Any, progress: ProgressCallback
) -> tuple[JointTable, int]:
    """Return the counts, and the number of sets without an outcome."""
    lasts = 1 if one.form == other.form == ALL_CARDS else cards
    block = _make_sets_kernel(one, other, cards, lasts)
    tables, bits = load_hand_tables(), get_card_bits(deck)
    blocks = map_blocks(lambda last, before: block(tables, bits, options, last, before), len(deck), cards, progress)
    counts = np.sum(blocks, axis=0)
    return counts.tolist(), comb(len(deck), cards) * lasts - int(counts.sum())


@cache
def _make_sets_kernel(one: JointWager, other: JointWager, cards: int, lasts: int) -> Callable[..., IntArray]:
    """Compile the count of one block.

    Each of the first ``lasts`` cards of a set comes last once.
    """
    settle_one, settle_other, outcomes, others = _adapt_rule(one), _adapt_rule(other), one.outcomes, other.outcomes

    @kernel
    def block(tables: HandTables, bits: IntArray, options: Any, last: int, before_last: int) -> IntArray:
        counts = np.zeros((outcomes, others), np.int64)
        places = np.zeros(cards, np.int64)
        mask = write_first_set(places, bits, cards, last, before_last)
        while mask != 0:
            for each in range(lasts):
                last_card = bits[places[each]]
                row = settle_one(tables, mask ^ last_card, last_card, options)
                column = settle_other(tables, mask ^ last_card, last_card, options)
                if 0 <= row < outcomes and 0 <= column < others:
                    counts[row, column] += 1
            mask = advance_set(places, bits, cards, mask)
        return counts

    return block


@cache
def _adapt_rule(wager: JointWager) -> RuleFunction:
    """Compile a rule of any form as one of the first cards and the last."""
    outcome = wager.outcome

    def settle_all(tables: HandTables, first: int, last: int, options: Any) -> int:
        return int(outcome(tables, first | last, options))

    def settle_first(tables: HandTables, first: int, _last: int, options: Any) -> int:
        return int(outcome(tables, first, options))

    if wager.form == LAST_APART:
        return outcome
    return kernel_helper(settle_all if wager.form == ALL_CARDS else settle_first)
