"""A watch over the machine's clock: a clock that was set is noticed and said.

The clock is compared with the machine's monotonic time, which nobody can set, and with the last entry of the ledger,
which may be another machine's.  A wrong clock closes nothing: the entries stay in order whatever it shows.
"""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from time import monotonic

LOG = logging.getLogger("pitboss.jackpot")

TOLERANCE_SECONDS = 5.0
"""A smaller difference is a clock that is being adjusted."""


class ClockWatch:
    """The clock of this machine since the start, compared with monotonic time."""

    def __init__(self, clock: Callable[[], datetime], get_monotonic: Callable[[], float] = monotonic) -> None:
        """Watch ``clock``; ``get_monotonic`` returns seconds that never go back."""
        self._clock, self._get_monotonic = clock, get_monotonic
        self._began, self._began_monotonic = clock(), get_monotonic()
        self._reported = ""

    def find_fault(self, last_entry: str) -> str:
        """Return what is wrong with the clock, "" if nothing; log it when it changes.

        ``last_entry`` is the time of the last entry, "" for none.
        """
        kind, fault = self._compare(last_entry)
        if kind != self._reported:
            self._reported = kind
            LOG.warning("%s", fault or "the clock is right again")
        return fault

    def _compare(self, last_entry: str) -> tuple[str, str]:
        """Return the kind of fault, and its description."""
        now = self._clock()
        elapsed = timedelta(seconds=self._get_monotonic() - self._began_monotonic)
        moved = (now - self._began - elapsed).total_seconds()
        behind = (datetime.fromisoformat(last_entry) - now).total_seconds() if last_entry else 0.0
        if behind > TOLERANCE_SECONDS:
            return "behind", f"the clock is {behind:,.0f} s behind the last entry, whose time entries keep until then"
        if abs(moved) > TOLERANCE_SECONDS:
            way = "forward" if moved > 0 else "back"
            return way, f"the clock was set {way} by {abs(moved):,.0f} s since the start"
        return "", ""
