"""Compute what Force adds to the sums over ranks (ruling LU-10).

Bounds say how far suits can change that.

A player forces if that nets more, over all cards that may be turned, than taking the Ante as often.  The surplus,
the *gain*, is a sum over live cards: a dead card takes its own part away.  Ranks alone decide it, except where Force
leaves four cards of one suit, or where the dealer's hand is already a flush.  There are few such hands, so their part
is bounded here and counted card by card later (``four_flushes``), only for the chosen actions.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import RANK_COUNT
from pitboss.games.lunar.solver.dealer_hands import ROW, UnqualifiedHands
from pitboss.games.lunar.solver.final_hands import FinalHands, PathNets
from pitboss.games.lunar.solver.multisets import ALIKE, CARDS, LAST, NUMBER
from pitboss.games.lunar.solver.rank_sums import subtract_hand
from pitboss.kernels.compile import kernel_helper, no_alloc_kernel
from pitboss.kernels.enumeration import IntArray

GAIN, LEAST, MOST = 0, 1, 2
MAX_DEAD = 5
_FAR = 1 << 40


class GainWorkspace(NamedTuple):
    """Scratch arrays for gains.

    They are the cards left and gains by rank, special ways by row, and those of ``add_dead_gains``.
    """

    left: IntArray
    gains: IntArray
    special: IntArray
    after: IntArray


def make_gain_workspace(rows: int) -> GainWorkspace:
    """Return scratch arrays for ``rows`` rows of ``UnqualifiedHands``."""
    return GainWorkspace(*(np.zeros(shape, np.int64) for shape in (RANK_COUNT, RANK_COUNT, rows, (MAX_DEAD + 1, 2))))


@kernel_helper
def compute_turned_gain(mine: int, hand: int, theirs: int, qualifies: int, pays: PathNets) -> int:
    """Return what forcing nets more than taking the Ante, for one turned card.

    ``theirs`` is the strength that this card gives the dealer.
    """
    if theirs < qualifies:
        return int(pays.forced_unqualified[0 if mine > theirs else 1 if mine == theirs else 2]) - pays.take_ante
    if mine > theirs:
        return int(pays.forced_win[hand]) - pays.take_ante
    return (pays.forced_tie if mine == theirs else pays.forced_lose) - pays.take_ante


@kernel_helper
def compute_gains(
    hand: int,
    row: int,
    left: IntArray,
    hands: FinalHands,
    pays: PathNets,
    qualifies: int,
    low: UnqualifiedHands,
    gains: IntArray,
) -> tuple[int, int, int]:
    """Write the gain by each rank turned, with nothing dead.

    Return the ways of the dealer's ranks, the whole gain, and what flushes add.  Flushes add at most what the cards
    that they improve add.
    """
    ways, gain, bonus = 1, 0, 0
    for rank in range(RANK_COUNT):
        held = low.counts[row, rank]
        for card in range(held):
            ways = ways * (left[rank] - card) // (card + 1)
        gains[rank] = 0
        if left[rank] > held:
            mine = hands.strengths[hand]
            gains[rank] = compute_turned_gain(mine, hand, low.turned[row, rank], qualifies, pays)
            gain += (left[rank] - held) * gains[rank]
            if low.flush[row, rank] >= 0:
                bonus += max(0, compute_turned_gain(mine, hand, low.flush[row, rank], qualifies, pays) - gains[rank])
    return max(0, ways), gain, bonus


@kernel_helper
def bound_dead_gain(row: int, left: IntArray, low: UnqualifiedHands, gains: IntArray, dead: int) -> int:
    """Return the most that ``dead`` dead cards add to the gain.

    The cards with the lowest gains are the dead ones.
    """
    added, bound = 0, _FAR
    while dead > 0:
        # The lowest gain not yet used up; only gains below zero help when their cards die.
        worst = 0
        for rank in range(RANK_COUNT):
            if -bound < gains[rank] < worst:
                worst = gains[rank]
        if worst == 0:
            return added
        bound = -worst
        for rank in range(RANK_COUNT):
            if gains[rank] == worst and dead > 0:
                cards = min(dead, left[rank] - low.counts[row, rank])
                added -= cards * worst
                dead -= cards
    return added


@kernel_helper
def add_gain(sums: IntArray, number: int, gain: int, ways: int, special: int, bonus: int) -> None:
    """Add one dealer's ranks to the three sums of a dead multiset.

    Suits may change ``special`` of the ways.
    """
    # At worst the special ways lose their gain, at best each of them gains the bonus, too.
    if gain > 0:
        sums[GAIN, number] += ways * gain
        sums[LEAST, number] -= min(ways, special) * gain
        sums[MOST, number] += min(ways, special) * bonus
    elif gain + bonus > 0:
        sums[MOST, number] += min(ways, special) * (gain + bonus)


@kernel_helper
def reduce_ways(ways: int, left: int, held: int) -> int:
    """Return the ways after one of ``left`` cards has died.

    The dealer holds ``held`` of them.
    """
    # C(left - 1, held) / C(left, held) = (left - held) / left.
    return ways if held == 0 else ways * (left - held) // left


@kernel_helper
def add_dead_gains(
    row: int,
    gains: IntArray,
    special: int,
    bonus: int,
    left: IntArray,
    low: UnqualifiedHands,
    order: IntArray,
    after: IntArray,
    sums: IntArray,
) -> None:
    """Add one dealer's ranks to the sums of all dead multisets of ``order``.

    Each sum is computed from an earlier one.  ``after[cards]`` has the whole gain and the ways after ``cards`` cards
    have died; the caller fills the first row.
    """
    for each in range(len(order)):
        number, cards, rank = order[each, NUMBER], order[each, CARDS], order[each, LAST]
        there = left[rank] - order[each, ALIKE] + 1
        after[cards, 0] = after[cards - 1, 0] - gains[rank]
        after[cards, 1] = reduce_ways(after[cards - 1, 1], there, low.counts[row, rank]) if there > 0 else 0
        add_gain(sums, number, after[cards, 0], after[cards, 1], special, bonus)


@no_alloc_kernel
def find_forcing_hands(
    hands: FinalHands,
    pays: PathNets,
    qualifies: int,
    copies: IntArray,
    low: UnqualifiedHands,
    dead: int,
    workspace: GainWorkspace,
    may: NDArray[np.bool_],
) -> None:
    """Find the hands that may force against some dealer.

    At most ``dead`` cards are dead.
    """
    left, gains = workspace.left, workspace.gains
    for hand in range(len(hands.counts)):
        if not subtract_hand(copies, hands.counts[hand], left):
            continue
        for row in range(len(low.counts)):
            ways, gain, bonus = compute_gains(hand, row, left, hands, pays, qualifies, low, gains)
            if ways > 0 and gain + bonus + bound_dead_gain(row, left, low, gains, dead) > 0:
                may[hand] = True
                break


@no_alloc_kernel
def fill_force_sums(
    hands: FinalHands,
    pays: PathNets,
    qualifies: int,
    copies: IntArray,
    low: UnqualifiedHands,
    suits: int,
    order: IntArray,
    hand_numbers: IntArray,
    workspace: GainWorkspace,
    sums: IntArray,
    at_most: IntArray,
) -> None:
    """Fill in ``ForceSums.sums`` of the hands ``hand_numbers``.

    The sums are those without dead cards, and with the dead cards of ``order``.
    """
    left, gains, special, after = workspace.left, workspace.gains, workspace.special, workspace.after
    # ``special``: in how many ways at most the cards of a row are suited so that ranks alone do not decide.
    for each in range(len(low.in_exposed_suit)):
        special[low.in_exposed_suit[each, ROW]] += suits - 1
    for each in range(len(low.in_other_suit)):
        special[low.in_other_suit[each, ROW]] += suits - 1
    for each in range(len(low.all_suited)):
        special[low.all_suited[each, ROW]] += 1
    for at in range(len(hand_numbers)):
        subtract_hand(copies, hands.counts[hand_numbers[at]], left)
        for row in range(len(low.counts)):
            ways, gain, bonus = compute_gains(hand_numbers[at], row, left, hands, pays, qualifies, low, gains)
            best = gain + bound_dead_gain(row, left, low, gains, MAX_DEAD)
            if ways > 0 and best + bonus > 0:
                at_most[at] += ways * max(0, best) + min(ways, special[row]) * bonus
                add_gain(sums[at], 0, gain, ways, special[row], bonus)
                after[0, 0], after[0, 1] = gain, ways
                add_dead_gains(row, gains, special[row], bonus, left, low, order, after, sums[at])
