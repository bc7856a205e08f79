"""Strategies for Lunar Poker that a person can remember.

``strategy.toml`` describes them in words.

A card is *seen* if it is in the player's own hand or among the player's own discards.
"""

from pitboss.cards import RANK_COUNT, SUIT_COUNT, count_longest_suit, get_ranks, get_suit_ranks, popcount, select_ranks
from pitboss.core.rule import rule
from pitboss.games.lunar.combinations import (
    ACE_KING,
    NO_COMBINATION,
    find_cards,
    find_first_combination,
    find_second_combination,
    find_straight_ranks,
)
from pitboss.games.lunar.rules import (
    FIRST_DECISION,
    NOT_QUALIFIED,
    LunarOptions,
    LunarView,
    find_replaced_card,
    rank_hand,
)
from pitboss.hands import (
    FLUSH,
    HIGH_CARD,
    PAIR,
    STRAIGHT,
    THREE_OF_A_KIND,
    TWO_PAIR,
    HandTables,
    get_category,
    pack_lowest_strength,
)
from pitboss.hands.rank_sets import get_highest_rank

# The actions of the first decision; an exchange of n cards is the action EXCHANGE + n.
FOLD = 0
PLAY = 1
BUY = 2
EXCHANGE = 1
# The actions of the last decision.
TAKE_ANTE = 0
FORCE = 1

_DEUCE = 2
_ACE_KING_HIGH = pack_lowest_strength(HIGH_CARD, 14, 13)
_FIVE = 5
_FOUR_IN_A_ROW = 0b1111


@rule
def practical(
    tables: HandTables, view: LunarView, decision: int, numbers: tuple[int, ...], options: LunarOptions
) -> tuple[int, int]:
    """Follow the lines of the practical strategy.

    ``numbers``: the highest dealer's card against which an ace, a king or another card is kept alone, the lowest of
    three cards to a straight flush, and the most cards seen that would pair the dealer where a total of four forces.
    """
    if decision == NOT_QUALIFIED:
        return FORCE if _should_force(tables, view, numbers[4], options) else TAKE_ANTE, 0
    if decision == FIRST_DECISION:
        return _choose_first(tables, view, numbers)
    return PLAY if _should_play(tables, view) else FOLD, 0


@rule
def _choose_first(tables: HandTables, view: LunarView, numbers: tuple[int, ...]) -> tuple[int, int]:
    """Fold, play or draw with the first five cards."""
    held, exposed_rank = view.player, get_highest_rank(get_ranks(view.dealer))
    made = get_category(rank_hand(tables, held))
    if made in (STRAIGHT, FLUSH) or count_longest_suit(held) == 4:
        return BUY, 0
    if made > THREE_OF_A_KIND or made == TWO_PAIR:
        return PLAY, 0
    ace_king = find_cards(ACE_KING, held)
    if made == THREE_OF_A_KIND:
        return (BUY, 0) if ace_king else _exchange_all_but(held, find_cards(THREE_OF_A_KIND, held))
    if count_straight_draws(get_ranks(held)) >= (1 if made == PAIR or ace_king else 2):
        return BUY, 0
    if made == PAIR:
        paired = find_cards(PAIR, held)
        return (
            (PLAY, 0)
            if ace_king or get_highest_rank(get_ranks(paired)) >= exposed_rank
            else _exchange_all_but(held, paired)
        )
    suited = find_straight_flush_draw(held, numbers[3])
    if suited:
        return _exchange_all_but(held, suited)
    if ace_king:
        return _exchange_all_but(held, ace_king)
    highest = get_highest_rank(get_ranks(held))
    against = numbers[0] if highest == 14 else numbers[1] if highest == 13 else numbers[2]
    return _exchange_all_but(held, select_ranks(held, 1 << highest - _DEUCE)) if exposed_rank <= against else (FOLD, 0)


@rule
def _exchange_all_but(held: int, kept: int) -> tuple[int, int]:
    """Exchange all cards except ``kept``."""
    given = held & ~kept
    return EXCHANGE + popcount(given), given


@rule
def count_straight_draws(held: int) -> int:
    """Count the straights that one more rank can make.

    There are two if four in a row are open at both ends.

    >>> [count_straight_draws(ranks) for ranks in (0b0_0000_1111_0000, 0b1_0000_0000_0111, 0b110_1110)]
    [2, 1, 2]
    """
    straights = 0
    for each in range(RANK_COUNT):
        part = popcount(find_straight_ranks(held | 1 << each))
        straights += part - _FIVE + 1 if part else 0
    return straights


@rule
def find_straight_flush_draw(mask: int, lowest_rank: int) -> int:
    """Return three cards of one suit within four ranks in a row, or none.

    No card is below ``lowest_rank``.
    """
    for suit_index in range(SUIT_COUNT):
        held = get_suit_ranks(mask, suit_index)
        least = held & -held
        if popcount(held) == 3 and held & ~(least * _FOUR_IN_A_ROW) == 0 and least >> lowest_rank - _DEUCE:
            return held << RANK_COUNT * suit_index
    return 0


@rule
def _should_play(tables: HandTables, view: LunarView) -> bool:
    """Tell whether to play, by the hand and the cards seen of the dealer's rank.

    A pair is played; an ace-king if one card seen has the dealer's rank; less if two have it.
    """
    made = rank_hand(tables, view.player)
    if get_category(made) >= PAIR:
        return True
    seen = popcount(select_ranks(view.player | view.discarded, get_ranks(view.dealer)))
    return seen >= (1 if made >= _ACE_KING_HIGH else 2)


@rule
def _should_force(tables: HandTables, view: LunarView, most_pairing: int, options: LunarOptions) -> bool:
    """Tell whether to force, by what BET-1 pays the hand.

    Force with a pay of five or more; with a pay of four if few cards seen would pair the dealer.
    """
    first = find_first_combination(rank_hand(tables, view.player))
    second = find_second_combination(view.player, first, options.paired_straight)
    if first >= FLUSH or (first == STRAIGHT and second != NO_COMBINATION):
        return True
    pays_four = first == STRAIGHT or (first == THREE_OF_A_KIND and second == ACE_KING) or first == second == TWO_PAIR
    kept = view.dealer & ~find_replaced_card(view.dealer, options)
    return pays_four and popcount(select_ranks(view.player | view.discarded, get_ranks(kept))) <= most_pairing


@rule
def simple(
    tables: HandTables, view: LunarView, decision: int, _numbers: tuple[int, ...], _options: LunarOptions
) -> tuple[int, int]:
    """Fold, play, buy or exchange as the simple strategy says.

    Play a pair, buy with a straight or four to a flush, keep three of a kind or ace-king and exchange the rest.
    """
    made = rank_hand(tables, view.player)
    if decision == NOT_QUALIFIED:
        return FORCE if get_category(made) >= STRAIGHT else TAKE_ANTE, 0
    if decision == FIRST_DECISION:
        if get_category(made) in (STRAIGHT, FLUSH) or count_longest_suit(view.player) == 4:
            return BUY, 0
        if get_category(made) == THREE_OF_A_KIND:
            return _exchange_all_but(view.player, find_cards(THREE_OF_A_KIND, view.player))
        if get_category(made) == HIGH_CARD and made >= _ACE_KING_HIGH:
            return _exchange_all_but(view.player, find_cards(ACE_KING, view.player))
    return PLAY if get_category(made) >= PAIR else FOLD, 0


@rule
def never_draw(
    tables: HandTables, view: LunarView, decision: int, _numbers: tuple[int, ...], _options: LunarOptions
) -> tuple[int, int]:
    """Play a pair or better, fold the rest, and force with a straight or better."""
    made = get_category(rank_hand(tables, view.player))
    if decision == NOT_QUALIFIED:
        return FORCE if made >= STRAIGHT else TAKE_ANTE, 0
    return PLAY if made >= PAIR else FOLD, 0


@rule
def mimic_the_dealer(
    tables: HandTables, view: LunarView, decision: int, _numbers: tuple[int, ...], options: LunarOptions
) -> tuple[int, int]:
    """Play what would qualify in the dealer's hand; draw nothing and force nothing."""
    if decision == NOT_QUALIFIED:
        return TAKE_ANTE, 0
    return PLAY if rank_hand(tables, view.player) >= options.dealer_qualifies else FOLD, 0


@rule
def always_play(
    _tables: HandTables, _view: LunarView, decision: int, _numbers: tuple[int, ...], _options: LunarOptions
) -> tuple[int, int]:
    """Play every hand; draw nothing and force nothing."""
    return TAKE_ANTE if decision == NOT_QUALIFIED else PLAY, 0
