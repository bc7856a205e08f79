"""One hand that may be a flush, valued and tallied with all W1s at once."""

from typing import Any

import numpy as np

from pitboss.games.shifting_wilds.rules import BAD_BEAT_LOSES
from pitboss.games.shifting_wilds.solver.dealer_hands import FIELD_MASK
from pitboss.games.shifting_wilds.solver.dealer_sums import LANE_COUNT, PlayWorkspace
from pitboss.games.shifting_wilds.solver.play_values import CheckValues, Payoffs, PlayTotals, get_base_value, value_word
from pitboss.kernels.compile import kernel_helper


@kernel_helper
def value_lanes(payoffs: Payoffs, group: int, bonus: int, outcome: int, workspace: PlayWorkspace) -> None:
    """Fill ``workspace.hand_values`` with the values of a hand beyond a fold.

    They are the values of the words in ``workspace.hand_words``.
    """
    base_value, table = get_base_value(payoffs, group, bonus), payoffs.group_values
    for each in range(LANE_COUNT):
        lane = np.uint64(each)
        workspace.hand_values[lane] = np.int32(base_value + value_word(table, group, workspace.hand_words[lane]))
    add_bad_beats(payoffs, outcome, workspace)


@kernel_helper
def add_bad_beats(payoffs: Payoffs, outcome: int, workspace: PlayWorkspace) -> None:
    """Add the value of being ahead in the Bad Beat to ``workspace.hand_values``."""
    beat = np.int32(payoffs.bad_beat_values[outcome])
    if beat:
        for each in range(LANE_COUNT):
            lane = np.uint64(each)
            workspace.hand_values[lane] = np.int32(
                workspace.hand_values[lane] + beat * np.int32(workspace.beaten_counts[lane])
            )


@kernel_helper
def add_lanes(start: int, w2_lane: int, workspace: PlayWorkspace, check_values: CheckValues) -> None:
    """Add the values in ``workspace.hand_values`` to those of a hand.

    W2's lane is left out, as in ``add_play_values``.
    """
    best, plays, at = check_values.values, check_values.play_counts, np.uint64(start)
    saved_value, saved_plays = best[start + w2_lane], plays[start + w2_lane]
    for each in range(LANE_COUNT):
        lane = np.uint64(each)
        value = workspace.hand_values[lane]
        best[at + lane] += max(value, np.int32(0))
        plays[at + lane] = np.int8(plays[at + lane] + np.int8(1 if value >= 0 else 0))
    best[start + w2_lane], plays[start + w2_lane] = saved_value, saved_plays


@kernel_helper
def tally_lanes(
    check_weights: Any,
    start: int,
    w2_lane: int,
    always: int,
    workspace: PlayWorkspace,
    play_totals: PlayTotals,
    play_index: int,
    group: int,
    bonus: int,
    outcome: int,
) -> int:
    """Tally the dealers that a hand meets when it checks and then plays.

    It is tallied for each W1 with which it does so.  It plays with all W1s if ``always``, else where that is best.
    Return for how many of the W1s with which it checks a Play is worth as much as a fold, W2's lane ``w2_lane``
    included.
    """
    at, words, hand_values = np.uint64(start), workspace.hand_words, workspace.hand_values
    positions, below, up_to, low, equal = 0, 0, 0, 0, 0
    for each in range(LANE_COUNT):
        lane = np.uint64(each)
        weight = int(check_weights[at + lane])
        times = weight if always or hand_values[lane] >= 0 else 0
        positions += times
        below += times * (words[lane] & FIELD_MASK)
        up_to += times * (words[lane] >> 21 & FIELD_MASK)
        low += times * (words[lane] >> 42)
        equal += 1 if weight > 0 and hand_values[lane] == 0 else 0
    weight, word = int(check_weights[start + w2_lane]), words[w2_lane]
    left_out = weight if always or hand_values[w2_lane] >= 0 else 0
    totals = play_totals.totals
    totals[play_index, bonus, group, 0] += positions - left_out
    totals[play_index, bonus, group, 1] += below - left_out * (word & FIELD_MASK)
    totals[play_index, bonus, group, 2] += up_to - left_out * (word >> 21 & FIELD_MASK)
    totals[play_index, bonus, group, 3] += low - left_out * (word >> 42)
    if outcome != BAD_BEAT_LOSES and positions > 0:
        ahead = -left_out * workspace.beaten_counts[w2_lane]
        for each in range(LANE_COUNT):
            lane = np.uint64(each)
            ahead += (
                int(check_weights[at + lane]) if always or hand_values[lane] >= 0 else 0
            ) * workspace.beaten_counts[lane]
        play_totals.beaten_counts[play_index, outcome] += ahead
    return equal
