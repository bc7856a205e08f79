"""List the private hands of a showdown census, rank them and sort them."""

from collections.abc import Callable
from typing import Any

from numba.cpython.unsafe.tuple import tuple_setitem
from numba.np.unsafe.ndarray import to_fixed_tuple

from pitboss.cards import popcount
from pitboss.contract import RuleFunction
from pitboss.engine.census_types import (
    DIGITS,
    PASSES,
    CensusArrays,
    CensusWorkspace,
    KernelShape,
    NumberArray,
    PrivateHands,
)
from pitboss.engine.symmetry import exchange_cards
from pitboss.kernels.compile import inlined_helper, kernel_helper
from pitboss.kernels.enumeration import IntArray
from pitboss.kernels.subsets import first_subset, next_subset

KEY_SHIFT = 32
INDEX_MASK = (1 << KEY_SHIFT) - 1
STRENGTH_BITS = 31
"""A key is the strength above 32 bits with the index of the hand; a strength of 31 bits keeps it positive."""


@inlined_helper
def count_images(cards: int, work: CensusArrays, groups: int) -> int:
    """Return how many sets the exchanges that leave some groups unchanged make.

    They are made of ``cards``.  The result is 0 if one of them is less than ``cards``.
    """
    kept, alike = work.workspace.kept, 1
    count = int(work.workspace.kept_counts[groups])
    for each in range(1, count):  # the first is the identity
        image = exchange_cards(cards, work.boards.exchanges[kept[groups, each]])
        if image < cards:
            return 0
        alike += 1 if image == cards else 0
    # Orbit and stabilizer: the group's size divided by the number of exchanges that leave the set unchanged.
    return count // alike


@kernel_helper
def list_hands(work: CensusArrays, hands: PrivateHands, free: int, size: int, groups: int) -> int:
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


def build_count_alike(form: KernelShape) -> RuleFunction:
    """Build the function that counts the hands one of the player's stands for.

    ``count_alike(work, index, known) -> alike``: 0 if the board, whose cards are ``known``, does not allow
    it, or if it is not the first of its class.
    """

    @inlined_helper
    def count_sorted(work: CensusArrays, index: int, known: int) -> int:
        cards = work.mine.masks[index]
        return 0 if cards & known else count_images(cards, work, work.boards.root_groups)

    @inlined_helper
    def count_listed(work: CensusArrays, index: int, _known: int) -> int:
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
def find_row(work: CensusArrays, level: int, hand: int) -> int:
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
def number_hand(cards: int, work: CensusArrays) -> int:
    """Return the number of a hand of the player's among all of the deck."""
    count, number = list_places(cards, work.counting.of_card, work.workspace.places), 0
    for card in range(count):
        number += work.counting.hand_steps[work.workspace.places[card], card]
    return number


@inlined_helper
def _sort_keys(keys: IntArray, count: int, all_bits: int, workspace: CensusWorkspace) -> None:
    """Sort the first keys by strength: a radix sort by digits of eight bits.

    ``all_bits`` has every bit that is set in some strength.
    """
    digits, passes = workspace.digits, 0
    while all_bits >> 8 * passes:
        for digit in range(DIGITS):
            digits[passes, digit] = 0
        passes += 1
    for place in range(count):
        strength = keys[place] >> KEY_SHIFT
        for each in range(PASSES):
            if each < passes:
                digits[each, strength >> 8 * each & 255] += 1
    source, target = keys, workspace.spare
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
            keys[place] = workspace.spare[place]


def build_put_hand(marked: tuple[int, ...]) -> Callable[..., Any]:
    """Build the function that puts a hand's cards into a state's fields.

    ``put_hand(state, cards) -> state``; the fields are those ``marked``, by index.
    """

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


def build_make_state(state_type: Callable[..., Any], fields: int, marked: tuple[int, ...]) -> RuleFunction:
    """Build the function that makes a state of values and a hand's cards.

    ``make_state(values, cards) -> state``: it has ``fields`` values, with the cards in every marked field.
    """
    fill = build_put_hand(marked)

    @inlined_helper
    def make_state(values: IntArray, cards: int) -> Any:
        return state_type(*fill(to_fixed_tuple(values, fields), cards))

    return make_state


def build_rank_hands(
    rank: RuleFunction, state_type: Callable[..., Any], fields: int, marked: tuple[int, ...]
) -> RuleFunction:
    """Build the function that sorts the hands a board allows by strength.

    ``rank_hands(work, hands, listed, known) -> count`` writes the keys of the first ``listed`` hands that have no card
    of ``known``, in order of strength.  ``marked`` are the fields of the state that hold the hand's cards; the others
    stand in ``workspace.fields``.  It returns -1 if a strength is negative or has more than 31 bits.
    """
    fill = build_put_hand(marked)

    @inlined_helper
    def rank_hands(work: CensusArrays, hands: PrivateHands, listed: int, known: int) -> int:
        board = to_fixed_tuple(work.workspace.fields, fields)
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
        _sort_keys(hands.keys, count, all_bits, work.workspace)
        return count

    return rank_hands


def build_sort_hands(rank_hands: RuleFunction, fields: int) -> RuleFunction:
    """Build the function that sorts hands by strength once for all boards.

    ``sort_hands(work, hands, listed) -> listed`` puts the masks themselves in order of strength, for all boards.  It
    returns -1 as ``rank_hands`` does.
    """

    @inlined_helper
    def sort_hands(work: CensusArrays, hands: PrivateHands, listed: int) -> int:
        workspace = work.workspace
        for field in range(fields):
            workspace.fields[field] = work.boards.base[field]
        if rank_hands(work, hands, listed, 0) < 0:
            return -1
        for place in range(listed):
            workspace.spare[place] = hands.masks[hands.keys[place] & INDEX_MASK]
        for place in range(listed):
            hands.masks[place] = workspace.spare[place]
            hands.keys[place] = hands.keys[place] & ~INDEX_MASK | place
        return listed

    return sort_hands
