"""The Bad Beat after a Lock: how many W2s and dealers a hand is ahead of by the natural five, own four cards and W1.

The dealer's four cards and W2 are five natural cards, whichever of them is W2, so each five counts five times.  It is
swept as main is (``decide``); only a flush of five in one suit is more than its ranks are.
"""

from typing import Any, NamedTuple

import numpy as np

from pitboss.cards import RANKS, SUITS
from pitboss.counting.blocks import Integers
from pitboss.counting.compile import kernel, part
from pitboss.games.shifting_wilds.rules import BAD_BEAT_LOSES, HAND, bad_beat_outcome, natural_five
from pitboss.games.shifting_wilds.solver.boards import live_of
from pitboss.games.shifting_wilds.solver.crowd import INDEX, NEVER, SHIFT, WIDTH
from pitboss.games.shifting_wilds.solver.hands import SIGN_OF, STATES, Hands, Multisets, Numbers, multiset_at
from pitboss.games.shifting_wilds.solver.lock import (
    EVENT,
    PLAIN_ROLE,
    Events,
    LockSets,
    Opening,
    address,
    are_there,
    pass_events,
    plain_sum,
    rows_of_events,
)
from pitboss.games.shifting_wilds.solver.sums import Sets, w1_of
from pitboss.hands import HandTables

_KEY_BITS = 24
_LANE_BITS = 6
_INDEX_BITS = 20


class LockBeats(NamedTuple):
    """The W2s and dealers that hands are ahead of.

    ``outcomes`` (slots, multisets) when ahead; ``ahead`` (slots, multisets, 1 + roles x 32): by ranks alone, and for
    each role, state and W1 outside the suit or in it what flushes take from it.  For hands that are flushes
    themselves: ``keys``, hand and lane in one word, sorted; ``made``, their outcomes, and ``own``, what they beat.
    """

    outcomes: Integers
    ahead: Numbers
    keys: Integers
    made: Integers
    own: Integers


@kernel
def lock_beats(
    sets: Sets,
    lock_sets: LockSets,
    tables: HandTables,
    options: Any,
    hands: Hands,
    opening: Opening,
    by_ranks: Integers,
    events: Events,
) -> LockBeats:
    """Sweep the natural fives of every hand and W1; ``by_ranks`` (slots, multisets) are their strengths by ranks."""
    slots, roles = len(sets.multisets.ranks), len(opening.suits)
    rows = rows_of_events(slots)
    used = 0
    for role in range(roles):
        used = _list_fives(sets.multisets, tables, opening, role, by_ranks, role * rows, events, used)
    table = np.zeros(roles * rows, np.int64)
    leaving = np.sort(events.leaves[:used] << SHIFT | np.arange(used))
    joining = np.sort(events.joins[:used] << SHIFT | np.arange(used))
    joining = joining[joining >> SHIFT < NEVER]
    order = np.sort((by_ranks << SHIFT).ravel() | np.arange(by_ranks.size))
    flushes = _flushes(sets, tables, hands, opening)
    outcomes = np.full(by_ranks.shape, BAD_BEAT_LOSES, np.int64)
    ahead = np.zeros((slots, len(sets.multisets.slots), 1 + roles * 2 * STATES), np.int32)
    keys, made_of = flushes & (1 << _KEY_BITS) - 1, np.zeros(len(flushes), np.int64)
    own = np.zeros(len(flushes), np.int64)
    following, sums = np.zeros(4, np.int64), np.zeros(STATES, np.int64)
    each, flush = 0, 0
    while each < len(order) and order[each] < 0:
        each += 1
    while each < len(order) or flush < len(flushes):
        made = NEVER
        if each < len(order):
            made = order[each] >> SHIFT
        if flush < len(flushes):
            made = min(made, flushes[flush] >> _KEY_BITS)
        outcome = bad_beat_outcome(made, made - 1, options)
        if outcome != BAD_BEAT_LOSES:
            pass_events(events, leaving, following, 0, made, 1, table)
            pass_events(events, joining, following, 1, made, -1, table)
        while each < len(order) and order[each] >> SHIFT == made:
            slot, multiset = (order[each] & INDEX) // by_ranks.shape[1], (order[each] & INDEX) % by_ranks.shape[1]
            each += 1
            outcomes[slot, multiset] = outcome
            if outcome != BAD_BEAT_LOSES and hands.first[multiset] < hands.first[multiset + 1]:
                into = ahead[slot, multiset]
                into[0] = plain_sum(table, lock_sets.by_ranks, lock_sets.with_w1.ranked, multiset, slot)
                for role in range(1, roles):
                    _role_sums(table, role * rows, lock_sets, multiset, slot, sums, into, 1 + role * 2 * STATES)
        while flush < len(flushes) and flushes[flush] >> _KEY_BITS == made:
            hand, lane = keys[flush] >> _LANE_BITS, keys[flush] & (1 << _LANE_BITS) - 1
            made_of[flush] = outcome
            own[flush] = _flush_sum(table, rows, lock_sets, opening, hands.multisets[hand], lane)
            flush += 1
    rising = np.sort(keys << _INDEX_BITS | np.arange(len(keys))) & (1 << _INDEX_BITS) - 1
    return LockBeats(outcomes, ahead, keys[rising], made_of[rising], own[rising])


@part
def _list_fives(
    multisets: Multisets,
    tables: HandTables,
    opening: Opening,
    role: int,
    by_ranks: Integers,
    start: int,
    events: Events,
    used: int,
) -> int:
    """List all fives by ranks, or the flushes of a role's suit, whose numbers begin at ``start``."""
    slots, suit = len(multisets.ranks), opening.suits[role]
    live, chosen, rest = opening.room[0], opening.room[1], opening.room[2]
    for slot in range(slots):
        suits = live_of(opening.live, multisets.ranks[slot])
        alive = (suits & 1) + (suits >> 1 & 1) + (suits >> 2 & 1) + (suits >> 3 & 1)
        live[slot] = alive if role == PLAIN_ROLE else suits >> suit & 1
    for e in range(slots):
        for d in range(e + 1):
            for c in range(d + 1):
                for b in range(c + 1):
                    for a in range(b + 1):
                        chosen[0], chosen[1], chosen[2], chosen[3], chosen[4] = a, b, c, d, e
                        if not are_there(live, chosen):
                            continue
                        events.leaves[used] = by_ranks[e, multiset_at(multisets, a, b, c, d)]
                        events.joins[used] = NEVER
                        if role != PLAIN_ROLE:
                            mask = 0
                            for card in range(EVENT):
                                mask |= 1 << (RANKS * suit + multisets.ranks[chosen[card]])
                            events.joins[used] = natural_five(tables, mask, 0)
                        events.owner[used], events.copies[used] = used, EVENT
                        address(live, chosen, rest, slots, start, events, used)
                        used += 1
    return used


@part
def _role_sums(
    table: Integers,
    start: int,
    lock_sets: LockSets,
    multiset: int,
    slot: int,
    sums: Integers,
    into: Numbers,
    to: int,
) -> None:
    """Sum up the flushes of a suit for every state of a hand, W1 outside the suit and in it."""
    for side in range(2):
        for taken in range(STATES):
            sums[taken] = table[start + lock_sets.by_ranks[multiset, taken]]
            if side:
                sums[taken] -= table[start + lock_sets.with_w1.ranked[multiset, slot, taken]]
        for card in range(HAND):
            for taken in range(STATES):
                if taken >> card & 1:
                    sums[taken] = sums[taken ^ 1 << card] - sums[taken]
        for state in range(STATES):
            into[to + 2 * state + side] = sums[state]


@part
def _flush_sum(table: Integers, rows: int, lock_sets: LockSets, opening: Opening, multiset: int, lane: int) -> int:
    """Sum up all roles for a hand and W1 all of one suit."""
    slot = lane & WIDTH - 1
    total = plain_sum(table, lock_sets.by_ranks, lock_sets.with_w1.ranked, multiset, slot)
    for suit in range(SUITS):
        start = opening.roles[suit] * rows
        if suit != lane // WIDTH:
            total -= table[start]
            continue
        for taken in range(STATES):
            each = table[start + lock_sets.by_ranks[multiset, taken]]
            each -= table[start + lock_sets.with_w1.ranked[multiset, slot, taken]]
            total -= each if SIGN_OF[taken] > 0 else -each
    return total


@kernel
def _flushes(sets: Sets, tables: HandTables, hands: Hands, opening: Opening) -> Integers:
    """Return the hands and W1s of one suit, sorted: strength, hand and lane in one word."""
    words = np.empty(SUITS * RANKS * len(hands.masks), np.int64)
    used = 0
    for hand in range(len(hands.masks)):
        for suit in range(SUITS):
            if hands.states[hand] >> HAND * suit & STATES - 1 != STATES - 1:
                continue
            for slot in range(len(sets.multisets.ranks)):
                lane = suit * WIDTH + slot
                w1 = w1_of(sets, lane)
                if w1 & opening.live & ~hands.masks[hand]:
                    made = natural_five(tables, hands.masks[hand], w1)
                    words[used] = (made << _KEY_BITS - _LANE_BITS | hand) << _LANE_BITS | lane
                    used += 1
    return np.sort(words[:used])


@part
def beats_of(opening: Opening, beats: LockBeats, hands: Hands, hand: int, lane: int) -> tuple[int, int]:
    """Return the outcome of a hand and W1 when they are ahead, and how many W2s and dealers they are ahead of."""
    state, suit, slot = hands.states[hand], lane // WIDTH, lane & WIDTH - 1
    if state >> HAND * suit & STATES - 1 == STATES - 1:
        key = hand << _LANE_BITS | lane
        low, high = 0, len(beats.keys)
        while low < high:
            middle = (low + high) >> 1
            if beats.keys[middle] < key:
                low = middle + 1
            else:
                high = middle
        return beats.made[low], beats.own[low]
    multiset = hands.multisets[hand]
    outcome = beats.outcomes[slot, multiset]
    if outcome == BAD_BEAT_LOSES:
        return outcome, 0
    total = beats.ahead[slot, multiset, 0]
    for each in range(SUITS):
        held = state >> HAND * each & STATES - 1
        at = 1 + (opening.roles[each] * STATES + held) * 2 + (1 if each == suit else 0)
        total -= beats.ahead[slot, multiset, at]
    return outcome, total
