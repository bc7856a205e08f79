"""Group commit: jobs that wait for a transaction at the same time share one, in their order."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Condition
from typing import Any

from pitboss.core.errors import PitbossError
from pitboss.ledger.store import Store, Transaction
from pitboss.table.repository import LoadedSession, SessionCache

UncommittedSessions = dict[str, LoadedSession]
"""Sessions by table, as they are inside a transaction that may still fail."""

TransactionWork = Callable[[Transaction, UncommittedSessions], Any]


@dataclass(eq=False)
class _PendingWork:
    """Holds a job that waits for a transaction, and its result."""

    work: TransactionWork
    result: Any = None
    error: PitbossError | None = None
    is_done: bool = False


class GroupCommit:
    """A queue of waiting jobs: one of the waiting threads does them all and wakes the others."""

    def __init__(self, store: Store, cache: SessionCache) -> None:
        """Write to ``store``, and cache in ``cache`` what was written."""
        self._store, self._cache = store, cache
        self._jobs: list[_PendingWork] = []
        self._busy = False
        self._condition = Condition()

    def run(self, work: TransactionWork) -> Any:
        """Run a job in a transaction, together with all jobs that wait for one; return its result.

        Raises:
            PitbossError: the job or the ledger failed: nothing was written.
        """
        mine, waiting = _PendingWork(work), tuple[_PendingWork, ...]()
        with self._condition:
            self._jobs.append(mine)
            # A thread whose job is done leaves at once; it does not wait for later jobs.
            self._condition.wait_for(lambda: mine.is_done or not self._busy)
            if not mine.is_done:
                waiting, self._jobs, self._busy = tuple(dict.fromkeys((*self._jobs, mine))), [], True
        if waiting:
            try:
                self._transact(waiting)
            finally:
                with self._condition:
                    self._busy = False
                    self._condition.notify_all()
        if mine.error:
            raise mine.error
        return mine.result

    def _transact(self, jobs: Sequence[_PendingWork]) -> None:
        """Run jobs in one transaction; if one of them fails, run each in its own."""

        def run_all(transaction: Transaction) -> tuple[UncommittedSessions, list[Any]]:
            fresh: UncommittedSessions = {}
            return fresh, [job.work(transaction, fresh) for job in jobs]

        try:
            fresh, results = self._store.run_write(run_all)
        except PitbossError as error:
            if len(jobs) > 1:
                for job in jobs:
                    self._transact((job,))
                return
            jobs[0].error = error
        else:
            for table, known in fresh.items():
                self._cache.keep(table, known)
            for job, result in zip(jobs, results, strict=True):
                job.result = result
        for job in jobs:
            job.is_done = True
