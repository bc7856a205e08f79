"""The first decision beside two community cards: every hand and W1, locked against all W2s and dealers at once.

After a Lock the seat does not care which W2 comes but for the dealer's hand, so the dealer's four cards and W2 are one
event of five cards, of which one is the indicator.  The player's four and W1 are the set it must avoid.  As after a
Play (``crowd``), events count by their ranks first, and are then moved where a flush makes them stronger; here every
suit is a main role, for W2 may be of any.  Two flushes at once need three wild cards: these events are moved in the
role of the fourth card's suit, for each W2.

One word has the events below the strength at hand and those up to it, another those not qualified.
"""

from itertools import product
from typing import Any, NamedTuple

import numpy as np

from pitboss.cards import RANK_COUNT, SUIT_COUNT, popcount
from pitboss.counting.blocks import Integers
from pitboss.counting.compile import kernel, part
from pitboss.games.shifting_wilds.rules import HAND, hand_strength
from pitboss.games.shifting_wilds.solver.boards import live_card, live_of
from pitboss.games.shifting_wilds.solver.crowd import NEVER, PASSES, Crowd, crowd_of, due, unit_of
from pitboss.games.shifting_wilds.solver.hands import (
    CHOOSE,
    SIGN_OF,
    STATES,
    TERNARY,
    Multisets,
    Numbers,
    all_numbers,
    are_there,
    multiset_at,
    next_kinds,
    number_of,
    numbers_of,
    taken_kinds,
)
from pitboss.hands import HandTables

EVENT = HAND + 1
SUBSETS = 1 << EVENT
PLAIN_ROLE = 0
MOST_ROLES = SUIT_COUNT + 1
WORD = 1 << 32
_EACH_SUIT = 1 | 1 << RANK_COUNT | 1 << 2 * RANK_COUNT | 1 << 3 * RANK_COUNT


class Opening(NamedTuple):
    """Two community cards: as a set, the cards left, how many cards of each suit's role they are.

    ``suits`` has the suit of each role but the first, the plain one; ``roles`` the role of each suit.  ``strengths``,
    shape (slots, multisets), has each multiset's strength by ranks alone for an indicator of each slot, ``bonuses`` its
    outcome of the Regular Bonus.
    """

    community: int
    live: int
    shown: Integers
    suits: Integers
    roles: Integers
    order: Integers
    strengths: Integers
    bonuses: Integers


class Events(NamedTuple):
    """Room for kinds of five cards, and for events of them: one for each kind that W2 can be.

    ``at`` and ``times`` (kinds, 32): the numbers of the sets within, and how many fives of the kinds hold each.
    ``leaves``, ``joins``, ``owner`` (which kinds) and ``copies`` (how many cards W2 can be) for each event.
    """

    at: Numbers
    times: Numbers
    leaves: Integers
    joins: Integers
    owner: Integers
    copies: Integers


class Locks(NamedTuple):
    """Numbers of sets with W1: ``ranked``, shape (multisets, slots, 16), and ``suited`` (multisets, slots, 2, 81)."""

    ranked: Numbers
    suited: Numbers


class LockSets(NamedTuple):
    """The numbers of sets within a hand, without W1 (of up to four cards) and with it."""

    by_ranks: Any
    suited: Any
    with_w1: Locks


def events_room(slots: int) -> Events:
    """Return room for all events of an opening."""
    plain, main = (int(CHOOSE[kinds + EVENT - 1, EVENT]) for kinds in (slots, 2 * slots))
    kinds = plain + SUIT_COUNT * main
    return Events(
        np.empty((kinds, SUBSETS), np.int32),
        np.empty((kinds, SUBSETS), np.int32),
        *(np.empty(EVENT * kinds, np.int64) for _ in range(4)),
    )


def numbers_with_w1(multisets: Multisets) -> Locks:
    """Return the numbers of sets of a multiset's cards and W1, of 1 to 5 kinds."""
    slots = np.arange(len(multisets.ranks))
    ranked = np.empty((len(multisets.slots), len(slots), STATES), np.int32)
    suited = np.empty((len(multisets.slots), len(slots), 2, TERNARY), np.int32)
    for taken in range(STATES):
        held = multisets.slots[:, [card for card in range(HAND) if taken >> card & 1]]
        ranked[:, :, taken] = numbers_of(_with_w1(held, slots), len(slots))
    for side, code in product(range(2), range(TERNARY)):
        held = taken_kinds(multisets, code)
        suited[:, :, side, code] = numbers_of(_with_w1(held, 2 * slots + side), 2 * len(slots))
    return Locks(ranked, suited)


def _with_w1(held: Integers, w1s: Integers) -> Integers:
    """Return kinds with each W1's, shape (multisets, W1s, cards and W1)."""
    shape = (len(held), len(w1s))
    return np.concatenate(
        (np.broadcast_to(held[:, None], (*shape, held.shape[1])), np.broadcast_to(w1s[:, None], (*shape, 1))), axis=2
    )


def rows_of_events(kinds: int) -> int:
    """Return how many multisets of up to five kinds there are."""
    return all_numbers(kinds, EVENT)


def gather_events(
    multisets: Multisets, tables: HandTables, options: Any, opening: Opening, lowest: int, events: Events
) -> tuple[Crowd, Integers]:
    """List and sort the events of an opening; return them, and the table of those that do not qualify."""
    slots = len(multisets.ranks)
    lengths = [rows_of_events(slots if role == PLAIN_ROLE else 2 * slots) for role in range(len(opening.suits))]
    starts = np.cumsum([0, *lengths])
    unqualified = np.zeros(starts[-1], np.int64)
    used = list_events(multisets, tables, options, opening, starts, lowest, events, unqualified)
    crowd = crowd_of(events.leaves[:used], events.joins[:used], np.zeros_like(unqualified), starts)
    return crowd, unqualified


@kernel
def list_events(
    multisets: Multisets,
    tables: HandTables,
    options: Any,
    opening: Opening,
    starts: Integers,
    lowest: int,
    events: Events,
    unqualified: Integers,
) -> int:
    """List the events of an opening, enter those that do not qualify in a table, and return how many there are."""
    slots = len(multisets.ranks)
    live, chosen, rest = np.zeros(2 * RANK_COUNT, np.int64), np.zeros(EVENT, np.int64), np.zeros(EVENT, np.int64)
    kinds_used, used = 0, 0
    for role in range(len(opening.suits)):
        suit = opening.suits[role]
        for slot in range(slots):
            suits = live_of(opening.live, multisets.ranks[slot])
            if role == PLAIN_ROLE:
                live[slot] = popcount(suits)
            else:
                live[2 * slot + 1] = suits >> suit & 1
                live[2 * slot] = popcount(suits) - live[2 * slot + 1]
        kinds = slots if role == PLAIN_ROLE else 2 * slots
        chosen[:] = 0
        while chosen[EVENT - 1] < kinds:
            if are_there(live, chosen, EVENT):
                before = used
                for card in range(EVENT):
                    used = _list_with(
                        multisets, tables, options, opening, role, chosen, card, rest, events, kinds_used, used
                    )
                if used > before:
                    address(live, chosen, rest, kinds, starts[role], events, kinds_used)
                    kinds_used += 1
            next_kinds(chosen, EVENT)
    for event in range(used):
        if events.leaves[event] < lowest <= events.joins[event]:
            add_event(events, event, unqualified, 1)
    return used


@part
def address(
    live: Integers, chosen: Integers, taken_kinds: Integers, kinds: int, start: int, events: Events, owner: int
) -> None:
    """Write the sets within five cards of these kinds; those that take the same cards have ``times`` 0."""
    for taken in range(SUBSETS):
        size, times, first = 0, 1, 0
        for card in range(EVENT):
            if chosen[card] != chosen[first]:
                first = card
            if taken >> card & 1:
                if first < card and taken >> (card - 1) & 1 == 0:
                    times = 0
                taken_kinds[size] = chosen[card]
                size += 1
            if card == EVENT - 1 or chosen[card + 1] != chosen[card]:
                held = 0
                for each in range(first, card + 1):
                    held += taken >> each & 1
                times *= CHOOSE[live[chosen[card]] - held, card + 1 - first - held]
        events.at[owner, taken] = start + number_of(taken_kinds, size, kinds)
        events.times[owner, taken] = times


@part
def _others(chosen: Integers, without: int, side: int, rest: Integers) -> None:
    """Write the slots of four of five cards, without one."""
    size = 0
    for card in range(EVENT):
        if card != without:
            rest[size] = chosen[card] >> side
            size += 1


@part
def _copies(chosen: Integers, card: int) -> int:
    """Return how many cards of the kind of a card there are, 0 if it is not the first of them."""
    if card > 0 and chosen[card - 1] == chosen[card]:
        return 0
    copies = 0
    for each in range(EVENT):
        copies += chosen[each] == chosen[card]
    return copies


@part
def _list_with(
    multisets: Multisets,
    tables: HandTables,
    options: Any,
    opening: Opening,
    role: int,
    chosen: Integers,
    w2: int,
    rest: Integers,
    events: Events,
    owner: int,
    used: int,
) -> int:
    """List the events of five cards of which ``w2`` is the indicator; return how many there are then.

    In the plain role all are listed, in the role of a suit those that a flush in it makes stronger.
    """
    copies = _copies(chosen, w2)
    if copies == 0:
        return used
    side = 0 if role == PLAIN_ROLE else 1
    slot = chosen[w2] >> side
    wild_cards, within = -1, 0
    for each in range(EVENT):
        wild_cards += chosen[each] >> side == slot
        within += chosen[each] >> side != slot and chosen[each] & side == 1
    each_rank = side == 1 and wild_cards == HAND - 1
    if each_rank:
        # All of one rank and a card: each of the four may be W2, once, in the role of the fifth card's suit.
        if copies > 1 or chosen[w2] & 1 == 0 or within == 0:
            return used
    elif side == 1 and wild_cards + within + (chosen[w2] & 1) + opening.shown[role] < EVENT:
        return used
    _others(chosen, w2, side, rest)
    leaves = opening.strengths[slot, multiset_at(multisets, rest[0], rest[1], rest[2], rest[3])]
    for suit in range(SUIT_COUNT if each_rank else 1):
        joins = NEVER
        if side == 1:
            indicator_suit = suit if each_rank else -1
            joins = _made(multisets, tables, options, opening, role, chosen, w2, indicator_suit)
        if leaves != joins:
            events.leaves[used], events.joins[used] = leaves, joins
            events.owner[used], events.copies[used] = owner, copies
            used += 1
    return used


@part
def _made(
    multisets: Multisets,
    tables: HandTables,
    options: Any,
    opening: Opening,
    role: int,
    chosen: Integers,
    w2: int,
    of: int,
) -> int:
    """Return the dealer's strength with five cards of these kinds, of which one is W2.

    Where they are the four cards of a rank and another, W2 is the one of suit ``of``; elsewhere that is -1.
    """
    hole, indicator = 0, 0
    suit = opening.suits[role]
    for card in range(EVENT):
        rank = multisets.ranks[chosen[card] >> 1]
        if of >= 0 and rank == multisets.ranks[chosen[w2] >> 1]:
            continue
        before = 0
        for other in range(card):
            before += chosen[other] == chosen[card]
        held = 1 << (RANK_COUNT * suit + rank)
        if chosen[card] & 1 == 0:
            held = live_card(opening.live, opening.order, rank, suit, before)
        if card == w2:
            indicator = held
        else:
            hole |= held
    if of >= 0:
        rank = multisets.ranks[chosen[w2] >> 1]
        indicator = 1 << (RANK_COUNT * of + rank)
        hole |= (_EACH_SUIT << rank) ^ indicator
    return hand_strength(tables, hole, opening.community, indicator, options)


@part
def add_event(events: Events, event: int, table: Integers, unit: int) -> None:
    """Add an event to the table, ``unit`` for each five cards and each of them that W2 can be."""
    owner = events.owner[event]
    each_unit = unit * events.copies[event]
    for each in range(SUBSETS):
        table[np.uint64(events.at[owner, each])] += each_unit * events.times[owner, each]


@part
def events_up_to(events: Events, crowd: Crowd, strength: int, up_to: int) -> None:
    """Bring the table from a lower strength to this one; ``up_to`` is 0 where only those below are counted."""
    for which in range(PASSES):
        unit = unit_of(which, up_to)
        event = due(crowd, which, strength) if unit else -1
        while event >= 0:
            add_event(events, event, crowd.table, unit)
            event = due(crowd, which, strength)


@part
def plain_sum(table: Integers, numbers: Any, with_w1: Any, multiset: int, slot: int) -> int:
    """Sum up the plain role for one multiset and the slot of W1."""
    total = 0
    for taken in range(STATES):
        each = table[np.uint64(numbers[multiset, taken])] - table[np.uint64(with_w1[multiset, slot, taken])]
        total += each if SIGN_OF[taken] > 0 else -each
    return total
