"""The dealer's hidden cards beside his exposed one, by their ranks: what he holds, and what Force can make of it."""

from math import factorial
from typing import NamedTuple

import numpy as np

from pitboss.cards import RANK_COUNT, bit, get_ranks
from pitboss.counting.blocks import Integers
from pitboss.games.lunar.rules import Options, replaced_card
from pitboss.games.lunar.solver.finals import Finals, without_flush
from pitboss.games.lunar.solver.multisets import Multisets
from pitboss.hands import ROYAL_FIRST, HandTables

HIDDEN = 4
NEVER = -1

ROW, OF_SUIT, REPLACED = 0, 1, 2
"""Of what is listed in ``inside``, ``beside`` and ``whole``."""


class Low(NamedTuple):
    """Hidden cards by rank beside which the dealer does not qualify, one row each.

    ``counts`` (rows, 13), ``ranks`` and ``before`` (rows, 4) have the ranks and how many alike stand before each;
    ``alike`` divides out the order of two alike.  ``turned`` (rows, 13) is his strength with a card of each rank in
    place of the replaced one if that makes no flush, ``flush`` (rows, 13) if it does, for four different ranks are
    kept; ``NEVER`` where it cannot.  ``eligible`` has the ranks that may make one.

    The ways in which suits matter, each by row and the ranks of one suit: ``inside`` with three hidden cards of the
    exposed card's suit kept, the replaced one being of the rank that stands third and of another suit; ``beside``,
    where the exposed card is replaced, with all four of another suit; ``whole``, all of its suit, a flush.
    """

    counts: Integers
    ranks: Integers
    before: Integers
    alike: Integers
    turned: Integers
    flush: Integers
    eligible: Integers
    inside: Integers
    beside: Integers
    whole: Integers


class Dealer(NamedTuple):
    """What the dealer may hold with the exposed card of rank ``rank``, suit 0.

    ``copies`` (13,) counts the cards of the deck without it; ``strengths`` are those of every four hidden ranks in the
    order of their numbers, if they make no flush, ``NEVER`` where the deck has not so many.  ``suited`` (sets,) are the
    numbers of four ranks that may all be of suit 0, ``suited_ranks`` these ranks and ``suited_strengths`` his flush.
    """

    rank: int
    copies: Integers
    strengths: Integers
    suited: Integers
    suited_ranks: Integers
    suited_strengths: Integers


def dealer_of(tables: HandTables, sets: Multisets, hands: Finals, rank: int) -> Dealer:
    """Describe the dealer's hands with an exposed card of a rank."""
    copies = sets.copies.copy()
    copies[rank] -= 1
    hidden = sets.of(HIDDEN)
    five = sets.add[sets.start[HIDDEN] : sets.start[HIDDEN + 1], rank]
    there = (five >= 0) & (hidden <= copies).all(axis=1)
    strengths = np.where(there, hands.strengths[np.where(there, five - sets.start[HIDDEN + 1], 0)], NEVER)
    suited = np.flatnonzero((hidden.max(axis=1) == 1) & (hidden[:, rank] == 0) & there)
    of_suit = _as_mask(hidden[suited])
    flushes = np.array([flush_strength(tables, held | bit(rank)) for held in of_suit.tolist()], np.int64)
    return Dealer(rank, copies, strengths.astype(np.int64), suited, of_suit, flushes)


def flush_strength(tables: HandTables, of_suit: int) -> int:
    """Return the strength of five cards of one suit of these ranks."""
    return int(tables.flushes[ROYAL_FIRST, 0, of_suit])


def _as_mask(counts: Integers) -> Integers:
    """Return the ranks held as a mask, for each row of counts."""
    held: Integers = ((counts > 0) << np.arange(RANK_COUNT)).sum(axis=1).astype(np.int64)
    return held


def low_dealers(
    tables: HandTables, sets: Multisets, suits: int, hands: Finals, dealer: Dealer, options: Options
) -> Low:
    """Describe the hands of a dealer that do not qualify (LU-7), and what Force makes of them (LU-10)."""
    low = np.flatnonzero((dealer.strengths >= 0) & (dealer.strengths < options.dealer_qualifies))
    counts = sets.of(HIDDEN)[low]
    turned = np.full((len(low), RANK_COUNT), NEVER, np.int64)
    flush = np.full((len(low), RANK_COUNT), NEVER, np.int64)
    inside, beside = [], []
    for row, held in enumerate(sets.ranks[sets.start[HIDDEN] + low, :HIDDEN].tolist()):
        five = sorted([*held, dealer.rank])
        replaced = get_ranks(replaced_card(without_flush(five, suits), options)).bit_length() - 1
        kept = list(five)
        kept.remove(replaced)
        number = sets.start[HIDDEN] + int(sets.numbers(np.array([without_flush(kept, suits)]), HIDDEN)[0])
        more = sets.add[number]
        turned[row] = np.where(more >= 0, hands.strengths[np.where(more >= 0, more - sets.start[HIDDEN + 1], 0)], NEVER)
        if len(set(kept)) == HIDDEN:
            of_suit = sum(bit(rank) for rank in kept)
            for rank in np.flatnonzero(sets.copies).tolist():
                flush[row, rank] = NEVER if of_suit >> rank & 1 else flush_strength(tables, of_suit | bit(rank))
            if replaced in held:
                inside.append((row, of_suit & ~bit(dealer.rank), replaced))
            if replaced == dealer.rank:
                beside.append((row, of_suit))
    listed = sets.ranks[sets.start[HIDDEN] + low, :HIDDEN]
    before = np.stack([(listed[:, :card] == listed[:, card : card + 1]).sum(axis=1) for card in range(HIDDEN)], axis=1)
    alike = [int(np.prod([factorial(copies) for copies in row])) for row in counts.tolist()]
    whole = np.flatnonzero((counts.max(axis=1, initial=0) == 1) & (counts[:, dealer.rank] == 0))
    eligible = _as_mask((flush >= 0).astype(np.int64))
    return Low(
        counts,
        listed,
        before.astype(np.int64),
        np.array(alike, np.int64),
        turned,
        flush,
        eligible,
        np.array(inside, np.int64).reshape(-1, 3),
        np.array(beside, np.int64).reshape(-1, 2),
        np.stack([whole, _as_mask(counts[whole])], axis=1),
    )
