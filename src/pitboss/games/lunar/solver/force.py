"""What Force adds to the sums over ranks, and how far suits can change that (ruling LU-10).

A player forces where that nets more, over all cards that may be turned, than taking the Ante as often.  What it nets
more, the *gain*, is a sum over live cards: a dead card takes its own part away.  Ranks alone say all but where Force
leaves four cards of one suit, or where the dealer's hand is a flush already.  Their ways are few, so their part is
bounded here and counted card by card later (``four_flushes``), only for what is chosen.
"""

import numpy as np

from pitboss.cards import RANKS
from pitboss.counting.blocks import Integers
from pitboss.counting.compile import kernel, part
from pitboss.games.lunar.solver.exposed import HIDDEN, Low
from pitboss.games.lunar.solver.finals import Finals, Pays
from pitboss.games.lunar.solver.multisets import Multisets
from pitboss.games.lunar.solver.rank_sums import left_of

GAIN, LEAST, MOST = 0, 1, 2
MOST_DEAD = 5
_FAR = 1 << 40


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
    for rank in range(RANKS):
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
        for rank in range(RANKS):
            if -bound < gains[rank] < worst:
                worst = gains[rank]
        if worst == 0:
            return added
        bound = -worst
        for rank in range(RANKS):
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
    gains: Integers,
    gain: int,
    ways: int,
    special: int,
    bonus: int,
    left: Integers,
    held: Integers,
    sets: Multisets,
    most: int,
    sums: Integers,
) -> None:
    """Put one dealer's ranks into the sums of all dead multisets of two to ``most`` cards, one card after the other."""
    add = sets.add
    for first in range(RANKS):
        if left[first] < 1:
            continue
        one_gain, one_ways = gain - gains[first], fewer_ways(ways, left[first], held[first])
        left[first] -= 1
        for second in range(first, RANKS):
            if left[second] < 1 or one_ways == 0:
                continue
            two_gain, two_ways = one_gain - gains[second], fewer_ways(one_ways, left[second], held[second])
            pair = add[add[0, first], second]
            put(sums, pair, two_gain, two_ways, special, bonus)
            left[second] -= 1
            for third in range(second, RANKS):
                if left[third] < 1 or two_ways == 0:
                    continue
                gain3, ways3 = two_gain - gains[third], fewer_ways(two_ways, left[third], held[third])
                trio = add[pair, third]
                put(sums, trio, gain3, ways3, special, bonus)
                left[third] -= 1
                for fourth in range(third, RANKS):
                    if left[fourth] < 1 or ways3 == 0:
                        continue
                    gain4, ways4 = gain3 - gains[fourth], fewer_ways(ways3, left[fourth], held[fourth])
                    quad = add[trio, fourth]
                    put(sums, quad, gain4, ways4, special, bonus)
                    left[fourth] -= 1
                    for fifth in range(fourth, RANKS if most > HIDDEN and ways4 > 0 else 0):
                        if left[fifth] >= 1:
                            ways5 = fewer_ways(ways4, left[fifth], held[fifth])
                            put(sums, add[quad, fifth], gain4 - gains[fifth], ways5, special, bonus)
                    left[fourth] += 1
                left[third] += 1
            left[second] += 1
        left[first] += 1


@kernel
def may_force(hands: Finals, pays: Pays, qualifies: int, copies: Integers, low: Low, dead: int) -> Integers:
    """Return the hands that may force with some dealer and at most so many cards dead."""
    left, gains = np.zeros(RANKS, np.int64), np.zeros(RANKS, np.int64)
    found = np.zeros(len(hands.counts), np.int64)
    for hand in range(len(hands.counts)):
        if not left_of(copies, hands.counts[hand], left):
            continue
        for row in range(len(low.counts)):
            ways, gain, bonus = gains_of(hand, row, left, hands, pays, qualifies, low, gains)
            if ways > 0 and gain + bonus + dead_help(row, left, low, gains, dead) > 0:
                found[hand] = 1
                break
    return np.flatnonzero(found)


@kernel
def force_sums(
    hands: Finals,
    pays: Pays,
    qualifies: int,
    copies: Integers,
    low: Low,
    suits: int,
    sets: Multisets,
    most: int,
    some: Integers,
    sums: Integers,
    at_most: Integers,
) -> None:
    """Fill in ``Forced.sums`` of the hands ``some`` beside up to ``most`` dead cards (0, 4 or 5), and ``at_most``."""
    left, gains = np.zeros(RANKS, np.int64), np.zeros(RANKS, np.int64)
    special = np.zeros(len(low.counts), np.int64)
    for row in low.inside:
        special[row] += suits - 1
    for row in low.beside:
        special[row] += suits - 1
    for row in low.whole:
        special[row] += 1
    for at in range(len(some)):
        left_of(copies, hands.counts[some[at]], left)
        for row in range(len(low.counts)):
            ways, gain, bonus = gains_of(some[at], row, left, hands, pays, qualifies, low, gains)
            best = gain + dead_help(row, left, low, gains, MOST_DEAD)
            if ways > 0 and best + bonus > 0:
                at_most[at] += ways * max(0, best) + min(ways, special[row]) * bonus
                put(sums[at], 0, gain, ways, special[row], bonus)
                if most:
                    spread(gains, gain, ways, special[row], bonus, left, low.counts[row], sets, most, sums[at])
