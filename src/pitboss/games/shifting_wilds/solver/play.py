"""What Plays are worth beside each W1, and which are best: hands of a multiset that are no flush, all W1 at once."""

from typing import Any, NamedTuple

import numpy as np

from pitboss.cards import SUITS
from pitboss.core.rule import rule
from pitboss.counting.blocks import Integers
from pitboss.counting.compile import part
from pitboss.games.shifting_wilds.rules import BLIND_LINES, HAND
from pitboss.games.shifting_wilds.solver.boards import Board
from pitboss.games.shifting_wilds.solver.crowd import LANE, WIDTH
from pitboss.games.shifting_wilds.solver.hands import STATES, Hands, copies_of, others_than, suited
from pitboss.games.shifting_wilds.solver.sums import LANES, Room, Sets, lane_of
from pitboss.hands import ROYAL_FLUSH, category

GROUPS = 2 * (BLIND_LINES + 1)
"""Strengths by what they net: the line of the Blind, and whether a dealer with it qualifies."""

SUMS = 4
"""What is summed up of a group: positions, dealers below, dealers up to, dealers not qualified."""


class Stakes(NamedTuple):
    """What is to be decided by: ``worth`` (groups, 4), what a position, a dealer below, up to and not qualified add.

    ``bonus`` is what each outcome of the Regular Bonus adds, ``beat``, by the outcome of the Bad Beat when ahead, what
    each dealer does that the hand is ahead of.  Values are those of a Play less those of a fold; ``lowest`` is the
    strength that qualifies, ``dealers`` how many hands the dealer may hold.
    """

    worth: Integers
    bonus: Integers
    beat: Integers
    lowest: int
    dealers: int


class Books(NamedTuple):
    """Where it is booked: ``totals`` (outcomes of the Regular Bonus, groups, 4) of positions and of dealers met.

    ``ahead`` has the dealers met that hands are ahead of, by the outcome of the Bad Beat.  ``orders`` are the exchanges
    of suits that leave the community cards alone, by which positions of equal value are counted.
    """

    totals: Integers
    ahead: Integers
    orders: Integers


@rule
def group_of(strength: int, lowest: int) -> int:
    """Return the group of a strength: twice the line of the Blind, and one more if a dealer with it qualifies."""
    return 2 * min(ROYAL_FLUSH - category(strength), BLIND_LINES) + (1 if strength >= lowest else 0)


@part
def value_of(worth: Integers, group: int, word: int) -> Any:
    """Return what the counts of a word are worth, as 32 bits."""
    below = np.int32(np.int32(worth[group, 1]) * np.int32(word & LANE))
    up_to = np.int32(np.int32(worth[group, 2]) * np.int32(word >> 21 & LANE))
    low = np.int32(np.int32(worth[group, 3]) * np.int32(word >> 42))
    return np.int32(np.int32(below + up_to) + low)


@part
def whole_of(stakes: Stakes, group: int, bonus: int) -> Any:
    """Return what a position is worth if every dealer is above the strength at hand and qualifies."""
    return (stakes.worth[group, 0] + stakes.bonus[bonus]) * stakes.dealers


@part
def value_rows(board: Board, stakes: Stakes, group: int, whole: int, room: Room) -> None:
    """Write what every state of every role is worth, W1 in the suit and outside it, on top of ``whole``."""
    worth = stakes.worth
    narrow, words = room.narrow, room.words
    for place in range(WIDTH):
        narrow[place] = np.int32(whole + value_of(worth, group, words[place]))
    start = STATES * 2 * WIDTH
    for each in range(start, len(board.modes) * start):
        narrow[np.uint64(each)] = value_of(worth, group, words[np.uint64(each)])


@part
def spread_rows(board: Board, image: int, room: Room) -> None:
    """Lay out the values for every W1, for one of the board's W2s."""
    narrow, values = room.narrow, room.values
    for suit in range(SUITS):
        for place in range(WIDTH):
            values[np.uint64(suit * WIDTH + place)] = narrow[np.uint64(place)]
    for role in range(1, len(board.modes)):
        own = board.suits[image, role]
        for state in range(STATES):
            into, at = (role * STATES + state) * LANES, (role * STATES + state) * 2 * WIDTH
            for suit in range(SUITS):
                to, side = np.uint64(into + suit * WIDTH), np.uint64(at + (0 if suit == own else WIDTH))
                for place in range(WIDTH):
                    values[to + np.uint64(place)] = narrow[side + np.uint64(place)]


@part
def role_states(board: Board, image: int, state: int, naturals: int, wild_cards: int) -> tuple[int, int, int, bool]:
    """Return a hand's state in each suit's role, and whether it may be a flush in one."""
    first, second, third, found = 0, 0, 0, False
    for role in range(1, len(board.modes)):
        held = state >> HAND * board.suits[image, role] & naturals
        found |= suited(held, naturals, wild_cards, board.needed[role])
        if role == 1:
            first = held
        elif role == 2:
            second = held
        else:
            third = held
    return first, second, third, found


@part
def add_values(sets: Sets, board: Board, image: int, hands: Hands, multiset: int, room: Room, best: Any) -> None:
    """Add what the hands of a multiset are worth beyond a fold, where that is more, to ``best`` (hands x lanes)."""
    slots = sets.multisets.slots[multiset]
    naturals, wild_cards = others_than(slots, board.wild), copies_of(slots, board.wild)
    indicator = board.indicators[image]
    own = lane_of(sets.multisets, indicator, board.wild)
    values = room.values
    for hand in range(hands.first[multiset], hands.first[multiset + 1]):
        if hands.masks[hand] & indicator:
            continue
        first, second, third, found = role_states(board, image, hands.states[hand], naturals, wild_cards)
        if found:
            continue
        at, one = np.uint64(hand * LANES), np.uint64((STATES + first) * LANES)
        two, three = np.uint64((2 * STATES + second) * LANES), np.uint64((3 * STATES + third) * LANES)
        kept = best[at + np.uint64(own)]
        for each in range(LANES):
            lane = np.uint64(each)
            value = np.int32(values[lane] - values[one + lane])
            value = np.int32(np.int32(value - values[two + lane]) - values[three + lane])
            best[at + lane] += max(value, np.int32(0))
        best[at + np.uint64(own)] = kept


@part
def count_plays(sets: Sets, board: Board, image: int, hands: Hands, multiset: int, room: Room, checked: Any) -> int:
    """Count in ``room.picked`` the W1s with which the hands of a multiset check and play, by role, state and lane.

    ``checked`` (hands x lanes) is the weight of those that check.  Return how many of all are worth a fold.
    """
    slots = sets.multisets.slots[multiset]
    naturals, wild_cards = others_than(slots, board.wild), copies_of(slots, board.wild)
    indicator = board.indicators[image]
    own = np.uint64(lane_of(sets.multisets, indicator, board.wild))
    values, picked = room.values, room.picked
    equal = 0
    for hand in range(hands.first[multiset], hands.first[multiset + 1]):
        if hands.masks[hand] & indicator:
            continue
        first, second, third, found = role_states(board, image, hands.states[hand], naturals, wild_cards)
        if found:
            continue
        at, one = np.uint64(hand * LANES), np.uint64((STATES + first) * LANES)
        two, three = np.uint64((2 * STATES + second) * LANES), np.uint64((3 * STATES + third) * LANES)
        kept = checked[at + own]
        checked[at + own] = 0
        for each in range(LANES):
            lane = np.uint64(each)
            value = np.int32(values[lane] - values[one + lane])
            value = np.int32(np.int32(value - values[two + lane]) - values[three + lane])
            weight = checked[at + lane]
            equal += 1 if value == 0 and weight > 0 else 0
            played = np.int32(weight if value >= 0 else 0)
            picked[one + lane] = np.int32(picked[one + lane] + played)
            picked[two + lane] = np.int32(picked[two + lane] + played)
            picked[three + lane] = np.int32(picked[three + lane] + played)
        checked[at + own] = kept
    return equal
