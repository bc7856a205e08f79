"""Whether a database answers: one that hangs closes the ledger for all callers.

A database that hangs is worse than one that fails: each caller would wait for its own time limit, one behind another.
So the first call that fails after a wait closes the ledger.  From then on every call is refused at once, except one at
a time that probes the database.  The ledger opens when a probe succeeds.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from time import monotonic
from typing import Protocol

import sqlalchemy as sa

from pitboss.ledger.errors import LedgerError

DATABASE_ERRORS = (sa.exc.DBAPIError, sa.exc.TimeoutError, UnicodeDecodeError)
"""The errors of a database, also of a timeout; a damaged file may give its reason in bytes that are not text."""

_HANGING_ERRORS = (sa.exc.OperationalError, sa.exc.TimeoutError)

UNREACHABLE = "database-unreachable"
"""The code of a refusal because the database does not answer; any other refusal of a ledger is a fault in it."""

HANG_SECONDS = 1.0
"""A call that failed after this time has waited for a database that hangs."""

PROBE_INTERVAL_SECONDS = 1.0
"""The time between two probes of a database that hangs."""


class Probe(Protocol):
    """Checks a database that hung."""

    def __call__(self, *, writes: bool) -> None:
        """Check the database, with ``writes`` also that it can be written.

        Raises:
            LedgerError: it does not answer, or is not what it was.
        """


def get_cause(error: Exception) -> BaseException:
    """Return the driver's error, or the error itself."""
    cause = error.orig if isinstance(error, sa.exc.DBAPIError) else None
    return cause or error


def make_unreachable_error(error: Exception) -> LedgerError:
    """Make the refusal of a call that the database did not answer."""
    cause = get_cause(error)
    lines = str(cause).strip().splitlines() or [type(cause).__name__]
    return LedgerError(f"the ledger does not answer, so the tables are closed: {lines[0]}", code="database-unreachable")


class Availability:
    """Whether a database is open, or closed since a call hung.

    Threads may share it.  ``refusal`` is why calls are refused, None while the ledger is open.
    """

    def __init__(self, probe: Probe, clock: Callable[[], float] = monotonic) -> None:
        """Probe a closed database with ``probe``; ``clock`` returns seconds."""
        self._probe, self._clock = probe, clock
        self.refusal: LedgerError | None = None
        self._needs_write = False
        self._next_probe = 0.0
        self._is_probing = False
        self._lock = Lock()

    def verify(self) -> None:
        """Check that the database may be called; probe it if that is due.

        Raises:
            LedgerError: it hung, and has not answered a probe since.
        """
        with self._lock:
            if self.refusal is None:
                return
            if self._is_probing or self._clock() < self._next_probe:
                raise LedgerError.from_error(self.refusal)
            self._is_probing = True
        refusal: LedgerError | None = None
        try:
            self._probe(writes=self._needs_write)
        except LedgerError as error:
            refusal = error
            raise
        finally:
            with self._lock:
                self._is_probing = False
                self._next_probe = self._clock() + PROBE_INTERVAL_SECONDS
                self.refusal = refusal
                self._needs_write = self._needs_write and refusal is not None

    @contextmanager
    def call(self, *, writes: bool) -> Iterator[None]:
        """Call the database; a call that hangs closes the ledger.

        The probe that opens it again must write if the call did: a lock that somebody keeps stops only writers.

        Raises:
            LedgerError: the database does not answer.
        """
        self.verify()
        began = self._clock()
        try:
            yield
        except DATABASE_ERRORS as error:
            refusal = make_unreachable_error(error)
            if isinstance(error, _HANGING_ERRORS) and self._clock() - began >= HANG_SECONDS:
                with self._lock:
                    self.refusal = refusal
                    self._needs_write = self._needs_write or writes
                    self._next_probe = self._clock() + PROBE_INTERVAL_SECONDS
            raise refusal from None
