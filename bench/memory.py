"""What holds the memory of a process that finds the best play of a game, kernels compiled.

    python -m bench.memory wild-six-card wild-52 lunar

A thread looks ten times a second, and keeps the lines that made the largest arrays where the process held most.  Of
Lunar it is the shard of an exposed deuce.  The rest of the process is held by libraries and compiled code.  Pages that
are never written count as arrays, but not as memory of the process.
"""

import resource
import subprocess
import sys
import threading
import tracemalloc
from collections import Counter
from pathlib import Path
from typing import Any

import pitboss
from bench.compile import SMALL_DECKS, show, silently
from bench.solvers import solved_anew
from pitboss.analysis.solutions import build_problem
from pitboss.games import load_games
from pitboss.options import resolve_options
from pitboss.paytables import select_paytables
from pitboss.solver_api import ShardedTask, load_solver

MIB = 1 << 20
HOLDERS = 6
PACKAGE = Path(pitboss.__file__).parent


def main(asked: list[str]) -> None:
    """Print what holds the memory of each game, each in a process of its own."""
    if len(asked) == 1:
        watch(asked[0])
        return
    for name in asked:
        subprocess.run((sys.executable, "-m", "bench.memory", name), check=True)  # noqa: S603  this file


def watch(name: str) -> None:
    """Solve a game, or one shard of it, and print the lines that held most at the peak."""
    game = load_games()[name]
    problem = build_problem(game, select_paytables(game), resolve_options(game, {})).problem
    SMALL_DECKS[name]()(problem)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    finished, peaks = threading.Event(), [(0, Counter[str]())]
    tracemalloc.start(4)

    def look() -> None:
        while not finished.wait(0.1):
            held = tracemalloc.get_traced_memory()[0]
            if held > peaks[0][0] * 1.05:
                peaks[0] = (held, name_holders(tracemalloc.take_snapshot()))

    thread = threading.Thread(target=look)
    thread.start()
    solve_anew(name, problem)
    finished.set()
    thread.join()
    held, holders = peaks[0]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    show(
        f"\n{name}: {peak / 1024:.0f} MiB at the peak, {before / 1024:.0f} before, arrays {held / MIB:.0f}; of these:\n"
    )
    show("| line | MiB |\n|---|--:|")
    for line, size in holders.most_common(HOLDERS):
        show(f"| {line} | {size / MIB:.0f} |")


def solve_anew(name: str, problem: Any) -> None:
    """Solve a game, of Lunar the shard of an exposed deuce, whatever comes with the package."""
    if name == "lunar":
        from pitboss.games.lunar.solver.solution import solve_unbundled

        solve_unbundled(problem, "2")
        return
    solve = solved_anew if name == "shifting-wilds" else load_solver(load_games()[name]).solve
    if isinstance(solve, ShardedTask):
        sys.exit(f"{name} is solved in shards: choose a game that is solved in one piece, or lunar")
    solve(problem, silently)


def name_holders(snapshot: tracemalloc.Snapshot) -> Counter[str]:
    """Return how many bytes are held by each line of the package that made them, the innermost one."""
    sizes = Counter[str]()
    for trace in snapshot.traces:
        ours = [frame for frame in trace.traceback if Path(frame.filename).is_relative_to(PACKAGE)]
        frame = ours[-1] if ours else trace.traceback[-1]
        sizes[f"{Path(frame.filename).name}:{frame.lineno}"] += trace.size
    return sizes


if __name__ == "__main__":
    main(sys.argv[1:])
