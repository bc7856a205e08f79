"""What a hand meets, summed up from the table of a board: for all states of a multiset at once, or for one hand.

A row of sums has a place for the slot of each W1, for some roles once for W1 in the suit and once for others.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import RANK_COUNT, SUIT_COUNT
from pitboss.counting.blocks import Integers
from pitboss.counting.compile import part
from pitboss.counting.suits import exchanged
from pitboss.games.shifting_wilds.rules import HAND
from pitboss.games.shifting_wilds.solver.boards import LONE, MAIN, MOST_ROLES, Board
from pitboss.games.shifting_wilds.solver.crowd import NONE, SHIFT, WIDTH, Crowd
from pitboss.games.shifting_wilds.solver.hands import (
    FOLDS,
    SIGN_OF,
    STATES,
    TERNARY,
    TERNARY_OF,
    Hands,
    Multisets,
    Numbers,
    others_than,
)

LANES = SUIT_COUNT * WIDTH
"""A lane for each W1: suit after suit, a place for each slot."""

SKIPPED = -1


class Sets(NamedTuple):
    """The multisets of a deck and the numbers of the sets within them, by ranks and by kinds in a suit."""

    multisets: Multisets
    by_ranks: Numbers
    suited: Numbers


class Room(NamedTuple):
    """Room for one multiset, flat but for ``own``.

    ``rows`` (81, 32), ``words`` and ``narrow`` (roles, 16, 32), ``values`` and ``picked`` (roles, 16, 64), ``folded``
    (plays, roles, 16, 32), ``filled`` (plays,) where it is not all zero.  Of each hand of the multiset (256) ``held``
    are its states in the roles, four bits each from the first suit on, ``SKIPPED`` where it is not of this sweep,
    ``least`` and ``most`` what it may be worth.  For one hand ``own`` (roles, 32) are its rows, ``tags`` (roles,) whose
    they are; ``lanes``, ``worth`` and ``ahead`` (64,) what it meets and is worth.
    """

    rows: Integers
    words: Integers
    narrow: Numbers
    values: Numbers
    picked: NDArray[np.int16]
    folded: Numbers
    filled: Numbers
    held: Numbers
    least: Numbers
    most: Numbers
    own: Integers
    tags: Integers
    lanes: Integers
    worth: Numbers
    ahead: Integers


def room(plays: int = 1) -> Room:
    """Return room for one thread that counts so many plays side by side."""
    hands = SUIT_COUNT**HAND
    return Room(
        rows=np.zeros(TERNARY * 2 * WIDTH, np.int64),
        words=np.zeros(MOST_ROLES * STATES * 2 * WIDTH, np.int64),
        narrow=np.zeros(MOST_ROLES * STATES * 2 * WIDTH, np.int32),
        values=np.zeros(MOST_ROLES * STATES * LANES, np.int32),
        picked=np.zeros(MOST_ROLES * STATES * LANES, np.int16),
        folded=np.zeros(plays * MOST_ROLES * STATES * 2 * WIDTH, np.int32),
        filled=np.zeros(plays, np.int32),
        held=np.zeros(hands, np.int32),
        least=np.zeros(hands, np.int32),
        most=np.zeros(hands, np.int32),
        own=np.zeros((MOST_ROLES, 2 * WIDTH), np.int64),
        tags=np.zeros(MOST_ROLES, np.int64),
        lanes=np.zeros(LANES, np.int64),
        worth=np.zeros(LANES, np.int32),
        ahead=np.zeros(LANES, np.int64),
    )


@part
def _sum_row(table: Integers, row: int, sign: int, into: Integers) -> None:
    """Add or subtract a narrow row of the table."""
    at = np.uint64(row)
    if sign > 0:
        for place in range(WIDTH):
            into[place] += table[at + np.uint64(place)]
    else:
        for place in range(WIDTH):
            into[place] -= table[at + np.uint64(place)]


@part
def _sum_wide_row(table: Integers, row: int, sign: int, into: Integers) -> None:
    """Add or subtract a wide row of the table."""
    at = np.uint64(row)
    if sign > 0:
        for place in range(2 * WIDTH):
            into[place] += table[at + np.uint64(place)]
    else:
        for place in range(2 * WIDTH):
            into[place] -= table[at + np.uint64(place)]


@part
def _lone_rows(
    table: Any, start: int, numbers: Any, multiset: int, naturals: int, wild: int, room: Room, to: int
) -> None:
    """Sum up the movers of a lone suit for each state of a hand."""
    rows, words = room.rows, room.words
    for taken in range(STATES):
        row, at = np.uint64(start + numbers[multiset, taken] * WIDTH), np.uint64(taken * WIDTH)
        for place in range(WIDTH):
            rows[at + np.uint64(place)] = table[row + np.uint64(place)]
    for card in range(HAND):
        for taken in range(STATES):
            if taken >> card & 1 == 0:
                continue
            without, at = np.uint64((taken ^ 1 << card) * WIDTH), np.uint64(taken * WIDTH)
            for place in range(WIDTH):
                each = np.uint64(place)
                rows[at + each] = rows[without + each] - rows[at + each]
            if naturals >> card & 1 == 0:
                for place in range(WIDTH):
                    rows[without + np.uint64(place)] = rows[at + np.uint64(place)]
    for state in range(STATES):
        into, at = np.uint64(to + state * 2 * WIDTH), np.uint64(state * WIDTH)
        none = rows[at + np.uint64(NONE)]
        for place in range(WIDTH):
            words[into + np.uint64(place)] = none + rows[at + np.uint64(place)]
            words[into + np.uint64(WIDTH + place)] = none
        words[into + np.uint64(WIDTH + wild)] = none + rows[at + np.uint64(wild)]


@part
def _main_rows(table: Any, start: int, numbers: Any, multiset: int, wild: int, room: Room, to: int) -> None:
    """Sum up the movers of a main suit for each state of a hand."""
    rows, words = room.rows, room.words
    for code in range(TERNARY):
        row, at = np.uint64(start + numbers[multiset, code] * 2 * WIDTH), np.uint64(code * 2 * WIDTH)
        for place in range(2 * WIDTH):
            rows[at + np.uint64(place)] = table[row + np.uint64(place)]
    for step in range(len(FOLDS)):
        at, without = np.uint64(FOLDS[step, 0] * 2 * WIDTH), np.uint64(FOLDS[step, 1] * 2 * WIDTH)
        for place in range(2 * WIDTH):
            each = np.uint64(place)
            rows[at + each] = rows[without + each] - rows[at + each]
    for state in range(STATES):
        into, at = np.uint64(to + state * 2 * WIDTH), np.uint64(TERNARY_OF[STATES - 1, state] * 2 * WIDTH)
        none = rows[at + np.uint64(NONE)]
        for place in range(2 * WIDTH):
            words[into + np.uint64(place)] = none + rows[at + np.uint64(place)]
        words[into + np.uint64(wild)] = words[into + np.uint64(WIDTH + wild)]


@part
def all_rows(sets: Sets, board: Board, crowd: Crowd, multiset: int, itself: int, room: Room) -> None:
    """Sum up every role for every state of a multiset's hands."""
    naturals = others_than(sets.multisets.slots[multiset], board.wild)
    words = room.words
    for place in range(WIDTH):
        words[place] = 0
    for taken in range(STATES):
        _sum_row(crowd.table, sets.by_ranks[multiset, taken] * WIDTH, SIGN_OF[taken], words)
    none = words[NONE] + itself
    for place in range(WIDTH):
        words[place] += none
    for role in range(1, len(board.modes)):
        to, start = role * STATES * 2 * WIDTH, crowd.starts[role]
        if board.modes[role] == LONE:
            _lone_rows(crowd.table, start, sets.by_ranks, multiset, naturals, board.wild, room, to)
        else:
            _main_rows(crowd.table, start, sets.suited, multiset, board.wild, room, to)


@part
def own_words(
    sets: Sets, board: Board, image: int, crowd: Crowd, hands: Hands, hand: int, itself: int, room: Room
) -> None:
    """Sum up what one hand meets beside each W1 and write it to ``room.lanes``.

    A role's rows stand until another hand needs others: ``forget_rows`` once the table has changed.
    """
    multiset, lanes, tags = hands.multisets[hand], room.lanes, room.tags
    naturals = others_than(sets.multisets.slots[multiset], board.wild)
    for role in range(len(board.modes)):
        suit = board.suits[image, role]
        state = 0 if role == 0 else hands.states[hand] >> HAND * suit & naturals
        if tags[role] != multiset * STATES + state:
            tags[role] = multiset * STATES + state
            _own_rows(sets, board, crowd, multiset, naturals, role, state, room.own[role])
        rows = room.own[role]
        for each in range(LANES // WIDTH):
            side = 0 if role == 0 or each == suit else WIDTH
            to = np.uint64(each * WIDTH)
            for place in range(WIDTH):
                before = itself if role == 0 else lanes[to + np.uint64(place)]
                lanes[to + np.uint64(place)] = before + rows[np.uint64(side + place)]


@part
def forget_rows(room: Room) -> None:
    """Have ``own_words`` sum up all rows anew."""
    for role in range(MOST_ROLES):
        room.tags[role] = -1


@part
def _own_rows(
    sets: Sets, board: Board, crowd: Crowd, multiset: int, naturals: int, role: int, state: int, rows: Integers
) -> None:
    """Sum up what a role takes away from a hand of a state, or what it brings by its ranks, with W1 and without."""
    start = crowd.starts[role]
    for place in range(2 * WIDTH):
        rows[place] = 0
    if board.modes[role] == MAIN:
        for taken in range(STATES):
            row = start + sets.suited[multiset, TERNARY_OF[taken, state]] * 2 * WIDTH
            _sum_wide_row(crowd.table, row, -SIGN_OF[taken], rows)
        rows[board.wild] = rows[WIDTH + board.wild]
    elif board.modes[role] == LONE:
        wanted = state | (STATES - 1 & ~naturals)
        for taken in range(STATES):
            if taken & ~wanted == 0:
                row = start + sets.by_ranks[multiset, taken] * WIDTH
                _sum_row(crowd.table, row, -SIGN_OF[taken], rows)
        rows[WIDTH + board.wild] = rows[board.wild]
    else:
        for taken in range(STATES):
            row = start + sets.by_ranks[multiset, taken] * WIDTH
            _sum_row(crowd.table, row, SIGN_OF[taken], rows)
    none = rows[NONE]
    for place in range(2 * WIDTH):
        rows[place] += none


@part
def lane_of(multisets: Multisets, indicator: int, wild: int) -> int:
    """Return the lane of an indicator."""
    suit = 0
    while indicator >> (RANK_COUNT * suit + multisets.ranks[wild]) & 1 == 0:
        suit += 1
    return suit * WIDTH + wild


@part
def w1_of(sets: Sets, lane: int) -> Any:
    """Return the W1 of a lane, as a set."""
    return 1 << (RANK_COUNT * (lane // WIDTH) + sets.multisets.ranks[lane & WIDTH - 1])


@part
def is_least(mask: int, first: int, second: int, orders: Integers) -> bool:
    """Tell whether of all positions that an exchange of suits makes of one it is the least."""
    for order in range(len(orders)):
        image = exchanged(mask, orders[order])
        if image == mask:
            one, two = exchanged(first, orders[order]), exchanged(second, orders[order])
            if one < first or (one == first and two < second):
                return False
    return True


def by_strength(by_ranks: Integers) -> Integers:
    """Return the multisets there are, by rising strength of their ranks: strength and number in one word."""
    words = by_ranks << SHIFT | np.arange(len(by_ranks))
    return np.sort(words[by_ranks >= 0])
