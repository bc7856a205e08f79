"""The cards of a deck to click on, for fields that take the names of cards."""

from pitboss.cards import format_card
from pitboss.contract import Game

_SUITS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}


def list_suits(game: Game) -> list[tuple[str, str, list[tuple[str, str]]]]:
    """Return the cards to click on: a row for each suit, then the Jokers.

    A row has the letter and the symbol of the suit, then the name and the rank of each card.
    """
    names = [format_card(card, game.deck) for card in game.deck.cards]
    rows = [
        (suit, symbol, [(name, name[0].replace("T", "10")) for name in reversed(names) if name[1:] == suit])
        for suit, symbol in _SUITS.items()
    ]
    jokers = [(name, "Joker") for name in names if name.startswith("Jk")]
    return [*rows, ("j", "", jokers)] if jokers else rows
