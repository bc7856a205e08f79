"""The first decision: what each action is worth with every first five, between bounds, and which is the best.

First fives are taken up to exchanges of the three suits that the exposed card is not of.  A player's flush is put right
here: a draw that makes one was counted as its ranks without (``draws``).  Bounds meet but for what suits change in
Force; where two actions cannot be told apart by their bounds, all that may be best are listed for an exact count.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import RANK_COUNT, SUIT_COUNT, get_suit_ranks, popcount
from pitboss.counting.blocks import Integers
from pitboss.counting.compile import filling_kernel, part
from pitboss.games.lunar.solver.draws import LOWER, UPPER, FlushDraws, Values, forced_part
from pitboss.games.lunar.solver.finals import NO_ODD_RANK, Finals
from pitboss.games.lunar.solver.force import LEAST, MOST
from pitboss.games.lunar.solver.multisets import Multisets

FOLD, PLAY, BUY = -1, 0, 1
"""Actions: a fold, else the number of cards drawn."""

WHOLE, GONE, ACTION, WEIGHT = 0, 1, 2, 3
FIELDS = 4
"""Of a choice: the first five and the cards given up as masks, the action, how many first fives are like it."""

CHOICES = 34
CHOSEN, LISTED, TIED = 0, 1, 2


class Drawing(NamedTuple):
    """One exchange: final hands' values, the sums over draws with their bounds (``draws``), and which are wanted."""

    values: Values
    sums: Integers
    bounds: Integers
    wanted: NDArray[np.bool_]


class Table(NamedTuple):
    """What does not change from hand to hand.

    ``present`` are the deck's ranks, ``exposed`` that of the exposed card; five cards of ``cash`` strength or more are
    Instant Cash.  ``folds`` (6,) is what a fold nets, ``scale`` (6,) how often a deal after each draw counts, so that
    all paths count alike; ``deals`` are those of a first five, scaled.
    """

    suits: int
    present: int
    exposed: int
    cash: int
    folds: Integers
    scale: Integers
    deals: int


@part
def orbit(first: int, suits: int) -> int:
    """Return how many hands exchanges of the suits but the first make of this, 0 if it is not the one that is taken."""
    hands, alike = 1, 1
    for each in range(2, suits):
        held, before = get_suit_ranks(first, each), get_suit_ranks(first, each - 1)
        if held > before:
            return 0
        alike = alike + 1 if held == before else 1
        hands = hands * each // alike
    return hands


@part
def set_of(sets: Multisets, mask: int) -> int:
    """Return the multiset of the ranks of some cards."""
    number = 0
    for each in range(SUIT_COUNT):
        held = get_suit_ranks(mask, each)
        for rank in range(RANK_COUNT):
            if held >> rank & 1:
                number = sets.add[number, rank]
    return number


@part
def final_of(sets: Multisets, hands: Finals, mask: int) -> int:
    """Return which final hand five or six cards are."""
    number = set_of(sets, mask)
    for each in range(SUIT_COUNT):
        held = get_suit_ranks(mask, each)
        if popcount(held) >= 5:
            odd = NO_ODD_RANK
            for rank in range(RANK_COUNT):
                if sets.counts[number, rank] > (held >> rank & 1):
                    odd = rank
            return int(hands.flush_of[held, odd])
    return int(number - sets.start[popcount(mask)])


@part
def worth_of(values: Values, hand: int, dead: int, known: int) -> int:
    """Return what a hand is worth more played than folded, but for what suits change in Force."""
    return int(values.by_rank[dead, hand] + values.changes[values.classes[hand], np.uint64(known)])


@part
def may_flush(kept: int, of_suit: int) -> bool:
    """Tell whether cards kept, be they none, are all of one suit."""
    return popcount(get_suit_ranks(kept, of_suit)) == popcount(kept)


@part
def add_flushes(
    drawing: Drawing,
    hands: Finals,
    flushes: FlushDraws,
    table: Table,
    first: int,
    gone: int,
    dead: int,
    worth: Integers,
) -> None:
    """Put right the value and the bounds in ``worth`` (3,) for the draws that make a flush."""
    values = drawing.values
    for each in range(table.suits):
        if not may_flush(first & ~gone, each):
            continue
        kept, live = get_suit_ranks(first & ~gone, each), live_of(table, first, each)
        for number in range(flushes.first[kept], flushes.after[kept]):
            five = flushes.fives[number]
            if five & ~kept & ~live:
                continue
            known = get_suit_ranks(first, 0) | (five if each == 0 else 0)
            flush, plain = hands.flush_of[five, NO_ODD_RANK], hands.plain_of[five]
            worth[0] += max(0, worth_of(values, flush, dead, known)) - max(0, worth_of(values, plain, dead, known))
            worth[1] += forced_part(values, flush, dead, LEAST)
            worth[2] += forced_part(values, flush, dead, MOST)


@part
def live_of(table: Table, held: int, of_suit: int) -> int:
    """Return the ranks of one suit that may still come."""
    live = table.present & ~get_suit_ranks(held, of_suit)
    return live & ~(1 << table.exposed) if of_suit == 0 else live


@part
def book(table: Table, worth: Integers, action: int, gone: int, choices: Integers, length: int) -> int:
    """List a choice: its action, cards given up, lower and upper bound; return the length of the list."""
    base, scale = table.folds[max(0, action)] * table.deals, table.scale[max(0, action)]
    choices[length, 0], choices[length, 1] = action, gone
    choices[length, 2] = base + scale * (worth[0] + worth[1])
    choices[length, 3] = base + scale * (worth[0] + worth[2])
    return length + 1


@part
def pattern_of(sets: Multisets, number: int, of_suit: int) -> int:
    """Return which of the different ranks of a multiset, from the lowest, are held in a suit."""
    pattern, place = 0, 0
    for rank in range(RANK_COUNT):
        if sets.counts[number, rank]:
            pattern |= (of_suit >> rank & 1) << place
            place += 1
    return pattern


@part
def best_of(choices: Integers, length: int) -> int:
    """Return the choice with the highest lower bound: of several the first action in the order of ALL-9."""
    best = 0
    for each in range(1, length):
        more = choices[each, 2] - choices[best, 2]
        if more > 0 or (more == 0 and choices[each, 0] < choices[best, 0]):
            best = each
    return best


@part
def may_beat(choices: Integers, each: int, best: int) -> bool:
    """Tell whether a choice may be worth more than the best by lower bounds, or as much without being known exactly."""
    if choices[each, 3] == choices[best, 2]:
        return bool(choices[each, 2] < choices[each, 3])
    return bool(choices[each, 3] > choices[best, 2])


@part
def note(listed: Integers, at: int, whole: int, choice: Integers, weight: int) -> None:
    """Write down a choice for a first five."""
    listed[at, WHOLE], listed[at, GONE], listed[at, ACTION], listed[at, WEIGHT] = whole, choice[1], choice[0], weight


@part
def decide(
    choices: Integers, length: int, whole: int, weight: int, chosen: Integers, listed: Integers, numbers: Integers
) -> None:
    """Note the best choice, or all that may be; ``numbers`` counts what is noted, and hands of two equal actions."""
    best = best_of(choices, length)
    clear, tied = True, False
    for each in range(length):
        if each != best:
            clear = clear and not may_beat(choices, each, best)
            tied = tied or (choices[each, 0] != choices[best, 0] and choices[each, 3] == choices[best, 2])
    if clear:
        note(chosen, numbers[CHOSEN], whole, choices[best], weight)
        numbers[CHOSEN] += 1
        numbers[TIED] += 1 if tied else 0
        return
    for each in range(length):
        if each == best or choices[each, 3] >= choices[best, 2]:
            note(listed, numbers[LISTED], whole, choices[each], weight)
            numbers[LISTED] += 1


@filling_kernel
def list_known(
    fives: Integers,
    play: Values,
    buy: Values,
    sets: Multisets,
    hands: Finals,
    six: Finals,
    table: Table,
    worth: Integers,
    choices: Integers,
    lengths: Integers,
) -> None:
    """List for every first five what folding, playing and buying a sixth card are worth.

    ``choices`` (fives, ``CHOICES``, 4) has for each as many rows as ``lengths`` says: none for Instant Cash, which
    decides nothing.  ``worth`` (3,) is room to work in.
    """
    for each in range(len(fives)):
        first, listed = fives[each], choices[each]
        hand = final_of(sets, hands, first)
        lengths[each] = 0
        if hands.strengths[hand] >= table.cash:
            continue
        worth[:] = 0
        length = book(table, worth, FOLD, 0, listed, 0)
        worth[0] = worth_of(play, hand, 0, get_suit_ranks(first, 0))
        worth[1], worth[2] = forced_part(play, hand, 0, LEAST), forced_part(play, hand, 0, MOST)
        length = book(table, worth, PLAY, 0, listed, length)
        if table.scale[BUY] > 0:
            worth[:] = 0
            for code in range(table.suits * RANK_COUNT):
                if live_of(table, first, code // RANK_COUNT) >> code % RANK_COUNT & 1:
                    held = first | 1 << code
                    hand = final_of(sets, six, held)
                    worth[0] += max(0, worth_of(buy, hand, 0, get_suit_ranks(held, 0)))
                    worth[1] += forced_part(buy, hand, 0, LEAST)
                    worth[2] += forced_part(buy, hand, 0, MOST)
            length = book(table, worth, BUY, 0, listed, length)
        lengths[each] = length


@filling_kernel
def list_exchanges(
    fives: Integers,
    cards: int,
    drawing: Drawing,
    sets: Multisets,
    hands: Finals,
    flushes: FlushDraws,
    table: Table,
    worth: Integers,
    choices: Integers,
    lengths: Integers,
) -> None:
    """List every exchange of so many cards that is wanted, behind what ``list_known`` has listed."""
    for each in range(len(fives)):
        first, length = fives[each], lengths[each]
        pattern = pattern_of(sets, set_of(sets, first), get_suit_ranks(first, 0))
        gone = first if length else 0
        while gone:
            if popcount(gone) == cards:
                dead, kept = set_of(sets, gone) - sets.start[cards], set_of(sets, first & ~gone) - sets.start[5 - cards]
                if drawing.wanted[dead, kept]:
                    worth[0] = drawing.sums[dead, kept, pattern]
                    worth[1], worth[2] = drawing.bounds[dead, kept, LOWER], drawing.bounds[dead, kept, UPPER]
                    add_flushes(drawing, hands, flushes, table, first, gone, dead, worth)
                    length = book(table, worth, cards, gone, choices[each], length)
            gone = (gone - 1) & first
        lengths[each] = length


@filling_kernel
def decide_all(
    fives: Integers,
    suits: int,
    choices: Integers,
    lengths: Integers,
    chosen: Integers,
    listed: Integers,
    numbers: Integers,
) -> None:
    """Decide every first five by what has been listed; ``chosen`` and ``listed`` have room for what is noted.

    ``numbers`` (3,) counts what is noted: chosen, listed, tied.
    """
    for each in range(len(fives)):
        if lengths[each]:
            weight = orbit(fives[each], suits)
            decide(choices[each], lengths[each], fives[each], weight, chosen, listed, numbers)


@filling_kernel
def first_fives(deck: Integers, exposed: int, suits: int, room: Integers) -> int:
    """Lay out all first fives of the deck without the exposed card, one for each class; return how many there are."""
    length = 0
    cards = len(deck)
    for one in range(cards):
        for two in range(one):
            for three in range(two):
                for four in range(three):
                    for five in range(four):
                        mask = 1 << deck[one] | 1 << deck[two] | 1 << deck[three] | 1 << deck[four] | 1 << deck[five]
                        if not mask >> exposed & 1 and orbit(mask, suits) > 0:
                            if length < len(room):
                                room[length] = mask
                            length += 1
    return length
