"""Pieces are run once, kept as they are finished, and taken up again whatever ended the run."""

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest

import pitboss.core.cache
import pitboss.tasks.cluster
from oracle.pieces import killed, killed_once, noted, refused, shouted, slept, worker
from pitboss.core.errors import ClusterError, WorkerError
from pitboss.tasks import Executor, Shard, count_finished, run_shards
from pitboss.tasks.cores import run_on_cores
from refusals import refusal
from waiting import wait_until

TESTS = Path(__file__).parents[1]
WORDS = ["ace", "king", "queen", "jack", "ten"]
PIECES = [Shard(word, word) for word in WORDS]
SHOUTED = [word.upper() for word in WORDS]


@pytest.fixture(autouse=True)
def kept_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep nothing where other tests keep."""
    monkeypatch.setenv("PITBOSS_CACHE", str(tmp_path))
    return tmp_path


def test_results_come_in_the_order_of_the_pieces_and_are_kept() -> None:
    told: list[tuple[int, int]] = []
    assert run_shards(PIECES, shouted, "words", progress=lambda *each: told.append(each)) == SHOUTED
    assert told == [(done, 5) for done in range(6)]
    assert count_finished(PIECES, "words") == 5
    assert run_shards(PIECES, refused, "words", progress=lambda *each: told.append(each)) == SHOUTED
    assert told[-1] == (5, 5)


def test_what_was_finished_before_a_failure_stays(kept_in: Path) -> None:
    def until_queen(word: str) -> str:
        return refused(word) if word == "queen" else shouted(word)

    with pytest.raises(ValueError, match="queen"):
        run_shards(PIECES, until_queen, "words")
    assert count_finished(PIECES, "words") == 2
    (kept_in / "words" / "ace.json").write_text("damaged", encoding="utf-8")
    assert count_finished(PIECES, "words") == 1
    assert run_shards(PIECES, shouted, "words") == SHOUTED


def test_no_pieces_are_no_work() -> None:
    assert run_shards([], refused, "words", Executor(workers=4)) == []


@pytest.mark.more
def test_workers_are_processes_of_their_own() -> None:
    by = run_shards([*PIECES, *(Shard(f"more-{word}", word) for word in WORDS)], worker, "workers", Executor(workers=2))
    assert 1 <= len(set(by)) <= 2
    assert str(os.getpid()) not in by


def test_a_failure_in_a_worker_is_ours() -> None:
    with pytest.raises(ValueError, match=r"ace|king"):
        run_shards(PIECES, refused, "words", Executor(workers=2))


def test_what_a_killed_worker_had_begun_is_done_again_by_a_new_one(tmp_path: Path) -> None:
    pieces = [Shard(word, (str(tmp_path), word)) for word in WORDS[:2]]
    assert run_shards(pieces, killed_once, "words", Executor(workers=2)) == SHOUTED[:2]
    assert all((tmp_path / word).exists() for word in WORDS[:2])


def test_workers_that_are_killed_again_and_again_are_given_up() -> None:
    before = set(multiprocessing.active_children())
    with pytest.raises(WorkerError, check=refusal("workers-killed", most=3)):
        run_shards(PIECES[:2], killed, "words", Executor(workers=2))
    assert set(multiprocessing.active_children()) == before


def list_session(leader: int) -> list[int]:
    """Return the processes of a session."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            found += [int(path.name)] if os.getsid(int(path.name)) == leader else []
    return found


@pytest.mark.more
@pytest.mark.parametrize("workers", [1, 2])
def test_a_run_that_is_killed_is_resumed_where_it_was(workers: int, tmp_path: Path, kept_in: Path) -> None:
    notes = tmp_path / "notes"
    pieces = [Shard(str(number), (str(notes), f"piece {number}")) for number in range(12)]
    asked = (
        "from oracle.pieces import noted; from pitboss.tasks import Executor, Shard, run_shards; "
        f"shards = [Shard(str(n), ({str(notes)!r}, f'piece {{n}}')) for n in range(12)]; "
        f"run_shards(shards, noted, 'slow', Executor({workers}))"
    )
    running = subprocess.Popen(
        [sys.executable, "-c", asked],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        start_new_session=True,
    )
    while count_finished(pieces, "slow") < 3:
        assert running.poll() is None
        time.sleep(0.05)
    os.kill(running.pid, signal.SIGKILL)
    running.wait()
    wait_until(lambda: not list_session(running.pid))  # what its workers had begun is finished or is cut off
    done = count_finished(pieces, "slow")
    assert 3 <= done < 12
    kept = {path.stem for path in (kept_in / "slow").glob("*.json") if not path.name.startswith(".")}
    before = notes.read_text(encoding="utf-8").splitlines()
    assert run_shards(pieces, noted, "slow") == [f"PIECE {number}" for number in range(12)]
    again = Counter(notes.read_text(encoding="utf-8").splitlines()[len(before) :])
    assert again == Counter(f"piece {number}" for number in range(12) if str(number) not in kept)
    assert len(kept) == done


@pytest.mark.more
@pytest.mark.filterwarnings("ignore")
def test_a_dask_cluster_runs_the_pieces_and_we_keep_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None, local_directory=tmp_path
    ) as cluster:
        assert run_shards(PIECES, shouted, "words", Executor(cluster=cluster.scheduler_address)) == SHOUTED
        assert count_finished(PIECES, "words") == 5
        monkeypatch.setattr(pitboss.tasks.cluster, "hash_package", threading.get_ident)  # a worker's is another
        with pytest.raises(ClusterError, check=refusal("other-version")):
            run_shards(PIECES, shouted, "others", Executor(cluster=cluster.scheduler_address))


@pytest.mark.filterwarnings("ignore")
def test_a_cluster_that_is_not_there_is_said_in_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(pitboss.tasks.cluster, "_CONNECT_SECONDS", 0.5)
    with pytest.raises(ClusterError, check=refusal("no-cluster")):
        run_shards(PIECES, shouted, "words", Executor(cluster="tcp://127.0.0.1:9"))


@pytest.mark.more
def test_without_dask_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ClusterError, check=refusal("not-installed")):
        run_shards(PIECES, shouted, "words", Executor(cluster="tcp://127.0.0.1:9"))


@pytest.mark.more
def test_closed_early_a_run_leaves_no_process_behind() -> None:
    before = set(multiprocessing.active_children())
    results = run_on_cores(slept, [0.0, 60.0, 60.0], workers=2)
    assert next(results) == (0, "0.0")
    assert set(multiprocessing.active_children()) > before
    results.close()
    assert set(multiprocessing.active_children()) == before
