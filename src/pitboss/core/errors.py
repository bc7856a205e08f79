"""Errors for bad input: one base class, and messages of one line that say what is wrong and what would be right."""

from collections.abc import Iterable
from difflib import get_close_matches

_MAX_SHOWN = 60
"""The most characters of a name that an error message repeats."""


class PitbossError(Exception):
    r"""An error for any bad input.  The message is one line; the command line prints it and exits with 2.

    A message may repeat input: line breaks become spaces, and unprintable characters are escaped.

    >>> print(PitbossError("two\r\nlines and a bell \a"))
    two lines and a bell \x07
    """

    def __init__(self, message: str) -> None:
        """Take a message that says what is wrong and what would be right."""
        super().__init__(escape_unprintable(" ".join(message.splitlines())))


def escape_unprintable(text: str) -> str:
    r"""Replace each unprintable character of ``text`` with its escape sequence.

    >>> escape_unprintable("a\tb\ud800")
    'a\\tb\\ud800'
    """
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode("ascii") for each in text)


class UnknownNameError(PitbossError):
    """An error for a game, bet, pay table, option or action that does not exist."""

    def __init__(self, kind: str, name: object, known: Iterable[str]) -> None:
        """Say that ``name`` is not a known ``kind``, suggest the closest name, and list the known names."""
        names = list(known)
        close = get_close_matches(name, names, n=1) if isinstance(name, str) else []
        hint = f"did you mean {close[0]!r}? " if close else ""
        listed = ", ".join(names) if names else "none"
        shown = repr(name if not isinstance(name, str) or len(name) <= _MAX_SHOWN else f"{name[:_MAX_SHOWN]}...")
        super().__init__(f"unknown {kind} {shown}: {hint}known: {listed}")


class UnknownIdError(PitbossError):
    """An error for a table, round or drill that does not exist; there may be many, so none is suggested."""

    def __init__(self, kind: str, name: str) -> None:
        """Say that there is no ``kind`` with this name."""
        super().__init__(f"there is no {kind} {name[:_MAX_SHOWN]!r}")


class CardError(PitbossError):
    """An error for a card that cannot be read, is not in the deck or is given twice, or for a wrong number of cards."""


class OptionError(PitbossError):
    """An error for a game option that is unknown or has an unknown value."""


class PayTableError(PitbossError):
    """An error for a pay table that is incomplete, has a wrong unit, or cannot be paid."""


class WagerError(PitbossError):
    """An error for a wager outside its limits, or without another wager that it needs."""


class StrategyError(PitbossError):
    """An error for a strategy that is incomplete, lacks its rule, or prints a number that it does not have."""


class MagnitudeError(PitbossError):
    """An error for pays and stakes too large, or with too fine fractions, for the integers that count them."""


SMALLER_PAYS_ADVICE = "choose smaller or rounder pays and stakes"
"""The advice in a ``MagnitudeError``."""


class IllegalActionError(PitbossError):
    """An error for a command or action that the rules do not allow now."""


class SessionError(PitbossError):
    """An error for a session with no rounds, too many rounds, or a bankroll that does not cover a round."""


class ClusterError(PitbossError):
    """An error for a cluster that cannot be reached, or that has other rules."""


class WorkerError(PitbossError):
    """An error for worker processes of this machine that keep dying."""


class DeviceError(PitbossError):
    """An error for a device that does not exist or cannot do the task."""


class ReportError(PitbossError):
    """An error for a report or chart that cannot be drawn or written."""


class HistoryError(PitbossError):
    """An error for a round's history that cannot be read or does not replay."""
