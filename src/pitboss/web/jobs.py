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

from pitboss.web.problems import LimitedError
from pitboss.web.questions import LONG, QUICK, SHELVES, Lane, Question, Shelf
from pitboss.web.worker import ENDING, Answer, Worker, pickled

MOST_OF_GUEST = 6
MOST_OF_ADDRESS = 32
MOST_IN_ALL = 256
"""So many counts wait at most: for one guest, for one address, in all."""

RETRY_SECONDS = 2
PATIENCE_SECONDS = 15
"""So long somebody who has not asked again still counts as waiting."""

_AGEING_SECONDS = 20
_REMEMBERED = 4_096


class Rank(IntEnum):
    """What goes before what on one worker; every 20 s of waiting raise a count by one."""

    COACH = 0
    SHEET = 1
    FILE = 2
    LEAKS = 3


class Asker(NamedTuple):
    """Who asks."""

    guest: str
    address: str


class _Wish(NamedTuple):
    address: str
    rank: int
    until: float


@dataclass
class _Job:
    question: Question
    message: bytes
    number: int
    since: float
    wishes: dict[str, _Wish] = field(default_factory=dict)
    begun: bool = False
    future: Future[Answer] = field(default_factory=Future)

    @property
    def lane(self) -> str:
        return self.question.shelf.lane.name


class Kept:
    """Answers of a shelf, the last used ones within its bounds."""

    def __init__(self, shelf: Shelf) -> None:
        """Keep nothing yet."""
        self._shelf = shelf
        self._answers: OrderedDict[Hashable, bytes] = OrderedDict()
        self.size = 0

    def __len__(self) -> int:
        """Return how many answers are kept."""
        return len(self._answers)

    def get(self, key: Hashable) -> bytes | None:
        """Return an answer, which is then the one used last."""
        if key in self._answers:
            self._answers.move_to_end(key)
        return self._answers.get(key)

    def put(self, key: Hashable, answer: bytes) -> None:
        """Keep an answer, and forget those that were not used for longest."""
        self.size += len(answer) - len(self._answers.pop(key, b""))
        self._answers[key] = answer
        while len(self._answers) > self._shelf.most or self.size > self._shelf.most_bytes:
            self.size -= len(self._answers.popitem(last=False)[1])


class Jobs:
    """The counts of one server: what is asked, what waits, what was answered."""

    def __init__(self, lanes: tuple[Lane, ...] = (QUICK, LONG)) -> None:
        """Start nothing: a lane's worker begins with its first question."""
        self._changed = Condition()
        self._jobs: dict[tuple[str, Hashable], _Job] = {}
        self._kept = {shelf.name: Kept(shelf) for shelf in SHELVES}
        self._served: OrderedDict[str, int] = OrderedDict()
        self._here: Counter[tuple[str, str, Hashable]] = Counter()
        self._number = 0
        self._closed = False
        self._threads: dict[str, Thread] = {}
        self.workers = {lane.name: Worker(*lane[1:]) for lane in lanes}

    def ask(self, asker: Asker, question: Question, rank: Rank, *, instead: bool = False) -> Future[Answer]:
        """Ask for a count, or say that one still waits for it; what was answered before is answered at once.

        With ``instead`` it takes the place of what the guest asked for at this rank and that has not begun.

        Raises:
            LimitedError: too much waits already, for the guest, for the address, or in all.
        """
        name = question.shelf.name, question.key
        with self._changed:
            found = self._kept[question.shelf.name].get(question.key)
            if found is not None:
                return _answered(Answer(found))
            if self._closed:
                return _answered(Answer(lost=ENDING))
            self._forget(asker, rank if instead else None, name)
            job = self._jobs.get(name)
            if job is None or asker.guest not in job.wishes:
                self._verify_room(asker)
            if job is None:
                job = self._begin(name, question)
            before = job.wishes.get(asker.guest)
            first = min(rank, before.rank) if before else rank
            job.wishes[asker.guest] = _Wish(asker.address, first, monotonic() + PATIENCE_SECONDS)
            self._changed.notify_all()
            return job.future

    def arrive(self, asker: Asker, question: Question) -> None:
        """Say that a request of a guest waits for a count, perhaps beside others of theirs."""
        with self._changed:
            self._here[asker.guest, question.shelf.name, question.key] += 1

    def leave(self, asker: Asker, question: Question, *, gone: bool = True) -> None:
        """Say that a request of a guest waits no longer; if it has ``gone`` and was the last, nor does the guest."""
        name = question.shelf.name, question.key
        with self._changed:
            self._here[asker.guest, *name] -= 1
            if self._here[asker.guest, *name] > 0:
                return
            del self._here[asker.guest, *name]
            if gone and name in self._jobs:
                self._jobs[name].wishes.pop(asker.guest, None)
                self._drop_unwanted()

    def keep(self, question: Question, found: object) -> None:
        """Keep an answer that is known without counting."""
        with self._changed:
            self._kept[question.shelf.name].put(question.key, pickled(found))

    def known(self, question: Question) -> bytes | None:
        """Return an answer that is kept, pickled."""
        with self._changed:
            return self._kept[question.shelf.name].get(question.key)

    @property
    def waiting(self) -> int:
        """How many counts wait for their turn."""
        with self._changed:
            return sum(not job.begun for job in self._jobs.values())

    def close(self) -> None:
        """End every worker at once; who waits is told."""
        with self._changed:
            self._closed = True
            for name in [name for name, job in self._jobs.items() if not job.begun]:
                self._jobs.pop(name).future.set_result(Answer(lost=ENDING))
            self._changed.notify_all()
        for worker in self.workers.values():
            worker.close()
        for thread in self._threads.values():
            thread.join()

    # All that follows but ``_serve`` holds the lock.

    def _begin(self, name: tuple[str, Hashable], question: Question) -> _Job:
        self._number += 1
        message = pickled((question.function, question.arguments))
        job = self._jobs[name] = _Job(question, message, self._number, monotonic())
        job.future.set_running_or_notify_cancel()  # who gives up waiting cancels nothing for others
        lane = job.lane
        if lane not in self._threads:
            self._threads[lane] = Thread(target=self._serve, args=(lane,), name=f"{lane} counts", daemon=True)
            self._threads[lane].start()
        return job

    def _forget(self, asker: Asker, rank: Rank | None, but: tuple[str, Hashable]) -> None:
        for name, job in self._jobs.items():
            wish = job.wishes.get(asker.guest)
            if wish and rank is not None and wish.rank == rank and name != but:
                del job.wishes[asker.guest]
        self._drop_unwanted()

    def _drop_unwanted(self) -> None:
        now = monotonic()
        for name, job in [each for each in self._jobs.items() if not each[1].begun]:
            job.wishes = {guest: wish for guest, wish in job.wishes.items() if wish.until > now}
            if not job.wishes:
                self._jobs.pop(name).future.set_result(Answer(lost="nobody waited for this any more: ask again"))

    def _verify_room(self, asker: Asker) -> None:
        wishes = [(guest, wish.address) for job in self._jobs.values() for guest, wish in job.wishes.items()]
        for most, many, whose in (
            (MOST_OF_GUEST, sum(guest == asker.guest for guest, _ in wishes), "for you"),
            (MOST_OF_ADDRESS, sum(address == asker.address for _, address in wishes), "for your address"),
            (MOST_IN_ALL, len(wishes), "here"),
        ):
            if many >= most:
                raise LimitedError(f"{most} counts wait {whose} already: ask again in {RETRY_SECONDS} s", RETRY_SECONDS)

    def _next(self, lane: str) -> tuple[tuple[str, Hashable], _Job] | None:
        """Return what a lane counts next, None when it ends; waits until there is something."""
        with self._changed:
            while not self._closed:
                self._drop_unwanted()
                waiting = [
                    each
                    for each in self._jobs.items()
                    if each[1].question.shelf.lane.name == lane and not each[1].begun
                ]
                if waiting:
                    name, job = min(waiting, key=lambda each: self._turn(each[1]))
                    job.begun = True
                    for guest, wish in job.wishes.items():
                        self._serve_last(wish.address, f"{wish.address} {guest}")
                    return name, job
                self._changed.wait()
        return None

    def _turn(self, job: _Job) -> tuple[int, int, int, int]:
        aged = int((monotonic() - job.since) / _AGEING_SECONDS)
        return min(
            (
                max(0, wish.rank - aged),
                self._served.get(wish.address, 0),
                self._served.get(f"{wish.address} {guest}", 0),
                job.number,
            )
            for guest, wish in job.wishes.items()
        )

    def _serve_last(self, *names: str) -> None:
        self._number += 1
        for name in names:
            self._served[name] = self._number
            self._served.move_to_end(name)
        while len(self._served) > _REMEMBERED:
            self._served.popitem(last=False)

    def _serve(self, lane: str) -> None:
        """Have one count after another done by a lane's worker: the work of its thread."""
        worker = self.workers[lane]
        while following := self._next(lane):
            name, job = following
            answer = worker.answer(job.message)
            with self._changed:
                del self._jobs[name]
                if not answer.refused and not answer.lost:
                    self._kept[job.question.shelf.name].put(job.question.key, answer.found)
            job.future.set_result(answer)


def _answered(answer: Answer) -> Future[Answer]:
    future = Future[Answer]()
    future.set_result(answer)
    return future
