"""A report for programs: JSON with the names of ``pitboss par --json``, and CSV, a line for every figure."""

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
from pitboss.reports.options import Effect
from pitboss.reports.report import Report
from pitboss.reports.words import exact, method, table_name

COLUMNS = ("game", "bet", "paytable", "record", "name", "value", "exact", "net", "deals", "probability", "contribution")
"""The columns of the CSV.

``record`` is ``outcome``, which fills the last four, ``figure``, ``covariance``, ``option`` or ``play``, which fill
``value``; ``exact`` and ``net`` are fractions, written p/q, where there are any.
"""


def as_json(reports: Sequence[Report]) -> str:
    """Return one report as an object, several as a list of them under ``reports``."""
    objects = [figures_of(report) for report in reports]
    return json.dumps(objects[0] if len(objects) == 1 else {"reports": objects}, indent=2) + "\n"


def figures_of(report: Report) -> dict[str, Any]:
    """Return a report as JSON has it, named as ``par`` and ``strategy`` name figures."""
    found: dict[str, Any] = {
        "game": report.game.id,
        "version": __version__,
        "rules": compute_method_hash(report.game),
        "options": dict(report.terms.options),
        "paytables": [to_document(table) for table in report.terms.paytables.values()],
        "not_counted": dict(report.not_counted),
        "sheets": [_sheet(report, sheet) for sheet in report.sheets],
        "other_paytables": {bet: [each.as_json() for each in sheets] for bet, sheets in report.beside.items()},
        **(report.together.as_json() if report.together else {}),
        "option_effects": [_effect(each) for each in report.effects],
        **({"remark": report.remark} if report.remark else {}),
    }
    if report.plays:
        best, *written = report.plays
        strategies = [strategy_cost_as_json(each) for each in written]
        for figures, errors in zip(strategies, report.simulated, strict=False):
            figures.update(simulated_cost_as_json(errors))
        found |= {"best": strategy_cost_as_json(best), "strategies": strategies}
    if report.session:
        session, unit = report.session, report.unit
        found["session"] = {
            **asdict(report.stated),
            "mean": session.mean / unit,
            "standard_deviation": session.standard_deviation / unit,
            "ahead": session.probability_ahead,
            "even": session.probability_even,
            "percentiles": {str(percent): session.percentile(percent) / unit for percent in PERCENTS},
        }
    return found


def _sheet(report: Report, sheet: ParSheet) -> dict[str, Any]:
    staked = {} if sheet.wager in report.game.main_parts else {"bet_cents": report.bet_cents(sheet.wager)}
    wins = {"house_wins_cents_an_hour": float(report.house_wins_cents(sheet))} if staked else {}
    claims = [{"paytable": table.id, "claim": table.claim} for table in sheet.paytables if table.claim]
    return sheet.as_json() | staked | wins | {"claims": claims}


def _effect(effect: Effect) -> dict[str, Any]:
    said: dict[str, Any] = {"option": effect.option.name, "value": effect.value, "bet": effect.bet}
    if effect.sheet is None:
        return said | {"house_edge": None}
    edge = effect.sheet.house_edge
    return said | {"house_edge": float(edge), "expected_value_exact": exact(-edge)}


def as_csv(reports: Sequence[Report]) -> str:
    """Return reports as CSV, with a heading."""
    out = io.StringIO()
    rows = csv.DictWriter(out, COLUMNS, lineterminator="\n", restval="")
    rows.writeheader()
    for report in reports:
        rows.writerows({"game": report.game.id, **record} for record in _records(report))
    return out.getvalue()


def _records(report: Report) -> Iterator[dict[str, object]]:
    for sheet in report.sheets:
        about = {"bet": sheet.wager.id, "paytable": table_name(sheet)}
        for line in sheet.lines:
            yield {
                **about,
                "record": "outcome",
                "name": line.outcome.name,
                "net": exact(line.net),
                "deals": line.deals,
                "probability": float(line.probability),
                "contribution": float(line.contribution),
            }
        yield from ({**about, "record": "figure", **each} for each in _figures(sheet))
    for moves in report.together.covariances if report.together else ():
        covariance = {} if moves.standard_error is not None else {"exact": exact(moves.covariance)}
        yield {
            "bet": moves.bets[0],
            "record": "covariance",
            "name": moves.bets[1],
            "value": float(moves.covariance),
            **covariance,
        }
    for effect in report.effects:
        if effect.sheet:
            edge = effect.sheet.house_edge
            said = {"bet": effect.bet, "record": "option", "name": f"{effect.option.name}={effect.value}"}
            yield {**said, "value": float(edge), "exact": exact(edge)}
    for play in report.plays:
        name = play.strategy.id if play.strategy else "best"
        about = {"bet": report.game.wagers[0].id, "record": "play", "name": name}
        yield {**about, "value": float(play.house_edge), "exact": exact(play.house_edge)}


def _figures(sheet: ParSheet) -> Iterator[dict[str, object]]:
    fractions = {"expected_value": sheet.expected_value, "house_edge": sheet.house_edge}
    fractions |= {"hit_frequency": sheet.hit_frequency, "variance": sheet.variance}
    for name, value in fractions.items():
        yield {"name": name, "value": float(value), **({} if sheet.bounds else {"exact": exact(value)})}
    if sheet.bounds:
        yield {"name": "method", "value": f"{sheet.method}: {method(sheet)}"}
        for name, value in zip(("lower_bound", "upper_bound"), sheet.bounds, strict=True):
            yield {"name": name, "value": float(value), "exact": exact(value)}
    yield {"name": "standard_deviation", "value": sheet.standard_deviation}
    for name, figure in sheet.extras.items():
        if isinstance(figure, Mapping):
            for path, share in figure.items():
                yield {"name": f"{name} {path}", "value": float(share), "exact": exact(share)}
        elif isinstance(figure, Fraction):
            yield {"name": name, "value": float(figure), "exact": exact(figure)}
        else:
            yield {"name": name, "value": figure}
