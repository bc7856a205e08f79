"""A report: everything that is known of a game under its pay tables and options, found once, written in any format."""

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import lcm

from pitboss.analysis.census import explain_no_sheet
from pitboss.analysis.covariance import CovarianceReport, report_covariances
from pitboss.analysis.exact_par_sheet import GameTerms, compute_par_sheet
from pitboss.analysis.par_sheet import ParSheet
from pitboss.analysis.simulated_strategy_cost import (
    SimulatedStrategyCost,
    get_simulated_rounds,
    simulate_strategy_costs,
)
from pitboss.analysis.solutions import get_cached_solution, load_solver
from pitboss.analysis.strategy_cost import OpenProgress, StrategyCost, compute_strategy_costs
from pitboss.contract import Game, PayTable, Wager
from pitboss.paytables import load_builtin_paytables
from pitboss.reports.option_effects import OptionEffect, compute_option_effects
from pitboss.reports.repricing import reprice_sheet
from pitboss.simulate.session_distribution import SessionDistribution, compute_session
from pitboss.strategies import load_strategies


@dataclass(frozen=True, slots=True)
class ReportAssumptions:
    """What a report takes for granted: the pace of a table, an average bet, how long a session is."""

    rounds_an_hour: int = 40
    average_bet_cents: int = 2_500
    session_rounds: int = 200


@dataclass(frozen=True, slots=True)
class GameReport:
    """What there is to say of a game, exact unless a figure says otherwise.

    ``other_paytables`` has for a bet its sheets under the other built-in pay tables, ``not_counted`` why a bet has no
    sheet, ``compute_strategy_costs`` the best play and the strategies that can be written down, ``simulated_costs``
    where those err if that is not counted, ``compute_option_effects`` what options change.  ``compute_session`` is one
    of main alone, bet flat; ``units_per_ante`` of its units are one Ante.  What has not been found, and is not to be
    (``make_report``), is empty. ``remark`` says what is peculiar.
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
    effects: tuple[OptionEffect, ...] = ()
    session: SessionDistribution | None = None
    units_per_ante: int = 1
    remark: str = ""

    @property
    def main_sheet(self) -> ParSheet | None:
        """The sheet of main, None where there is none."""
        return next((sheet for sheet in self.sheets if sheet.wager is self.game.wagers[0]), None)

    def compute_house_win_cents(self, sheet: ParSheet) -> Fraction:
        """Return what the house wins of a bet an hour from a seat, the average bet held within the bet's limits."""
        return sheet.house_edge * self.get_bet_cents(sheet.wager) * self.assumptions.rounds_an_hour

    def get_bet_cents(self, wager: Wager) -> int:
        """Return the average bet, held within the limits of a wager."""
        limits = wager.limits
        return max(limits.minimum_cents, min(limits.maximum_cents, self.assumptions.average_bet_cents))


def make_report(
    game: Game,
    terms: GameTerms,
    open_progress: OpenProgress,
    *,
    bets: Container[str] | None = None,
    meter_cents: int | None = None,
    assumptions: ReportAssumptions | None = None,
    full: bool = False,
    quick: bool = False,
) -> GameReport:
    """Return the report of a game under ``terms``; ``open_progress`` reports on what is not in the cache yet.

    Sheets are always found.  What the strategies cost is found too, unless the best play takes many minutes to find (a
    solver that works in pieces); then it, the best plays under other options and those for other pays are in the report
    only if they are kept, or with ``full``.

    With ``bets`` those alone have sheets.  ``quick`` finds nothing but sheets: no plays, covariances or effects.

    Raises:
        SessionError: a session has too many rounds, or none.
    """
    wagers = [wager for wager in (*game.wagers, *game.main_parts) if bets is None or wager.id in bets]
    left_out = {wager.id: reason for wager in wagers if (reason := explain_no_sheet(game, wager, terms.options))}
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
    if quick:
        return report
    with open_progress(f"how the bets of {game.name} move together") as progress:
        moves = report_covariances(game, terms, sheets, progress)
    found = (
        tuple(_compute_strategy_costs(game, terms, open_progress, full=full))
        if game.solver and report.main_sheet
        else ()
    )
    return replace(
        report,
        covariance_report=moves,
        strategy_costs=found,
        simulated_costs=_simulate_costs(game, terms, open_progress) if full and found else (),
        effects=compute_option_effects(game, terms, sheets, open_progress, full=full),
    )


def reprice_report(report: GameReport, paytables: Mapping[str, PayTable]) -> GameReport:
    """Return a report at once under other pay tables: the same deals, and the play of before (``pricing.priced``).

    What would have to be found again is left out, and a remark says so.
    """
    main = report.game.wagers[0]
    changed = any(paytables[kind] != report.terms.paytables[kind] for kind in main.paytable_kinds)
    tables = " ".join(report.terms.paytables[kind].id for kind in main.paytable_kinds)
    remark = (
        f"Main and what depends on it are played as is best for {tables}; other pays may have a better play."
        if changed
        else report.remark
    )
    before = report.terms.paytables
    sheets = tuple(reprice_sheet(sheet, paytables, previous=before) for sheet in report.sheets)
    beside = {
        bet: tuple(each if each.wager is main else _reprice_side_sheet(each, paytables, before) for each in others)
        for bet, others in report.other_paytables.items()
    }
    for sheet in report.sheets:
        if any(table not in paytables.values() for table in sheet.paytables):
            beside[sheet.wager.id] = (sheet, *beside.get(sheet.wager.id, ()))
    again = replace(report, sheets=sheets, other_paytables=beside, covariance_report=None, effects=(), remark=remark)
    again = replace(
        again, terms=replace(report.terms, paytables=paytables), strategy_costs=() if changed else report.strategy_costs
    )
    return add_session(again) if changed else again


def _reprice_side_sheet(
    sheet: ParSheet, paytables: Mapping[str, PayTable], previous: Mapping[str, PayTable]
) -> ParSheet:
    """Return the sheet of a side bet under its own table, and for other bets under those chosen now."""
    return reprice_sheet(sheet, {**paytables, **{table.kind: table for table in sheet.paytables}}, previous=previous)


def add_session(report: GameReport) -> GameReport:
    """Carry a session of main through its rounds."""
    if report.main_sheet is None:
        return report
    unit = lcm(*(line.net.denominator for line in report.main_sheet.lines))
    nets: dict[int, int] = {}
    for line in report.main_sheet.lines:
        nets[int(line.net * unit)] = nets.get(int(line.net * unit), 0) + line.deals
    return replace(report, session=compute_session(nets, report.assumptions.session_rounds), units_per_ante=unit)


def _make_other_sheets(
    terms: GameTerms, sheets: list[ParSheet], open_progress: OpenProgress, *, full: bool
) -> dict[str, tuple[ParSheet, ...]]:
    """Return each bet's sheets with one built-in pay table in the place of the one chosen; main's if they are kept."""
    found = {}
    for sheet in sheets:
        others: list[ParSheet] = []
        for kind in sheet.wager.paytable_kinds if sheet.strategy != "joint" else ():
            for table in load_builtin_paytables(sheet.game):
                if table.kind == kind and table.id != terms.paytables[kind].id:
                    others += _make_sheets_under(
                        sheet, GameTerms({**terms.paytables, kind: table}, terms.options), open_progress, full=full
                    )
        if others:
            found[sheet.wager.id] = tuple(others)
    return found


def _make_sheets_under(
    sheet: ParSheet, terms: GameTerms, open_progress: OpenProgress, *, full: bool
) -> Iterator[ParSheet]:
    game, wager = sheet.game, sheet.wager
    if wager is not game.wagers[0]:
        yield reprice_sheet(sheet, terms.paytables)  # main is paid as before, so it is played as before
    elif full or get_cached_solution(game, terms.paytables, terms.options) is not None:
        with open_progress(f"{wager.name} of {game.name}") as progress:
            yield compute_par_sheet(game, wager, terms, progress)


def _compute_strategy_costs(
    game: Game, terms: GameTerms, open_progress: OpenProgress, *, full: bool
) -> Iterator[StrategyCost]:
    """Yield the best play, and what strategies come to, or no play if it would take long."""
    written = load_strategies(game)
    kept = all(get_cached_solution(game, terms.paytables, terms.options, strategy) is not None for strategy in written)
    if written and (full or kept or not hasattr(load_solver(game), "pieces")):
        yield from compute_strategy_costs(game, terms.paytables, terms.options, open_progress)


def _simulate_costs(game: Game, terms: GameTerms, open_progress: OpenProgress) -> tuple[SimulatedStrategyCost, ...]:
    rounds = get_simulated_rounds(game)
    if not rounds:
        return ()
    with open_progress(f"{rounds} rounds of {game.name}") as progress:
        return simulate_strategy_costs(game, terms.paytables, terms.options, rounds, progress)
