"""The policy table of a strategy, and its mistakes.

The table says which classes of hands the strategy plays against which exposed cards.  A strategy may look at the ranks
and the strength of the hand and at the exposed cards, but not at the hand's suits apart from its flush.  Then it treats
all hands of a class alike, and decides once for each class.  A strategy that decides two hands of a class differently
is refused.  (Best play that may not do so costs 0.002 % of an Ante.)
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from pitboss.builders import display_name
from pitboss.cards import SUIT_COUNT, get_ranks, get_suit_ranks, popcount
from pitboss.games.six_card.rules import EXPOSED, HAND, SixCardOptions, SixCardView
from pitboss.games.six_card.solver.census import BoardCounts, Int8Array, Policy, StrengthClasses
from pitboss.games.six_card.solver.hand_classes import find_representatives
from pitboss.hands import (
    HIGH_CARD,
    PAIR,
    HandTables,
    format_hand,
    format_rank,
    get_category,
    get_category_name,
    get_first_rank,
    load_hand_tables,
)
from pitboss.kernels.compile import no_alloc_kernel
from pitboss.kernels.enumeration import IntArray
from pitboss.solver_api import Mistake, Strategy

MAX_MISTAKES = 12
_SAMPLES = 4_000
_ACTIONS = ("fold", "play")
_ACE, _JACK = 14, 11


def tabulate_policy(strategy: Strategy, classes: StrengthClasses, options: SixCardOptions) -> Policy:
    """Return a function that tells which classes the strategy plays.

    It takes boards and returns an array of shape (boards, classes).

    Raises:
        ValueError: the strategy takes different actions with hands of one class, as thousands of random deals show, or
            an action that is neither fold nor play.
    """
    list_actions = compile_tabulate(strategy.choose)
    if _is_suit_dependent(strategy, options):
        raise ValueError(
            f"strategy {strategy.id} may not look at suits other than those of its own flush and the dealer's cards"
        )

    def policy(boards: IntArray) -> Int8Array:
        actions = list_actions(load_hand_tables(), classes.hands.masks, boards, strategy.numbers, options)
        if not np.isin(actions, (0, 1)).all():
            raise ValueError(f"strategy {strategy.id} takes an invalid action: it must be 0 (fold) or 1 (play)")
        return actions

    return policy


def _is_suit_dependent(strategy: Strategy, options: SixCardOptions) -> bool:
    """Tell whether the strategy treats hands of one class differently.

    Many random hands are compared with the representatives of their classes.
    """
    rng, list_actions = np.random.default_rng(20_261_121), compile_tabulate(strategy.choose)
    dealt = [rng.permutation(52)[: EXPOSED + HAND].tolist() for _ in range(_SAMPLES)]
    boards = [np.array([sum(1 << card for card in nine[:EXPOSED])]) for nine in dealt]
    hands = [sum(1 << card for card in nine[EXPOSED:]) for nine in dealt]
    for board, pair in zip(boards, zip(hands, find_representatives(hands), strict=True), strict=True):
        first, second = list_actions(load_hand_tables(), np.array(pair), board, strategy.numbers, options)[0]
        if first != second:
            return True
    return False


@cache
def compile_tabulate(choose: Callable[..., Any]) -> Callable[..., Int8Array]:
    """Return a function that lists the actions of a strategy's rule.

    They are for every board and hand, shape (boards, hands).
    """

    @no_alloc_kernel
    def fill_actions(
        tables: HandTables,
        masks: IntArray,
        boards: IntArray,
        numbers: tuple[int, ...],
        options: SixCardOptions,
        actions: Int8Array,
    ) -> None:
        for board in range(len(boards)):
            for hand in range(len(masks)):
                actions[board, hand] = choose(tables, SixCardView(masks[hand], boards[board]), 0, numbers, options)[0]

    def list_actions(
        tables: HandTables, masks: IntArray, boards: IntArray, numbers: tuple[int, ...], options: SixCardOptions
    ) -> Int8Array:
        actions = np.zeros((len(boards), len(masks)), np.int8)
        fill_actions(tables, masks, boards, numbers, options, actions)
        return actions

    return list_actions


def list_mistakes(
    counts: BoardCounts, boards: IntArray, weights: IntArray, group_names: Sequence[str]
) -> list[Mistake]:
    """Return the strategy's mistakes by group, the costliest first.

    ``group_names`` describes the hands of a group.
    """
    totals: dict[tuple[int, str, str], list[int]] = defaultdict(lambda: [0, 0])
    for board, group, taken in zip(*map(np.ndarray.tolist, np.nonzero(counts.mistakes[:, :, :, 1])), strict=True):
        deals, cost = map(int, counts.mistakes[board, group, taken])
        total = totals[taken, group_names[group], describe_exposed(int(boards[board]))]
        total[0] += deals * int(weights[board])
        total[1] += cost * int(weights[board])
    costliest = sorted(totals.items(), key=lambda group: (-group[1][1], group[0]))
    return [
        Mistake(_ACTIONS[taken], _ACTIONS[1 - taken], f"{own} against {dealers}", deals, cost)
        for (taken, own, dealers), (deals, cost) in costliest
    ]


def describe_hand(strength: int) -> str:
    """Describe the kind of hand that a strength is.

    >>> [describe_hand(strength) for strength in (0x0ED974, 0x0E9743, 0x199E42, 0x6DDD77)]
    ['ace-king high', 'ace high', 'pair of nines', 'full house']
    """
    if get_category(strength) == PAIR or (get_first_rank(strength) == _ACE and strength >> 12 & 15 >= _JACK):
        return format_hand(strength)
    if get_category(strength) == HIGH_CARD:
        return f"{format_rank(get_first_rank(strength))} high"
    return display_name(get_category_name(strength))


def describe_exposed(exposed: int) -> str:
    """Describe what three exposed cards show."""
    held = get_ranks(exposed)
    if popcount(held) < EXPOSED:
        return "a pair" if popcount(held) > 1 else "three of a kind"
    suited = any(popcount(get_suit_ranks(exposed, each)) == EXPOSED for each in range(SUIT_COUNT))
    return f"{format_rank(held.bit_length() + 1)} high" + (" of one suit" if suited else "")
