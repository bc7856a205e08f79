"""The open cards of a showdown after a Play, and where they allow a flush.

A hand of four with three open cards makes a flush only in a suit that an open card has.  Each of these suits is a
*role*; the *plain* role is the hand by its ranks alone.  In a role the cards of a hand are of fewer kinds:

* plain: a card's slot;
* a *lone* suit, of one open card: a flush needs all four cards in the suit or wild.  So a kind is the slot of a card
  in the suit, or of a wild card of any suit; other cards have no kind;
* a *main* suit, of two or three open cards: ``2 * slot``, plus one for a card in the suit.  Wild cards of different
  suits are one kind.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from pitboss.cards import RANK_COUNT, SUIT_COUNT
from pitboss.games.shifting_wilds.rules import HAND, find_wild_cards, rank_hand, settle_regular_bonus
from pitboss.games.shifting_wilds.solver.multisets import HandMultisets, count_copies
from pitboss.hands import ROYAL_FIRST, HandTables, evaluate_strength
from pitboss.kernels.compile import kernel, kernel_helper
from pitboss.kernels.enumeration import IntArray

PLAIN, LONE, MAIN = 0, 1, 2
NO_SUIT = -1
IMPOSSIBLE = -1
MAX_ROLES = 4


class PlayBoard(NamedTuple):
    """Two community cards with W2, up to exchanges of suits.

    A board also stands for the other W2s that such an exchange turns W2 into.  ``live`` are the cards left,
    ``wild_slot`` is W2's slot.  ``role_modes`` has the mode of each role, the plain one first; ``role_suits``, shape
    (W2s, roles), the suit of each role for each W2; ``indicators`` the W2s.  ``flush_needs`` is how many cards a hand
    needs for a flush in a role.  ``suit_order`` has the suits, those with the fewest open cards first.  ``is_natural``
    is 1 where hands are compared by the natural five of the Bad Beat.
    """

    live: int
    community: int
    wild_slot: int
    role_modes: IntArray
    role_suits: IntArray
    indicators: IntArray
    flush_needs: IntArray
    suit_order: IntArray
    is_natural: int


def list_boards(ranks: Sequence[int], community: Sequence[int], permutations: IntArray, deck: int) -> list[PlayBoard]:
    """Return the boards of two community cards.

    W2s are taken up to ``permutations``, which leave these cards as they are.
    """
    boards = []
    for slot, rank in enumerate(ranks):
        suits_done: set[int] = set()
        for suit in range(SUIT_COUNT):
            if suit in suits_done or rank + RANK_COUNT * suit in community:
                continue
            # ``order[i]`` is the suit that replaces suit i.
            images = {int(np.flatnonzero(order == suit)[0]): np.argsort(order) for order in permutations}
            suits_done |= images.keys()
            boards.append(_make_board(community, slot, rank, suit, images, deck))
    return boards


def _make_board(
    community: Sequence[int], slot: int, rank: int, suit: int, images: dict[int, IntArray], deck: int
) -> PlayBoard:
    open_cards = [*community, rank + RANK_COUNT * suit]
    shown = [sum(card // RANK_COUNT == each for card in open_cards) for each in range(SUIT_COUNT)]
    roles = sorted((each for each in range(SUIT_COUNT) if shown[each]), key=lambda each: -shown[each])
    community_mask = sum(1 << card for card in community)
    return PlayBoard(
        live=deck & ~(community_mask | 1 << open_cards[-1]),
        community=community_mask,
        wild_slot=slot,
        role_modes=np.array([PLAIN, *(MAIN if shown[each] > 1 else LONE for each in roles)], np.int64),
        role_suits=np.array([[NO_SUIT, *(image[each] for each in roles)] for image in images.values()], np.int64),
        indicators=np.array([1 << (RANK_COUNT * each + rank) for each in images], np.int64),
        flush_needs=np.array([0, *(HAND + 1 - shown[each] for each in roles)], np.int64),
        suit_order=np.array(sorted(range(SUIT_COUNT), key=lambda each: shown[each]), np.int64),
        is_natural=0,
    )


@kernel_helper
def get_live_suits(live: int, rank: int) -> Any:
    """Return the suits in which a rank is live, as four bits."""
    each = live >> rank
    return (
        (each & 1)
        | (each >> RANK_COUNT & 1) << 1
        | (each >> 2 * RANK_COUNT & 1) << 2
        | (each >> 3 * RANK_COUNT & 1) << 3
    )


@kernel_helper
def get_live_card(live: int, order: IntArray, rank: int, without: int, index: int) -> Any:
    """Return the ``index``-th live card of a rank, as a set.

    Suits are taken in the given order, leaving one suit out.
    """
    for place in range(SUIT_COUNT):
        card = 1 << (RANK_COUNT * order[place] + rank)
        if order[place] != without and live & card:
            if index == 0:
                return card
            index -= 1
    return 0


class RankStrengths(NamedTuple):
    """The strength of each multiset by its ranks alone, so without a flush.

    It counts the community cards and an indicator.  ``strengths`` is ``IMPOSSIBLE`` where the deck has too few cards of
    a rank.  ``bonuses`` is the outcome of the Regular Bonus, which only a flush can change.
    """

    strengths: IntArray
    bonuses: IntArray


@kernel
def rank_multisets(
    multisets: HandMultisets, tables: HandTables, options: Any, community: IntArray, wild_slot: int
) -> RankStrengths:
    """Rank each multiset with the indicator of slot ``wild_slot``.

    ``community`` has the community cards' slots.
    """
    strengths = np.full(len(multisets.slots), IMPOSSIBLE, np.int64)
    bonuses = np.zeros(len(strengths), np.int64)
    for multiset in range(len(strengths)):
        hole, shared, indicator = _pick_flushless_cards(multisets, community, wild_slot, multiset)
        if indicator:
            strengths[multiset], bonuses[multiset] = rank_with_bonus(tables, hole, shared, indicator, options)
    return RankStrengths(strengths, bonuses)


@kernel_helper
def rank_with_bonus(tables: HandTables, hole: int, community: int, indicator: int, options: Any) -> tuple[int, int]:
    """Return the strength of a hand and its outcome of the Regular Bonus (SW-6)."""
    strength = rank_hand(tables, hole, community, indicator, options)
    natural = evaluate_strength(tables, hole | community | indicator, 0, ROYAL_FIRST)
    return strength, settle_regular_bonus(natural, strength, find_wild_cards(hole, indicator))


@kernel_helper
def _pick_flushless_cards(
    multisets: HandMultisets, community: IntArray, wild_slot: int, multiset: int
) -> tuple[int, int, int]:
    """Return own, community and indicator cards in suits that make no flush.

    The set of the indicator is empty if the deck lacks the cards.  Natural cards, by rising rank, take each suit in
    turn, wild cards the suits that are left.
    """
    slots = multisets.slots[multiset]
    hole, shared, indicator, dealt = 0, 0, 0, 0
    for slot in range(len(multisets.ranks)):
        rank, held = multisets.ranks[slot], count_copies(slots, slot)
        open_cards = (slot == wild_slot) + (slot == community[0]) + (slot == community[1])
        if held + open_cards > SUIT_COUNT:
            return 0, 0, 0
        for place in range(open_cards):
            card = 1 << (RANK_COUNT * (dealt & 3) + rank)
            dealt += 1
            if place == 0 and slot == wild_slot:
                indicator = card
            else:
                shared |= card
        if slot == wild_slot:
            for suit in range(SUIT_COUNT):
                card = 1 << (RANK_COUNT * suit + rank)
                if held and (indicator | shared) & card == 0:
                    hole |= card
                    held -= 1
        else:
            for _ in range(held):
                hole |= 1 << (RANK_COUNT * (dealt & 3) + rank)
                dealt += 1
    return hole, shared, indicator
