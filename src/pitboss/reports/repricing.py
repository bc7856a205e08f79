"""Repricing of PAR sheets: other pays, the same deals."""

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
    """Return a pay table with some pays changed, written as in a file: ``9`` or ``3:2``, in the line's unit.

    If a pay differs, the table's source says what was changed, and the printed claims about the original are dropped.

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
        raise PayTableError(line.removeprefix(f"pay table {document['id']}: ")) from None
    changed = [
        f"{display_name(line)} {format_pay(pay)}, was {format_pay(table.lines[line])}"
        for line, pay in edited.lines.items()
        if pay.amount != table.lines[line].amount
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
        raise PayTableError(f"{text!r} is too long for a pay: write 9, or 3:2")
    verify_pay(game, table, line, text)


def reprice_sheet(
    sheet: ParSheet,
    paytables: Mapping[str, PayTable],
    counts: Sequence[int] | None = None,
    meter_cents: int | None = None,
    previous: Mapping[str, PayTable] | None = None,
) -> ParSheet:
    """Return a sheet under other pay tables, with its own deals or ``counts``, and its own meter unless given.

    If the outcome depends on the play, the play is unchanged.  It is the best play for the pay tables it was computed
    for: the sheet's own, and for other bets those of ``previous``, by default the current ones.  If the solver's nets
    differ under the new pays, there may be a better play: then the sheet has ``bounds`` and is not exact.
    """
    deals = [line.deals for line in sheet.lines] if counts is None else counts
    meter = sheet.extras.get("meter")
    if meter_cents is None and isinstance(meter, Fraction):
        meter_cents = int(meter * _CENTS)
    repriced = build_par_sheet(sheet.game, sheet.wager, paytables, sheet.options, deals, meter_cents)
    figures: dict[str, Figure] = {}
    if sheet.wager is sheet.game.wagers[0]:
        average_wager = compute_average_wager(sheet.game, tuple(deals))
        figures = {
            "average_wager": average_wager,
            "element_of_risk": repriced.house_edge / average_wager,
            **{name: sheet.extras[name] for name in _PLAY_FIGURES if name in sheet.extras},
        }
    bounds = (
        _compute_bounds(sheet, repriced, {**paytables, **(previous or {}), **_get_own_tables(sheet)}, paytables)
        if sheet.strategy
        else None
    )
    extras = {**repriced.extras, **figures}
    return replace(repriced, strategy=sheet.strategy, stakes=sheet.stakes, extras=extras, bounds=bounds)


def _get_own_tables(sheet: ParSheet) -> dict[str, PayTable]:
    return {table.kind: table for table in sheet.paytables}


def _compute_bounds(
    sheet: ParSheet, repriced: ParSheet, previous: Mapping[str, PayTable], paytables: Mapping[str, PayTable]
) -> tuple[Fraction, Fraction] | None:
    """Return bounds of the expected value under the best play for the new pays, None if the play is still the best.

    The old play is still possible, so main is worth at least its value.  No play gains more from the new pays than the
    best play gained from the old ones plus the largest rise of a net.  For a side wager the outcome frequencies under
    a play that is best for main are unknown: only its lowest and highest net are bounds.
    """
    game, defaults = sheet.game, select_paytables(sheet.game)
    problems = (
        build_problem(game, {**defaults, **tables}, sheet.options, side_stakes=sheet.stakes)
        for tables in (previous, paytables)
    )
    if next(problems) == next(problems):
        return sheet.bounds
    nets = [line.net for line in repriced.lines]
    if sheet.wager is not game.wagers[0]:
        return min(nets), max(nets)
    rise = max(new - old.net for new, old in zip(nets, sheet.lines, strict=True))
    main_edge = sheet.extras.get("main_strategy_house_edge")
    best = sheet.bounds[1] if sheet.bounds else -(main_edge if isinstance(main_edge, Fraction) else sheet.house_edge)
    return repriced.expected_value, min(best + max(rise, Fraction(0)), max(nets))
