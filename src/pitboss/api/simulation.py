"""Rounds simulated for callers: counts of every outcome, and averages."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from secrets import randbits
from typing import Any

from pitboss.analysis.game_terms import GameTerms
from pitboss.analysis.simulation_report import (
    ExactValues,
    SimulationReport,
    compute_exact_value,
    make_simulation,
    summarize_simulation,
)
from pitboss.contract import Game
from pitboss.core.errors import PitbossError, UnknownNameError
from pitboss.core.progress import ProgressCallback
from pitboss.core.read_only_dict import ReadOnlyDict
from pitboss.core.text import verify_text
from pitboss.simulate.runner import run_simulation, validate_simulation
from pitboss.tasks import Executor

_SEED_BITS = 32


@dataclass(frozen=True, slots=True, repr=False)
class SimulationResult:
    """The counts of a simulation, as exact integers.

    They are the same for a seed on any number of workers.

    >>> import pitboss as pb
    >>> result = pb.game("six-card").simulate(1_000, seed=7)
    >>> sum(result.counts["main"].values())
    1000
    """

    _report: SimulationReport
    _summary: Mapping[str, Any]
    _exact_values: ExactValues

    @property
    def rounds(self) -> int:
        """The number of rounds played."""
        return self._report.counts.rounds

    @property
    def seed(self) -> int:
        """The seed that plays these rounds again."""
        return int(self._summary["seed"])

    @property
    def strategy(self) -> str:
        """The strategy that was played."""
        return str(self._summary["strategy"])

    @property
    def against(self) -> str | None:
        """The strategy played on the same deals, None without one.

        ``to_dict`` has the differences of the averages.
        """
        return self._summary.get("against")

    @property
    def seats(self) -> int:
        """The number of seats, all of which play the strategy.

        >>> import pitboss as pb
        >>> pb.game("six-card").simulate(1_000, seed=7, seats=2, stakes={"main": 1}).seats
        2
        """
        return int(self._summary["seats"])

    @property
    def stakes(self) -> Mapping[str, Fraction]:
        """The stake on each bet, in Antes."""
        return ReadOnlyDict(dict(self._report.terms.stakes))

    @property
    def counts(self) -> Mapping[str, Mapping[str, int]]:
        """How often each bet ended in each of its outcomes, over all seats."""
        return ReadOnlyDict(
            {
                bet: ReadOnlyDict({line.outcome.name: line.deals for line in sheet.lines})
                for bet, sheet in self._report.sheets.items()
            }
        )

    def mean(self, bet: str = "") -> Fraction:
        """Return the average net of a bet, per unit staked.

        Without a bet it is that of all stakes of a seat in a round, in Antes.

        >>> import pitboss as pb
        >>> result = pb.game("six-card").simulate(1_000, seed=7)
        >>> result.mean("main"), round(result.standard_error("main"), 4)
        (Fraction(3, 250), 0.0495)

        Raises:
            Error: the bet was not staked.
        """
        return self._report.figures.mean(self._get_weights(bet))

    def standard_error(self, bet: str = "") -> float:
        """Return the standard error of ``mean(bet)`` (raises as ``mean``)."""
        return self._report.figures.standard_error(self._get_weights(bet))

    def _get_weights(self, bet: str) -> Any:
        verify_text(bet, "a bet", PitbossError)
        if bet and bet not in self.stakes:
            raise UnknownNameError("staked bet", bet, self.stakes)
        return self._report.get_bet_weights(bet) if bet else self._report.round_weights

    def to_dict(self) -> dict[str, Any]:
        """Return the data of ``pitboss simulate --json``, all but the speed."""
        return {**self._summary, **self._report.as_json(self._exact_values)}

    def __repr__(self) -> str:
        """Name what was played."""
        return f"<{self.rounds:,} rounds of {self._summary['game']} by {self.strategy}, seed {self.seed}>"


def simulate_rounds(
    game: Game,
    terms: GameTerms,
    rounds: int,
    strategies: tuple[str, str],
    seats: int,
    seed: int | None,
    executor: Executor,
    progress: ProgressCallback,
) -> SimulationResult:
    """Simulate as ``HouseGame.simulate`` describes.

    ``strategies`` are the one played and the one compared with.
    """
    used_seed = randbits(_SEED_BITS) if seed is None else seed
    simulation = make_simulation(game, terms, *strategies, seats)
    validate_simulation(simulation, rounds, used_seed)
    exact_values = {bet: compute_exact_value(game, bet, terms, simulation, None) for bet in terms.stakes}
    counts = run_simulation(simulation, rounds, used_seed, executor, progress)
    summary = summarize_simulation(simulation, used_seed, rounds)
    return SimulationResult(SimulationReport(game, terms, counts), summary, exact_values)
