"""The Bad Beat after a Lock: how many W2s and dealers each hand beats.

Hands are compared by the natural five, a holder's four cards and its indicator: W1 for the seat, W2 for the dealer.
The dealer's four cards and W2 are five natural cards, whichever of them is W2, so each five counts five times.  It is
swept like main (``lock_sweep``); only a flush, five cards of one suit, is stronger than its ranks.
"""

from typing import Any, NamedTuple

import numpy as np

from pitboss.cards import RANK_COUNT, SUIT_COUNT, popcount
from pitboss.games.shifting_wilds.rules import BAD_BEAT_LOSES, HAND, rank_natural_hand, settle_bad_beat
from pitboss.games.shifting_wilds.solver.boards import get_live_suits
from pitboss.games.shifting_wilds.solver.dealer_hands import (
    INDEX_BITS,
    INDEX_MASK,
    NEVER,
    ROW_WIDTH,
    DealerHands,
    sort_transfers,
)
from pitboss.games.shifting_wilds.solver.dealer_sums import LANE_COUNT, SubsetNumbers, get_w1, sort_by_strength
from pitboss.games.shifting_wilds.solver.lock_events import (
    EVENT_CARDS,
    PLAIN_ROLE,
    SUBSET_COUNT,
    LockEvents,
    LockSubsetNumbers,
    Opening,
    advance_events_to,
    count_event_rows,
    fill_event_addresses,
    sum_plain_role,
)
from pitboss.games.shifting_wilds.solver.multisets import (
    STATE_COUNT,
    SUBSET_SIGNS,
    HandMultisets,
    Int32Array,
    OpeningHands,
    advance_kinds,
    find_multiset,
    has_live_cards,
)
from pitboss.games.shifting_wilds.solver.natural_fives import find_key, get_key_hand, get_key_lane, list_natural_flushes
from pitboss.hands import HandTables
from pitboss.kernels.compile import kernel, kernel_helper
from pitboss.kernels.enumeration import IntArray
from pitboss.kernels.sorted_strengths import read_strength


class LockBadBeats(NamedTuple):
    """The numbers of W2s and dealers that hands are ahead of.

    ``outcomes`` (slots, multisets) are those of a hand that is ahead.  ``beaten_counts`` (slots, multisets, 1 + roles x
    32) has the events beaten by ranks alone, and for each role, state and W1 outside the suit or in it how many fewer
    with flushes.  For hands that are flushes themselves, ``flush_keys`` has lane and hand in one word
    (``natural_fives``), rising; ``flush_outcomes`` their outcomes, and ``flush_beaten_counts`` the events beaten.
    """

    outcomes: IntArray
    beaten_counts: Int32Array
    flush_keys: IntArray
    flush_outcomes: IntArray
    flush_beaten_counts: IntArray


def count_lock_bad_beats(
    subsets: SubsetNumbers,
    lock_subsets: LockSubsetNumbers,
    tables: HandTables,
    options: Any,
    hands: OpeningHands,
    opening: Opening,
    rank_strengths: IntArray,
    events: LockEvents,
) -> LockBadBeats:
    """Count the events that the natural five of every hand and W1 beats.

    ``rank_strengths`` has shape (slots, multisets).
    """
    rows = count_event_rows(len(subsets.multisets.ranks))
    starts = np.arange(len(opening.role_suits) + 1) * rows
    used = _list_fives(subsets.multisets, tables, opening, rank_strengths, starts, events)
    dealer_hands = sort_transfers(
        events.from_strengths[:used], events.to_strengths[:used], np.zeros(starts[-1], np.int64), starts
    )
    left = [
        opening.live & get_w1(subsets, lane) if lane % ROW_WIDTH < len(rank_strengths) else 0
        for lane in range(LANE_COUNT)
    ]
    strengths, keys = list_natural_flushes(tables, hands, np.array(left, np.int64))
    beats = LockBadBeats(
        outcomes=np.full(rank_strengths.shape, BAD_BEAT_LOSES, np.int64),
        beaten_counts=np.zeros((*rank_strengths.shape, 1 + len(opening.role_suits) * 2 * STATE_COUNT), np.int32),
        flush_keys=keys,
        flush_outcomes=np.zeros(len(keys), np.int64),
        flush_beaten_counts=np.zeros(len(keys), np.int64),
    )
    order = sort_by_strength(rank_strengths.ravel())
    _sweep_fives(lock_subsets, options, hands, opening, order, strengths, events, dealer_hands, beats)
    rising = np.argsort(keys)
    return beats._replace(
        flush_keys=keys[rising],
        flush_outcomes=beats.flush_outcomes[rising],
        flush_beaten_counts=beats.flush_beaten_counts[rising],
    )


@kernel
def _sweep_fives(
    lock_subsets: LockSubsetNumbers,
    options: Any,
    hands: OpeningHands,
    opening: Opening,
    order: IntArray,
    strengths: IntArray,
    events: LockEvents,
    dealer_hands: DealerHands,
    target: LockBadBeats,
) -> None:
    """Sweep slots with multisets, and flushes, by rising strength.

    The flushes are those of ``target.flush_keys``; the results are written to ``target``.
    """
    multisets, sums = target.outcomes.shape[1], np.zeros(STATE_COUNT, np.int64)
    each, flush = 0, 0
    while each < len(order) or flush < len(strengths):
        strength = min(read_strength(order, each, INDEX_BITS), read_strength(strengths, flush, 0))
        outcome = settle_bad_beat(strength, strength - 1, options)
        if outcome != BAD_BEAT_LOSES:
            advance_events_to(events, dealer_hands, strength, 0)
        while read_strength(order, each, INDEX_BITS) == strength:
            slot, multiset = (order[each] & INDEX_MASK) // multisets, (order[each] & INDEX_MASK) % multisets
            each += 1
            target.outcomes[slot, multiset] = outcome
            if outcome != BAD_BEAT_LOSES and hands.starts[multiset] < hands.starts[multiset + 1]:
                _sum_multiset(
                    dealer_hands, lock_subsets, multiset, slot, len(opening.role_suits), sums, target.beaten_counts
                )
        while read_strength(strengths, flush, 0) == strength:
            key = target.flush_keys[flush]
            target.flush_outcomes[flush] = outcome
            target.flush_beaten_counts[flush] = _sum_flush(
                dealer_hands, lock_subsets, opening, hands.multisets[get_key_hand(key)], get_key_lane(key)
            )
            flush += 1


@kernel
def _list_fives(
    multisets: HandMultisets,
    tables: HandTables,
    opening: Opening,
    rank_strengths: IntArray,
    starts: IntArray,
    events: LockEvents,
) -> int:
    """List all fives by ranks, and the flushes of each role's suit.

    Their numbers begin at ``starts``.  Return how many there are.
    """
    slots = len(multisets.ranks)
    live, chosen = np.zeros(RANK_COUNT, np.int64), np.zeros(EVENT_CARDS, np.int64)
    numbers, times = np.zeros(SUBSET_COUNT, np.int64), np.zeros(SUBSET_COUNT, np.int64)
    used = 0
    for role in range(len(opening.role_suits)):
        suit = opening.role_suits[role]
        for slot in range(slots):
            suits = get_live_suits(opening.live, multisets.ranks[slot])
            live[slot] = popcount(suits) if role == PLAIN_ROLE else suits >> suit & 1
        chosen[:] = 0
        while chosen[EVENT_CARDS - 1] < slots:
            if has_live_cards(live, chosen, EVENT_CARDS):
                events.from_strengths[used] = rank_strengths[
                    chosen[4], find_multiset(multisets, chosen[0], chosen[1], chosen[2], chosen[3])
                ]
                events.to_strengths[used] = NEVER
                if role != PLAIN_ROLE:
                    mask = 0
                    for card in range(EVENT_CARDS):
                        mask |= 1 << (RANK_COUNT * suit + multisets.ranks[chosen[card]])
                    events.to_strengths[used] = rank_natural_hand(tables, mask, 0)
                events.kind_rows[used], events.w2_copies[used] = used, EVENT_CARDS
                fill_event_addresses(live, chosen, slots, starts[role], numbers, times, events, used)
                used += 1
            advance_kinds(chosen, EVENT_CARDS)
    return used


@kernel_helper
def _sum_multiset(
    dealer_hands: DealerHands,
    lock_subsets: LockSubsetNumbers,
    multiset: int,
    slot: int,
    roles: int,
    sums: IntArray,
    beaten_counts: Int32Array,
) -> None:
    """Sum every role for every state of a multiset's hands."""
    into = beaten_counts[slot, multiset]
    into[0] = sum_plain_role(dealer_hands.table, lock_subsets.by_ranks, lock_subsets.with_w1.by_ranks, multiset, slot)
    for role in range(1, roles):
        _sum_role_states(
            dealer_hands.table,
            dealer_hands.starts[role],
            lock_subsets,
            multiset,
            slot,
            sums,
            into,
            1 + role * 2 * STATE_COUNT,
        )


@kernel_helper
def _sum_role_states(
    table: IntArray,
    start: int,
    lock_subsets: LockSubsetNumbers,
    multiset: int,
    slot: int,
    sums: IntArray,
    target: Int32Array,
    offset: int,
) -> None:
    """Sum the flushes of a suit for every state of a hand.

    The sums are for W1 outside the suit and in it.
    """
    for side in range(2):
        for taken in range(STATE_COUNT):
            sums[taken] = table[start + lock_subsets.by_ranks[multiset, taken]]
            if side:
                sums[taken] -= table[start + lock_subsets.with_w1.by_ranks[multiset, slot, taken]]
        for card in range(HAND):
            for taken in range(STATE_COUNT):
                if taken >> card & 1:
                    sums[taken] = sums[taken ^ 1 << card] - sums[taken]
        for state in range(STATE_COUNT):
            target[offset + 2 * state + side] = sums[state]


@kernel_helper
def _sum_flush(
    dealer_hands: DealerHands, lock_subsets: LockSubsetNumbers, opening: Opening, multiset: int, lane: int
) -> int:
    """Sum all roles for a hand that is of one suit with W1."""
    slot, table = lane & ROW_WIDTH - 1, dealer_hands.table
    total = sum_plain_role(table, lock_subsets.by_ranks, lock_subsets.with_w1.by_ranks, multiset, slot)
    for suit in range(SUIT_COUNT):
        start = dealer_hands.starts[opening.suit_roles[suit]]
        if suit != lane // ROW_WIDTH:
            total -= table[start]
            continue
        for taken in range(STATE_COUNT):
            each = table[start + lock_subsets.by_ranks[multiset, taken]]
            each -= table[start + lock_subsets.with_w1.by_ranks[multiset, slot, taken]]
            total -= each if SUBSET_SIGNS[taken] > 0 else -each
    return total


@kernel_helper
def get_lock_bad_beat(
    opening: Opening, bad_beats: LockBadBeats, hands: OpeningHands, hand: int, lane: int
) -> tuple[int, int]:
    """Return the Bad Beat of a hand and W1.

    This is its outcome when the hand is ahead, and how many W2s and dealers they beat.
    """
    state, suit, slot = hands.states[hand], lane // ROW_WIDTH, lane & ROW_WIDTH - 1
    if state >> HAND * suit & STATE_COUNT - 1 == STATE_COUNT - 1:
        flush = find_key(bad_beats.flush_keys, lane, hand)
        return bad_beats.flush_outcomes[flush], bad_beats.flush_beaten_counts[flush]
    multiset = hands.multisets[hand]
    outcome = bad_beats.outcomes[slot, multiset]
    if outcome == BAD_BEAT_LOSES:
        return outcome, 0
    total = bad_beats.beaten_counts[slot, multiset, 0]
    for each in range(SUIT_COUNT):
        held = state >> HAND * each & STATE_COUNT - 1
        at = 1 + (opening.suit_roles[each] * STATE_COUNT + held) * 2 + (1 if each == suit else 0)
        total -= bad_beats.beaten_counts[slot, multiset, at]
    return outcome, total
