"""Covariances and correlations of wagers, and the variance of a mix of stakes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import sqrt
from typing import Any

from pitboss.analysis.game_terms import GameTerms
from pitboss.analysis.joint_census import JointCounts, count_joint_outcomes
from pitboss.analysis.par_sheet import ParSheet
from pitboss.analysis.side_stakes import select_played_stakes
from pitboss.analysis.solutions import build_problem, get_solution
from pitboss.contract import Game
from pitboss.core.errors import PitbossError
from pitboss.core.progress import ProgressCallback
from pitboss.engine.census_limits import explain_uncounted_sides
from pitboss.options import encode_options
from pitboss.strategies import load_strategies

_NOT_COUNTED_ALONG = ("main-alone", "no-showdown")
"""The codes of a census that counts main, and cannot count side wagers along with it."""


@dataclass(frozen=True, slots=True)
class BetCovariance:
    """The covariance of two bets of a round, per unit staked on each.

    It is exact, or simulated with a standard error.  Where the play matters to a simulated one, ``strategy_id`` is the
    id of the strategy followed.
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
    """The expected net and the variance of all stakes of a round, in Antes.

    Part of the variance is simulated unless ``is_exact``.
    """

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
class UncountedPair:
    """Two bets whose covariance is neither counted nor simulated, and the reason."""

    bets: tuple[str, str]
    reason: str

    def as_json(self) -> dict[str, Any]:
        """Return the bets and the reason by their names in JSON."""
        return {"bets": list(self.bets), "reason": self.reason}


@dataclass(frozen=True, slots=True)
class CovarianceReport:
    """The covariances of every two bets of a game, and the figures of all stakes.

    ``uncounted`` has the other pairs.  ``mix`` is None where no stakes are given, or a figure is missing; then
    ``no_mix`` says which.
    """

    covariances: tuple[BetCovariance, ...]
    mix: StakeMix | None
    uncounted: tuple[UncountedPair, ...] = ()
    no_mix: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return the figures by their names in JSON."""
        mixed = {"mix": self.mix.as_json()} if self.mix else {"mix_not_counted": self.no_mix} if self.no_mix else {}
        uncounted = [each.as_json() for each in self.uncounted]
        return {
            "covariance": [each.as_json() for each in self.covariances],
            **({"covariance_not_counted": uncounted} if uncounted else {}),
            **mixed,
        }


def report_covariances(
    game: Game, terms: GameTerms, sheets: Sequence[ParSheet], progress: ProgressCallback
) -> CovarianceReport:
    """Compute the covariance of every two bets, and the figures of all stakes.

    The bets are those with sheets, which must be made under ``terms``.  main and a side wager are exact where the
    solver says what main nets with each outcome of the other.  Two side wagers are counted over every deal where chance
    alone decides both.  The other pairs are simulated.  A pair that depends on the play is left out where the game has
    no strategy.
    """
    sheet_by_bet = {sheet.wager.id: sheet for sheet in sheets if sheet.wager in game.wagers}
    pairs = {(one.wager.id, other.wager.id): (one, other) for one, other in combinations(sheet_by_bet.values(), 2)}
    found, reason = _compute_with_main(game, terms, sheet_by_bet, progress)
    strategies = load_strategies(game)
    uncovered = [(one.wager, other.wager) for bets, (one, other) in pairs.items() if bets not in found]
    joint = count_joint_outcomes(game, uncovered, terms.options, strategies[0] if strategies else None, progress)
    found |= {bets: _estimate_from_counts(*pairs[bets], counts) for bets, counts in joint.items()}
    covariances = tuple(found[bets] for bets in pairs if bets in found)
    uncounted = tuple(
        UncountedPair(bets, _explain_uncounted_pair(game, bets, reason)) for bets in pairs if bets not in found
    )
    mix = compute_stake_mix(game, terms.stakes, sheets, covariances) if terms.stakes else None
    no_mix = _explain_no_mix(terms.stakes, sheet_by_bet, uncounted) if terms.stakes and mix is None else ""
    return CovarianceReport(covariances, mix, uncounted, no_mix)


def _compute_with_main(
    game: Game, terms: GameTerms, sheets: Mapping[str, ParSheet], progress: ProgressCallback
) -> tuple[dict[tuple[str, str], BetCovariance], str]:
    """Compute the covariance of main with each side wager that its solution follows.

    Return the reason too, where the side wagers cannot be counted along with main.
    """
    main = sheets.get(game.main.id)
    if main is None:
        return {}, ""
    if reason := explain_uncounted_sides(game, encode_options(game, terms.options)):
        return {}, reason
    played_stakes = select_played_stakes(game, terms.options, terms.stakes)
    counted = [bet for bet in sheets if bet != game.main.id]
    try:
        solution = get_solution(
            game, terms.paytables, terms.options, progress, side_stakes=played_stakes, counted=counted
        )
    except PitbossError as error:
        if error.code not in _NOT_COUNTED_ALONG:
            raise
        return {}, str(error)
    unit = build_problem(game, terms.paytables, terms.options, side_stakes=played_stakes).unit
    covariances = {}
    for bet, lines in solution.side_outcomes.items():
        main_totals = [total for _, total in lines if total is not None]
        if bet in sheets and len(main_totals) == len(lines):
            weighted_net = sum(
                (line.net * Fraction(total, unit) for line, total in zip(sheets[bet].lines, main_totals, strict=True)),
                Fraction(0),
            )
            product = weighted_net / sum(deals for deals, _ in lines)
            covariances[main.wager.id, bet] = _make_exact_covariance(main, sheets[bet], product)
    return covariances, ""


def _explain_uncounted_pair(game: Game, bets: tuple[str, str], reason: str) -> str:
    """Explain why the covariance of two bets is neither counted nor simulated."""
    with_main = reason or "the solution of main does not count the other"
    why = with_main if game.main.id in bets else "the play decides one of them"
    return f"{why}, and no strategy is written by which rounds could be simulated"


def _explain_no_mix(
    stakes: Mapping[str, Fraction], sheets: Mapping[str, ParSheet], uncounted: Sequence[UncountedPair]
) -> str:
    """Explain why the figures of all stakes together are missing."""
    without_sheet = [bet for bet, stake in stakes.items() if stake and bet not in sheets]
    if without_sheet:
        return f"{' and '.join(without_sheet)} has no exact sheet"
    return "a covariance of its bets is not counted" if uncounted else "main has no exact sheet"


def _make_exact_covariance(one: ParSheet, other: ParSheet, product: Fraction) -> BetCovariance:
    """Build the exact figures from the expected product of two nets."""
    covariance = product - one.expected_value * other.expected_value
    return BetCovariance((one.wager.id, other.wager.id), covariance, _compute_correlation(one, other, covariance))


def _compute_correlation(one: ParSheet, other: ParSheet, covariance: Fraction) -> float:
    spread = one.standard_deviation * other.standard_deviation
    return float(covariance) / spread if spread else 0.0


def _estimate_from_counts(one: ParSheet, other: ParSheet, joint: JointCounts) -> BetCovariance:
    """Compute the figures of two bets from a table of counts.

    For simulated rounds, the standard error is that of the mean product.
    """
    cells = [
        (row.net, column.net, times)
        for row, row_counts in zip(one.lines, joint.table, strict=True)
        for column, times in zip(other.lines, row_counts, strict=True)
        if times
    ]
    deals = sum(times for _, _, times in cells)
    if joint.is_exact:
        return _make_exact_covariance(one, other, sum((x * y * times for x, y, times in cells), Fraction(0)) / deals)
    mean_one = sum((x * times for x, _, times in cells), Fraction(0)) / deals
    mean_other = sum((y * times for _, y, times in cells), Fraction(0)) / deals
    products = [((x - mean_one) * (y - mean_other), times) for x, y, times in cells]
    covariance = sum((product * times for product, times in products), Fraction(0)) / deals
    product_variance = sum((product**2 * times for product, times in products), Fraction(0)) / deals - covariance**2
    bets = one.wager.id, other.wager.id
    strategy_id = joint.strategy.id if joint.strategy else ""
    return BetCovariance(
        bets, covariance, _compute_correlation(one, other, covariance), sqrt(product_variance / deals), strategy_id
    )


def compute_stake_mix(
    game: Game, stakes: Mapping[str, Fraction], sheets: Iterable[ParSheet], covariances: Iterable[BetCovariance]
) -> StakeMix | None:
    """Compute the figures of one Ante on main together with ``stakes``.

    They are the expected net and the variance.  Return None where a bet has no sheet, or two bets have no covariance.
    """
    sheet_by_bet = {sheet.wager.id: sheet for sheet in sheets}
    covariance_by_pair = {frozenset(each.bets): each for each in covariances}
    all_stakes = {game.main.id: Fraction(1), **{bet: stake for bet, stake in stakes.items() if stake}}
    pairs = [frozenset(pair) for pair in combinations(all_stakes, 2)]
    if not (all_stakes.keys() <= sheet_by_bet.keys() and all(pair in covariance_by_pair for pair in pairs)):
        return None
    expected_value = sum((stake * sheet_by_bet[bet].expected_value for bet, stake in all_stakes.items()), Fraction(0))
    variance = sum((stake**2 * sheet_by_bet[bet].variance for bet, stake in all_stakes.items()), Fraction(0))
    for one, other in combinations(all_stakes, 2):
        variance += 2 * all_stakes[one] * all_stakes[other] * covariance_by_pair[frozenset((one, other))].covariance
    is_exact = all(covariance_by_pair[pair].standard_error is None for pair in pairs)
    return StakeMix(all_stakes, expected_value, variance, is_exact)
