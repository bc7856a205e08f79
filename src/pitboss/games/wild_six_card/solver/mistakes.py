"""A written strategy followed from every first five, and where it errs, in a player's words."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import cache

import numpy as np

from pitboss.cards import FIRST_JOKER, RANK_COUNT, count_jokers, get_naturals, get_rank, get_ranks, popcount
from pitboss.contract import RuleFunction
from pitboss.counting.blocks import Integers
from pitboss.counting.compile import filling_kernel, part
from pitboss.counting.suits import place_in_least
from pitboss.games.wild_six_card.rules import DISCARD, Options, View
from pitboss.games.wild_six_card.solver.choices import NO_CHOICE, STAND, Choices, Ends, values
from pitboss.games.wild_six_card.solver.met import Firsts
from pitboss.games.wild_six_card.strategies import copies, four_to_a_flush, lowest_card, straight_ranks
from pitboss.hands import HandTables, format_rank, load_hand_tables
from pitboss.solver_api import Mistake, Strategy

MOST_MISTAKES = 12

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
_LOWEST, _HIGHEST, _MIDDLE, _JOKER = 1, 2, 3, 6
_KEPT = ("", ", keep four to a straight", ", keep four to a flush")
_JOKERS = ("", "a Joker and ", "two Jokers and ")
_GROUPS = ("no pair", "a pair", "two pair", "three of a kind")
_SHAPE = (len(_JOKERS), len(_GROUPS), RANK_COUNT, len(_DISCARDS), len(_KEPT), len(_DISCARDS), len(_KEPT))


def followed(strategy: Strategy, firsts: Firsts, options: Options, *, may_stand: bool) -> Choices:
    """Return what a strategy chooses from each first five.

    Raises:
        ValueError: it chooses what the rules do not allow.
    """
    choices = np.empty(len(firsts.masks), np.int8)
    _follower(strategy.choose)(load_hand_tables(), options, firsts, tuple(map(int, strategy.numbers)), choices)
    if (choices == _ILLEGAL).any() or (not may_stand and (choices == STAND).any()):
        raise ValueError(
            f"strategy {strategy.id} does not discard one of its five cards, nor stand where that is allowed"
        )
    return choices


@cache
def _follower(choose: RuleFunction) -> Callable[..., None]:
    """Compile a strategy's rule over all first fives."""

    @filling_kernel
    def follow(
        tables: HandTables, options: Options, firsts: Firsts, numbers: tuple[int, ...], choices: Choices
    ) -> None:
        for each in range(len(firsts.masks)):
            mask = firsts.masks[each]
            choices[each] = NO_CHOICE
            if not firsts.won[each]:
                action, cards = choose(tables, View(mask, 0, 0), 0, numbers, options)
                if action != DISCARD:
                    choices[each] = STAND
                elif popcount(cards) == 1 and cards & mask:
                    choices[each] = place_in_least(mask, popcount(cards - 1))
                else:
                    choices[each] = _ILLEGAL

    return follow


def mistakes(
    firsts: Firsts, ends: Ends, nets: Sequence[int], taken: Choices, best: Choices, deals: int
) -> tuple[Mistake, ...]:
    """Return where ``taken`` is worth less than ``best``, in groups, the dearest ``MOST_MISTAKES`` of them.

    ``deals`` are those of one first five.
    """
    lost = values(firsts, ends, nets, best) - values(firsts, ends, nets, taken)
    wrong = np.flatnonzero(lost)
    groups = np.empty(len(wrong), np.int64)
    _describe(firsts.masks[wrong], taken[wrong], best[wrong], groups)
    totals: dict[int, list[int]] = defaultdict(lambda: [0, 0])
    for group, sets, loss in zip(groups.tolist(), firsts.orbits[wrong].tolist(), lost[wrong].tolist(), strict=True):
        totals[group][0] += sets * deals
        totals[group][1] += loss
    dearest = sorted(totals.items(), key=lambda group: (-group[1][1], group[0]))[:MOST_MISTAKES]
    return tuple(_mistake(group, *total) for group, total in dearest)


def _mistake(group: int, deals: int, cost: int) -> Mistake:
    held, grouped, high, taken, taken_kept, best, best_kept = np.unravel_index(group, _SHAPE)
    return Mistake(
        taken=_DISCARDS[taken] + _KEPT[taken_kept],
        best=_DISCARDS[best] + _KEPT[best_kept],
        hand=f"{_JOKERS[held]}{_GROUPS[grouped]}, {format_rank(int(high) + 2)} high",
        deals=deals,
        cost=cost,
    )


@filling_kernel
def _describe(masks: Integers, taken: Choices, best: Choices, groups: Integers) -> None:
    """Number the group of each mistake: places in an array of the shape ``_SHAPE``."""
    for each in range(len(masks)):
        mask = masks[each]
        number = (count_jokers(mask) * len(_GROUPS) + _grouped(mask)) * RANK_COUNT + _high(mask)
        groups[each] = _chosen(mask, best[each], _chosen(mask, taken[each], number))


@part
def _high(mask: int) -> int:
    """Return the highest natural rank."""
    high = 0
    for height in range(RANK_COUNT):
        if get_ranks(mask) >> height & 1:
            high = height
    return high


@part
def _grouped(mask: int) -> int:
    """Return the place of what natural cards make in ``_GROUP_CATEGORIES``."""
    alike = popcount(get_naturals(mask)) - popcount(get_ranks(mask))
    for code in range(FIRST_JOKER):
        if mask >> code & 1 and copies(mask, code) == 3:
            return alike + 1
    return alike


@part
def _chosen(mask: int, choice: int, number: int) -> int:
    """Return ``number`` with two more places: what is discarded, and what draw is kept."""
    number *= len(_DISCARDS) * len(_KEPT)
    if choice == STAND:
        return number
    card = mask
    for _ in range(choice):
        card &= card - 1
    card &= -card
    code = popcount(card - 1)
    kept = mask & ~card
    draw = 2 if four_to_a_flush(kept) else 1 if straight_ranks(kept) else 0
    if code >= FIRST_JOKER:
        discard = _JOKER
    elif card == lowest_card(mask, 0):
        discard = _LOWEST
    elif copies(mask, code) == 1 and get_rank(code) == _high(mask):
        discard = _HIGHEST
    else:
        discard = _MIDDLE + copies(mask, code) - 1
    return number + discard * len(_KEPT) + draw
