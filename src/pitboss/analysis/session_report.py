"""What a simulation comes to for whoever sits down for an evening: a session at a pace, on a bankroll."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from pitboss.analysis.simulation_report import SimulationReport
from pitboss.contract import Game
from pitboss.core.progress import ProgressCallback, ignore_progress
from pitboss.simulate.session_distribution import Pace, SessionDistribution, compute_session

PERCENTS = (1, 5, 25, 50, 75, 95, 99)


@dataclass(frozen=True)
class SessionOutcome:
    """A session in units of which ``unit`` are one Ante; what is staked, won and brought is in Antes otherwise."""

    distribution: SessionDistribution
    unit: int
    mean_net: Fraction
    pace: Pace
    bankroll: Fraction | None
    max_wager: Fraction

    def as_json(self) -> dict[str, object]:
        """Return its figures in Antes."""
        found, unit = self.distribution, self.unit
        ruin: dict[str, object] = {}
        if self.bankroll is not None:
            ruin = {
                "bankroll": float(self.bankroll),
                "needed": float(self.max_wager),
                "risk_of_ruin": found.risk_of_ruin,
            }
        return {
            "rounds": found.rounds,
            "rounds_an_hour": self.pace.rounds_an_hour,
            "hours": float(self.pace.compute_hours(found.rounds)),
            **ruin,
            "mean": found.mean / unit,
            "standard_deviation": found.standard_deviation / unit,
            "ahead": found.probability_ahead,
            "even": found.probability_even,
            "percentiles": {str(percent): found.percentile(percent) / unit for percent in PERCENTS},
            "house_wins_an_hour": float(self.pace.compute_house_win(self.mean_net)),
            "neglected_probability": found.neglected_probability,
        }


def compute_max_wager(game: Game, stakes: Mapping[str, Fraction]) -> Fraction:
    """Return the most that a round may ask for, in Antes: every wager staked, raised as far as it can be.

    >>> from pitboss.games import load_game
    >>> compute_max_wager(game_named("six-card"), {"main": Fraction(1), "aces-up": Fraction(1, 2)})
    Fraction(5, 2)
    """
    raised = {wager.id: max(sum(leg.stake for leg in each.legs) for each in wager.outcomes) for wager in game.wagers}
    return sum((stake * raised[bet] for bet, stake in stakes.items()), Fraction(0))


def report_session(
    simulation: SimulationReport,
    rounds: int,
    pace: Pace,
    bankroll: Fraction | None = None,
    progress: ProgressCallback = ignore_progress,
) -> SessionOutcome:
    """Return what becomes of a session of ``rounds`` rounds whose nets come as often as they were simulated.

    Raises:
        SessionError: there are no rounds or too many, or the bankroll does not cover the first (``compute_session``).
    """
    every = simulation.round_weights
    nets, needed = simulation.figures.histogram(every), compute_max_wager(simulation.game, simulation.terms.stakes)
    unit = lcm(needed.denominator, (bankroll or needed).denominator, *(net.denominator for net in nets))
    found = compute_session(
        {int(net * unit): times for net, times in nets.items()},
        rounds,
        None if bankroll is None else int(bankroll * unit),
        int(needed * unit),
        progress,
    )
    return SessionOutcome(found, unit, simulation.figures.mean(every), pace, bankroll, needed)
