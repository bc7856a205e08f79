"""Refusals as a player at a table reads them.

They say "you" and name seats, instead of the numbers and labels that programs use.
"""

import re

from pitboss.analysis.position import list_card_names
from pitboss.builders import capitalize_first, display_name
from pitboss.contract import Game
from pitboss.table.session import Phase, TableSession
from pitboss.web.templating import RULING_LABELS, format_tens

_PLAYER = re.compile(r"\bp([1-9])('s)?(?:(?=:)|\b)")
_COUNT = re.compile(r"--(\w+) needs (?=\d)")
_CARDS = {"player": "your hand", "drew": "the cards you drew", "discarded": "the cards you gave up"}
_VERBS = {"you has ": "you have ", "you already has ": "you already have "}


def describe_refusal(message: str, session: TableSession, seat: int | None) -> str:
    """Return the line of a refusal for the player in ``seat``.

    Players are numbered as the round driver numbers them: while cards are in play by the seats dealt in, else by seat.
    """
    seats = session.round_seats if session.phase is Phase.DECISIONS else tuple(range(1, session.terms.seats + 1))

    def name(match: re.Match[str]) -> str:
        number = int(match[1])
        known = seats[number - 1] if number <= len(seats) else number
        if known == seat:
            return "your" if match[2] else "you"
        return f"seat {known}{match[2] or ''}"

    text = _PLAYER.sub(name, RULING_LABELS.sub("", message)).removeprefix("you: ")
    for wrong, right in _VERBS.items():
        text = text.replace(wrong, right)
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
