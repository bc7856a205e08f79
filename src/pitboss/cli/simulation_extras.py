"""Sessions and meters as people read them: what a simulation comes to for a player's evening and a house's year."""

import re
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Self

from rich.console import Group
from rich.text import Text

from pitboss.analysis.exact_par_sheet import GameTerms
from pitboss.analysis.session_report import PERCENTS, SessionOutcome, compute_max_wager, report_session
from pitboss.analysis.simulation_report import SimulationReport
from pitboss.cli.grids import make_console, make_figures_grid
from pitboss.cli.progress import show_progress
from pitboss.contract import Game, PayTable
from pitboss.core.errors import SessionError, WagerError
from pitboss.core.money import parse_cents
from pitboss.options import get_meter_terms
from pitboss.paytables import find_progressive_table
from pitboss.reports.charts import draw_meter_chart, draw_session_chart, verify_chart, write_chart
from pitboss.simulate.meter_simulation import (
    MeterHistory,
    MeterSimulation,
    MeterTotal,
    ProgressiveSetup,
    build_progressive_setup,
    meter_history_as_json,
)
from pitboss.simulate.ordered_outcomes import OutcomeObserver
from pitboss.simulate.session_distribution import Pace, verify_session

_METER_PERCENTS = (5, 50, 95, 99)
_PERCENT = re.compile(r"([0-9]{1,3})(?:\.([0-9]{1,2}))?%?")
_ANTES = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,4})?")


@dataclass(frozen=True, slots=True)
class ExtrasRequest:
    """What is asked for beside the means: a session, a meter under what terms, a chart of either.

    All of it is checked before a round is played; texts are as a person wrote them.
    """

    game: Game
    terms: GameTerms
    session: int | None
    bankroll: str | None
    pace: int
    meter: bool
    contribution: str | None
    reserve: str | None
    meter_seed: str | None
    chart: Path | None

    def verify(self) -> Self:
        """Return this once all that can be checked before a round is played has been.

        Raises:
            SessionError: a session that cannot be, a bankroll or a chart without one, no figure where one is needed.
            WagerError: a meter is asked for and no progressive wager is staked.
            ReportError: the chart cannot be drawn or written.
        """
        if self.bankroll is not None and self.session is None:
            raise SessionError("--bankroll is for a session: give --session ROUNDS too")
        if self.session is not None:
            verify_session(self.session, self._bankroll, compute_max_wager(self.game, self.terms.stakes))
        _ = self.progressive_setup
        if self.chart is not None:
            if self.session is None and self.progressive_setup is None:
                raise SessionError("--chart draws a session or a meter: give --session ROUNDS or --meter")
            verify_chart(self.chart)
        return self

    @property
    def _bankroll(self) -> Fraction | None:
        if self.bankroll is None:
            return None
        if not _ANTES.fullmatch(self.bankroll):
            raise SessionError(f"{self.bankroll!r} is no bankroll: write Antes, as 50 or 50.5")
        return Fraction(self.bankroll)

    @property
    def progressive_setup(self) -> ProgressiveSetup | None:
        """How the house runs the progressive, if it was asked for."""
        changed = (self.contribution, self.reserve, self.meter_seed)
        if not self.meter and changed == (None, None, None):
            return None
        table = find_progressive_table(self.terms.paytables)
        if table is None or table.progressive is None or table.bet not in self.terms.stakes:
            raise WagerError("a meter is for a progressive wager: none is staked")
        rules = get_meter_terms(self.terms.options, table.progressive.seed_cents)
        return build_progressive_setup(self.game.wagers[self._find_wager_index(table)], table, rules).with_rates(
            None if self.contribution is None else parse_basis_points(self.contribution),
            None if self.reserve is None else parse_basis_points(self.reserve),
            None if self.meter_seed is None else parse_cents(self.meter_seed),
        )

    def _find_wager_index(self, table: PayTable) -> int:
        return [wager.id for wager in self.game.wagers].index(table.bet)

    def make_meter_simulation(self, seats: int, rounds: int) -> tuple[MeterSimulation | None, OutcomeObserver | None]:
        """Return the meter asked for, to be carried through the rounds of a simulation, and what shows it those.

        Raises:
            SessionError: the rounds are too few.
        """
        run, table = self.progressive_setup, find_progressive_table(self.terms.paytables)
        if run is None or table is None:
            return None, None
        carried = MeterSimulation(run, seats, rounds)
        return carried, OutcomeObserver(self._find_wager_index(table), carried.add_rounds)

    def collect(self, simulation: SimulationReport, meter: MeterSimulation | None) -> "ExtrasResult":
        """Return what was asked for, from the rounds simulated, and write the chart."""
        found = ExtrasResult(self, self._compute_session(simulation), meter.get_history() if meter else None)
        found.write_chart()
        return found

    def _compute_session(self, simulation: SimulationReport) -> SessionOutcome | None:
        """Return the session asked for, from the rounds simulated."""
        if self.session is None:
            return None
        with show_progress(f"a session of {self.session:,} rounds") as progress:
            return report_session(
                simulation, self.session, Pace(self.pace, simulation.counts.seats), self._bankroll, progress
            )


@dataclass(frozen=True, slots=True)
class ExtrasResult:
    """What came of what was wanted."""

    request: ExtrasRequest
    session_outcome: SessionOutcome | None
    meter: MeterHistory | None

    def as_json(self) -> dict[str, object]:
        """Return the figures by their names in JSON."""
        found: dict[str, object] = {}
        if self.session_outcome:
            found["session"] = self.session_outcome.as_json()
        if self.meter:
            found["meter"] = meter_history_as_json(self.meter)
        return found

    def print(self) -> None:
        """Print the figures."""
        console = make_console()
        for each in (
            self.session_outcome and render_session(self.session_outcome),
            self.meter and render_meter(self.meter),
        ):
            if each:
                console.print(each)
                console.print()

    def write_chart(self) -> None:
        """Write the chart asked for."""
        if self.request.chart is None:
            return
        name = self.request.game.name
        if self.session_outcome:
            title = f"{name}: a session of {self.session_outcome.distribution.rounds:,} rounds"
            write_chart(
                draw_session_chart(self.session_outcome.distribution, self.session_outcome.unit, title),
                self.request.chart,
            )
        elif self.meter:
            title = f"{name}: the meter in {self.meter.get_total(MeterTotal.ROUNDS):,} rounds"
            write_chart(draw_meter_chart(self.meter, title), self.request.chart)


def parse_basis_points(percent: str) -> int:
    """Read a percentage, with or without its sign, as basis points.

    >>> parse_basis_points("70%"), parse_basis_points("12.5")
    (7000, 1250)

    Raises:
        SessionError: it is no percentage of at most two places.
    """
    match = _PERCENT.fullmatch(percent.strip())
    if match is None:
        raise SessionError(f"{percent!r} is no percentage: write 70% or 12.5%")
    whole, places = match.groups()
    return int(whole) * 100 + int((places or "0").ljust(2, "0"))


def render_session(outcome: SessionOutcome) -> Group:
    """Draw a session: how long it lasts, how it ends, what the house wins by it."""
    found, unit, pace = outcome.distribution, outcome.unit, outcome.pace
    table = make_figures_grid()
    hours = f"{float(pace.compute_hours(found.rounds)):.1f} hours at {pace.rounds_an_hour} rounds an hour"
    table.add_row("Rounds", f"{found.rounds:,}", hours)
    if outcome.bankroll is not None:
        ends = f"Antes; it ends when less than {float(outcome.max_wager):g} is left"
        table.add_row("Bankroll", f"{float(outcome.bankroll):,g}", ends)
        table.add_row("Risk of ruin", f"{found.risk_of_ruin:.4%}", style="bold")
    table.add_row("Mean result", f"{found.mean / unit:+,.4f}", "Antes")
    table.add_row("Standard deviation", f"{found.standard_deviation / unit:,.4f}")
    table.add_row("Ends ahead", f"{found.probability_ahead:.4%}")
    table.add_row("Ends even", f"{found.probability_even:.4%}")
    table.add_row("Ends behind", f"{1 - found.probability_ahead - found.probability_even:.4%}")
    for percent in PERCENTS:
        table.add_row(f"{percent}% end at or below", f"{found.percentile(percent) / unit:+,g}")
    seats = f"from {pace.seats} seat{'' if pace.seats == 1 else 's'}"
    table.add_row(
        "The house wins", f"{float(pace.compute_house_win(outcome.mean_net)):+,.4f}", f"Antes an hour {seats}"
    )
    return Group(Text("A session", "bold"), table)


def render_meter(history: MeterHistory) -> Group:
    """Draw what a progressive came to."""
    table = make_figures_grid()
    rounds, dry, jackpots = (
        history.get_total(tally) for tally in (MeterTotal.ROUNDS, MeterTotal.DRY, MeterTotal.JACKPOTS)
    )
    run = history.setup
    seats = f"{history.seats} seat{'' if history.seats == 1 else 's'}, a dollar each"
    table.add_row("Rounds", f"{rounds:,}", seats)
    shares = f"{run.meter_bps / 100:g}% to the meter, {run.reserve_bps / 100:g}% to the reserve"
    table.add_row("Wagered", _format_dollars(history.get_total(MeterTotal.WAGERS)), shares)
    error = f"standard error {history.standard_error:.4%}"
    table.add_row("The house holds", f"{float(history.hold):.4%}", error, style="bold")
    often = (
        f"1 round in {rounds / dry:,.0f}; the tray paid {_format_dollars(history.get_total(MeterTotal.SHORT))}"
        if dry
        else "never"
    )
    table.add_row("Runs dry", f"{dry:,}", often)
    if jackpots:
        mean = f"mean {_format_dollars(history.get_total(MeterTotal.JACKPOTS_PAID) / jackpots)}, "
        highest = f"highest {_format_dollars(history.get_total(MeterTotal.HIGHEST_JACKPOT))}"
        table.add_row("Jackpots", f"{jackpots:,}", mean + highest)
    else:
        table.add_row("Jackpots", "0")
    table.add_row(
        "Meter, mean",
        _format_dollars(history.mean_display_cents),
        f"from a seed of {_format_dollars(run.terms.seed_cents)}",
    )
    for percent in _METER_PERCENTS:
        table.add_row(f"{percent}% of rounds below", _format_dollars(history.display_percentile_cents(percent)))
    table.add_row("Meter, highest", _format_dollars(history.get_total(MeterTotal.HIGHEST)))
    return Group(Text("The progressive", "bold"), table)


def _format_dollars(cents: float | Fraction) -> str:
    return f"${float(cents) / 100:,.2f}"
