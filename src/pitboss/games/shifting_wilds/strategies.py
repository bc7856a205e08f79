"""Strategies for Shifting Wilds that a person can remember.

``strategy.toml`` puts them in words.  The *table* is the open cards that all seats share: the community cards, with W1
after a Lock and W2 after a Play.
"""

from pitboss.cards import RANK_COUNT, SUIT_MASK, count_longest_suit, get_ranks, popcount
from pitboss.core.rule import rule
from pitboss.games.shifting_wilds.rules import CHECK, PLAY, ShiftingOptions, ShiftingView, find_wild_cards, rank_hand
from pitboss.hands import (
    HIGH_CARD,
    PAIR,
    ROYAL_FIRST,
    THREE_OF_A_KIND,
    HandTables,
    evaluate_strength,
    get_category,
    get_first_rank,
    pack_lowest_strength,
)

LOCK = 1
FOLD = 1

_DEUCE = 2
_FIVE_IN_A_ROW = 0b11111
_DRAW_CARDS = 4


@rule
def practical(
    tables: HandTables, view: ShiftingView, decision: int, numbers: tuple[int, ...], options: ShiftingOptions
) -> tuple[int, int]:
    """Lock when W1 makes a higher kind of hand; play what improves on the table."""
    if decision == 0:
        return LOCK if _is_improved_by_w1(tables, view, numbers, options) else CHECK, 0
    return PLAY if _is_better_than_table(tables, view, numbers, options) else FOLD, 0


@rule
def _is_improved_by_w1(
    tables: HandTables, view: ShiftingView, numbers: tuple[int, ...], options: ShiftingOptions
) -> bool:
    """Tell whether W1 makes a higher kind of hand.

    Without a wild card, a low pair is not enough.
    """
    six = view.player | view.community
    locked = rank_hand(tables, view.player, view.community, view.w1, options)
    if not _is_higher_category(tables, six, locked):
        return False
    if find_wild_cards(view.player, view.w1) != 0:
        return True
    if has_draw(six):
        return locked >= pack_lowest_strength(PAIR, numbers[1])
    return get_ranks(view.community) < 2 * get_ranks(view.w1) or locked >= pack_lowest_strength(PAIR, numbers[0])


@rule
def _is_higher_category(tables: HandTables, six: int, locked: int) -> bool:
    """Tell whether a hand has a higher category than six cards with nothing wild."""
    return get_category(locked) > get_category(evaluate_strength(tables, six, 0, ROYAL_FIRST))


@rule
def has_draw(mask: int) -> bool:
    """Tell whether cards hold a draw to a flush or a straight.

    Four of them share a suit, or four ranks lie within five that make a straight.
    """
    if count_longest_suit(mask) >= _DRAW_CARDS:
        return True
    held = get_ranks(mask)
    from_ace = held << 1 | held >> (RANK_COUNT - 1)
    for lowest_of_five in range(RANK_COUNT - _DRAW_CARDS + 1):
        if popcount(from_ace >> lowest_of_five & _FIVE_IN_A_ROW) >= _DRAW_CARDS:
            return True
    return False


@rule
def _is_better_than_table(
    tables: HandTables, view: ShiftingView, numbers: tuple[int, ...], options: ShiftingOptions
) -> bool:
    """Tell whether the player's cards make more than the table.

    A low pair below both community cards does not count.  If the table is a pair or three of a kind and they add
    nothing, a kicker can be enough.
    """
    made = rank_hand(tables, view.player, view.community, view.w2, options)
    table = get_ranks(view.community | view.w2)
    different = popcount(table)
    if get_category(made) == (HIGH_CARD if different == 3 else PAIR if different == 2 else THREE_OF_A_KIND):
        return different < 3 and _has_kicker(get_ranks(view.player), table, numbers[3])
    pair = get_first_rank(made)
    below = get_category(made) == PAIR and get_ranks(view.community) & ((2 << (pair - _DEUCE)) - 1) == 0
    return pair >= numbers[2] or not below


@rule
def _has_kicker(own: int, table: int, kicker_of_three: int) -> bool:
    """Tell whether the player's kicker is high enough.

    It is the highest rank that the table lacks or, with three of a kind, a high enough one.
    """
    if popcount(table) == 1 and own >> (kicker_of_three - _DEUCE) != 0:
        return True
    lacks = SUIT_MASK & ~table
    # When two sets of ranks share no rank, the one with the highest rank is the greater number.
    return own & lacks > lacks & ~own


@rule
def simple(
    tables: HandTables, view: ShiftingView, decision: int, _numbers: tuple[int, ...], options: ShiftingOptions
) -> tuple[int, int]:
    """Lock when W1 makes a higher kind of hand; play any pair or better.

    A pair or better on the table is enough to play.
    """
    if decision == 0:
        locked = rank_hand(tables, view.player, view.community, view.w1, options)
        return LOCK if _is_higher_category(tables, view.player | view.community, locked) else CHECK, 0
    made = rank_hand(tables, view.player, view.community, view.w2, options)
    return PLAY if get_category(made) >= PAIR else FOLD, 0


@rule
def always_lock(
    _tables: HandTables, _view: ShiftingView, _decision: int, _numbers: tuple[int, ...], _options: ShiftingOptions
) -> tuple[int, int]:
    """Lock every hand."""
    return LOCK, 0


@rule
def always_play(
    _tables: HandTables, _view: ShiftingView, decision: int, _numbers: tuple[int, ...], _options: ShiftingOptions
) -> tuple[int, int]:
    """Check, then play every hand."""
    return CHECK if decision == 0 else PLAY, 0


@rule
def mimic_the_dealer(
    tables: HandTables, view: ShiftingView, decision: int, _numbers: tuple[int, ...], options: ShiftingOptions
) -> tuple[int, int]:
    """Check, then play a hand with which the dealer would qualify."""
    if decision == 0:
        return CHECK, 0
    made = rank_hand(tables, view.player, view.community, view.w2, options)
    return PLAY if made >= options.dealer_qualifies else FOLD, 0
