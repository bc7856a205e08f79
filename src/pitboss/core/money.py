"""Amounts of money: whole cents in the program, dollars for people."""

import re

from pitboss.core.errors import WagerError, quote

_MAX_DOLLARS = "9999999999"  # the money fields of records hold no more digits

MAX_CENTS = 10**12
"""More cents than any amount that can be entered."""

_AMOUNT_PATTERN = re.compile(r"\$?([0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.([0-9]{1,2}))?")


def format_cents(cents: int) -> str:
    """Format cents as dollars.

    >>> format_cents(123450), format_cents(-700), format_cents(0)
    ('$1,234.50', '-$7.00', '$0.00')
    """
    sign = "-" if cents < 0 else ""
    return f"{sign}${abs(cents) // 100:,}.{abs(cents) % 100:02d}"


def format_net_cents(cents: int) -> str:
    """Format a net in cents as dollars with its sign.

    >>> format_net_cents(1500), format_net_cents(-700), format_net_cents(0)
    ('+$15.00', '-$7.00', '$0.00')
    """
    return f"{'+' if cents > 0 else ''}{format_cents(cents)}"


def format_dollars(cents: int) -> str:
    """Format cents as dollars, without ``.00``.

    >>> format_dollars(1500), format_dollars(-1250)
    ('$15', '-$12.50')
    """
    return format_cents(cents).removesuffix(".00")


def parse_cents(text: str) -> int:
    """Parse dollars with at most two decimals as cents.

    >>> parse_cents("$1,234.5"), parse_cents("5")
    (123450, 500)

    Raises:
        WagerError: ``text`` is not an amount of dollars and cents, or is too much.
    """
    match = _AMOUNT_PATTERN.fullmatch(text.strip())
    if not text.strip():
        raise WagerError("type an amount, for example 25", code="not-an-amount", text=text)
    if match is None:
        least = " of 0 or more" if text.strip().startswith("-") else ""
        message = f"{quote(text)} is not an amount: write dollars{least}, for example 25"
        raise WagerError(message, code="not-an-amount", text=text)
    dollars, cents = match.groups()
    whole = dollars.replace(",", "").lstrip("0") or "0"
    if len(whole) > len(_MAX_DOLLARS):
        message = f"{quote(text)} is too much: write at most ${_MAX_DOLLARS}"
        raise WagerError(message, code="amount-too-large", text=text, most=_MAX_DOLLARS)
    return int(whole) * 100 + int((cents or "0").ljust(2, "0"))
