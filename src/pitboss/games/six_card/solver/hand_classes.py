"""The classes of six-card hands: ranks, flush or none, ranks in one suit.

Once some cards are known, at most one suit can still matter to another player's flush: the *suit* below.  The cards of
a rank in the other three suits are then alike, so a hand is described by the multiset of its ranks, by the flush it
makes itself, and by which of its ranks it also holds in the suit: a *state*, one bit for each different rank.  There
are 18,395 multisets and 18,447 classes with a flush, with 2 to 64 states each: a million instead of 20,358,520 hands.
"""

from collections.abc import Sequence
from itertools import combinations_with_replacement
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import DECK_52, RANK_COUNT, SUIT_COUNT, get_ranks, get_suit_ranks, popcount
from pitboss.core.rule import rule
from pitboss.kernels.compile import kernel_helper
from pitboss.kernels.enumeration import IntArray
from pitboss.kernels.suit_symmetry import count_images

SmallIntArray = NDArray[np.int8]

HAND = 6
FLUSH = 5
NO_FLUSH, FIVE_SUITED, SIX_SUITED = 0, 1, 2
STATES = 1 << HAND
NO_SUIT = -1

BINOMIALS = np.array([[comb(n, k) for k in range(FLUSH)] for n in range(RANK_COUNT + 1)], np.int64)


class HandClasses(NamedTuple):
    """Classes of hands, one a row.

    ``groups`` is the number of different ranks; ``ranks`` and ``copies`` (n, 6) list them from the lowest, and the
    number of cards of each.  ``flush`` is ``NO_FLUSH``, ``FIVE_SUITED`` with one card more, of group ``odd``, or
    ``SIX_SUITED``. ``masks`` has one hand of each class.
    """

    groups: SmallIntArray
    ranks: SmallIntArray
    copies: SmallIntArray
    flush: SmallIntArray
    odd: SmallIntArray
    masks: IntArray


class LiveCards(NamedTuple):
    """The cards left in the deck, by rank.

    ``suits`` is a set of four suits, ``others`` the number of cards outside the suit (0 to 4), ``suited`` the number in
    it (0 or 1).  ``suit`` is the suit that matters, ``NO_SUIT`` if none does.
    """

    suits: IntArray
    others: IntArray
    suited: IntArray
    suit: int


def sort_live_cards(live_mask: int, flush_suit: int) -> LiveCards:
    """Sort the cards ``live_mask`` by rank.

    Those in the suit that matters are separate from those outside it.
    """
    held = np.array(
        [[live_mask >> (each * RANK_COUNT + rank) & 1 for each in range(SUIT_COUNT)] for rank in range(RANK_COUNT)],
        np.int64,
    )
    suited = np.zeros(RANK_COUNT, np.int64) if flush_suit == NO_SUIT else held[:, flush_suit].copy()
    return LiveCards(held @ (1 << np.arange(SUIT_COUNT)), held.sum(axis=1) - suited, suited, flush_suit)


def list_hand_classes() -> HandClasses:
    """Return the classes of all hands of six natural cards of a whole deck."""
    rows = []
    for held in combinations_with_replacement(range(RANK_COUNT), HAND):
        ranks = sorted(set(held))
        copies = [held.count(rank) for rank in ranks]
        if max(copies) > SUIT_COUNT:
            continue
        rows.append((ranks, copies, NO_FLUSH, 0))
        if len(ranks) == HAND:
            rows += [(ranks, copies, FIVE_SUITED, odd) for odd in range(HAND)]
            rows.append((ranks, copies, SIX_SUITED, 0))
        if len(ranks) == FLUSH:
            rows.append((ranks, copies, FIVE_SUITED, copies.index(2)))
    return _make_classes([(*row, _make_example(*row)) for row in rows])


def find_representatives(masks: Sequence[int]) -> list[int]:
    """Return for each hand the example that ``list_hand_classes`` gives of its class.

    >>> from pitboss.cards import DECK_52, format_cards, make_mask, parse_cards
    >>> mask = make_mask(parse_cards("Kd Qd 9d 7d 3d Kc", DECK_52))
    >>> format_cards([card for card in DECK_52.cards if find_representatives([mask])[0] >> card & 1], DECK_52)
    '3s 7s 9s Qs Ks Kh'
    """
    return [_make_example(*_classify_hand(mask)) for mask in masks]


def _classify_hand(mask: int) -> tuple[list[int], list[int], int, int]:
    """Return ranks, copies, flush and odd group of a hand."""
    held = sorted(card % RANK_COUNT for card in DECK_52.cards if mask >> card & 1)
    ranks = sorted(set(held))
    alike = max((get_suit_ranks(mask, each) for each in range(SUIT_COUNT)), key=popcount)
    flush = max(NO_FLUSH, popcount(alike) - FLUSH + 1)
    copies = [held.count(rank) for rank in ranks]
    odd = 0
    if flush == FIVE_SUITED:
        odd = copies.index(2) if len(ranks) == FLUSH else [alike >> rank & 1 for rank in ranks].index(0)
    return ranks, copies, flush, odd


def _make_classes(rows: Sequence[tuple[list[int], list[int], int, int, int]]) -> HandClasses:
    """Arrange ranks, copies, flush, odd group and mask of each class in arrays."""
    padded = [[[*values, *[0] * (HAND - len(values))] for values in row[:2]] for row in rows]
    return HandClasses(
        np.array([len(row[0]) for row in rows], np.int8),
        np.array([ranks for ranks, _ in padded], np.int8),
        np.array([copies for _, copies in padded], np.int8),
        np.array([row[2] for row in rows], np.int8),
        np.array([row[3] for row in rows], np.int8),
        np.array([row[4] for row in rows], np.int64),
    )


def _make_example(ranks: list[int], copies: list[int], flush: int, odd: int) -> int:
    """Return one hand of a class, as a mask."""
    mask = 0
    for group, (rank, count) in enumerate(zip(ranks, copies, strict=True)):
        # Without a flush the first suit changes from rank to rank; with one all ranks have suit 0, except an odd single
        # card.
        first = group if flush == NO_FLUSH else int(flush == FIVE_SUITED and group == odd and count == 1)
        for copy in range(count):
            mask |= 1 << (first + copy) % SUIT_COUNT * RANK_COUNT + rank
    return mask


@kernel_helper
def count_plain_ways(hands: HandClasses, hand: int, live: LiveCards, ways: IntArray) -> None:
    """Count the live hands of each state of a class without flush.

    They are all hands of its ranks, a product over them, less those that make a flush; ``ways`` receives them.  If no
    suit matters there is one state.
    """
    groups = hands.groups[hand]
    ways[0] = 1
    for group in range(groups):
        rank, copies = hands.ranks[hand, group], hands.copies[hand, group]
        without = BINOMIALS[live.others[rank], copies]
        if live.suit == NO_SUIT:
            ways[0] *= without
            continue
        # The rank's card of the suit is in the hand (its bit is set) or not.  The loops double the table in place:
        # first the states with the bit, then those without it.
        within = BINOMIALS[live.others[rank], copies - 1] * live.suited[rank]
        step = 1 << group
        for state in range(step):
            ways[np.uint64(state + step)] = ways[np.uint64(state)] * within
        for state in range(step):
            ways[np.uint64(state)] *= without
    if groups >= FLUSH:
        _subtract_flushes(hands, hand, live, ways)


@kernel_helper
def _subtract_flushes(hands: HandClasses, hand: int, live: LiveCards, ways: IntArray) -> None:
    """Subtract the hands of five or six different ranks that make a flush.

    ``count_flush_ways`` counts them.
    """
    groups = hands.groups[hand]
    full = (1 << groups) - 1
    missing_one, missing_more = 0, 0
    for group in range(groups):
        missing = ~live.suits[hands.ranks[hand, group]]
        missing_more |= missing_one & missing
        missing_one |= missing
    outside = (1 << SUIT_COUNT) - 1 if live.suit == NO_SUIT else (1 << SUIT_COUNT) - 1 & ~(1 << live.suit)
    whole = popcount(outside & ~missing_one)
    if groups == HAND:
        ways[0] -= whole
    for group in range(groups):
        rank = hands.ranks[hand, group]
        if groups == FLUSH and hands.copies[hand, group] == 1:
            continue
        flushes = whole
        if groups == HAND:
            flushes += popcount(outside & missing_one & ~missing_more & ~live.suits[rank])
        # Flushes in other suits: the odd card is any of its rank outside the suit, except the card of the flush's own
        # suit, which is live in ``whole`` of them.
        ways[0] -= flushes * live.others[rank] - whole
        if live.suit != NO_SUIT:
            ways[1 << group] -= flushes * live.suited[rank]
            if groups == HAND:
                ways[full ^ 1 << group] = 0
    if live.suit != NO_SUIT:
        ways[full] = 0


@kernel_helper
def count_flush_ways(hands: HandClasses, hand: int, flush: int, odd: int, live: LiveCards) -> tuple[int, int, int]:
    """Count the live hands of class ``hand`` with this flush, by state.

    The three states are: the flush in another suit and nothing in the suit; the flush in another suit and the odd card
    in the suit; the flush in the suit (``find_flush_state``).
    """
    groups = hands.groups[hand]
    inside = 1
    common = (1 << SUIT_COUNT) - 1
    everywhere = (1 << SUIT_COUNT) - 1
    # ``common`` collects the suits in which all ranks of the flush are live, ``everywhere`` those in which all ranks
    # are.
    for group in range(groups):
        rank = hands.ranks[hand, group]
        everywhere &= live.suits[rank]
        if flush == SIX_SUITED or group != odd or groups == FLUSH:
            common &= live.suits[rank]
            inside *= live.suited[rank]
    outside = (1 << SUIT_COUNT) - 1
    if live.suit != NO_SUIT:
        outside ^= 1 << live.suit
    flushes, all_alike = popcount(common & outside), popcount(everywhere & outside)
    if flush == SIX_SUITED:
        return all_alike, 0, inside
    rank = hands.ranks[hand, odd]
    # The odd card is any of its rank outside the suit but the one, if live, of the flush's own suit.
    return flushes * live.others[rank] - all_alike, flushes * live.suited[rank], inside * live.others[rank]


@kernel_helper
def find_flush_state(hands: HandClasses, hand: int) -> int:
    """Return the state of a class with a flush in the suit that matters."""
    full = (1 << hands.groups[hand]) - 1
    if hands.flush[hand] == FIVE_SUITED and hands.groups[hand] == HAND:
        return int(full ^ 1 << hands.odd[hand])
    return int(full)


@rule
def find_suited_groups(hand: int, suit: int) -> int:
    """Return the state of a hand.

    There is a bit for each different rank, from the lowest, set if the hand holds it in ``suit``.

    >>> from pitboss.cards import DECK_52, make_mask, parse_cards
    >>> bin(find_suited_groups(make_mask(parse_cards("2s 2h 7h 9s Ks Kd", DECK_52)), 0))
    '0b1101'
    """
    if suit == NO_SUIT:
        return 0
    ranks, held = get_ranks(hand), get_suit_ranks(hand, suit)
    state, group = 0, 1
    while ranks:
        if held & ranks & -ranks:
            state |= group
        group <<= 1
        ranks &= ranks - 1
    return state


@kernel_helper
def count_state_hands(
    hands: HandClasses, hand: int, state: int, live: LiveCards, orders: IntArray, chosen: IntArray
) -> tuple[int, int]:
    """Count the live hands of a class and a state, in all and up to ``orders``.

    ``orders`` are exchanges of suits, shape (n, 4), a group that leaves the live cards unchanged.  Of hands that become
    one another, only the least is counted.  ``chosen`` is a scratch array of six numbers.
    """
    groups = hands.groups[hand]
    chosen[:] = 0
    visited, kinds, group = 0, 0, 0
    # Depth-first search: each rank in turn tries all sets of suits, counted upward as a number of four bits.
    while group >= 0:
        chosen[group] += 1
        if chosen[group] == 1 << SUIT_COUNT:
            chosen[group] = 0
            group -= 1
            continue
        suits = chosen[group]
        suited = suits >> live.suit & 1 if live.suit != NO_SUIT else 0
        fits = suits & ~live.suits[hands.ranks[hand, group]] == 0 and popcount(suits) == hands.copies[hand, group]
        if not fits or suited != state >> group & 1:
            continue
        if group + 1 < groups:
            group += 1
            continue
        mask = _make_mask(hands, hand, chosen)
        if not _has_class_flush(hands, hand, mask):
            continue
        visited += 1
        kinds += 1 if count_images(mask, orders) else 0
    return visited, kinds


@kernel_helper
def _make_mask(hands: HandClasses, hand: int, chosen: IntArray) -> int:
    """Return the hand with these suits of each rank."""
    mask = 0
    for group in range(hands.groups[hand]):
        for each in range(SUIT_COUNT):
            mask |= (chosen[group] >> each & 1) << (each * RANK_COUNT + hands.ranks[hand, group])
    return mask


@kernel_helper
def _has_class_flush(hands: HandClasses, hand: int, mask: int) -> bool:
    """Tell whether a hand of the class's ranks has the class's flush."""
    most, alike = 0, 0
    for each in range(SUIT_COUNT):
        held = get_suit_ranks(mask, each)
        if popcount(held) > most:
            most, alike = popcount(held), held
    if hands.flush[hand] != FIVE_SUITED:
        return most == HAND if hands.flush[hand] == SIX_SUITED else most < FLUSH
    odd = hands.odd[hand]
    return most == FLUSH and (hands.copies[hand, odd] == 2 or alike >> hands.ranks[hand, odd] & 1 == 0)
