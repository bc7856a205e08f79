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
class ScaledProblem:
    """What a solver is asked, and its unit: ``unit`` of it are one Ante."""

    problem: SolverProblem
    unit: int


def build_problem(
    game: Game,
    paytables: Mapping[str, PayTable],
    options: Mapping[str, str],
    strategy: Strategy | None = None,
    side_stakes: Mapping[str, Fraction] | None = None,
) -> ScaledProblem:
    """Put a problem in whole numbers of the largest unit that makes every net whole.

    ``side_stakes`` has side wagers solved along with main, and what is staked on each, in Antes; stakes of 0 are left
    out.

    >>> from pitboss.games import load_game
    >>> from pitboss.options import resolve_options
    >>> from pitboss.paytables import select_paytables
    >>> game = game_named("shifting-wilds")
    >>> asked = build_problem(game, choose(game), option_values(game, {}), beside={"bad-beat": Fraction(1, 2)})
    >>> asked.unit, asked.problem.nets[0], asked.problem.beside["bad-beat"][-2:]
    (2, -4, (-1, 0))
    """
    wagers = {wager.id: wager for wager in game.wagers}
    main = _compute_nets(game.wagers[0], paytables, Fraction(1))
    others = {
        bet: _compute_nets(wagers[bet], paytables, stake) for bet, stake in sorted((side_stakes or {}).items()) if stake
    }
    unit = _compute_unit(main, *others.values())
    problem = SolverProblem(
        options=encode_options(game, options),
        nets=_scale_nets(main, unit),
        side_nets={bet: _scale_nets(nets, unit) for bet, nets in others.items()},
        strategy=strategy,
    )
    return ScaledProblem(problem, unit)


def compute_main_nets(game: Game, paytables: Mapping[str, PayTable]) -> tuple[int, ...]:
    """Return what each outcome of ``main`` nets as whole numbers of the largest unit that makes them whole."""
    nets = _compute_nets(game.wagers[0], paytables, Fraction(1))
    return _scale_nets(nets, _compute_unit(nets))


def _compute_unit(*nets: Sequence[Fraction]) -> int:
    return lcm(*(net.denominator for of_wager in nets for net in of_wager))


def _scale_nets(nets: Sequence[Fraction], unit: int) -> tuple[int, ...]:
    return tuple(int(net * unit) for net in nets)


def _compute_nets(wager: Wager, paytables: Mapping[str, PayTable], stake: Fraction) -> list[Fraction]:
    """Return what each outcome of ``wager`` nets in Antes when ``stake`` Antes lie on it."""
    return [stake * compute_outcome_net(outcome, paytables, _UNIT_CENTS) / _UNIT_CENTS for outcome in wager.outcomes]


def load_solver(game: Game) -> Any:
    """Return the game's solver, a module as ``solving`` describes it.

    Raises:
        WagerError: the game has none.
    """
    if not game.solver:
        message = f"main of {game.id} has no exact solution in this version"
        raise WagerError(message)
    return import_module(get_solver_module(game))


def get_solution(
    game: Game,
    paytables: Mapping[str, PayTable],
    options: Mapping[str, str],
    progress: ProgressCallback,
    strategy: Strategy | None = None,
    side_stakes: Mapping[str, Fraction] | None = None,
    executor: Executor = SERIAL,
) -> Solution:
    """Return what the best play of ``main`` leads to, or that of ``strategy``, solved the first time and kept.

    With ``side_stakes``, stakes of side wagers in Antes, the best play is the best for all of them together.  What main
    nets in ``Solution.beside`` and what mistakes cost is in the units of ``build_problem``.

    A solver that works in pieces has them done by ``executor``, and each is kept as soon as it is finished.

    Raises:
        WagerError: the game has no solver.
        ClusterError: the crew's cluster cannot do it (``work.run``).
    """
    problem = build_problem(game, paytables, options, strategy, side_stakes).problem
    solver, name = load_solver(game), f"{game.id}.{_compute_digest(game, options, problem)}"

    def solved() -> str:
        if not hasattr(solver, "pieces"):
            return json.dumps(asdict(solver.solve(problem, progress)))
        pieces = [Shard(piece, piece) for piece in solver.pieces(problem)]
        results = run_shards(pieces, partial(solver.solve_piece, problem), f"pieces/{name}", executor, progress)
        return json.dumps(asdict(solver.put_together(problem, results)))

    return _parse_solution(get_or_make_text(_make_cache_name(name), solved))


def cache_solutions(
    game: Game,
    paytables: Mapping[str, PayTable],
    options: Mapping[str, str],
    strategies: Sequence[Strategy | None],
    progress: ProgressCallback,
) -> None:
    """Find and keep what ``get_solution`` tells of these plays, the best one (None) and strategies, all at once.

    Nothing is done where all are kept.  The game's solver is one that solves plays side by side.

    Raises:
        WagerError: the game has no solver.
    """
    problem, solver = build_problem(game, paytables, options).problem, load_solver(game)
    names = [f"{game.id}.{_compute_digest(game, options, replace(problem, strategy=play))}" for play in strategies]
    if any(read_cached_text(_make_cache_name(name)) is None for name in names):
        for name, solved in zip(names, solver.solve_side_by_side(problem, strategies, progress), strict=True):
            write_cached_text(_make_cache_name(name), json.dumps(asdict(solved)))


def get_cached_solution(
    game: Game, paytables: Mapping[str, PayTable], options: Mapping[str, str], strategy: Strategy | None = None
) -> Solution | None:
    """Return what ``get_solution`` has found and kept, None if it has not."""
    name = f"{game.id}.{_compute_digest(game, options, build_problem(game, paytables, options, strategy).problem)}"
    text = read_cached_text(_make_cache_name(name))
    return None if text is None else _parse_solution(text)


def _make_cache_name(name: str) -> str:
    return f"solutions/{name}.json"


def _parse_solution(text: str) -> Solution:
    """Read a solution from the text it is kept as."""
    return parse_solution(json.loads(text))


def count_finished_shards(
    game: Game, paytables: Mapping[str, PayTable], options: Mapping[str, str]
) -> tuple[int, int] | None:
    """Return how many pieces of the best play are kept, and of how many; None for a solver that works in one piece.

    Raises:
        WagerError: the game has no solver.
    """
    problem, solver = build_problem(game, paytables, options).problem, load_solver(game)
    if not hasattr(solver, "pieces"):
        return None
    pieces = [Shard(piece, piece) for piece in solver.pieces(problem)]
    return count_finished(pieces, f"pieces/{game.id}.{_compute_digest(game, options, problem)}"), len(pieces)


def _compute_digest(game: Game, options: Mapping[str, str], problem: SolverProblem) -> str:
    """Return hexadecimal digits that change with anything a solution depends on, its source last."""
    decided = ".".join(f"{option.name}={options[option.name]}" for option in game.options)
    played = problem.strategy
    followed = played and [played.id, played.choose.__module__, played.choose.__qualname__, played.numbers]
    digest = sha256(json.dumps([decided, problem.nets, problem.side_nets, followed]).encode()).hexdigest()[:16]
    return f"{digest}.{hash_sources(__name__, get_solver_module(game), *collect_modules(played and played.choose))}"


def compute_method_hash(game: Game) -> str:
    """Return 16 hexadecimal digits that change with any rule or method that the figures of a game depend on."""
    counted = tuple(wager.census for wager in (*game.wagers, *game.main_parts))
    methods = ("pitboss.analysis.census", "pitboss.analysis.joint_census", __name__)
    return hash_sources(*methods, get_solver_module(game), *collect_modules(game.rules, counted))


def compute_average_wager(game: Game, counts: tuple[int, ...]) -> Fraction:
    """Return the average of all main chips staked, in Antes: every leg's stake of every outcome."""
    stakes = (sum(leg.stake for leg in outcome.legs) for outcome in game.wagers[0].outcomes)
    return Fraction(sum(stake * count for stake, count in zip(stakes, counts, strict=True)), sum(counts))
