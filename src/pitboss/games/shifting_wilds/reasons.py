"""The words in which a dealer explains the bonuses of Shifting Wilds Poker, with and without wild cards."""

from pitboss.games.shifting_wilds.rules import (
    FOLDED,
    ShiftingOptions,
    ShiftingState,
    find_wild_cards,
    get_indicator,
    rank_natural_hand,
)
from pitboss.hands import ROYAL_FIRST, HandTables, evaluate_strength, format_hand, format_showdown


def explain_lost_regular_bonus(tables: HandTables, state: ShiftingState, _options: ShiftingOptions) -> str:
    """Say why the Regular Bonus loses: a fold, or hands too low for both columns (SW-6)."""
    if state.choice == FOLDED:
        return "folded"
    indicator = get_indicator(state)
    if not find_wild_cards(state.player, indicator):
        return "no wild card, and {mine} is less than three of a kind"
    natural = format_hand(evaluate_strength(tables, state.player | state.community | indicator, 0, ROYAL_FIRST))
    return f"natural {natural} is less than three of a kind, and wild {{mine}} less than a flush"


def _rank_natural_hands(tables: HandTables, state: ShiftingState) -> tuple[int, int]:
    mine = rank_natural_hand(tables, state.player, get_indicator(state))
    return mine, rank_natural_hand(tables, state.dealer, state.w2)


def describe_natural_showdown(tables: HandTables, state: ShiftingState, _options: ShiftingOptions) -> str:
    """Say how the two hands of the Bad Beat compare (SW-7)."""
    return f"hand and indicator, nothing wild: {format_showdown(*_rank_natural_hands(tables, state))}"


def explain_lost_bad_beat(tables: HandTables, state: ShiftingState, _options: ShiftingOptions) -> str:
    """Say why the Bad Beat is not paid: a fold, a dealer who is not beaten, or too low a hand (SW-7)."""
    if state.choice == FOLDED:
        return "folded"
    mine, dealers = _rank_natural_hands(tables, state)
    return "{natural_showdown}" + (", but is less than three of a kind" if mine > dealers else "")
