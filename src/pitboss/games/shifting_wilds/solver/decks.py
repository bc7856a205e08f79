"""A deck of some ranks and its openings: what the community cards can be, up to suits."""

from collections.abc import Sequence
from math import comb
from typing import NamedTuple

import numpy as np

from pitboss.cards import RANK_COUNT, SUIT_COUNT
from pitboss.counting.blocks import Integers
from pitboss.games.shifting_wilds.rules import HAND
from pitboss.games.shifting_wilds.solver.boards import Ranked
from pitboss.games.shifting_wilds.solver.fives import naturals_by_ranks
from pitboss.games.shifting_wilds.solver.hands import multisets_of, rank_sets, suited_sets
from pitboss.games.shifting_wilds.solver.lock import LockSets, Opening, numbers_with_w1
from pitboss.games.shifting_wilds.solver.sums import Sets
from pitboss.hands import load_hand_tables


class Deck(NamedTuple):
    """What does not depend on the community cards.

    ``mask`` are all its cards, ``naturals`` the natural fives of each slot and multiset by ranks.
    """

    ranks: tuple[int, ...]
    mask: int
    sets: Sets
    lock_sets: LockSets
    naturals: Integers

    @property
    def cards(self) -> int:
        """How many cards the deck has."""
        return SUIT_COUNT * len(self.ranks)

    @property
    def dealers(self) -> int:
        """How many hands the dealer may hold once a seat knows both indicators."""
        return comb(self.cards - 8, HAND)

    @property
    def events(self) -> int:
        """How many W2s and dealer's hands there may be once a seat knows W1."""
        return (self.cards - 7) * self.dealers


def deck_of(ranks: Sequence[int]) -> Deck:
    """Return a deck of four suits of ``ranks`` (three or more, rising)."""
    multisets = multisets_of(ranks)
    plain, suited = rank_sets(multisets, HAND - 1), suited_sets(multisets, HAND - 1)
    lock_sets = LockSets(rank_sets(multisets, HAND), suited_sets(multisets, HAND), numbers_with_w1(multisets))
    mask = sum(1 << (RANK_COUNT * suit + rank) for suit in range(SUIT_COUNT) for rank in ranks)
    naturals = naturals_by_ranks(multisets, load_hand_tables())
    return Deck(tuple(ranks), mask, Sets(multisets, plain, suited), lock_sets, naturals)


def openings_of(ranks: Sequence[int]) -> list[tuple[tuple[int, int], int]]:
    """Return two community cards of each kind up to suits, and how many there are of the kind.

    >>> len(openings_of(range(13))), sum(weight for _, weight in openings_of(range(13)))
    (169, 1326)
    """
    made = []
    for high, rank in enumerate(ranks):
        made += [((lower, rank), 4) for lower in ranks[:high]]
        made += [((lower, RANK_COUNT + rank), 12) for lower in ranks[:high]]
        made.append(((rank, RANK_COUNT + rank), 6))
    return made


def opening_of(deck: Deck, cards: tuple[int, int], ranked: Sequence[Ranked]) -> Opening:
    """Return what the first decision sees of the community cards; suits that neither has share a role."""
    shown = [sum(card // RANK_COUNT == suit for card in cards) for suit in range(SUIT_COUNT)]
    idle = [suit for suit in range(SUIT_COUNT) if not shown[suit]]
    suits = [*(suit for suit in range(SUIT_COUNT) if shown[suit]), idle[0]]
    community = sum(1 << card for card in cards)
    return Opening(
        community=community,
        live=deck.mask & ~community,
        shown=np.array([0, *(shown[suit] for suit in suits)], np.int64),
        suits=np.array([-1, *suits], np.int64),
        roles=np.array([1 + suits.index(idle[0] if suit in idle else suit) for suit in range(SUIT_COUNT)], np.int64),
        order=np.array(sorted(range(SUIT_COUNT), key=lambda suit: shown[suit]), np.int64),
        strengths=np.stack([each.strengths for each in ranked]),
        bonuses=np.stack([each.bonuses for each in ranked]),
    )
