"""What a simulation measured, under pay tables and stakes, beside the exact figures that are known."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from pitboss.analysis.census import census, kept_census, why_not_counted
from pitboss.analysis.par import par_sheet
from pitboss.analysis.sheet import ParSheet
from pitboss.analysis.sheets import Terms
from pitboss.analysis.simulated import simulated_rounds
from pitboss.analysis.solutions import kept_solution, solution
from pitboss.analysis.stakes import depends_on_play, parse_stakes
from pitboss.contract import Game, HandOwner, Wager
from pitboss.core.errors import WagerError
from pitboss.core.progress import ProgressCallback
from pitboss.options import get_wager_status
from pitboss.simulate.players import OPTIMAL, Player, strategy_of
from pitboss.simulate.result import Counted, Figures, Weights
from pitboss.simulate.run import Simulation


@dataclass(frozen=True, slots=True)
class Measured:
    """A bet in a simulation, per unit staked: its sheet as counted, and the exact expected value where it is known."""

    sheet: ParSheet
    standard_error: float
    exact: Fraction | None

    @property
    def mean(self) -> Fraction:
        """The average net."""
        return self.sheet.expected_value

    @property
    def deviations(self) -> float | None:
        """How many standard errors the mean lies above the exact value; None where that is not known."""
        return None if self.exact is None else deviations(self.mean, self.exact, self.standard_error)

    def as_json(self) -> dict[str, Any]:
        """Return the figures by their names in JSON."""
        known = (
            {}
            if self.exact is None
            else {
                "expected_value": float(self.exact),
                "expected_value_exact": f"{self.exact.numerator}/{self.exact.denominator}",
                "z": self.deviations,
            }
        )
        return {
            "mean": float(self.mean),
            "standard_error": self.standard_error,
            "variance": float(self.sheet.variance),
            "standard_deviation": self.sheet.standard_deviation,
            "hit_frequency": float(self.sheet.hit_frequency),
            **known,
            "outcomes": {line.outcome.name: line.deals for line in self.sheet.lines},
        }


def deviations(mean: Fraction, exact: Fraction, standard_error: float) -> float | None:
    """Return how many standard errors a mean lies above an exact value; None of an error of 0, where it differs.

    >>> deviations(Fraction(1, 2), Fraction(1, 4), 0.125)
    2.0
    """
    if standard_error:
        return float(mean - exact) / standard_error
    return 0.0 if mean == exact else None


@dataclass(frozen=True)
class Simulated:
    """What was counted, under pay tables and ``stakes``, in Antes of a dollar where a table pays dollars."""

    game: Game
    terms: Terms
    counted: Counted

    @property
    def compared(self) -> bool:
        """Whether two strategies played the same deals."""
        return len(self.counted.outcomes) > len(self.game.wagers)

    @cached_property
    def sheets(self) -> Mapping[str, ParSheet]:
        """The sheet of each bet staked, as counted."""
        return self._sheets_from(0)

    @cached_property
    def sheets_against(self) -> Mapping[str, ParSheet]:
        """The same as the other strategy played, where two are compared."""
        return self._sheets_from(len(self.game.wagers))

    def _sheets_from(self, first: int) -> Mapping[str, ParSheet]:
        return {
            wager.id: par_sheet(
                self.game, wager, self.terms.chosen, self.terms.options, self.counted.of_wager(first + index)
            )
            for index, wager in enumerate(self.game.wagers)
            if wager.id in self.terms.stakes
        }

    @cached_property
    def figures(self) -> Figures:
        """The figures of every wager; those not staked net nothing."""
        nets = []
        for sheets in (self.sheets, self.sheets_against) if self.compared else (self.sheets,):
            for wager in self.game.wagers:
                sheet = sheets.get(wager.id)
                nets.append([line.net for line in sheet.lines] if sheet else [Fraction(0)] * len(wager.outcomes))
        return Figures(self.counted, nets)

    def one(self, bet: str) -> Weights:
        """Return the weights of one unit on a bet."""
        return self._weights({bet: Fraction(1)}, Fraction(0))

    @property
    def all_staked(self) -> Weights:
        """The weights of a round."""
        return self._weights(self.terms.stakes, Fraction(0))

    def difference(self, bet: str | None = None) -> Weights:
        """Return the weights of what the first of two strategies nets more: of a bet, or of a round."""
        return self._weights(self.terms.stakes if bet is None else {bet: Fraction(1)}, Fraction(-1))

    def _weights(self, stakes: Mapping[str, Fraction], other: Fraction) -> Weights:
        one = [stakes.get(wager.id, Fraction(0)) for wager in self.game.wagers]
        return [*one, *(other * each for each in one)] if self.compared else one

    def measured(self, bet: str, exact: Fraction | None) -> Measured:
        """Return what was measured of a bet."""
        return Measured(self.sheets[bet], self.figures.standard_error(self.one(bet)), exact)


def stakes_of(game: Game, options: Mapping[str, str], seats: int, written: list[str]) -> dict[str, Fraction]:
    """Return what is staked, in Antes: one on main, beside it what is written, or one on every wager there is.

    ``main=1`` may be written too: alone it leaves out every side wager that may be left out.  Mandatory wagers are
    one Ante where nothing is written of them.  A wager on another seat's hand needs two seats.

    Raises:
        WagerError: a stake is no stake (``parse_stakes``), or on the hand of a seat that is not there.
        UnknownNameError: the game has no such bet.
    """
    given = parse_stakes(game, options, [word for word in written if word != f"{game.wagers[0].id}=1"])
    for wager in game.wagers:
        if wager.hand_owner is HandOwner.OTHER_SEAT and seats == 1 and given.get(wager.id):
            raise WagerError(f"{wager.id} stands on another seat's hand: give --seats 2 or more")
    wanted = ("mandatory",) if written else ("mandatory", "optional")
    filled = {
        wager.id: Fraction(1)
        for wager in game.wagers
        if get_wager_status(game, wager, options) in wanted
        and not (wager.hand_owner is HandOwner.OTHER_SEAT and seats == 1)
    }
    stakes = filled | given
    return {wager.id: stakes[wager.id] for wager in game.wagers if stakes.get(wager.id)}


def exact_value(
    game: Game, bet: str, terms: Terms, simulation: Simulation, progress: ProgressCallback | None
) -> Fraction | None:
    """Return the exact expected value of a bet as it is played, if it is kept; with a ``progress`` find it.

    None where nothing can tell it: of what a user's strategy does, or a game's that no solver follows.
    """
    wager = next(wager for wager in game.wagers if wager.id == bet)
    if wager is not game.wagers[0] and not depends_on_play(wager, terms.options):
        if why_not_counted(game, wager, terms.options):
            return None
        counts = census(game, wager, terms.options, progress) if progress else kept_census(game, wager, terms.options)
    else:
        counts = _solved_counts(game, wager, terms, simulation, progress)
    return par_sheet(game, wager, terms.chosen, terms.options, counts).expected_value if counts else None


def _solved_counts(
    game: Game, wager: Wager, terms: Terms, simulation: Simulation, progress: ProgressCallback | None
) -> tuple[int, ...] | None:
    """Return the exact counts of a wager that depends on the play, as the simulation's first player plays."""
    strategy = None if simulation.player.source else strategy_of(game, simulation.player)
    best = simulation.player == Player(OPTIMAL)
    if not game.solver or not (best or (strategy and not simulated_rounds(game))):
        return None
    if progress:
        solved = solution(game, terms.chosen, terms.options, progress, strategy)
    else:
        kept = kept_solution(game, terms.chosen, terms.options, strategy)
        if kept is None:
            return None
        solved = kept
    if wager is game.wagers[0]:
        return solved.counts
    return tuple(deals for deals, _ in solved.side_outcomes[wager.id]) if wager.id in solved.side_outcomes else None
