"""Exchange suits and Jokers, and compare positions and choices up to them.

A position is what the seat knows: what it sees, what it gave up and drew, and the cards of each group.  An exchange has
five columns: the suits that the four become, as in ``permute_suits``, and whether the two Jokers change places.
"""

from typing import Any

import numpy as np

from pitboss.cards import FIRST_JOKER, NATURALS_MASK, RANK_COUNT, popcount
from pitboss.core.rule import rule
from pitboss.engine.walk_state import DRAWN, GIVEN, WalkInput, WalkState
from pitboss.kernels.compile import inlined_helper
from pitboss.kernels.enumeration import IntArray
from pitboss.kernels.suit_symmetry import list_suit_orders, permute_suits

_JOKERS = 3 << FIRST_JOKER


def list_exchanges(cards: int, *, keeps_colours: bool) -> IntArray:
    """Return the exchanges that leave a deck unchanged.

    With ``keeps_colours``, red stays red or becomes black as a whole.

    >>> len(list_exchanges((1 << 54) - 1, keeps_colours=False)), len(list_exchanges((1 << 52) - 1, keeps_colours=True))
    (48, 8)
    """
    orders = list_suit_orders(cards & NATURALS_MASK)
    if keeps_colours:
        orders = np.array([order for order in orders if {int(order[0]), int(order[3])} in ({0, 3}, {1, 2})], np.int64)
    swaps = [0, 1] if cards & _JOKERS == _JOKERS else [0]
    return np.array([(*order, swap) for swap in swaps for order in orders.tolist()], np.int64)


@rule
def exchange_cards(cards: Any, exchange: Any) -> Any:
    """Return the set that an exchange makes of a set.

    >>> exchange_cards(0b1 | 1 << 52, (1, 0, 2, 3, 1)) == 0b1 << 13 | 1 << 53
    True
    """
    jokers = cards & _JOKERS
    if exchange[4]:
        jokers = (jokers << 1 | jokers >> 1) & _JOKERS
    return permute_suits(cards & NATURALS_MASK, exchange) | jokers


@inlined_helper
def write_known(walk: WalkState, view: Any, steps: int) -> int:
    """Write what is known after the first steps of the path, as sets of cards.

    Return how many sets they are.
    """
    count = 0
    for cards in view:
        walk.known[count] = cards
        count += 1
    for step in range(steps):
        walk.known[count], walk.known[count + 1] = walk.path[step, GIVEN], walk.path[step, DRAWN]
        count += 2
    for group in range(len(walk.held)):
        walk.known[count] = walk.held[group]
        count += 1
    return count


@inlined_helper
def count_symmetries(walk_input: WalkInput, walk: WalkState, count: int, cards: int) -> int:
    """Count the exchanges that leave known sets and some cards unchanged.

    The sets are the first ``count`` that are known.

    A position stands for as many deals as its root; the size of its orbit is the number of exchanges divided by this
    number, so deals times this number is the number of orbits times that of exchanges.
    """
    found = 0
    for exchange in walk_input.exchanges:
        alike = exchange_cards(cards, exchange) == cards
        for each in range(count):
            alike = alike and exchange_cards(walk.known[each], exchange) == walk.known[each]
        found += 1 if alike else 0
    return found


@inlined_helper
def compare_discards(walk_input: WalkInput, walk: WalkState, count: int, one: int, other: int) -> int:
    """Compare two choices of cards: negative if the first is booked first.

    Return 0 if an exchange makes one of the other.

    The lowest cards are booked first, Jokers last (ALL-9).  Cards of the same ranks are compared after the exchange
    that makes the known sets least: so positions that are alike are played alike.
    """
    by_rank = _compare_ranks(one, other)
    if by_rank:
        return by_rank
    least, least_one, least_other = -1, 0, 0
    for each in range(len(walk_input.exchanges)):
        order = -1 if least < 0 else _compare_known(walk_input, walk, count, each, least)
        if order > 0:
            continue
        image_one, image_other = (
            exchange_cards(one, walk_input.exchanges[each]),
            exchange_cards(other, walk_input.exchanges[each]),
        )
        if order < 0:
            least, least_one, least_other = each, image_one, image_other
        least_one, least_other = min(least_one, image_one), min(least_other, image_other)
    return least_one - least_other


@inlined_helper
def _compare_ranks(one: int, other: int) -> int:
    """Compare two sets of one size from the lowest rank up.

    The one with more cards of a rank comes first.
    """
    for rank in range(RANK_COUNT):
        more = _count_rank(other, rank) - _count_rank(one, rank)
        if more:
            return more
    return 0


@inlined_helper
def _count_rank(cards: int, rank: int) -> int:
    each_suit = (1 | 1 << RANK_COUNT | 1 << 2 * RANK_COUNT | 1 << 3 * RANK_COUNT) << rank
    return popcount(cards & each_suit)


@inlined_helper
def _compare_known(walk_input: WalkInput, walk: WalkState, count: int, one: int, other: int) -> int:
    """Compare the known sets after one exchange and after another."""
    for each in range(count):
        image_one = exchange_cards(walk.known[each], walk_input.exchanges[one])
        image_other = exchange_cards(walk.known[each], walk_input.exchanges[other])
        if image_one != image_other:
            return -1 if image_one < image_other else 1
    return 0
