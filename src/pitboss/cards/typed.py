"""Cards as people type them.

This is apart from the notation, which the kernels' cached counts depend on.
"""

import re

from pitboss.cards.deck import Deck
from pitboss.cards.notation import parse_cards
from pitboss.core.errors import CardError

_SEPARATORS = str.maketrans(",;", "  ")
_RUN = re.compile(r"(?<!\S)(?:(?:10|[2-9TJQKA])[shdc♠♥♦♣]){2,}(?!\S)", re.IGNORECASE)
_AFTER_SUIT = re.compile(r"(?<=[shdc♠♥♦♣])", re.IGNORECASE)
_JOKER = re.compile(r"(?<!\S)joker(?:\s*([12]))?(?!\S)", re.IGNORECASE)
_CARD = re.compile(r"(?<!\S)(?:(10|[2-9TJQKA])([shdc♠♥♦♣])|jk([12]?))(?!\S)", re.IGNORECASE)
_SUITS = str.maketrans("♠♥♦♣", "shdc")
_JOKER_HINTS = ("", ", or Jk for the Joker", ", or Jk1 or Jk2 for a Joker")


def separate_cards(text: str) -> str:
    """Return typed cards with one space between them, as the notation has them.

    People type commas and semicolons between cards too, or nothing, and a Joker by its name.

    >>> separate_cards("Ah, Kd,10h; 2c;"), separate_cards("AsKd10h 2c")
    ('Ah Kd 10h 2c', 'As Kd 10h 2c')
    >>> separate_cards("joker 2s, Joker 1")
    'Jk 2s Jk1'
    """
    named = _JOKER.sub(lambda match: f"Jk{match[1] or ''}", text.translate(_SEPARATORS))
    return " ".join(_RUN.sub(lambda match: _AFTER_SUIT.sub(" ", match[0]), named).split())


def spell_typed_cards(text: str) -> str:
    """Return typed cards in the notation; a word that is not a card stays.

    >>> spell_typed_cards("ah, kD,10♥; joker 2 10x")
    'Ah Kd Th Jk2 10x'
    """

    def spell(match: re.Match[str]) -> str:
        rank, suit, joker = match.groups()
        if rank is None:
            return f"Jk{joker}"
        return rank.upper().replace("10", "T") + suit.lower().translate(_SUITS)

    return _CARD.sub(spell, separate_cards(text))


def parse_typed_cards(text: str, deck: Deck) -> tuple[int, ...]:
    """Parse cards as people type them, in the order written.

    >>> from pitboss.cards import DECK_53
    >>> parse_typed_cards("2s, Joker", DECK_53)
    (0, 52)

    Raises:
        CardError: as ``parse_cards``; a word that is not a card is explained in the words of the pages.
    """
    try:
        return parse_cards(separate_cards(text), deck)
    except CardError as error:
        fault, is_no_card, _ = str(error).partition(" is not a card: ")
        if not is_no_card:
            raise
        raise CardError(
            f"{fault}{is_no_card}write a rank of 2 to 10, J, Q, K or A and a suit of s, h, d or c, "
            f"for example 10d (or Td){_JOKER_HINTS[deck.jokers]}",
            code=error.code,
        ) from None
