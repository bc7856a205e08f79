"""Strategies that are told, followed in the sweep that finds the best play: what they play, and where they err."""

from typing import Any, NamedTuple

import numpy as np

from pitboss.games.shifting_wilds.rules import PLAY
from pitboss.games.shifting_wilds.solver.dealer_sums import LANE_COUNT, SKIPPED, PlayWorkspace
from pitboss.games.shifting_wilds.solver.flush_plays import book_lanes
from pitboss.games.shifting_wilds.solver.multisets import OpeningHands
from pitboss.games.shifting_wilds.solver.play_values import PlayTotals, locate_rows
from pitboss.games.shifting_wilds.solver.policy_table import SECOND_DECISION, Actions
from pitboss.kernels.compile import kernel_helper
from pitboss.kernels.enumeration import IntArray


class FollowedStrategies(NamedTuple):
    """What is followed, strategy after strategy: ``check_weights`` and ``second_actions`` (strategies, hands x lanes).

    ``check_weights`` has the weights of those that check, ``second_actions`` the second actions (``Told``); to
    ``mistakes`` (strategies, ``no_errors``) is added where these are not the best.  ``never_checks`` are those that
    never check.
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
    """Follow what is told of the hands of a multiset that are no flush; count plays in ``room.picked``.

    Return how many hands play.
    """
    played = 0
    values, picked, start = workspace.lane_values, workspace.play_counts, hands.starts[multiset]
    checked, second = strategies.check_weights[play_index], strategies.second_actions[play_index]
    for hand in range(start, hands.starts[multiset + 1]):
        if workspace.role_states[hand - start] == SKIPPED:
            continue
        one, two, three = locate_rows(workspace.role_states[hand - start])
        at, action = np.uint64(hand * LANE_COUNT), second[hand * LANE_COUNT + w2_lane]
        if action == PLAY:
            played += 1
            for each in range(LANE_COUNT):
                lane = np.uint64(each)
                weight = np.int16(checked[at + lane])
                picked[one + lane] = np.int16(picked[one + lane] + weight)
                picked[two + lane] = np.int16(picked[two + lane] + weight)
                picked[three + lane] = np.int16(picked[three + lane] + weight)
        errs = workspace.min_values[hand - start] < 0 if action == PLAY else workspace.max_values[hand - start] > 0
        if errs:
            for each in range(LANE_COUNT):
                lane = np.uint64(each)
                value = np.int32(values[lane] - values[one + lane])
                value = np.int32(np.int32(value - values[two + lane]) - values[three + lane])
                workspace.hand_values[lane] = value
            _book_mistakes(
                checked,
                hand,
                w2_lane,
                action,
                workspace,
                strategies.mistakes[play_index, SECOND_DECISION, action, kind],
            )
    return played


@kernel_helper
def _book_mistakes(
    check_weights: Any, hand: int, w2_lane: int, action: int, workspace: PlayWorkspace, mistakes: IntArray
) -> None:
    """Add the weight of those that check where, by ``room.worth``, the other action is better, and what they lose."""
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
    """Follow what is told of one hand that may be a flush, from ``room.lanes`` and what they are worth."""
    checked, action = (
        strategies.check_weights[play_index],
        strategies.second_actions[play_index, hand * LANE_COUNT + w2_lane],
    )
    if action == PLAY:
        book_lanes(checked, hand * LANE_COUNT, w2_lane, 1, workspace, play_totals, play_index, group, bonus, outcome)
    _book_mistakes(
        checked, hand, w2_lane, action, workspace, strategies.mistakes[play_index, SECOND_DECISION, action, kind]
    )
