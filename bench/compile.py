"""What compiling takes: processor seconds by game and by kernel, from an empty cache.

    python -m bench.compile                  every game, one after the other in one cache, and the sum of all
    python -m bench.compile shifting-wilds   that game alone, and its kernels, the dearest first

Each game counts its bets, finds the best play of a small deck, values positions of rounds dealt at random, and follows
its written strategies: that compiles what the whole deck takes.  A kernel is counted where it is first needed,
with the rules and parts that are compiled for it.
"""

import os
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from numba.core import event

if TYPE_CHECKING:
    from pitboss.contract import Game

ROUNDS = 3
COSTLIEST = 40


@dataclass
class Compiled(event.Listener):
    """The processor seconds of each kernel compiled: Numba compiles one at a time, and what it calls within it."""

    seconds: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    parts: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    _open: list[float] = field(default_factory=list)

    def on_start(self, _event: event.Event) -> None:
        """Begin a kernel, or a part of one."""
        self._open.append(time.thread_time())

    def on_end(self, event: event.Event) -> None:
        """End it."""
        took = time.thread_time() - self._open.pop()
        function = event.data["dispatcher"].py_func
        name = f"{function.__module__.removeprefix('pitboss.')}.{function.__qualname__}"
        (self.parts if self._open else self.seconds)[name] += took

    def add(self, other: "Compiled") -> None:
        """Add the seconds of another listener."""
        for own, more in ((self.seconds, other.seconds), (self.parts, other.parts)):
            for name, took in more.items():
                own[name] += took


def main(asked: list[str]) -> None:
    """Measure the games asked for, all where none is, and print a table."""
    with tempfile.TemporaryDirectory() as folder:
        # Read when the first kernel is decorated, so before anything is imported that has one.
        os.environ["PITBOSS_CACHE"] = folder
        from pitboss.games import load_games

        show("| game | kernels | CPU | of it: bets | best play | hints | strategies |")
        show("|---|--:|--:|--:|--:|--:|--:|")
        everything = Compiled()
        for name in asked or load_games():
            game = load_games()[name]
            compiled = Compiled()
            with event.install_listener("numba:compile", compiled):
                stages = [sum(compiled.seconds.values()) for _ in compile_all(game)]
            took = " | ".join(f"{after - before:.1f} s" for before, after in pairwise([0.0, *stages]))
            show(f"| `{name}` | {len(compiled.seconds)} | {stages[-1]:.1f} s | {took} |")
            everything.add(compiled)
        show(f"| all | {len(everything.seconds)} | {sum(everything.seconds.values()):.1f} s | | | | |")
        if asked:
            show_costliest("kernel, with its parts", everything.seconds)
            show_costliest("part, with its own parts, all signatures", everything.parts)


def compile_all(game: "Game") -> Iterator[None]:
    """Compile a game's kernels: those of its bets, of its best play, of hints, and of what its strategies come to."""
    from pitboss.analysis.census import count_outcomes, explain_uncounted
    from pitboss.analysis.simulated_strategy_cost import find_mistakes
    from pitboss.analysis.solutions import build_problem
    from pitboss.cards import seeded_bits, shuffle_deck
    from pitboss.options import resolve_options
    from pitboss.paytables import select_paytables
    from pitboss.strategies import load_strategies

    options = resolve_options(game, {})
    for wager in (*game.wagers, *game.main_parts):
        if not explain_uncounted(game, wager, options):
            count_outcomes(game, wager, options)
    yield
    problem = build_problem(game, select_paytables(game), options).problem
    solve = SMALL_DECKS[game.id]()
    solve(problem)
    yield
    bits, written = seeded_bits(1), load_strategies(game)
    for _ in range(ROUNDS):
        deck, valued = shuffle_deck(game.deck, bits), dict[Any, Any]()
        for strategy in written:
            find_mistakes(game, problem, strategy, deck, valued)
    yield
    for strategy in written:
        followed = build_problem(game, select_paytables(game), options, strategy).problem
        try:
            solve(followed)
        except ValueError:
            # This solver follows no strategy.
            break
    yield


def lunar() -> Callable[[Any], Any]:
    """Return what solves Lunar Poker's main wager beside one exposed card of a small deck."""
    from pitboss.games.lunar.solver.census import solve_exposed_card
    from pitboss.games.lunar.solver.strategy_follower import follow_strategy

    ranks = (7, 8, 9, 10, 11, 12, 3)

    def solve(problem: Any) -> Any:
        if problem.strategy:
            return follow_strategy(problem.strategy, ranks[0], problem.options, problem.nets, ranks)
        return solve_exposed_card(ranks[0], problem.options, problem.nets, ranks)

    return solve


def shifting_wilds() -> Callable[[Any], Any]:
    """Return what solves Shifting Wilds with a deck of three ranks."""
    from pitboss.games.shifting_wilds.solver.solution import solve_deck

    return lambda problem: solve_deck((10, 11, 12), problem, silently)


def six_card() -> Callable[[Any], Any]:
    """Return what solves Six Card Poker with a deck of five ranks."""
    from pitboss.games.six_card.solver.solution import solve_deck

    deck = [13 * suit + rank for suit in range(4) for rank in range(8, 13)]
    return lambda problem: solve_deck(deck, problem, silently)


def wild_52() -> Callable[[Any], Any]:
    """Return what solves Wild 52 with a deck of three ranks and a Joker."""
    from pitboss.games.wild_52.solver.solution import solve_deck

    return lambda problem: solve_deck((10, 11, 12), problem, silently)


def wild_six_card() -> Callable[[Any], Any]:
    """Return what solves Wild Six Card Poker with a deck of six ranks in two suits and two Jokers."""
    from pitboss.games.wild_six_card.solver.solution import solve
    from pitboss.kernels.suit_symmetry import SuitedDeck

    return lambda problem: solve(problem, silently, SuitedDeck(range(7, 13), 2, 2))


SMALL_DECKS = {
    "lunar": lunar,
    "shifting-wilds": shifting_wilds,
    "six-card": six_card,
    "wild-52": wild_52,
    "wild-six-card": wild_six_card,
}


def silently(_done: int, _total: int) -> None:
    """Tell nobody how far a solver is."""


def show_costliest(title: str, seconds: Mapping[str, float]) -> None:
    """Print the costliest of them."""
    show(f"\n| {title} | CPU |\n|---|--:|")
    for name, took in sorted(seconds.items(), key=lambda each: -each[1])[:COSTLIEST]:
        show(f"| `{name}` | {took:.2f} s |")


def show(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
