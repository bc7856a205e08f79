"""Work that waits for a transaction: what waits together is written together, in its order."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Condition
from typing import Any

from pitboss.core.errors import PitbossError
from pitboss.ledger.store import Store, Transaction
from pitboss.table.store import Known, Latest

Fresh = dict[str, Known]
"""What is known of tables in a transaction that may still fail."""

Work = Callable[[Transaction, Fresh], Any]


@dataclass(eq=False)
class _Job:
    """Some work that waits for a transaction, and what came of it."""

    work: Work
    result: Any = None
    error: PitbossError | None = None
    done: bool = False


class Together:
    """Jobs that are waiting; one of those who wait does them all, and wakes the others."""

    def __init__(self, store: Store, known: Latest) -> None:
        """Write to ``store``, and keep in ``known`` what was written."""
        self._store, self._known = store, known
        self._jobs: list[_Job] = []
        self._busy = False
        self._turn = Condition()

    def done(self, work: Work) -> Any:
        """Do some work in a transaction, together with all that is waiting for one, and return what came of it.

        Raises:
            PitbossError: the work's own, or the ledger's: nothing was written.
        """
        mine, waiting = _Job(work), tuple[_Job, ...]()
        with self._turn:
            self._jobs.append(mine)
            # Whose job is done leaves at once, and does not wait for those that came after it.
            self._turn.wait_for(lambda: mine.done or not self._busy)
            if not mine.done:
                waiting, self._jobs, self._busy = tuple(dict.fromkeys((*self._jobs, mine))), [], True
        if waiting:
            try:
                self._transact(waiting)
            finally:
                with self._turn:
                    self._busy = False
                    self._turn.notify_all()
        if mine.error:
            raise mine.error
        return mine.result

    def _transact(self, jobs: Sequence[_Job]) -> None:
        """Do jobs in one transaction; where one of them fails, each in its own."""

        def all_of_them(transaction: Transaction) -> tuple[Fresh, list[Any]]:
            fresh: Fresh = {}
            return fresh, [job.work(transaction, fresh) for job in jobs]

        try:
            fresh, results = self._store.writing(all_of_them)
        except PitbossError as error:
            if len(jobs) > 1:
                for job in jobs:
                    self._transact((job,))
                return
            jobs[0].error = error
        else:
            for table, known in fresh.items():
                self._known.keep(table, known)
            for job, result in zip(jobs, results, strict=True):
                job.result = result
        for job in jobs:
            job.done = True
