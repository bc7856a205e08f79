"""Reports for programs, as JSON and as CSV.

The JSON has the names of ``pitboss par --json``; the CSV has a line for every figure.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from pitboss.analysis.par_sheet import ParSheet
from pitboss.analysis.session_report import session_as_json
from pitboss.analysis.simulated_strategy_cost import SimulatedStrategyCost, simulated_cost_as_json
from pitboss.analysis.solutions import compute_method_hash
from pitboss.analysis.strategy_cost import StrategyCost, strategy_cost_as_json
from pitboss.core.version import __version__
from pitboss.paytables import to_document
from pitboss.reports.document import section_as_json
from pitboss.reports.formatting import format_paytable_ids
from pitboss.reports.page import make_page
from pitboss.reports.report import GameReport
from pitboss.reports.sheet_csv import Record, format_csv, iter_option_records, iter_sheet_records, make_value_record
from pitboss.reports.submission import iter_submission_records


def to_json(reports: Sequence[GameReport]) -> str:
    """Return one report as an object, several as a list of them under ``reports``."""
    objects = [to_json_object(report) for report in reports]
    return json.dumps(objects[0] if len(objects) == 1 else {"reports": objects}, indent=2) + "\n"


def to_json_object(report: GameReport) -> dict[str, Any]:
    """Return a report as JSON data.

    Figures have the names that ``par`` and ``strategy`` give them.
    """
    document: dict[str, Any] = {
        "game": report.game.id,
        "version": __version__,
        "rules": compute_method_hash(report.game),
        "options": dict(report.terms.options),
        "paytables": [to_document(table) for table in report.terms.paytables.values()],
        "not_counted": dict(report.not_counted),
        "sheets": [_sheet_to_json(report, sheet) for sheet in report.sheets],
        "other_paytables": {bet: [each.as_json() for each in sheets] for bet, sheets in report.other_paytables.items()},
        **(report.covariance_report.as_json() if report.covariance_report else {}),
        **({"protection": report.protection.to_dict()} if report.protection else {}),
        **({"charts": [each.as_json() for each in report.charts]} if report.charts else {}),
        "option_effects": [each.as_json() for each in report.effects],
        **({"remark": report.remark} if report.remark else {}),
    }
    if report.no_costs:
        document["strategies_not_counted"] = report.no_costs
    if report.strategy_costs:
        document |= plays_as_json(report.strategy_costs, report.simulated_costs)
    if report.submission:
        document["submission"] = {**report.submission.as_json(), "page": section_as_json(make_page(report))}
    if report.session:
        assumed, session, unit = report.assumptions, report.session, report.units_per_ante
        document["session"] = {
            "rounds_an_hour": assumed.rounds_per_hour,
            "average_bet_cents": assumed.average_bet_cents,
            "session_rounds": assumed.session_rounds,
            **session_as_json(session, unit),
        }
    return document


def plays_as_json(plays: Sequence[StrategyCost], simulated: Sequence[SimulatedStrategyCost]) -> dict[str, Any]:
    """Return the best play and the strategies, with simulated mistakes.

    The best play is the first of ``plays``.
    """
    best, *strategies = [strategy_cost_as_json(each) for each in plays]
    for figures, errors in zip(strategies, simulated, strict=False):
        figures.update(simulated_cost_as_json(errors))
    return {"best": best, "strategies": strategies}


def _sheet_to_json(report: GameReport, sheet: ParSheet) -> dict[str, Any]:
    bet = {} if sheet.wager in report.game.main_parts else {"bet_cents": report.get_bet_cents(sheet.wager)}
    wins = {"house_wins_cents_an_hour": float(report.compute_house_win_cents(sheet))} if bet else {}
    claims = [{"paytable": table.id, "claim": table.claim} for table in sheet.paytables if table.claim]
    return sheet.as_json() | bet | wins | {"claims": claims}


def to_csv(reports: Sequence[GameReport]) -> str:
    """Return reports as CSV, with a header line."""
    return format_csv(record for report in reports for record in _iter_records(report))


def _iter_records(report: GameReport) -> Iterator[Record]:
    for sheet in report.sheets:
        yield from iter_sheet_records(sheet, format_paytable_ids(sheet))
    game = {"game": report.game.id}
    if report.submission:
        yield from ({**game, **each} for each in iter_submission_records(report.submission))
    for each in report.covariance_report.covariances if report.covariance_report else ():
        value = make_value_record(each.bets[1], each.covariance, exact=each.standard_error is None)
        yield {**game, "bet": each.bets[0], "record": "covariance", **value}
    yield from iter_option_records(report.effects)
    for play in report.strategy_costs:
        name = play.strategy.id if play.strategy else "best"
        yield {**game, "bet": report.game.main.id, "record": "play", **make_value_record(name, play.house_edge)}
