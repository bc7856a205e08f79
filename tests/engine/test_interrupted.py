"""A solution that is interrupted or killed is resumed from the parts that are kept, and loses at most the one begun."""

import os
import signal
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from engine.random_games import make_random_game
from engine.showdown_games import make_showdown_game
from pitboss.analysis import solutions
from pitboss.analysis.solutions import ScaledProblem, get_solution
from pitboss.contract import Game
from pitboss.core.progress import ignore_progress
from pitboss.engine import census_solver, solver
from pitboss.engine.plan import CENSUS, VISIT, Plan
from pitboss.hands import load_hand_tables
from pitboss.solver_api import ShardedTask, Solution, SolverProblem


@pytest.fixture(params=[(VISIT, 4), (CENSUS, 13)], ids=[VISIT, CENSUS])
def game(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Game:
    """Let a game made at random be solved in parts, with its own few cards and by the interpreter."""
    way, seed = request.param
    request.getfixturevalue("interpreted")
    made = make_random_game(seed, 3, 300, 3_000) if way == VISIT else make_showdown_game(seed)
    load_hand_tables()  # from the cache of all tests

    def let_prepare(module: Any, name: str) -> None:
        prepare = vars(module)[name]
        monkeypatch.setattr(module, name, lambda game, problem, _: prepare(game, problem, made.cards))
        monkeypatch.setattr(module, "load_game", lambda _: made.game)

    let_prepare(solver, "prepare_visit")
    let_prepare(census_solver, "prepare_census")
    monkeypatch.setattr(solutions, "build_problem", lambda *_: ScaledProblem(made.problem, 1))
    built = solver.build_solver(made.game, Plan((), way, 0, 0, 0), sharded=True)
    monkeypatch.setattr(solutions, "find_solver", lambda _: built)
    return made.game


def solve_in_vain(game: Game, begin: Callable[[str], None], progress: Callable[[int, int], None]) -> int:
    """Solve a game in a child process; return the signal that ended it, 0 if it came to its end."""
    child = os.fork()
    if child == 0:
        ended = 99
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background inherits it as ignored
        try:
            solve(game, begin, progress)
            ended = 0
        except KeyboardInterrupt:
            ended = signal.SIGINT
        finally:
            os._exit(ended)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return abs(status)


def solve(game: Game, begin: Callable[[str], None], progress: Callable[[int, int], None] = ignore_progress) -> Solution:
    """Return the solution from what is kept, and the other parts; ``begin`` hears of each of these."""
    built = vars(solutions)["find_solver"](game)
    task: Any = built.shards
    assert task

    def solve_shard(problem: SolverProblem, shard: str) -> str:
        begin(shard)
        text: str = task.solve_shard(problem, shard)
        return text

    parts = ShardedTask(task.list_shards, solve_shard, task.combine_shards)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(solutions, "find_solver", lambda _: replace(built, solve=parts))
        return get_solution(game, {}, {}, progress)


@pytest.mark.more
@pytest.mark.parametrize("ended_by", [signal.SIGINT, signal.SIGKILL])
@pytest.mark.parametrize("within_a_part", [False, True])
def test_a_solution_that_is_ended_again_and_again_loses_nothing(
    game: Game, ended_by: signal.Signals, *, within_a_part: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PITBOSS_CACHE", str(tmp_path / "whole"))
    parts = list[str]()
    whole = solve(game, parts.append)
    assert len(parts) > 3
    monkeypatch.setenv("PITBOSS_CACHE", str(tmp_path / "parts"))
    notes = tmp_path / "notes"
    notes.touch()
    begun = 0

    def note(part: str) -> None:
        nonlocal begun
        begun += 1
        with notes.open("a") as file:
            file.write(f"{part}\n")
        if within_a_part and begun == 2:
            os.kill(os.getpid(), ended_by)

    def end_after_a_part(_done: int, _parts: int) -> None:
        if begun and not within_a_part:
            os.kill(os.getpid(), ended_by)

    ends = list[int]()
    while not ends or ends[-1]:
        assert len(ends) < len(parts) + 1
        ends.append(solve_in_vain(game, note, end_after_a_part))
    again: Sequence[str] = [part for pair in pairwise(parts) for part in pair] + parts[-1:]
    assert ends == [*[ended_by] * (len(parts) - within_a_part), 0]
    assert notes.read_text().split() == (again if within_a_part else parts)
    assert solve(game, parts.remove) == whole


@pytest.mark.parametrize("game", [(VISIT, 0)], indirect=True)
def test_a_game_without_decisions_is_solved_in_parts(
    game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PITBOSS_CACHE", str(tmp_path))
    assert game.decisions == ()
    solution = solve(game, lambda _: None)
    assert solution.actions == {"automatic": sum(solution.counts)}
