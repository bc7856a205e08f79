"""One sweep of a board for a strategy that is told: what Plays are worth, what those it plays meet, and where it errs.

It is ``sweep`` with its two passes in one, as who checks is known beforehand.
"""

from typing import Any, NamedTuple

import numpy as np

from pitboss.counting.blocks import Integers
from pitboss.counting.compile import filling_kernel, part
from pitboss.games.shifting_wilds.rules import BAD_BEAT_LOSES, PLAY
from pitboss.games.shifting_wilds.solver.beats import Beats, add_beats, book_beats, own_beats
from pitboss.games.shifting_wilds.solver.boards import Board, Ranked
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
from pitboss.games.shifting_wilds.solver.mistakes import second_kind
from pitboss.games.shifting_wilds.solver.play import (
    Books,
    Stakes,
    group_of,
    role_states,
    spread_rows,
    value_of,
    value_rows,
    whole_of,
)
from pitboss.games.shifting_wilds.solver.sums import LANES, Room, Sets, all_rows, by_strength, lane_of, own_words
from pitboss.games.shifting_wilds.solver.sweep import IMAGE_BITS, STRENGTH, book_plays, book_word, maybe_flushes
from pitboss.games.shifting_wilds.solver.told import SECOND, Actions
from pitboss.hands import HandTables


class Followed(NamedTuple):
    """What is told and found of hands, by lanes: the second actions (``Told``), what Plays are worth, who checks.

    To ``best`` is added what a Play is worth beyond a fold, where that is more; ``checked`` has the weights of those
    that check.  ``errors`` are as ``no_errors``.
    """

    second: Actions
    best: Integers
    checked: Integers
    errors: Integers


def follow(
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
    followed: Followed,
    books: Books,
) -> None:
    """Sweep a board: sum up what Plays are worth, book those that are told, and where they err."""
    crowd = gather(sets.multisets, tables, options, board, ranks.strengths, stakes.lowest, movers, table)
    listed = by_strength(ranks.strengths), maybe_flushes(sets, tables, options, hands, board)
    room.values[:] = 0
    room.picked[:] = 0
    _sweep(sets, hands, board, *listed, ranks.bonuses, beats, stakes, movers, crowd, room, followed, books)


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
    followed: Followed,
    books: Books,
) -> None:
    """Sweep the multisets and the flushes of a board by rising strength, as ``follow`` says."""
    each, flush = 0, 0
    while each < len(order) or flush < len(flushes):
        made = NEVER
        if each < len(order):
            made = order[each] >> SHIFT
        if flush < len(flushes):
            made = min(made, flushes[flush] >> STRENGTH)
        pass_up_to(movers, crowd, made)
        group, kind = group_of(made, stakes.lowest), second_kind(made, board.community | board.indicators[0])
        itself = UP_TO + (UNQUALIFIED if made < stakes.lowest else 0)
        while each < len(order) and order[each] >> SHIFT == made:
            multiset = order[each] & INDEX
            each += 1
            if hands.first[multiset] == hands.first[multiset + 1]:
                continue
            all_rows(sets, board, crowd, multiset, itself, room)
            bonus = bonuses[multiset]
            value_rows(board, stakes, group, whole_of(stakes, group, bonus), room)
            if stakes.beat[beats.outcomes[multiset]]:
                add_beats(board, beats, multiset, stakes.beat[beats.outcomes[multiset]], room)
            for image in range(len(board.indicators)):
                spread_rows(board, image, room)
                _follow_all(sets, board, image, hands, multiset, room, kind, followed)
                book_beats(board, beats, multiset, image, room, books.ahead)
                book_plays(board, image, group, room, books.totals[bonus])
        while flush < len(flushes) and flushes[flush] >> STRENGTH == made:
            word = flushes[flush]
            hand, bonus = word & HAND_MASK, word >> HAND_BITS & BONUS_MASK
            image = word >> HAND_BITS + BONUS_BITS & (1 << IMAGE_BITS) - 1
            flush += 1
            own_words(sets, board, image, crowd, hands, hand, itself, room)
            outcome = own_beats(board, image, beats, hands, hand, room)
            _follow_one(sets, board, image, stakes, hand, group, bonus, outcome, room, kind, followed, books)


@part
def _follow_all(
    sets: Sets,
    board: Board,
    image: int,
    hands: Hands,
    multiset: int,
    room: Room,
    kind: int,
    followed: Followed,
) -> None:
    """Follow what is told of the hands of a multiset that are no flush; count plays in ``room.picked``."""
    slots = sets.multisets.slots[multiset]
    naturals, wild_cards = others_than(slots, board.wild), copies_of(slots, board.wild)
    indicator = board.indicators[image]
    own = np.uint64(lane_of(sets.multisets, indicator, board.wild))
    values, picked, best, checked = room.values, room.picked, followed.best, followed.checked
    for hand in range(hands.first[multiset], hands.first[multiset + 1]):
        if hands.masks[hand] & indicator:
            continue
        one_state, two_state, three_state, found = role_states(board, image, hands.states[hand], naturals, wild_cards)
        if found:
            continue
        at, one = np.uint64(hand * LANES), np.uint64((STATES + one_state) * LANES)
        two, three = np.uint64((2 * STATES + two_state) * LANES), np.uint64((3 * STATES + three_state) * LANES)
        kept_best, kept_weight, action = best[at + own], checked[at + own], followed.second[at + own]
        checked[at + own] = 0
        sign = np.int32(-1 if action == PLAY else 1)
        positions, cost = 0, 0
        for each in range(LANES):
            lane = np.uint64(each)
            value = np.int32(values[lane] - values[one + lane])
            value = np.int32(np.int32(value - values[two + lane]) - values[three + lane])
            best[at + lane] += max(value, np.int32(0))
            lost, weight = max(np.int32(sign * value), np.int32(0)), checked[at + lane]
            positions += weight if lost > 0 else 0
            cost += weight * lost
        if action == PLAY:
            for each in range(LANES):
                lane = np.uint64(each)
                weight = np.int32(checked[at + lane])
                picked[one + lane] = np.int32(picked[one + lane] + weight)
                picked[two + lane] = np.int32(picked[two + lane] + weight)
                picked[three + lane] = np.int32(picked[three + lane] + weight)
        best[at + own], checked[at + own] = kept_best, kept_weight
        followed.errors[SECOND, action, kind, 0] += positions
        followed.errors[SECOND, action, kind, 1] += cost


@part
def _follow_one(
    sets: Sets,
    board: Board,
    image: int,
    stakes: Stakes,
    hand: int,
    group: int,
    bonus: int,
    outcome: int,
    room: Room,
    kind: int,
    followed: Followed,
    books: Books,
) -> None:
    """Follow what is told of one hand, from the words in ``room.lanes``."""
    own = np.uint64(hand * LANES + lane_of(sets.multisets, board.indicators[image], board.wild))
    best, checked, errors = followed.best, followed.checked, followed.errors
    kept_best, kept_weight, action = best[own], checked[own], followed.second[own]
    checked[own] = 0
    worth, whole, lanes = stakes.worth, whole_of(stakes, group, bonus), room.lanes
    beat = np.int32(stakes.beat[outcome])
    for each in range(LANES):
        at = np.uint64(hand * LANES + each)
        word, weight, ahead = lanes[np.uint64(each)], checked[at], room.ahead[np.uint64(each)]
        value = np.int32(np.int32(whole + value_of(worth, group, word)) + beat * np.int32(ahead))
        best[at] += max(value, np.int32(0))
        lost = max(np.int32(-value if action == PLAY else value), np.int32(0))
        errors[SECOND, action, kind, 0] += weight if lost > 0 else 0
        errors[SECOND, action, kind, 1] += weight * lost
        if action == PLAY and weight > 0:
            book_word(books.totals[bonus], group, weight, word)
            if outcome != BAD_BEAT_LOSES:
                books.ahead[outcome] += weight * ahead
    best[own], checked[own] = kept_best, kept_weight
