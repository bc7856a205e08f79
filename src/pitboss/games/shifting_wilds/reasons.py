"""The texts that explain Shifting Wilds' bonuses, and which cards are wild."""

from pitboss.builders import display_name
from pitboss.games.shifting_wilds.rules import (
    FOLDED,
    ShiftingOptions,
    ShiftingState,
    find_wild_cards,
    get_indicator,
    rank_natural_hand,
)
from pitboss.hands import (
    ROYAL_FIRST,
    THREE_OF_A_KIND,
    HandTables,
    evaluate_strength,
    format_hand,
    format_showdown,
    get_category_name,
    pack_lowest_strength,
)

_LOWEST_PAID = display_name(get_category_name(pack_lowest_strength(THREE_OF_A_KIND)))


def compare_columns(tables: HandTables, state: ShiftingState, _options: ShiftingOptions) -> str:
    """Say which hands the two columns of the Regular Bonus pay (SW-6).

    Without a wild card they are the same, and nothing is said.
    """
    indicator = get_indicator(state)
    if not find_wild_cards(state.player, indicator):
        return ""
    natural = format_hand(_rank_natural_five(tables, state))
    return f" (natural {natural}; wild {{mine}}: the hand that pays more is paid)"


def _rank_natural_five(tables: HandTables, state: ShiftingState) -> int:
    """Rank the natural hand of the Regular Bonus."""
    cards = state.player | state.community | get_indicator(state)
    return int(evaluate_strength(tables, cards, 0, ROYAL_FIRST))


def explain_lost_regular_bonus(tables: HandTables, state: ShiftingState, _options: ShiftingOptions) -> str:
    """Say why the Regular Bonus loses (SW-6).

    The seat folded, or its hands are too low for both columns.
    """
    if state.choice == FOLDED:
        return "folded"
    indicator = get_indicator(state)
    if not find_wild_cards(state.player, indicator):
        return "no wild card, and {mine} is less than three of a kind"
    natural = format_hand(_rank_natural_five(tables, state))
    return f"natural {natural} is less than three of a kind, and wild {{mine}} is less than a flush"


def find_both_wild_cards(state: ShiftingState) -> tuple[int, int]:
    """Return the seat's wild cards, by its indicator, and the dealer's, by W2 (SW-2)."""
    return find_wild_cards(state.player, get_indicator(state)), find_wild_cards(state.dealer, state.w2)


def _rank_natural_hands(tables: HandTables, state: ShiftingState) -> tuple[int, int]:
    mine = rank_natural_hand(tables, state.player, get_indicator(state))
    return mine, rank_natural_hand(tables, state.dealer, state.w2)


def describe_natural_showdown(tables: HandTables, state: ShiftingState, _options: ShiftingOptions) -> str:
    """Say how the two hands of the Bad Beat compare (SW-7)."""
    return f"with nothing wild and no community cards, {format_showdown(*_rank_natural_hands(tables, state))}"


def explain_lost_bad_beat(tables: HandTables, state: ShiftingState, _options: ShiftingOptions) -> str:
    """Say why the Bad Beat is not paid (SW-7).

    The seat folded, the dealer is not beaten, or the hand is too low.  Against a dealer who is not beaten it says what
    would have been enough.
    """
    if state.choice == FOLDED:
        return "folded"
    mine, theirs = _rank_natural_hands(tables, state)
    if mine > theirs:
        return f"{{natural_showdown}}, but only {_LOWEST_PAID} or better is paid"
    return f"{{natural_showdown}}; only {_LOWEST_PAID} or better that beats the dealer is paid"
