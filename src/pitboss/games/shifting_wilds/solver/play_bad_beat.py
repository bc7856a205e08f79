"""The Bad Beat after a Play: how many dealers each hand beats (SW-7).

Hands are compared by the natural five, a holder's four cards and W2.  The Bad Beat is swept like main
(``play_sweep``), with W2 alone as the board: nothing is wild, and only W2's suit can make a flush.  Hands whose Bad
Beat loses even when they are ahead are left out.
"""

from typing import Any, NamedTuple

import numpy as np

from pitboss.cards import RANK_COUNT, SUIT_COUNT
from pitboss.games.shifting_wilds.rules import BAD_BEAT_LOSES, HAND, settle_bad_beat
from pitboss.games.shifting_wilds.solver.boards import LONE, MAX_ROLES, NO_SUIT, PLAIN, PlayBoard
from pitboss.games.shifting_wilds.solver.dealer_hands import (
    FIELD_MASK,
    INDEX_BITS,
    INDEX_MASK,
    ROW_WIDTH,
    DealerHands,
    DealerTransfers,
    advance_to,
    make_dealer_hands,
)
from pitboss.games.shifting_wilds.solver.dealer_sums import (
    LANE_COUNT,
    PlayWorkspace,
    SubsetNumbers,
    invalidate_rows,
    sort_by_strength,
    sum_all_rows,
    sum_hand_words,
)
from pitboss.games.shifting_wilds.solver.multisets import STATE_COUNT, HandMultisets, Int32Array, OpeningHands
from pitboss.games.shifting_wilds.solver.natural_fives import find_key, get_key_hand, get_key_lane, list_natural_flushes
from pitboss.hands import HandTables
from pitboss.kernels.compile import kernel, kernel_helper
from pitboss.kernels.enumeration import IntArray
from pitboss.kernels.sorted_strengths import read_strength

NO_WILD_SLOT = ROW_WIDTH - 2
"""A slot without cards."""

BEATEN_ROW_WIDTH = (1 + 2 * STATE_COUNT) * ROW_WIDTH
"""The plain row of a multiset, then for each state in W2's suit a row for W1 in the suit and one for W1 outside it."""


class PlayBadBeats(NamedTuple):
    """The numbers of dealers that hands are ahead of.

    ``outcomes`` (multisets,) are those of a hand that is ahead.  ``beaten_counts`` (multisets, ``BEATEN_ROW_WIDTH``)
    has the dealers beaten by ranks alone, and how many fewer with the dealers' flushes.  For hands that are flushes
    themselves, ``flush_keys`` has W2 and hand in one word (``natural_fives``), rising; ``flush_outcomes`` their
    outcomes, and ``flush_beaten_counts`` (flushes, 64) the dealers beaten.
    """

    outcomes: IntArray
    beaten_counts: Int32Array
    flush_keys: IntArray
    flush_outcomes: IntArray
    flush_beaten_counts: Int32Array


def make_no_bad_beats(multisets: HandMultisets) -> PlayBadBeats:
    """Return the Bad Beats of no hand.

    They serve where the Bad Beat is neither staked nor counted.
    """
    return PlayBadBeats(
        outcomes=np.full(len(multisets.slots), BAD_BEAT_LOSES, np.int64),
        beaten_counts=np.zeros((0, BEATEN_ROW_WIDTH), np.int32),
        flush_keys=np.zeros(0, np.int64),
        flush_outcomes=np.zeros(0, np.int64),
        flush_beaten_counts=np.zeros((0, LANE_COUNT), np.int32),
    )


def make_natural_board(board: PlayBoard) -> PlayBoard:
    """Return the board of the Bad Beat with the W2s of a board."""
    suits = [[NO_SUIT, (int(indicator).bit_length() - 1) // RANK_COUNT] for indicator in board.indicators]
    return board._replace(
        wild_slot=NO_WILD_SLOT,
        role_modes=np.array([PLAIN, LONE], np.int64),
        role_suits=np.array(suits, np.int64),
        flush_needs=np.array([0, HAND], np.int64),
        is_natural=1,
    )


def count_play_bad_beats(
    subsets: SubsetNumbers,
    tables: HandTables,
    options: Any,
    hands: OpeningHands,
    board: PlayBoard,
    rank_strengths: IntArray,
    transfers: DealerTransfers,
    table: IntArray,
    workspace: PlayWorkspace,
    beaten_counts: Int32Array,
) -> PlayBadBeats:
    """Count the dealers that the natural fives with a board's W2s beat.

    ``board`` is one of ``make_natural_board``.  ``beaten_counts`` is filled and becomes part of the result.
    """
    dealer_hands = make_dealer_hands(subsets.multisets, tables, options, board, rank_strengths, 0, transfers, table)
    order, (strengths, keys) = sort_by_strength(rank_strengths), list_natural_flushes(tables, hands, board.indicators)
    outcomes, flush_outcomes = np.full(len(rank_strengths), BAD_BEAT_LOSES, np.int64), np.zeros(len(keys), np.int64)
    beats = PlayBadBeats(outcomes, beaten_counts, keys, flush_outcomes, np.zeros((len(keys), LANE_COUNT), np.int32))
    _sweep_fives(subsets, options, hands, board, order, strengths, transfers, dealer_hands, workspace, beats)
    rising = np.argsort(keys)
    return beats._replace(
        flush_keys=keys[rising],
        flush_outcomes=flush_outcomes[rising],
        flush_beaten_counts=beats.flush_beaten_counts[rising],
    )


@kernel
def _sweep_fives(
    subsets: SubsetNumbers,
    options: Any,
    hands: OpeningHands,
    board: PlayBoard,
    order: IntArray,
    strengths: IntArray,
    transfers: DealerTransfers,
    dealer_hands: DealerHands,
    workspace: PlayWorkspace,
    target: PlayBadBeats,
) -> None:
    """Sweep multisets and flushes by rising strength.

    The flushes are those of ``target.flush_keys``.  The dealers beaten are written to ``target``.
    """
    each, flush = 0, 0
    while each < len(order) or flush < len(strengths):
        strength = min(read_strength(order, each, INDEX_BITS), read_strength(strengths, flush, 0))
        outcome = settle_bad_beat(strength, strength - 1, options)
        if outcome != BAD_BEAT_LOSES:
            advance_to(transfers, dealer_hands, strength)
        while read_strength(order, each, INDEX_BITS) == strength:
            multiset = order[each] & INDEX_MASK
            each += 1
            target.outcomes[multiset] = outcome
            if outcome != BAD_BEAT_LOSES and hands.starts[multiset] < hands.starts[multiset + 1]:
                sum_all_rows(subsets, board, dealer_hands, multiset, 0, workspace)
                for place in range(ROW_WIDTH):
                    target.beaten_counts[multiset, place] = workspace.words[place] & FIELD_MASK
                for place in range(2 * STATE_COUNT * ROW_WIDTH):
                    target.beaten_counts[multiset, ROW_WIDTH + place] = (
                        workspace.words[STATE_COUNT * 2 * ROW_WIDTH + place] & FIELD_MASK
                    )
        invalidate_rows(workspace)
        while read_strength(strengths, flush, 0) == strength:
            key = target.flush_keys[flush]
            sum_hand_words(subsets, board, get_key_lane(key), dealer_hands, hands, get_key_hand(key), 0, workspace)
            target.flush_outcomes[flush] = outcome
            for lane in range(LANE_COUNT):
                target.flush_beaten_counts[flush, lane] = workspace.hand_words[lane] & FIELD_MASK
            flush += 1


@kernel_helper
def find_w2_role(board: PlayBoard) -> Any:
    """Return the role of the suit of W2."""
    own, role = 0, 0
    while board.indicators[0] >> RANK_COUNT * (own + 1):
        own += 1
    while board.role_suits[0, role] != own:
        role += 1
    return role


@kernel_helper
def add_bad_beat_values(
    board: PlayBoard, bad_beats: PlayBadBeats, multiset: int, value: int, workspace: PlayWorkspace
) -> None:
    """Add the value of being ahead in the Bad Beat to a multiset's values."""
    row_values, ahead = workspace.row_values, bad_beats.beaten_counts
    for place in range(ROW_WIDTH):
        row_values[place] = np.int32(row_values[place] + np.int32(value) * ahead[multiset, place])
    start = find_w2_role(board) * STATE_COUNT * 2 * ROW_WIDTH
    for place in range(2 * STATE_COUNT * ROW_WIDTH):
        at = np.uint64(start + place)
        row_values[at] = np.int32(row_values[at] + np.int32(value) * ahead[multiset, np.uint64(ROW_WIDTH + place)])


@kernel_helper
def fill_hand_bad_beats(
    board: PlayBoard, w2_index: int, bad_beats: PlayBadBeats, hands: OpeningHands, hand: int, workspace: PlayWorkspace
) -> Any:
    """Fill ``workspace.beaten_counts`` for one hand.

    It gets the dealers that the hand beats with each W1.  Return the hand's outcome when ahead.
    """
    flush = find_key(bad_beats.flush_keys, w2_index, hand)
    if flush >= 0:
        for lane in range(LANE_COUNT):
            workspace.beaten_counts[lane] = bad_beats.flush_beaten_counts[flush, lane]
        return bad_beats.flush_outcomes[flush]
    multiset = hands.multisets[hand]
    own = board.role_suits[w2_index, find_w2_role(board)]
    if bad_beats.outcomes[multiset] == BAD_BEAT_LOSES:
        for lane in range(LANE_COUNT):
            workspace.beaten_counts[lane] = 0
        return BAD_BEAT_LOSES
    state = hands.states[hand] >> HAND * own & STATE_COUNT - 1
    for suit in range(SUIT_COUNT):
        at = ROW_WIDTH + (2 * state + (0 if suit == own else 1)) * ROW_WIDTH
        for place in range(ROW_WIDTH):
            workspace.beaten_counts[suit * ROW_WIDTH + place] = (
                bad_beats.beaten_counts[multiset, place] - bad_beats.beaten_counts[multiset, at + place]
            )
    return bad_beats.outcomes[multiset]


@kernel_helper
def tally_bad_beats(
    board: PlayBoard,
    bad_beats: PlayBadBeats,
    multiset: int,
    play_index: int,
    workspace: PlayWorkspace,
    totals: IntArray,
) -> None:
    """Count the dealers that the plays in ``workspace.summed_counts`` are ahead of."""
    outcome = bad_beats.outcomes[multiset]
    if outcome == BAD_BEAT_LOSES:
        return
    start = (play_index * MAX_ROLES + find_w2_role(board)) * STATE_COUNT * 2 * ROW_WIDTH
    for each in range(STATE_COUNT * 2 * ROW_WIDTH):
        times = workspace.summed_counts[start + each]
        if times:
            ahead = (
                bad_beats.beaten_counts[multiset, each & ROW_WIDTH - 1]
                - bad_beats.beaten_counts[multiset, ROW_WIDTH + each]
            )
            totals[outcome] += times * ahead
