"""A plan tells the memory that a solution really takes."""

import subprocess
import sys
from pathlib import Path

import pytest

from examples.loading import load_example
from pitboss.engine.plan import make_plan

MEASURE = """
import sys
from examples.loading import load_example
from pitboss.analysis.solutions import build_problem
from pitboss.engine.plan import make_plan
from pitboss.engine.solver import build_solver
from pitboss.options import resolve_options
from pitboss.paytables import select_paytables

game = load_example(sys.argv[1])
task = build_solver(game, make_plan(game), sharded=True).solve
problem = build_problem(game, select_paytables(game), resolve_options(game, {})).problem
results = [task.solve_shard(problem, shard) for shard in task.list_shards(problem)[: int(sys.argv[2])]]
print(next(line for line in open("/proc/self/status") if line.startswith("VmHWM")).split()[1])
"""


@pytest.mark.compiled
@pytest.mark.skipif(not Path("/proc/self/status").is_file(), reason="the system does not tell the memory of a process")
@pytest.mark.parametrize(
    ("name", "parts"),
    [
        pytest.param("caribbean_stud", 99, marks=pytest.mark.long),
        pytest.param("ultimate_texas_holdem", 1, marks=pytest.mark.long),
    ],
)
def test_a_census_takes_the_memory_that_its_plan_tells(name: str, parts: int) -> None:
    """The most that a process held is at most what was told, and at least a third of it."""
    measured = subprocess.run(
        [sys.executable, "-c", MEASURE, name, str(parts)],
        cwd=Path(__file__).parents[1],
        capture_output=True,
        text=True,
        check=True,
    )
    held, told = 1024 * int(measured.stdout), make_plan(load_example(name)).memory_bytes
    assert told / 3 <= held <= told
