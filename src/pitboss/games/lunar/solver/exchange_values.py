"""Sum the better of fold and play over all draws, for cards kept and given up.

The suits of the cards matter only through those of the exposed card's suit (``suit_sums``), except for the player's
flushes: a draw that makes one counts here as its ranks without a flush, and is corrected later, hand by hand
(``decide``).  So an exchange is described by the ranks kept, the ranks given up, and which of the five cards are of
that suit: the *pattern*, a bit for each different rank of the five from the lowest.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import RANK_COUNT, bit
from pitboss.games.lunar.solver.final_hands import NO_ODD_RANK, FinalHands
from pitboss.games.lunar.solver.force_gains import LEAST, MOST
from pitboss.games.lunar.solver.rank_sums import subtract_hand
from pitboss.kernels.compile import kernel_helper, no_alloc_kernel
from pitboss.kernels.enumeration import IntArray

PATTERNS = 32
LOWER, UPPER = 0, 1
NEVER = -(1 << 62)


class FinalValues(NamedTuple):
    """What final hands are worth more played than folded, after one draw.

    Values are in units, over all dealers and all cards turned.

    ``by_rank`` (dead multisets, hands) depends on ranks alone; ``changes[classes[hand], known]`` is added for the known
    cards of the exposed suit, between ``least`` and ``most`` of the class.  For hands that may force (``force_rows``)
    suits can change it by ``force_sums`` (rows, 3, dead multisets) from ``force_start`` on; that is -1 if
    ``by_rank`` lacks what Force adds.
    """

    by_rank: IntArray
    changes: IntArray
    classes: IntArray
    least: IntArray
    most: IntArray
    force_rows: IntArray
    force_sums: IntArray
    force_start: int


class ExchangeTable(NamedTuple):
    """All exchanges of ``cards`` cards, by numbers of multisets.

    ``dead`` are given up, and ``kept`` is the rest of the five.

    ``five[kept, dead]`` is the first five and ``final[kept, drawn]`` the final hand, -1 if the deck has too few cards
    of a rank.  ``counts`` are the ranks of all fives, ``kept`` and ``drawn`` those of what is kept and drawn (or dead).
    """

    cards: int
    five: IntArray
    final: IntArray
    counts: IntArray
    kept: IntArray
    drawn: IntArray


class FlushDraws(NamedTuple):
    """For any ranks kept, the sets of five ranks that contain them.

    The sets from ``first[kept]`` to before ``after[kept]`` contain the ranks ``kept``.
    """

    fives: IntArray
    first: IntArray
    after: IntArray


class DrawWorkspace(NamedTuple):
    """Scratch arrays for the draws of one first five.

    They are the ranks of the first five and of each pattern, the draws of some ranks, and the cards left by rank.
    """

    ranks: IntArray
    known: IntArray
    masks: IntArray
    ways: IntArray
    left: IntArray


def make_draw_workspace() -> DrawWorkspace:
    """Return scratch arrays for draws with one first five."""
    return DrawWorkspace(*(np.zeros(length, np.int64) for length in (8, PATTERNS, PATTERNS, PATTERNS, RANK_COUNT)))


@kernel_helper
def count_combinations(cards: int, taken: int) -> int:
    """Return the number of ways to take ``taken`` of some cards."""
    if taken < 0 or taken > cards:
        return 0
    ways = 1
    for card in range(taken):
        ways = ways * (cards - card) // (card + 1)
    return ways


@kernel_helper
def count_ways(left: IntArray, counts: IntArray) -> int:
    """Return the number of ways to draw cards of these ranks."""
    ways = 1
    for rank in range(RANK_COUNT):
        if counts[rank]:
            ways *= count_combinations(left[rank], counts[rank])
    return ways


@kernel_helper
def write_patterns(counts: IntArray, ranks: IntArray, masks: IntArray) -> int:
    """Write a first five's different ranks, and the ranks of each pattern of them.

    Return the number of different ranks.
    """
    different = 0
    for rank in range(RANK_COUNT):
        if counts[rank] > 0:
            ranks[different] = rank
            different += 1
    for pattern in range(1 << different):
        masks[pattern] = 0
        for place in range(different):
            masks[pattern] |= (pattern >> place & 1) << ranks[place]
    return different


@kernel_helper
def is_possible(mask: int, counts: IntArray, copies: IntArray, exposed: int) -> bool:
    """Tell whether ``mask`` can be a first five's cards in the exposed suit."""
    for rank in range(RANK_COUNT):
        if counts[rank] > 0:
            held = mask >> rank & 1
            # The exposed card itself is the dealer's.  If all cards of a rank are held, the one of this suit is among
            # them.
            if rank == exposed:
                if held:
                    return False
            elif not held and counts[rank] == copies[rank]:
                return False
    return True


@kernel_helper
def list_suit_draws(drawn: IntArray, left: IntArray, missing: int, known: int, masks: IntArray, ways: IntArray) -> int:
    """List which cards of one suit a draw of some ranks may bring.

    Each entry has its number of ways; return the number of entries.  Of that suit the cards ``known`` and the one of
    rank ``missing`` (-1: none) cannot come.
    """
    length = 1
    masks[0], ways[0] = 0, 1
    for rank in range(RANK_COUNT):
        cards = drawn[rank]
        if cards == 0:
            continue
        if known >> rank & 1 or rank == missing:
            for each in range(length):
                ways[each] *= count_combinations(left[rank], cards)
        else:
            # The rank's card of the suit is drawn or not: every entry splits into two.
            without, having = count_combinations(left[rank] - 1, cards), count_combinations(left[rank] - 1, cards - 1)
            for each in range(length):
                masks[length + each] = masks[each] | 1 << rank
                ways[length + each] = ways[each] * having
                ways[each] *= without
            length *= 2
    return length


@kernel_helper
def get_force_bound(values: FinalValues, hand: int, dead: int, which: int) -> int:
    """Return by how much suits can change what Force adds.

    ``which`` is ``LEAST`` for a reduction or ``MOST`` for an increase.
    """
    row = values.force_rows[hand]
    return 0 if row < 0 or values.force_start < 0 else values.force_sums[row, which, values.force_start + dead]


@no_alloc_kernel
def sum_exchange_values(
    exchange: ExchangeTable,
    values: FinalValues,
    copies: IntArray,
    exposed: int,
    wanted: NDArray[np.bool_],
    workspace: DrawWorkspace,
    sums: IntArray,
    bounds: IntArray,
) -> None:
    """Sum ``sums[dead, kept, pattern]`` for the exchanges ``wanted``.

    What suits may change in Force is bounded in ``bounds``.
    """
    ranks, known, masks, ways, left = workspace.ranks, workspace.known, workspace.masks, workspace.ways, workspace.left
    for dead in range(len(exchange.drawn)):
        for kept in range(len(exchange.kept)):
            if not wanted[dead, kept]:
                continue
            five = exchange.counts[exchange.five[kept, dead]]
            subtract_hand(copies, five, left)
            different = write_patterns(five, ranks, known)
            for drawn in range(len(exchange.drawn)):
                hand = exchange.final[kept, drawn]
                if hand < 0:
                    continue
                worth, row = values.by_rank[dead, hand], values.classes[hand]
                # No suits make this hand worth playing, so it folds in every draw and adds nothing.
                if worth + values.most[row] <= 0:
                    continue
                times = count_ways(left, exchange.drawn[drawn])
                bounds[dead, kept, LOWER] += times * get_force_bound(values, hand, dead, LEAST)
                bounds[dead, kept, UPPER] += times * get_force_bound(values, hand, dead, MOST)
                for pattern in range(1 << different):
                    if not is_possible(known[pattern], five, copies, exposed):
                        continue
                    length = list_suit_draws(exchange.drawn[drawn], left, exposed, known[pattern], masks, ways)
                    total = 0
                    for each in range(length):
                        change = values.changes[row, np.uint64(known[pattern] | masks[each])]
                        total += ways[each] * max(0, worth + change)
                    sums[dead, kept, pattern] += total


@no_alloc_kernel
def bound_exchange_values(
    exchange: ExchangeTable,
    values: FinalValues,
    hands: FinalHands,
    flushes: FlushDraws,
    suits: int,
    copies: IntArray,
    at_most: IntArray,
    left: IntArray,
    bounds: IntArray,
) -> None:
    """Bound every exchange from both sides, whatever its suits.

    The bounds are ``bounds[dead, kept, :]``.  ``at_most`` (rows,) is added to the upper bound of hands that may force;
    ``left`` (13,) is a scratch array.
    """
    for dead in range(len(exchange.drawn)):
        for kept in range(len(exchange.kept)):
            five = exchange.five[kept, dead]
            bounds[dead, kept] = NEVER
            if five < 0 or not subtract_hand(copies, exchange.counts[five], left):
                continue
            low, high = 0, 0
            for drawn in range(len(exchange.drawn)):
                hand = exchange.final[kept, drawn]
                if hand >= 0:
                    above = _bound_above(values, at_most, dead, hand)
                    if above > 0:
                        times = count_ways(left, exchange.drawn[drawn])
                        high += times * above
                        low += times * _bound_below(values, dead, hand)
            ranks, alike, cards = 0, 0, 0
            for rank in range(RANK_COUNT):
                cards += exchange.kept[kept, rank]
                alike = max(alike, exchange.kept[kept, rank])
                ranks |= min(1, exchange.kept[kept, rank]) << rank
            # A draw can make a flush only if the kept ranks all differ: then the flush replaces the plain hand.
            # Without kept cards this can happen in every suit.
            if alike <= 1:
                for each in range(flushes.first[ranks], flushes.after[ranks]):
                    of_suit = flushes.fives[each]
                    if _has_live_ranks(of_suit & ~ranks, left):
                        plain, flush = hands.plain_numbers[of_suit], hands.flush_numbers[of_suit, NO_ODD_RANK]
                        more = _bound_above(values, at_most, dead, flush) - _bound_below(values, dead, plain)
                        less = _bound_below(values, dead, flush) - _bound_above(values, at_most, dead, plain)
                        high += (suits if cards == 0 else 1) * max(0, more)
                        low += (suits if cards == 0 else 1) * min(0, less)
            bounds[dead, kept, LOWER], bounds[dead, kept, UPPER] = low, high


@kernel_helper
def _bound_above(values: FinalValues, at_most: IntArray, dead: int, hand: int) -> int:
    """Return an upper bound of the better of fold and play of a hand."""
    row = values.force_rows[hand]
    forced = at_most[row] if row >= 0 else 0
    return max(0, int(values.by_rank[dead, hand] + values.most[values.classes[hand]] + forced))


@kernel_helper
def _bound_below(values: FinalValues, dead: int, hand: int) -> int:
    """Return a lower bound of the better of fold and play of a hand."""
    least = values.least[values.classes[hand]] + get_force_bound(values, hand, dead, LEAST)
    return max(0, int(values.by_rank[dead, hand] + least))


@kernel_helper
def _has_live_ranks(ranks: int, left: IntArray) -> bool:
    dead = 0
    for rank in range(RANK_COUNT):
        dead |= (1 if left[rank] < 1 else 0) << rank
    return ranks & dead == 0


def list_flush_draws(hands: FinalHands) -> FlushDraws:
    """List the sets of five ranks that contain each set of up to three ranks."""
    whole = np.flatnonzero(hands.plain_numbers >= 0).tolist()
    first, after = np.zeros(bit(RANK_COUNT), np.int64), np.zeros(bit(RANK_COUNT), np.int64)
    fives: list[int] = []
    for kept in range(bit(RANK_COUNT)):
        if kept.bit_count() <= 3:
            first[kept] = len(fives)
            fives.extend(five for five in whole if five & kept == kept)
            after[kept] = len(fives)
    return FlushDraws(np.array(fives, np.int64), first, after)
