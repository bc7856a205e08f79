"""How often somebody may ask, by the moving windows of ``limits``, kept in this process.

How often an *account* may be tried (5 failures in 15 minutes) is the staff's own rule and stands in the ledger's
database, so that it holds for the command line too and over a restart.
"""

from math import ceil
from time import time

from limits import RateLimitItem, parse
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

from pitboss.web.problems import LimitedError

PROOFS = "20/15 minutes"
"""Proofs of who one is that fail, from one address."""

REQUESTS = "20/second"
"""Requests of one session, or of one address without a session."""


FILES = "20/minute"
"""Reports written as files for one address: each takes a core for a second or more."""


class Limits:
    """The windows of one process."""

    def __init__(self, proofs: str = PROOFS, requests: str = REQUESTS, files: str = FILES) -> None:
        """Allow so many of each."""
        self._windows = MovingWindowRateLimiter(MemoryStorage())
        self._proofs = parse(proofs)
        self._requests = parse(requests)
        self._files = parse(files)

    def verify_proof(self, address: str) -> None:
        """Raise ``LimitedError`` where too many proofs have failed from an address."""
        if not self._windows.test(self._proofs, "proof", address):
            raise self._limited(self._proofs, "proof", address, "too many attempts from this address")

    def proof_failed(self, address: str) -> None:
        """Count a proof that failed."""
        self._windows.hit(self._proofs, "proof", address)

    def request(self, who: str) -> None:
        """Count a request; raise ``LimitedError`` where it is one too many."""
        if not self._windows.hit(self._requests, "request", who):
            raise self._limited(self._requests, "request", who, f"too many requests: {self._requests} are answered")

    def file(self, address: str) -> None:
        """Count a file that is asked for; raise ``LimitedError`` where it is one too many."""
        if not self._windows.hit(self._files, "file", address):
            raise self._limited(self._files, "file", address, f"too many files: {self._files} are written")

    def _limited(self, item: RateLimitItem, kind: str, who: str, message: str) -> LimitedError:
        seconds = max(1, ceil(self._windows.get_window_stats(item, kind, who).reset_time - time()))
        return LimitedError(f"{message}: wait {seconds} s", seconds)
