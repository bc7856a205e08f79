"""One hand that may be a flush, all W1s at once: what a Play is worth beside each, and what those that play meet."""

from typing import Any

import numpy as np

from pitboss.counting.compile import part
from pitboss.games.shifting_wilds.rules import BAD_BEAT_LOSES
from pitboss.games.shifting_wilds.solver.crowd import LANE
from pitboss.games.shifting_wilds.solver.play import Books, Checks, Stakes, value_of, whole_of
from pitboss.games.shifting_wilds.solver.sums import LANES, Room


@part
def value_lanes(stakes: Stakes, group: int, bonus: int, outcome: int, room: Room) -> None:
    """Write to ``room.worth`` what the words in ``room.lanes`` are worth beyond a fold."""
    whole, beat, table = whole_of(stakes, group, bonus), np.int32(stakes.beat[outcome]), stakes.worth
    for each in range(LANES):
        lane = np.uint64(each)
        room.worth[lane] = np.int32(whole + value_of(table, group, room.lanes[lane]))
    if beat:
        for each in range(LANES):
            lane = np.uint64(each)
            room.worth[lane] = np.int32(room.worth[lane] + beat * np.int32(room.ahead[lane]))


@part
def add_lanes(start: int, own: int, room: Room, checks: Checks) -> None:
    """Add the values in ``room.worth`` to a hand's, but for W2's lane ``own``, as ``add_values`` does."""
    best, plays, at = checks.best, checks.plays, np.uint64(start)
    kept, kept_plays = best[start + own], plays[start + own]
    for each in range(LANES):
        lane = np.uint64(each)
        value = room.worth[lane]
        best[at + lane] += max(value, np.int32(0))
        plays[at + lane] = np.int8(plays[at + lane] + np.int8(1 if value >= 0 else 0))
    best[start + own], plays[start + own] = kept, kept_plays


@part
def book_lanes(
    checked: Any,
    start: int,
    own: int,
    always: int,
    room: Room,
    books: Books,
    play: int,
    group: int,
    bonus: int,
    outcome: int,
) -> int:
    """Book what a hand meets with the W1s it checks and plays with: all if ``always``, else where that is best.

    Return how many of those that check are worth a fold, W2's lane ``own`` not left out.
    """
    at, lanes, worth = np.uint64(start), room.lanes, room.worth
    positions, below, up_to, low, equal = 0, 0, 0, 0, 0
    for each in range(LANES):
        lane = np.uint64(each)
        weight = np.int64(checked[at + lane])
        times = weight if always or worth[lane] >= 0 else 0
        positions += times
        below += times * (lanes[lane] & LANE)
        up_to += times * (lanes[lane] >> 21 & LANE)
        low += times * (lanes[lane] >> 42)
        equal += 1 if weight > 0 and worth[lane] == 0 else 0
    weight, word = np.int64(checked[start + own]), lanes[own]
    left_out = weight if always or worth[own] >= 0 else 0
    totals = books.totals
    totals[play, bonus, group, 0] += positions - left_out
    totals[play, bonus, group, 1] += below - left_out * (word & LANE)
    totals[play, bonus, group, 2] += up_to - left_out * (word >> 21 & LANE)
    totals[play, bonus, group, 3] += low - left_out * (word >> 42)
    if outcome != BAD_BEAT_LOSES and positions > 0:
        ahead = -left_out * room.ahead[own]
        for each in range(LANES):
            lane = np.uint64(each)
            ahead += (np.int64(checked[at + lane]) if always or worth[lane] >= 0 else 0) * room.ahead[lane]
        books.ahead[play, outcome] += ahead
    return equal
