"""Value final hands against the dealer's hidden cards by ranks alone.

This is done for all ranks that may be dead.

Suits matter only through flushes.  Without flushes, the number of hidden fours of some ranks depends only on how many
cards of each rank are live.  Start with a word for each four ranks: what it means to the current hand.
``sum_supersets`` adds these up to the words of all fours that contain a given set of cards.  Then a card dies by one
subtraction: the fours without it are all, minus those that contain it.  A word may be a value in units or several
counts in separate lanes, because the kernels only add:

    63 | 62 ...... 42 | 41 ... 21 | 20 ... 0
       |  Ante taken  |   tied    |   won
"""

from pitboss.cards import RANK_COUNT
from pitboss.games.lunar.solver.dealer_hands import HIDDEN
from pitboss.games.lunar.solver.multisets import ALIKE, CARDS, LAST, NUMBER, LunarMultisets
from pitboss.kernels.compile import kernel_helper, no_alloc_kernel
from pitboss.kernels.enumeration import IntArray

LANE_BITS = 21
COUNT_MASK = (1 << LANE_BITS) - 1
WIN = 1
TIE = 1 << LANE_BITS
TAKE = 1 << 2 * LANE_BITS
"""Counts in lanes: at most C(46, 4) = 163,185 dealers; partial sums reach four times that, below 2**21."""


@kernel_helper
def get_word(mine: int, theirs: int, qualifies: int, win: int, tie: int, lose: int, take_ante: int) -> int:
    """Return what a dealer of a strength means to a hand.

    The word is 0 if the deck has no such dealer.
    """
    if theirs < 0:
        return 0
    if theirs < qualifies:
        return take_ante
    return win if mine > theirs else tie if mine == theirs else lose


@kernel_helper
def subtract_hand(copies: IntArray, counts: IntArray, left: IntArray) -> bool:
    """Write how many cards of each rank are left without a hand.

    Return whether the deck has the hand at all.
    """
    least = 0
    for rank in range(RANK_COUNT):
        left[rank] = copies[rank] - counts[rank]
        least = min(least, left[rank])
    return least >= 0


@kernel_helper
def sum_supersets(words: IntArray, left: IntArray, sets: LunarMultisets) -> None:
    """Add the words of fours to those of all smaller sets that they contain."""
    for size in range(HIDDEN - 1, -1, -1):
        for number in range(sets.start[size], sets.start[size + 1]):
            total = 0
            for rank in range(RANK_COUNT):
                more = sets.add[number, rank]
                live = left[rank] - sets.counts[number, rank]
                if more >= 0 and live > 0:
                    total += live * words[more]
            # A four is reached once for each of its cards outside the set, hence HIDDEN - size times.
            words[number] = total // (HIDDEN - size)


@kernel_helper
def remove_card(words: IntArray, after: IntArray, sets: LunarMultisets, rank: int, sizes: int) -> None:
    """Write the words of sets below ``sizes`` cards after a card of a rank has died."""
    for number in range(sets.start[sizes]):
        more = sets.add[number, rank]
        after[number] = words[number] - (words[more] if 0 <= more < sets.start[HIDDEN + 1] else 0)


@kernel_helper
def write_dead_sums(
    words: IntArray,
    left: IntArray,
    sets: LunarMultisets,
    order: IntArray,
    most: int,
    hand: int,
    sums: tuple[IntArray, ...],
) -> None:
    """Write the word of no cards for every dead multiset into column ``hand``.

    The multisets are those of ``order``; each uses an earlier one.  ``words[cards]`` are those after ``cards`` cards
    have died; the caller fills the first row.
    """
    missing = most + 1
    for each in range(len(order)):
        number, cards, rank = order[each, NUMBER], order[each, CARDS], order[each, LAST]
        # Larger sets that follow a set the deck has too few cards for contain it: skip them all.
        if cards <= missing:
            missing = cards if order[each, ALIKE] > left[rank] else most + 1
        if missing > most:
            remove_card(words[cards - 1], words[cards], sets, rank, most - cards + 1)
            sums[cards][number - sets.start[cards], hand] = words[cards, 0]


@no_alloc_kernel
def fill_rank_sums(
    counts: IntArray,
    strengths: IntArray,
    win: IntArray,
    tie: int,
    lose: int,
    take_ante: int,
    copies: IntArray,
    dealer_strengths: IntArray,
    qualifies: int,
    sets: LunarMultisets,
    order: IntArray,
    most: int,
    words: IntArray,
    left: IntArray,
    sums: tuple[IntArray, ...],
) -> None:
    """Sum the words of all dealers for every hand.

    This is done for no dead cards and up to ``most``, in the order of ``order``.

    ``sums[cards]`` (dead multisets, hands) are indexed by the number of dead cards, 0 if the deck has too few.
    ``words`` (six, sets of up to four) and ``left`` (13,) are scratch arrays.
    """
    fours = sets.start[HIDDEN]
    for hand in range(len(counts)):
        if subtract_hand(copies, counts[hand], left):
            for hidden in range(len(dealer_strengths)):
                words[0, fours + hidden] = get_word(
                    strengths[hand], dealer_strengths[hidden], qualifies, win[hand], tie, lose, take_ante
                )
            sum_supersets(words[0], left, sets)
            sums[0][0, hand] = words[0, 0]
            write_dead_sums(words, left, sets, order, most, hand, sums)
