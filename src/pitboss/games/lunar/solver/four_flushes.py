"""Count Force where it leaves the dealer four cards of one suit (LU-10).

Here Force is counted card by card.  Besides ranks, two things matter: which cards of that suit are known, and how many
hands there are of that kind.  So questions are collected by *key*, the final hand, the role of the suit and its known
cards, with the number of hands, and each key is answered once for all dead cards of the same ranks.

A key:

    final hand's row | suit, 1 bit | known ranks of the suit, 13 bits

A word of ends has six lanes of 10 bits, the lowest first:

    won | tied | lost | ahead | level | behind
"""

from typing import NamedTuple

import numpy as np

from pitboss.cards import RANK_COUNT, SUIT_MASK
from pitboss.games.lunar.solver.dealer_hands import HIDDEN, REPLACED, ROW, SUIT_RANKS, UnqualifiedHands
from pitboss.games.lunar.solver.final_hands import FinalHands, PathCells, PathNets
from pitboss.kernels.compile import kernel_helper, no_alloc_kernel
from pitboss.kernels.enumeration import IntArray

EXPOSED_SUIT, OTHER_SUIT = 0, 1
"""The suit of a key is the exposed card's, or another one."""

ENDS = 6
NO_END = 6
"""Ends after Force: won, tied, lost against a dealer who qualifies; ahead, level, behind of one who still does not."""

LANE_BITS = 10
_EVERY_OTHER = 0x3FF | 0x3FF << 2 * LANE_BITS | 0x3FF << 4 * LANE_BITS
_SUM_MASK = (1 << 2 * LANE_BITS) - 1
"""Lanes of ends have ten bits: at most 42 cards are turned.  Sums over dealers use every other lane, twenty bits each.

495 dealers in three ways of 42 cards are 62,370, with either sign.
"""

TABLE_SIZE = 1 << 19


class TurnedEnds(NamedTuple):
    """What a turned card leads to.

    Ends are by hand that may force, row of ``UnqualifiedHands`` and rank.

    ``hands`` (hands,) are their numbers, ``left`` (hands, 13) the cards left by rank.
    ``ends`` (hands, rows, 13) without a flush, ``flush_ends`` with one, ``NO_END`` if there is none; ``gains``
    (hands, 7) is what an end nets more than taking the Ante.  ``gain`` and ``word`` (hands, rows) add up gains and ends
    over all cards with none dead, ``more`` (hands, rows, 2, 2) what flushes in a suit add to both, ``EXPOSED_SUIT`` or
    ``OTHER_SUIT``, if no card of it is known.
    """

    hands: IntArray
    left: IntArray
    ends: IntArray
    flush_ends: IntArray
    gains: IntArray
    gain: IntArray
    word: IntArray
    more: IntArray


class FlushKeys(NamedTuple):
    """An open-addressed table of keys with their numbers of hands.

    Each hand that may force has a chain of keys.  ``hands`` (hands,) counts the final hands themselves; ``heads`` and
    ``next`` are the chains, ``hands_met`` and ``used_slots`` the hands and slots used since the table was emptied,
    ``lengths`` (2,) how many these are.
    """

    keys: IntArray
    numbers: IntArray
    next: IntArray
    heads: IntArray
    hands: IntArray
    hands_met: IntArray
    used_slots: IntArray
    lengths: IntArray


class ForceWorkspace(NamedTuple):
    """Scratch arrays for a hand's gains and ends with some dead cards, by row.

    ``taken`` (rows,) are the gains where Force is right by ranks, ``even`` and ``odd`` every other end then; all are 0
    where it is wrong.  ``left`` are live cards by rank.
    """

    gain: IntArray
    word: IntArray
    taken: IntArray
    even: IntArray
    odd: IntArray
    left: IntArray
    ends: IntArray


def make_force_workspace(rows: int) -> ForceWorkspace:
    """Return scratch arrays for ``rows`` unqualified hands."""
    return ForceWorkspace(*(np.zeros(length, np.int64) for length in (*[rows] * 5, RANK_COUNT, 8)))


def make_flush_keys(hands: int) -> FlushKeys:
    """Return an empty table for ``hands`` hands that may force."""
    return FlushKeys(
        np.full(TABLE_SIZE, -1, np.int64),
        np.zeros(TABLE_SIZE, np.int64),
        np.zeros(TABLE_SIZE, np.int64),
        np.full(hands, -2, np.int64),
        np.zeros(hands, np.int64),
        np.zeros(hands, np.int64),
        np.zeros(TABLE_SIZE, np.int64),
        np.zeros(2, np.int64),
    )


@kernel_helper
def add_hand(keys: FlushKeys, hand: int) -> None:
    """Start the chain of a hand."""
    if keys.heads[hand] == -2:
        keys.heads[hand] = -1
        keys.hands_met[keys.lengths[0]] = hand
        keys.lengths[0] += 1


@kernel_helper
def add_key(keys: FlushKeys, hand: int, kind: int, known: int, times: int) -> None:
    """Count a final hand ``times`` under its key.

    Raises:
        ValueError: there are more keys than the table can hold.
    """
    key = (hand * 2 + kind) << RANK_COUNT | known
    # Multiplicative hashing and linear probing; half of the slots stay empty, so every search ends.
    place = (key * 0x9E3779B1 >> 7) & (TABLE_SIZE - 1)
    while keys.keys[place] != key:
        if keys.keys[place] < 0:
            if keys.lengths[1] > TABLE_SIZE // 2:
                raise ValueError("too many questions about Force at once: tally fewer hands")
            keys.keys[place], keys.numbers[place] = key, 0
            add_hand(keys, hand)
            keys.next[place] = keys.heads[hand]
            keys.heads[hand] = place
            keys.used_slots[keys.lengths[1]] = place
            keys.lengths[1] += 1
            break
        place = (place + 1) & (TABLE_SIZE - 1)
    keys.numbers[place] += times


@kernel_helper
def clear_keys(keys: FlushKeys) -> None:
    """Remove all keys."""
    for each in range(keys.lengths[1]):
        keys.keys[keys.used_slots[each]] = -1
    for each in range(keys.lengths[0]):
        keys.heads[keys.hands_met[each]] = -2
        keys.hands[keys.hands_met[each]] = 0
    keys.lengths[0] = 0
    keys.lengths[1] = 0


@kernel_helper
def find_end(mine: int, theirs: int, qualifies: int) -> int:
    """Return the end that a strength of the dealer leads to."""
    compared = 0 if mine > theirs else 1 if mine == theirs else 2
    return compared if theirs >= qualifies else 3 + compared


@no_alloc_kernel
def fill_turned_ends(
    hands: FinalHands,
    pays: PathNets,
    qualifies: int,
    every: IntArray,
    exposed: int,
    low: UnqualifiedHands,
    turns: TurnedEnds,
) -> None:
    """Fill in ``turns`` for its hands.

    ``every`` (13,) is 1 for each rank of the deck.
    """
    for at in range(len(turns.hands)):
        hand = turns.hands[at]
        mine = hands.strengths[hand]
        gains = turns.gains[at]
        gains[0] = pays.forced_win[hand] - pays.take_ante
        gains[1], gains[2] = pays.forced_tie - pays.take_ante, pays.forced_lose - pays.take_ante
        for end in range(3):
            gains[3 + end] = pays.forced_unqualified[end] - pays.take_ante
        for row in range(len(low.counts)):
            for rank in range(RANK_COUNT):
                end, flush_end = NO_END, NO_END
                if low.turned[row, rank] >= 0:
                    end = find_end(mine, low.turned[row, rank], qualifies)
                live = turns.left[at, rank] - low.counts[row, rank]
                if live > 0:
                    turns.gain[at, row] += live * gains[end]
                    turns.word[at, row] += live << LANE_BITS * end
                if low.flush[row, rank] >= 0:
                    flush_end = find_end(mine, low.flush[row, rank], qualifies)
                    more = gains[flush_end] - gains[end]
                    word = (1 << LANE_BITS * flush_end) - (1 << LANE_BITS * end)
                    turns.more[at, row, OTHER_SUIT, 0] += every[rank] * more
                    turns.more[at, row, OTHER_SUIT, 1] += every[rank] * word
                    if rank != exposed:
                        turns.more[at, row, EXPOSED_SUIT, 0] += every[rank] * more
                        turns.more[at, row, EXPOSED_SUIT, 1] += every[rank] * word
                turns.ends[at, row, rank], turns.flush_ends[at, row, rank] = end, flush_end


def make_turned_ends(
    hands: FinalHands,
    hand_numbers: IntArray,
    pays: PathNets,
    qualifies: int,
    copies: IntArray,
    every: IntArray,
    exposed: int,
    low: UnqualifiedHands,
) -> TurnedEnds:
    """Return what turned cards lead to for the hands ``hand_numbers``."""
    shape = (len(hand_numbers), len(low.counts))
    turns = TurnedEnds(
        hand_numbers,
        copies - hands.counts[hand_numbers],
        np.zeros((*shape, RANK_COUNT), np.int8),
        np.zeros((*shape, RANK_COUNT), np.int8),
        np.zeros((len(hand_numbers), NO_END + 1), np.int64),
        np.zeros(shape, np.int64),
        np.zeros(shape, np.int64),
        np.zeros((*shape, 2, 2), np.int64),
    )
    fill_turned_ends(hands, pays, qualifies, every, exposed, low, turns)
    return turns


@kernel_helper
def prepare_hand(turns: TurnedEnds, low: UnqualifiedHands, at: int, dead: IntArray, workspace: ForceWorkspace) -> None:
    """Write a hand's gains and ends by ranks for some dead cards.

    The dead cards are counted by rank.
    """
    listed, cards = 0, 0
    for rank in range(RANK_COUNT):
        workspace.left[rank] = turns.left[at, rank] - dead[rank]
        for _ in range(dead[rank]):
            listed |= rank << 4 * cards
            cards += 1
    for row in range(len(low.counts)):
        gain, word = turns.gain[at, row], turns.word[at, row]
        # A dead card cannot be turned: its gain and its end go.
        for card in range(cards):
            end = turns.ends[at, row, listed >> 4 * card & 15]
            gain -= turns.gains[at, end]
            word -= 1 << LANE_BITS * end
        workspace.gain[row], workspace.word[row] = gain, word
        word = word if gain > 0 else 0
        workspace.taken[row] = max(0, gain)
        workspace.even[row], workspace.odd[row] = word & _EVERY_OTHER, word >> LANE_BITS & _EVERY_OTHER


@kernel_helper
def add_flush(
    turns: TurnedEnds, low: UnqualifiedHands, at: int, row: int, kind: int, known: int, workspace: ForceWorkspace
) -> tuple[int, int]:
    """Return gain and ends of a dealer who keeps four cards of one suit.

    The cards ``known`` of that suit are out.
    """
    gain = workspace.gain[row] + turns.more[at, row, kind, 0]
    word = workspace.word[row] + turns.more[at, row, kind, 1]
    # ``more`` assumed that every card of the suit is live: the known ones make no flush.
    out = known & low.eligible[row]
    rank = 0
    while out:
        if out & 1:
            end, flush_end = turns.ends[at, row, rank], turns.flush_ends[at, row, rank]
            gain -= turns.gains[at, flush_end] - turns.gains[at, end]
            word -= (1 << LANE_BITS * flush_end) - (1 << LANE_BITS * end)
        out >>= 1
        rank += 1
    return gain, word


@kernel_helper
def compute_suit_changes(
    turns: TurnedEnds, low: UnqualifiedHands, at: int, kind: int, known: int, exposed: int, workspace: ForceWorkspace
) -> tuple[int, int, int]:
    """Return what one suit changes in what Force adds, and in the ends.

    The ends are two words of every other end: from won on, then from tied on.  ``workspace`` is prepared for the hand.
    The result is relative to what ranks alone counted for these dealers, which is subtracted.
    """
    added, even, odd = 0, 0, 0
    four_flushes = low.in_exposed_suit if kind == EXPOSED_SUIT else low.in_other_suit
    for each in range(len(four_flushes)):
        if four_flushes[each, SUIT_RANKS] & known:
            continue
        row, times = four_flushes[each, ROW], 1
        if kind == EXPOSED_SUIT:
            # The replaced card is of another suit: of its rank all live cards but the one of this suit.
            rank = four_flushes[each, REPLACED]
            times = workspace.left[rank] - (0 if rank == exposed else 1 - (known >> rank & 1))
            if times <= 0:
                continue
        gain, word = add_flush(turns, low, at, row, kind, known, workspace)
        if gain > 0:
            added += times * gain
            even += times * (word & _EVERY_OTHER)
            odd += times * (word >> LANE_BITS & _EVERY_OTHER)
        added -= times * workspace.taken[row]
        even -= times * workspace.even[row]
        odd -= times * workspace.odd[row]
    # A dealer with five cards of the exposed suit has a flush and qualifies, so nobody forces.  Half of these dealers
    # hold a known card: a product with 0 costs less than a branch.
    for each in range(len(low.all_suited) if kind == EXPOSED_SUIT else 0):
        row = low.all_suited[each, ROW]
        there = 1 if low.all_suited[each, SUIT_RANKS] & known == 0 else 0
        added -= there * workspace.taken[row]
        even -= there * workspace.even[row]
        odd -= there * workspace.odd[row]
    return added, even, odd


@kernel_helper
def _get_lane(word: int) -> int:
    """Return the lowest of several signed sums in lanes."""
    low = word & _SUM_MASK
    return low - (_SUM_MASK + 1) if low > _SUM_MASK >> 1 else low


@kernel_helper
def tally_ends(ends: IntArray, times: int, hand: int, at: PathCells, cells: IntArray) -> None:
    """Tally ends of Force ``times``: each is an Ante that is not taken."""
    cells[at.forced_win[hand]] += times * ends[0]
    cells[at.forced_tie] += times * ends[1]
    cells[at.forced_lose] += times * ends[2]
    for end in range(3):
        cells[at.forced_unqualified + end] += times * ends[3 + end]
    for end in range(ENDS):
        cells[at.take_ante] -= times * ends[end]


@kernel_helper
def tally_forced(
    turns: TurnedEnds,
    low: UnqualifiedHands,
    exposed: int,
    dead: IntArray,
    keys: FlushKeys,
    at: PathCells,
    cells: IntArray,
    workspace: ForceWorkspace,
) -> None:
    """Answer all keys, and remove them.

    Their hands were tallied as if every Ante was taken.
    """
    for each in range(keys.lengths[0]):
        row_of_hand = keys.hands_met[each]
        hand = turns.hands[row_of_hand]
        prepare_hand(turns, low, row_of_hand, dead, workspace)
        for end in range(ENDS):
            workspace.ends[end] = 0
        for row in range(len(low.counts)):
            if workspace.gain[row] > 0:
                ways = 1
                for card in range(HIDDEN):
                    ways *= max(0, workspace.left[low.ranks[row, card]] - low.before[row, card])
                ways //= low.alike[row]
                for end in range(ENDS):
                    workspace.ends[end] += ways * (workspace.word[row] >> LANE_BITS * end & (1 << LANE_BITS) - 1)
        tally_ends(workspace.ends, keys.hands[row_of_hand], hand, at, cells)
        place = keys.heads[row_of_hand]
        while place >= 0:
            key, times = keys.keys[place], keys.numbers[place]
            if times != 0:
                _, even, odd = compute_suit_changes(
                    turns, low, row_of_hand, key >> RANK_COUNT & 1, key & SUIT_MASK, exposed, workspace
                )
                # Lanes are signed: take the lowest off before the shift, so that its borrow disappears.
                for end in range(0, ENDS, 2):
                    workspace.ends[end], workspace.ends[end + 1] = _get_lane(even), _get_lane(odd)
                    even = (even - workspace.ends[end]) >> 2 * LANE_BITS
                    odd = (odd - workspace.ends[end + 1]) >> 2 * LANE_BITS
                tally_ends(workspace.ends, times, hand, at, cells)
            place = keys.next[place]
    clear_keys(keys)
