"""Refusals as a player at a table reads them.

They say "you" and name seats, instead of the numbers and labels that programs use.
"""

import re

from pitboss.table.session import Phase, TableSession
from pitboss.web.templating import RULING_LABELS

_PLAYER = re.compile(r"\bp([1-9])('s)?(?:(?=:)|\b)")
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
