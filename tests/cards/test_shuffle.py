"""The shuffle: every number below a limit, and every order of a deck, equally likely."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import pytest

from pitboss.cards import DECK_52, DECK_54, Deck, draw_below, seeded_bits, shuffle_deck, system_bits
from pitboss.cards.shuffle import BitSource


class NoMoreBitsError(Exception):
    """The error of a listed source that has no bits left."""


def make_listed_source(words: tuple[int, ...]) -> BitSource:
    """Return a source that yields these words and then fails."""
    left = iter(words)

    def bits(_count: int) -> int:
        for word in left:
            return word
        raise NoMoreBitsError

    return bits


@pytest.mark.parametrize("limit", range(1, 17))
def test_every_number_below_a_limit_comes_from_equally_many_draws(limit: int) -> None:
    width = (limit - 1).bit_length()
    counts = Counter(draws(limit, width))
    assert set(counts) - {None} == set(range(limit))
    assert len({counts[number] for number in range(limit)}) == 1


def draws(limit: int, width: int) -> Iterator[int | None]:
    """Yield the draw from each pair of words, None if both are rejected."""
    for words in product(range(1 << width), repeat=2):
        try:
            yield draw_below(limit, make_listed_source(words))
        except NoMoreBitsError:
            yield None


@dataclass(frozen=True)
class SmallDeck(Deck):
    """Four cards, few enough to try everything."""

    @property
    def cards(self) -> range:
        return range(4)


def test_every_order_comes_from_equally_many_draws() -> None:
    orders: Counter[tuple[int, ...]] = Counter()
    for words in product(range(4), range(3), range(2)):
        orders[shuffle_deck(SmallDeck(), make_listed_source(words))] += 1
    assert len(orders) == 24
    assert set(orders.values()) == {1}


def test_a_seed_gives_the_same_order_again_and_another_seed_another() -> None:
    first = shuffle_deck(DECK_54, seeded_bits(1))
    assert first == shuffle_deck(DECK_54, seeded_bits(1))
    assert first != shuffle_deck(DECK_54, seeded_bits(2))


def test_the_live_shuffle_deals_every_card_once() -> None:
    assert sorted(shuffle_deck(DECK_52, system_bits)) == list(range(52))
    assert shuffle_deck(DECK_54, system_bits) != shuffle_deck(DECK_54, system_bits)
