"""Decks of 52 cards with zero, one or two Jokers."""

from dataclasses import dataclass

from pitboss.cards.codes import FIRST_JOKER
from pitboss.core.errors import CardError

_MAX_JOKERS = 2


@dataclass(frozen=True)
class Deck:
    """A deck of the 52 natural cards and ``jokers`` Jokers.

    >>> DECK_53.size, DECK_53.cards[-1]
    (53, 52)

    Raises:
        CardError: ``jokers`` is not 0, 1 or 2.
    """

    jokers: int = 0

    def __post_init__(self) -> None:
        """Reject a number of Jokers for which there are no codes."""
        if not 0 <= self.jokers <= _MAX_JOKERS:
            message = f"a deck has 0, 1 or 2 Jokers, not {self.jokers}"
            raise CardError(message, code="invalid-deck", jokers=self.jokers)

    @property
    def size(self) -> int:
        """The number of cards, 52 to 54."""
        return FIRST_JOKER + self.jokers

    @property
    def cards(self) -> range:
        """The codes of all cards, in order."""
        return range(self.size)

    @property
    def mask(self) -> int:
        """The set of all cards."""
        return (1 << self.size) - 1


DECK_52 = Deck(0)
DECK_53 = Deck(1)
DECK_54 = Deck(2)
