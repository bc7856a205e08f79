"""Force, card by card: what it leads to where it leaves the dealer four cards of one suit (ruling LU-10).

Beside ranks alone two things count: which cards of that suit are known, and how many hands there are of that kind.  So
questions are gathered by *key*, the final hand, the suit's part in it and its known cards, with the number of hands,
and each key is answered once for all dead cards of some ranks.
"""

from typing import NamedTuple

import numpy as np

from pitboss.cards import RANK_COUNT, SUIT_MASK
from pitboss.counting.blocks import Integers
from pitboss.counting.compile import filling_kernel, part
from pitboss.games.lunar.solver.exposed import HIDDEN, OF_SUIT, REPLACED, ROW, Low
from pitboss.games.lunar.solver.finals import Cells, Finals, Pays

INSIDE, BESIDE = 0, 1
"""The suit of a key is the exposed card's, or another one."""

ENDS = 6
NO_END = 6
"""After Force: won, tied, lost against a dealer who qualifies; ahead, level, behind of one who still does not."""

LANE = 10
_EVERY_OTHER = 0x3FF | 0x3FF << 2 * LANE | 0x3FF << 4 * LANE
_SUM = (1 << 2 * LANE) - 1
"""Ends are counted side by side, ten bits each: at most 42 cards are turned.  Sums over dealers take every other end,
twenty bits each: 495 dealers in three ways of 42 cards are 62,370, with either sign."""

ROOM = 1 << 19


class Turns(NamedTuple):
    """What a turned card leads to, by hand that may force, row of ``Low`` and rank.

    ``hands`` (hands,) are their numbers, ``left`` (hands, 13) the cards left beside each by rank.
    ``ends`` (hands, rows, 13) without a flush, ``flush_ends`` with one, ``NO_END`` where there is none; ``gains``
    (hands, 7) is what an end nets more than taking the Ante.  ``gain`` and ``word`` (hands, rows) add up gains and ends
    over all cards with none dead, ``more`` (hands, rows, 2, 2) what flushes in a suit add to both, ``INSIDE`` or
    ``BESIDE``, if no card of it is known.
    """

    hands: Integers
    left: Integers
    ends: Integers
    flush_ends: Integers
    gains: Integers
    gain: Integers
    word: Integers
    more: Integers


class Keys(NamedTuple):
    """An open-addressed table of keys with their numbers of hands, and a chain of keys for each hand that may force.

    ``hands`` (hands,) counts the final hands themselves; ``heads`` and ``next`` are the chains, ``met`` the hands and
    ``used`` the places met since it was emptied, ``length`` (2,) how many these are.
    """

    keys: Integers
    numbers: Integers
    next: Integers
    heads: Integers
    hands: Integers
    met: Integers
    used: Integers
    length: Integers


class Room(NamedTuple):
    """Where a hand's gains and ends beside some dead cards are laid out, by row; ``left`` are live cards by rank."""

    gain: Integers
    word: Integers
    left: Integers
    ends: Integers


def empty_keys(hands: int) -> Keys:
    """Return an empty table for so many hands that may force."""
    return Keys(
        np.full(ROOM, -1, np.int64),
        np.zeros(ROOM, np.int64),
        np.zeros(ROOM, np.int64),
        np.full(hands, -2, np.int64),
        np.zeros(hands, np.int64),
        np.zeros(hands, np.int64),
        np.zeros(ROOM, np.int64),
        np.zeros(2, np.int64),
    )


@part
def meet(keys: Keys, hand: int) -> None:
    """Begin the chain of a hand."""
    if keys.heads[hand] == -2:
        keys.heads[hand] = -1
        keys.met[keys.length[0]] = hand
        keys.length[0] += 1


@part
def gather(keys: Keys, hand: int, kind: int, known: int, times: int) -> None:
    """Count a final hand ``times`` under its key.

    Raises:
        ValueError: there are more keys than room.
    """
    key = (hand * 2 + kind) << RANK_COUNT | known
    place = (key * 0x9E3779B1 >> 7) & (ROOM - 1)
    while keys.keys[place] != key:
        if keys.keys[place] < 0:
            if keys.length[1] > ROOM // 2:
                raise ValueError("more questions about Force at once than there is room for")
            keys.keys[place], keys.numbers[place] = key, 0
            meet(keys, hand)
            keys.next[place] = keys.heads[hand]
            keys.heads[hand] = place
            keys.used[keys.length[1]] = place
            keys.length[1] += 1
            break
        place = (place + 1) & (ROOM - 1)
    keys.numbers[place] += times


@part
def emptied(keys: Keys) -> None:
    """Forget all keys."""
    for each in range(keys.length[1]):
        keys.keys[keys.used[each]] = -1
    for each in range(keys.length[0]):
        keys.heads[keys.met[each]] = -2
        keys.hands[keys.met[each]] = 0
    keys.length[0] = 0
    keys.length[1] = 0


@part
def end_of(mine: int, dealers: int, qualifies: int) -> int:
    """Return the end that a strength of the dealer leads to."""
    compared = 0 if mine > dealers else 1 if mine == dealers else 2
    return compared if dealers >= qualifies else 3 + compared


@filling_kernel
def lay_out_turns(
    hands: Finals, pays: Pays, qualifies: int, every: Integers, exposed: int, low: Low, turns: Turns
) -> None:
    """Fill in ``turns`` for its hands; ``every`` (13,) is 1 for each rank of the deck."""
    for at in range(len(turns.hands)):
        hand = turns.hands[at]
        mine = hands.strengths[hand]
        gains = turns.gains[at]
        gains[0] = pays.forced_win[hand] - pays.take
        gains[1], gains[2] = pays.forced_tie - pays.take, pays.forced_lose - pays.take
        for end in range(3):
            gains[3 + end] = pays.missed[end] - pays.take
        for row in range(len(low.counts)):
            for rank in range(RANK_COUNT):
                end, flush_end = NO_END, NO_END
                if low.turned[row, rank] >= 0:
                    end = end_of(mine, low.turned[row, rank], qualifies)
                live = turns.left[at, rank] - low.counts[row, rank]
                if live > 0:
                    turns.gain[at, row] += live * gains[end]
                    turns.word[at, row] += live << LANE * end
                if low.flush[row, rank] >= 0:
                    flush_end = end_of(mine, low.flush[row, rank], qualifies)
                    more = gains[flush_end] - gains[end]
                    word = (1 << LANE * flush_end) - (1 << LANE * end)
                    turns.more[at, row, BESIDE, 0] += every[rank] * more
                    turns.more[at, row, BESIDE, 1] += every[rank] * word
                    if rank != exposed:
                        turns.more[at, row, INSIDE, 0] += every[rank] * more
                        turns.more[at, row, INSIDE, 1] += every[rank] * word
                turns.ends[at, row, rank], turns.flush_ends[at, row, rank] = end, flush_end


def turns_of(
    hands: Finals, some: Integers, pays: Pays, qualifies: int, copies: Integers, every: Integers, exposed: int, low: Low
) -> Turns:
    """Return what turned cards lead to for the hands ``some``."""
    shape = (len(some), len(low.counts))
    turns = Turns(
        some,
        copies - hands.counts[some],
        np.zeros((*shape, RANK_COUNT), np.int8),
        np.zeros((*shape, RANK_COUNT), np.int8),
        np.zeros((len(some), NO_END + 1), np.int64),
        np.zeros(shape, np.int64),
        np.zeros(shape, np.int64),
        np.zeros((*shape, 2, 2), np.int64),
    )
    lay_out_turns(hands, pays, qualifies, every, exposed, low, turns)
    return turns


@part
def prepare(turns: Turns, low: Low, at: int, dead: Integers, room: Room) -> None:
    """Lay out a hand's gains and ends by ranks beside dead cards, counted by rank."""
    listed, cards = 0, 0
    for rank in range(RANK_COUNT):
        room.left[rank] = turns.left[at, rank] - dead[rank]
        for _ in range(dead[rank]):
            listed |= rank << 4 * cards
            cards += 1
    for row in range(len(low.counts)):
        gain, word = turns.gain[at, row], turns.word[at, row]
        for card in range(cards):
            end = turns.ends[at, row, listed >> 4 * card & 15]
            gain -= turns.gains[at, end]
            word -= 1 << LANE * end
        room.gain[row], room.word[row] = gain, word


@part
def with_flush(turns: Turns, low: Low, at: int, row: int, kind: int, known: int, room: Room) -> tuple[int, int]:
    """Return gain and ends of a dealer whose four cards of one suit are kept, its cards ``known`` being out."""
    gain = room.gain[row] + turns.more[at, row, kind, 0]
    word = room.word[row] + turns.more[at, row, kind, 1]
    out = known & low.eligible[row]
    rank = 0
    while out:
        if out & 1:
            end, flush_end = turns.ends[at, row, rank], turns.flush_ends[at, row, rank]
            gain -= turns.gains[at, flush_end] - turns.gains[at, end]
            word -= (1 << LANE * flush_end) - (1 << LANE * end)
        out >>= 1
        rank += 1
    return gain, word


@part
def suit_changes(
    turns: Turns, low: Low, at: int, kind: int, known: int, exposed: int, room: Room
) -> tuple[int, int, int]:
    """Return what one suit changes in what Force adds, and in the ends: every other end from won on, then from tied on.

    ``room`` is prepared for the hand.  Taken back is what ranks alone said of these dealers.
    """
    added, even, odd = 0, 0, 0
    kept = low.inside if kind == INSIDE else low.beside
    for each in range(len(kept)):
        if kept[each, OF_SUIT] & known:
            continue
        row, times = kept[each, ROW], 1
        if kind == INSIDE:
            # The replaced card is of another suit: of its rank all live cards but the one of this suit.
            rank = kept[each, REPLACED]
            times = room.left[rank] - (0 if rank == exposed else 1 - (known >> rank & 1))
            if times <= 0:
                continue
        gain, word = with_flush(turns, low, at, row, kind, known, room)
        if gain > 0:
            added += times * gain
            even += times * (word & _EVERY_OTHER)
            odd += times * (word >> LANE & _EVERY_OTHER)
        if room.gain[row] > 0:
            added -= times * room.gain[row]
            even -= times * (room.word[row] & _EVERY_OTHER)
            odd -= times * (room.word[row] >> LANE & _EVERY_OTHER)
    for each in range(len(low.whole) if kind == INSIDE else 0):
        row = low.whole[each, ROW]
        if low.whole[each, OF_SUIT] & known == 0 and room.gain[row] > 0:
            added -= room.gain[row]
            even -= room.word[row] & _EVERY_OTHER
            odd -= room.word[row] >> LANE & _EVERY_OTHER
    return added, even, odd


@part
def _lane(word: int) -> int:
    """Return the lowest of sums side by side, each with its sign."""
    low = word & _SUM
    return low - (_SUM + 1) if low > _SUM >> 1 else low


@part
def book_ends(ends: Integers, times: int, hand: int, at: Cells, cells: Integers) -> None:
    """Book ends of Force ``times``: so many Antes are not taken."""
    cells[at.forced_win[hand]] += times * ends[0]
    cells[at.forced_tie] += times * ends[1]
    cells[at.forced_lose] += times * ends[2]
    for end in range(3):
        cells[at.missed + end] += times * ends[3 + end]
    for end in range(ENDS):
        cells[at.take] -= times * ends[end]


@part
def book_forced(
    turns: Turns,
    low: Low,
    exposed: int,
    dead: Integers,
    keys: Keys,
    at: Cells,
    cells: Integers,
    room: Room,
) -> None:
    """Answer all keys, whose hands have been booked as if every Ante was taken, and forget them."""
    for each in range(keys.length[0]):
        row_of_hand = keys.met[each]
        hand = turns.hands[row_of_hand]
        prepare(turns, low, row_of_hand, dead, room)
        for end in range(ENDS):
            room.ends[end] = 0
        for row in range(len(low.counts)):
            if room.gain[row] > 0:
                ways = 1
                for card in range(HIDDEN):
                    ways *= max(0, room.left[low.ranks[row, card]] - low.before[row, card])
                for end in range(ENDS):
                    room.ends[end] += ways // low.alike[row] * (room.word[row] >> LANE * end & (1 << LANE) - 1)
        book_ends(room.ends, keys.hands[row_of_hand], hand, at, cells)
        place = keys.heads[row_of_hand]
        while place >= 0:
            key, times = keys.keys[place], keys.numbers[place]
            if times != 0:
                _, even, odd = suit_changes(
                    turns, low, row_of_hand, key >> RANK_COUNT & 1, key & SUIT_MASK, exposed, room
                )
                for end in range(0, ENDS, 2):
                    room.ends[end], room.ends[end + 1] = _lane(even), _lane(odd)
                    even = (even - room.ends[end]) >> 2 * LANE
                    odd = (odd - room.ends[end + 1]) >> 2 * LANE
                book_ends(room.ends, times, hand, at, cells)
            place = keys.next[place]
    emptied(keys)
