"""PAR sheets as CSV, with a line for every outcome and every figure."""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

from pitboss.analysis.option_effects import OptionEffect
from pitboss.analysis.par_sheet import ParSheet, format_fraction
from pitboss.analysis.sensitivity import PaySensitivity
from pitboss.reports.formatting import describe_method

CSV_COLUMNS = tuple("game bet paytable record name value exact net deals probability contribution".split())
"""The columns of the CSV.

``record`` is ``outcome``, which fills the last four columns, or ``figure``, ``covariance``, ``option``, ``step`` or
``play``, which fill ``value``; ``exact`` and ``net`` are fractions, written p/q, if there are any.
"""

Record = dict[str, object]


def format_csv(records: Iterable[Record]) -> str:
    """Return records as CSV, with a header line."""
    out = io.StringIO()
    rows = csv.DictWriter(out, CSV_COLUMNS, lineterminator="\n", restval="")
    rows.writeheader()
    rows.writerows(records)
    return out.getvalue()


def make_value_record(name: str, value: Fraction, *, exact: bool = True) -> Record:
    """Return the columns of a figure, with the fraction if it is ``exact``."""
    return {"name": name, "value": float(value), **({"exact": format_fraction(value)} if exact else {})}


def iter_sheet_records(sheet: ParSheet, name: str) -> Iterator[Record]:
    """Yield the outcomes and figures of a sheet; ``name`` is that of its tables."""
    about = {"game": sheet.game.id, "bet": sheet.wager.id, "paytable": name}
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


def _iter_figures(sheet: ParSheet) -> Iterator[Record]:
    for name in ("expected_value", "house_edge", "hit_frequency", "variance"):
        yield make_value_record(name, getattr(sheet, name), exact=not sheet.bounds)
    if sheet.bounds:
        yield {"name": "method", "value": f"{sheet.method}: {describe_method(sheet)}"}
        for name, value in zip(("lower_bound", "upper_bound"), sheet.bounds, strict=True):
            yield make_value_record(name, value)
    yield {"name": "standard_deviation", "value": sheet.standard_deviation}
    for name, figure in sheet.extras.items():
        if isinstance(figure, Mapping):
            yield from (make_value_record(f"{name} {path}", share) for path, share in figure.items())
        else:
            yield make_value_record(name, figure) if isinstance(figure, Fraction) else {"name": name, "value": figure}


def iter_option_records(effects: Iterable[OptionEffect]) -> Iterator[Record]:
    """Yield the house edge under each option's value that is solved."""
    for effect in effects:
        if effect.sheet:
            about = {"game": effect.base.game.id, "bet": effect.bet, "record": "option"}
            yield about | make_value_record(f"{effect.option.name}={effect.value}", effect.sheet.house_edge)


def iter_step_records(effects: Iterable[PaySensitivity], name: str) -> Iterator[Record]:
    """Yield the changes of the figures for one step more on each line."""
    for each in effects:
        about = {"game": each.game, "bet": each.bet, "paytable": name, "record": "step"}
        if each.house_edge_change is not None and each.hit_frequency_change is not None:
            yield about | make_value_record(f"{each.line} house_edge", each.house_edge_change)
            yield about | {"name": f"{each.line} standard_deviation", "value": each.standard_deviation_change}
            yield about | make_value_record(f"{each.line} hit_frequency", each.hit_frequency_change)
