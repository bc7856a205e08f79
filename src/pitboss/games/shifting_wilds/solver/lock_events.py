"""The events of the first decision: each W2 with each hand of the dealer.

All events that a locked hand may meet are counted at once.  After a Lock, W2 matters to the seat only through the
dealer's hand.  So W2 and the dealer's four cards are one event of five cards, with one of them as the indicator; an
event must avoid the player's four cards and W1.  As after a Play (``dealer_hands``), events count by their ranks first,
and are then moved where a flush makes them stronger.  Here every suit is a main role, because W2 may be of any suit.
Two flushes at once need three wild cards: these events are moved in the role of the fourth card's suit, for each W2.

One word counts the events below the strength at hand (bits 0 to 31) and those up to it (from bit 32), another counts
those that do not qualify.
"""

from itertools import product
from typing import Any, NamedTuple

import numpy as np

from pitboss.cards import DEUCES, RANK_COUNT, SUIT_COUNT, popcount
from pitboss.games.shifting_wilds.rules import HAND, rank_hand
from pitboss.games.shifting_wilds.solver.boards import get_live_card, get_live_suits
from pitboss.games.shifting_wilds.solver.dealer_hands import (
    NEVER,
    PASS_COUNT,
    DealerHands,
    get_pass_unit,
    sort_transfers,
    take_due_transfer,
)
from pitboss.games.shifting_wilds.solver.multisets import (
    BINOMIALS,
    STATE_COUNT,
    SUBSET_SIGNS,
    TERNARY_COUNT,
    HandMultisets,
    Int32Array,
    advance_kinds,
    count_multisets,
    fill_subsets,
    find_multiset,
    has_live_cards,
    may_flush,
    number_multisets,
    select_kinds,
)
from pitboss.hands import HandTables
from pitboss.kernels.compile import kernel, kernel_helper
from pitboss.kernels.enumeration import IntArray

EVENT_CARDS = HAND + 1
SUBSET_COUNT = 1 << EVENT_CARDS
PLAIN_ROLE = 0
MAX_LOCK_ROLES = SUIT_COUNT + 1
LOCK_UP_TO_UNIT = 1 << 32


class Opening(NamedTuple):
    """The opening of two community cards: live cards and roles of the suits.

    ``community`` is the two cards as a set, ``live`` the cards that they leave.  ``shown_counts`` is how many of the
    two are in each role's suit.  ``role_suits`` has the suit of each role except the first, the plain one;
    ``suit_roles`` the role of each suit.  ``strengths``, shape (slots, multisets), has each multiset's strength by
    ranks alone with an indicator of each slot, ``bonuses`` its outcome of the Regular Bonus.
    """

    community: int
    live: int
    shown_counts: IntArray
    role_suits: IntArray
    suit_roles: IntArray
    suit_order: IntArray
    strengths: IntArray
    bonuses: IntArray


class LockEvents(NamedTuple):
    """Scratch arrays for the kinds of five cards and for their events.

    There is an event for each kind that W2 can be.  ``addresses`` and ``multiplicities`` (kinds, 32) have the number of
    each set within five kinds, and how many fives of these kinds hold the set.  For each event there are
    ``from_strengths``, ``to_strengths``, ``kind_rows`` (its row of kinds) and ``w2_copies`` (how many of its cards can
    be W2).
    """

    addresses: Int32Array
    multiplicities: Int32Array
    from_strengths: IntArray
    to_strengths: IntArray
    kind_rows: IntArray
    w2_copies: IntArray


class W1SubsetNumbers(NamedTuple):
    """The numbers of sets that contain W1.

    ``by_ranks`` has shape (multisets, slots, 16), ``suited`` has shape (multisets, slots, 2, 81).
    """

    by_ranks: Int32Array
    suited: Int32Array


class LockSubsetNumbers(NamedTuple):
    """The numbers of the sets of up to four cards within a hand.

    They are without W1 and, in ``with_w1``, with it.
    """

    by_ranks: Any
    suited: Any
    with_w1: W1SubsetNumbers


def make_lock_events(slots: int) -> LockEvents:
    """Return scratch arrays for all events of an opening."""
    plain, main = (int(BINOMIALS[kinds + EVENT_CARDS - 1, EVENT_CARDS]) for kinds in (slots, 2 * slots))
    kinds = plain + SUIT_COUNT * main
    return LockEvents(
        np.empty((kinds, SUBSET_COUNT), np.int32),
        np.empty((kinds, SUBSET_COUNT), np.int32),
        *(np.empty(EVENT_CARDS * kinds, np.int64) for _ in range(4)),
    )


def number_w1_subsets(multisets: HandMultisets) -> W1SubsetNumbers:
    """Return the numbers of sets of a multiset's cards and W1, of 1 to 5 kinds."""
    slots = np.arange(len(multisets.ranks))
    ranked = np.empty((len(multisets.slots), len(slots), STATE_COUNT), np.int32)
    suited = np.empty((len(multisets.slots), len(slots), 2, TERNARY_COUNT), np.int32)
    for taken in range(STATE_COUNT):
        held = multisets.slots[:, [card for card in range(HAND) if taken >> card & 1]]
        ranked[:, :, taken] = number_multisets(_append_w1(held, slots), len(slots))
    for side, code in product(range(2), range(TERNARY_COUNT)):
        held = select_kinds(multisets, code)
        suited[:, :, side, code] = number_multisets(_append_w1(held, 2 * slots + side), 2 * len(slots))
    return W1SubsetNumbers(ranked, suited)


def _append_w1(held: IntArray, w1s: IntArray) -> IntArray:
    """Append the kind of each W1 to the kinds of cards.

    The shape is (multisets, W1s, cards and W1).
    """
    shape = (len(held), len(w1s))
    return np.concatenate(
        (np.broadcast_to(held[:, None], (*shape, held.shape[1])), np.broadcast_to(w1s[:, None], (*shape, 1))), axis=2
    )


def count_event_rows(kinds: int) -> int:
    """Return how many multisets of up to five kinds there are."""
    return count_multisets(kinds, EVENT_CARDS)


def make_event_tables(
    multisets: HandMultisets,
    tables: HandTables,
    options: Any,
    opening: Opening,
    qualifying_strength: int,
    events: LockEvents,
) -> tuple[DealerHands, IntArray]:
    """Return the sorted events of an opening, and the unqualified ones as a table."""
    slots = len(multisets.ranks)
    lengths = [count_event_rows(slots if role == PLAIN_ROLE else 2 * slots) for role in range(len(opening.role_suits))]
    starts = np.cumsum([0, *lengths])
    unqualified = np.zeros(starts[-1], np.int64)
    used = list_events(multisets, tables, options, opening, starts, qualifying_strength, events, unqualified)
    dealer_hands = sort_transfers(
        events.from_strengths[:used], events.to_strengths[:used], np.zeros_like(unqualified), starts
    )
    return dealer_hands, unqualified


@kernel
def list_events(
    multisets: HandMultisets,
    tables: HandTables,
    options: Any,
    opening: Opening,
    starts: IntArray,
    qualifying_strength: int,
    events: LockEvents,
    unqualified: IntArray,
) -> int:
    """List the events of an opening and return how many there are.

    Those that do not qualify are added to the table ``unqualified``.
    """
    slots = len(multisets.ranks)
    live, chosen, rest = (
        np.zeros(2 * RANK_COUNT, np.int64),
        np.zeros(EVENT_CARDS, np.int64),
        np.zeros(EVENT_CARDS, np.int64),
    )
    numbers, times = np.zeros(SUBSET_COUNT, np.int64), np.zeros(SUBSET_COUNT, np.int64)
    kinds_used, used = 0, 0
    for role in range(len(opening.role_suits)):
        suit = opening.role_suits[role]
        for slot in range(slots):
            suits = get_live_suits(opening.live, multisets.ranks[slot])
            if role == PLAIN_ROLE:
                live[slot] = popcount(suits)
            else:
                live[2 * slot + 1] = suits >> suit & 1
                live[2 * slot] = popcount(suits) - live[2 * slot + 1]
        kinds = slots if role == PLAIN_ROLE else 2 * slots
        chosen[:] = 0
        while chosen[EVENT_CARDS - 1] < kinds:
            listed = role == PLAIN_ROLE or may_flush(chosen, EVENT_CARDS, EVENT_CARDS - opening.shown_counts[role])
            if listed and has_live_cards(live, chosen, EVENT_CARDS):
                before = used
                for card in range(EVENT_CARDS):
                    used = _list_w2_events(
                        multisets, tables, options, opening, role, chosen, card, rest, events, kinds_used, used
                    )
                if used > before:
                    fill_event_addresses(live, chosen, kinds, starts[role], numbers, times, events, kinds_used)
                    kinds_used += 1
            advance_kinds(chosen, EVENT_CARDS)
    for event in range(used):
        if events.from_strengths[event] < qualifying_strength <= events.to_strengths[event]:
            add_event(events, event, unqualified, 1)
    return used


@kernel_helper
def fill_event_addresses(
    live: IntArray,
    chosen: IntArray,
    kinds: int,
    start: int,
    numbers: IntArray,
    times: IntArray,
    events: LockEvents,
    kind_row: int,
) -> None:
    """Write the sets within five cards of these kinds.

    Repeated sets have multiplicity 0.
    """
    fill_subsets(live, chosen, EVENT_CARDS, kinds, numbers, times)
    for taken in range(SUBSET_COUNT):
        events.addresses[kind_row, taken] = start + numbers[taken]
        events.multiplicities[kind_row, taken] = times[taken]


@kernel_helper
def _copy_others(chosen: IntArray, without: int, side: int, rest: IntArray) -> None:
    """Write the slots of five cards without one of them."""
    size = 0
    for card in range(EVENT_CARDS):
        if card != without:
            rest[size] = chosen[card] >> side
            size += 1


@kernel_helper
def _count_copies(chosen: IntArray, card: int) -> int:
    """Return how many of five cards have the kind of this card.

    It is 0 if the card is not the first of them.
    """
    if card > 0 and chosen[card - 1] == chosen[card]:
        return 0
    copies = 0
    for each in range(EVENT_CARDS):
        copies += chosen[each] == chosen[card]
    return copies


@kernel_helper
def _list_w2_events(
    multisets: HandMultisets,
    tables: HandTables,
    options: Any,
    opening: Opening,
    role: int,
    chosen: IntArray,
    w2: int,
    rest: IntArray,
    events: LockEvents,
    kind_row: int,
    used: int,
) -> int:
    """List the events of five cards with ``w2`` as the indicator.

    Return the new number of events.  In the plain role all events are listed, in the role of a suit those that a flush
    in it makes stronger.
    """
    copies = _count_copies(chosen, w2)
    if copies == 0:
        return used
    side = 0 if role == PLAIN_ROLE else 1
    slot = chosen[w2] >> side
    wild_cards, within = -1, 0
    for each in range(EVENT_CARDS):
        wild_cards += chosen[each] >> side == slot
        within += chosen[each] >> side != slot and chosen[each] & side == 1
    each_rank = side == 1 and wild_cards == HAND - 1
    if each_rank:
        # Four cards of one rank and a fifth: each of the four is W2 once, in the role of the fifth card's suit.
        if copies > 1 or chosen[w2] & 1 == 0 or within == 0:
            return used
    elif side == 1 and wild_cards + within + (chosen[w2] & 1) + opening.shown_counts[role] < EVENT_CARDS:
        return used
    _copy_others(chosen, w2, side, rest)
    from_strength = opening.strengths[slot, find_multiset(multisets, rest[0], rest[1], rest[2], rest[3])]
    for suit in range(SUIT_COUNT if each_rank else 1):
        to_strength = NEVER
        if side == 1:
            indicator_suit = suit if each_rank else -1
            to_strength = _rank_event(multisets, tables, options, opening, role, chosen, w2, indicator_suit)
        if from_strength != to_strength:
            events.from_strengths[used], events.to_strengths[used] = from_strength, to_strength
            events.kind_rows[used], events.w2_copies[used] = kind_row, copies
            used += 1
    return used


@kernel_helper
def _rank_event(
    multisets: HandMultisets,
    tables: HandTables,
    options: Any,
    opening: Opening,
    role: int,
    chosen: IntArray,
    w2: int,
    w2_suit: int,
) -> int:
    """Return the dealer's strength with five cards of these kinds, one of them W2.

    If four of the cards are of one rank, W2 is the one of suit ``w2_suit``; otherwise ``w2_suit`` is -1.
    """
    hole, indicator = 0, 0
    suit = opening.role_suits[role]
    for card in range(EVENT_CARDS):
        rank = multisets.ranks[chosen[card] >> 1]
        if w2_suit >= 0 and rank == multisets.ranks[chosen[w2] >> 1]:
            continue
        before = 0
        for other in range(card):
            before += chosen[other] == chosen[card]
        held = 1 << (RANK_COUNT * suit + rank)
        if chosen[card] & 1 == 0:
            held = get_live_card(opening.live, opening.suit_order, rank, suit, before)
        if card == w2:
            indicator = held
        else:
            hole |= held
    if w2_suit >= 0:
        rank = multisets.ranks[chosen[w2] >> 1]
        indicator = 1 << (RANK_COUNT * w2_suit + rank)
        hole |= (DEUCES << rank) ^ indicator
    return rank_hand(tables, hole, opening.community, indicator, options)


@kernel_helper
def add_event(events: LockEvents, event: int, table: IntArray, unit: int) -> None:
    """Add an event to the table.

    ``unit`` is added for each five cards, times each of their cards that can be W2.
    """
    owner = events.kind_rows[event]
    each_unit = unit * events.w2_copies[event]
    for each in range(SUBSET_COUNT):
        table[np.uint64(events.addresses[owner, each])] += each_unit * events.multiplicities[owner, each]


@kernel_helper
def advance_events_to(events: LockEvents, dealer_hands: DealerHands, strength: int, up_to: int) -> None:
    """Advance the table from a lower strength to this one.

    ``up_to`` is 0 if only events below are counted.
    """
    for which in range(PASS_COUNT):
        unit = get_pass_unit(which, up_to)
        event = take_due_transfer(dealer_hands, which, strength) if unit else -1
        while event >= 0:
            add_event(events, event, dealer_hands.table, unit)
            event = take_due_transfer(dealer_hands, which, strength)


@kernel_helper
def sum_plain_role(table: IntArray, numbers: Any, with_w1: Any, multiset: int, slot: int) -> int:
    """Sum the plain role for one multiset and the slot of W1."""
    total = 0
    for taken in range(STATE_COUNT):
        each = table[np.uint64(numbers[multiset, taken])] - table[np.uint64(with_w1[multiset, slot, taken])]
        total += each if SUBSET_SIGNS[taken] > 0 else -each
    return total
