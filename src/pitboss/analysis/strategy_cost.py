"""What a strategy that can be written down costs against the best play: played out over every deal, exactly."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from pitboss.analysis.solutions import build_problem, cache_solutions, get_solution, load_solver
from pitboss.contract import Game, PayTable
from pitboss.core.errors import StrategyError
from pitboss.core.progress import ProgressCallback
from pitboss.solver_api import Solution, Strategy
from pitboss.strategies import load_strategies

OpenProgress = Callable[[str], AbstractContextManager[ProgressCallback]]
"""Gives a progress to tell while what it names is worked on."""


@dataclass(frozen=True, slots=True)
class PricedMistake:
    """Where a strategy takes ``taken`` though ``best`` is better: how often, and what that costs per Ante of a round.

    ``hand`` says what sort of position it is.  Only a cost that is simulated has a standard error.
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
    """A play of ``main``, the best (``strategy`` None) or one written down: what it is worth, and costs, per Ante."""

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
    """Return the best play, the practical strategy and the simpler ones, each played out over every deal.

    Raises:
        StrategyError: the game has no strategies, or they are not in order (``strategies``).
        WagerError: the game has no solver.
    """
    written = load_strategies(game)
    if not written:
        raise StrategyError(f"{game.id} has no strategy that can be written down in this version")
    found: list[StrategyCost] = []
    unit = build_problem(game, paytables, options).unit
    if hasattr(load_solver(game), "solve_side_by_side"):
        with open_progress("Every play") as progress:
            cache_solutions(game, paytables, options, (None, *written), progress)
    for strategy in (None, *written):
        with open_progress(strategy.name if strategy else "Best play") as progress:
            solved = get_solution(game, paytables, options, progress, strategy)
        value = compute_expected_value(game, paytables, options, solved)
        best = found[0].expected_value if found else value
        deals = sum(solved.counts)
        blunders = (
            PricedMistake(
                each.taken,
                each.best,
                each.hand,
                each.deals,
                Fraction(each.deals, deals),
                Fraction(each.cost, deals * unit),
            )
            for each in solved.mistakes
        )
        actions = {path: Fraction(times, deals) for path, times in solved.actions.items()}
        found.append(StrategyCost(strategy, value, best - value, deals, actions, tuple(blunders)))
    return tuple(found)


def compute_expected_value(
    game: Game, paytables: Mapping[str, PayTable], options: Mapping[str, str], solution: Solution
) -> Fraction:
    """Return what ``main`` nets on average in Antes."""
    asked = build_problem(game, paytables, options)
    total = sum(net * count for net, count in zip(asked.problem.nets, solution.counts, strict=True))
    return Fraction(total, sum(solution.counts) * asked.unit)


def strategy_cost_as_json(strategy_cost: StrategyCost) -> dict[str, Any]:
    """Return a play as INTERFACE writes figures; the best play has no strategy, cost or mistakes."""
    value, cost = strategy_cost.expected_value, strategy_cost.cost
    figures: dict[str, Any] = {
        "expected_value": float(value),
        "expected_value_exact": f"{value.numerator}/{value.denominator}",
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
        "cost_exact": f"{cost.numerator}/{cost.denominator}",
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
