"""Shuffles by a counter-based generator: which card lies at a place is a function of a key, the round and the place.

Nothing has to be remembered between draws, so a round can be dealt again, and only as far as it is played.  The
functions give the same bits as plain Python and compiled: words are numbers below 2**32, and where a product of two
of them passes a signed 64-bit integer only the bits that both have in common are used.
"""

from collections.abc import MutableSequence

from pitboss.core.rule import rule

WORD = (1 << 32) - 1

DECK = 0
STUB = 1
"""What a draw is for: laying the deck, or the cards given up that are laid below the stub (LU-11)."""

_ROUNDS = 10
_MULTIPLIERS = 0xD2511F53, 0xCD9E8D57
_WEYL = 0x9E3779B9, 0xBB67AE85

Words = tuple[int, int, int, int]


@rule
def philox(c0: int, c1: int, c2: int, c3: int, k0: int, k1: int) -> Words:
    """Return the four words of a counter under a key: Philox4x32-10.

    Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", 2011; the example is their vector.

    >>> [f"{word:08x}" for word in philox(0, 0, 0, 0, 0, 0)]
    ['6627e8d5', 'e169c58d', 'bc57ac4c', '9b00dbd8']
    """
    for _ in range(_ROUNDS):
        one = _MULTIPLIERS[0] * c0
        other = _MULTIPLIERS[1] * c2
        c0, c1, c2, c3 = (
            other >> 32 & WORD ^ c1 ^ k0,
            other & WORD,
            one >> 32 & WORD ^ c3 ^ k1,
            one & WORD,
        )
        k0 = k0 + _WEYL[0] & WORD
        k1 = k1 + _WEYL[1] & WORD
    return c0, c1, c2, c3


@rule
def drawn_again(limit: int, low: int) -> bool:
    """Tell whether a word must be drawn again so that all numbers below ``limit`` are equally likely.

    ``low`` are the low 32 bits of word times limit, whose high bits are the number drawn (Lemire, "Fast random integer
    generation in an interval", 2019).
    """
    return low < limit and low < (WORD + 1 - limit) % limit


@rule
def swapped(cards: MutableSequence[int], first: int, second: int) -> None:
    """Exchange the cards at two places."""
    moved = cards[first]
    cards[first] = cards[second]
    cards[second] = moved


@rule
def below(limit: int, place: int, purpose: int, number: int, k0: int, k1: int) -> int:
    """Return a number below ``limit`` for a place of round ``number``, drawn again where it must be."""
    attempt = purpose
    product = limit * philox(place >> 2, attempt, number & WORD, number >> 32, k0, k1)[place & 3]
    while drawn_again(limit, product & WORD):
        attempt += 2
        product = limit * philox(place >> 2, attempt, number & WORD, number >> 32, k0, k1)[place & 3]
    return product >> 32


@rule
def lay(deck: MutableSequence[int], size: int, laid: int, wanted: int, number: int, k0: int, k1: int) -> int:
    """Shuffle a deck of ``size`` cards as far as place ``wanted``, ``laid`` places being done; return how many are.

    It is Fisher and Yates' shuffle from the top: each place gets one of the cards not laid yet.  Four places share a
    counter.
    """
    while laid < wanted:
        words = philox(laid >> 2, DECK, number & WORD, number >> 32, k0, k1)
        for place in range(laid, min(wanted, (laid | 3) + 1)):
            product = words[place & 3] * (size - place)
            if drawn_again(size - place, product & WORD):
                swapped(deck, place, place + below(size - place, place, DECK, number, k0, k1))
            else:
                swapped(deck, place, place + (product >> 32))
        laid = min(wanted, (laid | 3) + 1)
    return laid


@rule
def lay_below(stub: MutableSequence[int], bottom: int, cards: int, number: int, k0: int, k1: int) -> int:
    """Lay a set of cards below the stub in random order and return the new bottom (LU-11)."""
    first = bottom
    card = 0
    while cards >> card:
        if cards >> card & 1:
            stub[bottom] = card
            bottom += 1
        card += 1
    for last in range(bottom - 1, first, -1):
        swapped(stub, last, first + below(last - first + 1, last, STUB, number, k0, k1))
    return bottom
