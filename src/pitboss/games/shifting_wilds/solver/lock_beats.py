"""The Bad Beat after a Lock: how many W2s and dealers a hand is ahead of by the natural five, own four cards and W1.

The dealer's four cards and W2 are five natural cards, whichever of them is W2, so each five counts five times.  It is
swept as main is (``decide``); only a flush of five in one suit is more than its ranks are.
"""

from typing import Any, NamedTuple

import numpy as np

from pitboss.cards import RANK_COUNT, SUIT_COUNT, popcount
from pitboss.counting.blocks import Integers
from pitboss.counting.compile import kernel, part
from pitboss.games.shifting_wilds.rules import BAD_BEAT_LOSES, HAND, bad_beat_outcome, natural_five
from pitboss.games.shifting_wilds.solver.boards import live_of
from pitboss.games.shifting_wilds.solver.crowd import INDEX, NEVER, SHIFT, WIDTH, Crowd, crowd_of
from pitboss.games.shifting_wilds.solver.fives import find, hand_of, lane_of_key, natural_flushes
from pitboss.games.shifting_wilds.solver.hands import (
    SIGN_OF,
    STATES,
    Hands,
    Multisets,
    Numbers,
    are_there,
    multiset_at,
    next_kinds,
)
from pitboss.games.shifting_wilds.solver.lock import (
    EVENT,
    PLAIN_ROLE,
    Events,
    LockSets,
    Opening,
    address,
    events_up_to,
    plain_sum,
    rows_of_events,
)
from pitboss.games.shifting_wilds.solver.sums import LANES, Sets, by_strength, w1_of
from pitboss.hands import HandTables


class LockBeats(NamedTuple):
    """The W2s and dealers that hands are ahead of.

    ``outcomes`` (slots, multisets) when ahead; ``ahead`` (slots, multisets, 1 + roles x 32): by ranks alone, and for
    each role, state and W1 outside the suit or in it what flushes take from it.  For hands that are flushes
    themselves: ``keys``, lane and hand in one word (``fives``), rising; ``made``, their outcomes, and ``own``, what
    they beat.
    """

    outcomes: Integers
    ahead: Numbers
    keys: Integers
    made: Integers
    own: Integers


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
    rows = rows_of_events(len(sets.multisets.ranks))
    starts = np.arange(len(opening.suits) + 1) * rows
    used = _list_fives(sets.multisets, tables, opening, by_ranks, starts, events)
    crowd = crowd_of(events.leaves[:used], events.joins[:used], np.zeros(starts[-1], np.int64), starts)
    left = [opening.live & w1_of(sets, lane) if lane % WIDTH < len(by_ranks) else 0 for lane in range(LANES)]
    strengths, keys = natural_flushes(tables, hands, np.array(left, np.int64))
    beats = LockBeats(
        outcomes=np.full(by_ranks.shape, BAD_BEAT_LOSES, np.int64),
        ahead=np.zeros((*by_ranks.shape, 1 + len(opening.suits) * 2 * STATES), np.int32),
        keys=keys,
        made=np.zeros(len(keys), np.int64),
        own=np.zeros(len(keys), np.int64),
    )
    order = by_strength(by_ranks.ravel())
    _sweep_fives(lock_sets, options, hands, opening, order, strengths, events, crowd, beats)
    rising = np.argsort(keys)
    return beats._replace(keys=keys[rising], made=beats.made[rising], own=beats.own[rising])


@kernel
def _sweep_fives(
    lock_sets: LockSets,
    options: Any,
    hands: Hands,
    opening: Opening,
    order: Integers,
    strengths: Integers,
    events: Events,
    crowd: Crowd,
    into: LockBeats,
) -> None:
    """Sweep slots with multisets, and the flushes of ``into.keys``, by rising strength, and fill in who is beaten."""
    multisets, sums = into.outcomes.shape[1], np.zeros(STATES, np.int64)
    each, flush = 0, 0
    while each < len(order) or flush < len(strengths):
        made = NEVER
        if each < len(order):
            made = order[each] >> SHIFT
        if flush < len(strengths):
            made = min(made, strengths[flush])
        outcome = bad_beat_outcome(made, made - 1, options)
        if outcome != BAD_BEAT_LOSES:
            events_up_to(events, crowd, made, 0)
        while each < len(order) and order[each] >> SHIFT == made:
            slot, multiset = (order[each] & INDEX) // multisets, (order[each] & INDEX) % multisets
            each += 1
            into.outcomes[slot, multiset] = outcome
            if outcome != BAD_BEAT_LOSES and hands.first[multiset] < hands.first[multiset + 1]:
                _sum_up(crowd, lock_sets, multiset, slot, len(opening.suits), sums, into.ahead)
        while flush < len(strengths) and strengths[flush] == made:
            key = into.keys[flush]
            into.made[flush] = outcome
            into.own[flush] = _flush_sum(crowd, lock_sets, opening, hands.multisets[hand_of(key)], lane_of_key(key))
            flush += 1


@kernel
def _list_fives(
    multisets: Multisets, tables: HandTables, opening: Opening, by_ranks: Integers, starts: Integers, events: Events
) -> int:
    """List all fives by ranks, and the flushes of each role's suit, by numbers from ``starts`` on; return how many."""
    slots = len(multisets.ranks)
    live, chosen, rest = np.zeros(RANK_COUNT, np.int64), np.zeros(EVENT, np.int64), np.zeros(EVENT, np.int64)
    used = 0
    for role in range(len(opening.suits)):
        suit = opening.suits[role]
        for slot in range(slots):
            suits = live_of(opening.live, multisets.ranks[slot])
            live[slot] = popcount(suits) if role == PLAIN_ROLE else suits >> suit & 1
        chosen[:] = 0
        while chosen[EVENT - 1] < slots:
            if are_there(live, chosen, EVENT):
                events.leaves[used] = by_ranks[
                    chosen[4], multiset_at(multisets, chosen[0], chosen[1], chosen[2], chosen[3])
                ]
                events.joins[used] = NEVER
                if role != PLAIN_ROLE:
                    mask = 0
                    for card in range(EVENT):
                        mask |= 1 << (RANK_COUNT * suit + multisets.ranks[chosen[card]])
                    events.joins[used] = natural_five(tables, mask, 0)
                events.owner[used], events.copies[used] = used, EVENT
                address(live, chosen, rest, slots, starts[role], events, used)
                used += 1
            next_kinds(chosen, EVENT)
    return used


@part
def _sum_up(
    crowd: Crowd, lock_sets: LockSets, multiset: int, slot: int, roles: int, sums: Integers, ahead: Numbers
) -> None:
    """Sum up every role for every state of a multiset's hands."""
    into = ahead[slot, multiset]
    into[0] = plain_sum(crowd.table, lock_sets.by_ranks, lock_sets.with_w1.ranked, multiset, slot)
    for role in range(1, roles):
        _role_sums(crowd.table, crowd.starts[role], lock_sets, multiset, slot, sums, into, 1 + role * 2 * STATES)


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
def _flush_sum(crowd: Crowd, lock_sets: LockSets, opening: Opening, multiset: int, lane: int) -> int:
    """Sum up all roles for a hand and W1 all of one suit."""
    slot, table = lane & WIDTH - 1, crowd.table
    total = plain_sum(table, lock_sets.by_ranks, lock_sets.with_w1.ranked, multiset, slot)
    for suit in range(SUIT_COUNT):
        start = crowd.starts[opening.roles[suit]]
        if suit != lane // WIDTH:
            total -= table[start]
            continue
        for taken in range(STATES):
            each = table[start + lock_sets.by_ranks[multiset, taken]]
            each -= table[start + lock_sets.with_w1.ranked[multiset, slot, taken]]
            total -= each if SIGN_OF[taken] > 0 else -each
    return total


@part
def beats_of(opening: Opening, beats: LockBeats, hands: Hands, hand: int, lane: int) -> tuple[int, int]:
    """Return the outcome of a hand and W1 when they are ahead, and how many W2s and dealers they are ahead of."""
    state, suit, slot = hands.states[hand], lane // WIDTH, lane & WIDTH - 1
    if state >> HAND * suit & STATES - 1 == STATES - 1:
        flush = find(beats.keys, lane, hand)
        return beats.made[flush], beats.own[flush]
    multiset = hands.multisets[hand]
    outcome = beats.outcomes[slot, multiset]
    if outcome == BAD_BEAT_LOSES:
        return outcome, 0
    total = beats.ahead[slot, multiset, 0]
    for each in range(SUIT_COUNT):
        held = state >> HAND * each & STATES - 1
        at = 1 + (opening.roles[each] * STATES + held) * 2 + (1 if each == suit else 0)
        total -= beats.ahead[slot, multiset, at]
    return outcome, total
