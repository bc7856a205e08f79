"""Enumerate the cards that are not known yet, group by group.

Groups are sets of bits here.  A group that is not known yet is held by placeholders, which no rule may read.
"""

from typing import Any

from pitboss.cards import popcount
from pitboss.engine.walk_state import (
    DRAWN,
    GIVEN,
    ODD_DRAWS,
    DeckPositions,
    WalkCounters,
    WalkInput,
    WalkState,
    note_fault,
)
from pitboss.kernels.compile import inlined_helper
from pitboss.kernels.enumeration import IntArray
from pitboss.kernels.subsets import first_subset, next_subset


@inlined_helper
def put_cards(deck: IntArray, places: DeckPositions, group: int, cards: int) -> None:
    """Put a set of cards at the places of a group."""
    for index in range(places.starts[group], places.starts[group + 1]):
        deck[places.places[index]] = popcount((cards & -cards) - 1)
        cards &= cards - 1


@inlined_helper
def find_free(walk_input: WalkInput, walk: WalkState) -> int:
    """Return the cards that are neither known nor drawn."""
    free = walk_input.cards
    for group in range(len(walk.held)):
        free &= ~walk.held[group]
    for step in range(len(walk.path)):
        free &= ~walk.path[step, DRAWN]
    return free


@inlined_helper
def write_deck(walk_input: WalkInput, places: DeckPositions, walk: WalkState) -> None:
    """Put known cards in their places, and free cards in the other places."""
    free = find_free(walk_input, walk)
    for group in range(len(walk.held)):
        cards = walk.held[group]
        if cards == 0:
            cards = first_subset(free, places.starts[group + 1] - places.starts[group])
            free ^= cards
        put_cards(walk.deck, places, group, cards)


@inlined_helper
def fill_first(places: DeckPositions, walk: WalkState, newly: int, free: int, start: int) -> None:
    """Give each group of ``newly`` from ``start`` on the lowest free cards."""
    for group in range(start, len(walk.held)):
        if newly >> group & 1:
            walk.held[group] = first_subset(free, places.starts[group + 1] - places.starts[group])
            free ^= walk.held[group]


@inlined_helper
def fill_next(places: DeckPositions, walk: WalkState, newly: int, free: int) -> bool:
    """Step to the next cards of the groups of ``newly``, the last one fastest.

    Return False after the last cards.

    ``free`` are the cards that these groups can have.
    """
    for back in range(len(walk.held)):
        group = len(walk.held) - 1 - back
        if newly >> group & 1:
            left = free
            for before in range(group):
                if newly >> before & 1:
                    left ^= walk.held[before]
            cards = next_subset(left, walk.held[group])
            if cards:
                walk.held[group] = cards
                fill_first(places, walk, newly, left ^ cards, group + 1)
                return True
    return False


@inlined_helper
def forget(walk: WalkState, newly: int) -> None:
    """Make the groups of ``newly`` unknown again."""
    for group in range(len(walk.held)):
        if newly >> group & 1:
            walk.held[group] = 0


@inlined_helper
def divide_scale(
    places: DeckPositions, walk: WalkState, tally: WalkCounters, newly: int, free: int, scale: int, decision: int
) -> int:
    """Divide the scale by the ways in which groups can have ``free`` cards.

    The groups are those of ``newly``, seen before the decision ``decision``.
    """
    ways = 1
    for group in range(len(walk.held)):
        if newly >> group & 1:
            size = places.starts[group + 1] - places.starts[group]
            ways *= places.ways[free, size]
            free -= size
    return share_scale(tally, scale, ways, decision)


@inlined_helper
def share_scale(tally: WalkCounters, scale: int, ways: int, decision: int) -> int:
    """Divide the scale by some ways; note a fault where that is not whole."""
    if ways < 1 or scale % ways:
        note_fault(tally, ODD_DRAWS, decision)
        return 1
    return scale // ways


@inlined_helper
def limit_draw(tally: WalkCounters, count: int, free: int, decision: int) -> int:
    """Return how many cards are drawn.

    Note a fault if there are not ``count`` free cards, and draw none.
    """
    if 0 <= count <= popcount(free):
        return count
    note_fault(tally, ODD_DRAWS, decision)
    return 0


@inlined_helper
def find_seen(view: Any) -> int:
    """Return all cards of a view."""
    seen = 0
    for cards in view:
        seen |= cards
    return seen


@inlined_helper
def find_newly_seen(places: DeckPositions, walk: WalkState, seen: int) -> int:
    """Return the unknown groups whose cards are seen."""
    newly = 0
    for group in range(len(walk.held)):
        if walk.held[group] == 0 and seen >> walk.deck[places.places[places.starts[group]]] & 1:
            newly |= 1 << group
    return newly


@inlined_helper
def is_seen(walk: WalkState, newly: int, seen: int) -> bool:
    """Tell whether all cards of the groups of ``newly`` are seen."""
    hidden = 0
    for group in range(len(walk.held)):
        if newly >> group & 1:
            hidden |= walk.held[group] & ~seen
    return hidden == 0


@inlined_helper
def is_draw_seen(walk: WalkState, steps: int, seen: int) -> bool:
    """Tell whether the seat sees what it drew in the first steps of the path."""
    drawn = 0
    for step in range(steps):
        seen |= walk.path[step, GIVEN]
        drawn |= walk.path[step, DRAWN]
    return drawn & ~seen == 0


@inlined_helper
def find_unknown(walk: WalkState) -> int:
    """Return the unknown groups."""
    unknown = 0
    for group in range(len(walk.held)):
        if walk.held[group] == 0:
            unknown |= 1 << group
    return unknown


@inlined_helper
def count_spare(walk_input: WalkInput, walk: WalkState, steps: int) -> int:
    """Count the cards that a seat can still draw after the first steps of the path."""
    spare = walk_input.spare
    for step in range(steps):
        spare -= popcount(walk.path[step, DRAWN])
    return spare
