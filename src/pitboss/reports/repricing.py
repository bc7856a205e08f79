"""A sheet priced again: other pays, the same deals."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from pitboss.analysis.par_sheet import Figure, ParSheet
from pitboss.analysis.par_sheet_builder import build_par_sheet
from pitboss.analysis.solutions import build_problem, compute_average_wager
from pitboss.builders import display_name
from pitboss.contract import Game, PayTable
from pitboss.core.errors import PayTableError
from pitboss.paytables import parse_paytables, select_paytables, to_document, verify_pay
from pitboss.reports.formatting import format_pay

_CENTS = 100
_DOCUMENT_NAME = "pay table"
_MAX_PAY_LENGTH = 9
_PLAY_FIGURES = ("actions", "equal_value_positions", "equal_value_first_decisions_only")


def edit_paytable(game: Game, table: PayTable, pays: Mapping[str, str], name: str = "") -> PayTable:
    """Return a pay table with some of its pays changed, written as in a file: ``9`` or ``3:2``, in the line's unit.

    Where a pay is another the table is its own source, which says what was changed, and nothing that is printed about
    the first table is said of it.

    >>> from pitboss.games import load_game
    >>> from pitboss.paytables import select_paytables
    >>> game = game_named("six-card")
    >>> edit_paytable(game, select_paytables(game)["aces-up"], {"flush": "9"}).lines["flush"].amount
    Fraction(9, 1)
    >>> edit_paytable(game, select_paytables(game)["aces-up"], {"flush": "9"}).source
    'edited from SCP-01 (sheet, table under rule 15 (Aces Up Paytables), column SCP-01): flush 9 to 1, was 8 to 1'

    Raises:
        PayTableError: there is no such line, or it cannot be paid so.
    """
    document = to_document(table)
    lines: dict[str, object] = {}
    for line, pay in table.lines.items():
        lines[line] = {"pay": f"{pay.amount.numerator}:{pay.amount.denominator}", "unit": pay.unit.value}
    for line, written in pays.items():
        unit = table.lines[line].unit.value if line in table.lines else None
        lines[line] = {"pay": written, "unit": unit}
    document |= {"id": name or f"{table.id}-edited", "lines": lines}
    try:
        (found,) = parse_paytables({"paytable": [document]}, game, _DOCUMENT_NAME)
    except PayTableError as error:
        line = str(error).removeprefix(f"{_DOCUMENT_NAME}: ")
        raise PayTableError(line.removeprefix(f"pay table {document['id']}: ")) from None
    changed = [
        f"{display_name(line)} {format_pay(pay)}, was {format_pay(table.lines[line])}"
        for line, pay in found.lines.items()
        if pay.amount != table.lines[line].amount
    ]
    if not changed:
        return found
    return replace(found, source=f"edited from {table.id} ({table.source}): {'; '.join(changed)}", claim="")


def verify_pay_text(game: Game, table: PayTable, line: str, text: str) -> None:
    """Check one pay that somebody wrote over a table's, in words without where in a file it would stand.

    Raises:
        PayTableError: the line cannot be paid so.
    """
    if len(text) > _MAX_PAY_LENGTH:
        raise PayTableError(f"{text!r} is too long for a pay: write 9, or 3:2")
    verify_pay(game, table, line, text)


def reprice_sheet(
    sheet: ParSheet,
    paytables: Mapping[str, PayTable],
    counts: Sequence[int] | None = None,
    meter_cents: int | None = None,
    previous: Mapping[str, PayTable] | None = None,
) -> ParSheet:
    """Return a sheet under other pay tables: its own deals, or ``counts``, and the meter where it stood unless given.

    Where the outcome depends on the play, that stays what it was.  It is the best for the pay tables it was found for:
    the sheet's own, and of other bets those of ``previous``, or the same as now.  If other pays mean other nets to the
    solver there may be a better play, so the sheet then has ``bounds`` and is not exact.
    """
    deals = [line.deals for line in sheet.lines] if counts is None else counts
    meter = sheet.extras.get("meter")
    if meter_cents is None and isinstance(meter, Fraction):
        meter_cents = int(meter * _CENTS)
    again = build_par_sheet(sheet.game, sheet.wager, paytables, sheet.options, deals, meter_cents)
    figures: dict[str, Figure] = {}
    if sheet.wager is sheet.game.wagers[0]:
        wagered = compute_average_wager(sheet.game, tuple(deals))
        figures = {
            "average_wager": wagered,
            "element_of_risk": again.house_edge / wagered,
            **{name: sheet.extras[name] for name in _PLAY_FIGURES if name in sheet.extras},
        }
    bounds = (
        _compute_bounds(sheet, again, {**paytables, **(previous or {}), **_get_own_tables(sheet)}, paytables)
        if sheet.strategy
        else None
    )
    extras = {**again.extras, **figures}
    return replace(again, strategy=sheet.strategy, stakes=sheet.stakes, extras=extras, bounds=bounds)


def _get_own_tables(sheet: ParSheet) -> dict[str, PayTable]:
    return {table.kind: table for table in sheet.paytables}


def _compute_bounds(
    sheet: ParSheet, again: ParSheet, previous: Mapping[str, PayTable], paytables: Mapping[str, PayTable]
) -> tuple[Fraction, Fraction] | None:
    """Return between what the expected value lies under the best play for the new pays, None where that is the old one.

    The old play is one of those that may be chosen, so main is worth as much at least.  No play gets more out of the
    new pays than the best play got out of the old ones and the largest rise of a net.  How often a side wager's
    outcomes come under a play that is best for main is not known: only what they net at least and at most.
    """
    game, usual = sheet.game, select_paytables(sheet.game)
    asked = (
        build_problem(game, {**usual, **under}, sheet.options, side_stakes=sheet.stakes)
        for under in (previous, paytables)
    )
    if next(asked) == next(asked):
        return sheet.bounds
    nets = [line.net for line in again.lines]
    if sheet.wager is not game.wagers[0]:
        return min(nets), max(nets)
    rise = max(new - old.net for new, old in zip(nets, sheet.lines, strict=True))
    alone = sheet.extras.get("main_strategy_house_edge")
    best = sheet.bounds[1] if sheet.bounds else -(alone if isinstance(alone, Fraction) else sheet.house_edge)
    return again.expected_value, min(best + max(rise, Fraction(0)), max(nets))
