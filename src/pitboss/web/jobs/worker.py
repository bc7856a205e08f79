"""A worker process that runs jobs for the server, one at a time.

Because of it, the server itself never loads a kernel.

Jobs and results are pickled.  Games, their wagers and their outcomes are sent as names: each process has its own.
"""

import os
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import cache
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from multiprocessing.reduction import ForkingPickler
from pathlib import Path
from queue import SimpleQueue
from threading import Lock, Thread
from time import monotonic
from typing import Any, NamedTuple

from pitboss.contract import Game, Outcome, Wager
from pitboss.core.errors import PitbossError
from pitboss.core.progress import ProgressCallback, ignore_progress
from pitboss.games import load_game, load_games
from pitboss.tasks.fork_server import kill_process, start_process

LOST_TEXT = "this calculation was interrupted: reload the page"
_NO_REFUSAL: Any = object()
_MINUTE = 60
TURN_SECONDS = 5.0
"""How long a job that can be paused runs before others of its lane."""

ABANDONED_TEXT = "nobody waited for this result: reload the page"
SHUTDOWN_TEXT = "the server is shutting down: try again when it is back"
_MODULES = ("pitboss.web.jobs.page_jobs",)
"""What the fork server of workers loads: most jobs need it."""

_CHECK_SECONDS = 1.0
"""How often a thread that waits for a result checks that the queue is open."""


class JobProgress(NamedTuple):
    """The progress of a job, or of the part of it that ``what`` names.

    The part has run for ``seconds``, since the last pause if it was paused ``before`` at that count.  ``waited`` are
    the seconds since the job was first asked for, 0 if that is not known.
    """

    done: int
    total: int
    seconds: float = 0
    what: str = ""
    before: int = 0
    waited: float = 0

    def is_new_part(self, before: "JobProgress | None") -> bool:
        """Tell whether another part of the job has begun since a report."""
        return before is not None and (self.what, self.total) != (before.what, before.total)

    def describe_share(self, unit: str = "") -> str:
        """Describe how much is done: of ``unit``, or as a share; "" while nobody can say.

        >>> JobProgress(3, 13).describe_share("rows"), JobProgress(20, 351).describe_share()
        ('3 of 13 rows', '5%')
        >>> JobProgress(0, 1, 9).describe_share()
        ''
        """
        if unit and self.total:
            return f"{self.done:,} of {self.total:,} {unit}"
        return f"{100 * self.done // self.total}%" if self.done and self.total else ""

    def describe_time(self) -> str:
        """Describe how long somebody has waited, and how long it still takes at its pace.

        >>> [each.describe_time() for each in (JobProgress(25, 100, 60), JobProgress(0, 0, 4, waited=9))]
        ['1:00 so far, about 3 minutes left', '0:09 so far']
        """
        whole = int(self.waited or self.seconds)
        spent = f"{whole // _MINUTE}:{whole % _MINUTE:02} so far" if self.waited or self.seconds else ""
        return ", ".join(filter(None, (spent, self.describe_left())))

    def describe_pace(self, unit: str) -> str:
        """Describe how long one of what is done takes, "" while nobody can say.

        >>> JobProgress(3, 13, 90).describe_pace("row"), JobProgress(0, 13, 90).describe_pace("row")
        ('about 30 seconds a row', '')
        """
        pace = self._compute_pace()
        return f"about {_name_duration(pace)} a {unit}" if pace else ""

    def describe_left(self) -> str:
        """Describe the time that is left at the pace so far, "" while nobody can say.

        >>> JobProgress(25, 100, 60).describe_left(), JobProgress(9, 10, 45).describe_left()
        ('about 3 minutes left', 'about 5 seconds left')
        >>> JobProgress(0, 100, 60).describe_left()
        ''
        """
        pace = self._compute_pace()
        return f"about {_name_duration(pace * (self.total - self.done))} left" if pace else ""

    def _compute_pace(self) -> float:
        """Return the seconds that one of what is done takes, 0 while nobody can say."""
        return self.seconds / (self.done - self.before) if self.done > self.before else 0.0


def _name_duration(seconds: float) -> str:
    whole = round(seconds)
    count, unit = (max(1, whole), "second") if whole < _MINUTE else (round(whole / _MINUTE), "minute")
    return f"{count} {unit}{'' if count == 1 else 's'}"


class JobPauseError(Exception):
    """The end of a job's turn: what it has done is kept, and it runs again later."""


class JobResult(NamedTuple):
    """The result of a job.

    It is the pickled ``payload``, or a refusal, or the message of a failure to answer; or the job ``is_paused``.
    """

    payload: bytes = b""
    refusal: PitbossError | None = None
    failure: str = ""
    is_paused: bool = False


def pickle_object(value: object) -> bytes:
    """Pickle a value for ``unpickle_object``.

    It may be unpickled here or in another process of this program.
    """
    return bytes(ForkingPickler.dumps(value))


def unpickle_object(data: bytes) -> Any:
    """Unpickle data from ``pickle_object``."""
    return ForkingPickler.loads(data)


class WorkerProcess:
    """A worker process, started with its first job.

    It is started again after it was lost or grew too large.

    ``niceness`` lowers its priority below the server's; ``max_bytes`` is the resident memory (Linux) that it may hold
    between two jobs; ``max_seconds`` is the time that a job may take.
    """

    def __init__(self, niceness: int, max_bytes: int, max_seconds: int) -> None:
        """Set the limits; the first job starts the process."""
        self._niceness, self._max_bytes, self._max_seconds = niceness, max_bytes, max_seconds
        self._lock = Lock()
        self._process: BaseProcess | None = None
        self._connection: Connection | None = None
        self._closed = False
        self._progress: JobProgress | None = None
        self._began = 0.0

    def get_progress(self) -> JobProgress | None:
        """Return the job's last report of its progress, None before the first.

        Its ``seconds`` are those that the part has run.
        """
        progress = self._progress
        return progress and progress._replace(seconds=monotonic() - self._began)

    @property
    def pid(self) -> int | None:
        """The id of the current process, if any."""
        process = self._process
        return process.pid if process else None

    def run_job(self, job: bytes) -> JobResult:
        """Run a pickled job in the process and wait for its result.

        Only one thread may call this at a time.
        """
        self._progress, self._began = None, monotonic()
        try:
            connection, is_new = self._ensure_started()
            if is_new:
                connection.recv_bytes()  # the process has started: the time limit begins here
            connection.send_bytes(job)
            end, refusal = monotonic() + self._max_seconds, _NO_REFUSAL
            while refusal is _NO_REFUSAL:
                # A process whose fork server was killed cannot be killed here: it ends once its connection is closed.
                while not connection.poll(min(_CHECK_SECONDS, max(0.0, end - monotonic()))):
                    if self._closed or monotonic() >= end:
                        self._stop()
                        late = f"the calculation did not finish within {self._max_seconds:,} s"
                        return JobResult(failure=SHUTDOWN_TEXT if self._closed else late)
                message = unpickle_object(connection.recv_bytes())
                if isinstance(message, JobProgress):
                    if message.is_new_part(self._progress):
                        self._began = monotonic()
                    self._progress = message
                else:
                    refusal = message
            payload = connection.recv_bytes()
        except (EOFError, OSError):
            self._stop()
            return JobResult(failure=SHUTDOWN_TEXT if self._closed else LOST_TEXT)
        pid = self.pid
        if pid and get_resident_bytes(pid) > self._max_bytes:
            self._stop()
        return JobResult(is_paused=True) if isinstance(refusal, JobPauseError) else JobResult(payload, refusal)

    def close(self) -> None:
        """Kill the process at once, and start no other."""
        with self._lock:
            self._closed = True
            if self._process:
                kill_process(self._process)

    def _ensure_started(self) -> tuple[Connection, bool]:
        """Return the connection to the process, and whether it was just started."""
        with self._lock:
            if self._closed:
                raise EOFError
            is_new = self._connection is None
            if self._connection is None:
                self._process, self._connection = start_process(_run_worker, self._niceness, modules=_MODULES)
            return self._connection, is_new

    def _stop(self) -> None:
        with self._lock:
            if self._process:
                kill_process(self._process)
                self._process.join()
            if self._connection:
                self._connection.close()
            self._process = self._connection = None


def get_resident_bytes(pid: int) -> int:
    """Return the resident memory of a process in bytes.

    Return 0 if the system does not report it.
    """
    with suppress(OSError, IndexError):
        pages = Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")
    return 0


# What follows runs in the worker process.

_senders: list[Callable[[JobProgress], None]] = []
_turn_ends: list[float] = []
"""When the turn of the job that runs is over; empty outside a worker."""


def report_job_progress(done: int, total: int, what: str = "") -> None:
    """Report the progress of the job that runs; outside a worker, do nothing.

    ``what`` names the part of the job that is counted, if it has several.
    """
    for send in _senders:
        send(JobProgress(done, total, what=what))


def end_turn() -> None:
    """Pause the job that runs once its turn is over; outside a worker, do nothing.

    Other jobs of the lane run before it goes on.  Call this only where all that is done is kept.

    Raises:
        JobPauseError: the turn is over.
    """
    if any(monotonic() > end for end in _turn_ends):
        raise JobPauseError


def open_no_progress(_what: str) -> AbstractContextManager[ProgressCallback]:
    """Open the progress of a part of a job that nobody watches."""
    return nullcontext(ignore_progress)


def _run_worker(connection: Connection, niceness: int) -> None:
    """Run the jobs that come over the connection.

    An unexpected error ends the process, and its traceback goes to the server's log.
    """
    os.nice(niceness)
    jobs = SimpleQueue[bytes]()
    Thread(target=_receive_jobs, args=(connection, jobs), daemon=True).start()
    send_message(connection, b"started")
    _senders.append(lambda progress: send_message(connection, pickle_object(progress)))
    while True:
        function, arguments = unpickle_object(jobs.get())
        _turn_ends[:] = [monotonic() + TURN_SECONDS]
        refusal: Exception | None
        try:
            refusal, payload = None, pickle_object(function(*arguments))
        except (PitbossError, JobPauseError) as error:
            refusal, payload = error, b""
        send_message(connection, pickle_object(refusal))
        send_message(connection, payload)


def send_message(connection: Connection, message: bytes) -> None:
    """Send a message to the server; end the process when the server is gone."""
    try:
        connection.send_bytes(message)
    except OSError:
        os._exit(0)


def _receive_jobs(connection: Connection, jobs: "SimpleQueue[bytes]") -> None:
    """Pass received jobs on; end the process when the server is gone."""
    while True:
        try:
            jobs.put(connection.recv_bytes())
        except (EOFError, OSError):
            os._exit(0)


# Pickling: names replace games, wagers and outcomes.


@cache
def _list_wagers(game: str) -> tuple[Wager, ...]:
    return (*load_game(game).wagers, *load_game(game).main_parts)


def _get_wager(game: str, index: int) -> Wager:
    return _list_wagers(game)[index]


def _get_outcome(game: str, index: int, number: int) -> Outcome:
    return _list_wagers(game)[index].outcomes[number]


@cache
def _index_parts() -> dict[int, tuple[Callable[..., Any], tuple[Any, ...]]]:
    """Return how to look up every wager and outcome, indexed by object id."""
    lookups: dict[int, tuple[Callable[..., Any], tuple[Any, ...]]] = {}
    for game in load_games():
        for index, wager in enumerate(_list_wagers(game)):
            lookups[id(wager)] = _get_wager, (game, index)
            for number, outcome in enumerate(wager.outcomes):
                lookups.setdefault(id(outcome), (_get_outcome, (game, index, number)))
    return lookups


def _reduce_game(game: Game) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    return load_game, (game.id,)


def _reduce_part(value: Wager | Outcome) -> Any:
    return _index_parts().get(id(value)) or value.__reduce_ex__(4)


ForkingPickler.register(Game, _reduce_game)
ForkingPickler.register(Wager, _reduce_part)
ForkingPickler.register(Outcome, _reduce_part)
