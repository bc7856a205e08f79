"""How the wagers of a game move together: the covariance and correlation of every two, and the variance of a mix."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import sqrt
from typing import Any

from pitboss.analysis.exact_par_sheet import GameTerms
from pitboss.analysis.joint_census import JointCounts, count_joint_outcomes
from pitboss.analysis.par_sheet import ParSheet
from pitboss.analysis.side_stakes import select_played_stakes
from pitboss.analysis.solutions import build_problem, get_solution
from pitboss.contract import Game
from pitboss.core.progress import ProgressCallback
from pitboss.strategies import load_strategies


@dataclass(frozen=True, slots=True)
class BetCovariance:
    """How two bets of a round move together, per unit staked on each.

    It is exact, or simulated with a standard error; where the play matters to what was simulated, ``strategy_id`` is
    the id of the strategy that was followed.
    """

    bets: tuple[str, str]
    covariance: Fraction
    correlation: float
    standard_error: float | None = None
    strategy_id: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return the figures by their names in JSON."""
        simulated = {} if self.standard_error is None else {"standard_error": self.standard_error}
        return {
            "bets": list(self.bets),
            "covariance": float(self.covariance),
            "correlation": self.correlation,
            "method": "exact" if self.standard_error is None else "simulated",
            **simulated,
            **({"play": self.strategy_id} if self.strategy_id else {}),
        }


@dataclass(frozen=True, slots=True)
class StakeMix:
    """Expected net and spread of all stakes of a round, in Antes; ``is_exact`` or simulated."""

    stakes: Mapping[str, Fraction]
    expected_value: Fraction
    variance: Fraction
    is_exact: bool

    def as_json(self) -> dict[str, Any]:
        """Return the figures by their names in JSON."""
        return {
            "stakes": {bet: float(stake) for bet, stake in self.stakes.items()},
            "expected_value": float(self.expected_value),
            "variance": float(self.variance),
            "standard_deviation": sqrt(self.variance),
            "method": "exact" if self.is_exact else "simulated",
        }


@dataclass(frozen=True, slots=True)
class CovarianceReport:
    """How every two bets of a game move together, and what all that is staked nets; None where that is not asked."""

    covariances: tuple[BetCovariance, ...]
    mix: StakeMix | None

    def as_json(self) -> dict[str, Any]:
        """Return the figures by their names in JSON."""
        mixed = {"mix": self.mix.as_json()} if self.mix else {}
        return {"covariance": [each.as_json() for each in self.covariances], **mixed}


def report_covariances(
    game: Game, terms: GameTerms, sheets: Sequence[ParSheet], progress: ProgressCallback
) -> CovarianceReport:
    """Return how the bets move together of which there are sheets, made under ``terms``, and what its stakes net."""
    moves = compute_covariances(game, terms, sheets, progress)
    return CovarianceReport(moves, compute_stake_mix(game, terms.stakes, sheets, moves) if terms.stakes else None)


def compute_covariances(
    game: Game, terms: GameTerms, sheets: Sequence[ParSheet], progress: ProgressCallback
) -> tuple[BetCovariance, ...]:
    """Return how every two bets move together of which there are sheets, made under ``terms``.

    main and a side wager are exact where the solver says what main nets with each outcome of the other.  Two side
    wagers are counted over every deal where chance alone decides both; what is left is simulated, and left out where it
    depends on a play that no strategy of the game's tells.
    """
    of_bet = {sheet.wager.id: sheet for sheet in sheets if sheet.wager in game.wagers}
    pairs = list(combinations(of_bet.values(), 2))
    found = _compute_with_main(game, terms, of_bet, progress)
    written = load_strategies(game)
    left = [(one.wager, other.wager) for one, other in pairs if (one.wager.id, other.wager.id) not in found]
    joint = count_joint_outcomes(game, left, terms.options, written[0] if written else None, progress)
    for one, other in pairs:
        bets = one.wager.id, other.wager.id
        if bets in joint:
            found[bets] = _estimate_from_counts(one, other, joint[bets])
    return tuple(found[one.wager.id, other.wager.id] for one, other in pairs if (one.wager.id, other.wager.id) in found)


def _compute_with_main(
    game: Game, terms: GameTerms, sheets: Mapping[str, ParSheet], progress: ProgressCallback
) -> dict[tuple[str, str], BetCovariance]:
    """Return how main moves with each side wager that its solution follows."""
    main = sheets.get(game.wagers[0].id)
    if main is None:
        return {}
    beside = select_played_stakes(game, terms.options, terms.stakes)
    solved = get_solution(game, terms.paytables, terms.options, progress, side_stakes=beside)
    unit = build_problem(game, terms.paytables, terms.options, side_stakes=beside).unit
    found = {}
    for bet, lines in solved.side_outcomes.items():
        known = [total for _, total in lines if total is not None]
        if bet in sheets and len(known) == len(lines):
            together = sum(
                (line.net * Fraction(total, unit) for line, total in zip(sheets[bet].lines, known, strict=True)),
                Fraction(0),
            )
            product = together / sum(deals for deals, _ in lines)
            found[main.wager.id, bet] = _make_exact_covariance(main, sheets[bet], product)
    return found


def _make_exact_covariance(one: ParSheet, other: ParSheet, product: Fraction) -> BetCovariance:
    """Return exact figures from the expected product of two nets."""
    covariance = product - one.expected_value * other.expected_value
    return BetCovariance((one.wager.id, other.wager.id), covariance, _compute_correlation(one, other, covariance))


def _compute_correlation(one: ParSheet, other: ParSheet, covariance: Fraction) -> float:
    spread = one.standard_deviation * other.standard_deviation
    return float(covariance) / spread if spread else 0.0


def _estimate_from_counts(one: ParSheet, other: ParSheet, joint: JointCounts) -> BetCovariance:
    """Return the figures of a table of deals; of rounds dealt with the standard error of the mean of the products."""
    cells = [
        (row.net, column.net, times)
        for row, counted in zip(one.lines, joint.table, strict=True)
        for column, times in zip(other.lines, counted, strict=True)
        if times
    ]
    deals = sum(times for _, _, times in cells)
    if joint.is_exact:
        return _make_exact_covariance(one, other, sum((x * y * times for x, y, times in cells), Fraction(0)) / deals)
    first = sum((x * times for x, _, times in cells), Fraction(0)) / deals
    second = sum((y * times for _, y, times in cells), Fraction(0)) / deals
    products = [((x - first) * (y - second), times) for x, y, times in cells]
    covariance = sum((product * times for product, times in products), Fraction(0)) / deals
    spread = sum((product**2 * times for product, times in products), Fraction(0)) / deals - covariance**2
    bets = one.wager.id, other.wager.id
    play = joint.strategy.id if joint.strategy else ""
    return BetCovariance(bets, covariance, _compute_correlation(one, other, covariance), sqrt(spread / deals), play)


def compute_stake_mix(
    game: Game, stakes: Mapping[str, Fraction], sheets: Iterable[ParSheet], covariances: Iterable[BetCovariance]
) -> StakeMix | None:
    """Return what one Ante on main with ``stakes`` beside it nets and how far that spreads.

    None where a bet of it has no sheet, or two have no covariance.

    """
    of_bet = {sheet.wager.id: sheet for sheet in sheets}
    together = {frozenset(each.bets): each for each in covariances}
    staked = {game.wagers[0].id: Fraction(1), **{bet: stake for bet, stake in stakes.items() if stake}}
    pairs = [frozenset(pair) for pair in combinations(staked, 2)]
    if not (staked.keys() <= of_bet.keys() and all(pair in together for pair in pairs)):
        return None
    value = sum((stake * of_bet[bet].expected_value for bet, stake in staked.items()), Fraction(0))
    variance = sum((stake**2 * of_bet[bet].variance for bet, stake in staked.items()), Fraction(0))
    for one, other in combinations(staked, 2):
        variance += 2 * staked[one] * staked[other] * together[frozenset((one, other))].covariance
    exact = all(together[pair].standard_error is None for pair in pairs)
    return StakeMix(staked, value, variance, exact)
