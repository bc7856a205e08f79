"""A report: all figures of a game, computed once and written in any format.

The figures are those under the report's pay tables and options.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from pitboss.analysis.census import explain_missing_sheet
from pitboss.analysis.chart_data import ChartData
from pitboss.analysis.covariance import CovarianceReport, report_covariances
from pitboss.analysis.exact_par_sheet import compute_par_sheet, reprice_sheet
from pitboss.analysis.game_terms import GameTerms
from pitboss.analysis.option_effects import OptionEffect, compute_option_effects
from pitboss.analysis.par_sheet import ParSheet
from pitboss.analysis.pay_chart import compute_pay_chart
from pitboss.analysis.protection import ProtectionReport, ProtectionSettings, report_protection
from pitboss.analysis.ruin_chart import SESSION_ROUNDS, compute_ruin_chart
from pitboss.analysis.simulated_strategy_cost import (
    SimulatedStrategyCost,
    get_simulated_rounds,
    simulate_strategy_costs,
)
from pitboss.analysis.solutions import get_cached_solution
from pitboss.analysis.strategy_chart import compute_strategy_chart, is_strategy_chart_cached
from pitboss.analysis.strategy_cost import OpenProgress, StrategyCost, compute_strategy_costs
from pitboss.contract import Game, PayTable, Wager
from pitboss.core.money import format_cents
from pitboss.engine.census_limits import explain_why_not_followed
from pitboss.engine.solver_lookup import can_solve, find_solver
from pitboss.options import encode_options
from pitboss.paytables import load_builtin_paytables
from pitboss.reports.submission import Submission, SubmissionSettings, make_submission
from pitboss.simulate.session_distribution import SessionDistribution, compute_session
from pitboss.strategies import load_strategies
from pitboss.strategy_grids import load_strategy_grids

_MOST_CHART_SECONDS = 3


@dataclass(frozen=True, slots=True)
class ReportAssumptions:
    """The assumptions of a report: pace, average bet and length of a session."""

    rounds_per_hour: int = 40
    average_bet_cents: int = 2_500
    session_rounds: int = 200


@dataclass(frozen=True, slots=True)
class GameReport:
    """All figures of a game, exact unless a figure says otherwise.

    ``other_paytables`` has each bet's sheets under the other built-in pay tables, and ``not_counted`` the reason why a
    bet has no sheet.  ``strategy_costs`` has the best play and the written strategies, ``simulated_costs`` where those
    err if that is not counted, ``no_costs`` why no strategy can be followed, ``effects`` what options change.
    ``session`` is one of flat bets on main; ``units_per_ante`` of its units are one Ante.  A field that was not
    computed (see ``make_report``) is empty.  ``charts`` are main's risk of ruin, each bet's edge by pay, and main's
    strategy charts that take little time or are cached.  ``remark`` states a peculiarity of the report,
    ``protection`` what leaks are worth, ``submission`` what a test laboratory asks for.
    """

    game: Game
    terms: GameTerms
    sheets: tuple[ParSheet, ...]
    assumptions: ReportAssumptions = field(default_factory=ReportAssumptions)
    not_counted: Mapping[str, str] = field(default_factory=dict)
    other_paytables: Mapping[str, tuple[ParSheet, ...]] = field(default_factory=dict)
    covariance_report: CovarianceReport | None = None
    strategy_costs: tuple[StrategyCost, ...] = ()
    simulated_costs: tuple[SimulatedStrategyCost, ...] = ()
    charts: tuple[ChartData, ...] = ()
    no_costs: str = ""
    effects: tuple[OptionEffect, ...] = ()
    session: SessionDistribution | None = None
    units_per_ante: int = 1
    remark: str = ""
    protection: ProtectionReport | None = None
    submission: Submission | None = None

    @property
    def main_sheet(self) -> ParSheet | None:
        """The sheet of main, None if there is none."""
        return next((sheet for sheet in self.sheets if sheet.is_main), None)

    def compute_house_win_cents(self, sheet: ParSheet) -> Fraction:
        """Return the house's win in cents an hour from one seat.

        The seat makes the average bet, within its limits.
        """
        return sheet.house_edge * self.get_bet_cents(sheet.wager) * self.assumptions.rounds_per_hour

    def format_house_win(self, sheet: ParSheet) -> str:
        """Format the house's win an hour in dollars."""
        return format_cents(round(self.compute_house_win_cents(sheet)))

    def get_bet_cents(self, wager: Wager) -> int:
        """Return the average bet in cents, clamped to the limits of a wager."""
        limits = wager.limits
        return max(limits.minimum_cents, min(limits.maximum_cents, self.assumptions.average_bet_cents))


def make_report(
    game: Game,
    terms: GameTerms,
    open_progress: OpenProgress,
    *,
    meter_cents: int | None = None,
    assumptions: ReportAssumptions | None = None,
    full: bool = False,
    protect: ProtectionSettings | None = None,
    submit: SubmissionSettings | None = None,
) -> GameReport:
    """Return the report of a game under ``terms``.

    ``open_progress`` shows the progress of what is not cached yet.  Sheets are always computed.  The costs of
    strategies are computed too, unless the best play takes many minutes to find (a solver that works in shards).  Then
    these costs, and always long strategy charts and the best plays under other options and other pays, are in the
    report only if they are cached, or with ``full``.

    With ``protect``, what leaks are worth is measured too, with ``submit`` what a test laboratory asks for.

    Raises:
        SessionError: a session has too many rounds, or none.
    """
    wagers = (*game.wagers, *game.main_parts)
    left_out = {wager.id: reason for wager in wagers if (reason := explain_missing_sheet(game, wager, terms.options))}
    sheets = []
    for wager in wagers:
        if wager.id not in left_out:
            has_meter = any(terms.paytables[kind].progressive for kind in wager.paytable_kinds)
            with open_progress(f"{wager.name} of {game.name}") as progress:
                sheets.append(compute_par_sheet(game, wager, terms, progress, meter_cents if has_meter else None))
    report = add_session(
        GameReport(
            game=game,
            terms=terms,
            sheets=tuple(sheets),
            assumptions=assumptions or ReportAssumptions(),
            not_counted=left_out,
            other_paytables=_make_other_sheets(terms, sheets, open_progress, full=full),
        )
    )
    with open_progress(f"how the bets of {game.name} move together") as progress:
        covariances = report_covariances(game, terms, sheets, progress)
    priced = can_solve(game) and report.main_sheet and load_strategies(game)
    no_costs = explain_why_not_followed(game, encode_options(game, terms.options)) if priced else ""
    costs = tuple(_compute_strategy_costs(game, terms, open_progress, full=full)) if priced and not no_costs else ()
    return replace(
        report,
        covariance_report=covariances,
        strategy_costs=costs,
        simulated_costs=simulate_costs(game, terms, open_progress) if full and costs else (),
        charts=tuple(make_charts(report, open_progress, full=full)),
        no_costs=no_costs,
        effects=compute_option_effects(game, terms, sheets, open_progress, full=full),
        protection=report_protection(game, terms.paytables, terms.options, (), protect, open_progress)
        if protect and game.decisions
        else None,
        submission=make_submission(game, terms, sheets, submit, open_progress) if submit else None,
    )


def reprice_report(report: GameReport, paytables: Mapping[str, PayTable]) -> GameReport:
    """Return a report under other pay tables at once.

    The deals and the play stay the same (``reprice_sheet``).  Figures that would have to be computed again are left
    out, and a remark says so.
    """
    main = report.game.main
    changed = any(paytables[kind] != report.terms.paytables[kind] for kind in main.paytable_kinds)
    tables = " ".join(report.terms.paytables[kind].id for kind in main.paytable_kinds)
    remark = (
        f"Main and the bets that depend on it use the best play for {tables}; these pays may have a better play."
        if changed
        else report.remark
    )
    before = report.terms.paytables
    sheets = tuple(reprice_sheet(sheet, paytables, previous=before) for sheet in report.sheets)
    other_sheets = {
        bet: tuple(
            each if each.wager is main else reprice_sheet(each, {**paytables, **each.tables_by_kind}, previous=before)
            for each in others
        )
        for bet, others in report.other_paytables.items()
    }
    for sheet in report.sheets:
        if any(table not in paytables.values() for table in sheet.paytables):
            other_sheets[sheet.wager.id] = (sheet, *other_sheets.get(sheet.wager.id, ()))
    repriced = replace(
        report,
        terms=replace(report.terms, paytables=paytables),
        sheets=sheets,
        other_paytables=other_sheets,
        covariance_report=None,
        strategy_costs=() if changed else report.strategy_costs,
        charts=() if changed else report.charts,
        effects=(),
        protection=None if changed else report.protection,
        submission=None,
        remark=remark,
    )
    return add_session(repriced) if changed else repriced


def add_session(report: GameReport) -> GameReport:
    """Return the report with the distribution of a session of flat bets on main."""
    if report.main_sheet is None:
        return report
    unit, nets = report.main_sheet.scale_nets()
    return replace(report, session=compute_session(nets, report.assumptions.session_rounds), units_per_ante=unit)


def _make_other_sheets(
    terms: GameTerms, sheets: list[ParSheet], open_progress: OpenProgress, *, full: bool
) -> dict[str, tuple[ParSheet, ...]]:
    """Return each bet's sheets with another built-in table instead of the chosen one.

    Main's are computed only with ``full``, and otherwise only if they are cached.
    """
    sheets_by_bet = {}
    for sheet in sheets:
        others: list[ParSheet] = []
        for kind in sheet.wager.paytable_kinds if sheet.strategy != "joint" else ():
            for table in load_builtin_paytables(sheet.game):
                if table.kind == kind and table.id != terms.paytables[kind].id:
                    others += _make_sheets_under(
                        sheet, GameTerms({**terms.paytables, kind: table}, terms.options), open_progress, full=full
                    )
        if others:
            sheets_by_bet[sheet.wager.id] = tuple(others)
    return sheets_by_bet


def _make_sheets_under(
    sheet: ParSheet, terms: GameTerms, open_progress: OpenProgress, *, full: bool
) -> Iterator[ParSheet]:
    game, wager = sheet.game, sheet.wager
    if wager is not game.main:
        yield reprice_sheet(sheet, terms.paytables)  # main's pays are unchanged, so is its play
    elif full or get_cached_solution(game, terms.paytables, terms.options) is not None:
        with open_progress(f"{wager.name} of {game.name}") as progress:
            yield compute_par_sheet(game, wager, terms, progress)


def _compute_strategy_costs(
    game: Game, terms: GameTerms, open_progress: OpenProgress, *, full: bool
) -> Iterator[StrategyCost]:
    """Yield the best play and the costs of strategies.

    Yield nothing if they would take long, unless ``full``.
    """
    strategies = load_strategies(game)
    cached = all(get_cached_solution(game, terms.paytables, terms.options, each) is not None for each in strategies)
    if strategies and (full or cached or not find_solver(game).shards):
        yield from compute_strategy_costs(game, terms.paytables, terms.options, open_progress)


def make_charts(report: GameReport, open_progress: OpenProgress, *, full: bool) -> Iterator[ChartData]:
    """Yield main's risk of ruin, the edge by pay of bets, and quick strategy charts.

    Those that take long are there only if they are cached, or with ``full``.
    """
    game, terms = report.game, report.terms
    rounds = min(report.assumptions.session_rounds, SESSION_ROUNDS)
    if report.main_sheet:
        with open_progress(f"risk of ruin of {game.name}") as progress:
            yield compute_ruin_chart(report.main_sheet, rounds, progress)
    for sheet in report.sheets:
        if sheet.wager.paytable_kinds and not sheet.bounds:
            with open_progress(f"edge by pay of {sheet.wager.name}") as progress:
                yield compute_pay_chart(game, sheet.wager, terms, "", progress)
    for grid in load_strategy_grids(game) if can_solve(game) else ():
        if full or grid.seconds <= _MOST_CHART_SECONDS or is_strategy_chart_cached(game, terms, grid):
            with open_progress(f"{grid.id} of {game.name}") as progress:
                yield compute_strategy_chart(game, terms, grid, progress)


def simulate_costs(game: Game, terms: GameTerms, open_progress: OpenProgress) -> tuple[SimulatedStrategyCost, ...]:
    """Simulate the costs of strategies; none where their mistakes are counted."""
    rounds = get_simulated_rounds(game)
    if not rounds:
        return ()
    with open_progress(f"{rounds} rounds of {game.name}") as progress:
        return simulate_strategy_costs(game, terms.paytables, terms.options, rounds, progress)
