"""Find tables that meet the targets, or the nearest, or say what cannot be met."""

from fractions import Fraction
from itertools import combinations

from pitboss.analysis.figure_range import FigureRange
from pitboss.analysis.pay_grid import PayGrid
from pitboss.analysis.paytable_search import FigureSpan, SearchResult, search_paytables
from pitboss.analysis.tuning_request import TuningRequest, describe_range
from pitboss.analysis.tuning_targets import TuningTargets
from pitboss.core.errors import TuningError
from pitboss.core.numbers import format_count
from pitboss.core.progress import ProgressCallback

_FIRST_NEARNESS = Fraction(1, 20_000)
_WIDENING, _WIDENINGS = 4, 24
"""From 0.005 % of the stake to more than any pay."""

_PERCENTAGES = {"edge", "hit"}
_FIGURES = {
    "hit": "hit frequencies",
    "deviation": "standard deviations",
    "top": "top awards",
    "jackpot": "average jackpots",
}


def find_paytables(grid: PayGrid, request: TuningRequest, progress: ProgressCallback) -> tuple[SearchResult, bool]:
    """Return the tables that meet the targets, or the nearest and True.

    The nearest are those of the nearest edge that meet the other targets.

    Raises:
        TuningError: no table meets another target than the edge, or two targets contradict one another.
        MagnitudeError: the search is too large.
    """
    _verify_reach(grid, request)
    targets = request.targets
    result = search_paytables(grid, targets, request.changes, request.limit, progress)
    if sum(result.found):
        return result, False
    for name, span in result.spans.items():
        if result.with_edge and not span.met:
            raise TuningError(
                f"{_name_searched(grid, request)} has both {_describe_target('edge', targets)} and "
                f"{_describe_target(name, targets)}: those of this edge have {_FIGURES[name]} "
                f"{_describe_span(name, span)}{_say_gap(getattr(targets, name), span)}",
                code="targets-contradict",
                targets=["edge", name],
            )
    nearness = _FIRST_NEARNESS
    for _ in range(_WIDENINGS):
        result = search_paytables(grid, targets, request.changes, request.limit, progress, nearness)
        if sum(result.found):
            return result, True
        nearness *= _WIDENING
    raise _explain_nothing(grid, request, result, nearness, progress)


def _verify_reach(grid: PayGrid, request: TuningRequest) -> None:
    """Check what can be checked before a search.

    Raises:
        TuningError: a line that must change has no pay, or no table has the hit frequency or the top award.
    """
    for line in grid.lines:
        if line.must_change and not line.pays:
            raise TuningError(
                f"{line.key[1]} has no possible pay: all are out of order with lines that do not change; vary these "
                "too, or give --any-order",
                code="pays-out-of-order",
                line=line.key[1],
            )
    targets, deals = request.targets, grid.sheet.deals
    if targets.hit and not grid.pairs:
        added = [[0, *map(int, terms.hits)] for terms in grid.columns]
        least, most = (grid.present[2] + sum(map(pick, added)) for pick in (min, max))
        _verify_span("hit", targets, FigureSpan(0, least / deals, most / deals))
    if targets.top:
        highest = (float(max((line.present, *line.pays))) for line in grid.lines if line.is_pay)
        lowest = (float(min((line.present, *line.pays))) for line in grid.lines if line.is_pay)
        fixed = float(grid.unvaried_top)
        _verify_span("top", targets, FigureSpan(0, max([fixed, *lowest]), max([fixed, *highest])))


def _verify_span(name: str, targets: TuningTargets, span: FigureSpan) -> None:
    target: FigureRange = getattr(targets, name)
    if span.high < target.low or span.low > target.high:
        raise _refuse_target(name, targets, span)


def _explain_nothing(
    grid: PayGrid, request: TuningRequest, result: SearchResult, nearness: Fraction, progress: ProgressCallback
) -> TuningError:
    """Return why no table of any edge meets the other targets."""
    targets = request.targets
    for name, span in result.spans.items():
        if not span.met:
            return _refuse_target(name, targets, span, _name_searched(grid, request))
    for one, other in combinations(result.spans, 2):
        only = TuningTargets(targets.edge)._replace(**{name: getattr(targets, name) for name in (one, other)})
        if not sum(search_paytables(grid, only, request.changes, 1, progress, nearness).found):
            return TuningError(
                f"{_name_searched(grid, request)} has both {_describe_target(one, targets)} and "
                f"{_describe_target(other, targets)}: widen one of them, or --vary",
                code="targets-contradict",
                targets=[one, other],
            )
    if result.spans:
        described = ", ".join(_describe_target(name, targets) for name in result.spans)
        return TuningError(
            f"{_name_searched(grid, request)} meets {described} together: leave one out",
            code="targets-contradict",
            targets=list(result.spans),
        )
    return TuningError(
        "no table has its pays in order within these ranges: widen --vary, raise --changes, or give --any-order",
        code="pays-out-of-order",
    )


def _refuse_target(
    name: str, targets: TuningTargets, span: FigureSpan, searched: str = "no table within these ranges of pays"
) -> TuningError:
    return TuningError(
        f"{searched} meets {_describe_target(name, targets)}: their {_FIGURES[name]} are {_describe_span(name, span)}"
        f"{_say_gap(getattr(targets, name), span)}",
        code="target-out-of-reach",
        target=name,
    )


def _name_searched(grid: PayGrid, request: TuningRequest) -> str:
    """Return what was searched without success: more changes may find more."""
    if request.changes >= len(grid.lines):
        return "no table within these ranges of pays"
    return f"no table with at most {format_count(request.changes, 'line')} changed (--changes)"


def _say_gap(target: FigureRange, span: FigureSpan) -> str:
    """Return what to say of a target between the figures of tables that all miss it."""
    return ", but none in that range: write a wider one" if span.low < target.low and target.high < span.high else ""


def _describe_target(name: str, targets: TuningTargets) -> str:
    return f"--{name} {describe_range(getattr(targets, name), percent=name in _PERCENTAGES)}"


def _describe_span(name: str, span: FigureSpan) -> str:
    low, high = (_format_figure(name, each) for each in (span.low, span.high))
    return f"all {low}" if low == high else f"from {low} to {high}"


def _format_figure(name: str, value: float) -> str:
    if name == "jackpot":
        return f"${value:,.0f}"
    return f"{value:.4%}" if name in _PERCENTAGES else f"{value:,.4f}".rstrip("0").rstrip(".")
