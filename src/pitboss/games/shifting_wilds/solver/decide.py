"""Check or lock: every hand and W1 beside two community cards, in the order of strength after a Lock."""

from typing import Any

import numpy as np

from pitboss.cards import SUIT_COUNT
from pitboss.counting.blocks import Integers
from pitboss.counting.compile import kernel, part
from pitboss.games.shifting_wilds.rules import BAD_BEAT_LOSES, HAND
from pitboss.games.shifting_wilds.solver.boards import made_of
from pitboss.games.shifting_wilds.solver.crowd import INDEX, NEVER, SHIFT, WIDTH, Crowd
from pitboss.games.shifting_wilds.solver.hands import (
    BONUS_BITS,
    BONUS_MASK,
    HAND_BITS,
    HAND_MASK,
    SIGN_OF,
    SIZE_OF,
    STATES,
    TERNARY,
    TERNARY_OF,
    Hands,
    copies_of,
    others_than,
)
from pitboss.games.shifting_wilds.solver.lock import (
    EVENT,
    MOST_ROLES,
    WORD,
    Events,
    LockSets,
    Opening,
    events_up_to,
    gather_events,
    plain_sum,
)
from pitboss.games.shifting_wilds.solver.lock_beats import LockBeats, beats_of
from pitboss.games.shifting_wilds.solver.play import Books, Checks, Stakes, group_of, whole_of
from pitboss.games.shifting_wilds.solver.sums import LANES, Sets, is_least, w1_of
from pitboss.games.shifting_wilds.strategies import LOCK
from pitboss.hands import HandTables

_LANE_BITS = 6
_STRENGTH = HAND_BITS + BONUS_BITS + _LANE_BITS
_LOW = WORD - 1


@part
def _may_flush(opening: Opening, state: int, lane: int, naturals: int, wild_cards: int) -> bool:
    """Tell whether a hand may be a flush with the W1 of a lane."""
    for suit in range(SUIT_COUNT):
        of_suit = opening.shown[opening.roles[suit]] + (1 if lane // WIDTH == suit else 0)
        if SIZE_OF[state >> HAND * suit & naturals] + of_suit + wild_cards >= EVENT:
            return True
    return False


@part
def is_free(sets: Sets, opening: Opening, mask: int, lane: int) -> Any:
    """Tell whether the card of a lane can be W1 beside a hand."""
    if lane & WIDTH - 1 >= len(sets.multisets.ranks):
        return False
    return (opening.live & ~mask) & w1_of(sets, lane) != 0


def maybe_locked_flushes(sets: Sets, tables: HandTables, options: Any, hands: Hands, opening: Opening) -> Integers:
    """Return the hands and W1s that may make a flush, sorted.

    Strength, lane, outcome of the Regular Bonus and hand are one word.
    """
    words = np.empty(LANES * len(hands.masks), np.int64)
    return np.sort(words[: _list_flushes(sets, tables, options, hands, opening, words)])


@kernel
def _list_flushes(sets: Sets, tables: HandTables, options: Any, hands: Hands, opening: Opening, words: Integers) -> int:
    """Write the words of ``maybe_locked_flushes`` and return how many there are."""
    used = 0
    for hand in range(len(hands.masks)):
        slots = sets.multisets.slots[hands.multisets[hand]]
        for slot in range(len(sets.multisets.ranks)):
            naturals, wild_cards = others_than(slots, slot), copies_of(slots, slot)
            for suit in range(SUIT_COUNT):
                lane = suit * WIDTH + slot
                if not _may_flush(opening, hands.states[hand], lane, naturals, wild_cards):
                    continue
                if is_free(sets, opening, hands.masks[hand], lane):
                    made, bonus = made_of(tables, hands.masks[hand], opening.community, w1_of(sets, lane), options)
                    words[used] = ((made << _LANE_BITS | lane) << BONUS_BITS | bonus) << HAND_BITS | hand
                    used += 1
    return used


@part
def _suit_sums(
    table: Integers, start: int, lock_sets: LockSets, multiset: int, slot: int, rows: Integers, into: Integers, to: int
) -> None:
    """Sum up the role of a suit for every state of a hand, W1 outside the suit and in it, to ``into[to:]``."""
    without, suited = lock_sets.suited, lock_sets.with_w1.suited
    for side in range(2):
        for code in range(TERNARY):
            rows[code] = (
                table[np.uint64(start + without[multiset, code])]
                - table[np.uint64(start + suited[multiset, slot, side, code])]
            )
        for code in range(0, TERNARY, 3):
            rows[code + 1], rows[code + 2] = rows[code] - rows[code + 1], rows[code] - rows[code + 2]
        for code in range(0, TERNARY, 9):
            for low in range(1, 3):
                none = rows[code + low]
                rows[code + 3 + low], rows[code + 6 + low] = none - rows[code + 3 + low], none - rows[code + 6 + low]
        for code in range(0, TERNARY, 27):
            for low in (4, 5, 7, 8):
                none = rows[code + low]
                rows[code + 9 + low], rows[code + 18 + low] = none - rows[code + 9 + low], none - rows[code + 18 + low]
        for state in range(STATES):
            at = TERNARY_OF[STATES - 1, state]
            low = at % 27
            into[to + 2 * state + side] = rows[low] - rows[at]


@part
def _own_sum(
    table: Integers, starts: Integers, lock_sets: LockSets, hands: Hands, opening: Opening, hand: int, lane: int
) -> int:
    """Sum up all roles for one hand and W1."""
    multiset, slot = hands.multisets[hand], lane & WIDTH - 1
    total = plain_sum(table, lock_sets.by_ranks, lock_sets.with_w1.ranked, multiset, slot)
    for suit in range(SUIT_COUNT):
        start = starts[opening.roles[suit]]
        state, side = hands.states[hand] >> HAND * suit & STATES - 1, 1 if lane // WIDTH == suit else 0
        for taken in range(STATES):
            code = TERNARY_OF[taken, state]
            each = table[np.uint64(start + lock_sets.suited[multiset, code])]
            each -= table[np.uint64(start + lock_sets.with_w1.suited[multiset, slot, side, code])]
            total -= each if SIGN_OF[taken] > 0 else -each
    return total


@part
def _book(
    books: Books,
    play: int,
    bonus: int,
    group: int,
    weight: int,
    below: int,
    up_to: int,
    unqualified: int,
    outcome: int,
    before: int,
) -> None:
    """Book what so many positions alike meet after a Lock."""
    totals = books.totals
    totals[play, bonus, group, 0] += weight
    totals[play, bonus, group, 1] += weight * below
    totals[play, bonus, group, 2] += weight * up_to
    totals[play, bonus, group, 3] += weight * unqualified
    if outcome != BAD_BEAT_LOSES:
        books.ahead[play, outcome] += weight * before


@part
def _decide(
    sets: Sets,
    hands: Hands,
    opening: Opening,
    beats: LockBeats,
    stakes: Stakes,
    hand: int,
    lane: int,
    group: int,
    bonus: int,
    word: int,
    unqualified: int,
    checks: Checks,
    first: Any,
    checked: Any,
    books: Books,
) -> int:
    """Lock where that is worth more than a Check, or is told, and count it; return 1 for a position of equal value."""
    below, up_to = word & _LOW, word >> 32
    worth = stakes.worth
    value = whole_of(stakes, group, bonus) + worth[group, 1] * below + worth[group, 2] * up_to
    value += worth[group, 3] * unqualified
    outcome, before = beats_of(opening, beats, hands, hand, lane)
    value += stakes.beat[outcome] * before
    at, weight = np.uint64(hand * LANES + lane), hands.weights[hand]
    for play in range(len(first)):
        if first[play, at] == LOCK:
            _book(books, 1 + play, bonus, group, weight, below, up_to, unqualified, outcome, before)
    check = checks.best[at]
    checks.best[at] = check - value
    if check < value:
        _book(books, 0, bonus, group, weight, below, up_to, unqualified, outcome, before)
        return 0
    checked[at] = weight
    checks.sums[0] += weight * check
    checks.sums[1] += weight * checks.plays[at]
    if check > value:
        return 0
    return 1 if is_least(hands.masks[hand], w1_of(sets, lane), 0, books.orders) else 0


def _pairs_by_strength(hands: Hands, opening: Opening) -> Integers:
    """Return the multisets there are and W1's slots, by rising strength of their ranks, in one word."""
    strengths = opening.strengths.T
    held = (strengths >= 0) & (np.diff(hands.first) > 0)[:, None]
    return np.sort((strengths << SHIFT | np.arange(strengths.size).reshape(strengths.shape))[held])


def check_or_lock(
    sets: Sets,
    lock_sets: LockSets,
    tables: HandTables,
    options: Any,
    hands: Hands,
    opening: Opening,
    beats: LockBeats,
    stakes: Stakes,
    events: Events,
    checks: Checks,
    first: Any,
    checked: Any,
    books: Books,
) -> int:
    """Decide every hand and W1 and return how many positions, up to suits, are worth the same either way.

    ``checks.best`` is what a Check is worth beyond a fold, and then beyond a Lock; ``checked`` (hands x lanes), all
    zero, is given the weight of what checks.  What a Lock meets is booked, that of the best play first, then that of
    each strategy, whose first actions are in ``first`` (strategies, hands x lanes).
    """
    gathered = gather_events(sets.multisets, tables, options, opening, stakes.lowest, events)
    listed = _pairs_by_strength(hands, opening), maybe_locked_flushes(sets, tables, options, hands, opening)
    return _sweep(
        sets, lock_sets, hands, opening, *listed, beats, stakes, events, *gathered, checks, first, checked, books
    )


@kernel
def _sweep(
    sets: Sets,
    lock_sets: LockSets,
    hands: Hands,
    opening: Opening,
    order: Integers,
    flushes: Integers,
    beats: LockBeats,
    stakes: Stakes,
    events: Events,
    crowd: Crowd,
    unqualified: Integers,
    checks: Checks,
    first: Any,
    checked: Any,
    books: Books,
) -> int:
    """Sweep multisets with W1's slots, and flushes, by rising strength, as ``check_or_lock`` says."""
    slots = len(sets.multisets.ranks)
    rows, sums = np.zeros(TERNARY, np.int64), np.zeros((2, MOST_ROLES * 2 * STATES), np.int64)
    each, flush, equal = 0, 0, 0
    while each < len(order) or flush < len(flushes):
        made = NEVER
        if each < len(order):
            made = order[each] >> SHIFT
        if flush < len(flushes):
            made = min(made, flushes[flush] >> _STRENGTH)
        events_up_to(events, crowd, made, WORD)
        group = group_of(made, stakes.lowest)
        while each < len(order) and order[each] >> SHIFT == made:
            multiset, slot = (order[each] & INDEX) // slots, (order[each] & INDEX) % slots
            each += 1
            _sum_up(lock_sets, opening, crowd, unqualified, multiset, slot, rows, sums)
            equal += _decide_all(
                sets, hands, opening, beats, stakes, multiset, slot, group, sums, checks, first, checked, books
            )
        while flush < len(flushes) and flushes[flush] >> _STRENGTH == made:
            equal += _decide_flush(
                sets,
                lock_sets,
                hands,
                opening,
                beats,
                stakes,
                crowd,
                unqualified,
                flushes[flush],
                group,
                checks,
                first,
                checked,
                books,
            )
            flush += 1
    return equal


@part
def _sum_up(
    lock_sets: LockSets,
    opening: Opening,
    crowd: Crowd,
    unqualified: Integers,
    multiset: int,
    slot: int,
    rows: Integers,
    sums: Integers,
) -> None:
    """Sum up every role for every state of a multiset's hands, for those compared and for those not qualified."""
    for which in range(2):
        table = crowd.table if which == 0 else unqualified
        sums[which, 0] = plain_sum(table, lock_sets.by_ranks, lock_sets.with_w1.ranked, multiset, slot)
        for role in range(1, len(opening.suits)):
            _suit_sums(table, crowd.starts[role], lock_sets, multiset, slot, rows, sums[which], role * 2 * STATES)


@part
def _decide_flush(
    sets: Sets,
    lock_sets: LockSets,
    hands: Hands,
    opening: Opening,
    beats: LockBeats,
    stakes: Stakes,
    crowd: Crowd,
    unqualified: Integers,
    flush: int,
    group: int,
    checks: Checks,
    first: Any,
    checked: Any,
    books: Books,
) -> int:
    """Decide a hand and W1 of ``maybe_locked_flushes``."""
    hand, bonus = flush & HAND_MASK, flush >> HAND_BITS & BONUS_MASK
    lane = flush >> HAND_BITS + BONUS_BITS & LANES - 1
    word = _own_sum(crowd.table, crowd.starts, lock_sets, hands, opening, hand, lane)
    low = _own_sum(unqualified, crowd.starts, lock_sets, hands, opening, hand, lane)
    return _decide(
        sets, hands, opening, beats, stakes, hand, lane, group, bonus, word, low, checks, first, checked, books
    )


@part
def _decide_all(
    sets: Sets,
    hands: Hands,
    opening: Opening,
    beats: LockBeats,
    stakes: Stakes,
    multiset: int,
    slot: int,
    group: int,
    sums: Integers,
    checks: Checks,
    first: Any,
    checked: Any,
    books: Books,
) -> int:
    """Decide the hands of a multiset that cannot be a flush, with every W1 of a slot."""
    slots = sets.multisets.slots[multiset]
    naturals, wild_cards = others_than(slots, slot), copies_of(slots, slot)
    equal, bonus = 0, opening.bonuses[slot, multiset]
    for hand in range(hands.first[multiset], hands.first[multiset + 1]):
        state = hands.states[hand]
        word, unqualified = sums[0, 0], sums[1, 0]
        for suit in range(SUIT_COUNT):
            at = (opening.roles[suit] * STATES + (state >> HAND * suit & STATES - 1)) * 2
            word -= sums[0, at]
            unqualified -= sums[1, at]
        for suit in range(SUIT_COUNT):
            lane = suit * WIDTH + slot
            if _may_flush(opening, state, lane, naturals, wild_cards) or not is_free(
                sets, opening, hands.masks[hand], lane
            ):
                continue
            at = (opening.roles[suit] * STATES + (state >> HAND * suit & STATES - 1)) * 2
            own = word + sums[0, at] - sums[0, at + 1]
            own_unqualified = unqualified + sums[1, at] - sums[1, at + 1]
            equal += _decide(
                sets,
                hands,
                opening,
                beats,
                stakes,
                hand,
                lane,
                group,
                bonus,
                own,
                own_unqualified,
                checks,
                first,
                checked,
                books,
            )
    return equal
