"""Chance that can be had again: numbered words of a counter-based generator, and unbiased draws from them.

A word depends on the seed, the block, the round in it and its own number there, and on nothing that was drawn before:
any worker, in any order, on any device, deals the same round.  The generator is Philox4x32-10 (J. Salmon, M. Moraes,
R. Dror and D. Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011).

A draw below a bound is the high half of word x bound, and a word whose low half shows it to be one too many is drawn
again (D. Lemire, "Fast random integer generation in an interval", ACM Transactions on Modeling and Computer Simulation
29, 2019); three bounds, whose product is far below 2**32, share a word (N. Brackett-Rozinsky and D. Lemire, "Batched
ranged random integer generation", Software: Practice and Experience 55, 2025).
"""

from typing import Any, NamedTuple

from pitboss.core.rule import rule
from pitboss.counting.compile import inner_part

WORD_BITS = 32
WORD = (1 << WORD_BITS) - 1

LAID_AT_ONCE = 12
"""Cards are laid out so many at a time: three from each of the four words that the generator makes together."""

# What a word is for stands above its number in the third place of the counter.
_USE_SHIFT = 16
DEAL = 0
SHUFFLE = 1
CHOICE = 2


class Chance(NamedTuple):
    """Which round it is: the seed (64 bits, in halves), the block, and the round's number in the block."""

    seed_low: int
    seed_high: int
    block: int
    round: int


@inner_part
def philox(c0: int, c1: int, c2: int, c3: int, k0: int, k1: int) -> tuple[int, int, int, int]:
    """Return four words of 32 bits for a counter of four and a key of two.

    >>> [hex(word) for word in philox(0, 0, 0, 0, 0, 0)]
    ['0x6627e8d5', '0xe169c58d', '0xbc57ac4c', '0x9b00dbd8']
    """
    for _ in range(10):
        first, second = 0xD2511F53 * c0, 0xCD9E8D57 * c2
        c0, c2 = second >> WORD_BITS & WORD ^ c1 ^ k0, first >> WORD_BITS & WORD ^ c3 ^ k1
        c1, c3 = second & WORD, first & WORD
        k0, k1 = k0 + 0x9E3779B9 & WORD, k1 + 0xBB67AE85 & WORD
    return c0, c1, c2, c3


@inner_part
def words(chance: Chance, use: int, number: int, attempt: int) -> tuple[int, int, int, int]:
    """Return the four words of a number and an attempt."""
    at = use << _USE_SHIFT | number
    return philox(chance.round, chance.block, at, attempt, chance.seed_low, chance.seed_high)


@inner_part
def drawn_again(left: int, bound: int, bits: int = WORD_BITS) -> bool:
    """Tell whether a word must be drawn again; ``left`` is the low half of word x bound.

    Exactly 2**bits modulo bound of all words are, so that every draw comes from as many words as any other.
    """
    return left < bound and left < (1 << bits) % bound


@inner_part
def split(word: int, first: int, second: int, third: int, bits: int = WORD_BITS) -> tuple[int, int, int]:
    """Split a word into draws below three bounds.

    >>> split(0xFFFFFFFF, 52, 51, 50), split(1 << 31, 4, 3, 2)
    ((51, 50, 49), (2, 0, 0))
    """
    low = (1 << bits) - 1
    one = word * first
    two = (one & low) * second
    three = (two & low) * third
    return one >> bits, two >> bits, three >> bits


@rule
def lane(four: tuple[int, int, int, int], which: int) -> int:
    """Return one of four words."""
    return four[0] if which == 0 else four[1] if which == 1 else four[2] if which == 2 else four[3]


@rule
def word_below(chance: Chance, place: int, bound: int, attempt: int) -> int:
    """Return the word for the deal's places ``place`` to ``place`` + 2 from an attempt on, the first that may serve."""
    while True:
        word = lane(words(chance, DEAL, place // LAID_AT_ONCE, attempt), place % LAID_AT_ONCE // 3)
        if not drawn_again(word * bound & WORD, bound):
            return word
        attempt += 1


@inner_part
def swap(stub: Any, place: int, other: int) -> None:
    """Exchange two cards of the stub."""
    card = stub[other]
    stub[other] = stub[place]
    stub[place] = card


@inner_part
def lay_three(stub: Any, size: int, place: int, word: int, chance: Chance) -> None:
    """Draw the cards at three places from all that lie there and below (Fisher and Yates).

    Past the last card there is nothing to choose from: a bound of one leaves what lies there.
    """
    first, second, third = max(1, size - place), max(1, size - place - 1), max(1, size - place - 2)
    if drawn_again(word * (first * second * third) & WORD, first * second * third):
        word = word_below(chance, place, first * second * third, 1)
    one, two, three = split(word, first, second, third)
    swap(stub, place, place + one)
    swap(stub, place + 1, place + 1 + two)
    swap(stub, place + 2, place + 2 + three)


@inner_part
def lay(stub: Any, size: int, laid: int, until: int, chance: Chance) -> int:
    """Lay out cards of a stub of ``size`` until ``until`` of them lie in order, or all; return how many do.

    ``laid`` do already, a multiple of twelve; the stub has room for eleven places past its last card.
    """
    while laid < until and laid < size:
        four = words(chance, DEAL, laid // LAID_AT_ONCE, 0)
        lay_three(stub, size, laid, four[0], chance)
        lay_three(stub, size, laid + 3, four[1], chance)
        lay_three(stub, size, laid + 6, four[2], chance)
        lay_three(stub, size, laid + 9, four[3], chance)
        laid += LAID_AT_ONCE
    return laid


@rule
def below(chance: Chance, number: int, bound: int) -> int:
    """Return a draw below ``bound``, the ``number``-th of those that shuffle cards given up."""
    attempt = 0
    while True:
        word = words(chance, SHUFFLE, number, attempt)[0]
        if not drawn_again(word * bound & WORD, bound):
            return word * bound >> WORD_BITS
        attempt += 1


@rule
def choice(chance: Chance, number: int) -> int:
    """Return 62 bits for a choice that is left to chance, the ``number``-th of the round."""
    four = words(chance, CHOICE, number, 0)
    return four[0] << 30 ^ four[1]
