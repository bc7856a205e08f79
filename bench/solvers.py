"""How long the best play of a main wager takes to find over all deals, kernels compiled.

    python -m bench.solvers shifting-wilds

Nothing kept is used but compiled kernels, which a small deck compiles before the clock starts, nor what comes with the
package.  Of Shifting Wilds value and frequencies are found first, alone, and printed; then all is found, every outcome
and the variance with them, so that what these take more is the difference.
"""

import resource
import sys
import time
from collections.abc import Callable
from typing import Any

from bench.compile import SMALL_DECKS, show, silently
from pitboss.analysis.solutions import build_problem
from pitboss.games import load_games
from pitboss.options import resolve_options
from pitboss.paytables import select_paytables
from pitboss.solver_api import ShardedTask, load_solver

GIB = 1 << 20


def main(asked: list[str]) -> None:
    """Solve the games asked for, all with a solver in one piece where none is, and print what it takes."""
    names = asked or [name for name, game in load_games().items() if not load_solver(game).shards]
    show("| game | wall | CPU | peak of memory |\n|---|--:|--:|--:|")
    for name in names:
        game = load_games()[name]
        problem = build_problem(game, select_paytables(game), resolve_options(game, {})).problem
        SMALL_DECKS[name]()(problem)
        if name == "shifting-wilds":
            figures = timed(f"`{name}`, value and frequencies", decided_anew, problem)
            frequencies = ", ".join(f"{path} {deals / figures.deals:.4%}" for path, deals in figures.actions.items())
            show(f"| expected value {figures.total / figures.deals:.6%}, {frequencies} | | | |")
        solve = load_solver(game).solve
        if isinstance(solve, ShardedTask):
            sys.exit(f"{name} is solved in shards: choose a game that is solved in one piece")
        timed(f"`{name}`", solved_anew if name == "shifting-wilds" else solve, problem)


def timed(what: str, function: Callable[..., Any], problem: Any) -> Any:
    """Call a function of a problem and print what it took; return its result."""
    began, busy = time.perf_counter(), time.process_time()
    found = function(problem, silently)
    wall, busy = time.perf_counter() - began, time.process_time() - busy
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / GIB
    show(f"| {what} | {wall:.1f} s | {busy:.1f} s | {peak:.2f} GB |")
    return found


def decided_anew(problem: Any, progress: Any) -> Any:
    """Return value and frequencies of Shifting Wilds."""
    from pitboss.games.shifting_wilds.solver.solution import compute_best_figures

    return compute_best_figures(range(13), problem, progress)


def solved_anew(problem: Any, progress: Any) -> Any:
    """Return the whole solution of Shifting Wilds, whatever comes with the package."""
    from pitboss.games.shifting_wilds.solver import solution

    return solution.solve_from_scratch(problem, (None,), progress)


if __name__ == "__main__":
    main(sys.argv[1:])
