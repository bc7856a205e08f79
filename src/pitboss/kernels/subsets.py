"""Subsets of a given size of some cards, for rules that count on the spot."""

from pitboss.cards import popcount
from pitboss.core.rule import rule


@rule
def first_subset(cards: int, size: int) -> int:
    """Return the lowest ``size`` of some cards; there must be that many."""
    chosen = 0
    for _ in range(size):
        lowest = cards & -cards
        chosen |= lowest
        cards ^= lowest
    return chosen


@rule
def next_subset(cards: int, chosen: int) -> int:
    """Return the next subset of ``cards`` of the same size, 0 after the last.

    The subsets are in integer order.

    >>> chosen, found = first_subset(0b11010, 2), []
    >>> while chosen:
    ...     found.append(f"{chosen:b}")
    ...     chosen = next_subset(0b11010, chosen)
    >>> found
    ['1010', '10010', '11000']

    This is Gosper's hack (Knuth, The Art of Computer Programming, volume 4A, section 7.1.3).  The gaps between the
    cards are filled with ones, so that a carry runs across them to the next card.
    """
    # Adding the lowest chosen card carries through the chosen cards directly above it and through the gaps, which are
    # ones, and sets the next free card.  Chosen cards above the carry stay as they are.
    upper = cards & ((chosen | ~cards) + (chosen & -chosen))
    # The carry cleared ``cleared``: one of these cards moved up to the new bit, the rest restart at the lowest places.
    cleared = chosen & ~upper
    cleared &= cleared - 1
    if cleared == 0:
        return upper
    return upper | first_subset(cards, popcount(cleared)) if upper else 0
