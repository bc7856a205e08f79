"""The sweep of a board.

It compares all hands that may play, by rising strength, with all hands that the dealer may hold.
"""

from typing import Any

import numpy as np

from pitboss.games.shifting_wilds.solver.boards import PlayBoard, RankStrengths, rank_with_bonus
from pitboss.games.shifting_wilds.solver.dealer_hands import (
    INDEX_BITS,
    INDEX_MASK,
    UNQUALIFIED_UNIT,
    UP_TO_UNIT,
    DealerHands,
    DealerTransfers,
    advance_to,
    make_dealer_hands,
)
from pitboss.games.shifting_wilds.solver.dealer_sums import (
    LANE_COUNT,
    SKIPPED,
    PlayWorkspace,
    SubsetNumbers,
    get_lane,
    get_w1,
    invalidate_rows,
    is_least,
    sort_by_strength,
    sum_all_rows,
    sum_hand_words,
)
from pitboss.games.shifting_wilds.solver.flush_plays import add_lanes, tally_lanes, value_lanes
from pitboss.games.shifting_wilds.solver.mistakes import classify_second
from pitboss.games.shifting_wilds.solver.multisets import (
    BONUS_BITS,
    BONUS_MASK,
    HAND_BITS,
    HAND_MASK,
    OpeningHands,
    count_copies,
    find_other_cards,
)
from pitboss.games.shifting_wilds.solver.play_bad_beat import (
    PlayBadBeats,
    add_bad_beat_values,
    fill_hand_bad_beats,
    tally_bad_beats,
)
from pitboss.games.shifting_wilds.solver.play_values import (
    CheckValues,
    Payoffs,
    PlayTotals,
    add_play_values,
    count_plays,
    get_base_value,
    get_group,
    get_role_states,
    locate_rows,
    spread_rows,
    store_role_states,
    sum_play_counts,
    tally_summed_counts,
    value_rows,
)
from pitboss.games.shifting_wilds.solver.strategy_follower import FollowedStrategies, follow_flush, follow_multiset
from pitboss.hands import HandTables
from pitboss.kernels.compile import kernel_helper, no_alloc_kernel
from pitboss.kernels.enumeration import IntArray
from pitboss.kernels.sorted_strengths import read_strength

IMAGE_BITS = 2
STRENGTH_SHIFT = HAND_BITS + BONUS_BITS + IMAGE_BITS


def list_play_flushes(
    subsets: SubsetNumbers, tables: HandTables, options: Any, hands: OpeningHands, board: PlayBoard
) -> IntArray:
    """Return a sorted word for each hand that may be a flush with a W2.

    The W2s are those of the board.  The bits of a word:

    bits 26 and up  strength
    bits  8 to 25   hand
    bits  6 to  7   W2
    bits  0 to  5   outcome of the Regular Bonus

    So the hands of one strength and multiset, which share their sums (``sum_hand_words``), follow one another.
    """
    words = np.empty(len(board.indicators) * len(hands.masks), np.int64)
    return np.sort(words[: _fill_play_flushes(subsets, tables, options, hands, board, words)])


@kernel_helper
def get_flush_hand(word: int) -> int:
    """Return the hand of a word of ``list_play_flushes``."""
    return word >> IMAGE_BITS + BONUS_BITS & HAND_MASK


@kernel_helper
def get_flush_image(word: int) -> int:
    """Return the W2 of a word of ``list_play_flushes``."""
    return word >> BONUS_BITS & (1 << IMAGE_BITS) - 1


@no_alloc_kernel
def _fill_play_flushes(
    subsets: SubsetNumbers, tables: HandTables, options: Any, hands: OpeningHands, board: PlayBoard, words: IntArray
) -> int:
    """Write the words of ``list_play_flushes`` and return how many there are."""
    used = 0
    for image in range(len(board.indicators)):
        indicator = board.indicators[image]
        for multiset in range(len(subsets.multisets.slots)):
            slots = subsets.multisets.slots[multiset]
            naturals, wild_cards = find_other_cards(slots, board.wild_slot), count_copies(slots, board.wild_slot)
            for hand in range(hands.starts[multiset], hands.starts[multiset + 1]):
                if hands.masks[hand] & indicator:
                    continue
                if get_role_states(board, image, hands.states[hand], naturals, wild_cards)[3]:
                    strength, bonus = rank_with_bonus(tables, hands.masks[hand], board.community, indicator, options)
                    words[used] = ((strength << HAND_BITS | hand) << IMAGE_BITS | image) << BONUS_BITS | bonus
                    used += 1
    return used


@kernel_helper
def _count_equal(
    subsets: SubsetNumbers,
    board: PlayBoard,
    w2_index: int,
    hands: OpeningHands,
    multiset: int,
    workspace: PlayWorkspace,
    check_weights: Any,
    permutations: IntArray,
) -> int:
    """Count the checked positions of a multiset whose Play equals a fold.

    They are counted up to suits.
    """
    indicator, values, start = board.indicators[w2_index], workspace.lane_values, hands.starts[multiset]
    equal = 0
    for hand in range(start, hands.starts[multiset + 1]):
        if workspace.role_states[hand - start] == SKIPPED:
            continue
        one, two, three = locate_rows(workspace.role_states[hand - start])
        for each in range(LANE_COUNT):
            lane = np.uint64(each)
            value = values[lane] - values[one + lane] - values[two + lane] - values[three + lane]
            if value == 0 and check_weights[hand * LANE_COUNT + each] > 0:
                w1 = get_w1(subsets, each)
                equal += w1 != indicator and is_least(hands.masks[hand], w1, indicator, permutations)
    return equal


def sweep_board(
    subsets: SubsetNumbers,
    tables: HandTables,
    options: Any,
    hands: OpeningHands,
    board: PlayBoard,
    flushes: IntArray,
    rank_strengths: RankStrengths,
    bad_beats: PlayBadBeats,
    payoffs: Payoffs,
    transfers: DealerTransfers,
    table: IntArray,
    workspace: PlayWorkspace,
    check_values: CheckValues,
    strategies: FollowedStrategies,
    is_counting: int,
    play_totals: PlayTotals,
) -> int:
    """Sweep a board; return how many positions, up to suits, are worth a fold.

    The first sweep (``is_counting`` 0) adds the values of Plays to ``check_values`` and tallies the given strategies.
    The second (``is_counting`` 1) tallies the best play, whose ``strategies.check_weights`` has the weight of each hand
    and W1 that checks.  ``flushes`` are those of ``list_play_flushes``.
    """
    dealer_hands = make_dealer_hands(
        subsets.multisets,
        tables,
        options,
        board,
        rank_strengths.strengths,
        payoffs.qualifying_strength,
        transfers,
        table,
    )
    order = sort_by_strength(rank_strengths.strengths)
    workspace.lane_values[:] = 0
    workspace.play_counts[:] = 0
    board_args = (board, order, flushes, rank_strengths.bonuses, bad_beats, payoffs, transfers, dealer_hands)
    return _sweep_by_strength(
        subsets, hands, *board_args, workspace, check_values, strategies, is_counting, play_totals
    )


@kernel_helper
def get_own_unit(strength: int, payoffs: Payoffs) -> int:
    """Return the word of a hand itself.

    It is not below its own strength, but counts among those up to it.
    """
    return UP_TO_UNIT + (UNQUALIFIED_UNIT if strength < payoffs.qualifying_strength else 0)


@no_alloc_kernel
def _sweep_by_strength(
    subsets: SubsetNumbers,
    hands: OpeningHands,
    board: PlayBoard,
    order: IntArray,
    flushes: IntArray,
    bonuses: IntArray,
    bad_beats: PlayBadBeats,
    payoffs: Payoffs,
    transfers: DealerTransfers,
    dealer_hands: DealerHands,
    workspace: PlayWorkspace,
    check_values: CheckValues,
    strategies: FollowedStrategies,
    is_counting: int,
    play_totals: PlayTotals,
) -> int:
    """Sweep a board's multisets and flushes by strength (``sweep_board``)."""
    each, flush, equal = 0, 0, 0
    while each < len(order) or flush < len(flushes):
        strength = min(read_strength(order, each, INDEX_BITS), read_strength(flushes, flush, STRENGTH_SHIFT))
        advance_to(transfers, dealer_hands, strength)
        group = get_group(strength, payoffs.qualifying_strength)
        kind = classify_second(strength, board.community | board.indicators[0])
        while read_strength(order, each, INDEX_BITS) == strength:
            multiset = order[each] & INDEX_MASK
            each += 1
            if hands.starts[multiset] < hands.starts[multiset + 1]:
                sum_all_rows(subsets, board, dealer_hands, multiset, get_own_unit(strength, payoffs), workspace)
                equal += _decide_multiset(
                    subsets,
                    hands,
                    board,
                    bad_beats,
                    payoffs,
                    multiset,
                    group,
                    bonuses[multiset],
                    kind,
                    workspace,
                    check_values,
                    strategies,
                    is_counting,
                    play_totals,
                )
        invalidate_rows(workspace)
        while read_strength(flushes, flush, STRENGTH_SHIFT) == strength:
            equal += _decide_flush(
                subsets,
                hands,
                board,
                bad_beats,
                payoffs,
                dealer_hands,
                flushes[flush],
                group,
                kind,
                workspace,
                check_values,
                strategies,
                is_counting,
                play_totals,
            )
            flush += 1
    return equal


@kernel_helper
def _decide_multiset(
    subsets: SubsetNumbers,
    hands: OpeningHands,
    board: PlayBoard,
    bad_beats: PlayBadBeats,
    payoffs: Payoffs,
    multiset: int,
    group: int,
    bonus: int,
    kind: int,
    workspace: PlayWorkspace,
    check_values: CheckValues,
    strategies: FollowedStrategies,
    is_counting: int,
    play_totals: PlayTotals,
) -> int:
    """Decide the hands of a multiset that are not a flush, with each W2.

    The dealers that the plays meet are tallied.
    """
    value_rows(board, payoffs, group, get_base_value(payoffs, group, bonus), workspace)
    equal, beat = 0, payoffs.bad_beat_values[bad_beats.outcomes[multiset]]
    if beat:
        add_bad_beat_values(board, bad_beats, multiset, beat, workspace)
    plays = len(strategies.check_weights)
    for image in range(len(board.indicators)):
        own = get_lane(subsets.multisets, board.indicators[image], board.wild_slot)
        spread_rows(board, image, workspace)
        store_role_states(board, image, hands, multiset, subsets.multisets.slots[multiset], workspace)
        if not is_counting:
            add_play_values(hands, multiset, own, workspace, check_values)
        for play in range(plays):
            if strategies.never_checks[play]:
                continue
            check_weights = strategies.check_weights[play]
            if not is_counting:
                played = follow_multiset(hands, multiset, own, play, kind, workspace, strategies)
            else:
                played, equal_count = count_plays(hands, multiset, workspace, check_weights)
                if equal_count:
                    equal += _count_equal(
                        subsets, board, image, hands, multiset, workspace, check_weights, play_totals.permutations
                    )
            if played:
                sum_play_counts(board, image, own, play, workspace)
    for play in range(plays):
        if workspace.has_counts[play]:
            tally_bad_beats(board, bad_beats, multiset, play, workspace, play_totals.beaten_counts[play])
            tally_summed_counts(board, group, play, workspace, play_totals.totals[play, bonus])
    return equal


@kernel_helper
def _decide_flush(
    subsets: SubsetNumbers,
    hands: OpeningHands,
    board: PlayBoard,
    bad_beats: PlayBadBeats,
    payoffs: Payoffs,
    dealer_hands: DealerHands,
    word: int,
    group: int,
    kind: int,
    workspace: PlayWorkspace,
    check_values: CheckValues,
    strategies: FollowedStrategies,
    is_counting: int,
    play_totals: PlayTotals,
) -> int:
    """Decide the hand of a word of ``list_play_flushes``.

    If it plays, the dealers that it meets are tallied.
    """
    hand, image, bonus = get_flush_hand(word), get_flush_image(word), word & BONUS_MASK
    own, start, equal = get_lane(subsets.multisets, board.indicators[image], board.wild_slot), hand * LANE_COUNT, 0
    sum_hand_words(
        subsets, board, image, dealer_hands, hands, hand, get_own_unit(word >> STRENGTH_SHIFT, payoffs), workspace
    )
    outcome = fill_hand_bad_beats(board, image, bad_beats, hands, hand, workspace)
    value_lanes(payoffs, group, bonus, outcome, workspace)
    if not is_counting:
        add_lanes(start, own, workspace, check_values)
    for play in range(len(strategies.check_weights)):
        if strategies.never_checks[play]:
            continue
        check_weights = strategies.check_weights[play]
        if is_counting:
            equal_count = tally_lanes(check_weights, start, own, 0, workspace, play_totals, play, group, bonus, outcome)
        else:
            equal_count = 0
            follow_flush(hand, own, play, kind, workspace, strategies, play_totals, group, bonus, outcome)
        if equal_count:
            for lane in range(LANE_COUNT):
                if workspace.hand_values[lane] == 0 and check_weights[start + lane] > 0 and lane != own:
                    equal += is_least(
                        hands.masks[hand], get_w1(subsets, lane), board.indicators[image], play_totals.permutations
                    )
    return equal
