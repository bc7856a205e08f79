"""Rate limits: sliding windows in this process, in bounded memory.

The address of a client is where its requests come from, or what a proxy names; for IPv6 it is the 56-bit network, which
one household may get (``get_network``).  The limit of failed logins per *account* (5 failures in 15 minutes) is stored
in the ledger's database instead, so that it also applies to the command line and survives a restart.
"""

import ipaddress
from collections import OrderedDict, deque
from collections.abc import Callable
from functools import lru_cache
from math import ceil
from threading import Lock
from time import monotonic
from typing import Literal

from limits import RateLimitItem, parse

from pitboss.web.errors import RateLimitError

FAILED_LOGINS = "20/15 minutes"
"""Failed logins from one address, until its names are held to their floors."""

FLOOR_OF_NAME = "2/15 minutes"
"""Failed logins of each name from an address with too many: guesses at others leave a person these attempts."""

FLOORS_OF_ADDRESS = "200/15 minutes"
"""Failed logins from one address in all: names can be invented."""

FAILED_RESTORES = "20/15 minutes"
"""Wrong restore codes of guests from one address."""

REQUESTS = "20/second"
"""Commands of one guest; requests of one session, or of one address without a session."""

TABLES_OPENED = "60/hour"
"""Tables opened by one guest."""

DRILLS_BEGUN = "60/hour"
"""Drills begun by one guest."""

PUZZLES_ANSWERED = "600/hour"
"""Puzzles answered by one guest: each answer is recorded."""

FILES = "20/minute"
"""Report files for one guest or one address: each takes a core for a second or more."""

PER_ADDRESS = 200
"""Limit of one address: requests per second; new guests, tables and drills per hour; open connections."""

OPEN_TABLES = 5
"""Open tables of one guest at a time."""

MAX_KEYS = 20_000
"""Keys (guests or addresses) that each window remembers; beyond that, the oldest is forgotten."""

IPV6_NETWORK_BITS = 56
"""The part of an IPv6 address that counts.

Providers are advised to give each home a /56 at least (RIPE-690, 4.2): 256 networks of 64 bits for one visitor.
"""

RecordedKind = Literal["tables", "drills", "puzzles"]
"""What a guest adds to the ledger without limit of time: opened tables, drills begun, and puzzles answered."""


@lru_cache(4_096)
def get_network(address: str) -> str:
    """Return the key under which an address is counted.

    >>> [get_network(address) for address in ("192.0.2.7", "2001:db8:1:2:3::4", "::ffff:192.0.2.7", "nowhere")]
    ['192.0.2.7', '2001:db8:1::', '192.0.2.7', 'nowhere']
    """
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address[:64]
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    if parsed.ipv4_mapped:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.IPv6Address(int(parsed) & -1 << 128 - IPV6_NETWORK_BITS))


def _pair(network: str, name: str) -> str:
    return f"{network} {name[:64]}"


class SlidingWindow:
    """A sliding window for many keys.

    It limits how often each key may count in any period of its length.
    """

    def __init__(self, item: RateLimitItem, max_keys: int = MAX_KEYS, clock: Callable[[], float] = monotonic) -> None:
        """Allow the rate ``item`` for each key; remember ``max_keys`` keys."""
        self.item = item
        self._seconds = item.get_expiry()
        self._max_keys, self._clock = max_keys, clock
        self._times: OrderedDict[str, deque[float]] = OrderedDict()  # the latest key last
        self._lock = Lock()

    def __len__(self) -> int:
        """Return the number of remembered keys."""
        return len(self._times)

    def get_wait(self, key: str) -> float:
        """Return how many seconds a key must wait, 0 if it may count now."""
        with self._lock:
            return self._compute_wait(key, self._clock())

    def count(self, key: str) -> float:
        """Count one and return 0, or return the seconds to wait.

        If one more would be too many, nothing is counted.
        """
        with self._lock:
            now = self._clock()
            seconds = self._compute_wait(key, now)
            if not seconds:
                self._times.setdefault(key, deque()).append(now)
                self._times.move_to_end(key)
                self._forget_expired(now)
            return seconds

    def _compute_wait(self, key: str, now: float) -> float:
        times = self._times.get(key)
        while times and times[0] <= now - self._seconds:
            times.popleft()
        return times[0] + self._seconds - now if times and len(times) >= self.item.amount else 0.0

    def _forget_expired(self, now: float) -> None:
        """Forget expired keys, and the oldest if there are too many.

        At most two are forgotten for each count.
        """
        for _ in range(2):
            oldest = next(iter(self._times.values()))
            if len(self._times) > self._max_keys or not oldest or oldest[-1] <= now - self._seconds:
                self._times.popitem(last=False)
            if not self._times:
                return


class RateLimits:
    """The rate limits of one process."""

    def __init__(
        self,
        failed_logins: str = FAILED_LOGINS,
        requests: str = REQUESTS,
        files: str = FILES,
        *,
        tables: str = TABLES_OPENED,
        drills: str = DRILLS_BEGUN,
        arrivals: str = "",
        guests: str = "",
        per_address: int = PER_ADDRESS,
        open_tables: int = OPEN_TABLES,
    ) -> None:
        """Set the limits.

        ``per_address`` is the default for everything counted by address.
        """
        self._failed_logins, self._requests, self._files = (
            SlidingWindow(parse(each)) for each in (failed_logins, requests, files)
        )
        self._restores = SlidingWindow(parse(FAILED_RESTORES))
        self._arrivals = SlidingWindow(parse(arrivals or f"{per_address}/second"))
        self._name_floors, self._address_floors = (
            SlidingWindow(parse(each)) for each in (FLOOR_OF_NAME, FLOORS_OF_ADDRESS)
        )
        self._guests = SlidingWindow(parse(guests or f"{per_address}/hour"))
        by_guest: dict[RecordedKind, str] = {"tables": tables, "drills": drills, "puzzles": PUZZLES_ANSWERED}
        self._by_guest = {kind: SlidingWindow(parse(limit)) for kind, limit in by_guest.items()}
        self._by_address = {kind: SlidingWindow(parse(f"{per_address}/hour")) for kind in self._by_guest}
        self._by_address["puzzles"] = SlidingWindow(parse(f"{10 * per_address}/hour"))
        self.open_tables, self.per_address = open_tables, per_address

    def verify_logins(self, address: str, name: str) -> None:
        """Check that a name may try to log in from an address.

        Raises:
            RateLimitError: too many logins failed there, also of this name.
        """
        network = get_network(address)
        if self._failed_logins.get_wait(network):
            waits = self._name_floors.get_wait(_pair(network, name)), self._address_floors.get_wait(network)
            self._verify_wait(max(waits), "too many attempts from this address")

    def count_failed_login(self, address: str, name: str) -> None:
        """Count a failed login of a name from an address."""
        network = get_network(address)
        self._name_floors.count(_pair(network, name))
        for window in (self._failed_logins, self._address_floors):
            window.count(network)

    def verify_restores(self, address: str) -> None:
        """Raise ``RateLimitError`` if too many restore codes were wrong."""
        self._verify_wait(
            self._restores.get_wait(get_network(address)), "too many wrong restore codes from this address"
        )

    def count_failed_restore(self, address: str) -> None:
        """Count a wrong restore code from an address."""
        self._restores.count(get_network(address))

    def count_arrival(self, address: str) -> None:
        """Count a request of any kind.

        Raises:
            RateLimitError: its address sent too many.
        """
        line = f"too many requests from this address: the limit is {self._arrivals.item}"
        self._verify_wait(self._arrivals.count(get_network(address)), line)

    def count_request(self, client: str) -> None:
        """Count a request of a session, a guest or an address.

        Raises:
            RateLimitError: it is too many.
        """
        self._verify_wait(self._requests.count(client), f"too many requests: the limit is {self._requests.item}")

    def count_file(self, guest: str, address: str) -> None:
        """Count a requested file; raise ``RateLimitError`` if it is too many."""
        for who in (guest, get_network(address)):
            self._verify_wait(self._files.count(who), f"too many downloads: the limit is {self._files.item}")

    def count_guest(self, address: str) -> None:
        """Count a new guest; raise ``RateLimitError`` if the address has too many."""
        self._verify_wait(self._guests.count(get_network(address)), self._too_many_guests)

    def verify_guests(self, address: str) -> None:
        """Raise ``RateLimitError`` if an address has too many new guests."""
        self._verify_wait(self._guests.get_wait(get_network(address)), self._too_many_guests)

    @property
    def _too_many_guests(self) -> str:
        return f"too many new guests from this address: the limit is {self._guests.item}"

    def count_recorded(self, kind: RecordedKind, guest: str, address: str) -> None:
        """Count an opened table, a new drill, or an answered puzzle.

        Raises:
            RateLimitError: the guest or the address has too many of this kind.
        """
        for window, who in ((self._by_guest[kind], guest), (self._by_address[kind], get_network(address))):
            self._verify_wait(window.count(who), f"too many {kind}: the limit is {window.item} for a guest or address")

    @staticmethod
    def _verify_wait(seconds: float, message: str) -> None:
        """Raise ``RateLimitError`` if ``seconds`` is not 0."""
        if seconds:
            whole_seconds = max(1, ceil(seconds))
            raise RateLimitError(
                f"{message}: wait {whole_seconds} s",
                whole_seconds,
                code="too-many-requests",
                whole_seconds=whole_seconds,
            )
