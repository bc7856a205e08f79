"""The values of Plays, and which Plays are best.

The hands of a multiset that are not a flush are valued with all W1s at once.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import SUIT_COUNT
from pitboss.core.rule import rule
from pitboss.games.shifting_wilds.rules import BLIND_LINES, HAND
from pitboss.games.shifting_wilds.solver.boards import MAX_ROLES, PlayBoard
from pitboss.games.shifting_wilds.solver.dealer_hands import FIELD_MASK, NO_CARD, ROW_WIDTH
from pitboss.games.shifting_wilds.solver.dealer_sums import LANE_COUNT, SKIPPED, PlayWorkspace, get_wide
from pitboss.games.shifting_wilds.solver.multisets import (
    STATE_COUNT,
    OpeningHands,
    count_copies,
    find_other_cards,
    has_flush_cards,
)
from pitboss.hands import ROYAL_FLUSH, get_category
from pitboss.kernels.compile import kernel_helper
from pitboss.kernels.enumeration import IntArray

GROUP_COUNT = 2 * (BLIND_LINES + 1)
"""Strengths are grouped by what they net: by the line of the Blind, and by whether a dealer with them qualifies."""

SUM_COUNT = 4
"""The sums of a group: positions, dealers below, dealers up to the strength, dealers not qualified."""


class Payoffs(NamedTuple):
    """The values that decide a Play or Lock, each less the value of a fold.

    ``group_values`` (groups, 4) are those of a position and of a dealer below, up to the strength and not qualified.
    ``bonus_values`` is what each outcome of the Regular Bonus adds.  ``bad_beat_values``, by the outcome of the Bad
    Beat when ahead, is what each dealer adds that the hand is ahead of.  ``qualifying_strength`` is the lowest strength
    that qualifies, ``dealer_count`` how many hands the dealer may hold.
    """

    group_values: IntArray
    bonus_values: IntArray
    bad_beat_values: IntArray
    qualifying_strength: int
    dealer_count: int


class PlayTotals(NamedTuple):
    """The totals in which the best play and strategies are tallied side by side.

    ``totals`` (plays, outcomes of the Regular Bonus, groups, 4) are of positions and of dealers met; ``beaten_counts``
    (plays, outcomes of the Bad Beat) of the dealers that hands are ahead of.  ``permutations`` are the exchanges of
    suits that leave the community cards as they are; positions of equal value are counted up to them.
    """

    totals: IntArray
    beaten_counts: IntArray
    permutations: IntArray


class CheckValues(NamedTuple):
    """The values of Checks by hand and lane, flat.

    ``values`` adds up over W2s what a Play is worth beyond a fold, where it is not worth less; ``play_counts`` is the
    number of these W2s.  ``sums`` has the sums of both over the positions that check.
    """

    values: Any
    play_counts: NDArray[np.int8]
    sums: IntArray


@rule
def get_group(strength: int, lowest: int) -> int:
    """Return the group of a strength.

    It is twice the line of the Blind, and one more if a dealer with this strength qualifies.
    """
    return 2 * min(ROYAL_FLUSH - get_category(strength), BLIND_LINES) + (1 if strength >= lowest else 0)


@kernel_helper
def value_word(group_values: IntArray, group: int, word: int) -> Any:
    """Return the value of the counts of a word, in 32 bits."""
    below = np.int32(np.int32(group_values[group, 1]) * np.int32(word & FIELD_MASK))
    up_to = np.int32(np.int32(group_values[group, 2]) * np.int32(word >> 21 & FIELD_MASK))
    low = np.int32(np.int32(group_values[group, 3]) * np.int32(word >> 42))
    return np.int32(np.int32(below + up_to) + low)


@kernel_helper
def get_base_value(payoffs: Payoffs, group: int, bonus: int) -> Any:
    """Return the value of a position if every dealer is stronger and qualifies."""
    return (payoffs.group_values[group, 0] + payoffs.bonus_values[bonus]) * payoffs.dealer_count


@kernel_helper
def value_rows(board: PlayBoard, payoffs: Payoffs, group: int, base_value: int, workspace: PlayWorkspace) -> None:
    """Fill in the values of every state of every role.

    A state has values for W1 in the suit and outside it.  ``base_value`` is added to those of the plain role.
    """
    group_values = payoffs.group_values
    row_values, words = workspace.row_values, workspace.words
    for place in range(ROW_WIDTH):
        row_values[place] = np.int32(base_value + value_word(group_values, group, words[place]))
    start = STATE_COUNT * 2 * ROW_WIDTH
    for each in range(start, len(board.role_modes) * start):
        row_values[np.uint64(each)] = value_word(group_values, group, words[np.uint64(each)])
    fill_last_places(board, workspace)


@kernel_helper
def fill_last_places(board: PlayBoard, workspace: PlayWorkspace) -> None:
    """Copy the values of each row's last card to the place ``NO_CARD``.

    No W1 has that place, and so it changes no minimum or maximum.
    """
    row_values = workspace.row_values
    row_values[NO_CARD] = row_values[NO_CARD - 1]
    for row in range(2 * STATE_COUNT, len(board.role_modes) * 2 * STATE_COUNT):
        row_values[row * ROW_WIDTH + NO_CARD] = row_values[row * ROW_WIDTH + NO_CARD - 1]


@kernel_helper
def spread_rows(board: PlayBoard, w2_index: int, workspace: PlayWorkspace) -> None:
    """Spread the values over the lanes of all W1s, for one of the board's W2s."""
    row_values, values, width = workspace.row_values, workspace.lane_values, get_wide(workspace) // 2
    for suit in range(SUIT_COUNT):
        for place in range(width):
            values[np.uint64(suit * ROW_WIDTH + place)] = row_values[np.uint64(place)]
    for role in range(1, len(board.role_modes)):
        own = board.role_suits[w2_index, role]
        for state in range(STATE_COUNT):
            into, at = (role * STATE_COUNT + state) * LANE_COUNT, (role * STATE_COUNT + state) * 2 * ROW_WIDTH
            for suit in range(SUIT_COUNT):
                to, side = np.uint64(into + suit * ROW_WIDTH), np.uint64(at + (0 if suit == own else ROW_WIDTH))
                for place in range(width):
                    values[to + np.uint64(place)] = row_values[side + np.uint64(place)]


@kernel_helper
def get_role_states(
    board: PlayBoard, w2_index: int, state: int, naturals: int, wild_cards: int
) -> tuple[int, int, int, bool]:
    """Return a hand's state in each suit's role, and whether it is a flush."""
    first, second, third, is_flush = 0, 0, 0, False
    for role in range(1, len(board.role_modes)):
        held = state >> HAND * board.role_suits[w2_index, role] & naturals
        is_flush |= has_flush_cards(held, naturals, wild_cards, board.flush_needs[role])
        if role == 1:
            first = held
        elif role == 2:
            second = held
        else:
            third = held
    return first, second, third, is_flush


@kernel_helper
def store_role_states(
    board: PlayBoard, w2_index: int, hands: OpeningHands, multiset: int, slots: IntArray, workspace: PlayWorkspace
) -> None:
    """Fill ``workspace.role_states`` for a multiset's hands with one W2.

    ``w2_index`` is that W2 of the board.  Hands that are a flush are skipped.
    """
    naturals, wild_cards = find_other_cards(slots, board.wild_slot), count_copies(slots, board.wild_slot)
    indicator, start = board.indicators[w2_index], hands.starts[multiset]
    for hand in range(start, hands.starts[multiset + 1]):
        first, second, third, is_flush = get_role_states(board, w2_index, hands.states[hand], naturals, wild_cards)
        held = first | second << HAND | third << 2 * HAND
        workspace.role_states[hand - start] = SKIPPED if is_flush or hands.masks[hand] & indicator else held


@kernel_helper
def locate_rows(states: int) -> Any:
    """Return where the values of a hand's states in the three suits' roles start."""
    first, second, third = states & STATE_COUNT - 1, states >> HAND & STATE_COUNT - 1, states >> 2 * HAND
    return (
        np.uint64((STATE_COUNT + first) * LANE_COUNT),
        np.uint64((2 * STATE_COUNT + second) * LANE_COUNT),
        np.uint64((3 * STATE_COUNT + third) * LANE_COUNT),
    )


@kernel_helper
def add_play_values(
    hands: OpeningHands, multiset: int, w2_lane: int, workspace: PlayWorkspace, check_values: CheckValues
) -> None:
    """Add the positive values of a multiset's Plays, and count these Plays.

    The values are those beyond a fold.  ``w2_lane`` is the lane of W2, which cannot also be W1.
    """
    found, best, plays, start = (
        workspace.hand_values,
        check_values.values,
        check_values.play_counts,
        hands.starts[multiset],
    )
    for hand in range(start, hands.starts[multiset + 1]):
        if workspace.role_states[hand - start] == SKIPPED:
            continue
        least, most = _value_hand(workspace.role_states[hand - start], workspace)
        workspace.min_values[hand - start], workspace.max_values[hand - start] = least, most
        if most < 0:
            continue
        at = np.uint64(hand * LANE_COUNT)
        saved_value, saved_plays = best[at + np.uint64(w2_lane)], plays[at + np.uint64(w2_lane)]
        for each in range(LANE_COUNT):
            lane = np.uint64(each)
            best[at + lane] += max(found[lane], np.int32(0))
            plays[at + lane] = np.int8(plays[at + lane] + np.int8(1 if found[lane] >= 0 else 0))
        best[at + np.uint64(w2_lane)], plays[at + np.uint64(w2_lane)] = saved_value, saved_plays


@kernel_helper
def _value_hand(states: int, workspace: PlayWorkspace) -> tuple[Any, Any]:
    """Fill ``workspace.hand_values`` from a hand's states; return the bounds.

    They are the least and the largest value, or 0 and -1 if these are further in.
    """
    values, found = workspace.lane_values, workspace.hand_values
    one, two, three = locate_rows(states)
    least, most = np.int32(0), np.int32(-1)
    for each in range(LANE_COUNT):
        lane = np.uint64(each)
        value = np.int32(values[lane] - values[one + lane])
        value = np.int32(np.int32(value - values[two + lane]) - values[three + lane])
        found[lane] = value
        least, most = min(least, value), max(most, value)
    return least, most


@kernel_helper
def count_plays(hands: OpeningHands, multiset: int, workspace: PlayWorkspace, check_weights: Any) -> tuple[int, int]:
    """Count the W1s with which a multiset's hands check and then play.

    They are counted in ``workspace.play_counts``, by role, state and lane.  ``check_weights`` (hands x lanes) has the
    weights of the positions that check.  Return how many hands play with some card as W1, and how many of the positions
    are worth as much as a fold, W2's lane included.
    """
    found, play_counts, start = workspace.hand_values, workspace.play_counts, hands.starts[multiset]
    played_hands, equal = 0, 0
    for hand in range(start, hands.starts[multiset + 1]):
        if workspace.role_states[hand - start] == SKIPPED:
            continue
        _, most = _value_hand(workspace.role_states[hand - start], workspace)
        if most < 0:
            continue
        played_hands += 1
        one, two, three = locate_rows(workspace.role_states[hand - start])
        at = np.uint64(hand * LANE_COUNT)
        for each in range(LANE_COUNT):
            lane = np.uint64(each)
            value, weight = found[lane], np.int16(check_weights[at + lane])
            equal += 1 if value == 0 and weight > 0 else 0
            played = np.int16(weight if value >= 0 else 0)
            play_counts[one + lane] = np.int16(play_counts[one + lane] + played)
            play_counts[two + lane] = np.int16(play_counts[two + lane] + played)
            play_counts[three + lane] = np.int16(play_counts[three + lane] + played)
    return played_hands, equal


@kernel_helper
def sum_play_counts(board: PlayBoard, w2_index: int, w2_lane: int, play_index: int, workspace: PlayWorkspace) -> None:
    """Move ``workspace.play_counts`` to ``workspace.summed_counts``.

    W1s in a role's suit are summed apart from the others.
    """
    play_counts, summed_counts, width = workspace.play_counts, workspace.summed_counts, get_wide(workspace) // 2
    workspace.has_counts[play_index] = 1
    for row in range(STATE_COUNT, len(board.role_modes) * STATE_COUNT):
        play_counts[row * LANE_COUNT + w2_lane] = 0
    for role in range(1, len(board.role_modes)):
        suit = board.role_suits[w2_index, role]
        for row in range(role * STATE_COUNT, (role + 1) * STATE_COUNT):
            at, into = (
                np.uint64(row * LANE_COUNT),
                np.uint64((play_index * MAX_ROLES * STATE_COUNT + row) * 2 * ROW_WIDTH),
            )
            mine, wide = np.uint64(row * LANE_COUNT + suit * ROW_WIDTH), np.uint64(ROW_WIDTH)
            for place in range(width):
                each = np.uint64(place)
                within = play_counts[mine + each]
                every = play_counts[at + each] + play_counts[at + wide + each]
                every += play_counts[at + wide + wide + each] + play_counts[at + wide + wide + wide + each]
                summed_counts[into + each] = np.int32(summed_counts[into + each] + within)
                summed_counts[into + wide + each] = np.int32(summed_counts[into + wide + each] + (every - within))
            for lane in range(LANE_COUNT):
                play_counts[at + np.uint64(lane)] = 0


@kernel_helper
def tally_word(totals: IntArray, group: int, times: int, word: int) -> None:
    """Add the counts of a word, times a number of positions, to those of a group."""
    totals[group, 0] += times
    totals[group, 1] += times * (word & FIELD_MASK)
    totals[group, 2] += times * (word >> 21 & FIELD_MASK)
    totals[group, 3] += times * (word >> 42)


@kernel_helper
def tally_summed_counts(
    board: PlayBoard, group: int, play_index: int, workspace: PlayWorkspace, totals: IntArray
) -> None:
    """Add the dealers that the counted plays meet to the totals.

    The plays are those in ``workspace.summed_counts``, which are cleared.
    """
    summed_counts, words, wide = workspace.summed_counts, workspace.words, get_wide(workspace)
    below, up_to, low = 0, 0, 0
    for role in range(1, len(board.role_modes)):
        for row in range(role * STATE_COUNT, (role + 1) * STATE_COUNT):
            at, from_ = (
                np.uint64(row * 2 * ROW_WIDTH),
                np.uint64((play_index * MAX_ROLES * STATE_COUNT + row) * 2 * ROW_WIDTH),
            )
            for place in range(wide):
                each = np.uint64(place)
                times, word = np.int64(summed_counts[from_ + each]), words[at + each]
                below += times * (word & FIELD_MASK)
                up_to += times * (word >> 21 & FIELD_MASK)
                low += times * (word >> 42)
    totals[group, 1] -= below
    totals[group, 2] -= up_to
    totals[group, 3] -= low
    for row in range(STATE_COUNT, 2 * STATE_COUNT):
        from_ = np.uint64((play_index * MAX_ROLES * STATE_COUNT + row) * 2 * ROW_WIDTH)
        for place in range(2 * ROW_WIDTH):
            times = summed_counts[from_ + np.uint64(place)]
            if times:
                tally_word(totals, group, times, words[place & ROW_WIDTH - 1])
    workspace.has_counts[play_index], start = 0, play_index * MAX_ROLES * STATE_COUNT * 2 * ROW_WIDTH
    summed_counts[start : start + MAX_ROLES * STATE_COUNT * 2 * ROW_WIDTH] = 0
