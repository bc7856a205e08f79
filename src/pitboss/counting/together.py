"""How often two wagers on the same cards end together: full enumeration, as ``sets`` counts one wager by itself."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from typing import Any

import numpy as np

from pitboss.counting.blocks import Integers, Progress, bits_of, first_set, in_blocks, next_set, silent
from pitboss.counting.compile import kernel, part
from pitboss.hands import HandTables, hand_tables

RuleFunction = Callable[..., Any]
BlockKernel = Callable[[HandTables, Integers, Any, int, int], Integers]

_LATER = -1


class On(IntEnum):
    """What a wager is decided by: all the cards, all but the last to come, or these and the last, told apart."""

    ALL = 0
    ALL_BUT_LAST = 1
    FIRST_AND_LAST = 2


@dataclass(frozen=True, slots=True)
class Decided:
    """A wager: ``outcome(tables, mask, options)``, with ``FIRST_AND_LAST`` ``(tables, first, last, options)``."""

    outcome: RuleFunction
    outcomes: int
    on: On


def count_together(
    one: Decided, other: Decided, deck: Sequence[int], cards: int, options: Any, progress: Progress = silent
) -> Integers:
    """Count the sets of ``cards`` cards (2 or more) of ``deck`` by the outcomes of two wagers.

    The result has a row for each outcome of the one and a column for each of the other, and adds up to
    C(len(deck), cards); if the last card matters to either of them, to that times ``cards``.

    Raises:
        ValueError: a rule gave cards no outcome that there is.
    """
    tables, bits = hand_tables(), bits_of(deck)
    block = _kernel(one, other, cards)
    counts = in_blocks(lambda last, before: block(tables, bits, options, last, before), len(deck), cards, progress)
    together: Integers = np.sum(counts, axis=0)
    undecided = int(together[-1].sum() + together[:-1, -1].sum())
    if undecided:
        raise ValueError(f"{undecided} sets have no outcome: the rules must give each one of {together.shape}")
    return together[:-1, :-1]


def _asked(decided: Decided) -> tuple[RuleFunction, RuleFunction]:
    """Return what is asked of all cards, once, and what is asked with each of them last if that tells nothing."""
    outcome = decided.outcome

    @part
    def nothing(_tables: HandTables, _mask: int, _options: Any) -> int:
        return _LATER

    @part
    def nothing_last(_tables: HandTables, _first: int, _last: int, _options: Any) -> int:
        return _LATER

    @part
    def of_first(tables: HandTables, first: int, _last: int, options: Any) -> Any:
        return outcome(tables, first, options)

    match decided.on:
        case On.ALL:
            return outcome, nothing_last
        case On.ALL_BUT_LAST:
            return nothing, of_first
    return nothing, outcome


@cache
def _kernel(one: Decided, other: Decided, cards: int) -> BlockKernel:
    """Compile the count of one block; the last row and column are those of sets without an outcome."""
    one_of_all, one_of_last = _asked(one)
    other_of_all, other_of_last = _asked(other)
    rows, columns = one.outcomes, other.outcomes
    lasts = 1 if one.on is other.on is On.ALL else cards

    @kernel
    def block(tables: HandTables, bits: Integers, options: Any, last: int, before_last: int) -> Integers:
        counts = np.zeros((rows + 1, columns + 1), np.int64)
        places = np.zeros(cards, np.int64)
        mask = first_set(places, bits, cards, last, before_last)
        while mask != 0:
            one_known, other_known = one_of_all(tables, mask, options), other_of_all(tables, mask, options)
            for place in places[:lasts]:
                came_last = bits[place]
                made, met = one_known, other_known
                if made < 0:
                    made = one_of_last(tables, mask ^ came_last, came_last, options)
                if met < 0:
                    met = other_of_last(tables, mask ^ came_last, came_last, options)
                counts[made if 0 <= made < rows else rows, met if 0 <= met < columns else columns] += 1
            mask = next_set(places, bits, cards, mask)
        return counts

    return block
