"""Counts that are asked for, rationed, and answered later by workers.

Who asks gets a future at once.  What is counted next is decided by rank, then by whose turn it is: the address, then
the guest, that was served longest ago.  What nobody waits for any more is dropped unless it has begun.  Answers are
kept as the bytes in which they came, within bounds.
"""

from collections import Counter, OrderedDict
from collections.abc import Hashable
from concurrent.futures import Future
from dataclasses import dataclass, field
from enum import IntEnum
from threading import Condition, Thread
from time import monotonic
from typing import NamedTuple

from pitboss.web.job_spec import JOB_KINDS, LONG_LANE, QUICK_LANE, JobKind, JobSpec, WorkerLane
from pitboss.web.problems import RateLimitError
from pitboss.web.worker import SHUTDOWN_TEXT, JobResult, WorkerProcess, pickle_object

MAX_PER_GUEST = 6
MAX_PER_ADDRESS = 32
MAX_TOTAL = 256
"""So many counts wait at most: for one guest, for one address, in all."""

RETRY_SECONDS = 2
PATIENCE_SECONDS = 15
"""So long somebody who has not asked again still counts as waiting."""

_AGEING_SECONDS = 20
_MAX_REMEMBERED = 4_096


class JobPriority(IntEnum):
    """What goes before what on one worker; every 20 s of waiting raise a count by one."""

    COACH = 0
    SHEET = 1
    FILE = 2
    LEAKS = 3


class JobClient(NamedTuple):
    """Who asks."""

    guest: str
    address: str


class _Waiter(NamedTuple):
    address: str
    priority: int
    expires: float


@dataclass
class _QueuedJob:
    spec: JobSpec
    payload: bytes
    sequence: int
    queued_at: float
    waiters: dict[str, _Waiter] = field(default_factory=dict)
    is_started: bool = False
    future: Future[JobResult] = field(default_factory=Future)

    @property
    def lane(self) -> str:
        return self.spec.kind.lane.name


class JobCache:
    """Answers of a shelf, the last used ones within its bounds."""

    def __init__(self, shelf: JobKind) -> None:
        """Keep nothing yet."""
        self._kind = shelf
        self._results: OrderedDict[Hashable, bytes] = OrderedDict()
        self.size = 0

    def __len__(self) -> int:
        """Return how many answers are kept."""
        return len(self._results)

    def get(self, key: Hashable) -> bytes | None:
        """Return an answer, which is then the one used last."""
        if key in self._results:
            self._results.move_to_end(key)
        return self._results.get(key)

    def put(self, key: Hashable, result: bytes) -> None:
        """Keep an answer, and forget those that were not used for longest."""
        self.size += len(result) - len(self._results.pop(key, b""))
        self._results[key] = result
        while len(self._results) > self._kind.max_results or self.size > self._kind.max_bytes:
            self.size -= len(self._results.popitem(last=False)[1])


class JobQueue:
    """The counts of one server: what is asked, what waits, what was answered."""

    def __init__(self, lanes: tuple[WorkerLane, ...] = (QUICK_LANE, LONG_LANE)) -> None:
        """Start nothing: a lane's worker begins with its first question."""
        self._changed = Condition()
        self._jobs: dict[tuple[str, Hashable], _QueuedJob] = {}
        self._caches = {shelf.name: JobCache(shelf) for shelf in JOB_KINDS}
        self._last_served: OrderedDict[str, int] = OrderedDict()
        self._open_requests: Counter[tuple[str, str, Hashable]] = Counter()
        self._sequence = 0
        self._closed = False
        self._threads: dict[str, Thread] = {}
        self.workers = {lane.name: WorkerProcess(*lane[1:]) for lane in lanes}

    def submit(
        self, client: JobClient, spec: JobSpec, priority: JobPriority, *, replace: bool = False
    ) -> Future[JobResult]:
        """Ask for a count, or say that one still waits for it; what was answered before is answered at once.

        With ``replace`` it takes the place of what the guest asked for at this rank and that has not begun.

        Raises:
            LimitedError: too much waits already, for the guest, for the address, or in all.
        """
        name = spec.kind.name, spec.key
        with self._changed:
            found = self._caches[spec.kind.name].get(spec.key)
            if found is not None:
                return _make_done_future(JobResult(found))
            if self._closed:
                return _make_done_future(JobResult(failure=SHUTDOWN_TEXT))
            self._withdraw(client, priority if replace else None, name)
            job = self._jobs.get(name)
            if job is None or client.guest not in job.waiters:
                self._verify_capacity(client)
            if job is None:
                job = self._create_job(name, spec)
            before = job.waiters.get(client.guest)
            first = min(priority, before.priority) if before else priority
            job.waiters[client.guest] = _Waiter(client.address, first, monotonic() + PATIENCE_SECONDS)
            self._changed.notify_all()
            return job.future

    def add_request(self, client: JobClient, spec: JobSpec) -> None:
        """Say that a request of a guest waits for a count, perhaps beside others of theirs."""
        with self._changed:
            self._open_requests[client.guest, spec.kind.name, spec.key] += 1

    def remove_request(self, client: JobClient, spec: JobSpec, *, gone: bool = True) -> None:
        """Say that a request of a guest waits no longer; if it has ``gone`` and was the last, nor does the guest."""
        name = spec.kind.name, spec.key
        with self._changed:
            self._open_requests[client.guest, *name] -= 1
            if self._open_requests[client.guest, *name] > 0:
                return
            del self._open_requests[client.guest, *name]
            if gone and name in self._jobs:
                self._jobs[name].waiters.pop(client.guest, None)
                self._drop_abandoned()

    def store_result(self, spec: JobSpec, result: object) -> None:
        """Keep an answer that is known without counting."""
        with self._changed:
            self._caches[spec.kind.name].put(spec.key, pickle_object(result))

    def get_result(self, spec: JobSpec) -> bytes | None:
        """Return an answer that is kept, pickled."""
        with self._changed:
            return self._caches[spec.kind.name].get(spec.key)

    @property
    def waiting_count(self) -> int:
        """How many counts wait for their turn."""
        with self._changed:
            return sum(not job.is_started for job in self._jobs.values())

    def close(self) -> None:
        """End every worker at once; who waits is told."""
        with self._changed:
            self._closed = True
            for name in [name for name, job in self._jobs.items() if not job.is_started]:
                self._jobs.pop(name).future.set_result(JobResult(failure=SHUTDOWN_TEXT))
            self._changed.notify_all()
        for worker in self.workers.values():
            worker.close()
        for thread in self._threads.values():
            thread.join()

    # All that follows but ``_serve`` holds the lock.

    def _create_job(self, name: tuple[str, Hashable], spec: JobSpec) -> _QueuedJob:
        self._sequence += 1
        message = pickle_object((spec.function, spec.arguments))
        job = self._jobs[name] = _QueuedJob(spec, message, self._sequence, monotonic())
        job.future.set_running_or_notify_cancel()  # who gives up waiting cancels nothing for others
        lane = job.lane
        if lane not in self._threads:
            self._threads[lane] = Thread(target=self._run_lane, args=(lane,), name=f"{lane} counts", daemon=True)
            self._threads[lane].start()
        return job

    def _withdraw(self, client: JobClient, priority: JobPriority | None, keep: tuple[str, Hashable]) -> None:
        for name, job in self._jobs.items():
            wish = job.waiters.get(client.guest)
            if wish and priority is not None and wish.priority == priority and name != keep:
                del job.waiters[client.guest]
        self._drop_abandoned()

    def _drop_abandoned(self) -> None:
        now = monotonic()
        for name, job in [each for each in self._jobs.items() if not each[1].is_started]:
            job.waiters = {guest: wish for guest, wish in job.waiters.items() if wish.expires > now}
            if not job.waiters:
                self._jobs.pop(name).future.set_result(JobResult(failure="nobody was waiting for this count: ask again"))

    def _verify_capacity(self, client: JobClient) -> None:
        wishes = [(guest, wish.address) for job in self._jobs.values() for guest, wish in job.waiters.items()]
        for most, many, whose in (
            (MAX_PER_GUEST, sum(guest == client.guest for guest, _ in wishes), "for you"),
            (MAX_PER_ADDRESS, sum(address == client.address for _, address in wishes), "for your address"),
            (MAX_TOTAL, len(wishes), "here"),
        ):
            if many >= most:
                raise RateLimitError(
                    f"{most} counts are already waiting {whose}: ask again in {RETRY_SECONDS} s", RETRY_SECONDS
                )

    def _take_next(self, lane: str) -> tuple[tuple[str, Hashable], _QueuedJob] | None:
        """Return what a lane counts next, None when it ends; waits until there is something."""
        with self._changed:
            while not self._closed:
                self._drop_abandoned()
                waiting = [
                    each
                    for each in self._jobs.items()
                    if each[1].spec.kind.lane.name == lane and not each[1].is_started
                ]
                if waiting:
                    name, job = min(waiting, key=lambda each: self._compute_order(each[1]))
                    job.is_started = True
                    for guest, wish in job.waiters.items():
                        self._mark_served(wish.address, f"{wish.address} {guest}")
                    return name, job
                self._changed.wait()
        return None

    def _compute_order(self, job: _QueuedJob) -> tuple[int, int, int, int]:
        aged = int((monotonic() - job.queued_at) / _AGEING_SECONDS)
        return min(
            (
                max(0, wish.priority - aged),
                self._last_served.get(wish.address, 0),
                self._last_served.get(f"{wish.address} {guest}", 0),
                job.sequence,
            )
            for guest, wish in job.waiters.items()
        )

    def _mark_served(self, *names: str) -> None:
        self._sequence += 1
        for name in names:
            self._last_served[name] = self._sequence
            self._last_served.move_to_end(name)
        while len(self._last_served) > _MAX_REMEMBERED:
            self._last_served.popitem(last=False)

    def _run_lane(self, lane: str) -> None:
        """Have one count after another done by a lane's worker: the work of its thread."""
        worker = self.workers[lane]
        while following := self._take_next(lane):
            name, job = following
            answer = worker.run_job(job.payload)
            with self._changed:
                del self._jobs[name]
                if not answer.refusal and not answer.failure:
                    self._caches[job.spec.kind.name].put(job.spec.key, answer.payload)
            job.future.set_result(answer)


def _make_done_future(result: JobResult) -> Future[JobResult]:
    future = Future[JobResult]()
    future.set_result(result)
    return future
