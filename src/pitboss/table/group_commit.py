"""Work that waits for a transaction: what waits together is written together, in its order."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Condition
from typing import Any

from pitboss.core.errors import PitbossError
from pitboss.ledger.store import Store, Transaction
from pitboss.table.repository import LoadedSession, SessionCache

UncommittedSessions = dict[str, LoadedSession]
"""What is known of tables in a transaction that may still fail."""

TransactionWork = Callable[[Transaction, UncommittedSessions], Any]


@dataclass(eq=False)
class _PendingWork:
    """Some work that waits for a transaction, and what came of it."""

    work: TransactionWork
    result: Any = None
    error: PitbossError | None = None
    is_done: bool = False


class GroupCommit:
    """Jobs that are waiting; one of those who wait does them all, and wakes the others."""

    def __init__(self, store: Store, cache: SessionCache) -> None:
        """Write to ``store``, and keep in ``cache`` what was written."""
        self._store, self._cache = store, cache
        self._jobs: list[_PendingWork] = []
        self._busy = False
        self._condition = Condition()

    def run(self, work: TransactionWork) -> Any:
        """Do some work in a transaction, together with all that is waiting for one, and return what came of it.

        Raises:
            PitbossError: the work's own, or the ledger's: nothing was written.
        """
        mine, waiting = _PendingWork(work), tuple[_PendingWork, ...]()
        with self._condition:
            self._jobs.append(mine)
            # Whose job is done leaves at once, and does not wait for those that came after it.
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
        """Do jobs in one transaction; where one of them fails, each in its own."""

        def all_of_them(transaction: Transaction) -> tuple[UncommittedSessions, list[Any]]:
            fresh: UncommittedSessions = {}
            return fresh, [job.work(transaction, fresh) for job in jobs]

        try:
            fresh, results = self._store.run_write(all_of_them)
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
