"""The stub: the rest of the deck after the deal, served from the top.

It is reshuffled with the others' discards (LU-11).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Self

from pitboss.cards import make_mask, popcount
from pitboss.core.errors import CardError, IllegalActionError

Shuffle = Callable[[Sequence[int]], Sequence[int]]
"""A function that puts cards into a new order."""


@dataclass(frozen=True, slots=True)
class Stub:
    """The cards left, the top one first.

    ``reshuffled_mask`` holds the discards that were shuffled in again.
    """

    cards: tuple[int, ...] = ()
    reshuffled_mask: int = 0

    def count_available(self, discards_mask: int, undrawable_cards: int) -> int:
        """Count the cards that a seat can get, with the others' ``discards_mask``.

        The discards are shuffled in when needed.
        """
        return len(self.cards) - undrawable_cards + popcount(discards_mask & ~self.reshuffled_mask)

    def draw(self, count: int) -> tuple[tuple[int, ...], Self]:
        """Return the next ``count`` cards and the stub without them."""
        return self.cards[:count], type(self)(self.cards[count:], self.reshuffled_mask)

    def reshuffle(self, discards_mask: int, shuffle: Shuffle | None) -> tuple[tuple[int, ...], Self]:
        """Shuffle the others' ``discards_mask`` below the stub.

        Each card is shuffled in only once a round.  Return the shuffled cards and the new stub.

        Raises:
            IllegalActionError: there is no ``shuffle``.
            CardError: ``shuffle`` does not return the cards that it was given.
        """
        fresh = discards_mask & ~self.reshuffled_mask
        cards = [card for card in range(fresh.bit_length()) if fresh >> card & 1]
        if shuffle is None:
            message = f"the stub has {len(self.cards)} cards left: a shuffle of the discards is needed"
            raise IllegalActionError(message, code="stub-too-short", given=len(self.cards))
        order = tuple(shuffle(cards))
        if sorted(order) != cards:
            message = "a shuffle must return the cards it was given, each once"
            raise CardError(message, code="wrong-shuffle")
        return order, type(self)(self.cards + order, self.reshuffled_mask | make_mask(order))
