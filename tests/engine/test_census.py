"""A showdown census finds what laying out every deal says, integer for integer."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from engine.showdown_games import ShowdownGame, make_showdown_game
from examples.loading import compute_nets, load_example
from oracle.whole_deals import Ending, WholeDeals, count_outcomes, count_paths
from pitboss.contract import Game
from pitboss.engine import census, census_hands
from pitboss.engine.census import Census, add_by_class, count_roots, prepare_census
from pitboss.engine.census_solver import combine_parts
from pitboss.engine.roots import list_roots
from pitboss.engine.showdown import NoCensusError
from pitboss.options import encode_options, resolve_options
from pitboss.paytables import select_paytables
from pitboss.solver_api import Solution, SolverProblem

QUICK, MORE = range(40), range(40, 300)
DECKS = {
    "caribbean_stud": (0, 1, 2, 13, 14, 15, 26, 27, 28, 39, 12),
    "casino_holdem": (8, 9, 11, 21, 22, 24, 34, 35, 37),
    "ultimate_texas_holdem": (9, 10, 12, 22, 23, 25, 35, 36, 38),
}
HIDDEN_TIES = (0, 2)


def solve(prepared: Census, problem: SolverProblem, parts: int = 1) -> Solution:
    """Solve a game in some parts."""
    roots = len(prepared.roots)
    bounds = [roots * part // parts for part in range(parts + 1)]
    sums = [
        add_by_class(prepared, count_roots(prepared, problem, start, stop)[0])
        for start, stop in zip(bounds, bounds[1:], strict=False)
    ]
    return combine_parts(prepared, sums)


def assert_solved(game: Game, problem: SolverProblem, cards: Sequence[int], solution: Solution) -> None:
    """Compare a solution with what laying out every deal says."""
    ending: Ending = WholeDeals(game, problem, cards).play()
    each = Fraction(sum(solution.counts), sum(leaf.weight for leaf in ending.leaves))
    told = count_outcomes(ending, 0, problem.nets)
    found = {outcome: deals for outcome, deals in enumerate(solution.counts) if deals}
    assert found == {outcome: deals * each for outcome, (deals, _) in told.items()}
    assert sum(deals * net for deals, net in zip(solution.counts, problem.nets, strict=True)) == ending.value * each
    assert solution.actions == {path: deals * each for path, deals in count_paths(ending, game).items()}
    first = min(at for at, _, _ in ending.equal) if ending.equal else 0
    told_equal = {each for each in ending.equal if all(action < 0 for action in each[1])}
    assert first >= 0
    assert solution.equal_value_positions == len(told_equal)


@pytest.fixture
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the interpreter run the census: games made at random would all be compiled."""
    compiled: Callable[..., Any] = census.get_census_kernel

    def get_plain(game: Game, form: Any) -> Any:
        kernel = compiled(game, form)
        return getattr(kernel, "py_func", kernel)

    def set_item(fields: tuple[int, ...], index: int, value: int) -> tuple[int, ...]:
        return (*fields[:index], value, *fields[index + 1 :])

    monkeypatch.setattr(census, "get_census_kernel", get_plain)
    monkeypatch.setattr(census_hands, "to_fixed_tuple", lambda array, size: tuple(array[:size].tolist()))
    monkeypatch.setattr(census_hands, "tuple_setitem", set_item)


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("seed", [*QUICK, *(pytest.param(seed, marks=pytest.mark.more) for seed in MORE)])
def test_a_game_made_at_random_is_solved_as_every_deal_laid_out(seed: int) -> None:
    made: ShowdownGame = make_showdown_game(seed)
    try:
        prepared = prepare_census(made.game, made.problem, made.cards)
    except NoCensusError as error:
        pytest.skip(str(error))
    solution = solve(prepared, made.problem)
    assert_solved(made.game, made.problem, made.cards, solution)
    assert solve(prepared, made.problem, 3) == solution
