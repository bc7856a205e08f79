"""Errors for bad input, with one base class.

An error's message is for people: one line that says what is wrong and what would be right.  Its code and its fields
are for programs, which need not read the message.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from difflib import get_close_matches
from itertools import islice
from pathlib import PurePath
from typing import Any, Self, TypeAlias

_MAX_SHOWN = 60
"""The most characters of a name that an error message repeats."""

_MAX_MESSAGE = 900

_MAX_LISTED = 100
"""The most items of a field's list that an error keeps."""

ErrorField: TypeAlias = str | int | list[str] | list[int] | None
"""A field of an error, as JSON writes it."""


class PitbossError(Exception):
    r"""An error for any bad input.

    The message is one line; the command line prints it and exits with 2.  It may repeat input: line breaks become
    spaces, unprintable characters are escaped, and a very long message is cut.

    >>> print(PitbossError("two\r\nlines and a bell \a"))
    two lines and a bell \x07

    Attributes:
        code: What is wrong, in a few words joined by hyphens.  It stays when the message is reworded.  An error that
            is raised without one has the code of its class.
        fields: The values that the message is about, by name; long texts and lists are cut as in the message.

    >>> error = PitbossError("seat 9 is not at this table: seats are 1 to 6", code="unknown-seat", seat=9, seats=6)
    >>> error.code, error.fields
    ('unknown-seat', {'seat': 9, 'seats': 6})
    """

    code: str = "error"
    fields: Mapping[str, ErrorField]

    def __init_subclass__(cls) -> None:
        """Give a class that names no code the words of its name."""
        super().__init_subclass__()
        if "code" not in cls.__dict__:
            cls.code = re.sub(r"(?<!^)(?=[A-Z])", "-", cls.__name__.strip("_").removesuffix("Error")).lower()

    def __init__(self, message: str, /, *, code: str = "", **fields: object) -> None:
        """Take the message, the code and the fields.

        The message says what is wrong and what would be right.  A field is kept as a number, a text or a list of them.
        """
        line = escape_unprintable(" ".join(message.splitlines()))
        super().__init__(line if len(line) <= _MAX_MESSAGE else f"{line[:_MAX_MESSAGE]}...")
        if code:
            self.code = code
        self.fields = {name: _limit_field(value) for name, value in fields.items()}

    @classmethod
    def from_error(cls, error: "PitbossError", place: str = "") -> Self:
        """Make an error of this type from another one, with its code and fields.

        The message is the other's, after ``place`` and a colon if there is one.
        """
        return cls(f"{place}: {error}" if place else str(error), code=error.code, **error.fields)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the type and the message; constructors take different arguments."""
        return _rebuild_error, (type(self), self.args, self.__dict__)


def _rebuild_error(kind: type[PitbossError], args: tuple[object, ...], state: dict[str, object]) -> PitbossError:
    error = kind.__new__(kind)
    error.args = args
    error.__dict__.update(state)
    return error


def _limit_field(value: Any) -> Any:
    """Return a field's value as JSON can hold it, cut if it is long."""
    match value:
        case None | bool():
            return value
        case int():
            return int(value) if value.bit_length() <= _MAX_MESSAGE else quote(value)
        case str():
            return _limit_text(value, _MAX_SHOWN)
        case PurePath():
            return _limit_text(str(value), _MAX_MESSAGE)
        case Collection():
            return [_limit_field(item) for item in islice(value, _MAX_LISTED)]
        case _:
            return _limit_field(_write(value))


def _limit_text(text: str, most: int) -> str:
    shown = escape_unprintable(text[:most])
    return shown if len(text) <= most else f"{shown}..."


def escape_unprintable(text: str) -> str:
    r"""Replace each unprintable character of ``text`` with its escape sequence.

    >>> escape_unprintable("a\tb\ud800")
    'a\\tb\\ud800'
    """
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode("ascii") for each in text)


def quote(value: object) -> str:
    """Quote input for an error message, shortened if it is long.

    >>> quote("seven"), quote(7), len(quote("9" * 5_000))
    ("'seven'", '7', 65)
    """
    if isinstance(value, str):
        return repr(value if len(value) <= _MAX_SHOWN else value[:_MAX_SHOWN] + "...")
    shown = _write(value, repr)
    return shown if len(shown) <= _MAX_SHOWN else shown[:_MAX_SHOWN] + "..."


def _write(value: object, write: Callable[[object], str] = str) -> str:
    try:
        return write(value)
    except ValueError:  # Python refuses to write a number of thousands of digits
        return "a number of too many digits"


class UnknownNameError(PitbossError):
    """An error for a game, bet, pay table, option or action that does not exist."""

    def __init__(self, kind: str, name: object, known: Iterable[str], reasons: Iterable[object] = ()) -> None:
        """Say that ``name`` is not a known ``kind``, and suggest the closest name.

        The known names are listed.  ``reasons`` why one may be missing are added.
        """
        names = list(known)
        folded = {each.casefold(): each for each in names}
        close = get_close_matches(name.casefold(), folded, n=1) if isinstance(name, str) else []
        closest = folded[close[0]] if close else None
        hint = f"did you mean {closest!r}? " if closest else ""
        listed = ", ".join(names) if names else "none"
        message = "; ".join((f"unknown {kind} {quote(name)}: {hint}known: {listed}", *map(str, reasons)))
        given = name if isinstance(name, str | int) else quote(name)
        fields = {"kind": kind, "name": given, "known": names, "closest": closest}
        super().__init__(message, code=_make_unknown_code(kind), **fields)


class UnknownIdError(PitbossError):
    """An error for a table, round or drill that does not exist.

    There may be many, so none is suggested.
    """

    def __init__(self, kind: str, name: str) -> None:
        """Say that there is no ``kind`` with this name."""
        message = f"there is no {kind} {name[:_MAX_SHOWN]!r}"
        super().__init__(message, code=_make_unknown_code(kind), kind=kind, name=name)


def _make_unknown_code(kind: str) -> str:
    return f"unknown-{kind.replace(' ', '-')}"


class CardError(PitbossError):
    """An error for invalid cards, or for a wrong number of cards.

    A card is invalid if it cannot be read, is not in the deck or is given twice.
    """


class OptionError(PitbossError):
    """An error for a game option that is unknown or has an unknown value."""


class PayTableError(PitbossError):
    """An error for an incomplete or unpayable pay table, or one in a wrong unit."""


class WagerError(PitbossError):
    """An error for a wager outside its limits, or without another that it needs."""


class StrategyError(PitbossError):
    """An error for an incomplete or inconsistent strategy.

    For example, it lacks its rule or prints a number that it does not have.
    """


class MagnitudeError(PitbossError):
    """An error for pays and stakes that do not fit the integers that count them.

    They are too large, or have too fine fractions.
    """


class TuningError(PitbossError):
    """An error for a tuning search whose targets are not valid or cannot be met."""


class MonitorError(PitbossError):
    """An error for results of tables that are not possible or cannot be judged."""


SMALLER_PAYS_ADVICE = "choose smaller or rounder pays and stakes"
"""The advice in a ``MagnitudeError``."""


class IllegalActionError(PitbossError):
    """An error for a command or action that the rules do not allow now."""


class SessionError(PitbossError):
    """An error for a session with a bad number of rounds or too small a bankroll.

    There are no rounds or too many, or the bankroll does not cover one.
    """


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
