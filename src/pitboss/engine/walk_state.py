"""What a walk over the ways of a round reads and changes, and its counters."""

from typing import Any, NamedTuple

from pitboss.core.rule import rule
from pitboss.kernels.compile import inlined_helper
from pitboss.kernels.enumeration import IntArray

TAKEN, GIVEN, DRAWN = 0, 1, 2
"""The columns of a path: the action taken, the cards given up, the cards drawn after it."""

NOTHING = -1
"""The action taken at a decision that is not asked."""

CATEGORY_SHIFT, CATEGORIES = 20, 64
"""A strength's category is above its lowest bits; mistakes are told apart by it."""

NO_ACTION, ODD_DRAWS, UNSETTLED_WAGER, ILLEGAL_CHOICE, ODD_VIEW, HIDDEN_DRAW, EARLY_DRAW, ODD_OUTCOME = (
    1 << fault for fault in range(8)
)
"""The faults of a walk.

A decision has no legal action; draws do not divide the scale, or are more than there are cards; a wager is never
settled; a strategy takes an action that is not legal; which cards are seen depends on cards seen at the same time; a
card drawn is not seen at the next decision; the dealer draws before a decision that sees his hand; a wager is settled
with an outcome that it does not have.
"""


class DeckPositions(NamedTuple):
    """The positions in the deck of each group of places.

    Group g has ``places[starts[g] : starts[g + 1]]``; ``ways`` is C(n, k).
    """

    starts: IntArray
    places: IntArray
    ways: IntArray


class WalkInput(NamedTuple):
    """What a walk reads and does not change: deck, nets, actions, exchanges.

    ``cards`` is the deck as a set, ``spare`` how many cards a seat can draw, ``wagered`` the wagers as bits.
    ``nets[wager, outcome]`` are nets, ``sizes`` the numbers of outcomes by wager; the nets of the wagers ``staked``
    make the value, and the outcomes of the wagers ``counted`` are counted. ``order[decision]`` lists the actions in
    the order in which equal ones are booked, -1 after the last; ``discards[decision, action]`` is how many cards an
    action gives up. ``exchanges`` are those of suits and Jokers that leave the deck and the wagers unchanged,
    ``numbers`` those of the strategy followed.
    """

    cards: int
    spare: int
    wagered: int
    nets: IntArray
    sizes: IntArray
    staked: IntArray
    counted: IntArray
    order: IntArray
    discards: IntArray
    exchanges: IntArray
    numbers: Any


class WalkState(NamedTuple):
    """What changes during a walk: the cards given out and the actions taken.

    ``deck`` has the card at each place, ``held`` each group's set of cards (0 until it is known), ``path`` the path
    play by decision, ``dealer`` the cards that the dealer draws before he shows his hand and after.  ``root`` is the
    number of deals that the root stands for, times that of discards that an exchange turns into those of the path.
    ``known`` is for the sets of cards of one position (``symmetry``).
    """

    deck: IntArray
    held: IntArray
    path: IntArray
    dealer: IntArray
    root: IntArray
    known: IntArray


class WalkCounters(NamedTuple):
    """What a walk counts, and the first fault that it finds.

    ``outcomes[wager, outcome]`` has the deals and the sum of main's nets in them, ``paths`` the deals of each path of
    actions.  ``equal[decision]`` counts positions with equal best actions: each adds the number of exchanges.
    ``mistakes[decision, taken, best, category of the hand]`` has the deals in which a strategy errs, and their cost.
    ``fault`` has the first fault found, and its decision or wager.
    """

    outcomes: IntArray
    paths: IntArray
    equal: IntArray
    mistakes: IntArray
    deals: IntArray
    fault: IntArray


class WalkData(NamedTuple):
    """All that a walk reads and writes."""

    tables: Any
    options: Any
    walk_input: WalkInput
    places: DeckPositions
    walk: WalkState
    tally: WalkCounters


@rule
def find_category(strength: int) -> int:
    """Return the category of a strength, by which mistakes differ; 0 for no hand."""
    category = max(strength, 0) >> CATEGORY_SHIFT
    return category if category < CATEGORIES else 0


@inlined_helper
def note_fault(tally: WalkCounters, fault: int, place: int) -> None:
    """Note the first fault, and the decision or wager where it is."""
    if tally.fault[0] == 0:
        tally.fault[0] = fault
        tally.fault[1] = place
