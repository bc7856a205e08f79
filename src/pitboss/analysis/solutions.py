"""Solutions of a game's main wager, found once by its own solver and cached.

A solution depends on the rules, the options, the nets of the outcomes, the side wagers solved along with main and the
strategy played, so its cache name depends on all of them.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from functools import partial
from hashlib import sha256
from math import lcm

from pitboss.contract import Game, PayTable, Wager
from pitboss.core.cache import get_or_make_text, read_cached_text, write_cached_text
from pitboss.core.progress import ProgressCallback
from pitboss.core.source_hash import collect_modules, hash_sources
from pitboss.engine.solver_lookup import find_solver
from pitboss.options import encode_options
from pitboss.outcome_nets import compute_outcome_net
from pitboss.solver_api import (
    ShardedTask,
    Solution,
    SolverProblem,
    Strategy,
    get_solver_module,
    parse_solution,
)
from pitboss.tasks import SERIAL, Executor, Shard, count_finished, run_shards

_UNIT_CENTS = 100


@dataclass(frozen=True, slots=True)
class ScaledProblem:
    """The problem for a solver, and its unit: ``unit`` of them are one Ante."""

    problem: SolverProblem
    unit: int


def build_problem(
    game: Game,
    paytables: Mapping[str, PayTable],
    options: Mapping[str, str],
    strategy: Strategy | None = None,
    side_stakes: Mapping[str, Fraction] | None = None,
) -> ScaledProblem:
    """Build the solver's problem in whole numbers.

    The unit is the largest that makes every net whole.  ``side_stakes`` has the stakes, in Antes, of the side wagers
    solved along with main; stakes of 0 are left out.

    >>> from pitboss.games import load_game
    >>> from pitboss.options import resolve_options
    >>> from pitboss.paytables import select_paytables
    >>> game = load_game("shifting-wilds")
    >>> setup = select_paytables(game), resolve_options(game, {})
    >>> scaled = build_problem(game, *setup, side_stakes={"bad-beat": Fraction(1, 2)})
    >>> scaled.unit, scaled.problem.nets[0], scaled.problem.side_nets["bad-beat"][-2:]
    (2, -4, (-1, 0))
    """
    wagers = {wager.id: wager for wager in game.wagers}
    main = _compute_nets(game.main, paytables, Fraction(1))
    side_nets = {
        bet: _compute_nets(wagers[bet], paytables, stake) for bet, stake in sorted((side_stakes or {}).items()) if stake
    }
    unit = _compute_unit(main, *side_nets.values())
    problem = SolverProblem(
        options=encode_options(game, options),
        nets=_scale_nets(main, unit),
        side_nets={bet: _scale_nets(nets, unit) for bet, nets in side_nets.items()},
        strategy=strategy,
    )
    return ScaledProblem(problem, unit)


def compute_main_nets(game: Game, paytables: Mapping[str, PayTable]) -> tuple[int, ...]:
    """Compute the net of each outcome of ``main`` in whole numbers.

    The unit is the largest that makes every net whole.
    """
    nets = _compute_nets(game.main, paytables, Fraction(1))
    return _scale_nets(nets, _compute_unit(nets))


def _compute_unit(*nets: Sequence[Fraction]) -> int:
    return lcm(*(net.denominator for wager_nets in nets for net in wager_nets))


def _scale_nets(nets: Sequence[Fraction], unit: int) -> tuple[int, ...]:
    return tuple(int(net * unit) for net in nets)


def _compute_nets(wager: Wager, paytables: Mapping[str, PayTable], stake: Fraction) -> list[Fraction]:
    """Compute the net of each outcome of ``wager``, in Antes like ``stake``."""
    return [stake * compute_outcome_net(outcome, paytables, _UNIT_CENTS) / _UNIT_CENTS for outcome in wager.outcomes]


def get_solution(
    game: Game,
    paytables: Mapping[str, PayTable],
    options: Mapping[str, str],
    progress: ProgressCallback,
    strategy: Strategy | None = None,
    side_stakes: Mapping[str, Fraction] | None = None,
    executor: Executor = SERIAL,
    counted: Sequence[str] = (),
) -> Solution:
    """Return the solution of ``main`` for the best play or for ``strategy``.

    It is solved the first time, and then cached.  With ``side_stakes``, stakes of side wagers in Antes, the best play
    is the best for all of them together.  The nets of main in ``Solution.side_outcomes`` and the costs of mistakes are
    in the units of ``build_problem``.

    ``counted`` are side wagers whose outcomes ``Solution.side_outcomes`` should have, if they can be counted.

    A solver that works in shards has them run by ``executor``; each is cached as soon as it is finished.

    Raises:
        WagerError: the game has no solver.
        ClusterError: the executor's cluster cannot do it (``tasks.run_shards``).
    """
    problem = build_problem(game, paytables, options, strategy, side_stakes).problem
    if counted and find_solver(game).counts_on_request:
        problem = replace(problem, counted=tuple(sorted(counted)))
    name = f"{game.id}.{_compute_digest(game, options, problem)}"

    def make_text() -> str:
        solve = find_solver(game).solve  # not loaded for a solution that is cached: it takes longer than to read that
        if not isinstance(solve, ShardedTask):
            return json.dumps(asdict(solve(problem, progress)))
        shards = _list_shards(solve, problem)
        results = run_shards(shards, partial(solve.solve_shard, problem), f"pieces/{name}", executor, progress)
        return json.dumps(asdict(solve.combine_shards(problem, results)))

    return parse_solution(json.loads(get_or_make_text(_make_cache_name(name), make_text)))


def _list_shards(task: ShardedTask[Solution], problem: SolverProblem) -> list[Shard]:
    return [Shard(name, name) for name in task.list_shards(problem)]


def cache_solutions(
    game: Game,
    paytables: Mapping[str, PayTable],
    options: Mapping[str, str],
    strategies: Sequence[Strategy | None],
    progress: ProgressCallback,
) -> None:
    """Solve and cache several plays at once, for ``get_solution``.

    The plays are strategies and the best play (None).  Do nothing if all are cached, or if the game's solver has no
    ``solve_side_by_side``.

    Raises:
        WagerError: the game has no solver.
    """
    problem, solve_side_by_side = build_problem(game, paytables, options).problem, find_solver(game).solve_side_by_side
    if solve_side_by_side is None:
        return
    names = [
        f"{game.id}.{_compute_digest(game, options, replace(problem, strategy=strategy))}" for strategy in strategies
    ]
    if any(read_cached_text(_make_cache_name(name)) is None for name in names):
        for name, solution in zip(names, solve_side_by_side(problem, strategies, progress), strict=True):
            write_cached_text(_make_cache_name(name), json.dumps(asdict(solution)))


def get_cached_solution(
    game: Game,
    paytables: Mapping[str, PayTable],
    options: Mapping[str, str],
    strategy: Strategy | None = None,
    side_stakes: Mapping[str, Fraction] | None = None,
) -> Solution | None:
    """Return the cached result of ``get_solution``; None if there is none."""
    problem = build_problem(game, paytables, options, strategy, side_stakes).problem
    name = f"{game.id}.{_compute_digest(game, options, problem)}"
    text = read_cached_text(_make_cache_name(name))
    return None if text is None else parse_solution(json.loads(text))


def _make_cache_name(name: str) -> str:
    return f"solutions/{name}.json"


def count_finished_shards(
    game: Game, paytables: Mapping[str, PayTable], options: Mapping[str, str]
) -> tuple[int, int] | None:
    """Return how many shards of the best play are finished, and of how many.

    Return None for a solver without shards.

    Raises:
        WagerError: the game has no solver.
    """
    problem, task = build_problem(game, paytables, options).problem, find_solver(game).shards
    if task is None:
        return None
    shards = _list_shards(task, problem)
    return count_finished(shards, f"pieces/{game.id}.{_compute_digest(game, options, problem)}"), len(shards)


def _compute_digest(game: Game, options: Mapping[str, str], problem: SolverProblem) -> str:
    """Compute hexadecimal digits that change with all a solution depends on.

    The digits for its source come last.
    """
    option_words = ".".join(f"{option.name}={options[option.name]}" for option in game.options)
    strategy = problem.strategy
    strategy_key = strategy and [
        strategy.id,
        strategy.choose.__module__,
        strategy.choose.__qualname__,
        strategy.numbers,
    ]
    terms = [option_words, problem.nets, problem.side_nets, strategy_key, *filter(None, [problem.counted])]
    digest = sha256(json.dumps(terms).encode()).hexdigest()[:16]
    rules = collect_modules(game.rules, strategy and strategy.choose)
    return f"{digest}.{hash_sources(__name__, get_solver_module(game), *rules)}"


def compute_method_hash(game: Game) -> str:
    """Compute a hash of the rules and methods behind the figures of a game.

    It is 16 hexadecimal digits.
    """
    censuses = tuple(wager.census for wager in (*game.wagers, *game.main_parts))
    methods = ("pitboss.analysis.census", "pitboss.analysis.joint_census", __name__)
    return hash_sources(*methods, get_solver_module(game), *collect_modules(game.rules, censuses))


def compute_average_wager(game: Game, counts: tuple[int, ...]) -> Fraction:
    """Compute the average of all main chips staked, in Antes.

    Every leg's stake in every outcome counts, except chips that the player pulled back.
    """
    stakes = (sum(leg.stake for leg in outcome.legs if not leg.pulled_back) for outcome in game.main.outcomes)
    return Fraction(sum(stake * count for stake, count in zip(stakes, counts, strict=True)), sum(counts))
