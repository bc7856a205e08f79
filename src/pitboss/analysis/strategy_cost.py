"""Exact costs of written strategies against the best play, over every deal."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from pitboss.analysis.par_sheet import format_fraction, value_as_json
from pitboss.analysis.solutions import build_problem, cache_solutions, get_solution
from pitboss.contract import Game, PayTable
from pitboss.core.errors import StrategyError, WagerError
from pitboss.core.progress import ProgressCallback
from pitboss.engine.census_limits import explain_why_not_followed
from pitboss.engine.solver_lookup import find_solver
from pitboss.options import encode_options
from pitboss.solver_api import Solution, Strategy
from pitboss.strategies import load_strategies

OpenProgress = Callable[[str], AbstractContextManager[ProgressCallback]]
"""Opens a progress callback for the task of this name."""


@dataclass(frozen=True, slots=True)
class PricedMistake:
    """A mistake of a strategy: its frequency and its cost per Ante of a round.

    The strategy takes ``taken`` although ``best`` is better.  ``hand`` describes the sort of position.  Only a
    simulated cost has a standard error.
    """

    taken: str
    best: str
    hand: str
    deals: int
    frequency: Fraction
    cost: Fraction
    standard_error: float | None = None


@dataclass(frozen=True, slots=True)
class StrategyCost:
    """The value and cost per Ante of a play of ``main``.

    The play is a written strategy, or the best play if ``strategy`` is None.
    """

    strategy: Strategy | None
    expected_value: Fraction
    cost: Fraction
    deals: int
    actions: Mapping[str, Fraction]
    mistakes: tuple[PricedMistake, ...]

    @property
    def house_edge(self) -> Fraction:
        """The player's expected loss per Ante."""
        return -self.expected_value


def compute_strategy_costs(
    game: Game, paytables: Mapping[str, PayTable], options: Mapping[str, str], open_progress: OpenProgress
) -> tuple[StrategyCost, ...]:
    """Compute the values of the best play and of the written strategies.

    The best play is the first, then the practical strategy and the simpler ones, each over every deal.

    Raises:
        StrategyError: the game has no strategies, or they are not valid (``strategies``).
        WagerError: the game has no solver, or none that follows strategies; nothing is solved before.
    """
    strategies = load_strategies(game)
    if not strategies:
        raise StrategyError(
            f"{game.id} has no strategy: write one into its strategy.toml and strategies.py",
            code="no-strategy",
            game=game.id,
        )
    if reason := explain_why_not_followed(game, encode_options(game, options)):
        raise WagerError(
            f"a strategy cannot be followed in {game.id}: {reason}; pitboss simulate follows it in rounds",
            code="strategy-not-followed",
            game=game.id,
        )
    costs: list[StrategyCost] = []
    unit = build_problem(game, paytables, options).unit
    if find_solver(game).solve_side_by_side:
        with open_progress("Every play") as progress:
            cache_solutions(game, paytables, options, (None, *strategies), progress)
    for strategy in (None, *strategies):
        with open_progress(strategy.name if strategy else "Best play") as progress:
            solution = get_solution(game, paytables, options, progress, strategy)
        value = compute_expected_value(game, paytables, options, solution)
        best = costs[0].expected_value if costs else value
        deals = sum(solution.counts)
        mistakes = (
            PricedMistake(
                each.taken,
                each.best,
                each.hand,
                each.deals,
                Fraction(each.deals, deals),
                Fraction(each.cost, deals * unit),
            )
            for each in solution.mistakes
        )
        actions = {path: Fraction(times, deals) for path, times in solution.actions.items()}
        costs.append(StrategyCost(strategy, value, best - value, deals, actions, tuple(mistakes)))
    return tuple(costs)


def compute_expected_value(
    game: Game, paytables: Mapping[str, PayTable], options: Mapping[str, str], solution: Solution
) -> Fraction:
    """Compute the average net of ``main`` in Antes."""
    scaled = build_problem(game, paytables, options)
    total = sum(net * count for net, count in zip(scaled.problem.nets, solution.counts, strict=True))
    return Fraction(total, sum(solution.counts) * scaled.unit)


def strategy_cost_as_json(strategy_cost: StrategyCost) -> dict[str, Any]:
    """Return the figures with their names in JSON.

    The best play has no strategy, cost or mistakes.
    """
    cost = strategy_cost.cost
    figures: dict[str, Any] = {
        **value_as_json(strategy_cost.expected_value),
        "house_edge": float(strategy_cost.house_edge),
        "deals": strategy_cost.deals,
        "actions": {path: float(frequency) for path, frequency in strategy_cost.actions.items()},
    }
    if strategy_cost.strategy is None:
        return figures
    return {
        "id": strategy_cost.strategy.id,
        "name": strategy_cost.strategy.name,
        "lines": list(strategy_cost.strategy.lines),
        **figures,
        "cost": float(cost),
        "cost_exact": format_fraction(cost),
        "mistakes": [
            {
                "taken": each.taken,
                "best": each.best,
                "hand": each.hand,
                "deals": each.deals,
                "frequency": float(each.frequency),
                "cost": float(each.cost),
            }
            for each in strategy_cost.mistakes
        ],
    }
