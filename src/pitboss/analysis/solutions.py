"""How a game's main wager is played: solved by the game's own solver, once, and kept.

A solution depends on the rules, on options, on what the outcomes net, on side wagers solved along with it and on the
strategy played, so it is kept under all of them.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from functools import partial
from hashlib import sha256
from importlib import import_module
from math import lcm
from typing import Any

from pitboss.contract import Game, PayTable, Wager
from pitboss.core.cache import get_or_make_text, read_cached_text, write_cached_text
from pitboss.core.errors import WagerError
from pitboss.core.progress import ProgressCallback
from pitboss.core.source_hash import collect_modules, hash_sources
from pitboss.options import encode_options
from pitboss.paytables import compute_outcome_net
from pitboss.solver_api import Solution, SolverProblem, Strategy, get_solver_module, parse_solution
from pitboss.tasks import SERIAL, Executor, Shard, count_finished, run_shards

_UNIT_CENTS = 100


@dataclass(frozen=True, slots=True)
class Question:
    """What a solver is asked, and its unit: ``unit`` of it are one Ante."""

    problem: SolverProblem
    unit: int


def question(
    game: Game,
    chosen: Mapping[str, PayTable],
    options: Mapping[str, str],
    strategy: Strategy | None = None,
    beside: Mapping[str, Fraction] | None = None,
) -> Question:
    """Put a problem in whole numbers of the largest unit that makes every net whole.

    ``beside`` has side wagers solved along with main, and what is staked on each, in Antes; stakes of 0 are left out.

    >>> from pitboss.games import game_named
    >>> from pitboss.options import resolve_options
    >>> from pitboss.paytables import select_paytables
    >>> game = game_named("shifting-wilds")
    >>> asked = question(game, choose(game), option_values(game, {}), beside={"bad-beat": Fraction(1, 2)})
    >>> asked.unit, asked.problem.nets[0], asked.problem.beside["bad-beat"][-2:]
    (2, -4, (-1, 0))
    """
    wagers = {wager.id: wager for wager in game.wagers}
    main = _nets(game.wagers[0], chosen, Fraction(1))
    others = {bet: _nets(wagers[bet], chosen, stake) for bet, stake in sorted((beside or {}).items()) if stake}
    unit = _unit(main, *others.values())
    problem = SolverProblem(
        options=encode_options(game, options),
        nets=_in_units(main, unit),
        side_nets={bet: _in_units(nets, unit) for bet, nets in others.items()},
        strategy=strategy,
    )
    return Question(problem, unit)


def main_nets(game: Game, chosen: Mapping[str, PayTable]) -> tuple[int, ...]:
    """Return what each outcome of ``main`` nets as whole numbers of the largest unit that makes them whole."""
    nets = _nets(game.wagers[0], chosen, Fraction(1))
    return _in_units(nets, _unit(nets))


def _unit(*nets: Sequence[Fraction]) -> int:
    return lcm(*(net.denominator for of_wager in nets for net in of_wager))


def _in_units(nets: Sequence[Fraction], unit: int) -> tuple[int, ...]:
    return tuple(int(net * unit) for net in nets)


def _nets(wager: Wager, chosen: Mapping[str, PayTable], stake: Fraction) -> list[Fraction]:
    """Return what each outcome of ``wager`` nets in Antes when ``stake`` Antes lie on it."""
    return [stake * compute_outcome_net(outcome, chosen, _UNIT_CENTS) / _UNIT_CENTS for outcome in wager.outcomes]


def solver_of(game: Game) -> Any:
    """Return the game's solver, a module as ``solving`` describes it.

    Raises:
        WagerError: the game has none.
    """
    if not game.solver:
        message = f"main of {game.id} has no exact solution in this version"
        raise WagerError(message)
    return import_module(get_solver_module(game))


def solution(
    game: Game,
    chosen: Mapping[str, PayTable],
    options: Mapping[str, str],
    progress: ProgressCallback,
    strategy: Strategy | None = None,
    beside: Mapping[str, Fraction] | None = None,
    crew: Executor = SERIAL,
) -> Solution:
    """Return what the best play of ``main`` leads to, or that of ``strategy``, solved the first time and kept.

    With ``beside``, stakes of side wagers in Antes, the best play is the best for all of them together.  What main nets
    in ``Solution.beside`` and what mistakes cost is in the units of ``question``.

    A solver that works in pieces has them done by ``crew``, and each is kept as soon as it is finished.

    Raises:
        WagerError: the game has no solver.
        ClusterError: the crew's cluster cannot do it (``work.run``).
    """
    problem = question(game, chosen, options, strategy, beside).problem
    solver, name = solver_of(game), f"{game.id}.{_digest(game, options, problem)}"

    def solved() -> str:
        if not hasattr(solver, "pieces"):
            return json.dumps(asdict(solver.solve(problem, progress)))
        pieces = [Shard(piece, piece) for piece in solver.pieces(problem)]
        results = run_shards(pieces, partial(solver.solve_piece, problem), f"pieces/{name}", crew, progress)
        return json.dumps(asdict(solver.put_together(problem, results)))

    return _read(get_or_make_text(_kept_under(name), solved))


def solve_together(
    game: Game,
    chosen: Mapping[str, PayTable],
    options: Mapping[str, str],
    plays: Sequence[Strategy | None],
    progress: ProgressCallback,
) -> None:
    """Find and keep what ``solution`` tells of these plays, the best one (None) and strategies, all at once.

    Nothing is done where all are kept.  The game's solver is one that solves plays side by side.

    Raises:
        WagerError: the game has no solver.
    """
    problem, solver = question(game, chosen, options).problem, solver_of(game)
    names = [f"{game.id}.{_digest(game, options, replace(problem, strategy=play))}" for play in plays]
    if any(read_cached_text(_kept_under(name)) is None for name in names):
        for name, solved in zip(names, solver.solve_side_by_side(problem, plays, progress), strict=True):
            write_cached_text(_kept_under(name), json.dumps(asdict(solved)))


def kept_solution(
    game: Game, chosen: Mapping[str, PayTable], options: Mapping[str, str], strategy: Strategy | None = None
) -> Solution | None:
    """Return what ``solution`` has found and kept, None if it has not."""
    name = f"{game.id}.{_digest(game, options, question(game, chosen, options, strategy).problem)}"
    text = read_cached_text(_kept_under(name))
    return None if text is None else _read(text)


def _kept_under(name: str) -> str:
    return f"solutions/{name}.json"


def _read(text: str) -> Solution:
    """Read a solution from the text it is kept as."""
    return parse_solution(json.loads(text))


def pieces_done(game: Game, chosen: Mapping[str, PayTable], options: Mapping[str, str]) -> tuple[int, int] | None:
    """Return how many pieces of the best play are kept, and of how many; None for a solver that works in one piece.

    Raises:
        WagerError: the game has no solver.
    """
    problem, solver = question(game, chosen, options).problem, solver_of(game)
    if not hasattr(solver, "pieces"):
        return None
    pieces = [Shard(piece, piece) for piece in solver.pieces(problem)]
    return count_finished(pieces, f"pieces/{game.id}.{_digest(game, options, problem)}"), len(pieces)


def _digest(game: Game, options: Mapping[str, str], problem: SolverProblem) -> str:
    """Return hexadecimal digits that change with anything a solution depends on, its source last."""
    decided = ".".join(f"{option.name}={options[option.name]}" for option in game.options)
    played = problem.strategy
    followed = played and [played.id, played.choose.__module__, played.choose.__qualname__, played.numbers]
    digest = sha256(json.dumps([decided, problem.nets, problem.side_nets, followed]).encode()).hexdigest()[:16]
    return f"{digest}.{hash_sources(__name__, get_solver_module(game), *collect_modules(played and played.choose))}"


def method_hash(game: Game) -> str:
    """Return 16 hexadecimal digits that change with any rule or method that the figures of a game depend on."""
    counted = tuple(wager.census for wager in (*game.wagers, *game.main_parts))
    methods = ("pitboss.analysis.census", "pitboss.analysis.joint", __name__)
    return hash_sources(*methods, get_solver_module(game), *collect_modules(game.rules, counted))


def average_wager(game: Game, counts: tuple[int, ...]) -> Fraction:
    """Return the average of all main chips put down, in Antes: every leg's stake of every outcome."""
    stakes = (sum(leg.stake for leg in outcome.legs) for outcome in game.wagers[0].outcomes)
    return Fraction(sum(stake * count for stake, count in zip(stakes, counts, strict=True)), sum(counts))
