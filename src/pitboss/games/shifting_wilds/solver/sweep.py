"""One sweep of a board: all hands that may play, by rising strength, against all that the dealer may hold."""

from typing import Any

import numpy as np

from pitboss.counting.blocks import Integers
from pitboss.counting.compile import filling_kernel, part
from pitboss.games.shifting_wilds.rules import BAD_BEAT_LOSES
from pitboss.games.shifting_wilds.solver.beats import Beats, add_beats, book_beats, own_beats
from pitboss.games.shifting_wilds.solver.boards import Board, Ranked, made_of
from pitboss.games.shifting_wilds.solver.crowd import (
    INDEX,
    LANE,
    NEVER,
    SHIFT,
    UNQUALIFIED,
    UP_TO,
    WIDTH,
    Crowd,
    Movers,
    gather,
    pass_up_to,
)
from pitboss.games.shifting_wilds.solver.hands import (
    BONUS_BITS,
    BONUS_MASK,
    HAND_BITS,
    HAND_MASK,
    STATES,
    Hands,
    copies_of,
    others_than,
)
from pitboss.games.shifting_wilds.solver.play import (
    Books,
    Stakes,
    add_values,
    count_plays,
    group_of,
    role_states,
    spread_rows,
    value_of,
    value_rows,
    whole_of,
)
from pitboss.games.shifting_wilds.solver.sums import (
    LANES,
    Room,
    Sets,
    all_rows,
    by_strength,
    is_least,
    lane_of,
    own_words,
    w1_of,
)
from pitboss.hands import HandTables

IMAGE_BITS = 2
STRENGTH = HAND_BITS + BONUS_BITS + IMAGE_BITS


def maybe_flushes(sets: Sets, tables: HandTables, options: Any, hands: Hands, board: Board) -> Integers:
    """Return the hands that may be a flush beside one of the board's W2s, sorted.

    Strength, W2, outcome of the Regular Bonus and hand are one word.
    """
    words = np.empty(len(board.indicators) * len(hands.masks), np.int64)
    return np.sort(words[: _list_flushes(sets, tables, options, hands, board, words)])


@filling_kernel
def _list_flushes(sets: Sets, tables: HandTables, options: Any, hands: Hands, board: Board, words: Integers) -> int:
    """Write the words of ``maybe_flushes`` and return how many there are."""
    used = 0
    for image in range(len(board.indicators)):
        indicator = board.indicators[image]
        for multiset in range(len(sets.multisets.slots)):
            slots = sets.multisets.slots[multiset]
            naturals, wild_cards = others_than(slots, board.wild), copies_of(slots, board.wild)
            for hand in range(hands.first[multiset], hands.first[multiset + 1]):
                if hands.masks[hand] & indicator:
                    continue
                if role_states(board, image, hands.states[hand], naturals, wild_cards)[3]:
                    made, bonus = made_of(tables, hands.masks[hand], board.community, indicator, options)
                    words[used] = ((made << IMAGE_BITS | image) << BONUS_BITS | bonus) << HAND_BITS | hand
                    used += 1
    return used


@part
def book_word(totals: Integers, group: int, times: int, word: int) -> None:
    """Add the counts of a word so many times to a group's."""
    totals[group, 0] += times
    totals[group, 1] += times * (word & LANE)
    totals[group, 2] += times * (word >> 21 & LANE)
    totals[group, 3] += times * (word >> 42)


@part
def book_plays(board: Board, image: int, group: int, room: Room, totals: Integers) -> None:
    """Add what the plays counted in ``room.picked`` meet to the totals, and clear them."""
    picked, words = room.picked, room.words
    for role in range(1, len(board.modes)):
        suit = board.suits[image, role]
        for state in range(STATES):
            at = (role * STATES + state) * LANES
            for lane in range(LANES):
                times = picked[at + lane]
                if times == 0:
                    continue
                place = lane & WIDTH - 1
                side = 0 if lane // WIDTH == suit else WIDTH
                word = words[(role * STATES + state) * 2 * WIDTH + side + place]
                totals[group, 1] -= times * (word & LANE)
                totals[group, 2] -= times * (word >> 21 & LANE)
                totals[group, 3] -= times * (word >> 42)
                if role == 1:
                    book_word(totals, group, times, words[place])
    picked[:] = 0


@part
def _count_equal(
    sets: Sets, board: Board, image: int, hands: Hands, multiset: int, room: Room, checked: Any, orders: Integers
) -> int:
    """Count the positions of a multiset whose Play is worth a fold, up to suits, where they check."""
    slots = sets.multisets.slots[multiset]
    naturals, wild_cards = others_than(slots, board.wild), copies_of(slots, board.wild)
    indicator, values = board.indicators[image], room.values
    equal = 0
    for hand in range(hands.first[multiset], hands.first[multiset + 1]):
        first, second, third, found = role_states(board, image, hands.states[hand], naturals, wild_cards)
        if found or hands.masks[hand] & indicator:
            continue
        for lane in range(LANES):
            value = values[lane] - values[(STATES + first) * LANES + lane]
            value -= values[(2 * STATES + second) * LANES + lane] + values[(3 * STATES + third) * LANES + lane]
            if value == 0 and checked[hand * LANES + lane] > 0:
                w1 = w1_of(sets, lane)
                equal += w1 != indicator and is_least(hands.masks[hand], w1, indicator, orders)
    return equal


def sweep(
    sets: Sets,
    tables: HandTables,
    options: Any,
    hands: Hands,
    board: Board,
    ranks: Ranked,
    beats: Beats,
    stakes: Stakes,
    movers: Movers,
    table: Integers,
    room: Room,
    best: Integers,
    counting: int,
    books: Books,
) -> int:
    """Sweep a board; return the positions, up to suits, that are worth a fold.

    At first ``best`` (hands x lanes) sums up what Plays are worth beyond a fold, where that is more.  When
    ``counting`` it has the weight of each hand and W1 that checks, and what they meet is booked.
    """
    crowd = gather(sets.multisets, tables, options, board, ranks.strengths, stakes.lowest, movers, table)
    listed = by_strength(ranks.strengths), maybe_flushes(sets, tables, options, hands, board)
    room.values[:] = 0
    room.picked[:] = 0
    return _sweep(sets, hands, board, *listed, ranks.bonuses, beats, stakes, movers, crowd, room, best, counting, books)


@filling_kernel
def _sweep(
    sets: Sets,
    hands: Hands,
    board: Board,
    order: Integers,
    flushes: Integers,
    bonuses: Integers,
    beats: Beats,
    stakes: Stakes,
    movers: Movers,
    crowd: Crowd,
    room: Room,
    best: Integers,
    counting: int,
    books: Books,
) -> int:
    """Sweep the multisets and the flushes of a board by rising strength, as ``sweep`` says."""
    each, flush, equal = 0, 0, 0
    while each < len(order) or flush < len(flushes):
        made = NEVER
        if each < len(order):
            made = order[each] >> SHIFT
        if flush < len(flushes):
            made = min(made, flushes[flush] >> STRENGTH)
        pass_up_to(movers, crowd, made)
        group = group_of(made, stakes.lowest)
        itself = UP_TO + (UNQUALIFIED if made < stakes.lowest else 0)
        while each < len(order) and order[each] >> SHIFT == made:
            multiset = order[each] & INDEX
            each += 1
            if hands.first[multiset] < hands.first[multiset + 1]:
                all_rows(sets, board, crowd, multiset, itself, room)
                bonus = bonuses[multiset]
                value_rows(board, stakes, group, whole_of(stakes, group, bonus), room)
                equal += _decide_all(
                    sets, hands, board, beats, stakes, multiset, group, bonus, room, best, counting, books
                )
        while flush < len(flushes) and flushes[flush] >> STRENGTH == made:
            word = flushes[flush]
            hand, bonus = word & HAND_MASK, word >> HAND_BITS & BONUS_MASK
            image = word >> HAND_BITS + BONUS_BITS & (1 << IMAGE_BITS) - 1
            flush += 1
            own_words(sets, board, image, crowd, hands, hand, itself, room)
            outcome = own_beats(board, image, beats, hands, hand, room)
            equal += _decide_one(
                sets, hands, board, image, stakes, hand, group, bonus, outcome, room, best, counting, books
            )
    return equal


@part
def _decide_all(
    sets: Sets,
    hands: Hands,
    board: Board,
    beats: Beats,
    stakes: Stakes,
    multiset: int,
    group: int,
    bonus: int,
    room: Room,
    best: Integers,
    counting: int,
    books: Books,
) -> int:
    """Add what the hands of a multiset that are no flush are worth, or count what they meet, beside each W2."""
    equal, beat = 0, stakes.beat[beats.outcomes[multiset]]
    if beat:
        add_beats(board, beats, multiset, beat, room)
    for image in range(len(board.indicators)):
        spread_rows(board, image, room)
        if not counting:
            add_values(sets, board, image, hands, multiset, room, best)
            continue
        if count_plays(sets, board, image, hands, multiset, room, best):
            equal += _count_equal(sets, board, image, hands, multiset, room, best, books.orders)
        book_beats(board, beats, multiset, image, room, books.ahead)
        book_plays(board, image, group, room, books.totals[bonus])
    return equal


@part
def _decide_one(
    sets: Sets,
    hands: Hands,
    board: Board,
    image: int,
    stakes: Stakes,
    hand: int,
    group: int,
    bonus: int,
    outcome: int,
    room: Room,
    best: Integers,
    counting: int,
    books: Books,
) -> int:
    """Add what one hand is worth, or count what it meets, from the words in ``room.lanes``."""
    own = np.uint64(hand * LANES + lane_of(sets.multisets, board.indicators[image], board.wild))
    kept = best[own]
    best[own] = 0
    worth, whole, lanes = stakes.worth, whole_of(stakes, group, bonus), room.lanes
    beat = np.int32(stakes.beat[outcome])
    positions, below, up_to, low, before, equal, found = 0, 0, 0, 0, 0, 0, 0
    for each in range(LANES):
        at = np.uint64(hand * LANES + each)
        word = lanes[np.uint64(each)]
        value = np.int32(np.int32(whole + value_of(worth, group, word)) + beat * np.int32(room.ahead[np.uint64(each)]))
        if counting:
            times = best[at] if value >= 0 else 0
            positions += times
            below += times * (word & LANE)
            up_to += times * (word >> 21 & LANE)
            low += times * (word >> 42)
            before += times * room.ahead[np.uint64(each)]
            found += 1 if times > 0 and value == 0 else 0
        else:
            best[at] += max(value, np.int32(0))
    books.totals[bonus, group, 0] += positions
    books.totals[bonus, group, 1] += below
    books.totals[bonus, group, 2] += up_to
    books.totals[bonus, group, 3] += low
    if outcome != BAD_BEAT_LOSES:
        books.ahead[outcome] += before
    if found:
        for each in range(LANES):
            value = np.int32(np.int32(whole + value_of(worth, group, lanes[each])) + beat * np.int32(room.ahead[each]))
            if value == 0 and best[hand * LANES + each] > 0:
                equal += is_least(hands.masks[hand], w1_of(sets, each), board.indicators[image], books.orders)
    best[own] = kept
    return equal
