"""Reports for programs: JSON with the names of ``pitboss par --json``, and CSV with a line for every figure."""

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from fractions import Fraction
from typing import Any

from pitboss.analysis.par_sheet import ParSheet
from pitboss.analysis.session_report import PERCENTS
from pitboss.analysis.simulated_strategy_cost import simulated_cost_as_json
from pitboss.analysis.solutions import compute_method_hash
from pitboss.analysis.strategy_cost import strategy_cost_as_json
from pitboss.core.version import __version__
from pitboss.paytables import to_document
from pitboss.reports.formatting import describe_method, format_fraction, format_paytable_ids
from pitboss.reports.option_effects import OptionEffect
from pitboss.reports.report import GameReport

CSV_COLUMNS = (
    "game",
    "bet",
    "paytable",
    "record",
    "name",
    "value",
    "exact",
    "net",
    "deals",
    "probability",
    "contribution",
)
"""The columns of the CSV.

``record`` is ``outcome``, which fills the last four columns, or ``figure``, ``covariance``, ``option`` or ``play``,
which fill ``value``; ``exact`` and ``net`` are fractions, written p/q, if there are any.
"""


def to_json(reports: Sequence[GameReport]) -> str:
    """Return one report as an object, several as a list of them under ``reports``."""
    objects = [to_json_object(report) for report in reports]
    return json.dumps(objects[0] if len(objects) == 1 else {"reports": objects}, indent=2) + "\n"


def to_json_object(report: GameReport) -> dict[str, Any]:
    """Return a report as JSON data, with the names that ``par`` and ``strategy`` give figures."""
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
        "option_effects": [_effect_to_json(each) for each in report.effects],
        **({"remark": report.remark} if report.remark else {}),
    }
    if report.strategy_costs:
        best, *costs = report.strategy_costs
        strategies = [strategy_cost_as_json(each) for each in costs]
        for figures, errors in zip(strategies, report.simulated_costs, strict=False):
            figures.update(simulated_cost_as_json(errors))
        document |= {"best": strategy_cost_as_json(best), "strategies": strategies}
    if report.session:
        session, unit = report.session, report.units_per_ante
        document["session"] = {
            **asdict(report.assumptions),
            "mean": session.mean / unit,
            "standard_deviation": session.standard_deviation / unit,
            "ahead": session.probability_ahead,
            "even": session.probability_even,
            "percentiles": {str(percent): session.percentile(percent) / unit for percent in PERCENTS},
        }
    return document


def _sheet_to_json(report: GameReport, sheet: ParSheet) -> dict[str, Any]:
    bet = {} if sheet.wager in report.game.main_parts else {"bet_cents": report.get_bet_cents(sheet.wager)}
    wins = {"house_wins_cents_an_hour": float(report.compute_house_win_cents(sheet))} if bet else {}
    claims = [{"paytable": table.id, "claim": table.claim} for table in sheet.paytables if table.claim]
    return sheet.as_json() | bet | wins | {"claims": claims}


def _effect_to_json(effect: OptionEffect) -> dict[str, Any]:
    document: dict[str, Any] = {"option": effect.option.name, "value": effect.value, "bet": effect.bet}
    if effect.sheet is None:
        return document | {"house_edge": None}
    edge = effect.sheet.house_edge
    return document | {"house_edge": float(edge), "expected_value_exact": format_fraction(-edge)}


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
        exact = {} if each.standard_error is not None else {"exact": format_fraction(each.covariance)}
        yield {
            "bet": each.bets[0],
            "record": "covariance",
            "name": each.bets[1],
            "value": float(each.covariance),
            **exact,
        }
    for effect in report.effects:
        if effect.sheet:
            edge = effect.sheet.house_edge
            about = {"bet": effect.bet, "record": "option", "name": f"{effect.option.name}={effect.value}"}
            yield {**about, "value": float(edge), "exact": format_fraction(edge)}
    for play in report.strategy_costs:
        name = play.strategy.id if play.strategy else "best"
        about = {"bet": report.game.wagers[0].id, "record": "play", "name": name}
        yield {**about, "value": float(play.house_edge), "exact": format_fraction(play.house_edge)}


def _iter_figures(sheet: ParSheet) -> Iterator[dict[str, object]]:
    fractions = {"expected_value": sheet.expected_value, "house_edge": sheet.house_edge}
    fractions |= {"hit_frequency": sheet.hit_frequency, "variance": sheet.variance}
    for name, value in fractions.items():
        yield {"name": name, "value": float(value), **({} if sheet.bounds else {"exact": format_fraction(value)})}
    if sheet.bounds:
        yield {"name": "method", "value": f"{sheet.method}: {describe_method(sheet)}"}
        for name, value in zip(("lower_bound", "upper_bound"), sheet.bounds, strict=True):
            yield {"name": name, "value": float(value), "exact": format_fraction(value)}
    yield {"name": "standard_deviation", "value": sheet.standard_deviation}
    for name, figure in sheet.extras.items():
        if isinstance(figure, Mapping):
            for path, share in figure.items():
                yield {"name": f"{name} {path}", "value": float(share), "exact": format_fraction(share)}
        elif isinstance(figure, Fraction):
            yield {"name": name, "value": float(figure), "exact": format_fraction(figure)}
        else:
            yield {"name": name, "value": figure}
