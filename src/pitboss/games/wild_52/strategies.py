"""Strategies for Wild 52 that a person can remember.

``strategy.toml`` describes them in words.
"""

from pitboss.cards import FIRST_JOKER, RANK_COUNT, bit, count_longest_suit, get_ranks, popcount
from pitboss.core.rule import rule
from pitboss.games.wild_52.rules import CHECK, FOLD, Wild52Options, Wild52View, rank_hand
from pitboss.hands import PAIR, THREE_OF_A_KIND, TWO_PAIR, HandTables, get_category, get_first_rank
from pitboss.hands.rank_sets import find_straight_draws

PLAY = 1

_DEUCE = 2
_ACE = RANK_COUNT - 1
_DRAW_CARDS = 4


@rule
def practical(
    tables: HandTables,
    view: Wild52View,
    decision: int,
    numbers: tuple[int, int, int, int, int, int],
    options: Wild52Options,
) -> tuple[int, int]:
    """Play a pair, a draw, or an ace with help; play again with a strong hand.

    The strength must be in the player's own hand, not on the board.
    """
    if decision == 0:
        return PLAY if _should_play(tables, view, numbers[0], numbers[1], options) else FOLD, 0
    return PLAY if _should_play_again(tables, view, numbers, options) else CHECK, 0


@rule
def _should_play(
    tables: HandTables, view: Wild52View, lowest_inside: int, lowest_with_ace: int, options: Wild52Options
) -> bool:
    """Tell whether to play five cards."""
    if _has_joker_or(tables, view, PAIR, options) or count_longest_suit(view.player) >= _DRAW_CARDS:
        return True
    ways = _count_straight_ranks(view.player)
    high_enough = get_ranks(view.player) >> (lowest_inside - _DEUCE) != 0
    return ways > 1 or (ways == 1 and high_enough) or _has_ace_with_help(view, lowest_with_ace)


@rule
def _has_joker_or(tables: HandTables, view: Wild52View, least: int, options: Wild52Options) -> bool:
    """Tell whether the hand has the Joker, or a category from ``least`` on.

    The category is that of the hand with the community cards.
    """
    if view.player & bit(FIRST_JOKER):
        return True
    return get_category(rank_hand(tables, view.player | view.community, options)) >= least


@rule
def _count_straight_ranks(mask: int) -> int:
    """Count the ranks that would make a straight.

    There are two for an open draw, one for a draw inside or at an end.
    """
    return popcount(find_straight_draws(get_ranks(mask)))


@rule
def _has_ace_with_help(view: Wild52View, lowest: int) -> bool:
    """Tell whether a hand has an ace with help.

    Help is two cards that are high enough, and three cards of one suit.
    """
    held = get_ranks(view.player)
    return held >> _ACE == 1 and popcount(held >> (lowest - _DEUCE)) >= 3 and count_longest_suit(view.player) >= 3


@rule
def _should_play_again(
    tables: HandTables, view: Wild52View, numbers: tuple[int, int, int, int, int, int], options: Wild52Options
) -> bool:
    """Tell whether to play again, seeing one community card."""
    if view.player & bit(FIRST_JOKER):
        return True
    six = view.player | view.community
    made = rank_hand(tables, six, options)
    if view.community & bit(FIRST_JOKER):
        three = get_category(made) == THREE_OF_A_KIND and get_first_rank(made) < numbers[2]
        return get_category(made) >= THREE_OF_A_KIND and not three
    matched = get_ranks(view.player) & get_ranks(view.community) != 0
    if get_category(made) == TWO_PAIR:
        return matched or get_first_rank(made) >= numbers[3]
    if get_category(made) != PAIR:
        return get_category(made) > PAIR
    if get_first_rank(made) >= numbers[4]:
        return matched or count_longest_suit(six) >= _DRAW_CARDS or _count_straight_ranks(six) > 0
    return get_first_rank(made) >= numbers[5] and count_longest_suit(six) >= _DRAW_CARDS


@rule
def simple(
    tables: HandTables, view: Wild52View, decision: int, _numbers: tuple[int, ...], options: Wild52Options
) -> tuple[int, int]:
    """Play a pair or a draw, and play again with a strong hand.

    A strong hand is two pair or better, or has the Joker.
    """
    if decision == 0:
        drawing = count_longest_suit(view.player) >= _DRAW_CARDS or _count_straight_ranks(view.player) > 0
        return PLAY if drawing or _has_joker_or(tables, view, PAIR, options) else FOLD, 0
    return PLAY if _has_joker_or(tables, view, TWO_PAIR, options) else CHECK, 0


@rule
def raise_once(
    tables: HandTables, view: Wild52View, decision: int, numbers: tuple[int, ...], options: Wild52Options
) -> tuple[int, int]:
    """Play as the practical strategy does, but never a second time."""
    if decision == 0:
        return PLAY if _should_play(tables, view, numbers[0], numbers[1], options) else FOLD, 0
    return CHECK, 0


@rule
def mimic_the_dealer(
    tables: HandTables, view: Wild52View, _decision: int, _numbers: tuple[int, ...], options: Wild52Options
) -> tuple[int, int]:
    """Play, and play again, with a hand that would qualify as the dealer's."""
    return PLAY if rank_hand(tables, view.player | view.community, options) >= options.dealer_qualifies else FOLD, 0


@rule
def always_once(
    _tables: HandTables, _view: Wild52View, decision: int, _numbers: tuple[int, ...], _options: Wild52Options
) -> tuple[int, int]:
    """Play every hand once."""
    return PLAY if decision == 0 else CHECK, 0


@rule
def always_twice(
    _tables: HandTables, _view: Wild52View, _decision: int, _numbers: tuple[int, ...], _options: Wild52Options
) -> tuple[int, int]:
    """Play every hand twice."""
    return PLAY, 0
