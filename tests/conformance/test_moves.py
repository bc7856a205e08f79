"""Rounds dealt and counts over every deal tell the same of how two wagers move together."""

from collections.abc import Sequence
from fractions import Fraction
from math import sqrt

import pytest

from pitboss.analysis.joint_census import CountTable, count_joint_outcomes, is_countable, simulate_joint_counts
from pitboss.analysis.simulated_strategy_cost import get_simulated_rounds
from pitboss.analysis.solutions import build_problem, get_solution
from pitboss.contract import Game, Wager
from pitboss.core.progress import ignore_progress
from pitboss.games import load_games
from pitboss.options import resolve_options
from pitboss.outcome_nets import compute_outcome_net
from pitboss.paytables import select_paytables
from pitboss.strategies import load_strategies

STANDARD_ERRORS = 4.5
UNIT_CENTS = 100
SELDOM = 20

pytestmark = pytest.mark.compiled


def mean_product(table: CountTable, one: Sequence[Fraction], other: Sequence[Fraction]) -> tuple[float, float]:
    """Return the mean of the products of nets over dealt rounds, and its standard error."""
    cells = [(x * y, times) for x, row in zip(one, table, strict=True) for y, times in zip(other, row, strict=True)]
    rounds = sum(times for _, times in cells)
    mean = sum(product * times for product, times in cells) / rounds
    spread = sum((product - mean) ** 2 * times for product, times in cells) / rounds
    return float(mean), sqrt(spread / rounds)


def nets(game: Game, wager: Wager) -> list[Fraction]:
    """Return what each outcome nets per unit."""
    chosen = select_paytables(game)
    return [compute_outcome_net(outcome, chosen, UNIT_CENTS) / UNIT_CENTS for outcome in wager.outcomes]


@pytest.mark.more
@pytest.mark.parametrize(
    "game",
    [pytest.param(game, marks=[] if name == "wild-52" else pytest.mark.long) for name, game in load_games().items()],
    ids=load_games(),
)
def test_rounds_dealt_agree_with_every_deal_counted(game: Game) -> None:
    options = resolve_options(game, {})
    pairs = [(one, other) for at, one in enumerate(game.wagers) for other in game.wagers[at + 1 :]]
    pairs = [pair for pair in pairs if is_countable(game, *pair, options)]
    if not pairs:
        pytest.skip("the play decides every pair of this game")
    counted = count_joint_outcomes(game, pairs, options, None, ignore_progress)
    for (one, other), dealt in zip(
        pairs, simulate_joint_counts(game, pairs, options, None, ignore_progress), strict=True
    ):
        exact = counted[one.id, other.id].table
        share = Fraction(sum(map(sum, dealt)), sum(map(sum, exact)))
        for cells, rounds in zip(exact, dealt, strict=True):
            for deals, times in zip(cells, rounds, strict=True):
                expected = float(deals * share)
                assert deals or not times, f"{one.id} and {other.id}: this cannot be"
                # A cell that is seldom met is met a few times more than expected, as Poisson's law has it.
                assert abs(times - expected) <= STANDARD_ERRORS * (sqrt(expected) + (expected < SELDOM))


@pytest.mark.long
@pytest.mark.parametrize(
    "game",
    [
        game
        for game in load_games().values()
        if game.solver and load_strategies(game) and not get_simulated_rounds(game)
    ],
    ids=lambda game: game.id,
)
def test_rounds_that_follow_a_strategy_agree_with_its_solution(game: Game) -> None:
    chosen, options, strategy = select_paytables(game), resolve_options(game, {}), load_strategies(game)[0]
    solved = get_solution(game, chosen, options, ignore_progress, strategy)
    unit = build_problem(game, chosen, options, strategy).unit
    main, *sides = game.wagers
    known = {bet for bet, lines in solved.side_outcomes.items() if all(total is not None for _, total in lines)}
    sides = [side for side in sides if side.id in known]
    if not sides:
        pytest.skip("of the strategy no covariance is told exactly")
    tables = simulate_joint_counts(game, [(main, side) for side in sides], options, strategy, ignore_progress)
    for side, dealt in zip(sides, tables, strict=True):
        lines = solved.side_outcomes[side.id]
        assert sum(deals for deals, _ in lines) == sum(solved.counts)
        product = sum(net * total for net, (_, total) in zip(nets(game, side), lines, strict=True) if total is not None)
        mean, error = mean_product(dealt, nets(game, main), nets(game, side))
        exact = Fraction(product, sum(solved.counts) * unit)
        assert abs(mean - float(exact)) <= STANDARD_ERRORS * error, side.id
