"""Cards 0..53, sets of them as integers, decks with up to two Jokers, text notation and the live shuffle."""

from pitboss.cards.codes import (
    FIRST_JOKER,
    NATURALS,
    RANKS,
    SUIT_BITS,
    SUITS,
    bit,
    card,
    jokers,
    naturals,
    popcount,
    rank,
    ranks,
    suit,
)
from pitboss.cards.deck import DECK_52, DECK_53, DECK_54, Deck
from pitboss.cards.notation import format_card, format_cards, mask_of, parse_cards, verify_cards
from pitboss.cards.shuffle import below, reordered, seeded_bits, shuffled, system_bits

__all__ = [
    "DECK_52",
    "DECK_53",
    "DECK_54",
    "FIRST_JOKER",
    "NATURALS",
    "RANKS",
    "SUITS",
    "SUIT_BITS",
    "Deck",
    "below",
    "bit",
    "card",
    "format_card",
    "format_cards",
    "jokers",
    "mask_of",
    "naturals",
    "parse_cards",
    "popcount",
    "rank",
    "ranks",
    "reordered",
    "seeded_bits",
    "shuffled",
    "suit",
    "system_bits",
    "verify_cards",
]
