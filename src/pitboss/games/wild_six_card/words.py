"""What a dealer of Wild Six Card Poker says of the first five cards, and of all six."""

from pitboss.games.wild_six_card.rules import Options, State, hand_strength
from pitboss.hands import HandTables, format_hand


def first_five(tables: HandTables, state: State, options: Options) -> str:
    """Name the first five cards, which are taxed (W6-6)."""
    return format_hand(hand_strength(tables, state.first, options))


def all_six(tables: HandTables, state: State, options: Options) -> str:
    """Name the best five of all six cards, the discard included (W6-5)."""
    return format_hand(hand_strength(tables, state.first | state.drawn, options))
