"""Refusals as a player at a table reads them.

They say "you" and name seats, instead of the numbers and labels that programs use.
"""

import re

from pitboss.analysis.position import list_card_names
from pitboss.builders import capitalize_first, display_name
from pitboss.contract import Game
from pitboss.web.templating import RULING_LABELS, format_tens

_COUNT = re.compile(r"--(\w+) needs (?=\d)")
_CARDS = {"player": "your hand", "drew": "the cards you drew", "discarded": "the cards you gave up"}
_OWN = {": ": "", " has no ": "you have no ", " already has ": "you already have ", " cannot ": "you cannot "}
"""How a refusal about a player's own seat begins, and what it says to the player."""


def describe_refusal(message: str, seat: int | None) -> str:
    """Return the line of a refusal for the player in ``seat``.

    >>> describe_refusal("seat 2 has no Ante: it is mandatory", 2)
    'you have no Ante: it is mandatory'
    >>> describe_refusal("seat 2: Super is $5: it must be at least the Ante ($10) (LU-9)", 2)
    'Super is $5: it must be at least the Ante ($10)'
    """
    text = RULING_LABELS.sub("", message)
    for begins, said in _OWN.items():
        if text.startswith(f"seat {seat}{begins}"):
            return said + text.removeprefix(f"seat {seat}{begins}")
    return text


def describe_position_refusal(message: str, game: Game) -> str:
    """Return why cards are not a position, in the words of the page *Study*.

    Decisions and fields of cards have the names that the page gives them, not those that programs use.

    >>> from pitboss.games import load_game
    >>> describe_position_refusal("at the decision fold-or-play, --player needs 6 cards, not 5", load_game("six-card"))
    'at the decision “Fold or play”, your hand must have 6 cards, not 5'
    """
    text = _COUNT.sub(lambda match: f"--{match[1]} must have ", message)
    for decision in game.decisions:
        name = capitalize_first(display_name(decision.id))
        for before in ("at the decision ", "no round reaches ", "does not lead to "):
            text = text.replace(
                f"{before}{decision.id}", f"{before}\N{LEFT DOUBLE QUOTATION MARK}{name}\N{RIGHT DOUBLE QUOTATION MARK}"
            )
    for name in list_card_names(game):
        text = re.sub(rf"--{name}\b", _CARDS.get(name, f"“{capitalize_first(display_name(name))}”"), text)
    return format_tens(text)
