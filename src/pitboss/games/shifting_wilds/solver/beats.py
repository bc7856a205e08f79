"""The Bad Beat beside one W2: how many dealers a hand is ahead of by the natural five, own four cards and W2 (SW-7).

It is swept as main is (``sweep``), with W2 alone for a board: nothing is wild, and only its suit can make a flush.
Hands whose Bad Beat loses even when they are ahead are left out.
"""

from typing import Any, NamedTuple

import numpy as np

from pitboss.cards import RANK_COUNT, SUIT_COUNT
from pitboss.counting.blocks import Integers
from pitboss.counting.compile import kernel, part
from pitboss.games.shifting_wilds.rules import BAD_BEAT_LOSES, HAND, bad_beat_outcome
from pitboss.games.shifting_wilds.solver.boards import LONE, MOST_ROLES, NO_SUIT, PLAIN, Board
from pitboss.games.shifting_wilds.solver.crowd import (
    INDEX,
    LANE,
    NEVER,
    SHIFT,
    WIDTH,
    Crowd,
    Movers,
    gather,
    pass_up_to,
)
from pitboss.games.shifting_wilds.solver.fives import find, hand_of, lane_of_key, natural_flushes
from pitboss.games.shifting_wilds.solver.hands import STATES, Hands, Multisets, Numbers
from pitboss.games.shifting_wilds.solver.sums import LANES, Room, Sets, all_rows, by_strength, forget_rows, own_words
from pitboss.hands import HandTables

NO_WILD = WIDTH - 2
"""A slot that no card has."""

WORDS = (1 + 2 * STATES) * WIDTH
"""The plain row of a multiset, then for each state in W2's suit those of W1 in it and outside it."""


class Beats(NamedTuple):
    """The dealers that hands are ahead of.

    ``outcomes`` (multisets,) when ahead, ``ahead`` (multisets, ``WORDS``) by ranks alone and what flushes take from it.
    For hands that are flushes themselves: ``keys``, W2 and hand in one word (``fives``), rising; ``made``, their
    outcomes, and ``lanes`` (flushes, 64).
    """

    outcomes: Integers
    ahead: Numbers
    keys: Integers
    made: Integers
    lanes: Numbers


def no_beats(multisets: Multisets) -> Beats:
    """Return the dealers of nobody: where the Bad Beat is neither staked nor counted."""
    return Beats(
        outcomes=np.full(len(multisets.slots), BAD_BEAT_LOSES, np.int64),
        ahead=np.zeros((0, WORDS), np.int32),
        keys=np.zeros(0, np.int64),
        made=np.zeros(0, np.int64),
        lanes=np.zeros((0, LANES), np.int32),
    )


def board_of_fives(board: Board) -> Board:
    """Return the board of the Bad Beat beside the W2s of a board."""
    suits = [[NO_SUIT, (int(indicator).bit_length() - 1) // RANK_COUNT] for indicator in board.indicators]
    return board._replace(
        wild=NO_WILD,
        modes=np.array([PLAIN, LONE], np.int64),
        suits=np.array(suits, np.int64),
        needed=np.array([0, HAND], np.int64),
        natural=1,
    )


def beats_beside(
    sets: Sets,
    tables: HandTables,
    options: Any,
    hands: Hands,
    board: Board,
    by_ranks: Integers,
    movers: Movers,
    table: Integers,
    room: Room,
    ahead: Numbers,
) -> Beats:
    """Sweep the natural fives beside the W2s of ``board``, one of ``board_of_fives``; ``ahead`` is room for words."""
    crowd = gather(sets.multisets, tables, options, board, by_ranks, 0, movers, table)
    order, (strengths, keys) = by_strength(by_ranks), natural_flushes(tables, hands, board.indicators)
    outcomes, made = np.full(len(by_ranks), BAD_BEAT_LOSES, np.int64), np.zeros(len(keys), np.int64)
    beats = Beats(outcomes, ahead, keys, made, np.zeros((len(keys), LANES), np.int32))
    _sweep_fives(sets, options, hands, board, order, strengths, movers, crowd, room, beats)
    rising = np.argsort(keys)
    return beats._replace(keys=keys[rising], made=made[rising], lanes=beats.lanes[rising])


@kernel
def _sweep_fives(
    sets: Sets,
    options: Any,
    hands: Hands,
    board: Board,
    order: Integers,
    strengths: Integers,
    movers: Movers,
    crowd: Crowd,
    room: Room,
    into: Beats,
) -> None:
    """Sweep multisets and flushes, those of ``into.keys``, by rising strength, and fill in the dealers."""
    each, flush = 0, 0
    while each < len(order) or flush < len(strengths):
        made = NEVER
        if each < len(order):
            made = order[each] >> SHIFT
        if flush < len(strengths):
            made = min(made, strengths[flush])
        outcome = bad_beat_outcome(made, made - 1, options)
        if outcome != BAD_BEAT_LOSES:
            pass_up_to(movers, crowd, made)
        while each < len(order) and order[each] >> SHIFT == made:
            multiset = order[each] & INDEX
            each += 1
            into.outcomes[multiset] = outcome
            if outcome != BAD_BEAT_LOSES and hands.first[multiset] < hands.first[multiset + 1]:
                all_rows(sets, board, crowd, multiset, 0, room)
                for place in range(WIDTH):
                    into.ahead[multiset, place] = room.words[place] & LANE
                for place in range(2 * STATES * WIDTH):
                    into.ahead[multiset, WIDTH + place] = room.words[STATES * 2 * WIDTH + place] & LANE
        forget_rows(room)
        while flush < len(strengths) and strengths[flush] == made:
            key = into.keys[flush]
            own_words(sets, board, lane_of_key(key), crowd, hands, hand_of(key), 0, room)
            into.made[flush] = outcome
            for lane in range(LANES):
                into.lanes[flush, lane] = room.lanes[lane] & LANE
            flush += 1


@part
def suit_role(board: Board) -> Any:
    """Return the role of the suit of W2."""
    own, role = 0, 0
    while board.indicators[0] >> RANK_COUNT * (own + 1):
        own += 1
    while board.suits[0, role] != own:
        role += 1
    return role


@part
def add_beats(board: Board, beats: Beats, multiset: int, worth: int, room: Room) -> None:
    """Add what being ahead is worth to the values of a multiset's hands."""
    narrow, ahead = room.narrow, beats.ahead
    for place in range(WIDTH):
        narrow[place] = np.int32(narrow[place] + np.int32(worth) * ahead[multiset, place])
    start = suit_role(board) * STATES * 2 * WIDTH
    for place in range(2 * STATES * WIDTH):
        at = np.uint64(start + place)
        narrow[at] = np.int32(narrow[at] + np.int32(worth) * ahead[multiset, np.uint64(WIDTH + place)])


@part
def own_beats(board: Board, image: int, beats: Beats, hands: Hands, hand: int, room: Room) -> Any:
    """Write to ``room.ahead`` the dealers that one hand is ahead of beside each W1; return the outcome when it is."""
    flush = find(beats.keys, image, hand)
    if flush >= 0:
        for lane in range(LANES):
            room.ahead[lane] = beats.lanes[flush, lane]
        return beats.made[flush]
    multiset = hands.multisets[hand]
    own = board.suits[image, suit_role(board)]
    if beats.outcomes[multiset] == BAD_BEAT_LOSES:
        for lane in range(LANES):
            room.ahead[lane] = 0
        return BAD_BEAT_LOSES
    state = hands.states[hand] >> HAND * own & STATES - 1
    for suit in range(SUIT_COUNT):
        at = WIDTH + (2 * state + (0 if suit == own else 1)) * WIDTH
        for place in range(WIDTH):
            room.ahead[suit * WIDTH + place] = beats.ahead[multiset, place] - beats.ahead[multiset, at + place]
    return beats.outcomes[multiset]


@part
def book_beats(board: Board, beats: Beats, multiset: int, play: int, room: Room, totals: Integers) -> None:
    """Count the dealers that the plays in ``room.folded`` are ahead of."""
    outcome = beats.outcomes[multiset]
    if outcome == BAD_BEAT_LOSES:
        return
    start = (play * MOST_ROLES + suit_role(board)) * STATES * 2 * WIDTH
    for each in range(STATES * 2 * WIDTH):
        times = room.folded[start + each]
        if times:
            ahead = beats.ahead[multiset, each & WIDTH - 1] - beats.ahead[multiset, WIDTH + each]
            totals[outcome] += times * ahead
