"""The first decision: bound the worth of each action, and find the best.

This is done with every first five.  First fives are taken up to exchanges of the three suits other than the exposed
card's.  The player's flushes are corrected here: a draw that makes one was counted as its ranks without a flush
(``exchange_values``).  The bounds are equal except for what suits change in Force; if bounds cannot separate two
actions, all that may be best are listed for an exact count.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import RANK_COUNT, SUIT_COUNT, get_suit_ranks, popcount
from pitboss.games.lunar.solver.exchange_values import LOWER, UPPER, FinalValues, FlushDraws, get_force_bound
from pitboss.games.lunar.solver.final_hands import NO_ODD_RANK, FinalHands
from pitboss.games.lunar.solver.force_gains import LEAST, MOST
from pitboss.games.lunar.solver.multisets import LunarMultisets
from pitboss.kernels.compile import kernel_helper, no_alloc_kernel
from pitboss.kernels.enumeration import IntArray

FOLD, PLAY, BUY = -1, 0, 1
"""Actions: a fold, else the number of cards drawn."""

FIRST_FIVE, GIVEN_UP, ACTION, WEIGHT = 0, 1, 2, 3
FIELDS = 4
"""The fields of a choice: the first five and the cards given up as masks, the action, the number of first fives."""

MAX_CHOICES = 34
CHOSEN, LISTED, TIED = 0, 1, 2


class ExchangeValues(NamedTuple):
    """The values and sums of one exchange (see ``exchange_values``).

    They are the final hands' values, the sums over draws and their bounds, and which exchanges are wanted.
    """

    values: FinalValues
    sums: IntArray
    bounds: IntArray
    wanted: NDArray[np.bool_]


class DecisionTable(NamedTuple):
    """What is the same for every hand.

    ``deck_ranks`` are the deck's ranks, ``exposed`` that of the exposed card; five cards of ``instant_cash`` strength
    or more are Instant Cash.  ``folds`` (6,) is what a fold nets, ``scale`` (6,) the factor for a deal after each draw
    that makes all paths count alike; ``deals`` are those of a first five, scaled.
    """

    suits: int
    deck_ranks: int
    exposed: int
    instant_cash: int
    folds: IntArray
    scale: IntArray
    deals: int


@kernel_helper
def count_orbit(first: int, suits: int) -> int:
    """Count the hands that exchanges of the suits but the first make of this one.

    The count is 0 if this one is not the representative.
    """
    hands, alike = 1, 1
    # The representative's suits do not rise; the permutations of suits are divided by those of equal suits.
    for each in range(2, suits):
        held, before = get_suit_ranks(first, each), get_suit_ranks(first, each - 1)
        if held > before:
            return 0
        alike = alike + 1 if held == before else 1
        hands = hands * each // alike
    return hands


@kernel_helper
def find_multiset(sets: LunarMultisets, mask: int) -> int:
    """Return the multiset of the ranks of some cards."""
    number = 0
    for each in range(SUIT_COUNT):
        held = get_suit_ranks(mask, each)
        for rank in range(RANK_COUNT):
            if held >> rank & 1:
                number = sets.add[number, rank]
    return number


@kernel_helper
def find_final_hand(sets: LunarMultisets, hands: FinalHands, mask: int) -> int:
    """Return the number of the final hand of five or six cards."""
    number = find_multiset(sets, mask)
    for each in range(SUIT_COUNT):
        held = get_suit_ranks(mask, each)
        if popcount(held) >= 5:
            odd = NO_ODD_RANK
            for rank in range(RANK_COUNT):
                if sets.counts[number, rank] > (held >> rank & 1):
                    odd = rank
            return int(hands.flush_numbers[held, odd])
    return int(number - sets.start[popcount(mask)])


@kernel_helper
def get_worth(values: FinalValues, hand: int, dead: int, known: int) -> int:
    """Return what a hand is worth more played than folded.

    What suits change in Force is left out.
    """
    return int(values.by_rank[dead, hand] + values.changes[values.classes[hand], np.uint64(known)])


@kernel_helper
def can_flush(kept: int, of_suit: int) -> bool:
    """Tell whether the kept cards, even if there are none, are all of one suit."""
    return popcount(get_suit_ranks(kept, of_suit)) == popcount(kept)


@kernel_helper
def add_flushes(
    drawing: ExchangeValues,
    hands: FinalHands,
    flushes: FlushDraws,
    table: DecisionTable,
    first: int,
    gone: int,
    dead: int,
    worth: IntArray,
) -> None:
    """Correct ``worth`` (3,), a value and its bounds, for draws that make a flush."""
    values = drawing.values
    for each in range(table.suits):
        if not can_flush(first & ~gone, each):
            continue
        kept, live = get_suit_ranks(first & ~gone, each), get_live_ranks(table, first, each)
        for number in range(flushes.first[kept], flushes.after[kept]):
            five = flushes.fives[number]
            if five & ~kept & ~live:
                continue
            known = get_suit_ranks(first, 0) | (five if each == 0 else 0)
            flush, plain = hands.flush_numbers[five, NO_ODD_RANK], hands.plain_numbers[five]
            # The sum counted this draw as the plain hand of its ranks, at the better of fold and play.
            worth[0] += max(0, get_worth(values, flush, dead, known)) - max(0, get_worth(values, plain, dead, known))
            worth[1] += get_force_bound(values, flush, dead, LEAST)
            worth[2] += get_force_bound(values, flush, dead, MOST)


@kernel_helper
def get_live_ranks(table: DecisionTable, held: int, of_suit: int) -> int:
    """Return the ranks of one suit that may still come."""
    live = table.deck_ranks & ~get_suit_ranks(held, of_suit)
    return live & ~(1 << table.exposed) if of_suit == 0 else live


@kernel_helper
def add_choice(table: DecisionTable, worth: IntArray, action: int, gone: int, choices: IntArray, length: int) -> int:
    """List a choice, and return the length of the list.

    A choice is its action, the cards given up, and its lower and upper bound.
    """
    base, scale = table.folds[max(0, action)] * table.deals, table.scale[max(0, action)]
    choices[length, 0], choices[length, 1] = action, gone
    choices[length, 2] = base + scale * (worth[0] + worth[1])
    choices[length, 3] = base + scale * (worth[0] + worth[2])
    return length + 1


@kernel_helper
def find_pattern(sets: LunarMultisets, number: int, of_suit: int) -> int:
    """Return which different ranks of a multiset are held in a suit.

    The ranks are counted from the lowest.
    """
    pattern, place = 0, 0
    for rank in range(RANK_COUNT):
        if sets.counts[number, rank]:
            pattern |= (of_suit >> rank & 1) << place
            place += 1
    return pattern


@kernel_helper
def find_best(choices: IntArray, length: int) -> int:
    """Return the choice with the highest lower bound.

    Of equal ones it is the first action in the order of ALL-9.
    """
    best = 0
    for each in range(1, length):
        more = choices[each, 2] - choices[best, 2]
        if more > 0 or (more == 0 and choices[each, 0] < choices[best, 0]):
            best = each
    return best


@kernel_helper
def can_beat(choices: IntArray, each: int, best: int) -> bool:
    """Tell whether a choice may be worth more than the best lower bound.

    A choice that is not known exactly counts even if it may only be worth as much.
    """
    if choices[each, 3] == choices[best, 2]:
        return bool(choices[each, 2] < choices[each, 3])
    return bool(choices[each, 3] > choices[best, 2])


@kernel_helper
def write_choice(listed: IntArray, at: int, whole: int, choice: IntArray, weight: int) -> None:
    """Write a choice for a first five into a list."""
    listed[at, FIRST_FIVE], listed[at, GIVEN_UP], listed[at, ACTION], listed[at, WEIGHT] = (
        whole,
        choice[1],
        choice[0],
        weight,
    )


@kernel_helper
def decide(
    choices: IntArray, length: int, whole: int, weight: int, chosen: IntArray, listed: IntArray, numbers: IntArray
) -> None:
    """Write the best choice, or all that may be best.

    ``numbers`` counts the entries of both lists, and the hands with two equal actions.
    """
    best = find_best(choices, length)
    clear, tied = True, False
    for each in range(length):
        if each != best:
            clear = clear and not can_beat(choices, each, best)
            tied = tied or (choices[each, 0] != choices[best, 0] and choices[each, 3] == choices[best, 2])
    if clear:
        write_choice(chosen, numbers[CHOSEN], whole, choices[best], weight)
        numbers[CHOSEN] += 1
        numbers[TIED] += 1 if tied else 0
        return
    for each in range(length):
        if each == best or choices[each, 3] >= choices[best, 2]:
            write_choice(listed, numbers[LISTED], whole, choices[each], weight)
            numbers[LISTED] += 1


@no_alloc_kernel
def list_known(
    fives: IntArray,
    play: FinalValues,
    buy: FinalValues,
    sets: LunarMultisets,
    hands: FinalHands,
    six: FinalHands,
    table: DecisionTable,
    worth: IntArray,
    choices: IntArray,
    lengths: IntArray,
) -> None:
    """List what folding, playing and buying are worth with every first five.

    ``choices`` (fives, ``MAX_CHOICES``, 4) has as many rows for each as ``lengths`` says: none for Instant Cash, which
    leaves nothing to decide.  ``worth`` (3,) is a scratch array.
    """
    for each in range(len(fives)):
        first, listed = fives[each], choices[each]
        hand = find_final_hand(sets, hands, first)
        lengths[each] = 0
        if hands.strengths[hand] >= table.instant_cash:
            continue
        worth[:] = 0
        length = add_choice(table, worth, FOLD, 0, listed, 0)
        worth[0] = get_worth(play, hand, 0, get_suit_ranks(first, 0))
        worth[1], worth[2] = get_force_bound(play, hand, 0, LEAST), get_force_bound(play, hand, 0, MOST)
        length = add_choice(table, worth, PLAY, 0, listed, length)
        if table.scale[BUY] > 0:
            worth[:] = 0
            for code in range(table.suits * RANK_COUNT):
                if get_live_ranks(table, first, code // RANK_COUNT) >> code % RANK_COUNT & 1:
                    held = first | 1 << code
                    hand = find_final_hand(sets, six, held)
                    worth[0] += max(0, get_worth(buy, hand, 0, get_suit_ranks(held, 0)))
                    worth[1] += get_force_bound(buy, hand, 0, LEAST)
                    worth[2] += get_force_bound(buy, hand, 0, MOST)
            length = add_choice(table, worth, BUY, 0, listed, length)
        lengths[each] = length


@no_alloc_kernel
def list_exchanges(
    fives: IntArray,
    cards: int,
    drawing: ExchangeValues,
    sets: LunarMultisets,
    hands: FinalHands,
    flushes: FlushDraws,
    table: DecisionTable,
    worth: IntArray,
    choices: IntArray,
    lengths: IntArray,
) -> None:
    """List every wanted exchange of ``cards`` cards.

    They come after the choices that ``list_known`` has listed.
    """
    for each in range(len(fives)):
        first, length = fives[each], lengths[each]
        pattern = find_pattern(sets, find_multiset(sets, first), get_suit_ranks(first, 0))
        gone = first if length else 0
        # Every subset of the first five, from the whole down: subtracting one within its bits.
        while gone:
            if popcount(gone) == cards:
                dead, kept = (
                    find_multiset(sets, gone) - sets.start[cards],
                    find_multiset(sets, first & ~gone) - sets.start[5 - cards],
                )
                if drawing.wanted[dead, kept]:
                    worth[0] = drawing.sums[dead, kept, pattern]
                    worth[1], worth[2] = drawing.bounds[dead, kept, LOWER], drawing.bounds[dead, kept, UPPER]
                    add_flushes(drawing, hands, flushes, table, first, gone, dead, worth)
                    length = add_choice(table, worth, cards, gone, choices[each], length)
            gone = (gone - 1) & first
        lengths[each] = length


@no_alloc_kernel
def decide_all(
    fives: IntArray,
    suits: int,
    choices: IntArray,
    lengths: IntArray,
    chosen: IntArray,
    listed: IntArray,
    numbers: IntArray,
) -> None:
    """Decide every first five by its listed choices.

    ``chosen`` and ``listed`` must be large enough.  ``numbers`` (3,) counts: chosen, listed, tied.
    """
    for each in range(len(fives)):
        if lengths[each]:
            weight = count_orbit(fives[each], suits)
            decide(choices[each], lengths[each], fives[each], weight, chosen, listed, numbers)


@no_alloc_kernel
def list_first_fives(deck: IntArray, exposed: int, suits: int, first_fives: IntArray) -> int:
    """Write one first five for each class, and return how many there are.

    They come from the deck without the exposed card.  More than fit into ``first_fives`` are counted but not written.
    """
    length = 0
    cards = len(deck)
    for one in range(cards):
        for two in range(one):
            for three in range(two):
                for four in range(three):
                    for five in range(four):
                        mask = 1 << deck[one] | 1 << deck[two] | 1 << deck[three] | 1 << deck[four] | 1 << deck[five]
                        if not mask >> exposed & 1 and count_orbit(mask, suits) > 0:
                            if length < len(first_fives):
                                first_fives[length] = mask
                            length += 1
    return length
