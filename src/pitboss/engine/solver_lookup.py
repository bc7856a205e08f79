"""Find the solver of any game: its own, or the engine's.

Only a game without a solver of its own loads the engine.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from pitboss.contract import Game
from pitboss.core.errors import WagerError
from pitboss.solver_api import Solver, load_solver

_SHARDED_FROM_SECONDS = 60
"""Solutions that take longer than this are kept part by part."""

_budget_seconds = ContextVar[int | None]("budget_seconds", default=None)


@contextmanager
def allow_seconds(budget_seconds: int) -> Iterator[None]:
    """Let solutions take this long on one core, in place of two hours."""
    token = _budget_seconds.set(budget_seconds)
    try:
        yield
    finally:
        _budget_seconds.reset(token)


def can_solve(game: Game) -> bool:
    """Tell whether ``main`` can be solved.

    It can be by the game's own solver, or by the engine within the budget.
    """
    if game.solver:
        return True
    from pitboss.engine.plan import make_plan

    return make_plan(game).seconds <= _get_budget_seconds()


def _get_budget_seconds() -> int:
    """Return how long a solution may take on one core."""
    from pitboss.engine.plan import BUDGET_SECONDS

    return _budget_seconds.get() or BUDGET_SECONDS


def find_solver(game: Game) -> Solver:
    """Return the game's own solver, or the engine's where it has none.

    Raises:
        PitbossError: the game's own solver cannot be loaded.
        WagerError: the engine would take longer than the budget on one core (``allow_seconds``).
    """
    if game.solver:
        return load_solver(game)
    from pitboss.engine.plan import VISIT, format_duration, make_plan

    plan, budget_seconds = make_plan(game), _get_budget_seconds()
    if plan.seconds > budget_seconds:
        time, most = format_duration(plan.seconds), format_duration(budget_seconds)
        operations = "settlements" if plan.way == VISIT else "private hands"
        reason = f" (no census: {plan.no_census})" if plan.no_census else ""
        declare = "" if game.showdown else "declare its showdown, "
        raise WagerError(
            f"the best play of {game.id} takes {plan.operations:,} {operations}, about {time} on one core, "
            f"more than {most}{reason}: give a larger --budget, {declare}or write a solver for it",
            code="past-budget",
            game=game.id,
            operations=plan.operations,
        )
    from pitboss.engine.solver import build_solver  # it loads Numba

    return build_solver(game, plan, sharded=plan.seconds > _SHARDED_FROM_SECONDS)
