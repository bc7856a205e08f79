"""The first count of every bet, and the start of a command: part of ``make bench``.

Every count is made twice in a cache folder of its own: first compiled and counted, then counted alone.  The tables
printed are those of docs/performance.md.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pitboss.contract import Game

RUNS = 9
COMMANDS = (
    "--help",
    "games --json",
    "par six-card --bet bad-beat --json",
    "par six-card --bet aces-up --paytable all",
)


def main() -> None:
    """Measure counts in a process with an empty cache, then commands, and print both."""
    with tempfile.TemporaryDirectory() as folder:
        counts = "from bench.counts import measure_counts; measure_counts()"
        kept_here = os.environ | {"PITBOSS_CACHE": folder}
        subprocess.run([sys.executable, "-c", counts], check=True, env=kept_here)  # noqa: S603  the script is ours
    measure_commands()


def measure_counts() -> None:
    """Print how long the first count of every bet, or solution, takes, with what is compiled for it and without."""
    from pitboss.analysis.census import count_outcomes, explain_missing_sheet
    from pitboss.core.cache import cache_root
    from pitboss.games import load_games
    from pitboss.hands import load_hand_tables
    from pitboss.options import resolve_options

    load_hand_tables()
    sys.stdout.write("| bet | deals | compiled and counted | counted |\n|---|--:|--:|--:|\n")
    for game in load_games().values():
        options = resolve_options(game, {})
        for wager in (*game.wagers, *game.main_parts):
            if not explain_missing_sheet(game, wager, options):
                solved = bool(game.solver) and wager is game.main
                count = partial(counts_of_main, game) if solved else partial(count_outcomes, game, wager, options)
                first, deals = seconds(count), sum(count())
                for kept in ("counts", "solutions"):
                    shutil.rmtree(cache_root() / kept, ignore_errors=True)
                again = seconds(count)
                sys.stdout.write(f"| {game.id} {wager.id} | {deals:,} | {first:.2f} s | {again:.2f} s |\n")


def counts_of_main(game: "Game") -> tuple[int, ...]:
    """Return the counts of the best play of a game's main wager, under its default options and pay tables."""
    from pitboss.analysis.solutions import get_solution
    from pitboss.options import resolve_options
    from pitboss.paytables import select_paytables

    return get_solution(game, select_paytables(game), resolve_options(game, {}), lambda _done, _total: None).counts


def measure_commands() -> None:
    """Print how long a command takes from its start to its end, counts being kept: the median of several runs."""
    pitboss = str(Path(sys.executable).parent / "pitboss")
    sys.stdout.write("\n| command | time |\n|---|--:|\n")
    for command in COMMANDS:
        run = partial(subprocess.run, [pitboss, *command.split()], check=True, stdout=subprocess.DEVNULL)
        run()
        sys.stdout.write(f"| `pitboss {command}` | {median(seconds(run) for _ in range(RUNS)):.2f} s |\n")


def seconds(work: Callable[[], object]) -> float:
    """Return how long ``work`` takes by the clock on the wall."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began
