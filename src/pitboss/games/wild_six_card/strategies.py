"""Strategies for the discard that a person can remember.

They are the rules behind ``strategy.toml``.

All of them keep Jokers and never stand.  Only the ranks matter, and which cards share a suit.
"""

from pitboss.cards import (
    FIRST_JOKER,
    RANK_COUNT,
    SUIT_COUNT,
    bit,
    count_jokers,
    count_longest_suit,
    get_naturals,
    get_rank,
    get_ranks,
    get_suit_ranks,
    make_card,
    popcount,
)
from pitboss.core.rule import rule
from pitboss.games.wild_six_card.rules import DISCARD, HAND, WildSixOptions, WildSixView
from pitboss.hands import HandTables
from pitboss.hands.rank_sets import get_highest_rank

KEPT_CARDS = HAND - 1

_ACE = 1 << RANK_COUNT - 1
_FIVE_IN_A_ROW = 0b11111
_WHEEL = _FIVE_IN_A_ROW >> 1 | _ACE
# The values of draws: a straight is worth twice the ranks that fill it, so a flush lies between three ranks and four.
_FLUSH_VALUE = 7
_ANY_RANK = RANK_COUNT + 1


@rule
def count_straight_ranks(kept: int) -> int:
    """Count the ranks that fill a straight with the four cards ``kept``.

    These are natural cards and at most one Joker.

    >>> from pitboss.cards import DECK_54, make_mask, parse_cards
    >>> fours = ("5s 6h 7d 8c", "Js Qh Kd Ac", "5s 6h 7d Jk1")
    >>> [count_straight_ranks(make_mask(parse_cards(four, DECK_54))) for four in fours]
    [2, 1, 4]
    """
    held, natural_cards = get_ranks(kept), KEPT_CARDS - count_jokers(kept)
    if popcount(held) != natural_cards:
        return 0
    filling = _WHEEL & ~held if held & ~_WHEEL == 0 else 0
    lowest, highest = popcount((held & -held) - 1), get_highest_rank(held) - 2
    if highest - lowest < HAND:
        # Every rank that is in five in a row with all of them.
        first, last = max(highest - HAND + 1, 0), min(lowest + HAND - 1, RANK_COUNT - 1)
        filling |= (2 << last) - (1 << first) & ~held
    return popcount(filling)


@rule
def is_four_to_flush(kept: int) -> bool:
    """Tell whether the four cards ``kept`` are of one suit; a Joker is of any suit."""
    return count_longest_suit(kept) + count_jokers(kept) == KEPT_CARDS


@rule
def count_copies(five: int, code: int) -> int:
    """Count the natural cards of a card's rank."""
    held = 0
    for suit_index in range(SUIT_COUNT):
        held += five >> make_card(get_rank(code), suit_index) & 1
    return held


@rule
def find_lowest_card(five: int, break_groups: int) -> int:
    """Return the lowest natural card, as a set.

    It is a card outside any pair if there is one, unless ``break_groups``.  Of cards of one rank it is the card of the
    suit with more or higher cards.
    """
    chosen, lowest = 0, 1 << 2 * RANK_COUNT
    left = get_naturals(five)
    while left:
        one = left & -left
        code = popcount(one - 1)
        grouped = 0 if break_groups or count_copies(five, code) == 1 else RANK_COUNT
        height = (get_rank(code) + grouped + 1) * (1 << RANK_COUNT) - get_suit_ranks(five, code // RANK_COUNT)
        if height < lowest:
            chosen, lowest = one, height
        left ^= one
    return chosen


@rule
def has_no_pair(five: int) -> bool:
    """Tell whether the natural cards make no pair and there is at most one Joker."""
    return popcount(get_ranks(five)) + count_jokers(five) == HAND and count_jokers(five) < 2


@rule
def _value_draw(five: int, code: int, numbers: tuple[int, ...]) -> int:
    """Return the value of the draw left by discarding a card of no pair.

    The value is 0 for no draw or a card too high to discard.

    Three of ``numbers`` are the highest ranks to discard: without a Joker, for a straight that one rank fills; with a
    Joker, for a straight that two ranks fill, and for any other draw.
    """
    kept, height = five & ~bit(code), get_rank(code) + 2
    filling, highest, highest_for_flush = count_straight_ranks(kept), _ANY_RANK, _ANY_RANK
    if count_jokers(five):
        highest, highest_for_flush = numbers[2] if filling == 2 else numbers[3], numbers[3]
    elif filling == 1:
        highest = numbers[1]
    if is_four_to_flush(kept) and height <= highest_for_flush:
        return max(_FLUSH_VALUE, 2 * filling)
    return 2 * filling if height <= highest else 0


@rule
def _value_low_pair(five: int, code: int, highest: int) -> int:
    """Return 1 if breaking a low pair leaves four to a flush with an ace, else 0.

    The pair is at most ``highest``, and one card of it is discarded.
    """
    kept = five & ~bit(code)
    low = count_copies(five, code) == 2 and get_rank(code) + 2 <= highest
    return 1 if low and get_ranks(five) & _ACE and count_jokers(five) == 0 and is_four_to_flush(kept) else 0


@rule
def _choose_discard(five: int, numbers: tuple[int, ...]) -> int:
    """Return the lowest card that leaves the best draw.

    Without a draw, it is the lowest single card.
    """
    chosen, best = find_lowest_card(five, 0), 0
    left = get_naturals(five)
    while left:
        one = left & -left
        code = popcount(one - 1)
        worth = _value_draw(five, code, numbers) if has_no_pair(five) else _value_low_pair(five, code, numbers[0])
        better = worth * FIRST_JOKER - (SUIT_COUNT * get_rank(code) + code // RANK_COUNT)
        if better > best:
            chosen, best = one, better
        left ^= one
    return chosen


@rule
def practical(
    _tables: HandTables, view: WildSixView, _decision: int, numbers: tuple[int, ...], _options: WildSixOptions
) -> tuple[int, int]:
    """Keep the best draw without a pair, else discard the lowest single card.

    A low pair is broken for an ace's flush.

    ``numbers`` begin with the highest pair to break; the others are for draws.
    """
    return DISCARD, _choose_discard(view.player, numbers)


@rule
def every_draw(
    _tables: HandTables, view: WildSixView, _decision: int, _numbers: tuple[int, ...], _options: WildSixOptions
) -> tuple[int, int]:
    """Keep the best draw without a pair, whatever the discard.

    Without a draw, discard the lowest single card.
    """
    return DISCARD, _choose_discard(view.player, (0, _ANY_RANK, _ANY_RANK, _ANY_RANK))


@rule
def lowest_single(
    _tables: HandTables, view: WildSixView, _decision: int, _numbers: tuple[int, ...], _options: WildSixOptions
) -> tuple[int, int]:
    """Discard the lowest card outside a pair or three of a kind."""
    return DISCARD, find_lowest_card(view.player, 0)


@rule
def lowest(
    _tables: HandTables, view: WildSixView, _decision: int, _numbers: tuple[int, ...], _options: WildSixOptions
) -> tuple[int, int]:
    """Discard the lowest card that is not a Joker."""
    return DISCARD, find_lowest_card(view.player, 1)
