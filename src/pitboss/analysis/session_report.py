"""A session of one player from a simulation: results at a pace, on a bankroll."""

from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from pitboss.analysis.round_exposure import compute_max_wager
from pitboss.analysis.simulation_report import SimulationReport
from pitboss.core.progress import ProgressCallback, ignore_progress
from pitboss.simulate.session_distribution import Pace, SessionDistribution, compute_session

PERCENTS = (1, 5, 25, 50, 75, 95, 99)


@dataclass(frozen=True)
class SessionOutcome:
    """A session's outcome.

    ``distribution`` counts in units, ``unit`` of them to one Ante; ``mean_net`` and its ``standard_error``,
    ``bankroll`` and ``max_wager`` are in Antes.
    """

    distribution: SessionDistribution
    unit: int
    mean_net: Fraction
    standard_error: float
    simulated_rounds: int
    pace: Pace
    bankroll: Fraction | None
    max_wager: Fraction

    @property
    def win_error(self) -> float:
        """The standard error of the house's win an hour, in Antes."""
        return abs(float(self.pace.compute_house_win(Fraction(self.standard_error))))

    def as_json(self) -> dict[str, object]:
        """Return the figures in Antes by their names in JSON."""
        distribution = self.distribution
        ruin: dict[str, object] = {}
        if self.bankroll is not None:
            ruin = {
                "bankroll": float(self.bankroll),
                "needed": float(self.max_wager),
                "risk_of_ruin": distribution.risk_of_ruin,
            }
        return {
            "rounds": distribution.rounds,
            "rounds_an_hour": self.pace.rounds_per_hour,
            "hours": float(self.pace.compute_hours(distribution.rounds)),
            **ruin,
            **session_as_json(distribution, self.unit),
            "house_wins_an_hour": float(self.pace.compute_house_win(self.mean_net)),
            "house_wins_an_hour_standard_error": self.win_error,
            "neglected_probability": distribution.neglected_probability,
        }


def session_as_json(distribution: SessionDistribution, unit: int) -> dict[str, object]:
    """Return a distribution in Antes by its names in JSON; an Ante is ``unit`` units."""
    return {
        "mean": distribution.mean / unit,
        "standard_deviation": distribution.standard_deviation / unit,
        "ahead": distribution.probability_ahead,
        "even": distribution.probability_even,
        "percentiles": {str(percent): distribution.percentile(percent) / unit for percent in PERCENTS},
    }


def report_session(
    simulation: SimulationReport,
    rounds: int,
    pace: Pace,
    bankroll: Fraction | None = None,
    progress: ProgressCallback = ignore_progress,
) -> SessionOutcome:
    """Report a session in which nets are as frequent as in the simulation.

    Raises:
        SessionError: there are no rounds or too many, or the bankroll does not cover the first (``compute_session``).
    """
    round_weights = simulation.round_weights
    nets = simulation.figures.histogram(round_weights)
    max_wager = compute_max_wager(simulation.game, simulation.terms.stakes)
    unit = lcm(max_wager.denominator, (bankroll or max_wager).denominator, *(net.denominator for net in nets))
    distribution = compute_session(
        {int(net * unit): times for net, times in nets.items()},
        rounds,
        None if bankroll is None else int(bankroll * unit),
        int(max_wager * unit),
        progress,
    )
    figures = simulation.figures
    mean, error = figures.mean(round_weights), figures.standard_error(round_weights)
    return SessionOutcome(distribution, unit, mean, error, simulation.counts.rounds, pace, bankroll, max_wager)
