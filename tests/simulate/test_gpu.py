"""A GPU counts what processors count: on the simulator that Numba has, and a plain word where there is no GPU."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from numba import cuda

from pitboss.games import load_game, load_games
from pitboss.options import resolve_options
from pitboss.simulate.outcome_counts import OutcomeCounts, parse_counts
from pitboss.simulate.players import Player, get_default_player
from pitboss.simulate.runner import Simulation, run_simulation
from pitboss.strategies import load_strategies

ROUNDS, SEED = 40, 9

PROGRAM = """
import sys
from simulate.test_gpu import ROUNDS, SEED, asked
from pitboss.simulate.runner import run_simulation
for words in sys.argv[1:]:
    print(run_simulation(asked(*words.split(":")), ROUNDS, SEED, gpu=True).as_text())
"""


def asked(game_id: str, seats: str, against: str = "") -> Simulation:
    """Return a simulation under a game's defaults."""
    game = load_game(game_id)
    options, other = tuple(resolve_options(game, {}).items()), Player(against) if against else None
    return Simulation(game_id, options, get_default_player(game), int(seats), against=other)


def simulated(*words: str) -> list[OutcomeCounts]:
    """Count on the simulator of a GPU, in a process of its own: Numba asks for it when it is loaded."""
    tests = str(Path(__file__).parents[1])
    environment = os.environ | {"NUMBA_ENABLE_CUDASIM": "1", "PYTHONPATH": os.pathsep.join([tests, *sys.path])}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", PROGRAM, *words],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return [parse_counts(line) for line in done.stdout.splitlines()]


@pytest.mark.more
@pytest.mark.usefixtures("interpreted")
def test_a_gpu_counts_what_processors_count() -> None:
    words = [f"{game}:{seats}" for game in load_games() for seats in (1, 2)]
    words += [f"{game.id}:1:{load_strategies(game)[-1].id}" for game in map(load_game, ("six-card", "lunar"))]
    for each, counted in zip(words, simulated(*words), strict=True):
        assert counted == run_simulation(asked(*each.split(":")), ROUNDS, SEED)


@pytest.mark.skipif(cuda.is_available(), reason="there is a GPU")
def test_without_a_gpu_a_line_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    from pitboss.cli.app import run

    assert run(["simulate", "six-card", "--rounds", "9", "--device", "gpu"]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert "--device gpu needs an NVIDIA GPU with its driver, and the extra gpu: " in said.err
