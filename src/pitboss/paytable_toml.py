"""Pay tables as a person would write them in a file for ``--paytable``."""

from collections.abc import Iterable
from fractions import Fraction

import tomli_w

from pitboss.contract import PayTable
from pitboss.paytables import to_document


def format_paytables(tables: Iterable[PayTable]) -> str:
    """Return pay tables as a TOML file.

    Whole pays in the table's unit are plain numbers.

    >>> from pitboss.games import load_game
    >>> from pitboss.paytables import select_paytables
    >>> print(format_paytables([select_paytables(load_game("six-card"))["aces-up"]])[:26])
    [[paytable]]
    id = "SCP-01"
    """
    return tomli_w.dumps({"paytable": [_make_document(table) for table in tables]})


def _make_document(table: PayTable) -> dict[str, object]:
    document = to_document(table)
    lines = {
        name: pay_as_json(pay.amount)
        if pay.unit.value == document["unit"] and not pay.sheet_text and not pay.ruling
        else {"pay": pay_as_json(pay.amount), "unit": pay.unit.value, "sheet": pay.sheet_text, "ruling": pay.ruling}
        for name, pay in table.lines.items()
    }
    return document | {"lines": lines}


def pay_as_json(pay: Fraction) -> int | str:
    """Return a pay as a whole number or as a ratio in text."""
    return pay.numerator if pay.denominator == 1 else format_pay_input(pay)


def format_pay_input(pay: Fraction) -> str:
    """Return a pay as a file has it: a whole number or a ratio.

    >>> format_pay_input(Fraction(3, 2)), format_pay_input(Fraction(1000))
    ('3:2', '1000')
    """
    return str(pay).replace("/", ":")
