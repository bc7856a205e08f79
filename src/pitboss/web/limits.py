"""How often somebody may ask: moving windows, kept in this process, in bounded memory.

An address is the one that a request comes from, behind a proxy the one that the proxy names; of IPv6 it is the network
of 64 bits that one household is given.  How often an *account* may be tried (5 failures in 15 minutes) is the
staff's own rule and stands in the ledger's database, so that it holds for the command line too and over a restart.
"""

import ipaddress
from collections import OrderedDict, deque
from collections.abc import Callable
from math import ceil
from threading import Lock
from time import monotonic

from limits import RateLimitItem, parse

from pitboss.web.problems import LimitedError

PROOFS = "20/15 minutes"
"""Proofs of who one is that fail, from one address."""

REQUESTS = "20/second"
"""Commands of one guest, requests of one session, or of one address without a session."""

TABLES = "60/hour"
"""Tables opened by one guest."""

DRILLS = "60/hour"
"""Drills begun by one guest."""

FILES = "20/minute"
"""Reports written as files for one guest, or one address: each takes a core for a second or more."""

OF_ADDRESS = 200
"""What one address may do: requests of any kind a second; new guests, tables and drills an hour; connections open."""

OPEN_TABLES = 5
"""Tables that a guest has opened and that are open at a time."""

MOST_KEYS = 20_000
"""Guests and addresses that each window remembers; of more, the one that asked longest ago is forgotten."""


def network_of(address: str) -> str:
    """Return what an address is counted as.

    >>> network_of("192.0.2.7"), network_of("2001:db8:1:2:3::4"), network_of("::ffff:192.0.2.7"), network_of("nowhere")
    ('192.0.2.7', '2001:db8:1:2::', '192.0.2.7', 'nowhere')
    """
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address[:64]
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return str(ipaddress.IPv6Address(int(found) >> 64 << 64))


class Window:
    """A moving window for many keys: so many each, in any stretch of so many seconds."""

    def __init__(self, item: RateLimitItem, most_keys: int = MOST_KEYS, clock: Callable[[], float] = monotonic) -> None:
        """Allow ``item``; remember ``most_keys`` keys."""
        self.item = item
        self._seconds = item.get_expiry()
        self._most_keys, self._clock = most_keys, clock
        self._times: OrderedDict[str, deque[float]] = OrderedDict()  # who asked last stands last
        self._lock = Lock()

    def __len__(self) -> int:
        """Return how many keys are remembered."""
        return len(self._times)

    def wait(self, key: str) -> float:
        """Return for how many seconds a key must wait, 0 where it may ask now."""
        with self._lock:
            return self._wait(key, self._clock())

    def hit(self, key: str) -> float:
        """Count one more and return 0; where it is one too many, count nothing and return the seconds to wait."""
        with self._lock:
            now = self._clock()
            seconds = self._wait(key, now)
            if not seconds:
                self._times.setdefault(key, deque()).append(now)
                self._times.move_to_end(key)
                self._forget(now)
            return seconds

    def _wait(self, key: str, now: float) -> float:
        times = self._times.get(key)
        while times and times[0] <= now - self._seconds:
            times.popleft()
        return times[0] + self._seconds - now if times and len(times) >= self.item.amount else 0.0

    def _forget(self, now: float) -> None:
        """Forget the keys whose last time has passed, and of too many the oldest: one step for every hit, or two."""
        for _ in range(2):
            oldest = next(iter(self._times.values()))
            if len(self._times) > self._most_keys or not oldest or oldest[-1] <= now - self._seconds:
                self._times.popitem(last=False)
            if not self._times:
                return


class Limits:
    """The windows of one process."""

    def __init__(
        self,
        proofs: str = PROOFS,
        requests: str = REQUESTS,
        files: str = FILES,
        *,
        tables: str = TABLES,
        drills: str = DRILLS,
        arrivals: str = "",
        guests: str = "",
        of_address: int = OF_ADDRESS,
        open_tables: int = OPEN_TABLES,
    ) -> None:
        """Allow so many of each; ``of_address`` is what one address may do, whoever asks, where no more is said."""
        self._proofs, self._requests, self._files = (Window(parse(each)) for each in (proofs, requests, files))
        self._arrivals = Window(parse(arrivals or f"{of_address}/second"))
        self._guests = Window(parse(guests or f"{of_address}/hour"))
        self._by_guest = {"tables": Window(parse(tables)), "drills": Window(parse(drills))}
        self._by_address = {kind: Window(parse(f"{of_address}/hour")) for kind in self._by_guest}
        self.open_tables, self.of_address = open_tables, of_address

    @property
    def windows(self) -> tuple[Window, ...]:
        """All windows, for those who measure them."""
        own = self._proofs, self._requests, self._files, self._arrivals, self._guests
        return (*own, *self._by_guest.values(), *self._by_address.values())

    def verify_proof(self, address: str) -> None:
        """Raise ``LimitedError`` where too many proofs have failed from an address."""
        self._verify(self._proofs.wait(network_of(address)), "too many attempts from this address")

    def proof_failed(self, address: str) -> None:
        """Count a proof that failed."""
        self._proofs.hit(network_of(address))

    def arrive(self, address: str) -> None:
        """Count a request of any kind; raise ``LimitedError`` where it is one too many from its address."""
        line = f"too many requests from this address: {self._arrivals.item} are answered"
        self._verify(self._arrivals.hit(network_of(address)), line)

    def request(self, who: str) -> None:
        """Count a request of a session, a guest or an address; raise ``LimitedError`` where it is one too many."""
        self._verify(self._requests.hit(who), f"too many requests: {self._requests.item} are answered")

    def file(self, guest: str, address: str) -> None:
        """Count a file that is asked for; raise ``LimitedError`` where it is one too many."""
        for who in (guest, network_of(address)):
            self._verify(self._files.hit(who), f"too many files: {self._files.item} are written")

    def guest(self, address: str) -> None:
        """Count a guest who is given a cookie; raise ``LimitedError`` where it is one too many from an address."""
        self._verify(self._guests.hit(network_of(address)), self._too_many_guests)

    def verify_guests(self, address: str) -> None:
        """Raise ``LimitedError`` where an address is given no more guests for now."""
        self._verify(self._guests.wait(network_of(address)), self._too_many_guests)

    @property
    def _too_many_guests(self) -> str:
        return f"too many new guests from this address: {self._guests.item} are let in to play"

    def table(self, guest: str, address: str) -> None:
        """Count a table that is opened; raise ``LimitedError`` where it is one too many of a guest or an address."""
        self._begin("tables", guest, address)

    def drill(self, guest: str, address: str) -> None:
        """Count a drill that is begun; raise ``LimitedError`` where it is one too many of a guest or an address."""
        self._begin("drills", guest, address)

    def _begin(self, kind: str, guest: str, address: str) -> None:
        for window, who in ((self._by_guest[kind], guest), (self._by_address[kind], network_of(address))):
            self._verify(window.hit(who), f"too many {kind}: {window.item} are opened for one guest or address")

    @staticmethod
    def _verify(seconds: float, line: str) -> None:
        """Raise ``LimitedError`` where somebody must wait."""
        if seconds:
            whole = max(1, ceil(seconds))
            raise LimitedError(f"{line}: wait {whole} s", whole)
