"""Sample cards for the walk of a leak, given what is known of them.

A seed says what is sampled; the seeds of all that follows are mixed from it.  So the same cards come to two players
who go the same way.
"""

from typing import Any, NamedTuple

from pitboss.cards import popcount
from pitboss.engine.unknown_cards import find_free
from pitboss.engine.walk_state import DRAWN, DeckPositions, WalkInput, WalkState
from pitboss.kernels.compile import inlined_helper, kernel_helper
from pitboss.kernels.enumeration import IntArray

_DECK = 54


class LeakValuation(NamedTuple):
    """How a leak is valued.

    ``leaked`` are the groups that the leak shows, as bits; ``read`` those that a rule reads.  ``candidates[group]`` are
    the cards that a group can be by the aspect that is seen; a group of which only an aspect is known is unknown, and
    one of which none is seen has no candidates.  ``stub`` are the groups at the top of the stub.  ``samples[decision]``
    is how many ways to show cards before a decision are sampled, ``samples[-2]`` how many draws, ``samples[-1]`` how
    many ways to end after each of them; fewer are enumerated.  ``ends`` has how many ways to end are sampled at the
    moment: for actions that draw nothing unknown so many more that all are valued alike.  Of each sample only one part
    in ``thinned`` is taken.  ``saved`` and ``saved_candidates`` are for what is hidden at a decision, ``chosen`` for
    the first action without the leak; ``improved`` says whether another one is better with it.
    """

    leaked: int
    read: int
    candidates: IntArray
    stub: IntArray
    samples: IntArray
    thinned: int
    ends: IntArray
    saved: IntArray
    saved_candidates: IntArray
    chosen: IntArray
    improved: IntArray


class LeakData(NamedTuple):
    """All that the walk of a leak reads and writes."""

    tables: Any
    options: Any
    walk_input: WalkInput
    leak: LeakValuation
    places: DeckPositions
    walk: WalkState


@inlined_helper
def mix_seed(seed: int, number: int) -> int:
    """Return another seed: the lowest 62 bits of a product, mixed (as in splitmix64)."""
    mixed = (seed ^ (number + 1) * 0x1E3779B97F4A7C15) & 0x3FFFFFFFFFFFFFFF
    mixed = (mixed ^ mixed >> 30) * 0x3F58476D1CE4E5B9 & 0x3FFFFFFFFFFFFFFF
    mixed = (mixed ^ mixed >> 27) * 0x14D049BB133111EB & 0x3FFFFFFFFFFFFFFF
    return mixed ^ mixed >> 31


@kernel_helper
def _pick_cards(free: int, count: int, seed: int) -> int:
    """Pick ``count`` of the free cards at random."""
    picked, number = 0, 0
    while count:
        seed = mix_seed(seed, number)
        number += 1
        card = 1 << ((seed >> 20 & 0xFFFFFFFF) * _DECK >> 32)
        if card & free:
            free ^= card
            picked |= card
            count -= 1
    return picked


@kernel_helper
def fill_at_random(
    leak: LeakValuation, places: DeckPositions, walk: WalkState, newly: int, free: int, seed: int
) -> None:
    """Give groups of ``newly`` cards at random, given how unknown groups look.

    A group with candidates takes one of them first, so that the others are as likely as they are given it.
    """
    held_back = 0
    for group in range(len(walk.held)):
        if leak.candidates[group] and walk.held[group] == 0:
            card = _pick_cards(free & leak.candidates[group], 1, mix_seed(seed, group))
            free ^= card
            if newly >> group & 1:
                walk.held[group] = card
            held_back |= 1 << group
    for group in range(len(walk.held)):
        if newly >> group & 1 and held_back >> group & 1 == 0:
            size = places.starts[group + 1] - places.starts[group]
            walk.held[group] = _pick_cards(free, size, mix_seed(seed, group))
            free ^= walk.held[group]


@inlined_helper
def is_aspect_known(leak: LeakValuation, walk: WalkState) -> bool:
    """Tell whether of some unknown group an aspect is known."""
    known = False
    for group in range(len(walk.held)):
        known = known or (leak.candidates[group] != 0 and walk.held[group] == 0)
    return known


@inlined_helper
def count_ways(places: DeckPositions, walk: WalkState, newly: int, free: int) -> int:
    """Count the ways in which groups can have free cards, up to 2^40."""
    ways, left = 1, popcount(free)
    for group in range(len(walk.held)):
        if newly >> group & 1:
            size = places.starts[group + 1] - places.starts[group]
            ways = min(ways * places.ways[left, size], 1 << 40) if places.ways[left, size] < 1 << 22 else 1 << 40
            left -= size
    return ways


@inlined_helper
def find_used(walk: WalkState) -> int:
    """Return the cards that were drawn so far."""
    used: int = walk.dealer[0] | walk.dealer[1]
    for step in range(len(walk.path)):
        used |= walk.path[step, DRAWN]
    return used


@kernel_helper
def take_from_stub(data: LeakData, count: int, seed: int) -> int:
    """Draw cards: those known at the top of the stub first, then others at random.

    A known card is a group of its own.
    """
    leak, walk = data.leak, data.walk
    drawn, used = 0, find_used(walk)
    for group in leak.stub:
        if count and walk.held[group] & ~used:
            drawn |= walk.held[group]
            count -= 1
    if count == 0:
        return drawn
    # A group with candidates keeps one of them: the others are as likely to be drawn as they are given it.
    free = find_free(data.walk_input, walk) & ~used
    for group in range(len(walk.held)):
        if leak.candidates[group] and walk.held[group] == 0:
            free ^= _pick_cards(free & leak.candidates[group], 1, mix_seed(seed, group))
    return drawn | _pick_cards(free, count, seed)
