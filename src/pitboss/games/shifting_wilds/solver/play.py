"""What Plays are worth beside each W1, and which are best: hands of a multiset that are no flush, all W1 at once."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import SUIT_COUNT
from pitboss.core.rule import rule
from pitboss.counting.blocks import Integers
from pitboss.counting.compile import part
from pitboss.games.shifting_wilds.rules import BLIND_LINES, HAND
from pitboss.games.shifting_wilds.solver.boards import MOST_ROLES, Board
from pitboss.games.shifting_wilds.solver.crowd import LANE, NONE, WIDTH
from pitboss.games.shifting_wilds.solver.hands import STATES, Hands, copies_of, others_than, suited
from pitboss.games.shifting_wilds.solver.sums import LANES, SKIPPED, Room
from pitboss.hands import ROYAL_FLUSH, get_category

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
    """Where plays are booked, the best and those told side by side.

    ``totals`` (plays, outcomes of the Regular Bonus, groups, 4) of positions and of dealers met; ``ahead`` (plays,
    outcomes of the Bad Beat) the dealers met that hands are ahead of.  ``orders`` are the exchanges of suits that leave
    the community cards alone, by which positions of equal value are counted.
    """

    totals: Integers
    ahead: Integers
    orders: Integers


class Checks(NamedTuple):
    """What Checks come to, by hand and lane, flat.

    ``best``: what Plays are worth beyond a fold, where that is not less, added up over W2s; ``plays``: over how many.
    ``sums`` adds up both for those that check.
    """

    best: Any
    plays: NDArray[np.int8]
    sums: Integers


@rule
def group_of(strength: int, lowest: int) -> int:
    """Return the group of a strength: twice the line of the Blind, and one more if a dealer with it qualifies."""
    return 2 * min(ROYAL_FLUSH - get_category(strength), BLIND_LINES) + (1 if strength >= lowest else 0)


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
    # No card has the last place: it is not to look as if it were worth much or little.
    narrow[NONE] = narrow[NONE - 1]
    for row in range(2 * STATES, len(board.modes) * 2 * STATES):
        narrow[row * WIDTH + NONE] = narrow[row * WIDTH + NONE - 1]


@part
def spread_rows(board: Board, image: int, room: Room) -> None:
    """Lay out the values for every W1, for one of the board's W2s."""
    narrow, values = room.narrow, room.values
    for suit in range(SUIT_COUNT):
        for place in range(WIDTH):
            values[np.uint64(suit * WIDTH + place)] = narrow[np.uint64(place)]
    for role in range(1, len(board.modes)):
        own = board.suits[image, role]
        for state in range(STATES):
            into, at = (role * STATES + state) * LANES, (role * STATES + state) * 2 * WIDTH
            for suit in range(SUIT_COUNT):
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
def hold_states(board: Board, image: int, hands: Hands, multiset: int, slots: Integers, room: Room) -> None:
    """Write to ``room.held`` the states of a multiset's hands beside one of the board's W2s; a flush is skipped."""
    naturals, wild_cards = others_than(slots, board.wild), copies_of(slots, board.wild)
    indicator, start = board.indicators[image], hands.first[multiset]
    for hand in range(start, hands.first[multiset + 1]):
        first, second, third, found = role_states(board, image, hands.states[hand], naturals, wild_cards)
        held = first | second << HAND | third << 2 * HAND
        room.held[hand - start] = SKIPPED if found or hands.masks[hand] & indicator else held


@part
def rows_of_held(held: int) -> Any:
    """Return where the values of a hand's three suits start."""
    first, second, third = held & STATES - 1, held >> HAND & STATES - 1, held >> 2 * HAND
    return (
        np.uint64((STATES + first) * LANES),
        np.uint64((2 * STATES + second) * LANES),
        np.uint64((3 * STATES + third) * LANES),
    )


@part
def add_values(hands: Hands, multiset: int, own: int, room: Room, checks: Checks) -> None:
    """Add what the hands of a multiset are worth beyond a fold, where that is more, and count where it is not less.

    ``own`` is the lane of W2, which cannot be W1 too.
    """
    values, best, plays, start = room.values, checks.best, checks.plays, hands.first[multiset]
    for hand in range(start, hands.first[multiset + 1]):
        if room.held[hand - start] == SKIPPED:
            continue
        one, two, three = rows_of_held(room.held[hand - start])
        at = np.uint64(hand * LANES)
        kept, kept_plays = best[at + np.uint64(own)], plays[at + np.uint64(own)]
        least, most = np.int32(0), np.int32(0)
        for each in range(LANES):
            lane = np.uint64(each)
            value = np.int32(values[lane] - values[one + lane])
            value = np.int32(np.int32(value - values[two + lane]) - values[three + lane])
            best[at + lane] += max(value, np.int32(0))
            plays[at + lane] = np.int8(plays[at + lane] + np.int8(1 if value >= 0 else 0))
            least, most = min(least, value), max(most, value)
        best[at + np.uint64(own)], plays[at + np.uint64(own)] = kept, kept_plays
        room.least[hand - start], room.most[hand - start] = least, most


@part
def count_plays(hands: Hands, multiset: int, room: Room, checked: Any) -> int:
    """Count in ``room.picked`` the W1s with which the hands of a multiset check and play, by role, state and lane.

    ``checked`` (hands x lanes) is the weight of those that check.  Return how many of all are worth a fold, W2's lane
    not left out.
    """
    values, picked, start = room.values, room.picked, hands.first[multiset]
    equal = 0
    for hand in range(start, hands.first[multiset + 1]):
        if room.held[hand - start] == SKIPPED:
            continue
        one, two, three = rows_of_held(room.held[hand - start])
        at = np.uint64(hand * LANES)
        for each in range(LANES):
            lane = np.uint64(each)
            value = np.int32(values[lane] - values[one + lane])
            value = np.int32(np.int32(value - values[two + lane]) - values[three + lane])
            weight = np.int16(checked[at + lane])
            equal += 1 if value == 0 and weight > 0 else 0
            played = np.int16(weight if value >= 0 else 0)
            picked[one + lane] = np.int16(picked[one + lane] + played)
            picked[two + lane] = np.int16(picked[two + lane] + played)
            picked[three + lane] = np.int16(picked[three + lane] + played)
    return equal


@part
def fold_picks(board: Board, image: int, own: int, play: int, room: Room) -> None:
    """Add the plays counted in ``room.picked`` to ``room.folded``, W1s of a role's suit apart, and clear them."""
    picked, folded = room.picked, room.folded
    room.filled[play] = 1
    for row in range(STATES, len(board.modes) * STATES):
        picked[row * LANES + own] = 0
    for role in range(1, len(board.modes)):
        suit = board.suits[image, role]
        for row in range(role * STATES, (role + 1) * STATES):
            at, into = np.uint64(row * LANES), np.uint64((play * MOST_ROLES * STATES + row) * 2 * WIDTH)
            mine, wide = np.uint64(row * LANES + suit * WIDTH), np.uint64(WIDTH)
            for place in range(WIDTH):
                each = np.uint64(place)
                within = picked[mine + each]
                every = picked[at + each] + picked[at + wide + each]
                every += picked[at + wide + wide + each] + picked[at + wide + wide + wide + each]
                folded[into + each] = np.int32(folded[into + each] + within)
                folded[into + wide + each] = np.int32(folded[into + wide + each] + (every - within))
            for lane in range(LANES):
                picked[at + np.uint64(lane)] = 0


@part
def book_word(totals: Integers, group: int, times: int, word: int) -> None:
    """Add the counts of a word so many times to a group's."""
    totals[group, 0] += times
    totals[group, 1] += times * (word & LANE)
    totals[group, 2] += times * (word >> 21 & LANE)
    totals[group, 3] += times * (word >> 42)


@part
def book_folded(board: Board, group: int, play: int, room: Room, totals: Integers) -> None:
    """Add what the plays in ``room.folded`` meet to the totals, and clear them."""
    folded, words = room.folded, room.words
    below, up_to, low = 0, 0, 0
    for role in range(1, len(board.modes)):
        for row in range(role * STATES, (role + 1) * STATES):
            at, from_ = np.uint64(row * 2 * WIDTH), np.uint64((play * MOST_ROLES * STATES + row) * 2 * WIDTH)
            for place in range(2 * WIDTH):
                each = np.uint64(place)
                times, word = np.int64(folded[from_ + each]), words[at + each]
                below += times * (word & LANE)
                up_to += times * (word >> 21 & LANE)
                low += times * (word >> 42)
    totals[group, 1] -= below
    totals[group, 2] -= up_to
    totals[group, 3] -= low
    for row in range(STATES, 2 * STATES):
        from_ = np.uint64((play * MOST_ROLES * STATES + row) * 2 * WIDTH)
        for place in range(2 * WIDTH):
            times = folded[from_ + np.uint64(place)]
            if times:
                book_word(totals, group, times, words[place & WIDTH - 1])
    room.filled[play], start = 0, play * MOST_ROLES * STATES * 2 * WIDTH
    folded[start : start + MOST_ROLES * STATES * 2 * WIDTH] = 0
