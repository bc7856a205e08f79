"""Edited pay tables: some pays of a table changed, checked as in a file."""

from collections.abc import Mapping
from dataclasses import replace

from pitboss.builders import display_name
from pitboss.contract import Game, PayTable
from pitboss.core.errors import PayTableError
from pitboss.paytables import parse_paytables, to_document, verify_pay
from pitboss.reports.formatting import format_pay

_DOCUMENT_NAME = "pay table"
_MAX_PAY_LENGTH = 9


def edit_paytable(game: Game, table: PayTable, pays: Mapping[str, str], name: str = "") -> PayTable:
    """Return a pay table with some pays changed.

    New pays are written as in a file, ``9`` or ``3:2``, in the line's unit.  If a pay differs, the table's source says
    what was changed, and the printed claims about the original are dropped.

    >>> from pitboss.games import load_game
    >>> from pitboss.paytables import select_paytables
    >>> game = load_game("six-card")
    >>> edit_paytable(game, select_paytables(game)["aces-up"], {"flush": "9"}).lines["flush"].amount
    Fraction(9, 1)
    >>> edit_paytable(game, select_paytables(game)["aces-up"], {"flush": "9"}).source
    'edited from SCP-01 (sheet, table under rule 15 (Aces Up Paytables), column SCP-01): flush 9 to 1, was 8 to 1'

    Raises:
        PayTableError: there is no such line, or the pay is not valid for it.
    """
    document = to_document(table)
    lines: dict[str, object] = {}
    for line, pay in table.lines.items():
        lines[line] = {"pay": f"{pay.amount.numerator}:{pay.amount.denominator}", "unit": pay.unit.value}
    for line, text in pays.items():
        unit = table.lines[line].unit.value if line in table.lines else None
        lines[line] = {"pay": text, "unit": unit}
    document |= {"id": name or f"{table.id}-edited", "lines": lines}
    try:
        (edited,) = parse_paytables({"paytable": [document]}, game, _DOCUMENT_NAME)
    except PayTableError as error:
        line = str(error).removeprefix(f"{_DOCUMENT_NAME}: ")
        line = line.removeprefix(f"pay table {document['id']}: ")
        raise PayTableError(line, code=error.code, **error.fields) from None
    return describe_edits(edited, table)


def describe_edits(edited: PayTable, table: PayTable) -> PayTable:
    """Return an edited table with what was changed as its source, without claims.

    It remains as it is if it pays as the ``table`` that it was edited from.
    """
    changed = [
        f"{display_name(line)} {format_pay(pay)}, was {format_pay(table.lines[line])}"
        for line, pay in edited.lines.items()
        if (pay.amount, pay.unit) != (table.lines[line].amount, table.lines[line].unit)
    ]
    if not changed:
        return edited
    return replace(edited, source=f"edited from {table.id} ({table.source}): {'; '.join(changed)}", claim="")


def verify_pay_text(game: Game, table: PayTable, line: str, text: str) -> None:
    """Check one edited pay of a table; an error does not name a place in a file.

    Raises:
        PayTableError: the pay is not valid for the line.
    """
    if len(text) > _MAX_PAY_LENGTH:
        raise PayTableError(
            f"{text!r} is too long for a pay: write for example 9 or 3:2", code="pay-too-long", text=text
        )
    verify_pay(game, table, line, text)
