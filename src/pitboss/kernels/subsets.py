"""Every set of so many out of some cards, one after another, for rules that count on the spot."""

from pitboss.cards import popcount
from pitboss.core.rule import rule


@rule
def first_subset(cards: int, size: int) -> int:
    """Return the lowest ``size`` of some cards, which hold that many."""
    chosen = 0
    for _ in range(size):
        lowest = cards & -cards
        chosen |= lowest
        cards ^= lowest
    return chosen


@rule
def next_subset(cards: int, chosen: int) -> int:
    """Return the set of as many of ``cards`` that follows ``chosen`` when written as integers, 0 after the last.

    >>> chosen, found = first_subset(0b11010, 2), []
    >>> while chosen:
    ...     found.append(f"{chosen:b}")
    ...     chosen = next_subset(0b11010, chosen)
    >>> found
    ['1010', '10010', '11000']

    Gosper's hack (Knuth, The Art of Computer Programming, volume 4A, section 7.1.3), with ones between the cards, over
    which the carry runs to the next of them.
    """
    kept = cards & ((chosen | ~cards) + (chosen & -chosen))
    fallen = chosen & ~kept
    fallen &= fallen - 1
    if fallen == 0:
        return kept
    return kept | first_subset(cards, popcount(fallen)) if kept else 0
