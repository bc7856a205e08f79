"""The cards of a deck to click on, for fields that take the names of cards."""

from collections import Counter

from pitboss.cards import format_card
from pitboss.contract import Game
from pitboss.web.templating import SUIT_SIGNS


def list_suits(game: Game) -> list[tuple[str, str, list[tuple[str, str]]]]:
    """Return the cards to click on: a row for each suit, then the Jokers.

    A row has the letter and the symbol of the suit, then the name and the rank of each card.
    """
    names = [format_card(card, game.deck) for card in game.deck.cards]
    rows = [
        (suit, symbol, [(name, name[0].replace("T", "10")) for name in reversed(names) if name[1:] == suit])
        for suit, symbol in SUIT_SIGNS.items()
    ]
    jokers = [(name, name.replace("Jk", "Joker ").strip()) for name in names if name.startswith("Jk")]
    return [*rows, ("j", "", jokers)] if jokers else rows


def measure_fields(game: Game) -> dict[str, tuple[int, int]]:
    """Return how many cards fill a field of each name.

    The first number is what the first decision that shows such cards has of them, the second the most of any decision.
    """
    counts: dict[str, tuple[int, int]] = {}
    for decision in game.decisions:
        shown = Counter[str]()
        for seen in decision.view_fields:
            shown[seen.group or seen.field] += seen.max_cards
        for name, count in shown.items():
            enough, most = counts.get(name, (count, count))
            counts[name] = enough, max(most, count)
    return counts
