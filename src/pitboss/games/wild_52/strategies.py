"""Ways to play Wild 52 that a person can carry in their head; ``strategy.toml`` says them in words."""

from pitboss.cards import FIRST_JOKER, RANK_COUNT, SUIT_COUNT, bit, get_ranks, get_suit_ranks, popcount
from pitboss.core.rule import rule
from pitboss.games.wild_52.rules import CHECK, FOLD, Options, View, hand_strength
from pitboss.hands import PAIR, THREE_OF_A_KIND, TWO_PAIR, HandTables, get_category, get_first_rank

PLAY = 1

_DEUCE = 2
_ACE = RANK_COUNT - 1
_FIVE_IN_A_ROW = 0b11111
_DRAW = 4


@rule
def practical(
    tables: HandTables, view: View, asked: int, numbers: tuple[int, int, int, int, int, int], options: Options
) -> tuple[int, int]:
    """Play a pair, a draw, or an ace with help; play again what is strong in the own hand, not on the board."""
    if asked == 0:
        return PLAY if _plays(tables, view, numbers[0], numbers[1], options) else FOLD, 0
    return PLAY if _plays_again(tables, view, numbers, options) else CHECK, 0


@rule
def _plays(tables: HandTables, view: View, lowest_inside: int, lowest_beside_ace: int, options: Options) -> bool:
    """Tell whether to play five cards."""
    if _has_joker_or(tables, view, PAIR, options) or _most_suited(view.player) >= _DRAW:
        return True
    ways = _straights_open(view.player)
    high_enough = get_ranks(view.player) >> (lowest_inside - _DEUCE) != 0
    return ways > 1 or (ways == 1 and high_enough) or _ace_with_help(view, lowest_beside_ace)


@rule
def _has_joker_or(tables: HandTables, view: View, least: int, options: Options) -> bool:
    """Tell whether the Joker is in the hand, or it is of this category or better with what lies on the board."""
    if view.player & bit(FIRST_JOKER):
        return True
    return get_category(hand_strength(tables, view.player | view.community, options)) >= least


@rule
def _most_suited(mask: int) -> int:
    """Count the cards of the suit that has most."""
    most = 0
    for suit_index in range(SUIT_COUNT):
        most = max(most, popcount(get_suit_ranks(mask, suit_index)))
    return most


@rule
def _straights_open(mask: int) -> int:
    """Count the ranks that would make a straight: two of an open draw, one of a draw inside or at an end."""
    held = get_ranks(mask)
    from_ace = held << 1 | held >> _ACE
    ways = 0
    for lowest_of_five in range(RANK_COUNT - _DRAW + 1):
        if popcount(from_ace >> lowest_of_five & _FIVE_IN_A_ROW) >= _DRAW:
            ways += 1
    return ways


@rule
def _ace_with_help(view: View, lowest: int) -> bool:
    """Tell whether an ace has two cards beside it that are high enough, and three cards are of one suit."""
    held = get_ranks(view.player)
    return held >> _ACE == 1 and popcount(held >> (lowest - _DEUCE)) >= 3 and _most_suited(view.player) >= 3


@rule
def _plays_again(
    tables: HandTables, view: View, numbers: tuple[int, int, int, int, int, int], options: Options
) -> bool:
    """Tell whether to play again, seeing one community card."""
    if view.player & bit(FIRST_JOKER):
        return True
    six = view.player | view.community
    made = hand_strength(tables, six, options)
    if view.community & bit(FIRST_JOKER):
        three = get_category(made) == THREE_OF_A_KIND and get_first_rank(made) < numbers[2]
        return get_category(made) >= THREE_OF_A_KIND and not three
    matched = get_ranks(view.player) & get_ranks(view.community) != 0
    if get_category(made) == TWO_PAIR:
        return matched or get_first_rank(made) >= numbers[3]
    if get_category(made) != PAIR:
        return get_category(made) > PAIR
    if get_first_rank(made) >= numbers[4]:
        return matched or _most_suited(six) >= _DRAW or _straights_open(six) > 0
    return get_first_rank(made) >= numbers[5] and _most_suited(six) >= _DRAW


@rule
def simple(tables: HandTables, view: View, asked: int, _numbers: tuple[int, ...], options: Options) -> tuple[int, int]:
    """Play a pair or a draw; play two pair or better again, and the Joker in the hand."""
    if asked == 0:
        drawing = _most_suited(view.player) >= _DRAW or _straights_open(view.player) > 0
        return PLAY if drawing or _has_joker_or(tables, view, PAIR, options) else FOLD, 0
    return PLAY if _has_joker_or(tables, view, TWO_PAIR, options) else CHECK, 0


@rule
def raise_once(
    tables: HandTables, view: View, asked: int, numbers: tuple[int, ...], options: Options
) -> tuple[int, int]:
    """Play as the practical strategy does, and never again."""
    if asked == 0:
        return PLAY if _plays(tables, view, numbers[0], numbers[1], options) else FOLD, 0
    return CHECK, 0


@rule
def like_the_dealer(
    tables: HandTables, view: View, _asked: int, _numbers: tuple[int, ...], options: Options
) -> tuple[int, int]:
    """Play, and play again, what would qualify in the dealer's hand."""
    return PLAY if hand_strength(tables, view.player | view.community, options) >= options.dealer_qualifies else FOLD, 0


@rule
def always_once(
    _tables: HandTables, _view: View, asked: int, _numbers: tuple[int, ...], _options: Options
) -> tuple[int, int]:
    """Play every hand once."""
    return PLAY if asked == 0 else CHECK, 0


@rule
def always_twice(
    _tables: HandTables, _view: View, _asked: int, _numbers: tuple[int, ...], _options: Options
) -> tuple[int, int]:
    """Play every hand, and again."""
    return PLAY, 0
