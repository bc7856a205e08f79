"""Count hands of six unseen cards by strength, and those that hold each card.

All hands of one multiset of ranks have one strength, except flushes, and their number is a product over the ranks:
26,390 multisets stand for millions of hands.  Then the hands with five or more cards of a suit, Jokers among them, are
moved to their true strength; they are grouped too, by their ranks in that suit and the rank of a sixth card
outside it.  No two suits can have five of six cards, as both would need more than the two Jokers.

The hands that hold a card show what is left when that card is gone: one count serves all draws of one card.
"""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations_with_replacement
from math import comb
from typing import Any, NamedTuple

import numpy as np

from pitboss.cards import FIRST_JOKER, RANK_COUNT, SUIT_COUNT, bit, get_ranks, get_suit_ranks, make_card, popcount
from pitboss.hands import HandTables, load_hand_tables
from pitboss.kernels.compile import kernel, kernel_helper
from pitboss.kernels.enumeration import IntArray

RuleFunction = Callable[..., Any]

HAND = 6
CARDS = FIRST_JOKER + 2
_JOKER = RANK_COUNT
_CHOOSE = np.array([[comb(n, k) for k in range(HAND)] for n in range(SUIT_COUNT + 1)], np.int64)


class OpponentHistogram(NamedTuple):
    """Numbers of hands, compared with some rising strengths.

    At ``2 i`` are the hands below the i-th strength, at ``2 i + 1`` those equal to it.

    ``hands`` has shape (2 strengths + 1,), and ``by_card`` (2 strengths + 1, 54) those of them that hold each card.
    """

    hands: IntArray
    by_card: IntArray


def count_opponents(strength: RuleFunction, options: Any, unseen: int, thresholds: Sequence[int]) -> OpponentHistogram:
    """Compare every six of the cards ``unseen`` with rising strengths.

    The strengths are ``thresholds``.  At most two of the cards are Jokers.

    ``strength(tables, mask, options)`` may depend on suits only through the best flush.  Hands are counted in 64 bits:
    there are at most C(54, 6).
    """
    levels = 2 * len(thresholds) + 1
    histogram = OpponentHistogram(np.zeros(levels, np.int64), np.zeros((levels, CARDS), np.int64))
    _make_kernel(strength)(
        load_hand_tables(), options, unseen, np.array(thresholds, np.int64), *_list_multisets(), *histogram
    )
    return histogram


class FlushGroup(NamedTuple):
    """Hands of some suited cards, perhaps another card, and Jokers.

    They hold the cards ``suited``, one of ``other_cards`` if there are any, and ``jokers`` Jokers.
    """

    suited: int
    other_cards: int
    jokers: int


@cache
def _list_multisets() -> tuple[IntArray, IntArray]:
    """Return the copies of every multiset, and a hand of each.

    The copies are those of each rank and of Jokers, shape (n, 14).
    """
    held = np.array(list(combinations_with_replacement(range(_JOKER + 1), HAND)))
    copies = np.stack([(held == each).sum(axis=1) for each in range(_JOKER + 1)], axis=1)
    copies = copies[(copies[:, :_JOKER].max(axis=1) <= SUIT_COUNT) & (copies[:, _JOKER] <= CARDS - FIRST_JOKER)]
    masks = np.empty(len(copies), np.int64)
    _write_masks(copies, masks)
    return copies, masks


@kernel
def _write_masks(copies: IntArray, masks: IntArray) -> None:
    for each in range(len(copies)):
        masks[each] = _make_plain_hand(copies[each])


@kernel_helper
def _make_plain_hand(copies: IntArray) -> Any:
    """Return a hand with these counts of each rank that makes no flush.

    The suit changes from card to card.
    """
    mask, placed = ((1 << copies[_JOKER]) - 1) << FIRST_JOKER, 0
    for each in range(RANK_COUNT):
        for _ in range(copies[each]):
            mask |= bit(make_card(each, placed % SUIT_COUNT))
            placed += 1
    return mask


@kernel_helper
def _get_rank(code: int) -> int:
    """Return the rank of a card; Jokers come after the ace."""
    return code % RANK_COUNT if code < FIRST_JOKER else _JOKER


@kernel_helper
def _count_copies(hand: FlushGroup, copies: IntArray) -> None:
    """Count the cards of each rank, and the Jokers, of a hand."""
    offsuit_ranks = get_ranks(hand.other_cards)
    for each in range(RANK_COUNT):
        copies[each] = (get_ranks(hand.suited) >> each & 1) + (offsuit_ranks >> each & 1)
    copies[_JOKER] = hand.jokers


@kernel_helper
def _find_level(thresholds: IntArray, strength: int) -> int:
    """Return how a strength compares with the thresholds.

    It is twice the number of weaker ones, plus 1 if the strength is among them.
    """
    low, high = 0, len(thresholds)
    while low < high:
        middle = (low + high) // 2
        if thresholds[middle] < strength:
            low = middle + 1
        else:
            high = middle
    return 2 * low + (1 if low < len(thresholds) and thresholds[low] == strength else 0)


@kernel_helper
def _add_multiset(copies: IntArray, left: IntArray, level: int, hands: IntArray, by_rank: IntArray) -> None:
    """Add all hands of a multiset.

    ``by_rank`` has, for each level, those that hold one given card of a rank.
    """
    ways = 1
    for each in range(_JOKER + 1):
        # Suits are free, so the choices of the ranks multiply.
        ways *= _CHOOSE[left[each], copies[each]]
    hands[level] += ways
    for each in range(_JOKER + 1):
        if ways and copies[each]:
            # Of the ``left`` cards of a rank each is in the same share of the hands: copies / left.
            by_rank[level, each] += ways * copies[each] // left[each]


@kernel_helper
def _find_offsuit_cards(unseen: int, suit_index: int, rank_index: int) -> int:
    """Return the unseen cards of a rank outside a suit."""
    cards = 0
    for other in range(SUIT_COUNT):
        if other != suit_index:
            cards |= unseen & bit(make_card(rank_index, other))
    return cards


@kernel_helper
def _move_hands(
    hand: FlushGroup, times: int, unseen_jokers: int, before: int, after: int, hands: IntArray, holding: IntArray
) -> None:
    """Move all hands of a kind from one level to another.

    ``times`` is the number of choices of its Jokers.
    """
    offsuit = max(1, popcount(hand.other_cards))
    ways = offsuit * times
    # Each suited card is in all of these hands, each other card in those that choose it, each Joker in its share.
    for level, sign in ((before, -1), (after, 1)):
        hands[level] += sign * ways
        for code in range(FIRST_JOKER):
            if hand.suited >> code & 1:
                holding[level, code] += sign * ways
            elif hand.other_cards >> code & 1:
                holding[level, code] += sign * times
        for joker in range(CARDS - FIRST_JOKER):
            if hand.jokers and unseen_jokers >> joker & 1:
                holding[level, FIRST_JOKER + joker] += sign * ways * hand.jokers // popcount(unseen_jokers)


@cache
def _make_kernel(strength: RuleFunction) -> Callable[..., None]:
    """Compile the count for a rule."""

    @kernel_helper
    def move_flush(
        tables: HandTables, options: Any, thresholds: IntArray, unseen: int, hand: FlushGroup, left: IntArray, copies:
        IntArray, hands: IntArray, holding: IntArray,
    ) -> None:  # fmt: skip
        wilds = ((1 << hand.jokers) - 1) << FIRST_JOKER
        flush_strength = strength(tables, hand.suited | (hand.other_cards & -hand.other_cards) | wilds, options)
        _count_copies(hand, copies)
        before, after = (
            _find_level(thresholds, strength(tables, _make_plain_hand(copies), options)),
            _find_level(thresholds, flush_strength),
        )
        if before != after:
            _move_hands(hand, _CHOOSE[left[_JOKER], hand.jokers], unseen >> FIRST_JOKER, before, after, hands, holding)

    @kernel
    def count(
        tables: HandTables, options: Any, unseen: int, thresholds: IntArray, multisets: IntArray, masks: IntArray,
        hands: IntArray, holding: IntArray,
    ) -> None:  # fmt: skip
        left, copies = np.zeros(_JOKER + 1, np.int64), np.zeros(_JOKER + 1, np.int64)
        for code in range(CARDS):
            left[_get_rank(code)] += unseen >> code & 1
        by_rank = np.zeros((len(hands), _JOKER + 1), np.int64)
        for each in range(len(multisets)):
            level = _find_level(thresholds, strength(tables, masks[each], options))
            _add_multiset(multisets[each], left, level, hands, by_rank)
        # First every hand at the strength of its ranks without a flush; ``by_rank`` is copied to each unseen card of
        # the rank.
        for level in range(len(hands)):  # cell by cell: for a column Numba would compile much error handling
            for code in range(CARDS):
                if unseen >> code & 1:
                    holding[level, code] += by_rank[level, _get_rank(code)]
        # Then every group of five or six cards of one suit, counting Jokers: all rank sets of the suit, with a sixth
        # card from outside it where one is missing.
        for suit_index in range(SUIT_COUNT):
            held = get_suit_ranks(unseen, suit_index)
            for ranks_held in range(1 << RANK_COUNT):
                for wild in range(left[_JOKER] + 1 if ranks_held & ~held == 0 else 0):
                    missing = HAND - wild - popcount(ranks_held)
                    for sixth in range(RANK_COUNT if missing == 1 else 1 if missing == 0 else 0):
                        offsuit = _find_offsuit_cards(unseen, suit_index, sixth) if missing else 0
                        if offsuit or missing == 0:
                            hand = FlushGroup(ranks_held << RANK_COUNT * suit_index, offsuit, wild)
                            move_flush(tables, options, thresholds, unseen, hand, left, copies, hands, holding)

    return count
