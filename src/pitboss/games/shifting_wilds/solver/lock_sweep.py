"""The decision to check or lock.

Every hand and W1 of an opening is decided by rising strength after a Lock.
"""

from typing import Any

import numpy as np

from pitboss.cards import SUIT_COUNT
from pitboss.games.shifting_wilds.rules import BAD_BEAT_LOSES
from pitboss.games.shifting_wilds.solver.dealer_hands import INDEX_BITS, INDEX_MASK, ROW_WIDTH, DealerHands
from pitboss.games.shifting_wilds.solver.dealer_sums import LANE_COUNT, SubsetNumbers, get_w1, is_least
from pitboss.games.shifting_wilds.solver.lock_bad_beat import LockBadBeats, get_lock_bad_beat
from pitboss.games.shifting_wilds.solver.lock_events import (
    LOCK_UP_TO_UNIT,
    LockEvents,
    LockSubsetNumbers,
    Opening,
    advance_events_to,
    make_event_tables,
)
from pitboss.games.shifting_wilds.solver.lock_flushes import (
    STRENGTH_SHIFT,
    can_flush,
    find_run,
    get_lock_hand,
    get_lock_lane,
    is_free,
    list_lock_flushes,
    sort_lock_pairs,
)
from pitboss.games.shifting_wilds.solver.lock_sums import (
    LockSums,
    locate_sum,
    make_lock_sums,
    sum_all_states,
    sum_flush,
    sum_low,
    sum_unqualified,
)
from pitboss.games.shifting_wilds.solver.multisets import (
    BONUS_MASK,
    Int32Array,
    OpeningHands,
    count_copies,
    find_other_cards,
)
from pitboss.games.shifting_wilds.solver.play_values import CheckValues, Payoffs, PlayTotals, get_base_value, get_group
from pitboss.games.shifting_wilds.strategies import LOCK
from pitboss.hands import HandTables
from pitboss.kernels.compile import kernel, kernel_helper
from pitboss.kernels.enumeration import IntArray
from pitboss.kernels.sorted_strengths import read_strength

_BELOW_MASK = LOCK_UP_TO_UNIT - 1


@kernel_helper
def _tally_lock(
    play_totals: PlayTotals,
    play_index: int,
    bonus: int,
    group: int,
    weight: int,
    below: int,
    up_to: int,
    unqualified: int,
    outcome: int,
    beaten_count: int,
) -> None:
    """Tally the events that ``weight`` like positions meet after a Lock."""
    totals = play_totals.totals
    totals[play_index, bonus, group, 0] += weight
    totals[play_index, bonus, group, 1] += weight * below
    totals[play_index, bonus, group, 2] += weight * up_to
    totals[play_index, bonus, group, 3] += weight * unqualified
    if outcome != BAD_BEAT_LOSES:
        play_totals.beaten_counts[play_index, outcome] += weight * beaten_count


@kernel_helper
def _decide_position(
    subsets: SubsetNumbers,
    hands: OpeningHands,
    opening: Opening,
    bad_beats: LockBadBeats,
    payoffs: Payoffs,
    hand: int,
    lane: int,
    group: int,
    bonus: int,
    word: int,
    unqualified: int,
    check_values: CheckValues,
    first_actions: Any,
    check_weights: Any,
    play_totals: PlayTotals,
) -> int:
    """Decide a position and tally it if it locks; return 1 for equal values.

    The best play locks where that is worth more than a Check; a strategy locks where it says so.
    """
    below, up_to = word & _BELOW_MASK, word >> 32
    table = payoffs.group_values
    value = get_base_value(payoffs, group, bonus) + table[group, 1] * below + table[group, 2] * up_to
    value += table[group, 3] * unqualified
    outcome, beaten = get_lock_bad_beat(opening, bad_beats, hands, hand, lane)
    value += payoffs.bad_beat_values[outcome] * beaten
    at, weight = np.uint64(hand * LANE_COUNT + lane), hands.weights[hand]
    for play in range(len(first_actions)):
        if first_actions[play, at] == LOCK:
            _tally_lock(play_totals, 1 + play, bonus, group, weight, below, up_to, unqualified, outcome, beaten)
    check = check_values.values[at]
    check_values.values[at] = check - value
    if check < value:
        _tally_lock(play_totals, 0, bonus, group, weight, below, up_to, unqualified, outcome, beaten)
        return 0
    check_weights[at] = weight
    check_values.sums[0] += weight * check
    check_values.sums[1] += weight * check_values.play_counts[at]
    if check > value:
        return 0
    return 1 if is_least(hands.masks[hand], get_w1(subsets, lane), 0, play_totals.permutations) else 0


def check_or_lock(
    subsets: SubsetNumbers,
    lock_subsets: LockSubsetNumbers,
    tables: HandTables,
    options: Any,
    hands: OpeningHands,
    opening: Opening,
    bad_beats: LockBadBeats,
    payoffs: Payoffs,
    events: LockEvents,
    check_values: CheckValues,
    first_actions: Any,
    check_weights: Any,
    play_totals: PlayTotals,
) -> int:
    """Decide every hand and W1 of an opening.

    Return how many positions, up to suits, are worth the same either way.  ``check_values.values`` holds what a Check
    is worth beyond a fold, and afterwards beyond a Lock.  ``check_weights`` (hands x lanes), all zero at first,
    receives the weights of the positions that check.  The events that Locks meet are tallied for the best play first,
    then for each strategy, whose first actions are in ``first_actions`` (strategies, hands x lanes).
    """
    event_tables = make_event_tables(subsets.multisets, tables, options, opening, payoffs.qualifying_strength, events)
    dealer_hands, unqualified = event_tables
    low = sum_unqualified(lock_subsets, hands, opening, dealer_hands._replace(table=unqualified))
    sorted_words = sort_lock_pairs(hands, opening), list_lock_flushes(subsets, tables, options, hands, opening)
    return _sweep_by_strength(
        subsets,
        lock_subsets,
        hands,
        opening,
        *sorted_words,
        bad_beats,
        payoffs,
        events,
        dealer_hands,
        make_lock_sums(low),
        check_values,
        first_actions,
        check_weights,
        play_totals,
    )


@kernel
def _sweep_by_strength(
    subsets: SubsetNumbers,
    lock_subsets: LockSubsetNumbers,
    hands: OpeningHands,
    opening: Opening,
    order: IntArray,
    flushes: IntArray,
    bad_beats: LockBadBeats,
    payoffs: Payoffs,
    events: LockEvents,
    dealer_hands: DealerHands,
    sums: LockSums,
    check_values: CheckValues,
    first_actions: Any,
    check_weights: Any,
    play_totals: PlayTotals,
) -> int:
    """Sweep multisets and flushes by rising strength (``check_or_lock``).

    Multisets are taken with W1's slots.
    """
    slots = len(subsets.multisets.ranks)
    each, flush, equal = 0, 0, 0
    while each < len(order) or flush < len(flushes):
        strength = min(read_strength(order, each, INDEX_BITS), read_strength(flushes, flush, STRENGTH_SHIFT))
        advance_events_to(events, dealer_hands, strength, LOCK_UP_TO_UNIT)
        group = get_group(strength, payoffs.qualifying_strength)
        while read_strength(order, each, INDEX_BITS) == strength:
            multiset, slot = (order[each] & INDEX_MASK) // slots, (order[each] & INDEX_MASK) % slots
            each += 1
            sum_all_states(lock_subsets, opening, dealer_hands, multiset, slot, sums.rows, sums.of_states)
            equal += _decide_multiset(
                subsets,
                hands,
                opening,
                bad_beats,
                payoffs,
                multiset,
                slot,
                group,
                sums.of_states,
                sums.low[multiset * slots + slot],
                check_values,
                first_actions,
                check_weights,
                play_totals,
            )
        while read_strength(flushes, flush, STRENGTH_SHIFT) == strength:
            equal += _decide_flush(
                subsets,
                lock_subsets,
                hands,
                opening,
                bad_beats,
                payoffs,
                dealer_hands,
                sums,
                flushes[flush],
                group,
                check_values,
                first_actions,
                check_weights,
                play_totals,
            )
            flush += 1
    return equal


@kernel_helper
def _decide_flush(
    subsets: SubsetNumbers,
    lock_subsets: LockSubsetNumbers,
    hands: OpeningHands,
    opening: Opening,
    bad_beats: LockBadBeats,
    payoffs: Payoffs,
    dealer_hands: DealerHands,
    sums: LockSums,
    flush_word: int,
    group: int,
    check_values: CheckValues,
    first_actions: Any,
    check_weights: Any,
    play_totals: PlayTotals,
) -> int:
    """Decide a hand and W1 of ``list_lock_flushes``."""
    hand, lane, bonus = get_lock_hand(flush_word), get_lock_lane(flush_word), flush_word & BONUS_MASK
    run = find_run(flush_word, hands.multisets[hand])
    word = sum_flush(dealer_hands.table, dealer_hands.starts, lock_subsets, hands, opening, hand, lane, run, sums)
    low = sum_low(sums.low, hands, opening, hand, lane)
    return _decide_position(
        subsets,
        hands,
        opening,
        bad_beats,
        payoffs,
        hand,
        lane,
        group,
        bonus,
        word,
        low,
        check_values,
        first_actions,
        check_weights,
        play_totals,
    )


@kernel_helper
def _decide_multiset(
    subsets: SubsetNumbers,
    hands: OpeningHands,
    opening: Opening,
    bad_beats: LockBadBeats,
    payoffs: Payoffs,
    multiset: int,
    slot: int,
    group: int,
    sums: IntArray,
    low: Int32Array,
    check_values: CheckValues,
    first_actions: Any,
    check_weights: Any,
    play_totals: PlayTotals,
) -> int:
    """Decide a multiset's hands that are not a flush, with each W1 of a slot."""
    slots = subsets.multisets.slots[multiset]
    naturals, wild_cards = find_other_cards(slots, slot), count_copies(slots, slot)
    equal, bonus = 0, opening.bonuses[slot, multiset]
    for hand in range(hands.starts[multiset], hands.starts[multiset + 1]):
        state = hands.states[hand]
        word, unqualified = sums[0], int(low[0])
        for suit in range(SUIT_COUNT):
            at = locate_sum(opening, suit, state)
            word -= sums[at]
            unqualified -= low[at]
        for suit in range(SUIT_COUNT):
            lane = suit * ROW_WIDTH + slot
            if can_flush(opening, state, lane, naturals, wild_cards) or not is_free(
                subsets, opening, hands.masks[hand], lane
            ):
                continue
            at = locate_sum(opening, suit, state)
            own = word + sums[at] - sums[at + 1]
            own_unqualified = unqualified + low[at] - low[at + 1]
            equal += _decide_position(
                subsets,
                hands,
                opening,
                bad_beats,
                payoffs,
                hand,
                lane,
                group,
                bonus,
                own,
                own_unqualified,
                check_values,
                first_actions,
                check_weights,
                play_totals,
            )
    return equal
