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
from pitboss.reports.options import Effect, effects
from pitboss.reports.pricing import priced
from pitboss.simulate.session_distribution import SessionDistribution, compute_session
from pitboss.strategies import load_strategies


@dataclass(frozen=True, slots=True)
class Stated:
    """What a report takes for granted: the pace of a table, an average bet, how long a session is."""

    rounds_an_hour: int = 40
    average_bet_cents: int = 2_500
    session_rounds: int = 200


@dataclass(frozen=True, slots=True)
class Report:
    """What there is to say of a game, exact unless a figure says otherwise.

    ``beside`` has for a bet its sheets under the other built-in pay tables, ``not_counted`` why a bet has no sheet,
    ``compute_strategy_costs`` the best play and the strategies that can be written down, ``simulated`` where those err
    if that is not counted, ``effects`` what options change.  ``compute_session`` is one of main alone, bet flat;
    ``unit`` of its units are one Ante.  What has not been found, and is not to be (``report_of``), is empty.
    ``remark`` says what is peculiar.
    """

    game: Game
    terms: GameTerms
    sheets: tuple[ParSheet, ...]
    stated: Stated = field(default_factory=Stated)
    not_counted: Mapping[str, str] = field(default_factory=dict)
    beside: Mapping[str, tuple[ParSheet, ...]] = field(default_factory=dict)
    together: CovarianceReport | None = None
    plays: tuple[StrategyCost, ...] = ()
    simulated: tuple[SimulatedStrategyCost, ...] = ()
    effects: tuple[Effect, ...] = ()
    session: SessionDistribution | None = None
    unit: int = 1
    remark: str = ""

    @property
    def main(self) -> ParSheet | None:
        """The sheet of main, None where there is none."""
        return next((sheet for sheet in self.sheets if sheet.wager is self.game.wagers[0]), None)

    def house_wins_cents(self, sheet: ParSheet) -> Fraction:
        """Return what the house wins of a bet an hour from a seat, the average bet held within the bet's limits."""
        return sheet.house_edge * self.bet_cents(sheet.wager) * self.stated.rounds_an_hour

    def bet_cents(self, wager: Wager) -> int:
        """Return the average bet, held within the limits of a wager."""
        limits = wager.limits
        return max(limits.minimum_cents, min(limits.maximum_cents, self.stated.average_bet_cents))


def report_of(
    game: Game,
    terms: GameTerms,
    watching: OpenProgress,
    *,
    bets: Container[str] | None = None,
    meter_cents: int | None = None,
    stated: Stated | None = None,
    full: bool = False,
    quick: bool = False,
) -> Report:
    """Return the report of a game under ``terms``; ``watching`` tells of what has to be found first, and is then kept.

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
            with watching(f"{wager.name} of {game.name}") as progress:
                sheets.append(compute_par_sheet(game, wager, terms, progress, meter_cents if has_meter else None))
    report = with_session(
        Report(
            game=game,
            terms=terms,
            sheets=tuple(sheets),
            stated=stated or Stated(),
            not_counted=left_out,
            beside=_beside(terms, sheets, watching, full=full),
        )
    )
    if quick:
        return report
    with watching(f"how the bets of {game.name} move together") as progress:
        moves = report_covariances(game, terms, sheets, progress)
    found = tuple(_plays(game, terms, watching, full=full)) if game.solver and report.main else ()
    return replace(
        report,
        together=moves,
        plays=found,
        simulated=_simulated(game, terms, watching) if full and found else (),
        effects=effects(game, terms, sheets, watching, full=full),
    )


def priced_report(report: Report, chosen: Mapping[str, PayTable]) -> Report:
    """Return a report at once under other pay tables: the same deals, and the play of before (``pricing.priced``).

    What would have to be found again is left out, and a remark says so.
    """
    main = report.game.wagers[0]
    changed = any(chosen[kind] != report.terms.paytables[kind] for kind in main.paytable_kinds)
    tables = " ".join(report.terms.paytables[kind].id for kind in main.paytable_kinds)
    remark = (
        f"Main and what depends on it are played as is best for {tables}; other pays may have a better play."
        if changed
        else report.remark
    )
    before = report.terms.paytables
    sheets = tuple(priced(sheet, chosen, before=before) for sheet in report.sheets)
    beside = {
        bet: tuple(each if each.wager is main else _priced_beside(each, chosen, before) for each in others)
        for bet, others in report.beside.items()
    }
    for sheet in report.sheets:
        if any(table not in chosen.values() for table in sheet.paytables):
            beside[sheet.wager.id] = (sheet, *beside.get(sheet.wager.id, ()))
    again = replace(report, sheets=sheets, beside=beside, together=None, effects=(), remark=remark)
    again = replace(again, terms=replace(report.terms, paytables=chosen), plays=() if changed else report.plays)
    return with_session(again) if changed else again


def _priced_beside(sheet: ParSheet, chosen: Mapping[str, PayTable], before: Mapping[str, PayTable]) -> ParSheet:
    """Return the sheet of a side bet under its own table, and for other bets under those chosen now."""
    return priced(sheet, {**chosen, **{table.kind: table for table in sheet.paytables}}, before=before)


def with_session(report: Report) -> Report:
    """Carry a session of main through its rounds."""
    if report.main is None:
        return report
    unit = lcm(*(line.net.denominator for line in report.main.lines))
    nets: dict[int, int] = {}
    for line in report.main.lines:
        nets[int(line.net * unit)] = nets.get(int(line.net * unit), 0) + line.deals
    return replace(report, session=compute_session(nets, report.stated.session_rounds), unit=unit)


def _beside(
    terms: GameTerms, sheets: list[ParSheet], watching: OpenProgress, *, full: bool
) -> dict[str, tuple[ParSheet, ...]]:
    """Return each bet's sheets with one built-in pay table in the place of the one chosen; main's if they are kept."""
    found = {}
    for sheet in sheets:
        others: list[ParSheet] = []
        for kind in sheet.wager.paytable_kinds if sheet.strategy != "joint" else ():
            for table in load_builtin_paytables(sheet.game):
                if table.kind == kind and table.id != terms.paytables[kind].id:
                    others += _under(
                        sheet, GameTerms({**terms.paytables, kind: table}, terms.options), watching, full=full
                    )
        if others:
            found[sheet.wager.id] = tuple(others)
    return found


def _under(sheet: ParSheet, terms: GameTerms, watching: OpenProgress, *, full: bool) -> Iterator[ParSheet]:
    game, wager = sheet.game, sheet.wager
    if wager is not game.wagers[0]:
        yield priced(sheet, terms.paytables)  # main is paid as before, so it is played as before
    elif full or get_cached_solution(game, terms.paytables, terms.options) is not None:
        with watching(f"{wager.name} of {game.name}") as progress:
            yield compute_par_sheet(game, wager, terms, progress)


def _plays(game: Game, terms: GameTerms, watching: OpenProgress, *, full: bool) -> Iterator[StrategyCost]:
    """Yield the best play, and what strategies come to, or no play if it would take long."""
    written = load_strategies(game)
    kept = all(get_cached_solution(game, terms.paytables, terms.options, strategy) is not None for strategy in written)
    if written and (full or kept or not hasattr(load_solver(game), "pieces")):
        yield from compute_strategy_costs(game, terms.paytables, terms.options, watching)


def _simulated(game: Game, terms: GameTerms, watching: OpenProgress) -> tuple[SimulatedStrategyCost, ...]:
    rounds = get_simulated_rounds(game)
    if not rounds:
        return ()
    with watching(f"{rounds} rounds of {game.name}") as progress:
        return simulate_strategy_costs(game, terms.paytables, terms.options, rounds, progress)
