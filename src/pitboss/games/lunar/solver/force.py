"""What Force adds to the sums over ranks, and how far suits can change that (ruling LU-10).

A player forces where that nets more, over all cards that may be turned, than taking the Ante as often.  What it nets
more, the *gain*, is a sum over live cards: a dead card takes its own part away.  Ranks alone say all but where Force
leaves four cards of one suit, or where the dealer's hand is a flush already.  Their ways are few, so their part is
bounded here and counted card by card later (``four_flushes``), only for what is chosen.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import RANK_COUNT
from pitboss.counting.blocks import Integers
from pitboss.counting.compile import filling_kernel, part
from pitboss.games.lunar.solver.exposed import ROW, Low
from pitboss.games.lunar.solver.finals import Finals, Pays
from pitboss.games.lunar.solver.multisets import ALIKE, CARDS, LAST, NUMBER
from pitboss.games.lunar.solver.rank_sums import left_of

GAIN, LEAST, MOST = 0, 1, 2
MOST_DEAD = 5
_FAR = 1 << 40


class Gains(NamedTuple):
    """Room to work in: cards left and gains by rank, ways that suits may change by row, and what ``spread`` needs."""

    left: Integers
    gains: Integers
    special: Integers
    after: Integers


def room_for_gains(rows: int) -> Gains:
    """Return room for so many rows of ``Low``."""
    return Gains(*(np.zeros(shape, np.int64) for shape in (RANK_COUNT, RANK_COUNT, rows, (MOST_DEAD + 1, 2))))


@part
def turned_gain(mine: int, hand: int, dealers: int, qualifies: int, pays: Pays) -> int:
    """Return what forcing nets more than taking the Ante when the card turned gives the dealer this strength."""
    if dealers < qualifies:
        return int(pays.missed[0 if mine > dealers else 1 if mine == dealers else 2]) - pays.take
    if mine > dealers:
        return int(pays.forced_win[hand]) - pays.take
    return (pays.forced_tie if mine == dealers else pays.forced_lose) - pays.take


@part
def gains_of(
    hand: int, row: int, left: Integers, hands: Finals, pays: Pays, qualifies: int, low: Low, gains: Integers
) -> tuple[int, int, int]:
    """Lay out the gain by each rank turned; return the ways of his ranks, the whole gain, and what flushes add.

    That is with nothing dead; flushes add at most what those cards add that they make better.
    """
    ways, gain, bonus = 1, 0, 0
    for rank in range(RANK_COUNT):
        held = low.counts[row, rank]
        for card in range(held):
            ways = ways * (left[rank] - card) // (card + 1)
        gains[rank] = 0
        if left[rank] > held:
            mine = hands.strengths[hand]
            gains[rank] = turned_gain(mine, hand, low.turned[row, rank], qualifies, pays)
            gain += (left[rank] - held) * gains[rank]
            if low.flush[row, rank] >= 0:
                bonus += max(0, turned_gain(mine, hand, low.flush[row, rank], qualifies, pays) - gains[rank])
    return max(0, ways), gain, bonus


@part
def dead_help(row: int, left: Integers, low: Low, gains: Integers, dead: int) -> int:
    """Return the most that so many dead cards add to the gain: those with the least gains are dead."""
    added, bound = 0, _FAR
    while dead > 0:
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


@part
def put(sums: Integers, number: int, gain: int, ways: int, special: int, bonus: int) -> None:
    """Add one dealer's ranks to the three sums of a dead multiset; ``special`` of the ways suits may change."""
    if gain > 0:
        sums[GAIN, number] += ways * gain
        sums[LEAST, number] -= min(ways, special) * gain
        sums[MOST, number] += min(ways, special) * bonus
    elif gain + bonus > 0:
        sums[MOST, number] += min(ways, special) * (gain + bonus)


@part
def fewer_ways(ways: int, left: int, held: int) -> int:
    """Return the ways when one of ``left`` cards, of which the dealer holds ``held``, has died."""
    return ways if held == 0 else ways * (left - held) // left


@part
def spread(
    row: int,
    gains: Integers,
    special: int,
    bonus: int,
    left: Integers,
    low: Low,
    order: Integers,
    after: Integers,
    sums: Integers,
) -> None:
    """Put one dealer's ranks into the sums of all dead multisets of ``order``, each made from one that came before.

    ``after[cards]`` has his whole gain and his ways when so many cards have died, of none at first.
    """
    for each in range(len(order)):
        number, cards, rank = order[each, NUMBER], order[each, CARDS], order[each, LAST]
        there = left[rank] - order[each, ALIKE] + 1
        after[cards, 0] = after[cards - 1, 0] - gains[rank]
        after[cards, 1] = fewer_ways(after[cards - 1, 1], there, low.counts[row, rank]) if there > 0 else 0
        put(sums, number, after[cards, 0], after[cards, 1], special, bonus)


@filling_kernel
def may_force(
    hands: Finals,
    pays: Pays,
    qualifies: int,
    copies: Integers,
    low: Low,
    dead: int,
    room: Gains,
    found: NDArray[np.bool_],
) -> None:
    """Tell which hands may force with some dealer and at most so many cards dead."""
    left, gains = room.left, room.gains
    for hand in range(len(hands.counts)):
        if not left_of(copies, hands.counts[hand], left):
            continue
        for row in range(len(low.counts)):
            ways, gain, bonus = gains_of(hand, row, left, hands, pays, qualifies, low, gains)
            if ways > 0 and gain + bonus + dead_help(row, left, low, gains, dead) > 0:
                found[hand] = True
                break


@filling_kernel
def force_sums(
    hands: Finals,
    pays: Pays,
    qualifies: int,
    copies: Integers,
    low: Low,
    suits: int,
    order: Integers,
    some: Integers,
    room: Gains,
    sums: Integers,
    at_most: Integers,
) -> None:
    """Fill in ``Forced.sums`` of the hands ``some`` beside no dead cards and those of ``order``, and ``at_most``."""
    left, gains, special, after = room.left, room.gains, room.special, room.after
    for each in range(len(low.inside)):
        special[low.inside[each, ROW]] += suits - 1
    for each in range(len(low.beside)):
        special[low.beside[each, ROW]] += suits - 1
    for each in range(len(low.whole)):
        special[low.whole[each, ROW]] += 1
    for at in range(len(some)):
        left_of(copies, hands.counts[some[at]], left)
        for row in range(len(low.counts)):
            ways, gain, bonus = gains_of(some[at], row, left, hands, pays, qualifies, low, gains)
            best = gain + dead_help(row, left, low, gains, MOST_DEAD)
            if ways > 0 and best + bonus > 0:
                at_most[at] += ways * max(0, best) + min(ways, special[row]) * bonus
                put(sums[at], 0, gain, ways, special[row], bonus)
                after[0, 0], after[0, 1] = gain, ways
                spread(row, gains, special[row], bonus, left, low, order, after, sums[at])
