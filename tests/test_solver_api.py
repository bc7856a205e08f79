"""A game's solver is found by one name, loaded when it is first used, and what does not fit says so in one line."""

import subprocess
import sys
from dataclasses import replace

import pytest

from pitboss.core.errors import PitbossError, WagerError
from pitboss.games import load_game, load_games
from pitboss.solver_api import Solver, load_solver
from refusals import refusal

SIX_CARD = load_game("six-card")


@pytest.mark.parametrize("name", [name for name, game in load_games().items() if game.solver])
def test_each_solver_says_what_it_can_do(name: str) -> None:
    solver = load_solver(load_game(name))
    assert isinstance(solver, Solver)
    assert solver.shards is (None if callable(solver.solve) else solver.solve)
    assert not solver.bundled_mistakes or solver.simulated_rounds


@pytest.mark.parametrize(
    ("module", "error", "code"),
    [
        ("", WagerError, "no-solver"),
        ("nowhere", PitbossError, "solver-broken"),
        ("rules", PitbossError, "solver-broken"),
    ],
)
def test_a_solver_that_is_missing_or_does_not_fit_says_so(module: str, error: type[PitbossError], code: str) -> None:
    with pytest.raises(error, check=refusal(code)):
        load_solver(replace(SIX_CARD, solver=module))


def test_games_and_the_type_of_a_solver_load_without_what_a_solver_compiles() -> None:
    code = "import sys, pitboss.solver_api, pitboss.games; pitboss.games.load_games(); print('numba' in sys.modules)"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout == "False\n"
