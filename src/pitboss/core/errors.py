"""Bad input: one error type, one line that says what is wrong and what would be right."""

from collections.abc import Iterable
from difflib import get_close_matches

_MAX_SHOWN = 60
"""Letters of a name that is repeated in an error."""


class PitbossError(Exception):
    r"""Bad input of any kind.  The message is one line; the command line prints it and exits with 2.

    A message may repeat what somebody sent: of several lines it makes one, and what cannot be printed is escaped.

    >>> print(PitbossError("two\r\nlines and a bell \a"))
    two lines and a bell \x07
    """

    def __init__(self, message: str) -> None:
        """Take the line that says what is wrong and what would be right."""
        super().__init__(escape_unprintable(" ".join(message.splitlines())))


def escape_unprintable(text: str) -> str:
    r"""Write each character of ``text`` that cannot be printed as its escape.

    >>> escape_unprintable("a\tb\ud800")
    'a\\tb\\ud800'
    """
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode("ascii") for each in text)


class UnknownNameError(PitbossError):
    """A game, bet, pay table, option or action that does not exist."""

    def __init__(self, kind: str, name: object, known: Iterable[str]) -> None:
        """Say that ``name`` is no ``kind`` and what the known names are, the likeliest first."""
        names = list(known)
        close = get_close_matches(name, names, n=1) if isinstance(name, str) else []
        hint = f"did you mean {close[0]!r}? " if close else ""
        listed = ", ".join(names) if names else "none"
        shown = repr(name if not isinstance(name, str) or len(name) <= _MAX_SHOWN else f"{name[:_MAX_SHOWN]}...")
        super().__init__(f"unknown {kind} {shown}: {hint}known: {listed}")


class UnknownIdError(PitbossError):
    """A table, round or drill that is not there: of these there is any number, so none is proposed instead."""

    def __init__(self, kind: str, name: str) -> None:
        """Say that there is no ``kind`` called ``name``."""
        super().__init__(f"there is no {kind} {name[:_MAX_SHOWN]!r}")


class CardError(PitbossError):
    """A card that cannot be read, is not in this deck, or stands twice; too many or too few cards."""


class OptionError(PitbossError):
    """A game option that is unknown or set to a value it does not have."""


class PayTableError(PitbossError):
    """A pay table that is incomplete, has a wrong unit, or cannot be paid."""


class WagerError(PitbossError):
    """A wager outside its limits, or without the wager it is tied to."""


class StrategyError(PitbossError):
    """A strategy that is incomplete, has no such rule, or prints a number it does not have."""


class MagnitudeError(PitbossError):
    """Pays and stakes too large, or divided too finely, for the integers that count them."""


SMALLER_PAYS_ADVICE = "choose smaller or rounder pays and stakes"
"""What to do about a ``MagnitudeError``."""


class IllegalActionError(PitbossError):
    """A command or action that the rules do not allow now."""


class SessionError(PitbossError):
    """A session of no rounds or too many, or one whose bankroll does not cover a round."""


class ClusterError(PitbossError):
    """A cluster that cannot be reached, or that would count by other rules."""


class WorkerError(PitbossError):
    """Worker processes of this machine that are lost again and again."""


class DeviceError(PitbossError):
    """A device that is not there, or cannot do what is asked of it."""


class ReportError(PitbossError):
    """A report or chart that cannot be drawn or written."""


class HistoryError(PitbossError):
    """A round's history that cannot be read or does not replay."""
