"""One sweep of a board: all hands that may play, by rising strength, against all that the dealer may hold."""

from typing import Any

import numpy as np

from pitboss.counting.blocks import Integers
from pitboss.counting.compile import filling_kernel, part
from pitboss.games.shifting_wilds.solver.beats import Beats, add_beats, book_beats, own_beats
from pitboss.games.shifting_wilds.solver.boards import Board, Ranked, made_of
from pitboss.games.shifting_wilds.solver.crowd import (
    INDEX,
    NEVER,
    SHIFT,
    UNQUALIFIED,
    UP_TO,
    Crowd,
    Movers,
    gather,
    pass_up_to,
)
from pitboss.games.shifting_wilds.solver.follow import Followed, follow_all, follow_one
from pitboss.games.shifting_wilds.solver.hands import (
    BONUS_BITS,
    BONUS_MASK,
    HAND_BITS,
    HAND_MASK,
    Hands,
    copies_of,
    others_than,
)
from pitboss.games.shifting_wilds.solver.lanes import add_lanes, book_lanes, value_lanes
from pitboss.games.shifting_wilds.solver.mistakes import second_kind
from pitboss.games.shifting_wilds.solver.play import (
    Books,
    Checks,
    Stakes,
    add_values,
    book_folded,
    count_plays,
    fold_picks,
    group_of,
    hold_states,
    role_states,
    rows_of_held,
    spread_rows,
    value_rows,
    whole_of,
)
from pitboss.games.shifting_wilds.solver.sums import (
    LANES,
    SKIPPED,
    Room,
    Sets,
    all_rows,
    by_strength,
    forget_rows,
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
def _count_equal(
    sets: Sets, board: Board, image: int, hands: Hands, multiset: int, room: Room, checked: Any, orders: Integers
) -> int:
    """Count the positions of a multiset whose Play is worth a fold, up to suits, where they check."""
    indicator, values, start = board.indicators[image], room.values, hands.first[multiset]
    equal = 0
    for hand in range(start, hands.first[multiset + 1]):
        if room.held[hand - start] == SKIPPED:
            continue
        one, two, three = rows_of_held(room.held[hand - start])
        for each in range(LANES):
            lane = np.uint64(each)
            value = values[lane] - values[one + lane] - values[two + lane] - values[three + lane]
            if value == 0 and checked[hand * LANES + each] > 0:
                w1 = w1_of(sets, each)
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
    checks: Checks,
    followed: Followed,
    counting: int,
    books: Books,
) -> int:
    """Sweep a board; return the positions, up to suits, that are worth a fold.

    At first ``checks`` sums up what Plays are worth, and the strategies followed are booked.  When ``counting`` the one
    that is followed plays what is best, and ``followed.checked`` has the weight of each hand and W1 that checks.
    """
    crowd = gather(sets.multisets, tables, options, board, ranks.strengths, stakes.lowest, movers, table)
    order, flushes = by_strength(ranks.strengths), maybe_flushes(sets, tables, options, hands, board)
    room.values[:] = 0
    room.picked[:] = 0
    around = (board, order, flushes, ranks.bonuses, beats, stakes, movers, crowd)
    return _sweep(sets, hands, *around, room, checks, followed, counting, books)


@part
def itself_of(made: int, stakes: Stakes) -> int:
    """Return what a word counts of a hand itself, which is not below but up to its own strength."""
    return UP_TO + (UNQUALIFIED if made < stakes.lowest else 0)


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
    checks: Checks,
    followed: Followed,
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
        group, kind = group_of(made, stakes.lowest), second_kind(made, board.community | board.indicators[0])
        while each < len(order) and order[each] >> SHIFT == made:
            multiset = order[each] & INDEX
            each += 1
            if hands.first[multiset] < hands.first[multiset + 1]:
                all_rows(sets, board, crowd, multiset, itself_of(made, stakes), room)
                equal += _decide_all(
                    sets,
                    hands,
                    board,
                    beats,
                    stakes,
                    multiset,
                    group,
                    bonuses[multiset],
                    kind,
                    room,
                    checks,
                    followed,
                    counting,
                    books,
                )
        forget_rows(room)
        while flush < len(flushes) and flushes[flush] >> STRENGTH == made:
            equal += _decide_one(
                sets,
                hands,
                board,
                beats,
                stakes,
                crowd,
                flushes[flush],
                group,
                kind,
                room,
                checks,
                followed,
                counting,
                books,
            )
            flush += 1
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
    kind: int,
    room: Room,
    checks: Checks,
    followed: Followed,
    counting: int,
    books: Books,
) -> int:
    """Decide the hands of a multiset that are no flush beside each W2, and book what those that play meet."""
    value_rows(board, stakes, group, whole_of(stakes, group, bonus), room)
    equal, beat = 0, stakes.beat[beats.outcomes[multiset]]
    if beat:
        add_beats(board, beats, multiset, beat, room)
    plays = len(followed.checked)
    for image in range(len(board.indicators)):
        own = lane_of(sets.multisets, board.indicators[image], board.wild)
        spread_rows(board, image, room)
        hold_states(board, image, hands, multiset, sets.multisets.slots[multiset], room)
        if not counting:
            add_values(hands, multiset, own, room, checks)
        for play in range(plays):
            if followed.idle[play]:
                continue
            checked = followed.checked[play]
            if not counting:
                played = follow_all(hands, multiset, own, play, kind, room, followed)
            else:
                played = 1
                if count_plays(hands, multiset, room, checked):
                    equal += _count_equal(sets, board, image, hands, multiset, room, checked, books.orders)
            if played:
                fold_picks(board, image, own, play, room)
    for play in range(plays):
        if room.filled[play]:
            book_beats(board, beats, multiset, play, room, books.ahead[play])
            book_folded(board, group, play, room, books.totals[play, bonus])
    return equal


@part
def _decide_one(
    sets: Sets,
    hands: Hands,
    board: Board,
    beats: Beats,
    stakes: Stakes,
    crowd: Crowd,
    word: int,
    group: int,
    kind: int,
    room: Room,
    checks: Checks,
    followed: Followed,
    counting: int,
    books: Books,
) -> int:
    """Decide the hand of a word of ``maybe_flushes``, and book what it meets if it plays."""
    hand, bonus = word & HAND_MASK, word >> HAND_BITS & BONUS_MASK
    image = word >> HAND_BITS + BONUS_BITS & (1 << IMAGE_BITS) - 1
    own, start, equal = lane_of(sets.multisets, board.indicators[image], board.wild), hand * LANES, 0
    own_words(sets, board, image, crowd, hands, hand, itself_of(word >> STRENGTH, stakes), room)
    outcome = own_beats(board, image, beats, hands, hand, room)
    value_lanes(stakes, group, bonus, outcome, room)
    if not counting:
        add_lanes(start, own, room, checks)
    for play in range(len(followed.checked)):
        if followed.idle[play]:
            continue
        checked = followed.checked[play]
        if counting:
            found = book_lanes(checked, start, own, 0, room, books, play, group, bonus, outcome)
        else:
            found = 0
            follow_one(hand, own, play, kind, room, followed, books, group, bonus, outcome)
        if found:
            for lane in range(LANES):
                if room.worth[lane] == 0 and checked[start + lane] > 0 and lane != own:
                    equal += is_least(hands.masks[hand], w1_of(sets, lane), board.indicators[image], books.orders)
    return equal
