"""What ``pitboss simulate`` reports beyond the means.

It is a player's session, a progressive's meter, and a chart of either.
"""

import re
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from rich.console import Group
from rich.text import Text

from pitboss.analysis.game_terms import GameTerms
from pitboss.analysis.round_exposure import compute_max_wager
from pitboss.analysis.session_report import SessionOutcome, report_session
from pitboss.analysis.simulation_report import SimulationReport
from pitboss.cli.arguments import parse_dollars, verify_percent_sign
from pitboss.cli.progress import show_progress
from pitboss.cli.terminal_tables import make_console, make_figures_table
from pitboss.contract import Game, PayTable
from pitboss.core.errors import SessionError, WagerError, quote
from pitboss.core.money import format_cents
from pitboss.core.numbers import format_count
from pitboss.options import get_meter_settings
from pitboss.paytables import find_progressive_table
from pitboss.reports.chart_style import verify_chart, write_chart
from pitboss.reports.formatting import format_percent
from pitboss.reports.par_page import list_session_rows
from pitboss.reports.simulation_charts import draw_meter_chart, draw_session_chart
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
from pitboss.value_units import name_value_unit

_METER_PERCENTS = (5, 50, 95, 99)
_DIGITS = 2
"""Of figures that the luck of the simulated rounds changes."""

_PERCENT = re.compile(r"([0-9]{1,3})(?:\.([0-9]{1,2}))?%?")
_ANTES = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,4})?")


@dataclass(frozen=True, slots=True)
class ExtrasRequest:
    """What the user asks for beyond the means.

    It is a session, a meter and its setup, and a chart of either.  ``verify`` checks all of it before a round is
    played; texts are as the user typed them.
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

    def verify(self) -> None:
        """Check all that can be checked before a round is played.

        Raises:
            SessionError: the session is impossible, a bankroll or chart is given without it, or a figure is malformed.
            WagerError: a meter is requested but no progressive wager is staked.
            ReportError: the chart cannot be drawn or written.
        """
        if self.bankroll is not None and self.session is None:
            raise SessionError("--bankroll is for a session: give --session ROUNDS too", code="needs-session")
        if self.session is not None:
            cost, unit = compute_max_wager(self.game, self.terms.stakes), name_value_unit(self.game)
            verify_session(self.session, self._bankroll, cost, unit)
        _ = self.progressive_setup
        if self.chart is not None:
            if self.session is None and self.progressive_setup is None:
                raise SessionError(
                    "--chart draws a session or a meter: give --session ROUNDS or --meter", code="nothing-to-draw"
                )
            verify_chart(self.chart)

    @property
    def _bankroll(self) -> Fraction | None:
        if self.bankroll is None:
            return None
        if not _ANTES.fullmatch(self.bankroll):
            raise SessionError(
                f"--bankroll {quote(self.bankroll)} is not a bankroll: write {name_value_unit(self.game)}, for example "
                "50 or 50.5",
                code="invalid-bankroll",
                bankroll=self.bankroll,
            )
        return Fraction(self.bankroll)

    @property
    def progressive_setup(self) -> ProgressiveSetup | None:
        """The setup of the progressive, if it was requested."""
        changes = (self.contribution, self.reserve, self.meter_seed)
        if not self.meter and changes == (None, None, None):
            return None
        table = find_progressive_table(self.terms.paytables)
        if table is None or table.progressive is None or table.bet not in self.terms.stakes:
            raise WagerError("a meter is for a progressive wager: none is staked", code="no-meter")
        rules = get_meter_settings(self.terms.options, table.progressive.seed_cents)
        return build_progressive_setup(self.game.wagers[self._find_wager_index(table)], table, rules).with_rates(
            None if self.contribution is None else parse_basis_points(self.contribution, "--contribution"),
            None if self.reserve is None else parse_basis_points(self.reserve, "--reserve"),
            None if self.meter_seed is None else parse_dollars(self.meter_seed, "--meter-seed"),
        )

    def _find_wager_index(self, table: PayTable) -> int:
        return [wager.id for wager in self.game.wagers].index(table.bet)

    def make_meter_simulation(self, seats: int, rounds: int) -> tuple[MeterSimulation | None, OutcomeObserver | None]:
        """Return the requested meter simulation and its observer.

        The observer feeds it the rounds of a simulation.

        Raises:
            SessionError: the rounds are too few.
        """
        setup, table = self.progressive_setup, find_progressive_table(self.terms.paytables)
        if setup is None or table is None:
            return None, None
        simulation = MeterSimulation(setup, seats, rounds)
        return simulation, OutcomeObserver(self._find_wager_index(table), simulation.add_rounds)

    def collect(self, simulation: SimulationReport, meter: MeterSimulation | None) -> "ExtrasResult":
        """Compute the requested results from the simulated rounds, and write the chart."""
        result = ExtrasResult(self, self._compute_session(simulation), meter.get_history() if meter else None)
        result.write_chart()
        return result

    def _compute_session(self, simulation: SimulationReport) -> SessionOutcome | None:
        """Return the requested session, computed from the simulated rounds."""
        if self.session is None:
            return None
        with show_progress(f"a session of {self.session:,} rounds") as progress:
            return report_session(
                simulation, self.session, Pace(self.pace, simulation.counts.seats), self._bankroll, progress
            )


@dataclass(frozen=True, slots=True)
class ExtrasResult:
    """The results of an ``ExtrasRequest``: session, meter, or both."""

    request: ExtrasRequest
    session_outcome: SessionOutcome | None
    meter: MeterHistory | None

    def as_json(self) -> dict[str, object]:
        """Return the figures as JSON data."""
        data: dict[str, object] = {}
        if self.session_outcome:
            data["session"] = self.session_outcome.as_json()
        if self.meter:
            data["meter"] = meter_history_as_json(self.meter)
        return data

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
        """Write the requested chart, if there is one."""
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


def parse_basis_points(percent: str, option: str) -> int:
    """Parse a percentage with its sign as basis points.

    >>> parse_basis_points("70%", "--contribution"), parse_basis_points("12.5%", "--reserve")
    (7000, 1250)

    Raises:
        PitbossError: the sign is missing.
        SessionError: the text is not a percentage with at most two decimal places.
    """
    verify_percent_sign(percent, option, "70% or 12.5%")
    match = _PERCENT.fullmatch(percent.strip())
    if match is None:
        raise SessionError(
            f"{option} {quote(percent)} is not a percentage: write for example 70% or 12.5%",
            code="invalid-percentage",
            percent=percent,
        )
    whole, places = match.groups()
    return int(whole) * 100 + int((places or "0").ljust(2, "0"))


def render_session(outcome: SessionOutcome) -> Group:
    """Draw a session: how long it lasts, how it ends, what the house wins."""
    distribution, pace = outcome.distribution, outcome.pace
    first, *rest = list_session_rows(distribution, outcome.unit, pace.rounds_per_hour, digits=_DIGITS)
    bankroll = []
    if outcome.bankroll is not None:
        remark = f"Antes; it ends when less than {float(outcome.max_wager):g} is left"
        bankroll = [
            ("Bankroll", f"{float(outcome.bankroll):,g}", remark),
            ("Risk of ruin", format_percent(distribution.risk_of_ruin, _DIGITS), ""),
        ]
    won = f"{float(pace.compute_house_win(outcome.mean_net)):+,.{_DIGITS}f}"
    remark = f"Antes an hour from {format_count(pace.seats, 'seat')}; standard error {outcome.win_error:,.{_DIGITS}f}"
    last = "The house wins", won, remark
    rows = first, *bankroll, *rest, last
    title = Text.assemble(("A session", "bold"), f", from {format_count(outcome.simulated_rounds, 'simulated round')}")
    note = Text(
        "more rounds, closer figures; the risks of flat bets on main are exact in `pitboss chart GAME ruin`", "dim"
    )
    return Group(title, make_figures_table(rows, {2: "bold"} if bankroll else None), note)


def render_meter(history: MeterHistory) -> Group:
    """Draw the figures of a simulated progressive."""
    rounds, dry, jackpots = (
        history.get_total(tally) for tally in (MeterTotal.ROUNDS, MeterTotal.DRY, MeterTotal.JACKPOTS)
    )
    setup = history.setup
    shares = f"{setup.meter_bps / 100:g}% to the meter, {setup.reserve_bps / 100:g}% to the reserve"
    short = format_cents(history.get_total(MeterTotal.SHORT))
    dry_remark = f"1 round in {rounds / dry:,.0f}; the tray paid {short}" if dry else "never"
    jackpots_remark = ""
    if jackpots:
        mean = format_cents(round(history.get_total(MeterTotal.JACKPOTS_PAID) / jackpots))
        jackpots_remark = f"mean {mean}, highest {format_cents(history.get_total(MeterTotal.HIGHEST_JACKPOT))}"
    percentiles = (
        (f"{percent}% of rounds below", format_cents(round(history.display_percentile_cents(percent))), "")
        for percent in _METER_PERCENTS
    )
    rows = (
        ("Rounds", f"{rounds:,}", f"{format_count(history.seats, 'seat')}, a dollar each"),
        ("Wagered", format_cents(history.get_total(MeterTotal.WAGERS)), shares),
        ("The house keeps", format_percent(history.hold), f"standard error {format_percent(history.standard_error)}"),
        ("Runs dry", f"{dry:,}", dry_remark),
        ("Jackpots", f"{jackpots:,}", jackpots_remark),
        (
            "Meter, mean",
            format_cents(round(history.mean_display_cents)),
            f"from a seed of {format_cents(setup.settings.seed_cents)}",
        ),
        *percentiles,
        ("Meter, highest", format_cents(history.get_total(MeterTotal.HIGHEST)), ""),
    )
    return Group(Text("The progressive", "bold"), make_figures_table(rows, {2: "bold"}))
