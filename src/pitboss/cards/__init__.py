"""Cards, sets of cards, decks, their text notation, and the live shuffle.

Cards are codes 0..53, sets of cards are integers, and decks have up to two Jokers.
"""

from pitboss.cards.codes import (
    DEUCES,
    FIRST_JOKER,
    NATURALS_MASK,
    RANK_COUNT,
    SUIT_COUNT,
    SUIT_MASK,
    bit,
    count_jokers,
    count_longest_suit,
    get_naturals,
    get_rank,
    get_ranks,
    get_suit_ranks,
    make_card,
    popcount,
    select_ranks,
    take_cards,
)
from pitboss.cards.deck import DECK_52, DECK_53, DECK_54, Deck
from pitboss.cards.notation import format_card, format_cards, make_mask, parse_cards, verify_cards
from pitboss.cards.shuffle import draw_below, seeded_bits, shuffle_cards, shuffle_deck, system_bits

__all__ = [
    "DECK_52",
    "DECK_53",
    "DECK_54",
    "DEUCES",
    "FIRST_JOKER",
    "NATURALS_MASK",
    "RANK_COUNT",
    "SUIT_COUNT",
    "SUIT_MASK",
    "Deck",
    "bit",
    "count_jokers",
    "count_longest_suit",
    "draw_below",
    "format_card",
    "format_cards",
    "get_naturals",
    "get_rank",
    "get_ranks",
    "get_suit_ranks",
    "make_card",
    "make_mask",
    "parse_cards",
    "popcount",
    "seeded_bits",
    "select_ranks",
    "shuffle_cards",
    "shuffle_deck",
    "system_bits",
    "take_cards",
    "verify_cards",
]
