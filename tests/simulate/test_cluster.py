"""A worker is killed in the middle of a simulation, in a cluster or here, and the counts are those of one process."""

import multiprocessing
import os
import signal
from functools import cache
from pathlib import Path

import pytest

from pitboss.games import load_game
from pitboss.options import resolve_options
from pitboss.simulate.block_kernel import BLOCK_ROUNDS
from pitboss.simulate.outcome_counts import OutcomeCounts
from pitboss.simulate.players import Player
from pitboss.simulate.runner import Simulation, run_simulation
from pitboss.tasks import Executor

GAME = load_game("six-card")
ASKED = Simulation(GAME.id, tuple(resolve_options(GAME, {}).items()), Player("mimic-the-dealer"))
ROUNDS = 6 * 16 * BLOCK_ROUNDS + 1


@cache
def count_in_one_process() -> OutcomeCounts:
    """Count the rounds without a kill, once for all tests."""
    return run_simulation(ASKED, ROUNDS, 11)


@pytest.mark.more
@pytest.mark.compiled
@pytest.mark.filterwarnings("ignore")
def test_what_a_killed_worker_had_begun_is_done_again(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    whole = count_in_one_process()
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, local_directory=tmp_path
    ) as cluster:
        with distributed.Client(cluster) as client:
            workers = list(client.run(os.getpid).values())
        assert len(set(workers)) == 2
        killed: list[int] = []

        def kill_one(done: int, _total: int) -> None:
            if done and not killed:
                os.kill(workers[0], signal.SIGKILL)
                killed.append(done)

        counted = run_simulation(ASKED, ROUNDS, 11, Executor(cluster=cluster.scheduler_address), kill_one)
    assert 0 < killed[0] < ROUNDS
    assert counted == whole


@pytest.mark.more
@pytest.mark.compiled
def test_what_a_killed_process_of_this_machine_had_begun_is_done_again() -> None:
    others = set(multiprocessing.active_children())
    killed: list[int] = []

    def kill_one(done: int, _total: int) -> None:
        if done and not killed:
            worker = min(set(multiprocessing.active_children()) - others, key=lambda child: child.pid or 0)
            worker.kill()
            killed.append(done)

    counted = run_simulation(ASKED, ROUNDS, 11, Executor(workers=2), kill_one)
    assert 0 < killed[0] < ROUNDS
    assert counted == count_in_one_process()
    assert set(multiprocessing.active_children()) == others


@pytest.mark.more
@pytest.mark.compiled
@pytest.mark.filterwarnings("ignore")
def test_a_cluster_is_started_here_when_asked_for() -> None:
    pytest.importorskip("distributed")
    assert run_simulation(ASKED, 20 * BLOCK_ROUNDS, 12, Executor(cluster="local")) == run_simulation(
        ASKED, 20 * BLOCK_ROUNDS, 12
    )
