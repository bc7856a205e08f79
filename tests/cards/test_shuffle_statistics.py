"""Statistical tests of the live shuffle, and of four shuffles that are known to be wrong.

An alarm is p below one in a million: a suite run every night for a century stays quiet.  Statistics cannot show a
bias of one in 1e5 in so few decks; that there is none is proved by enumeration in ``test_shuffle.py``.
"""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from pitboss.cards import DECK_52, draw_below, seeded_bits, shuffle_deck, system_bits
from pitboss.cards.shuffle import BitSource

Decks = NDArray[np.int64]

DECKS = 12_000
LONG_DECKS = 250_000
ALARM = 1e-6
CARDS = DECK_52.size


def position_p(decks: Decks) -> float:
    """Test that every card is in every place equally often: chi-square of the 52 x 52 table, 51 x 51 free cells."""
    places = np.tile(np.arange(CARDS), len(decks))
    counts = np.zeros((CARDS, CARDS))
    np.add.at(counts, (decks.ravel(), places), 1)
    expected = len(decks) / CARDS
    statistic = ((counts - expected) ** 2 / expected).sum() * (CARDS - 1) / CARDS
    return float(stats.chi2.sf(statistic, (CARDS - 1) ** 2))


def neighbour_p(decks: Decks) -> float:
    """Test that every card follows every other equally often."""
    counts = np.zeros((CARDS, CARDS))
    np.add.at(counts, (decks[:, :-1].ravel(), decks[:, 1:].ravel()), 1)
    pairs = counts[~np.eye(CARDS, dtype=bool)]
    return float(stats.chisquare(pairs, np.full(len(pairs), len(decks) * (CARDS - 1) / len(pairs))).pvalue)


def ascents_p(decks: Decks) -> float:
    """Test the number of ascents, places where a higher card follows: mean 51/2, variance 53/12 (Eulerian numbers)."""
    ascents = (decks[:, 1:] > decks[:, :-1]).sum()
    mean, variance = len(decks) * (CARDS - 1) / 2, len(decks) * (CARDS + 1) / 12
    return float(2 * stats.norm.sf(abs(ascents - mean) / variance**0.5))


def serial_p(decks: Decks) -> float:
    """Test that a place of one deck does not predict the same place of the next."""
    first, following = decks[:-1].ravel(), decks[1:].ravel()
    same = (first == following).sum()
    expected = len(first) / CARDS
    return float(2 * stats.norm.sf(abs(same - expected) / (expected * (1 - 1 / CARDS)) ** 0.5))


def fixed_p(decks: Decks) -> float:
    """Test how many cards stay at their place in a new deck: Poisson with mean 1, almost exactly."""
    fixed = np.minimum((decks == np.arange(CARDS)).sum(axis=1), 6)
    expected = np.append(stats.poisson.pmf(np.arange(6), 1), stats.poisson.sf(5, 1)) * len(decks)
    return float(stats.chisquare(np.bincount(fixed, minlength=7), expected).pvalue)


TESTS = (position_p, neighbour_p, ascents_p, serial_p, fixed_p)


def swap_any(bits: BitSource) -> list[int]:
    """Exchange every card with any card: 52^52 equally likely paths to 52! orders."""
    cards = list(DECK_52.cards)
    for place in range(CARDS):
        other = draw_below(CARDS, bits)
        cards[place], cards[other] = cards[other], cards[place]
    return cards


def never_the_last(bits: BitSource) -> list[int]:
    """Never draw the last card, the mistake of an online poker room in 1999."""
    cards = list(DECK_52.cards)
    for place in range(CARDS):
        other = draw_below(CARDS - 1, bits)
        cards[place], cards[other] = cards[other], cards[place]
    return cards


def never_itself(bits: BitSource) -> list[int]:
    """Sattolo's algorithm: no card stays where it is, the off-by-one of Fisher and Yates."""
    cards = list(DECK_52.cards)
    for last in range(CARDS - 1, 0, -1):
        other = draw_below(last, bits)
        cards[last], cards[other] = cards[other], cards[last]
    return cards


def byte_remainder(bits: BitSource) -> list[int]:
    """Fisher and Yates with a byte's remainder, which favours the first cards."""
    cards = list(DECK_52.cards)
    for last in range(CARDS - 1, 0, -1):
        other = bits(8) % (last + 1)
        cards[last], cards[other] = cards[other], cards[last]
    return cards


def live(count: int) -> Decks:
    return np.array([shuffle_deck(DECK_52, system_bits) for _ in range(count)])


@pytest.mark.more
def test_the_live_shuffle_passes_every_test() -> None:
    decks = live(DECKS)
    assert [test.__name__ for test in TESTS if test(decks) < ALARM] == []


@pytest.mark.long
def test_the_live_shuffle_passes_every_test_on_a_quarter_of_a_million_decks() -> None:
    decks = live(LONG_DECKS)
    assert [test.__name__ for test in TESTS if test(decks) < ALARM] == []


@pytest.mark.parametrize("wrong", [swap_any, never_the_last, never_itself, byte_remainder])
def test_a_shuffle_that_is_wrong_is_found(wrong: Callable[[BitSource], list[int]]) -> None:
    source = seeded_bits(20)
    decks = np.array([wrong(source) for _ in range(DECKS)])
    assert min(test(decks) for test in TESTS) < ALARM
