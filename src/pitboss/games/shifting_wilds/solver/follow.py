"""Strategies that are told, followed in the sweep that finds the best play: what they play, and where they err."""

from typing import Any, NamedTuple

import numpy as np

from pitboss.counting.blocks import Integers
from pitboss.counting.compile import part
from pitboss.games.shifting_wilds.rules import PLAY
from pitboss.games.shifting_wilds.solver.hands import Hands
from pitboss.games.shifting_wilds.solver.lanes import book_lanes
from pitboss.games.shifting_wilds.solver.play import Books, rows_of_held
from pitboss.games.shifting_wilds.solver.sums import LANES, SKIPPED, Room
from pitboss.games.shifting_wilds.solver.told import SECOND, Actions


class Followed(NamedTuple):
    """What is followed, strategy after strategy: ``checked`` and ``second`` (strategies, hands x lanes).

    ``checked`` has the weights of those that check, ``second`` the second actions (``Told``); to ``errors``
    (strategies, ``no_errors``) is added where these are not the best.
    """

    checked: Actions
    second: Actions
    errors: Integers


@part
def follow_all(hands: Hands, multiset: int, own: int, play: int, kind: int, room: Room, followed: Followed) -> None:
    """Follow what is told of the hands of a multiset that are no flush; count plays in ``room.picked``."""
    values, picked, start = room.values, room.picked, hands.first[multiset]
    checked, second = followed.checked[play], followed.second[play]
    for hand in range(start, hands.first[multiset + 1]):
        if room.held[hand - start] == SKIPPED:
            continue
        one, two, three = rows_of_held(room.held[hand - start])
        at, action = np.uint64(hand * LANES), second[hand * LANES + own]
        if action == PLAY:
            for each in range(LANES):
                lane = np.uint64(each)
                weight = np.int16(checked[at + lane])
                picked[one + lane] = np.int16(picked[one + lane] + weight)
                picked[two + lane] = np.int16(picked[two + lane] + weight)
                picked[three + lane] = np.int16(picked[three + lane] + weight)
        errs = room.least[hand - start] < 0 if action == PLAY else room.most[hand - start] > 0
        if errs:
            for each in range(LANES):
                lane = np.uint64(each)
                value = np.int32(values[lane] - values[one + lane])
                value = np.int32(np.int32(value - values[two + lane]) - values[three + lane])
                room.worth[lane] = value
            _book_errors(checked, hand, own, action, room, followed.errors[play, SECOND, action, kind])


@part
def _book_errors(checked: Any, hand: int, own: int, action: int, room: Room, errors: Integers) -> None:
    """Add the weight of those that check where, by ``room.worth``, the other action is better, and what they lose."""
    at, positions, cost, sign = np.uint64(hand * LANES), 0, 0, np.int32(-1 if action == PLAY else 1)
    for each in range(LANES):
        lane = np.uint64(each)
        weight, lost = np.int64(checked[at + lane]), max(np.int32(sign * room.worth[lane]), np.int32(0))
        positions += weight if lost > 0 else 0
        cost += weight * lost
    weight, lost = np.int64(checked[hand * LANES + own]), max(np.int32(sign * room.worth[own]), np.int32(0))
    errors[0] += positions - (weight if lost > 0 else 0)
    errors[1] += cost - weight * lost


@part
def follow_one(
    hand: int,
    own: int,
    play: int,
    kind: int,
    room: Room,
    followed: Followed,
    books: Books,
    group: int,
    bonus: int,
    outcome: int,
) -> None:
    """Follow what is told of one hand that may be a flush, from ``room.lanes`` and what they are worth."""
    checked, action = followed.checked[play], followed.second[play, hand * LANES + own]
    if action == PLAY:
        book_lanes(checked, hand * LANES, own, 1, room, books, play, group, bonus, outcome)
    _book_errors(checked, hand, own, action, room, followed.errors[play, SECOND, action, kind])
