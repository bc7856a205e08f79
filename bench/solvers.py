"""How long the best play of a main wager takes to find over all deals, kernels compiled, by phase where there are some.

    python -m bench.solvers shifting-wilds

Nothing kept is used but compiled kernels, which a small deck compiles before the clock starts.  Of Shifting Wilds the
phases are told apart: each opening is checked (what a Check is worth, the sum over all W2s), then locked (what a Lock
is worth, and the better of the two: the value is known then), then counted (what is played, and every outcome).
Openings run side by side, so a phase's processor seconds are measured and its share of the wall time is in proportion.
"""

import resource
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from functools import wraps
from typing import Any

from bench.compile import SMALL_DECKS, show, silently
from pitboss.analysis.solutions import question, solver_of
from pitboss.games import games
from pitboss.options import option_values
from pitboss.paytables import choose

GIB = 1 << 20


def main(asked: list[str]) -> None:
    """Solve the games asked for, all with a solver in one piece where none is, and print what it takes."""
    names = asked or [name for name, game in games().items() if hasattr(solver_of(game), "solve")]
    show("| game | wall | CPU | peak of memory |\n|---|--:|--:|--:|")
    for name in names:
        game = games()[name]
        problem = question(game, choose(game), option_values(game, {})).problem
        SMALL_DECKS[name]()(problem)
        phases = phases_of_shifting_wilds() if name == "shifting-wilds" else Counter[str]()
        phases.clear()
        began, busy = time.perf_counter(), time.process_time()
        solver_of(game).solve(problem, silently)
        wall, busy = time.perf_counter() - began, time.process_time() - busy
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / GIB
        show(f"| `{name}` | {wall:.1f} s | {busy:.1f} s | {peak:.2f} GB |")
        phases["the rest"] = busy - sum(phases.values())
        for phase, took in phases.items():
            if phases.total() > took:
                show(f"| of it: {phase} | {wall * took / busy:.1f} s | {took:.1f} s | |")


def phases_of_shifting_wilds() -> Counter[str]:
    """Have the phases of an opening timed from now on; return where their processor seconds are added up."""
    from pitboss.games.shifting_wilds.solver import openings

    phases, adding = Counter[str](), threading.Lock()

    def timed(function: Callable[..., Any], phase_of: Callable[..., str]) -> Callable[..., Any]:
        @wraps(function)
        def run(*arguments: Any) -> Any:
            began = time.thread_time()
            made = function(*arguments)
            with adding:
                phases[phase_of(*arguments)] += time.thread_time() - began
            return made

        return run

    def of_sweep(*arguments: Any) -> str:
        counting = arguments[-2]
        return "every outcome" if counting else "checks: what every Play is worth"

    # Without a stake on it the Bad Beat is only counted.
    phase_of = {
        "sweep": of_sweep,
        "beats_beside": lambda *_: "every outcome",
        "lock_beats": lambda *_: "every outcome",
        "check_or_lock": lambda *_: "locks, and the value",
    }
    for name, phase in phase_of.items():
        setattr(openings, name, timed(getattr(openings, name), phase))
    return phases


if __name__ == "__main__":
    main(sys.argv[1:])
