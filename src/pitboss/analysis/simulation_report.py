"""Reports of what a simulation measured under pay tables and stakes.

They have the exact figures too where these are known.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from pitboss.analysis.census import count_outcomes, explain_uncounted, get_cached_counts
from pitboss.analysis.game_terms import GameTerms
from pitboss.analysis.par_sheet import ParSheet, build_par_sheet, value_as_json
from pitboss.analysis.side_stakes import depends_on_play, parse_side_stakes
from pitboss.analysis.simulated_strategy_cost import get_simulated_rounds
from pitboss.analysis.solutions import compute_main_nets, get_cached_solution, get_solution
from pitboss.contract import Game, HandOwner, Wager
from pitboss.core.errors import WagerError
from pitboss.core.progress import ProgressCallback
from pitboss.engine.solver_lookup import can_solve
from pitboss.options import get_wager_status
from pitboss.simulate.outcome_counts import OutcomeCounts, SampleStatistics, Weights
from pitboss.simulate.players import OPTIMAL, Player, find_player, find_strategy, get_default_player
from pitboss.simulate.runner import Simulation

ExactValues = Mapping[str, Fraction | None]
"""The exact expected value of each bet, None where it is not known."""


@dataclass(frozen=True, slots=True)
class SimulatedBet:
    """A bet in a simulation, per unit staked.

    ``exact_value`` is the exact expected value, None where it is unknown.
    """

    sheet: ParSheet
    standard_error: float
    exact_value: Fraction | None

    @property
    def mean(self) -> Fraction:
        """The average net."""
        return self.sheet.expected_value

    @property
    def z_score(self) -> float | None:
        """The number of standard errors from the exact value up to the mean.

        None where the exact value is unknown.
        """
        return None if self.exact_value is None else compute_z_score(self.mean, self.exact_value, self.standard_error)

    def as_json(self) -> dict[str, Any]:
        """Return the figures by their names in JSON."""
        known = {} if self.exact_value is None else {**value_as_json(self.exact_value), "z": self.z_score}
        return {
            "mean": float(self.mean),
            "standard_error": self.standard_error,
            "variance": float(self.sheet.variance),
            "standard_deviation": self.sheet.standard_deviation,
            "hit_frequency": float(self.sheet.hit_frequency),
            **known,
            "outcomes": {line.outcome.name: line.deals for line in self.sheet.lines},
        }


def compute_z_score(mean: Fraction, exact: Fraction, standard_error: float) -> float | None:
    """Return how many standard errors a mean lies above an exact value.

    Return None for a standard error of 0 if the two differ.

    >>> compute_z_score(Fraction(1, 2), Fraction(1, 4), 0.125)
    2.0
    """
    if standard_error:
        return float(mean - exact) / standard_error
    return 0.0 if mean == exact else None


@dataclass(frozen=True)
class SimulationReport:
    """The counts of a simulation with its pay tables and stakes.

    An Ante is one dollar if a table pays dollars.
    """

    game: Game
    terms: GameTerms
    counts: OutcomeCounts

    @property
    def is_comparison(self) -> bool:
        """Whether two strategies played the same deals."""
        return len(self.counts.outcomes) > len(self.game.wagers)

    @cached_property
    def sheets(self) -> Mapping[str, ParSheet]:
        """The simulated sheet of each staked bet."""
        return self._build_sheets(0)

    @cached_property
    def sheets_against(self) -> Mapping[str, ParSheet]:
        """The same for the other strategy, where two are compared."""
        return self._build_sheets(len(self.game.wagers))

    def _build_sheets(self, first: int) -> Mapping[str, ParSheet]:
        return {
            wager.id: build_par_sheet(
                self.game, wager, self.terms.paytables, self.terms.options, self.counts.count_wager(first + index)
            )
            for index, wager in enumerate(self.game.wagers)
            if wager.id in self.terms.stakes
        }

    @cached_property
    def figures(self) -> SampleStatistics:
        """The figures of every wager; wagers not staked net nothing."""
        nets = []
        for sheets in (self.sheets, self.sheets_against) if self.is_comparison else (self.sheets,):
            for wager in self.game.wagers:
                sheet = sheets.get(wager.id)
                nets.append([line.net for line in sheet.lines] if sheet else [Fraction(0)] * len(wager.outcomes))
        return SampleStatistics(self.counts, nets)

    def get_bet_weights(self, bet: str) -> Weights:
        """Return the weights of one unit on a bet."""
        return self._make_weights({bet: Fraction(1)}, Fraction(0))

    @property
    def round_weights(self) -> Weights:
        """The weights of a round."""
        return self._make_weights(self.terms.stakes, Fraction(0))

    def get_difference_weights(self, bet: str | None = None) -> Weights:
        """Return the weights of the first strategy's net minus the other's.

        They are those of ``bet``, or of a whole round if it is None.
        """
        return self._make_weights(self.terms.stakes if bet is None else {bet: Fraction(1)}, Fraction(-1))

    def _make_weights(self, stakes: Mapping[str, Fraction], other: Fraction) -> Weights:
        one = [stakes.get(wager.id, Fraction(0)) for wager in self.game.wagers]
        return [*one, *(other * each for each in one)] if self.is_comparison else one

    def get_differences(self) -> dict[str, Weights]:
        """Return the weights by which two strategies differ: of bets and the round."""
        weights = {bet: self.get_difference_weights(bet) for bet in self.terms.stakes}
        differing = {bet: each for bet, each in weights.items() if self.figures.variance(each)}
        return {**differing, "round": self.get_difference_weights()}

    def report_bet(self, bet: str, exact_value: Fraction | None) -> SimulatedBet:
        """Return the measured figures of a bet."""
        return SimulatedBet(self.sheets[bet], self.figures.standard_error(self.get_bet_weights(bet)), exact_value)

    def as_json(self, exact_values: ExactValues) -> dict[str, Any]:
        """Return the figures by their names in JSON, with the known exact values."""
        figures, bets, every = self.figures, list(self.terms.stakes), self.round_weights
        staked = [wager for wager in self.game.wagers if wager.id in self.terms.stakes]
        data: dict[str, Any] = {
            "paytables": [self.terms.paytables[kind].id for wager in staked for kind in wager.paytable_kinds],
            "options": dict(self.terms.options),
            "stakes": {bet: float(stake) for bet, stake in self.terms.stakes.items()},
            "bets": {bet: self.report_bet(bet, exact_values[bet]).as_json() for bet in bets},
            "round": {
                "mean": float(figures.mean(every)),
                "standard_error": figures.standard_error(every),
                "variance": float(figures.variance(every)),
                "histogram": [[float(net), times] for net, times in figures.histogram(every).items()],
            },
            "covariance": [
                {
                    "bets": [one, other],
                    "covariance": float(figures.covariance(self.get_bet_weights(one), self.get_bet_weights(other))),
                }
                for place, one in enumerate(bets)
                for other in bets[place + 1 :]
            ],
            "stub_renewed_rounds": self.counts.reshuffled_rounds,
        }
        if self.is_comparison:
            data["difference"] = {
                name: {"mean": float(figures.mean(weights)), "standard_error": figures.standard_error(weights)}
                for name, weights in self.get_differences().items()
            }
        return data


def make_simulation(game: Game, terms: GameTerms, strategy: str, against: str, seats: int) -> Simulation:
    """Return the simulation of a game, by its default strategy if none is named.

    Raises:
        UnknownNameError: the game has no strategy of this name.
        StrategyError: a strategy cannot be loaded or simulated (``find_player``).
    """
    return Simulation(
        game.id,
        tuple(terms.options.items()),
        find_player(game, strategy) if strategy else get_default_player(game),
        seats,
        sum(1 << index for index, each in enumerate(game.wagers) if each.id in terms.stakes),
        find_player(game, against) if against else None,
        compute_main_nets(game, terms.paytables),
    )


def summarize_simulation(simulation: Simulation, seed: int, rounds: int) -> dict[str, Any]:
    """Return what was simulated by its names in JSON."""
    return {
        "game": simulation.game,
        "strategy": simulation.player.name,
        **({"against": simulation.against.name} if simulation.against else {}),
        "seed": seed,
        "rounds": rounds,
        "seats": simulation.seats,
    }


def resolve_stakes(game: Game, options: Mapping[str, str], seats: int, stake_words: list[str]) -> dict[str, Fraction]:
    """Return all stakes in Antes: one on main, and the side stakes.

    Without ``stake_words``, every wager has one Ante.  ``main=1`` may be among the words; alone it leaves out every
    optional side wager.  Mandatory wagers have one Ante where no word names them.  A wager on another seat's hand needs
    two seats.

    Raises:
        WagerError: a stake is not valid (``parse_side_stakes``), or is on another seat's hand and there is no other.
        UnknownNameError: the game has no bet of this name.
    """
    side_stakes = parse_side_stakes(game, options, [word for word in stake_words if word != f"{game.main.id}=1"])
    for wager in game.wagers:
        if wager.hand_owner is HandOwner.OTHER_SEAT and seats == 1 and side_stakes.get(wager.id):
            raise WagerError(
                f"{wager.id} needs another seat's hand: give --seats 2 or more",
                code="needs-other-seat",
                wager=wager.id,
            )
    statuses = ("mandatory",) if stake_words else ("mandatory", "optional")
    default_stakes = {
        wager.id: Fraction(1)
        for wager in game.wagers
        if get_wager_status(game, wager, options) in statuses
        and not (wager.hand_owner is HandOwner.OTHER_SEAT and seats == 1)
    }
    stakes = default_stakes | side_stakes
    return {wager.id: stakes[wager.id] for wager in game.wagers if stakes.get(wager.id)}


def compute_exact_value(
    game: Game, bet: str, terms: GameTerms, simulation: Simulation, progress: ProgressCallback | None
) -> Fraction | None:
    """Return the exact expected value of a bet under the simulation's play.

    Without ``progress``, use only cached figures; with it, compute those that are missing.  Return None where there is
    none, as for a user's strategy or one that the game's solver cannot follow.
    """
    wager = next(wager for wager in game.wagers if wager.id == bet)
    if not depends_on_play(game, wager, terms.options):
        if explain_uncounted(game, wager, terms.options):
            return None
        counts = (
            count_outcomes(game, wager, terms.options, progress)
            if progress
            else get_cached_counts(game, wager, terms.options)
        )
    else:
        counts = _find_solved_counts(game, wager, terms, simulation, progress)
    return build_par_sheet(game, wager, terms.paytables, terms.options, counts).expected_value if counts else None


def _find_solved_counts(
    game: Game, wager: Wager, terms: GameTerms, simulation: Simulation, progress: ProgressCallback | None
) -> tuple[int, ...] | None:
    """Return the exact counts of a wager that depends on the play.

    The play is that of the simulation's first player.
    """
    strategy = None if simulation.player.source else find_strategy(game, simulation.player)
    is_best_play = simulation.player == Player(OPTIMAL)
    if not can_solve(game) or not (is_best_play or (strategy and not get_simulated_rounds(game))):
        return None
    solution = (
        get_solution(game, terms.paytables, terms.options, progress, strategy)
        if progress
        else get_cached_solution(game, terms.paytables, terms.options, strategy)
    )
    if solution is None:
        return None
    if wager is game.main:
        return solution.counts
    return tuple(deals for deals, _ in solution.side_outcomes[wager.id]) if wager.id in solution.side_outcomes else None
