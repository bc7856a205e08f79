"""Follow strategies in the sweep that finds the best play.

This gives the hands that they play, and the cost of their mistakes.
"""

from typing import Any, NamedTuple

import numpy as np

from pitboss.games.shifting_wilds.rules import PLAY
from pitboss.games.shifting_wilds.solver.dealer_sums import LANE_COUNT, SKIPPED, PlayWorkspace
from pitboss.games.shifting_wilds.solver.flush_plays import tally_lanes
from pitboss.games.shifting_wilds.solver.multisets import OpeningHands
from pitboss.games.shifting_wilds.solver.play_values import PlayTotals, locate_rows
from pitboss.games.shifting_wilds.solver.policy_table import SECOND_DECISION, Actions
from pitboss.kernels.compile import kernel_helper
from pitboss.kernels.enumeration import IntArray


class FollowedStrategies(NamedTuple):
    """The strategies to follow, with their checks, plays and mistakes.

    ``check_weights`` (strategies, hands x lanes) has the weights of the positions that check, ``second_actions``, of
    the same shape, the second actions (``OpeningPolicy``).  Mistakes of second actions are added to ``mistakes``
    (strategies, ``make_mistake_table``).  ``never_checks`` marks the strategies that never check.
    """

    check_weights: Actions
    second_actions: Actions
    mistakes: IntArray
    never_checks: Actions


@kernel_helper
def follow_multiset(
    hands: OpeningHands,
    multiset: int,
    w2_lane: int,
    play_index: int,
    kind: int,
    workspace: PlayWorkspace,
    strategies: FollowedStrategies,
) -> int:
    """Follow a strategy with a multiset's hands that are not a flush.

    Return how many hands play.  The plays are counted in ``workspace.play_counts``.
    """
    played = 0
    values, play_counts, start = workspace.lane_values, workspace.play_counts, hands.starts[multiset]
    check_weights, second = strategies.check_weights[play_index], strategies.second_actions[play_index]
    for hand in range(start, hands.starts[multiset + 1]):
        if workspace.role_states[hand - start] == SKIPPED:
            continue
        one, two, three = locate_rows(workspace.role_states[hand - start])
        at, action = np.uint64(hand * LANE_COUNT), second[hand * LANE_COUNT + w2_lane]
        if action == PLAY:
            played += 1
            for each in range(LANE_COUNT):
                lane = np.uint64(each)
                weight = np.int16(check_weights[at + lane])
                play_counts[one + lane] = np.int16(play_counts[one + lane] + weight)
                play_counts[two + lane] = np.int16(play_counts[two + lane] + weight)
                play_counts[three + lane] = np.int16(play_counts[three + lane] + weight)
        errs = workspace.min_values[hand - start] < 0 if action == PLAY else workspace.max_values[hand - start] > 0
        if errs:
            for each in range(LANE_COUNT):
                lane = np.uint64(each)
                value = np.int32(values[lane] - values[one + lane])
                value = np.int32(np.int32(value - values[two + lane]) - values[three + lane])
                workspace.hand_values[lane] = value
            _tally_mistakes(
                check_weights,
                hand,
                w2_lane,
                action,
                workspace,
                strategies.mistakes[play_index, SECOND_DECISION, action, kind],
            )
    return played


@kernel_helper
def _tally_mistakes(
    check_weights: Any, hand: int, w2_lane: int, action: int, workspace: PlayWorkspace, mistakes: IntArray
) -> None:
    """Add the weight and the loss of checked positions played wrongly.

    In these, the other action is better by ``workspace.hand_values``.
    """
    at, positions, cost, sign = np.uint64(hand * LANE_COUNT), 0, 0, np.int32(-1 if action == PLAY else 1)
    for each in range(LANE_COUNT):
        lane = np.uint64(each)
        weight, lost = (
            int(check_weights[at + lane]),
            int(max(np.int32(sign * workspace.hand_values[lane]), np.int32(0))),
        )
        positions += weight if lost > 0 else 0
        cost += weight * lost
    weight, lost = (
        int(check_weights[hand * LANE_COUNT + w2_lane]),
        int(max(np.int32(sign * workspace.hand_values[w2_lane]), np.int32(0))),
    )
    mistakes[0] += positions - (weight if lost > 0 else 0)
    mistakes[1] += cost - weight * lost


@kernel_helper
def follow_flush(
    hand: int,
    w2_lane: int,
    play_index: int,
    kind: int,
    workspace: PlayWorkspace,
    strategies: FollowedStrategies,
    play_totals: PlayTotals,
    group: int,
    bonus: int,
    outcome: int,
) -> None:
    """Follow a strategy with one hand that may be a flush.

    The words and values of the hand are in ``workspace``.
    """
    check_weights, action = (
        strategies.check_weights[play_index],
        strategies.second_actions[play_index, hand * LANE_COUNT + w2_lane],
    )
    if action == PLAY:
        tally_lanes(
            check_weights, hand * LANE_COUNT, w2_lane, 1, workspace, play_totals, play_index, group, bonus, outcome
        )
    _tally_mistakes(
        check_weights, hand, w2_lane, action, workspace, strategies.mistakes[play_index, SECOND_DECISION, action, kind]
    )
