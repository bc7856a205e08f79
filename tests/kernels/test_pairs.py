"""The joint count of two hands, compared with all pairs where they can be visited."""

from collections import Counter
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from oracle.naive import ORDER, best_hand
from pitboss.cards import DECK_52, make_mask
from pitboss.core.rule import rule
from pitboss.games import load_game
from pitboss.games.six_card.rules import rank_hand
from pitboss.hands import FOUR_OF_A_KIND, STRAIGHT_FLUSH, HandTables, load_hand_tables, pack_lowest_strength
from pitboss.kernels.hand_pairs import count_pairs_by_weaker
from pitboss.options import encode_options, resolve_options

SIX_CARD = load_game("six-card")
OPTIONS = encode_options(SIX_CARD, resolve_options(SIX_CARD, {}))
DECK = [51, 0, 7, 20, 33, 13, 40, 3, 26]


@rule
def remainder(_tables: HandTables, mask: int, modulus: int) -> int:
    """Rank hands with many ties and without any order of cards."""
    return int(mask % modulus)


def all_pairs(strengths: dict[int, Any], least: Any) -> dict[Any, int]:
    """Visit every pair of disjoint hands, and count it for the weaker."""
    counted = {strength: 0 for strength in sorted(set(strengths.values()), reverse=True) if strength >= least}
    for one, other in combinations(strengths, 2):
        weaker = min(strengths[one], strengths[other])
        if not one & other and strengths[one] != strengths[other] and weaker >= least:
            counted[weaker] += 1
    return counted


@pytest.mark.parametrize("cards", [2, 3, 4])
@pytest.mark.parametrize("least", [0, 5])
def test_every_pair_is_counted_for_its_weaker_hand(cards: int, least: int) -> None:
    strengths = {mask: mask % 11 for mask in map(make_mask, combinations(DECK, cards))}
    counted = count_pairs_by_weaker(remainder, DECK, cards, 11, least)
    assert list(counted.items()) == list(all_pairs(strengths, least).items())


def test_where_no_hand_is_strong_enough_there_are_no_pairs() -> None:
    assert count_pairs_by_weaker(remainder, DECK, 2, 11, 11) == {}


def test_progress_ends_at_all_strengths() -> None:
    told: list[tuple[int, int]] = []
    counted = count_pairs_by_weaker(remainder, DECK, 3, 11, 0, lambda done, total: told.append((done, total)))
    assert told[-1] == (len(counted), len(counted))
    assert told == sorted(told)


@pytest.mark.more
@pytest.mark.compiled
@pytest.mark.parametrize(
    "deck",
    [
        [suit * 13 + rank for suit in range(4) for rank in (9, 10, 11, 12)],
        [suit * 13 + rank for suit in range(2) for rank in (0, 1, 2, 3, 6, 11, 12)],
    ],
    ids=["four suits", "two suits"],
)
def test_six_card_hands_agree_with_the_slow_oracle(deck: list[int]) -> None:
    slow = {make_mask(held): best_hand(held, 0) for held in combinations(deck, 6)}
    order = sorted(set(slow.values()), key=lambda hand: (ORDER.index(hand[0]), hand[1]))
    places = {mask: order.index(hand) for mask, hand in slow.items()}
    masks = np.array(list(places))
    disjoint = (masks[:, None] & masks) == 0
    ranked = np.array(list(places.values()))
    weaker = Counter(ranked[np.nonzero(disjoint & (ranked[:, None] < ranked))[0]].tolist())
    counted = count_pairs_by_weaker(rank_hand, deck, 6, OPTIONS, 0)
    assert [weaker[place] for place in range(len(order))] == list(counted.values())[::-1]


@pytest.mark.compiled
def test_the_strongest_hands_of_a_whole_deck_are_counted_as_their_pairs_are_visited() -> None:
    """All pairs of two hands of four of a kind or better: 1.4e8 of 1.9e14, but nearly all of those that pay much."""
    tables = load_hand_tables()
    quads = [
        mask | other
        for rank in range(13)
        for mask in [make_mask(rank + 13 * suit for suit in range(4))]
        for other in map(make_mask, combinations([card for card in DECK_52.cards if not mask >> card & 1], 2))
    ]
    runs = [[(low - 1 + step) % 13 for step in range(5)] for low in range(10)]
    straight_flushes = {
        make_mask(suit * 13 + rank for rank in run) | 1 << other
        for run in runs
        for suit in range(4)
        for other in DECK_52.cards
        if not make_mask(suit * 13 + rank for rank in run) >> other & 1
    }
    masks = np.array([*quads, *straight_flushes])
    strengths = np.array([rank_hand(tables, int(mask), OPTIONS) for mask in masks])
    assert len(masks) == 14_664 + 1_656 + 188
    visited: Counter[int] = Counter()
    for mask, strength in zip(masks.tolist(), strengths.tolist(), strict=True):
        stronger = strengths > strength
        visited[strength] += int(np.count_nonzero(masks[stronger] & mask == 0))
    counted = count_pairs_by_weaker(rank_hand, DECK_52.cards, 6, OPTIONS, pack_lowest_strength(FOUR_OF_A_KIND))
    assert counted == visited
    of_straight_flushes = sum(
        pairs for strength, pairs in counted.items() if strength >= pack_lowest_strength(STRAIGHT_FLUSH)
    )
    assert of_straight_flushes * 2 == 1_967_920
