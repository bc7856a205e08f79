"""Pays in words: ``8 to 1``, ``10 for 1``, ``$25``, ``100% of the meter``."""

from fractions import Fraction

from pitboss.contract import Pay, Unit


def number(value: Fraction) -> str:
    """Write a whole number with its thousands, or a ratio.

    >>> number(Fraction(10_000)), number(Fraction(3, 2))
    ('10,000', '3:2')
    """
    return f"{value.numerator:,}" if value.denominator == 1 else f"{value.numerator}:{value.denominator}"


def pay_words(pay: Pay) -> str:
    """Write a pay as a layout prints it.

    >>> pay_words(Pay(Fraction(3, 2), Unit.TO_ONE)), pay_words(Pay(Fraction(10), Unit.PERCENT_OF_METER))
    ('3 to 2', '10% of meter')
    """
    if pay.unit is Unit.DOLLARS:
        return f"${float(pay.amount):,.2f}".removesuffix(".00")
    if pay.unit is Unit.PERCENT_OF_METER:
        return f"{pay.amount}% of meter"
    return f"{pay.amount.numerator:,} {pay.unit.value.partition('_')[0]} {pay.amount.denominator}"
