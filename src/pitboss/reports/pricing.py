"""A sheet priced again: other pays, the same deals."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from pitboss.analysis.par import par_sheet
from pitboss.analysis.sheet import Figure, ParSheet
from pitboss.analysis.solutions import average_wager
from pitboss.contract import Game, PayTable
from pitboss.core.errors import PayTableError
from pitboss.describe import spoken
from pitboss.paytables import as_document, paytables_in, verify_pay
from pitboss.reports.words import pay_words

_CENTS = 100
_HERE = "pay table"
_MOST_LETTERS = 9
_OF_THE_PLAY = ("actions", "equal_value_positions", "equal_value_first_decisions_only")


def edited(game: Game, table: PayTable, pays: Mapping[str, str], name: str = "") -> PayTable:
    """Return a pay table with some of its pays changed, written as in a file: ``9`` or ``3:2``, in the line's unit.

    Where a pay is another the table is its own source, which says what was changed, and nothing that is printed about
    the first table is said of it.

    >>> from pitboss.games import game_named
    >>> from pitboss.paytables import choose
    >>> game = game_named("six-card")
    >>> edited(game, choose(game)["aces-up"], {"flush": "9"}).lines["flush"].amount
    Fraction(9, 1)
    >>> edited(game, choose(game)["aces-up"], {"flush": "9"}).source
    'edited from SCP-01 (sheet, table under rule 15 (Aces Up Paytables), column SCP-01): flush 9 to 1, was 8 to 1'

    Raises:
        PayTableError: there is no such line, or it cannot be paid so.
    """
    document = as_document(table)
    lines: dict[str, object] = {}
    for line, pay in table.lines.items():
        lines[line] = {"pay": f"{pay.amount.numerator}:{pay.amount.denominator}", "unit": pay.unit.value}
    for line, written in pays.items():
        unit = table.lines[line].unit.value if line in table.lines else None
        lines[line] = {"pay": written, "unit": unit}
    document |= {"id": name or f"{table.id}-edited", "lines": lines}
    try:
        (found,) = paytables_in({"paytable": [document]}, game, _HERE)
    except PayTableError as error:
        line = str(error).removeprefix(f"{_HERE}: ")
        raise PayTableError(line.removeprefix(f"pay table {document['id']}: ")) from None
    changed = [
        f"{spoken(line)} {pay_words(pay)}, was {pay_words(table.lines[line])}"
        for line, pay in found.lines.items()
        if pay.amount != table.lines[line].amount
    ]
    if not changed:
        return found
    return replace(found, source=f"edited from {table.id} ({table.source}): {'; '.join(changed)}", claim="")


def verify_written(game: Game, table: PayTable, line: str, written: str) -> None:
    """Check one pay that somebody wrote over a table's, in words without where in a file it would stand.

    Raises:
        PayTableError: the line cannot be paid so.
    """
    if len(written) > _MOST_LETTERS:
        raise PayTableError(f"{written!r} is too long for a pay: write 9, or 3:2")
    verify_pay(game, table, line, written)


def priced(
    sheet: ParSheet,
    chosen: Mapping[str, PayTable],
    counts: Sequence[int] | None = None,
    meter_cents: int | None = None,
) -> ParSheet:
    """Return a sheet under other pay tables: its own deals, or ``counts``, and the meter where it stood unless given.

    It is exact for what is counted.  Where the outcome depends on the play that stays what it was, the best for the
    pays it was found for; with others there may be a better one, so that its edge is then the most the house has.
    """
    deals = [line.deals for line in sheet.lines] if counts is None else counts
    meter = sheet.extras.get("meter")
    if meter_cents is None and isinstance(meter, Fraction):
        meter_cents = int(meter * _CENTS)
    again = par_sheet(sheet.game, sheet.wager, chosen, sheet.options, deals, meter_cents)
    figures: dict[str, Figure] = {}
    if sheet.wager is sheet.game.wagers[0]:
        wagered = average_wager(sheet.game, tuple(deals))
        figures = {
            "average_wager": wagered,
            "element_of_risk": again.house_edge / wagered,
            **{name: sheet.extras[name] for name in _OF_THE_PLAY if name in sheet.extras},
        }
    return replace(again, strategy=sheet.strategy, stakes=sheet.stakes, extras={**again.extras, **figures})
