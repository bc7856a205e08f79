"""The dealer's hidden cards for an exposed card, by their ranks.

For each there is what the dealer holds, and what Force can make of it.
"""

from math import factorial
from typing import NamedTuple

import numpy as np

from pitboss.cards import RANK_COUNT, bit, get_ranks
from pitboss.games.lunar.rules import LunarOptions, find_replaced_card
from pitboss.games.lunar.solver.final_hands import FinalHands, make_plain_hand
from pitboss.games.lunar.solver.multisets import LunarMultisets
from pitboss.hands import ROYAL_FIRST, HandTables
from pitboss.kernels.enumeration import IntArray

HIDDEN = 4
NEVER = -1

ROW, SUIT_RANKS, REPLACED = 0, 1, 2
"""The columns of ``in_exposed_suit``, ``in_other_suit`` and ``all_suited``."""


class UnqualifiedHands(NamedTuple):
    """Hidden cards by rank with which the dealer does not qualify, one row each.

    ``counts`` (rows, 13) are the cards by rank; ``ranks`` and ``before`` (rows, 4) have the ranks and how many equal
    ones come before each; ``alike`` divides out the order of equal ranks.  ``turned`` (rows, 13) is the strength with a
    card of each rank in place of the replaced one if that makes no flush, ``flush`` (rows, 13) if it does, because four
    different ranks stay; ``NEVER`` where it cannot.  ``eligible`` has the ranks that may make a flush.

    The cases in which suits matter, each by row and the ranks of one suit: ``in_exposed_suit`` keeps three hidden cards
    of the exposed card's suit, and the replaced one, whose rank is the third column, is of another suit;
    ``in_other_suit``, where the exposed card is replaced, keeps all four of another suit; ``all_suited`` has all of the
    exposed card's suit, a flush.
    """

    counts: IntArray
    ranks: IntArray
    before: IntArray
    alike: IntArray
    turned: IntArray
    flush: IntArray
    eligible: IntArray
    in_exposed_suit: IntArray
    in_other_suit: IntArray
    all_suited: IntArray


class HiddenHands(NamedTuple):
    """The hands the dealer may hold with the exposed card of rank ``rank``, suit 0.

    ``copies`` (13,) counts the cards of the deck without it; ``strengths`` are those of every four hidden ranks in the
    order of their numbers, if they make no flush, ``NEVER`` if the deck has too few of a rank.  ``suited`` (sets,) are
    the numbers of four ranks that may all be of suit 0, ``suited_ranks`` these ranks and ``suited_strengths`` the
    flush.
    """

    rank: int
    copies: IntArray
    strengths: IntArray
    suited: IntArray
    suited_ranks: IntArray
    suited_strengths: IntArray


def list_hidden_hands(tables: HandTables, sets: LunarMultisets, hands: FinalHands, rank: int) -> HiddenHands:
    """Describe the dealer's hands with an exposed card of a rank."""
    copies = sets.copies.copy()
    copies[rank] -= 1
    hidden = sets.get_counts(HIDDEN)
    five = sets.add[sets.start[HIDDEN] : sets.start[HIDDEN + 1], rank]
    there = (five >= 0) & (hidden <= copies).all(axis=1)
    strengths = np.where(there, hands.strengths[np.where(there, five - sets.start[HIDDEN + 1], 0)], NEVER)
    suited = np.flatnonzero((hidden.max(axis=1) == 1) & (hidden[:, rank] == 0) & there)
    of_suit = _make_masks(hidden[suited])
    flushes = np.array([get_flush_strength(tables, held | bit(rank)) for held in of_suit.tolist()], np.int64)
    return HiddenHands(rank, copies, strengths.astype(np.int64), suited, of_suit, flushes)


def get_flush_strength(tables: HandTables, of_suit: int) -> int:
    """Return the strength of five cards of these ranks in one suit."""
    return int(tables.flushes[ROYAL_FIRST, 0, of_suit])


def _make_masks(counts: IntArray) -> IntArray:
    """Return the ranks held as a mask, for each row of counts."""
    held: IntArray = ((counts > 0) << np.arange(RANK_COUNT)).sum(axis=1).astype(np.int64)
    return held


def list_unqualified(
    tables: HandTables, sets: LunarMultisets, suits: int, hands: FinalHands, dealer: HiddenHands, options: LunarOptions
) -> UnqualifiedHands:
    """Describe the dealer's hands that do not qualify (LU-7).

    The description includes what Force makes of them (LU-10).
    """
    low = np.flatnonzero((dealer.strengths >= 0) & (dealer.strengths < options.dealer_qualifies))
    counts = sets.get_counts(HIDDEN)[low]
    turned = np.full((len(low), RANK_COUNT), NEVER, np.int64)
    flush = np.full((len(low), RANK_COUNT), NEVER, np.int64)
    in_exposed_suit, in_other_suit = [], []
    for row, held in enumerate(sets.ranks[sets.start[HIDDEN] + low, :HIDDEN].tolist()):
        five = sorted([*held, dealer.rank])
        replaced = get_ranks(find_replaced_card(make_plain_hand(five, suits), options)).bit_length() - 1
        kept = list(five)
        kept.remove(replaced)
        number = sets.start[HIDDEN] + int(sets.number_masks(np.array([make_plain_hand(kept, suits)]), HIDDEN)[0])
        more = sets.add[number]
        turned[row] = np.where(more >= 0, hands.strengths[np.where(more >= 0, more - sets.start[HIDDEN + 1], 0)], NEVER)
        if len(set(kept)) == HIDDEN:
            of_suit = sum(bit(rank) for rank in kept)
            for rank in np.flatnonzero(sets.copies).tolist():
                flush[row, rank] = NEVER if of_suit >> rank & 1 else get_flush_strength(tables, of_suit | bit(rank))
            if replaced in held:
                in_exposed_suit.append((row, of_suit & ~bit(dealer.rank), replaced))
            if replaced == dealer.rank:
                in_other_suit.append((row, of_suit))
    listed = sets.ranks[sets.start[HIDDEN] + low, :HIDDEN]
    before = np.stack([(listed[:, :card] == listed[:, card : card + 1]).sum(axis=1) for card in range(HIDDEN)], axis=1)
    alike = [int(np.prod([factorial(copies) for copies in row])) for row in counts.tolist()]
    all_suited = np.flatnonzero((counts.max(axis=1, initial=0) == 1) & (counts[:, dealer.rank] == 0))
    eligible = _make_masks((flush >= 0).astype(np.int64))
    return UnqualifiedHands(
        counts,
        listed,
        before.astype(np.int64),
        np.array(alike, np.int64),
        turned,
        flush,
        eligible,
        np.array(in_exposed_suit, np.int64).reshape(-1, 3),
        np.array(in_other_suit, np.int64).reshape(-1, 2),
        np.stack([all_suited, _make_masks(counts[all_suited])], axis=1),
    )
