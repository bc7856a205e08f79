"""The parts of a solution by a showdown census, and what they add up to."""

import json
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from pitboss.contract import Game
from pitboss.engine.census import (
    Census,
    add_by_class,
    count_outcomes,
    count_roots,
    decide_first,
    prepare_census,
    value_first,
)
from pitboss.engine.census_side_wagers import count_side_outcomes
from pitboss.engine.census_strategy import follow_first, follow_roots
from pitboss.engine.census_types import SHARDS, TOTAL
from pitboss.engine.mistakes import MistakeRow, list_mistakes
from pitboss.engine.paths import name_paths
from pitboss.engine.roots import split_roots
from pitboss.games import load_game
from pitboss.kernels.enumeration import IntArray
from pitboss.solver_api import FirstValue, Solution, SolverProblem


def list_shards(game_id: str, problem: SolverProblem) -> tuple[str, ...]:
    """Name the shards: even parts of the roots."""
    roots = len(_prepare(game_id, problem).roots)
    return tuple(f"{start}-{stop}" for start, stop in split_roots(roots, SHARDS))


def solve_shard(game_id: str, problem: SolverProblem, shard: str) -> str:
    """Count the boards under the roots of a shard.

    Raises:
        WagerError: the problem has a strategy to follow, or side wagers, which a census of main does not see.
    """
    start, stop = map(int, shard.split("-"))
    census = _prepare(game_id, problem)
    if problem.strategy:
        return _write_part(follow_roots(census, problem, start, stop))
    sums, _ = count_roots(census, problem, start, stop)
    return _write_part(add_by_class(census, sums))


def _write_part(part: Sequence[Any]) -> str:
    """Write a part as JSON, its arrays as lists."""
    return json.dumps(part, default=np.ndarray.tolist)


def combine_shards(game_id: str, problem: SolverProblem, results: Sequence[str]) -> Solution:
    """Add up the sums of the shards, and decide what comes before all public cards."""
    return combine_parts(_prepare(game_id, problem), map(json.loads, results), problem)


def combine_parts(census: Census, parts: Iterable[Sequence[Any]], problem: SolverProblem) -> Solution:
    """Add up the parts of a census, and decide what comes before all public cards.

    The parts are ``add_by_class``, or ``follow_roots`` where the problem has a strategy.  They are taken one at a time:
    each can be large.
    """
    final, by_choice, after = np.zeros(census.tree.worth.shape, object), np.array([]), np.array([])
    mistakes, equal = list[MistakeRow](), 0
    for finals, counted, by_choices, *noted in parts:
        final, equal = final + np.array(finals, object), equal + counted
        by_choice = _add_array(by_choice, by_choices)
        if noted:
            mistakes, after = _add_rows([mistakes, noted[0]]), _add_array(after, noted[1])
    first_values: tuple[FirstValue, ...] = ()
    if problem.strategy and len(by_choice):
        final, rows = follow_first(census, problem, by_choice, after)
        mistakes = _add_rows([mistakes, rows])
    elif len(by_choice):
        final, equal = decide_first(census, by_choice)
        first_values = tuple(value_first(census, by_choice))
    endings = zip(census.shape.endings, final, strict=True)
    return Solution(
        counts=tuple(count_outcomes(census, final)),
        actions=name_paths(census.game, ((ending.actions, sums[:, TOTAL].sum()) for ending, sums in endings)),
        equal_value_positions=0 if problem.strategy else equal,
        mistakes=list_mistakes(census.game, mistakes),
        side_outcomes=count_side_outcomes(census.game, census.sides, final, census.main_worth) if census.sides else {},
        equal_first_only=True,
        first_values=first_values,
    )


def _add_array(sums: IntArray, numbers: Sequence[Any]) -> IntArray:
    """Add numbers to sums, if there are any; those of all parts fit their integers."""
    return sums + np.array(numbers, np.int64) if len(sums) else np.array(numbers, np.int64)


def _add_rows(parts: Iterable[Iterable[Sequence[int]]]) -> list[MistakeRow]:
    """Add up the mistakes of several parts."""
    sums: dict[tuple[int, int, int, int], list[int]] = {}
    for rows in parts:
        for decision, taken, best, hand, deals, cost in rows:
            each = sums.setdefault((decision, taken, best, hand), [0, 0])
            each[0], each[1] = each[0] + deals, each[1] + cost
    return [(*kind, deals, cost) for kind, (deals, cost) in sums.items()]


def _prepare(game_id: str, problem: SolverProblem) -> Census:
    side_nets = tuple(sorted(problem.side_nets.items()))
    return _prepare_once(load_game(game_id), problem.options, problem.nets, side_nets, problem.counted)


@lru_cache(maxsize=4)
def _prepare_once(
    game: Game,
    options: Any,
    nets: tuple[int, ...],
    side_nets: tuple[tuple[str, tuple[int, ...]], ...],
    counted: tuple[str, ...],
) -> Census:
    problem = SolverProblem(options, nets, dict(side_nets), counted=counted)
    return prepare_census(game, problem, list(game.deck.cards))
