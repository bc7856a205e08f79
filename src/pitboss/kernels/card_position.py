"""Count the positions of one card in the deck, each position once."""

from collections.abc import Callable, Sequence


def count_positions(outcome: Callable[[list[int]], int], outcomes: int, deck: Sequence[int], card: int) -> list[int]:
    """Count the positions of ``card`` in ``deck`` by ``outcome(order)``.

    The outcome must not depend on the order of the other cards.

    >>> count_positions(lambda order: order.index(9) // 2, 2, [7, 8, 9], card=9)
    [2, 1]
    """
    others = [other for other in deck if other != card]
    counts = [0] * outcomes
    for place in range(len(deck)):
        counts[outcome([*others[:place], card, *others[place:]])] += 1
    return counts
