"""Strategies for Six Card Poker that a person can remember.

These are the rules behind ``strategy.toml``.  The strategies look at the ranks and the strength of the hand, at the
ranks of the dealer's exposed cards, and at whether all three share a suit.
"""

from pitboss.cards import count_longest_suit, get_ranks, get_suit_ranks, popcount
from pitboss.core.rule import rule
from pitboss.games.six_card.rules import EXPOSED, SixCardOptions, SixCardView, rank_hand
from pitboss.hands import (
    HIGH_CARD,
    PAIR,
    THREE_OF_A_KIND,
    HandTables,
    get_category,
    pack_lowest_strength,
    pack_strength,
)
from pitboss.hands.rank_sets import get_highest_rank

FOLD, PLAY = 0, 1

_ACE, _KING, _JACK = 14, 13, 11
_ACE_KING = pack_lowest_strength(HIGH_CARD, _ACE, _KING)
_ACE_HIGH = pack_lowest_strength(HIGH_CARD, _ACE)
_BELOW_THREE_BITS = 8  # the bits of a strength below its first three cards


@rule
def find_paired_ranks(mask: int) -> int:
    """Return the ranks that a set of cards holds in two or more suits."""
    spades, hearts, diamonds, clubs = (
        get_suit_ranks(mask, 0),
        get_suit_ranks(mask, 1),
        get_suit_ranks(mask, 2),
        get_suit_ranks(mask, 3),
    )
    return spades & hearts | (spades | hearts) & diamonds | (spades | hearts | diamonds) & clubs


@rule
def rank_exposed(exposed: int) -> int:
    """Return the strength of three exposed cards as a hand of their own.

    >>> from pitboss.cards import DECK_52, make_mask, parse_cards
    >>> hex(rank_exposed(make_mask(parse_cards("7s Kd 7c", DECK_52))))
    '0x177d00'
    """
    held, twice = get_ranks(exposed), find_paired_ranks(exposed)
    if twice == 0:
        first = get_highest_rank(held)
        rest = held & ~(1 << first - 2)
        second = get_highest_rank(rest)
        return pack_strength(HIGH_CARD, first, second, get_highest_rank(rest & ~(1 << second - 2)), 0, 0)
    first = get_highest_rank(twice)
    if held == twice:
        return pack_strength(THREE_OF_A_KIND, first, first, first, 0, 0)
    return pack_strength(PAIR, first, first, get_highest_rank(held & ~twice), 0, 0)


@rule
def is_ahead_of_exposed(mine: int, theirs: int) -> bool:
    """Tell whether a hand's category and first three cards beat the exposed cards."""
    return mine >> _BELOW_THREE_BITS > theirs >> _BELOW_THREE_BITS


@rule
def has_one_suit(exposed: int) -> bool:
    """Tell whether all exposed cards share a suit."""
    return count_longest_suit(exposed) == EXPOSED


@rule
def _can_play_third_card(mine: int, theirs: int, against_both: int) -> bool:
    """Tell whether an ace-king's third card is high enough to play.

    Against an ace or a king, it must be as high as the dealer's highest card below a king.  Against an ace and a king
    it must also be ``against_both`` or higher.
    """
    second, third, own = theirs >> 12 & 15, theirs >> 8 & 15, mine >> 8 & 15
    return own >= max(third, against_both) if second == _KING else own >= second


@rule
def _can_play_ace_high(view: SixCardView, mine: int, numbers: tuple[int, ...]) -> bool:
    """Tell whether an ace-high hand holds enough of the dealer's ranks to play.

    ``numbers`` are as in ``practical``.
    """
    theirs = rank_exposed(view.dealer)
    highest_shown, lowest_shown, second = theirs >> 16 & 15, theirs >> 8 & 15, mine >> 12 & 15
    if highest_shown >= _KING and (second != _KING or not _can_play_third_card(mine, theirs, numbers[4])):
        return False
    matches = popcount(get_ranks(view.player) & get_ranks(view.dealer))
    matches -= numbers[1] if has_one_suit(view.dealer) else 0
    needed = min(_ACE - second, EXPOSED)
    needed -= 1 if lowest_shown <= numbers[2] else 0
    if second == _JACK and highest_shown <= _JACK and lowest_shown <= numbers[3]:
        needed = 1
    return matches >= needed


@rule
def practical(
    tables: HandTables, view: SixCardView, _decision: int, numbers: tuple[int, ...], options: SixCardOptions
) -> tuple[int, int]:
    """Play what beats the dealer's exposed cards.

    Against a pair or three of a kind, play what beats it.  Against three ranks, play any pair and some ace-high hands.
    ``numbers``: the lowest kicker with a pair that the dealer shows too; how many matching ranks do not count if the
    dealer's cards share a suit; the highest of the dealer's lowest cards against which an ace needs one rank fewer,
    and against which an ace-jack needs only one; the lowest third card of an ace-king against an ace and a king.
    """
    mine = rank_hand(tables, view.player, options)
    theirs = rank_exposed(view.dealer)
    if get_category(theirs) == HIGH_CARD:
        if get_category(mine) == HIGH_CARD:
            return PLAY if mine >= _ACE_HIGH and _can_play_ace_high(view, mine, numbers) else FOLD, 0
        return PLAY, 0
    if not is_ahead_of_exposed(mine, theirs):
        return FOLD, 0
    same_pair = mine >> 16 == theirs >> 16 and get_category(mine) == PAIR
    return FOLD if same_pair and mine >> 8 & 15 < numbers[0] else PLAY, 0


@rule
def beat_the_board(
    tables: HandTables, view: SixCardView, _decision: int, _numbers: tuple[int, ...], options: SixCardOptions
) -> tuple[int, int]:
    """Play ace-king or better if it beats the dealer's three exposed cards."""
    mine = rank_hand(tables, view.player, options)
    return PLAY if mine >= _ACE_KING and is_ahead_of_exposed(mine, rank_exposed(view.dealer)) else FOLD, 0


@rule
def any_pair(
    tables: HandTables, view: SixCardView, _decision: int, _numbers: tuple[int, ...], options: SixCardOptions
) -> tuple[int, int]:
    """Play a pair or better, whatever the dealer shows."""
    return PLAY if get_category(rank_hand(tables, view.player, options)) >= PAIR else FOLD, 0


@rule
def mimic_the_dealer(
    tables: HandTables, view: SixCardView, _decision: int, _numbers: tuple[int, ...], options: SixCardOptions
) -> tuple[int, int]:
    """Play every hand with which the dealer would qualify."""
    return PLAY if rank_hand(tables, view.player, options) >= options.dealer_qualifies else FOLD, 0


@rule
def always_play(
    _tables: HandTables, _view: SixCardView, _decision: int, _numbers: tuple[int, ...], _options: SixCardOptions
) -> tuple[int, int]:
    """Play every hand."""
    return PLAY, 0
