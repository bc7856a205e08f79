"""What a strategy that can be written down costs against the best play: played out over every deal, exactly."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from pitboss.analysis.solutions import question, solution, solve_together, solver_of
from pitboss.contract import Game, PayTable
from pitboss.core.errors import StrategyError
from pitboss.core.progress import ProgressCallback
from pitboss.solver_api import Solution, Strategy
from pitboss.strategies import load_strategies

Watching = Callable[[str], AbstractContextManager[ProgressCallback]]
"""Gives a progress to tell while what it names is worked on."""


@dataclass(frozen=True, slots=True)
class Blunder:
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
class Play:
    """A play of ``main``, the best (``strategy`` None) or one written down: what it is worth, and costs, per Ante."""

    strategy: Strategy | None
    expected_value: Fraction
    cost: Fraction
    deals: int
    actions: Mapping[str, Fraction]
    mistakes: tuple[Blunder, ...]

    @property
    def house_edge(self) -> Fraction:
        """The player's expected loss per Ante."""
        return -self.expected_value


def plays(
    game: Game, chosen: Mapping[str, PayTable], options: Mapping[str, str], watching: Watching
) -> tuple[Play, ...]:
    """Return the best play, the practical strategy and the simpler ones, each played out over every deal.

    Raises:
        StrategyError: the game has no strategies, or they are not in order (``strategies``).
        WagerError: the game has no solver.
    """
    written = load_strategies(game)
    if not written:
        raise StrategyError(f"{game.id} has no strategy that can be written down in this version")
    found: list[Play] = []
    unit = question(game, chosen, options).unit
    if hasattr(solver_of(game), "solve_side_by_side"):
        with watching("Every play") as progress:
            solve_together(game, chosen, options, (None, *written), progress)
    for strategy in (None, *written):
        with watching(strategy.name if strategy else "Best play") as progress:
            solved = solution(game, chosen, options, progress, strategy)
        value = expected_value(game, chosen, options, solved)
        best = found[0].expected_value if found else value
        deals = sum(solved.counts)
        blunders = (
            Blunder(
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
        found.append(Play(strategy, value, best - value, deals, actions, tuple(blunders)))
    return tuple(found)


def expected_value(
    game: Game, chosen: Mapping[str, PayTable], options: Mapping[str, str], solved: Solution
) -> Fraction:
    """Return what ``main`` nets on average in Antes."""
    asked = question(game, chosen, options)
    total = sum(net * count for net, count in zip(asked.problem.nets, solved.counts, strict=True))
    return Fraction(total, sum(solved.counts) * asked.unit)


def play_as_json(play: Play) -> dict[str, Any]:
    """Return a play as INTERFACE writes figures; the best play has no strategy, cost or mistakes."""
    value, cost = play.expected_value, play.cost
    figures: dict[str, Any] = {
        "expected_value": float(value),
        "expected_value_exact": f"{value.numerator}/{value.denominator}",
        "house_edge": float(play.house_edge),
        "deals": play.deals,
        "actions": {path: float(frequency) for path, frequency in play.actions.items()},
    }
    if play.strategy is None:
        return figures
    return {
        "id": play.strategy.id,
        "name": play.strategy.name,
        "lines": list(play.strategy.lines),
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
            for each in play.mistakes
        ],
    }
