"""A deck of some ranks, and its openings.

An opening is the community cards that can be dealt, up to suits.
"""

from collections.abc import Sequence
from math import comb
from typing import NamedTuple

import numpy as np

from pitboss.cards import RANK_COUNT, SUIT_COUNT
from pitboss.games.shifting_wilds.rules import HAND
from pitboss.games.shifting_wilds.solver.boards import RankStrengths
from pitboss.games.shifting_wilds.solver.dealer_sums import SubsetNumbers
from pitboss.games.shifting_wilds.solver.lock_events import LockSubsetNumbers, Opening, number_w1_subsets
from pitboss.games.shifting_wilds.solver.multisets import make_multisets, number_rank_subsets, number_suited_subsets
from pitboss.games.shifting_wilds.solver.natural_fives import compute_natural_strengths
from pitboss.hands import load_hand_tables
from pitboss.kernels.enumeration import IntArray


class DeckTables(NamedTuple):
    """The tables of a deck that do not depend on the community cards.

    ``mask`` is the set of all its cards, ``natural_strengths`` the natural fives of each slot and multiset by ranks.
    """

    ranks: tuple[int, ...]
    mask: int
    subsets: SubsetNumbers
    lock_subsets: LockSubsetNumbers
    natural_strengths: IntArray

    @property
    def card_count(self) -> int:
        """How many cards the deck has."""
        return SUIT_COUNT * len(self.ranks)

    @property
    def dealer_hand_count(self) -> int:
        """How many hands the dealer may hold once a seat knows both indicators."""
        return comb(self.card_count - 8, HAND)

    @property
    def lock_event_count(self) -> int:
        """How many W2s and dealer's hands together there may be once a seat knows W1."""
        return (self.card_count - 7) * self.dealer_hand_count


def build_deck(ranks: Sequence[int]) -> DeckTables:
    """Return the tables of a deck of four suits of ``ranks`` (three or more, rising)."""
    multisets = make_multisets(ranks)
    by_ranks, suited = number_rank_subsets(multisets, HAND - 1), number_suited_subsets(multisets, HAND - 1)
    lock_subsets = LockSubsetNumbers(
        number_rank_subsets(multisets, HAND), number_suited_subsets(multisets, HAND), number_w1_subsets(multisets)
    )
    mask = sum(1 << (RANK_COUNT * suit + rank) for suit in range(SUIT_COUNT) for rank in ranks)
    naturals = compute_natural_strengths(multisets, load_hand_tables())
    return DeckTables(tuple(ranks), mask, SubsetNumbers(multisets, by_ranks, suited), lock_subsets, naturals)


def list_openings(ranks: Sequence[int]) -> list[tuple[tuple[int, int], int]]:
    """Return two community cards of each kind, up to suits, with their weight.

    The weight is how many pairs of cards are of the kind.

    >>> len(list_openings(range(13))), sum(weight for _, weight in list_openings(range(13)))
    (169, 1326)
    """
    openings = []
    for high, rank in enumerate(ranks):
        openings += [((lower, rank), 4) for lower in ranks[:high]]
        openings += [((lower, RANK_COUNT + rank), 12) for lower in ranks[:high]]
        openings.append(((rank, RANK_COUNT + rank), 6))
    return openings


def make_opening(deck: DeckTables, cards: tuple[int, int], rank_strengths: Sequence[RankStrengths]) -> Opening:
    """Return the opening of two community cards for the first decision.

    Suits that neither card has share a role.
    """
    shown = [sum(card // RANK_COUNT == suit for card in cards) for suit in range(SUIT_COUNT)]
    idle = [suit for suit in range(SUIT_COUNT) if not shown[suit]]
    suits = [*(suit for suit in range(SUIT_COUNT) if shown[suit]), idle[0]]
    community = sum(1 << card for card in cards)
    return Opening(
        community=community,
        live=deck.mask & ~community,
        shown_counts=np.array([0, *(shown[suit] for suit in suits)], np.int64),
        role_suits=np.array([-1, *suits], np.int64),
        suit_roles=np.array(
            [1 + suits.index(idle[0] if suit in idle else suit) for suit in range(SUIT_COUNT)], np.int64
        ),
        suit_order=np.array(sorted(range(SUIT_COUNT), key=lambda suit: shown[suit]), np.int64),
        strengths=np.stack([each.strengths for each in rank_strengths]),
        bonuses=np.stack([each.bonuses for each in rank_strengths]),
    )
