"""Slow, obvious evaluators of three-card, four-card and low hands, which every fast one is compared to.

They share no code with the package.  A card is a code 0..51, suit * 13 + rank with the deuce 0.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

ORDERS = {
    3: ("high-card", "pair", "flush", "straight", "three-of-a-kind", "straight-flush"),
    4: (
        *("high-card", "pair", "two-pair", "straight", "flush"),
        *("three-of-a-kind", "straight-flush", "four-of-a-kind"),
    ),
}
SHAPES = {
    (1, 1, 1): "high-card",
    (2, 1): "pair",
    (3,): "three-of-a-kind",
    (1, 1, 1, 1): "high-card",
    (2, 1, 1): "pair",
    (2, 2): "two-pair",
    (3, 1): "three-of-a-kind",
    (4,): "four-of-a-kind",
}

SmallHand = tuple[str, tuple[int, ...]]  # what it is, and its ranks 2..14 in order of significance


def small_hand(cards: Sequence[int]) -> SmallHand:
    """Return what exactly three or four cards are."""
    ranks = sorted((code % 13 + 2 for code in cards), reverse=True)
    groups = sorted(Counter(ranks).items(), key=lambda group: (group[1], group[0]), reverse=True)
    in_order = tuple(rank for rank, copies in groups for _ in range(copies))
    one_suit = len({code // 13 for code in cards}) == 1
    if ranks[0] == 14 and ranks[1:] == list(range(len(cards), 1, -1)):
        in_order = tuple(range(len(cards), 0, -1))
    straight = list(in_order) == list(range(in_order[0], in_order[0] - len(cards), -1))
    if straight:
        return ("straight-flush" if one_suit else "straight"), in_order
    return ("flush" if one_suit else SHAPES[tuple(copies for _, copies in groups)]), in_order


def order_of(hand: SmallHand) -> tuple[int, tuple[int, ...]]:
    """Return what hands of one size are compared by."""
    name, ranks = hand
    return ORDERS[len(ranks)].index(name), ranks


def best_four(cards: Sequence[int]) -> SmallHand:
    """Return the best four of the cards."""
    return max((small_hand(four) for four in combinations(cards, 4)), key=order_of)


def low_hand(cards: Sequence[int]) -> tuple[int, ...] | None:
    """Return the best low of the cards, ace to five and eight or better, its highest rank first; None for no low."""
    lows = [
        tuple(sorted((1 if code % 13 == 12 else code % 13 + 2 for code in five), reverse=True))
        for five in combinations(cards, 5)
    ]
    return min((low for low in lows if len(set(low)) == 5 and low[0] <= 8), default=None)
