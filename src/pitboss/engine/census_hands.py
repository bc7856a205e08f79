"""List the private hands of a showdown census, rank them and sort them."""

from collections.abc import Callable
from typing import Any

from numba.cpython.unsafe.tuple import tuple_setitem
from numba.np.unsafe.ndarray import to_fixed_tuple

from pitboss.cards import popcount
from pitboss.contract import RuleFunction
from pitboss.engine.census_types import DIGITS, PASSES, Form, Hands, NumberArray, Scratch, Work
from pitboss.engine.symmetry import exchange_cards
from pitboss.kernels.compile import inlined_helper, kernel_helper
from pitboss.kernels.enumeration import IntArray
from pitboss.kernels.subsets import first_subset, next_subset

KEY_SHIFT = 32
INDEX_MASK = (1 << KEY_SHIFT) - 1
STRENGTH_BITS = 31
"""A key is the strength above 32 bits with the index of the hand; a strength of 31 bits keeps it positive."""


@inlined_helper
def count_images(cards: int, work: Work, groups: int) -> int:
    """Return how many sets the exchanges that leave some groups unchanged make.

    They are made of ``cards``.  The result is 0 if one of them is less than ``cards``.
    """
    kept, alike = work.scratch.kept, 1
    count = int(work.scratch.kept_counts[groups])
    for each in range(1, count):  # the first is the identity
        image = exchange_cards(cards, work.boards.exchanges[kept[groups, each]])
        if image < cards:
            return 0
        alike += 1 if image == cards else 0
    # Orbit and stabilizer: the group's size divided by the number of exchanges that leave the set unchanged.
    return count // alike


@kernel_helper
def list_hands(work: Work, hands: Hands, free: int, size: int, groups: int) -> int:
    """List the hands of some free cards up to the exchanges that are left.

    These are the exchanges that leave the cards of the first ``groups`` unchanged.  Return how many hands they are.
    """
    count, cards = 0, first_subset(free, size)
    while cards:
        images = count_images(cards, work, groups)
        if images:
            hands.masks[count], hands.weights[count] = cards, images
            count += 1
        cards = next_subset(free, cards)
    return count


def build_count_alike(form: Form) -> RuleFunction:
    """Build ``count_alike(work, index, known) -> alike``.

    It tells how many hands one of the player's stands for: 0 if the board, whose cards are ``known``, does not allow
    it, or if it is not the first of its class.
    """

    @inlined_helper
    def count_sorted(work: Work, index: int, known: int) -> int:
        cards = work.mine.masks[index]
        return 0 if cards & known else count_images(cards, work, work.boards.root_groups)

    @inlined_helper
    def count_listed(work: Work, index: int, _known: int) -> int:
        alike: int = work.mine.weights[index]
        return alike

    return count_sorted if form.sorted_once else count_listed


@inlined_helper
def list_places(cards: int, of_card: IntArray, places: NumberArray) -> int:
    """Write the positions in the deck of a set's cards, rising.

    Return their number.
    """
    count = 0
    while cards:
        places[count] = of_card[popcount((cards & -cards) - 1)]
        count += 1
        cards &= cards - 1
    return count


@inlined_helper
def find_row(work: Work, level: int, hand: int) -> int:
    """Return the row of a hand's sums among those of a level, or of a node after it."""
    row: int = hand if level else work.rows.classes[hand]
    return row


@inlined_helper
def find_worth(lanes: IntArray, worth: IntArray) -> int:
    """Return what lanes net, by class of strength."""
    value = 0
    for each in range(lanes.shape[0]):
        for lane in range(lanes.shape[1]):
            value += lanes[each, lane] * worth[each, lane]
    return value


@inlined_helper
def number_hand(cards: int, work: Work) -> int:
    """Return the number of a hand of the player's among all of the deck."""
    count, number = list_places(cards, work.counting.of_card, work.scratch.places), 0
    for card in range(count):
        number += work.counting.hand_steps[work.scratch.places[card], card]
    return number


@inlined_helper
def _sort_keys(keys: IntArray, count: int, all_bits: int, scratch: Scratch) -> None:
    """Sort the first keys by strength: a radix sort by digits of eight bits.

    ``all_bits`` has every bit that is set in some strength.
    """
    digits, passes = scratch.digits, 0
    while all_bits >> 8 * passes:
        for digit in range(DIGITS):
            digits[passes, digit] = 0
        passes += 1
    for place in range(count):
        strength = keys[place] >> KEY_SHIFT
        for each in range(PASSES):
            if each < passes:
                digits[each, strength >> 8 * each & 255] += 1
    source, target = keys, scratch.spare
    for each in range(passes):
        first = 0
        for digit in range(DIGITS):
            hands = digits[each, digit]
            digits[each, digit] = first
            first += hands
        shift = KEY_SHIFT + 8 * each
        for place in range(count):
            key = source[place]
            digit = key >> shift & 255
            target[digits[each, digit]] = key
            digits[each, digit] += 1
        source, target = target, source
    if passes & 1:
        for place in range(count):
            keys[place] = scratch.spare[place]


def build_fill(marked: tuple[int, ...]) -> Callable[..., Any]:
    """Build ``fill(state, cards)``: the cards in every marked field."""

    @inlined_helper
    def keep(state: Any, _cards: int) -> Any:
        return state

    fill = keep
    for field in marked:
        fill = _build_fill_next(fill, field)
    return fill


def _build_fill_next(fill: Callable[..., Any], field: int) -> Callable[..., Any]:
    @inlined_helper
    def fill_next(state: Any, cards: int) -> Any:
        return tuple_setitem(fill(state, cards), field, state[field] | cards)

    return fill_next


def build_state(state_type: Callable[..., Any], fields: int, marked: tuple[int, ...]) -> RuleFunction:
    """Build ``make_state(values, cards) -> state``.

    The state has ``fields`` values, with the cards in every marked field.
    """
    fill = build_fill(marked)

    @inlined_helper
    def make_state(values: IntArray, cards: int) -> Any:
        return state_type(*fill(to_fixed_tuple(values, fields), cards))

    return make_state


def build_rank_hands(
    rank: RuleFunction, state_type: Callable[..., Any], fields: int, marked: tuple[int, ...]
) -> RuleFunction:
    """Build ``rank_hands(work, hands, listed, known) -> count``.

    It writes the keys of the first ``listed`` hands that have no card of ``known``, in order of strength.  ``marked``
    are the fields of the state that hold the hand's cards; the others stand in ``scratch.fields``.  It returns -1 if a
    strength is negative or has more than 31 bits.
    """
    fill = build_fill(marked)

    @inlined_helper
    def rank_hands(work: Work, hands: Hands, listed: int, known: int) -> int:
        board = to_fixed_tuple(work.scratch.fields, fields)
        count, all_bits = 0, 0
        for index in range(listed):
            cards = hands.masks[index]
            if cards & known == 0:
                strength = rank(work.tables, state_type(*fill(board, cards)), work.options)
                hands.keys[count] = strength << KEY_SHIFT | index
                all_bits |= strength
                count += 1
        if all_bits >> STRENGTH_BITS:
            return -1
        _sort_keys(hands.keys, count, all_bits, work.scratch)
        return count

    return rank_hands


def build_sort_hands(rank_hands: RuleFunction, fields: int) -> RuleFunction:
    """Build ``sort_hands(work, hands, listed) -> listed``.

    It puts the masks themselves in order of strength, for all boards.  It returns -1 as ``rank_hands`` does.
    """

    @inlined_helper
    def sort_hands(work: Work, hands: Hands, listed: int) -> int:
        scratch = work.scratch
        for field in range(fields):
            scratch.fields[field] = work.boards.base[field]
        if rank_hands(work, hands, listed, 0) < 0:
            return -1
        for place in range(listed):
            scratch.spare[place] = hands.masks[hands.keys[place] & INDEX_MASK]
        for place in range(listed):
            hands.masks[place] = scratch.spare[place]
            hands.keys[place] = hands.keys[place] & ~INDEX_MASK | place
        return listed

    return sort_hands
