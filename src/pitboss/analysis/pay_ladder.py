"""Ladders of pays that a tuned pay table may have, and how round a pay is."""

import re
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path

from pitboss.contract import LinePay, PayUnit
from pitboss.core.errors import PayTableError, quote
from pitboss.core.files import read_text

ROUND = "round"
"""The name of the ladder of round pays."""

ROUND_LADDER = tuple(
    Fraction(pay) for pay in (*range(1, 31), *range(35, 101, 5), *range(125, 501, 25), *range(600, 3001, 100))
)

_MAX_PAYS = 1_000
_PAY_PATTERN = re.compile(r"([0-9]{1,9})(?::([1-9][0-9]{0,8}))?")


def make_ladder(pays: Iterable[Fraction | int | str]) -> tuple[Fraction, ...]:
    """Return pays as a ladder: each once, the lowest first.

    A pay is a whole number, or a text like ``3:2``.

    >>> make_ladder(["3:2", 1, 2])
    (Fraction(1, 1), Fraction(3, 2), Fraction(2, 1))

    Raises:
        PayTableError: there is none, there are more than a thousand, or one cannot be read.
    """
    ladder = tuple(sorted({_read_pay(pay) for pay in pays}))
    if not 0 < len(ladder) <= _MAX_PAYS:
        raise PayTableError(
            f"the ladder has {len(ladder):,} pays: give from 1 to {_MAX_PAYS:,}", code="ladder-size", pays=len(ladder)
        )
    return ladder


def _read_pay(pay: object) -> Fraction:
    if isinstance(pay, Fraction | int) and not isinstance(pay, bool) and pay >= 0:
        return Fraction(pay)
    match = _PAY_PATTERN.fullmatch(pay) if isinstance(pay, str) else None
    if match is None:
        raise PayTableError(
            f"{quote(pay)} is not a pay of a ladder: write a whole number, or a ratio like '3:2'",
            code="invalid-pay",
            pay=quote(pay),
        )
    return Fraction(int(match[1]), int(match[2] or 1))


def read_ladder(name: str) -> tuple[Fraction, ...]:
    """Return the ladder ``round``, or that of a text file of pays.

    The pays of a file are separated by spaces, commas or line breaks; what follows a ``#`` is a comment.

    >>> len(read_ladder("round")), read_ladder("round")[-1]
    (85, Fraction(3000, 1))

    Raises:
        PayTableError: the file cannot be read (``make_ladder``).
    """
    if name == ROUND:
        return ROUND_LADDER
    return parse_ladder(read_text(Path(name), PayTableError), name)


def parse_ladder(text: str, name: str) -> tuple[Fraction, ...]:
    """Return the ladder that a text lists; ``name`` is what errors call it.

    >>> [str(pay) for pay in parse_ladder("2, 5 10  # round enough", "mine")]
    ['2', '5', '10']

    Raises:
        PayTableError: as ``make_ladder``.
    """
    pays = re.sub("#.*", "", text).strip()
    try:
        return make_ladder(re.split(r"[\s,]+", pays) if pays else ())
    except PayTableError as error:
        raise PayTableError.from_error(error, name) from None


def list_slider_pays(pay: LinePay) -> tuple[Fraction, ...]:
    """Return the pays that a slider goes through.

    They are round ones, 0 and the line's own.

    A share of the meter goes by five per cent; pays above 3,000 go on by hundreds of the ladder, to twice the own.

    >>> slider = list_slider_pays(LinePay(Fraction(3, 2), PayUnit.TO_ONE))
    >>> [str(each) for each in slider[:4]], str(slider[-1])
    (['0', '1', '3/2', '2'], '3000')
    >>> [str(each) for each in list_slider_pays(LinePay(Fraction(5_000), PayUnit.DOLLARS))[-3:]]
    ['9000', '9500', '10000']
    """
    if pay.unit is PayUnit.PERCENT_OF_METER:
        round_pays = {Fraction(share) for share in range(0, 101, 5)}
    else:
        large = {100 * each for each in ROUND_LADDER if ROUND_LADDER[-1] < 100 * each <= 2 * pay.amount}
        round_pays = {Fraction(0), *ROUND_LADDER, *large}
    return tuple(sorted(round_pays | {pay.amount}))


def compute_roughness(pay: Fraction) -> int:
    """Return how far a pay is from round, in half digits.

    It is the number of digits up to the last that is not 0; a 5 that ends several counts half.  A ratio has the digits
    of both numbers and one more.

    >>> [compute_roughness(Fraction(pay)) for pay in (0, 7, 100, 15, 25, 12, 150, 125)]
    [2, 2, 2, 3, 3, 4, 3, 5]
    >>> compute_roughness(Fraction(3, 2))
    6
    """
    if pay.denominator != 1:
        return 2 + sum(map(_count_half_digits, pay.as_integer_ratio()))
    return _count_half_digits(pay.numerator)


def _count_half_digits(number: int) -> int:
    digits = str(number).rstrip("0") or "0"
    return 2 * len(digits) - (len(digits) > 1 and digits.endswith("5"))
