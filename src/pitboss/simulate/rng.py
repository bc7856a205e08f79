"""Reproducible chance: numbered words of a generator, and unbiased draws.

A word depends only on the seed, the block, the round in it and its own number there, not on earlier draws: any worker,
in any order, on any device, deals the same round.  The generator is the counter-based Philox4x32-10 (J. Salmon, M.
Moraes, R. Dror and D. Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011).

A draw below a bound is the high half of word x bound; a word whose low half is too small is rejected and drawn again
(D. Lemire, "Fast random integer generation in an interval", ACM Transactions on Modeling and Computer Simulation 29,
2019).  Three bounds, whose product is far below 2**32, share a word (N. Brackett-Rozinsky and D. Lemire, "Batched
ranged random integer generation", Software: Practice and Experience 55, 2025).
"""

from typing import Any, NamedTuple

from pitboss.core.rule import rule
from pitboss.kernels.compile import inlined_helper

WORD_BITS = 32
WORD_MASK = (1 << WORD_BITS) - 1

CARDS_PER_WORDS = 12
"""The cards shuffled at a time: three from each of the four words that the generator makes together."""

# The third word of the counter holds a word's purpose in its upper half and its number in its lower half.
_PURPOSE_SHIFT = 16
DEAL = 0
SHUFFLE = 1
CHOICE = 2


class RngState(NamedTuple):
    """The generator's state for one round.

    It is the seed (64 bits, in halves), the block, and the round in the block.
    """

    seed_low: int
    seed_high: int
    block: int
    round: int


@inlined_helper
def philox(c0: int, c1: int, c2: int, c3: int, k0: int, k1: int) -> tuple[int, int, int, int]:
    """Return four words of 32 bits for a counter of four and a key of two.

    >>> [hex(word) for word in philox(0, 0, 0, 0, 0, 0)]
    ['0x6627e8d5', '0xe169c58d', '0xbc57ac4c', '0x9b00dbd8']
    """
    for _ in range(10):
        first, second = 0xD2511F53 * c0, 0xCD9E8D57 * c2
        c0, c2 = second >> WORD_BITS & WORD_MASK ^ c1 ^ k0, first >> WORD_BITS & WORD_MASK ^ c3 ^ k1
        c1, c3 = second & WORD_MASK, first & WORD_MASK
        k0, k1 = k0 + 0x9E3779B9 & WORD_MASK, k1 + 0xBB67AE85 & WORD_MASK
    return c0, c1, c2, c3


@inlined_helper
def generate_words(rng: RngState, purpose: int, number: int, attempt: int) -> tuple[int, int, int, int]:
    """Return the four words of a number and an attempt."""
    purpose_and_number = purpose << _PURPOSE_SHIFT | number
    return philox(rng.round, rng.block, purpose_and_number, attempt, rng.seed_low, rng.seed_high)


@inlined_helper
def is_rejected(left: int, bound: int, bits: int = WORD_BITS) -> bool:
    """Tell whether a word must be drawn again.

    ``left`` is the low half of word x bound.  Exactly (2**bits modulo bound) words are rejected, so every draw comes
    from the same number of words.
    """
    return left < bound and left < (1 << bits) % bound


@inlined_helper
def split_word(word: int, first: int, second: int, third: int, bits: int = WORD_BITS) -> tuple[int, int, int]:
    """Split a word into draws below three bounds.

    >>> split_word(0xFFFFFFFF, 52, 51, 50), split_word(1 << 31, 4, 3, 2)
    ((51, 50, 49), (2, 0, 0))
    """
    low = (1 << bits) - 1
    one = word * first
    two = (one & low) * second
    three = (two & low) * third
    return one >> bits, two >> bits, three >> bits


@rule
def select_word(four: tuple[int, int, int, int], which: int) -> int:
    """Return one of four words."""
    return four[0] if which == 0 else four[1] if which == 1 else four[2] if which == 2 else four[3]


@rule
def redraw_word(rng: RngState, place: int, bound: int, attempt: int) -> int:
    """Return the first accepted word, from ``attempt`` on.

    The word is for the deal's places ``place`` to ``place`` + 2.
    """
    while True:
        word = select_word(generate_words(rng, DEAL, place // CARDS_PER_WORDS, attempt), place % CARDS_PER_WORDS // 3)
        if not is_rejected(word * bound & WORD_MASK, bound):
            return word
        attempt += 1


@inlined_helper
def swap_cards(stub: Any, place: int, other: int) -> None:
    """Exchange two cards of the stub."""
    card = stub[other]
    stub[other] = stub[place]
    stub[place] = card


@inlined_helper
def shuffle_three(stub: Any, size: int, place: int, word: int, rng: RngState) -> None:
    """Draw the cards at three places (Fisher and Yates).

    Each is drawn from all cards at its place and below.  Past the last card the bound is one, which leaves the place as
    it is.
    """
    first, second, third = max(1, size - place), max(1, size - place - 1), max(1, size - place - 2)
    if is_rejected(word * (first * second * third) & WORD_MASK, first * second * third):
        word = redraw_word(rng, place, first * second * third, 1)
    one, two, three = split_word(word, first, second, third)
    swap_cards(stub, place, place + one)
    swap_cards(stub, place + 1, place + 1 + two)
    swap_cards(stub, place + 2, place + 2 + three)


@inlined_helper
def shuffle_until(stub: Any, size: int, shuffled: int, until: int, rng: RngState) -> int:
    """Shuffle a stub until its first ``until`` cards are in order.

    If there are fewer, shuffle all ``size`` cards.  Return how many are in order.  ``shuffled`` cards, a multiple of
    twelve, are in order already.  The stub has eleven places past its last card.
    """
    while shuffled < until and shuffled < size:
        four = generate_words(rng, DEAL, shuffled // CARDS_PER_WORDS, 0)
        shuffle_three(stub, size, shuffled, four[0], rng)
        shuffle_three(stub, size, shuffled + 3, four[1], rng)
        shuffle_three(stub, size, shuffled + 6, four[2], rng)
        shuffle_three(stub, size, shuffled + 9, four[3], rng)
        shuffled += CARDS_PER_WORDS
    return shuffled


@rule
def draw_below(rng: RngState, number: int, bound: int) -> int:
    """Return a draw below ``bound``.

    It is the ``number``-th of the draws that shuffle cards given up.
    """
    attempt = 0
    while True:
        word = generate_words(rng, SHUFFLE, number, attempt)[0]
        if not is_rejected(word * bound & WORD_MASK, bound):
            return word * bound >> WORD_BITS
        attempt += 1


@rule
def draw_choice_bits(rng: RngState, number: int) -> int:
    """Return 62 random bits for a choice left to chance.

    It is the ``number``-th choice of the round.
    """
    four = generate_words(rng, CHOICE, number, 0)
    return four[0] << 30 ^ four[1]
