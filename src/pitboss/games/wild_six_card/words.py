"""Name the first five cards and all six, for the reasons of Wild Six Card Poker."""

from pitboss.games.wild_six_card.rules import WildSixOptions, WildSixState, rank_hand
from pitboss.hands import HandTables, format_hand


def name_first_five(tables: HandTables, state: WildSixState, options: WildSixOptions) -> str:
    """Name the first five cards, for the tax (W6-6)."""
    return format_hand(rank_hand(tables, state.first, options))


def name_all_six(tables: HandTables, state: WildSixState, options: WildSixOptions) -> str:
    """Name the best five of all six cards, the discard included (W6-5)."""
    return format_hand(rank_hand(tables, state.first | state.drawn, options))
