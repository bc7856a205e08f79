"""Reports for programs, as JSON and as CSV.

The JSON has the names of ``pitboss par --json``; the CSV has a line for every figure.
"""

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from fractions import Fraction
from typing import Any

from pitboss.analysis.par_sheet import ParSheet, format_fraction
from pitboss.analysis.session_report import session_as_json
from pitboss.analysis.simulated_strategy_cost import SimulatedStrategyCost, simulated_cost_as_json
from pitboss.analysis.solutions import compute_method_hash
from pitboss.analysis.strategy_cost import StrategyCost, strategy_cost_as_json
from pitboss.core.version import __version__
from pitboss.paytables import to_document
from pitboss.reports.formatting import describe_method, format_paytable_ids
from pitboss.reports.option_effects import OptionEffect
from pitboss.reports.report import GameReport

CSV_COLUMNS = tuple("game bet paytable record name value exact net deals probability contribution".split())
"""The columns of the CSV.

``record`` is ``outcome``, which fills the last four columns, or ``figure``, ``covariance``, ``option`` or ``play``,
which fill ``value``; ``exact`` and ``net`` are fractions, written p/q, if there are any.
"""


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
        "option_effects": [_effect_to_json(each) for each in report.effects],
        **({"remark": report.remark} if report.remark else {}),
    }
    if report.strategy_costs:
        document |= plays_as_json(report.strategy_costs, report.simulated_costs)
    if report.session:
        session, unit = report.session, report.units_per_ante
        document["session"] = {
            **asdict(report.assumptions),
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


def _effect_to_json(effect: OptionEffect) -> dict[str, Any]:
    document: dict[str, Any] = {"option": effect.option.name, "value": effect.value, "bet": effect.bet}
    if effect.sheet is None:
        return document | {"house_edge": None}
    sheet = effect.sheet
    return document | {
        "house_edge": float(sheet.house_edge),
        "expected_value_exact": format_fraction(sheet.expected_value),
    }


def to_csv(reports: Sequence[GameReport]) -> str:
    """Return reports as CSV, with a header line."""
    out = io.StringIO()
    rows = csv.DictWriter(out, CSV_COLUMNS, lineterminator="\n", restval="")
    rows.writeheader()
    for report in reports:
        rows.writerows({"game": report.game.id, **record} for record in _iter_records(report))
    return out.getvalue()


def _iter_records(report: GameReport) -> Iterator[dict[str, object]]:
    for sheet in report.sheets:
        about = {"bet": sheet.wager.id, "paytable": format_paytable_ids(sheet)}
        for line in sheet.lines:
            yield {
                **about,
                "record": "outcome",
                "name": line.outcome.name,
                "net": format_fraction(line.net),
                "deals": line.deals,
                "probability": float(line.probability),
                "contribution": float(line.contribution),
            }
        yield from ({**about, "record": "figure", **each} for each in _iter_figures(sheet))
    for each in report.covariance_report.covariances if report.covariance_report else ():
        value = _value_record(each.bets[1], each.covariance, exact=each.standard_error is None)
        yield {"bet": each.bets[0], "record": "covariance", **value}
    for effect in report.effects:
        if effect.sheet:
            name = f"{effect.option.name}={effect.value}"
            yield {"bet": effect.bet, "record": "option", **_value_record(name, effect.sheet.house_edge)}
    for play in report.strategy_costs:
        name = play.strategy.id if play.strategy else "best"
        yield {"bet": report.game.main.id, "record": "play", **_value_record(name, play.house_edge)}


def _value_record(name: str, value: Fraction, *, exact: bool = True) -> dict[str, object]:
    return {"name": name, "value": float(value), **({"exact": format_fraction(value)} if exact else {})}


def _iter_figures(sheet: ParSheet) -> Iterator[dict[str, object]]:
    for name in ("expected_value", "house_edge", "hit_frequency", "variance"):
        yield _value_record(name, getattr(sheet, name), exact=not sheet.bounds)
    if sheet.bounds:
        yield {"name": "method", "value": f"{sheet.method}: {describe_method(sheet)}"}
        for name, value in zip(("lower_bound", "upper_bound"), sheet.bounds, strict=True):
            yield _value_record(name, value)
    yield {"name": "standard_deviation", "value": sheet.standard_deviation}
    for name, figure in sheet.extras.items():
        if isinstance(figure, Mapping):
            yield from (_value_record(f"{name} {path}", share) for path, share in figure.items())
        else:
            yield _value_record(name, figure) if isinstance(figure, Fraction) else {"name": name, "value": figure}
