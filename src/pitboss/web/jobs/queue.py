"""The job queue: it rations the jobs of clients and runs them on workers.

A client gets a future at once.  The next job is chosen by priority, then by turn: the address, then the guest, that was
served longest ago.  In a full lane, the address with most waiting jobs makes room for one with fewer (``eviction``).

A job that nobody waits for is dropped unless it has started.  Results are cached as the bytes that the workers send,
within bounds.
"""

from collections import Counter, OrderedDict
from collections.abc import Hashable
from concurrent.futures import Future
from dataclasses import dataclass, field
from enum import IntEnum
from threading import Condition, Thread
from time import monotonic
from typing import NamedTuple

from pitboss.web.errors import RateLimitError
from pitboss.web.eviction import Holding, choose_evicted
from pitboss.web.jobs.spec import LANES, RATIONS, JobKind, JobRation, JobSpec, WorkerLane
from pitboss.web.jobs.worker import ABANDONED_TEXT, SHUTDOWN_TEXT, JobProgress, JobResult, WorkerProcess, pickle_object

RETRY_SECONDS = 2
PATIENCE_SECONDS = 15
"""Time that a client counts as waiting after its last request."""

_AGEING_SECONDS = 20
_MAX_REMEMBERED = 4_096


class JobPriority(IntEnum):
    """The priority of jobs on one worker, lowest first.

    Every 20 s of waiting raise a job by one priority.
    """

    COACH = 0
    SHEET = 1
    FILE = 2
    LEAKS = 3
    EXACT = 4


class JobClient(NamedTuple):
    """The guest and the network (``get_network``) that submit a job."""

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
    asked_at: float
    waiters: dict[str, _Waiter] = field(default_factory=dict)
    is_started: bool = False
    started_at: float = 0
    last_progress: JobProgress | None = None
    future: Future[JobResult] = field(default_factory=Future)

    @property
    def lane(self) -> str:
        return self.spec.kind.lane.name


class JobCache:
    """A cache of the results of one kind of job; it drops the least recently used."""

    def __init__(self, shelf: JobKind) -> None:
        """Start an empty cache."""
        self._kind = shelf
        self._results: OrderedDict[Hashable, bytes] = OrderedDict()
        self.size = 0

    def __len__(self) -> int:
        """Return the number of cached results."""
        return len(self._results)

    def get(self, key: Hashable) -> bytes | None:
        """Return a cached result and mark it as used, or return None."""
        if key in self._results:
            self._results.move_to_end(key)
        return self._results.get(key)

    def put(self, key: Hashable, result: bytes) -> None:
        """Cache a result, and drop the least recently used ones beyond the bounds."""
        self.size += len(result) - len(self._results.pop(key, b""))
        self._results[key] = result
        while len(self._results) > self._kind.max_results or self.size > self._kind.max_bytes:
            self.size -= len(self._results.popitem(last=False)[1])


class JobQueue:
    """The job queue of one server, with its workers and its caches."""

    def __init__(self, lanes: tuple[WorkerLane, ...] = LANES) -> None:
        """Prepare the lanes; each worker starts with its first job."""
        self._changed = Condition()
        self._jobs: dict[tuple[str, Hashable], _QueuedJob] = {}
        self._caches: dict[str, JobCache] = {}
        self._last_served: OrderedDict[str, int] = OrderedDict()
        self._open_requests: Counter[tuple[str, str, Hashable]] = Counter()
        self._sequence = 0
        self._closed = False
        self._threads: dict[str, Thread] = {}
        self.workers = {lane.name: WorkerProcess(*lane[1:]) for lane in lanes}

    def submit(
        self, client: JobClient, spec: JobSpec, priority: JobPriority, *, replace: bool = False
    ) -> Future[JobResult]:
        """Submit a job, or renew the wait for it; a cached result is returned at once.

        With ``replace``, it replaces the guest's other jobs of this priority that have not started.

        Raises:
            RateLimitError: too many jobs of this lane are waiting for the guest or the address, or the lane is full
                and no other address has more of them waiting.
        """
        name = spec.kind.name, spec.key
        with self._changed:
            cached = self._get_cache(spec.kind).get(spec.key)
            if cached is not None:
                return _make_done_future(JobResult(cached))
            if self._closed:
                return _make_done_future(JobResult(failure=SHUTDOWN_TEXT))
            self._withdraw(client, priority if replace else None, name)
            job = self._jobs.get(name)
            if job is None or client.guest not in job.waiters:
                self._verify_capacity(client, spec.kind.lane.name)
            if job is None:
                job = self._create_job(name, spec)
            earlier = job.waiters.get(client.guest)
            best = min(priority, earlier.priority) if earlier else priority
            job.waiters[client.guest] = _Waiter(client.address, best, monotonic() + PATIENCE_SECONDS)
            self._drop_abandoned()  # who made room may have been the last to wait for another job
            self._changed.notify_all()
            return job.future

    def add_request(self, client: JobClient, spec: JobSpec) -> None:
        """Count a request of a guest that waits for a job."""
        with self._changed:
            self._open_requests[client.guest, spec.kind.name, spec.key] += 1

    def remove_request(self, client: JobClient, spec: JobSpec, *, gone: bool = True) -> None:
        """Remove a waiting request of a guest from the count.

        If it is ``gone`` and was the guest's last for the job, the guest stops waiting.
        """
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
        """Cache a result that is known without running the job."""
        with self._changed:
            self._get_cache(spec.kind).put(spec.key, pickle_object(result))

    def get_result(self, spec: JobSpec) -> bytes | None:
        """Return the cached, pickled result of a job, or None."""
        with self._changed:
            return self._get_cache(spec.kind).get(spec.key)

    def get_progress(self, spec: JobSpec) -> JobProgress | None:
        """Return the progress of a job, (0, 0) until it reports one; None if none."""
        with self._changed:
            job = self._jobs.get((spec.kind.name, spec.key))
            if job is None:
                return None
            if not job.is_started and not job.last_progress:
                return JobProgress(0, 0)
            reported = self.workers[job.lane].get_progress() if job.is_started else None
            if reported and job.last_progress:
                reported = reported._replace(before=job.last_progress.done)
            known = reported or job.last_progress or JobProgress(0, 0, monotonic() - job.started_at)
            return known._replace(waited=monotonic() - job.asked_at)

    def find_running(self, spec: JobSpec) -> JobSpec | None:
        """Return the job that another job waits for: the one that its worker runs now."""
        lane = spec.kind.lane.name
        with self._changed:
            running = (job.spec for job in self._jobs.values() if job.is_started and job.lane == lane)
            return next((each for each in running if (each.kind, each.key) != (spec.kind, spec.key)), None)

    @property
    def waiting_count(self) -> int:
        """The number of jobs that have not started."""
        with self._changed:
            return sum(not job.is_started for job in self._jobs.values())

    def close(self) -> None:
        """Stop every worker at once, and fail the waiting jobs."""
        with self._changed:
            self._closed = True
            for name in [name for name, job in self._jobs.items() if not job.is_started]:
                self._jobs.pop(name).future.set_result(JobResult(failure=SHUTDOWN_TEXT))
            self._changed.notify_all()
        for worker in self.workers.values():
            worker.close()
        for thread in self._threads.values():
            thread.join()

    # The caller of each method below holds the lock, except for ``_take_next`` and ``_run_lane``.

    def _get_cache(self, kind: JobKind) -> JobCache:
        return self._caches.setdefault(kind.name, JobCache(kind))

    def _create_job(self, name: tuple[str, Hashable], spec: JobSpec) -> _QueuedJob:
        self._sequence += 1
        payload, now = pickle_object((spec.function, spec.arguments)), monotonic()
        job = self._jobs[name] = _QueuedJob(spec, payload, self._sequence, now, now)
        job.future.set_running_or_notify_cancel()  # a client that stops waiting must not cancel it for others
        lane = job.lane
        if lane not in self._threads:
            self._threads[lane] = Thread(target=self._run_lane, args=(lane,), name=f"{lane} counts", daemon=True)
            self._threads[lane].start()
        return job

    def _withdraw(self, client: JobClient, priority: JobPriority | None, keep: tuple[str, Hashable]) -> None:
        for name, job in self._jobs.items():
            waiter = job.waiters.get(client.guest)
            if waiter and priority is not None and waiter.priority == priority and name != keep:
                del job.waiters[client.guest]
        self._drop_abandoned()

    def _drop_abandoned(self) -> None:
        now = monotonic()
        for name, job in [each for each in self._jobs.items() if not each[1].is_started]:
            job.waiters = {guest: waiter for guest, waiter in job.waiters.items() if waiter.expires > now}
            if not job.waiters:
                self._jobs.pop(name).future.set_result(JobResult(failure=ABANDONED_TEXT))

    def _verify_capacity(self, client: JobClient, lane: str) -> None:
        ration, jobs = RATIONS[lane], [job for job in self._jobs.values() if job.lane == lane]
        waiters = [(guest, waiter.address) for job in jobs for guest, waiter in job.waiters.items()]
        for maximum, count, where in (
            (ration.guest, sum(guest == client.guest for guest, _ in waiters), "for you"),
            (ration.address, sum(address == client.address for _, address in waiters), "for your address"),
        ):
            if count >= maximum:
                raise _make_refusal(maximum, where, ration)
        waiting = [
            Holding(waiter.address, guest, (job, guest))
            for job in jobs
            if not job.is_started
            for guest, waiter in job.waiters.items()
        ]
        if len(waiting) >= ration.total:
            evicted = choose_evicted(waiting, client.address)
            if evicted is None:
                raise _make_refusal(ration.total, "here", ration)
            job, guest = evicted
            del job.waiters[guest]

    def _take_next(self, lane: str) -> tuple[tuple[str, Hashable], _QueuedJob] | None:
        """Wait for the next job of a lane and return it, or None at shutdown."""
        with self._changed:
            while not self._closed:
                self._drop_abandoned()
                waiting = [each for each in self._jobs.items() if each[1].lane == lane and not each[1].is_started]
                if waiting:
                    name, job = min(waiting, key=lambda each: self._compute_order(each[1]))
                    job.is_started, job.started_at = True, monotonic()
                    for guest, waiter in job.waiters.items():
                        self._mark_served(waiter.address, f"{waiter.address} {guest}")
                    return name, job
                self._changed.wait()
        return None

    def _compute_order(self, job: _QueuedJob) -> tuple[int, int, int, int]:
        steps = int((monotonic() - job.queued_at) / _AGEING_SECONDS)
        return min(
            (
                max(0, waiter.priority - steps),
                self._last_served.get(waiter.address, 0),
                self._last_served.get(f"{waiter.address} {guest}", 0),
                job.sequence,
            )
            for guest, waiter in job.waiters.items()
        )

    def _mark_served(self, *names: str) -> None:
        self._sequence += 1
        for name in names:
            self._last_served[name] = self._sequence
            self._last_served.move_to_end(name)
        while len(self._last_served) > _MAX_REMEMBERED:
            self._last_served.popitem(last=False)

    def _run_lane(self, lane: str) -> None:
        """Run the jobs of a lane on its worker, one after another, in the lane's thread."""
        worker = self.workers[lane]
        while following := self._take_next(lane):
            name, job = following
            answer = worker.run_job(job.payload)
            if answer.is_paused:
                self._requeue(job, worker.get_progress())
                continue
            with self._changed:
                del self._jobs[name]
                if not answer.refusal and not answer.failure:
                    self._get_cache(job.spec.kind).put(job.spec.key, answer.payload)
            job.future.set_result(answer)

    def _requeue(self, job: _QueuedJob, progress: JobProgress | None) -> None:
        """Let a paused job wait behind those that were submitted meanwhile."""
        with self._changed:
            self._sequence += 1
            job.is_started, job.queued_at, job.sequence = False, monotonic(), self._sequence
            job.last_progress = progress and progress._replace(seconds=0)


def _make_done_future(result: JobResult) -> Future[JobResult]:
    future = Future[JobResult]()
    future.set_result(result)
    return future


def _make_refusal(maximum: int, where: str, ration: JobRation) -> RateLimitError:
    return RateLimitError(
        f"{maximum} calculations are already waiting {where}: try again in {ration.retry_seconds} s",
        ration.retry_seconds,
        code="too-many-jobs",
        retry_seconds=ration.retry_seconds,
    )
