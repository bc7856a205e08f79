"""Name the first five cards and all six, for the reasons of Wild Six Card Poker."""

from pitboss.cards import DECK_54, format_cards
from pitboss.games.wild_six_card.rules import (
    WildSixOptions,
    WildSixState,
    find_final_hand,
    rank_hand,
    settle_draw_bonus,
)
from pitboss.hands import HandTables, format_hand


def name_first_five(tables: HandTables, state: WildSixState, options: WildSixOptions) -> str:
    """Name the first five cards, for the tax (W6-6)."""
    return format_hand(rank_hand(tables, state.first, options))


def name_all_six(tables: HandTables, state: WildSixState, options: WildSixOptions) -> str:
    """Name the best five of all six cards, the discard included (W6-5)."""
    return format_hand(rank_hand(tables, state.first | state.drawn, options))


def name_needed_card(tables: HandTables, state: WildSixState, options: WildSixOptions) -> str:
    """Name the card outside the hand that Draw Bonus is paid with, or "" (W6-5).

    It is the discard, or the sixth card of a seat that has kept its five.
    """
    six, final = state.first | state.drawn, find_final_hand(state)
    if settle_draw_bonus(tables, six, options) == settle_draw_bonus(tables, final, options):
        return ""
    action = "discarded" if state.discard else "drawn"
    return f" with the {action} {format_cards([(six & ~final).bit_length() - 1], DECK_54)}"
