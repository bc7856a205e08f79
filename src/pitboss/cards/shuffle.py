"""Unbiased shuffles, from the operating system's entropy or from a seed.

A source of randomness is a function ``bits(k)`` that returns ``k`` random bits as an integer 0 <= x < 2**k.
"""

import random
import secrets
from collections.abc import Callable, Sequence

from pitboss.cards.deck import Deck

BitSource = Callable[[int], int]


def system_bits(count: int) -> int:
    """Return ``count`` random bits from the operating system's entropy.

    This function is itself a source of bits: pass it as ``bits`` for live play.
    """
    return secrets.randbits(count)


def seeded_bits(seed: int) -> BitSource:
    """Make a source of bits: a function that repeats the same bits for a seed.

    Each call makes a source at its start, and what is passed as ``bits`` is what it returns.  It is for replays, tests
    and simulations, not for live play.

    >>> seeded_bits(7)(32) == seeded_bits(7)(32)
    True
    """
    return random.Random(seed).getrandbits  # noqa: S311  # a replay must be predictable


def draw_below(limit: int, bits: BitSource) -> int:
    """Draw an integer 0 <= x < ``limit``, all equally likely.

    Draw as many bits as ``limit - 1`` has, and draw again if they make ``limit`` or more; a remainder would
    favour small numbers.  ``limit`` is at least 1.

    >>> draws = iter([3, 2])
    >>> draw_below(3, lambda count: next(draws))
    2
    """
    width = (limit - 1).bit_length()
    while True:
        drawn = bits(width) if width else 0
        if drawn < limit:
            return drawn


def shuffle_deck(deck: Deck, bits: BitSource) -> tuple[int, ...]:
    """Return the cards of ``deck`` in random order."""
    return shuffle_cards(deck.cards, bits)


def shuffle_cards(items: Sequence[int], bits: BitSource) -> tuple[int, ...]:
    """Return the cards in random order (Fisher and Yates, from the last one down).

    Every order is equally likely when ``bits`` is uniform (Knuth, The Art of Computer Programming,
    volume 2, algorithm 3.4.2 P).
    """
    cards = list(items)
    for last in range(len(cards) - 1, 0, -1):
        chosen = draw_below(last + 1, bits)
        cards[last], cards[chosen] = cards[chosen], cards[last]
    return tuple(cards)
