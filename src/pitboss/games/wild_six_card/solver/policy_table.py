"""Tabulate a strategy at every first five; list its mistakes in a player's words."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import cache

import numpy as np

from pitboss.cards import FIRST_JOKER, RANK_COUNT, count_jokers, get_naturals, get_rank, get_ranks, popcount
from pitboss.contract import RuleFunction
from pitboss.games.wild_six_card.rules import DISCARD, WildSixOptions, WildSixView
from pitboss.games.wild_six_card.solver.census import FirstFives
from pitboss.games.wild_six_card.solver.decide import NO_CHOICE, STAND, ChoiceCodes, ChoiceTotals, compute_values
from pitboss.games.wild_six_card.strategies import (
    count_copies,
    count_straight_ranks,
    find_lowest_card,
    is_four_to_flush,
)
from pitboss.hands import HandTables, format_rank, load_hand_tables
from pitboss.hands.rank_sets import get_highest_rank
from pitboss.kernels.compile import kernel_helper, no_alloc_kernel
from pitboss.kernels.enumeration import IntArray
from pitboss.kernels.suit_symmetry import find_canonical_place
from pitboss.solver_api import Mistake, Strategy

MAX_MISTAKES = 12

_ILLEGAL = -2

_DISCARDS = (
    "stand",
    "discard the lowest single card",
    "discard the highest card",
    "discard a middle card",
    "discard one of a pair",
    "discard one of three of a kind",
    "discard a Joker",
)
_DISCARD_LOWEST, _DISCARD_HIGHEST, _DISCARD_MIDDLE, _DISCARD_JOKER = 1, 2, 3, 6
_KEPT_DRAWS = ("", ", keep four to a straight", ", keep four to a flush")
_JOKERS = ("", "a Joker and ", "two Jokers and ")
_GROUPS = ("no pair", "a pair", "two pair", "three of a kind")
_SHAPE = (len(_JOKERS), len(_GROUPS), RANK_COUNT, len(_DISCARDS), len(_KEPT_DRAWS), len(_DISCARDS), len(_KEPT_DRAWS))


def tabulate_policy(
    strategy: Strategy, first_fives: FirstFives, options: WildSixOptions, *, may_stand: bool
) -> ChoiceCodes:
    """Tabulate a strategy's choice from each first five.

    Raises:
        ValueError: the strategy makes a choice that the rules do not allow.
    """
    choices = np.empty(len(first_fives.masks), np.int8)
    _compile_tabulate(strategy.choose)(
        load_hand_tables(), options, first_fives, tuple(map(int, strategy.numbers)), choices
    )
    if (choices == _ILLEGAL).any() or (not may_stand and (choices == STAND).any()):
        raise ValueError(f"strategy {strategy.id} must discard one of its five cards, or stand where that is allowed")
    return choices


@cache
def _compile_tabulate(choose: RuleFunction) -> Callable[..., None]:
    """Compile a strategy's rule over all first fives."""

    @no_alloc_kernel
    def tabulate(
        tables: HandTables,
        options: WildSixOptions,
        first_fives: FirstFives,
        numbers: tuple[int, ...],
        choices: ChoiceCodes,
    ) -> None:
        for each in range(len(first_fives.masks)):
            mask = first_fives.masks[each]
            choices[each] = NO_CHOICE
            if not first_fives.is_winner[each]:
                action, cards = choose(tables, WildSixView(mask, 0, 0), 0, numbers, options)
                if action != DISCARD:
                    choices[each] = STAND
                elif popcount(cards) == 1 and cards & mask:
                    choices[each] = find_canonical_place(mask, popcount(cards - 1))
                else:
                    choices[each] = _ILLEGAL

    return tabulate


def list_mistakes(
    first_fives: FirstFives,
    totals_by_choice: ChoiceTotals,
    nets: Sequence[int],
    taken: ChoiceCodes,
    best: ChoiceCodes,
    deals: int,
) -> tuple[Mistake, ...]:
    """List where ``taken`` is worth less than ``best``, in groups.

    The ``MAX_MISTAKES`` costliest groups are listed.  ``deals`` is the number of deals of one first five.
    """
    losses = compute_values(first_fives, totals_by_choice, nets, best) - compute_values(
        first_fives, totals_by_choice, nets, taken
    )
    mistaken = np.flatnonzero(losses)
    groups = np.empty(len(mistaken), np.int64)
    _number_groups(first_fives.masks[mistaken], taken[mistaken], best[mistaken], groups)
    totals: dict[int, list[int]] = defaultdict(lambda: [0, 0])
    for group, sets, loss in zip(
        groups.tolist(), first_fives.orbits[mistaken].tolist(), losses[mistaken].tolist(), strict=True
    ):
        totals[group][0] += sets * deals
        totals[group][1] += loss
    costliest = sorted(totals.items(), key=lambda group: (-group[1][1], group[0]))[:MAX_MISTAKES]
    return tuple(_make_mistake(group, *total) for group, total in costliest)


def _make_mistake(group: int, deals: int, cost: int) -> Mistake:
    joker_count, natural_group, high, taken, taken_kept, best, best_kept = np.unravel_index(group, _SHAPE)
    return Mistake(
        taken=_DISCARDS[taken] + _KEPT_DRAWS[taken_kept],
        best=_DISCARDS[best] + _KEPT_DRAWS[best_kept],
        hand=f"{_JOKERS[joker_count]}{_GROUPS[natural_group]}, {format_rank(int(high) + 2)} high",
        deals=deals,
        cost=cost,
    )


@no_alloc_kernel
def _number_groups(masks: IntArray, taken: ChoiceCodes, best: ChoiceCodes, groups: IntArray) -> None:
    """Number the group of each mistake: a place in an array of the shape ``_SHAPE``."""
    for each in range(len(masks)):
        mask = masks[each]
        group = count_jokers(mask) * len(_GROUPS) + _classify_natural_cards(mask)
        number = group * RANK_COUNT + get_highest_rank(get_ranks(mask)) - 2
        groups[each] = _append_choice(mask, best[each], _append_choice(mask, taken[each], number))


@kernel_helper
def _classify_natural_cards(mask: int) -> int:
    """Return the place in ``_GROUPS`` of the natural cards' group."""
    repeated = popcount(get_naturals(mask)) - popcount(get_ranks(mask))
    for code in range(FIRST_JOKER):
        if mask >> code & 1 and count_copies(mask, code) == 3:
            return repeated + 1
    return repeated


@kernel_helper
def _append_choice(mask: int, choice: int, number: int) -> int:
    """Return ``number`` with two more digits: the kind of discard, and the draw kept."""
    number *= len(_DISCARDS) * len(_KEPT_DRAWS)
    if choice == STAND:
        return number
    card = mask
    for _ in range(choice):
        card &= card - 1
    card &= -card
    code = popcount(card - 1)
    kept = mask & ~card
    draw = 2 if is_four_to_flush(kept) else 1 if count_straight_ranks(kept) else 0
    if code >= FIRST_JOKER:
        discard = _DISCARD_JOKER
    elif card == find_lowest_card(mask, 0):
        discard = _DISCARD_LOWEST
    elif count_copies(mask, code) == 1 and get_rank(code) == get_highest_rank(get_ranks(mask)) - 2:
        discard = _DISCARD_HIGHEST
    else:
        discard = _DISCARD_MIDDLE + count_copies(mask, code) - 1
    return number + discard * len(_KEPT_DRAWS) + draw
