"""The verification of the whole ledger in the background of a server.

It begins at the start and is repeated hourly (P3, P15).

A fault closes the ledger at once, for every process.  The verifier rests after each page, so that the tables notice
nothing of it.
"""

import logging
from collections.abc import Callable
from datetime import datetime
from threading import Event, Thread
from time import monotonic
from typing import NamedTuple

from pitboss.jackpot.controller import Controller
from pitboss.ledger.availability import UNREACHABLE
from pitboss.ledger.errors import LedgerError

LOG = logging.getLogger("pitboss.jackpot")

INTERVAL_SECONDS = 3_600.0
"""The time between two verifications, from the end of one to the start of the next."""

RETRY_SECONDS = 30.0
"""The time until the next attempt, if the database did not answer."""

REST = 4.0
"""The rest after each page, in times of the work on it: the verifier takes at most a fifth of a core."""


class Verification(NamedTuple):
    """A verification that has ended.

    It has the time, the number of entries, the seconds that it took, and the fault, "" for none.
    """

    at: datetime
    entries: int
    seconds: float
    fault: str


class _StoppedError(Exception):
    """The server stops."""


class ChainVerifier:
    """A thread that verifies the whole ledger again and again."""

    def __init__(
        self, controller: Controller, clock: Callable[[], datetime], interval_seconds: float = INTERVAL_SECONDS
    ) -> None:
        """Verify the ledger of ``controller``; ``clock`` returns the time."""
        self._controller, self._clock, self._interval_seconds = controller, clock, interval_seconds
        self._stop = Event()
        self._page_began = 0.0
        self._thread: Thread | None = None
        self.latest: Verification | None = None

    def start(self) -> None:
        """Start the thread: the first verification begins at once."""
        self._thread = Thread(target=self._run, name="chain-verifier", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop the thread, at the latest after the page that it is working on."""
        self._stop.set()
        if self._thread:
            self._thread.join()

    def _run(self) -> None:
        try:
            while not self._stop.wait(self.verify()):
                pass
        except _StoppedError:
            return

    def verify(self) -> float:
        """Verify the whole ledger, and return the seconds until the next verification."""
        began = self._page_began = monotonic()
        try:
            entries, fault = self._controller.verify(after_page=self._rest).checked_entries, ""
        except LedgerError as error:
            if error.code == UNREACHABLE:
                LOG.warning("the ledger could not be verified: %s", error)
                return min(RETRY_SECONDS, self._interval_seconds)
            entries, fault = 0, str(error)
            LOG.critical("the ledger failed its verification, the tables are closed: %s", error)
        self.latest = Verification(self._clock(), entries, monotonic() - began, fault)
        if not fault:
            LOG.info("the ledger holds: %s entries, verified in %.1f s", f"{entries:,}", self.latest.seconds)
        return self._interval_seconds

    def _rest(self) -> None:
        """Rest after a page."""
        if self._stop.wait(REST * (monotonic() - self._page_began)):
            raise _StoppedError
        self._page_began = monotonic()
