"""A process that counts for the server, one question at a time, so that no kernel is ever loaded by the server itself.

Questions and answers are pickled.  Games, their wagers and outcomes are sent as names: each process has its own.
"""

import os
import signal
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from multiprocessing.reduction import ForkingPickler
from pathlib import Path
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any, NamedTuple

from pitboss.contract import Game, Outcome, Wager
from pitboss.core.errors import PitbossError
from pitboss.games import load_game, load_games

LOST_TEXT = "the process that was counting this was lost: ask again"
SHUTDOWN_TEXT = "the server is shutting down: ask again when it is back"


class JobResult(NamedTuple):
    """What a question came to: ``payload``, pickled, or the line with which it was refused, or not answered at all."""

    payload: bytes = b""
    refusal: str = ""
    failure: str = ""


def pickle_object(value: object) -> bytes:
    """Return the bytes that ``unpickle_object`` reads, here or in another process of this program."""
    return bytes(ForkingPickler.dumps(value))


def unpickle_object(data: bytes) -> Any:
    """Return what was pickled by this program."""
    return ForkingPickler.loads(data)


class WorkerProcess:
    """A worker process, started when it is first asked, and again after it was lost or grew too large.

    ``niceness`` is how far it stands back behind the server, ``most_bytes`` how much memory (resident, of Linux) it may
    hold between two questions, ``most_seconds`` how long a question may take.
    """

    def __init__(self, niceness: int, max_bytes: int, max_seconds: int) -> None:
        """Start nothing yet."""
        self._niceness, self._max_bytes, self._max_seconds = niceness, max_bytes, max_seconds
        self._lock = Lock()
        self._process: BaseProcess | None = None
        self._connection: Connection | None = None
        self._closed = False

    @property
    def pid(self) -> int | None:
        """The process that counts now, if any."""
        process = self._process
        return process.pid if process else None

    def run_job(self, job: bytes) -> JobResult:
        """Have a pickled function and its arguments called, and wait; for one thread at a time."""
        try:
            line, new = self._ensure_started()
            if new:
                line.recv_bytes()  # it has started: from here on its time counts
            line.send_bytes(job)
            if not line.poll(self._max_seconds):
                self._stop()
                return JobResult(failure=f"the count did not finish within {self._max_seconds:,} s")
            refused = line.recv_bytes().decode()
            found = line.recv_bytes()
        except (EOFError, OSError):
            self._stop()
            return JobResult(failure=SHUTDOWN_TEXT if self._closed else LOST_TEXT)
        pid = self.pid
        if pid and get_resident_bytes(pid) > self._max_bytes:
            self._stop()
        return JobResult(found, refused)

    def close(self) -> None:
        """End the process at once, whatever it is counting; no other is started."""
        with self._lock:
            self._closed = True
            if self._process:
                self._process.kill()

    def _ensure_started(self) -> tuple[Connection, bool]:
        """Return the line to the process, and whether it has only been started now."""
        with self._lock:
            if self._closed:
                raise EOFError
            new = self._connection is None
            if self._connection is None:
                spawn = get_context("spawn")
                self._connection, its_end = spawn.Pipe()
                self._process = spawn.Process(target=_run_worker, args=(its_end, self._niceness), daemon=True)
                # The process inherits what this thread blocks: Ctrl-C is the server's, which then ends its workers.
                # The tracker that comes with the first process would unblock it, so it is started before.
                resource_tracker.ensure_running()
                signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
                self._process.start()
                its_end.close()
            return self._connection, new

    def _stop(self) -> None:
        with self._lock:
            if self._process:
                self._process.kill()
                self._process.join()
                self._process.close()
            if self._connection:
                self._connection.close()
            self._process = self._connection = None


def get_resident_bytes(pid: int) -> int:
    """Return how much memory a process holds, 0 where the system does not tell."""
    with suppress(OSError, IndexError):
        pages = Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")
    return 0


# In the worker's process.


def _run_worker(connection: Connection, niceness: int) -> None:
    """Answer questions; what fails without a line of its own ends the process, with its trace in the server's log."""
    os.nice(niceness)
    questions = SimpleQueue[bytes]()
    Thread(target=_receive_jobs, args=(connection, questions), daemon=True).start()
    connection.send_bytes(b"started")
    while True:
        function, arguments = unpickle_object(questions.get())
        try:
            refused, found = "", pickle_object(function(*arguments))
        except PitbossError as error:
            refused, found = str(error), b""
        connection.send_bytes(refused.encode())
        connection.send_bytes(found)


def _receive_jobs(connection: Connection, jobs: "SimpleQueue[bytes]") -> None:
    """Pass questions on; when the server has gone nobody waits for an answer."""
    while True:
        try:
            jobs.put(connection.recv_bytes())
        except (EOFError, OSError):
            os._exit(0)


# Names in the place of games and what belongs to them.


@cache
def _list_wagers(game: str) -> tuple[Wager, ...]:
    return (*load_game(game).wagers, *load_game(game).main_parts)


def _get_wager(game: str, index: int) -> Wager:
    return _list_wagers(game)[index]


def _get_outcome(game: str, index: int, number: int) -> Outcome:
    return _list_wagers(game)[index].outcomes[number]


@cache
def _index_parts() -> dict[int, tuple[Callable[..., Any], tuple[Any, ...]]]:
    """Return how every wager and outcome is found again, by its identity."""
    found: dict[int, tuple[Callable[..., Any], tuple[Any, ...]]] = {}
    for game in load_games():
        for place, wager in enumerate(_list_wagers(game)):
            found[id(wager)] = _get_wager, (game, place)
            for number, outcome in enumerate(wager.outcomes):
                found.setdefault(id(outcome), (_get_outcome, (game, place, number)))
    return found


def _reduce_game(game: Game) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    return load_game, (game.id,)


def _reduce_part(value: Wager | Outcome) -> Any:
    return _index_parts().get(id(value)) or value.__reduce_ex__(4)


ForkingPickler.register(Game, _reduce_game)
ForkingPickler.register(Wager, _reduce_part)
ForkingPickler.register(Outcome, _reduce_part)
