"""Table money: whole cents, written as dollars for people."""

import re

from pitboss.core.errors import WagerError
from pitboss.core.numbers import quote

_MAX_DOLLARS = "9999999999"  # a record's field of money holds no more digits

MAX_CENTS = 10**12
"""No amount that a person writes is as large, in cents."""

_AMOUNT_PATTERN = re.compile(r"\$?([0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.([0-9]{1,2}))?")


def format_cents(cents: int) -> str:
    """Write an amount of cents as dollars.

    >>> format_cents(123450), format_cents(-700), format_cents(0)
    ('$1,234.50', '-$7.00', '$0.00')
    """
    sign = "-" if cents < 0 else ""
    return f"{sign}${abs(cents) // 100:,}.{abs(cents) % 100:02d}"


def format_dollars(cents: int) -> str:
    """Write an amount of cents as dollars, cents where there are any.

    >>> format_dollars(1500), format_dollars(-1250)
    ('$15', '-$12.50')
    """
    return format_cents(cents).removesuffix(".00")


def parse_cents(text: str) -> int:
    """Read dollars, with at most two places, as cents.

    >>> parse_cents("$1,234.5"), parse_cents("5")
    (123450, 500)

    Raises:
        WagerError: ``text`` is no amount of dollars and cents, or one that nobody stakes.
    """
    match = _AMOUNT_PATTERN.fullmatch(text.strip())
    if match is None:
        message = f"{quote(text)} is no amount: write dollars, as 25"
        raise WagerError(message)
    dollars, cents = match.groups()
    whole = dollars.replace(",", "").lstrip("0") or "0"
    if len(whole) > len(_MAX_DOLLARS):
        message = f"{quote(text)} is too much: ${_MAX_DOLLARS} at most"
        raise WagerError(message)
    return int(whole) * 100 + int((cents or "0").ljust(2, "0"))
