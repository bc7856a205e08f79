"""List final hands for the solver: by their ranks, with each flush separate."""

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from pitboss.cards import RANK_COUNT, SUIT_MASK, get_ranks, make_card
from pitboss.games.lunar.outcomes import (
    AFTER_FORCE,
    BOUGHT,
    FOLD,
    LOSE,
    NOT_FORCED,
    NOT_WON,
    TAKE_ANTE,
    TIE,
    count_lines,
    get_path_start,
)
from pitboss.games.lunar.rules import PLAYED, UNDECIDED, LunarOptions, LunarState, rank_hand, settle_showdown
from pitboss.games.lunar.solver.multisets import LunarMultisets
from pitboss.hands import NO_HAND, HandTables
from pitboss.kernels.enumeration import IntArray

NO_ODD_RANK = RANK_COUNT


class FinalHands(NamedTuple):
    """Hands that may meet the dealer: every multiset of ranks, then every flush.

    The multisets are hands without a flush.

    ``counts`` (hands, 13) are their ranks, ``strengths`` their strengths, ``masks`` an example of each.
    ``flush_numbers[ranks, odd]`` is the flush of a set of ranks in one suit with a card of rank ``odd`` in another
    (``NO_ODD_RANK``: none); ``plain_numbers[ranks]`` the hand of five different ranks without a flush; -1 if there is
    none.
    """

    counts: IntArray
    strengths: IntArray
    masks: IntArray
    flush_numbers: IntArray
    plain_numbers: IntArray


class PathNets(NamedTuple):
    """What play nets more than a fold after the same draw, in units.

    ``win`` (hands,), ``tie`` and ``lose`` against a dealer who qualifies, ``take_ante`` if the Ante is taken from one
    who does not.  After Force ``forced_win``, ``forced_tie`` and ``forced_lose``, or ``forced_unqualified`` (3,) if the
    dealer still does not qualify and is weaker, equal or stronger.
    """

    win: IntArray
    tie: int
    lose: int
    take_ante: int
    forced_win: IntArray
    forced_tie: int
    forced_lose: int
    forced_unqualified: IntArray


class PathCells(NamedTuple):
    """The offsets of outcomes in a path: those of hands won, and the rest.

    ``fold`` comes after the path's last outcome.
    """

    win: IntArray
    forced_win: IntArray
    take_ante: int
    tie: int
    lose: int
    forced_tie: int
    forced_lose: int
    forced_unqualified: int
    fold: int


def make_plain_hand(held: Sequence[int], suits: int) -> int:
    """Return cards of these ranks of which no five share a suit.

    >>> bin(make_plain_hand((0, 0, 1), 4))
    '0b1000000000000010000000000001'
    """
    used = [0] * suits
    mask = 0
    for rank in held:
        free = [suit for suit in range(suits) if not mask >> make_card(rank, suit) & 1]
        suit = min(free, key=used.__getitem__)
        used[suit] += 1
        mask |= 1 << make_card(rank, suit)
    return mask


def list_final_hands(tables: HandTables, sets: LunarMultisets, suits: int, cards: int) -> FinalHands:
    """List the final hands of five or six cards."""
    present = [rank for rank in range(RANK_COUNT) if sets.copies[rank]]
    first, after = sets.start[cards], sets.start[cards + 1]
    masks = [make_plain_hand(held, suits) for held in sets.ranks[first:after, :cards].tolist()]
    flush_numbers = np.full((SUIT_MASK + 1, RANK_COUNT + 1), -1, np.int64)
    plain_numbers = np.full(SUIT_MASK + 1, -1, np.int64)
    for number, mask in enumerate(masks):
        if sets.get_counts(cards)[number].max() == 1:
            plain_numbers[get_ranks(mask)] = number
    for size in range(5, cards + 1):
        for held in combinations(present, size):
            of_suit = sum(1 << rank for rank in held)
            for odd in present if size < cards else [NO_ODD_RANK]:
                flush_numbers[of_suit, odd] = len(masks)
                masks.append(of_suit | (0 if odd == NO_ODD_RANK else 1 << make_card(odd, 1)))
    counts = np.array(
        [
            [sum(mask >> make_card(rank, suit) & 1 for suit in range(suits)) for rank in range(RANK_COUNT)]
            for mask in masks
        ]
    )
    strengths = np.array([rank_hand(tables, mask) for mask in masks], np.int64)
    return FinalHands(counts.astype(np.int64), strengths, np.array(masks, np.int64), flush_numbers, plain_numbers)


def _find_wins(tables: HandTables, hands: FinalHands, draw: int, options: LunarOptions, at: int) -> list[int]:
    """Return the winning outcome of each hand, by the rule that pays it."""
    return [
        settle_showdown(tables, LunarState(mask, 0, 0, 0, 0, 0, draw, PLAYED, UNDECIDED, 1), NO_HAND, at, options)
        for mask in hands.masks.tolist()
    ]


def compute_path_nets(
    tables: HandTables, hands: FinalHands, draw: int, options: LunarOptions, nets: Sequence[int]
) -> tuple[PathNets, PathCells]:
    """Return what the outcomes of a path net, and their offsets in it."""
    start, fold = get_path_start(draw), nets[FOLD + draw]
    forced_unqualified = start + NOT_FORCED + NOT_WON + count_lines(draw)
    forced = forced_unqualified + AFTER_FORCE
    won = _find_wins(tables, hands, draw, options, start + NOT_FORCED)
    forced_won = _find_wins(tables, hands, draw, options, forced)
    pays = PathNets(
        np.array([nets[outcome] - fold for outcome in won], np.int64),
        nets[start + NOT_FORCED + TIE] - fold,
        nets[start + NOT_FORCED + LOSE] - fold,
        nets[start + TAKE_ANTE] - fold,
        np.array([nets[outcome] - fold for outcome in forced_won], np.int64),
        nets[forced + TIE] - fold,
        nets[forced + LOSE] - fold,
        np.array([nets[forced_unqualified + end] - fold for end in range(AFTER_FORCE)], np.int64),
    )
    cells = PathCells(
        np.array(won, np.int64) - start,
        np.array(forced_won, np.int64) - start,
        TAKE_ANTE,
        NOT_FORCED + TIE,
        NOT_FORCED + LOSE,
        forced - start + TIE,
        forced - start + LOSE,
        forced_unqualified - start,
        get_path_start(draw + 1) - start,
    )
    return pays, cells


def count_final_cards(draw: int) -> int:
    """Return how many cards a final hand has after a draw: six if one was bought."""
    return 6 if draw == BOUGHT else 5
