"""The number of hands of each category, counted one by one and derived another way; one digest of all hands."""

import hashlib
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb, prod
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from oracle.naive import ORDER, five_cards
from pitboss.cards import Deck
from pitboss.hands import CATEGORY_COUNT, FIVE_FIRST, ROYAL_FIRST, get_category_name, pack_strength

TABLES = tomllib.loads((Path(__file__).parent.parent / "counts" / "hands.toml").read_text(encoding="utf-8"))["count"]
ORDERS = {"royal-first": [ROYAL_FIRST], "five-first": [FIVE_FIRST], "both": [ROYAL_FIRST, FIVE_FIRST]}
CASES = [(table, ranking) for table in TABLES for ranking in ORDERS[table["order"]]]
NAMES = [f"{table['cards']} of {table['deck']}, {ranking}" for table, ranking in CASES]
Counts = dict[str, int]

# Classes of equal hands, 0 the weakest to 7461, of all C(52, 5) hands in order of their masks.
DIGEST = "56d9026aa7e4b2e97cf55a96b9d4ac5a60c1fe285c1d517202b085c565b333de"


def published(table: dict[str, Any]) -> Counts:
    """Return the counts of a table without its other keys."""
    return {name: count for name, count in table.items() if name in ORDER}


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_the_counts_of_a_table_add_up(table: dict[str, Any]) -> None:
    assert sum(published(table).values()) == comb(table["deck"], table["cards"])


def test_every_deck_and_number_of_cards_is_counted_in_both_orders() -> None:
    cases = [(table["deck"], table["cards"], ranking) for table, ranking in CASES]
    assert sorted(cases) == [(deck, cards, order) for deck in (52, 53, 54) for cards in (5, 6, 7) for order in (0, 1)]


@pytest.mark.compiled
@pytest.mark.in_turn("table")
@pytest.mark.parametrize(("table", "ranking"), CASES, ids=NAMES)
def test_every_hand_counted_one_by_one(table: dict[str, Any], ranking: int) -> None:
    from pitboss.kernels.batch_evaluation import count_categories

    by_number = count_categories(Deck(table["deck"] - 52), table["cards"], ranking)
    by_name: Counter[str] = Counter()
    for number in range(CATEGORY_COUNT):
        by_name[get_category_name(pack_strength(number, 0, 0, 0, 0, 0))] += by_number[number]
    assert +by_name == published(table)


@pytest.mark.parametrize("jokers", [0, 1, 2])
def test_five_cards_by_closed_forms(jokers: int) -> None:
    table = next(table for table in TABLES if (table["deck"], table["cards"]) == (52 + jokers, 5))
    pairs = comb(jokers, 2)
    forms = {
        "five-of-a-kind": 13 * jokers + 13 * 4 * pairs,
        "royal-flush": 4 + 4 * 5 * jokers + 4 * 10 * pairs,
        "straight-flush": 4 * 9 + 4 * 36 * jokers + 4 * 54 * pairs,
        "four-of-a-kind": 13 * 48 + 13 * 4 * 48 * jokers + 13 * 6 * 48 * pairs,
        "full-house": 13 * 4 * 12 * 6 + 78 * 36 * jokers,
        "flush": 4 * 1277 + 4 * (715 - 41) * jokers + 4 * (286 - 64) * pairs,
        "straight": 10 * 1020 + 41 * 252 * jokers + 64 * 60 * pairs,
        "three-of-a-kind": 13 * 4 * 66 * 16 + 13 * 6 * 66 * 16 * jokers + (286 - 64) * 60 * pairs,
        "two-pair": 78 * 36 * 44,
        "pair": 13 * 6 * 220 * 64 + (715 - 41) * 252 * jokers,
        "high-card": 1277 * 1020,
    }
    assert {name: count for name, count in forms.items() if count} == published(table)


@pytest.mark.more
@pytest.mark.in_turn("table")
@pytest.mark.parametrize(("table", "ranking"), CASES, ids=NAMES)
def test_every_multiset_of_ranks_times_the_ways_to_choose_suits(table: dict[str, Any], ranking: int) -> None:
    order = ORDER if ranking == ROYAL_FIRST else (*ORDER[:-2], ORDER[-1], ORDER[-2])
    counts: Counter[str] = Counter()
    for wilds in range(table["deck"] - 52 + 1):
        ways = comb(table["deck"] - 52, wilds)
        for (by_ranks, by_flush), hands in hands_of(table["cards"] - wilds, wilds).items():
            counts[max(by_ranks, by_flush, key=order.index)] += ways * hands
    assert counts == published(table)


@cache
def hands_of(naturals: int, wilds: int) -> Counter[tuple[str, str]]:
    """Count hands of natural cards by their category without a flush and their flush category (or none)."""
    hands: Counter[tuple[str, str]] = Counter()
    for held in combinations_with_replacement(range(2, 15), naturals):
        copies = Counter(held)
        if max(copies.values()) > 4:
            continue
        by_ranks = without_flush(copies, wilds)
        no_flush = prod(comb(4, count) for count in copies.values())
        for suited in suited_ranks(copies, 5 - wilds):
            ways = 4 * prod(comb(3, count - (rank in suited)) for rank, count in copies.items())
            hands[by_ranks, as_flush(suited, wilds)] += ways
            no_flush -= ways
        hands[by_ranks, "high-card"] += no_flush
    return hands


def suited_ranks(copies: Counter[int], at_least: int) -> Iterator[frozenset[int]]:
    """Yield each set of ranks that can be a hand's cards of one suit, large enough for a flush.

    With two wilds or fewer no second suit can be as long in seven cards.
    """
    for size in range(at_least, len(copies) + 1):
        yield from map(frozenset, combinations(copies, size))


def within_a_straight(ranks: frozenset[int], wilds: int, highs: range) -> bool:
    """Return whether the ranks and wilds make a straight to one of these high cards."""
    straights = [{14 if rank == 1 else rank for rank in range(high - 4, high + 1)} for high in highs]
    return any(len(straight - ranks) <= wilds for straight in straights)


def as_flush(suited: frozenset[int], wilds: int) -> str:
    """Return the category that the cards of one suit make with the wilds."""
    if within_a_straight(suited, wilds, range(14, 15)):
        return "royal-flush"
    return "straight-flush" if within_a_straight(suited, wilds, range(5, 14)) else "flush"


def without_flush(copies: Counter[int], wilds: int) -> str:
    """Return the category that the ranks make with the wilds, by how many wilds each category needs."""
    most, second = (*sorted(copies.values(), reverse=True), 0)[:2]
    lacking = {
        "five-of-a-kind": 5 - most,
        "four-of-a-kind": 4 - most,
        "full-house": max(0, 3 - most) + max(0, 2 - second),
        "straight": 0 if within_a_straight(frozenset(copies), wilds, range(5, 15)) else 5,
        "three-of-a-kind": 3 - most,
        "two-pair": max(0, 2 - most) + max(0, 2 - second),
        "pair": 2 - most,
        "high-card": 0,
    }
    return next(name for name, lacks in lacking.items() if lacks <= wilds)


def all_fives() -> np.ndarray[Any, np.dtype[np.int64]]:
    """Return the codes of all C(52, 5) hands in order of their masks."""
    fives = np.array(list(combinations(range(52), 5)), np.int64)
    return fives[np.argsort((1 << fives).sum(axis=1))]


def digest(strengths: Any) -> str:
    """Return the hash of the classes of equal hands, as 16-bit little-endian numbers."""
    classes = np.unique(strengths, return_inverse=True)[1]
    assert classes.max() == 7461
    return hashlib.sha256(classes.astype("<i2").tobytes()).hexdigest()


@pytest.mark.more
@pytest.mark.compiled
def test_one_digest_pins_the_order_of_all_five_card_hands() -> None:
    from pitboss.kernels.batch_evaluation import compute_strengths

    assert digest(compute_strengths(all_fives())) == DIGEST


@pytest.mark.long
def test_the_oracle_gives_the_same_digest() -> None:
    hands = [five_cards.__wrapped__(tuple(five), any_card=False) for five in all_fives().tolist()]
    assert digest([pack_strength(ORDER.index(name), *ranks) for name, ranks in hands]) == DIGEST
