"""What becomes of a session: results after so many rounds, the risk of ruin, hours and winnings, from one round's nets.

A round's net is given as integer counts, simulated or exact.  Rounds are independent, so nothing more is drawn: the
distribution is carried from each round to the next.  Probabilities are floating-point numbers; what is cut off at the
far ends is added up and told (``SessionDistribution.neglected``), and is far below anything printed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pitboss.core.errors import SMALLER_PAYS_ADVICE, SessionError
from pitboss.core.progress import ProgressCallback, ignore_progress

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

MAX_ROUNDS = 100_000

MAX_SPREAD = 10_000_000
"""The most units between the best and the worst round: a session keeps a probability for every result."""

COURSE_PERCENTS = (5, 25, 50, 75, 95)

_COURSE_POINTS = 200
_NEGLIGIBLE_PROBABILITY = 1e-16
_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class SessionDistribution:
    """A session of at most ``rounds`` rounds, over when the bankroll does not cover another.

    ``probabilities[i]`` is that of a result of ``lowest + i``, in the units of the nets it was made from;
    ``ruined_by[n]`` that of being ruined after ``n`` rounds or before; ``neglected_probability`` is what the
    probabilities lack to 1.  ``course`` has for the rounds ``course_rounds``, a row each, the percentiles
    ``COURSE_PERCENTS``.
    """

    rounds: int
    lowest: int
    probabilities: Floats
    ruined_by: Floats
    course_rounds: Integers
    course: Integers

    @property
    def risk_of_ruin(self) -> float:
        """The probability that the bankroll does not last."""
        return float(self.ruined_by[-1])

    @property
    def neglected_probability(self) -> float:
        """The probability of results too rare to be carried along."""
        return 1.0 - float(self.probabilities.sum())

    @property
    def mean(self) -> float:
        """The mean result."""
        return float(self._results @ self.probabilities)

    @property
    def standard_deviation(self) -> float:
        """The standard deviation of the result."""
        return float(np.sqrt((self._results - self.mean) ** 2 @ self.probabilities))

    @property
    def probability_ahead(self) -> float:
        """The probability of a result above zero."""
        return float(self.probabilities[self._results > 0].sum())

    @property
    def probability_even(self) -> float:
        """The probability of a result of zero."""
        return float(self.probabilities[self._results == 0].sum())

    def percentile(self, percent: float) -> int:
        """Return the lowest result that at least ``percent`` of sessions do not pass."""
        return _find_percentile(self.lowest, self.probabilities, percent)

    @cached_property
    def _results(self) -> Floats:
        return self.lowest + np.arange(len(self.probabilities), dtype=np.float64)


def compute_session(
    nets: Mapping[int, int],
    rounds: int,
    bankroll: int | None = None,
    round_cost: int = 1,
    progress: ProgressCallback = ignore_progress,
) -> SessionDistribution:
    """Return what becomes of a session of ``rounds`` rounds, of whose nets each comes ``nets[net]`` times.

    With a ``bankroll`` the session ends as soon as less than ``round_cost`` is left: what a round may ask for.  Nets,
    bankroll and needed are whole numbers of one unit.

    >>> fair = compute_session({1: 1, -1: 1}, rounds=2)
    >>> fair.lowest, fair.probabilities.tolist()
    (-2, [0.25, 0.0, 0.5, 0.0, 0.25])
    >>> compute_session({1: 1, -1: 1}, rounds=3, bankroll=1).risk_of_ruin  # lost at once, or after a win and two losses
    0.625

    Raises:
        SessionError: there are no rounds, or too many; no nets; or the bankroll does not cover the first round.
    """
    verify_session(rounds, bankroll, round_cost)
    if not any(nets.values()):
        message = "a session needs rounds to go by: simulate one at least"
        raise SessionError(message)
    step, chances = _sort_nets(nets)
    floor = None if bankroll is None else round_cost - bankroll  # results below it end the session
    lowest, playing = 0, np.ones(1)
    over: dict[int, float] = {}
    ruined_by = np.zeros(rounds + 1)
    told = np.unique(np.linspace(1, rounds, min(rounds, _COURSE_POINTS)).round().astype(np.int64))
    course: list[list[int]] = []
    for done in range(rounds):
        lowest, playing = _convolve_round(lowest, playing, step, chances)
        if floor is not None and lowest < floor:
            ended, playing = playing[: floor - lowest], playing[floor - lowest :]
            for result, chance in enumerate(ended.tolist(), start=lowest):
                over[result] = over.get(result, 0.0) + chance
            lowest = floor
        ruined_by[done + 1] = sum(over.values())
        lowest, playing = _trim_ends(lowest, playing)
        if done + 1 == told[len(course)]:
            now = _merge_finished(lowest, playing, over)
            course.append([_find_percentile(*now, percent) for percent in COURSE_PERCENTS])
        progress(done + 1, rounds)
    return SessionDistribution(rounds, *_merge_finished(lowest, playing, over), ruined_by, told, np.array(course))


def verify_session(rounds: int, bankroll: Fraction | int | None, round_cost: Fraction | int) -> None:
    """Check what a session is asked to be, before there are nets for it (raises as ``compute_session``)."""
    if not 1 <= rounds <= MAX_ROUNDS:
        message = f"a session has 1 to {MAX_ROUNDS:,} rounds, not {rounds:,}"
        raise SessionError(message)
    if bankroll is not None and bankroll < round_cost:
        message = (
            f"a bankroll of {float(bankroll):g} does not cover the first round, which may ask for {float(round_cost):g}"
        )
        raise SessionError(message)


def _sort_nets(nets: Mapping[int, int]) -> tuple[Sequence[int], Floats]:
    """Return the nets in order, and the probability of each."""
    total = sum(nets.values())
    spread = max(nets) - min(nets)
    if spread > MAX_SPREAD:
        message = f"results {spread:,} units apart are too many for a session ({MAX_SPREAD:,}): {SMALLER_PAYS_ADVICE}"
        raise SessionError(message)
    step = sorted(net for net, count in nets.items() if count)
    return step, np.array([nets[net] / total for net in step])


def _convolve_round(lowest: int, playing: Floats, step: Sequence[int], chances: Floats) -> tuple[int, Floats]:
    """Return the distribution one round later."""
    after = np.zeros(len(playing) + step[-1] - step[0])
    for net, chance in zip(step, chances.tolist(), strict=True):
        first = net - step[0]
        after[first : first + len(playing)] += chance * playing
    return lowest + step[0], after


def _trim_ends(lowest: int, playing: Floats) -> tuple[int, Floats]:
    """Cut off at each end what is negligible, taken together."""
    if not len(playing):
        return lowest, playing
    first = int(np.searchsorted(np.cumsum(playing), _NEGLIGIBLE_PROBABILITY, side="right"))
    last = int(np.searchsorted(np.cumsum(playing[::-1]), _NEGLIGIBLE_PROBABILITY, side="right"))
    kept = playing[first : len(playing) - last]
    return lowest + first, kept


def _find_percentile(lowest: int, probabilities: Floats, percent: float) -> int:
    """Return the lowest result that at least ``percent`` of the probability does not pass."""
    below = np.cumsum(probabilities)
    return lowest + int(np.searchsorted(below, percent / 100 * below[-1] - _ROUNDING))


def _merge_finished(lowest: int, playing: Floats, over: Mapping[int, float]) -> tuple[int, Floats]:
    """Return the results of sessions played to the end and of those that were over before."""
    ends = [*over, *([lowest, lowest + len(playing) - 1] if len(playing) else [])]
    first = min(ends)
    all_of_them = np.zeros(max(ends) - first + 1)
    all_of_them[lowest - first : lowest - first + len(playing)] += playing
    for result, chance in over.items():
        all_of_them[result - first] += chance
    return first, all_of_them


@dataclass(frozen=True, slots=True)
class Pace:
    """A table's pace: rounds an hour, and how many seats play them."""

    rounds_an_hour: int
    seats: int = 1

    def compute_hours(self, rounds: int) -> Fraction:
        """Return how long a session takes."""
        return Fraction(rounds, self.rounds_an_hour)

    def compute_house_win(self, mean_net: Fraction) -> Fraction:
        """Return what the house wins an hour, in the unit of a seat's mean net of a round."""
        return -mean_net * self.rounds_an_hour * self.seats
