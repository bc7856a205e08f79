"""A database that hangs closes the ledger for all callers at once, and the ledger opens again by itself."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from ledger.databases import DATABASES
from ledger.hanging import lock_kept, stopped
from pitboss.ledger import availability, database
from pitboss.ledger import postgresql as limits
from pitboss.ledger.availability import HANG_SECONDS, PROBE_INTERVAL_SECONDS, Availability
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.schema import session
from pitboss.ledger.store import Store, Transaction
from refusals import refusal
from waiting import wait_until

ANSWER_WITHIN_SECONDS = 5
UNREACHABLE = refusal("database-unreachable")


class Doubtful:
    """A database whose calls take as long and end as a test says; time is counted, not spent."""

    def __init__(self) -> None:
        self.now = 0.0
        self.probes: list[bool] = []
        self.is_up = True
        self.availability = Availability(self._probe, lambda: self.now)

    def _probe(self, *, writes: bool) -> None:
        self.probes.append(writes)
        if not self.is_up:
            raise LedgerError("it hangs", code="database-unreachable")

    def call(self, seconds: float, *, writes: bool = False, fails: bool = True) -> None:
        """Make a call that takes seconds."""
        with self.availability.call(writes=writes):
            self.now += seconds
            if fails:
                raise sa.exc.OperationalError("a call", {}, Exception("it hangs"))


def test_a_call_that_fails_after_a_wait_closes_the_ledger_for_all_until_a_probe_succeeds() -> None:
    doubtful = Doubtful()
    with pytest.raises(LedgerError, check=UNREACHABLE):
        doubtful.call(HANG_SECONDS)
    with pytest.raises(LedgerError, check=UNREACHABLE):
        doubtful.call(0, fails=False)  # refused without a wait
    assert doubtful.probes == []
    doubtful.now += PROBE_INTERVAL_SECONDS
    doubtful.is_up = False
    for _ in range(3):
        with pytest.raises(LedgerError, check=UNREACHABLE):
            doubtful.call(0, fails=False)
    assert doubtful.probes == [False]  # one of them
    doubtful.now += PROBE_INTERVAL_SECONDS
    doubtful.is_up = True
    doubtful.call(0, fails=False)
    assert doubtful.probes == [False, False]
    assert doubtful.availability.refusal is None


def test_a_call_that_fails_at_once_closes_nothing() -> None:
    doubtful = Doubtful()
    for _ in range(3):
        with pytest.raises(LedgerError, check=UNREACHABLE):
            doubtful.call(HANG_SECONDS / 2)
    doubtful.call(10 * HANG_SECONDS, fails=False)  # nor does one that is slow and answers
    assert doubtful.probes == []


def test_a_lock_that_hangs_writers_is_probed_by_writing() -> None:
    doubtful = Doubtful()
    with pytest.raises(LedgerError, check=UNREACHABLE):
        doubtful.call(HANG_SECONDS, writes=True)
    doubtful.now += PROBE_INTERVAL_SECONDS
    doubtful.is_up = False
    with pytest.raises(LedgerError, check=UNREACHABLE):
        doubtful.call(0, fails=False)
    doubtful.now += PROBE_INTERVAL_SECONDS
    doubtful.is_up = True
    doubtful.call(0, fails=False)
    assert doubtful.probes == [True, True]


def test_the_limits_add_up_to_less_than_the_time_for_an_answer() -> None:
    """A call gives up at the latest after the wait for one answer, or for a connection begun in time."""
    assert limits.ANSWER_SECONDS < ANSWER_WITHIN_SECONDS
    assert limits.OPERATION_SECONDS < ANSWER_WITHIN_SECONDS  # no connection is waited for beyond this
    assert limits.CONNECT_SECONDS < limits.OPERATION_SECONDS
    in_server = {name: int(each) / 1_000 for name, each in limits.SERVER_SETTINGS.items()}
    assert in_server["lock_timeout"] < in_server["statement_timeout"] < limits.ANSWER_SECONDS
    assert database.POOL_SECONDS + limits.CONNECT_SECONDS < ANSWER_WITHIN_SECONDS
    assert database.BUSY_MILLISECONDS / 1_000 < ANSWER_WITHIN_SECONDS


def read(store: Store) -> int:
    """Read something."""
    with store.begin_read() as transaction:
        return transaction.get_head().sequence


def write(store: Store, token: str) -> None:
    """Write something."""
    row = {"token": token, "name": "ann", "began": 1, "used": 1}
    store.run_write(lambda transaction: transaction.connection.execute(sa.insert(session), row))


def opens_again(store: Store) -> None:
    """Wait until the ledger answers, by itself."""
    wait_until(lambda: is_open(store))


def is_open(store: Store) -> bool:
    """Return whether the ledger answers."""
    try:
        read(store)
    except LedgerError:
        return False
    return True


HANGS = {"sqlite": ["lock"], "postgresql": ["lock", "stop"]}


@pytest.fixture(params=[(kind, hang) for kind, hangs in HANGS.items() for hang in hangs], ids="-".join)
def hanging(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Store, AbstractContextManager[None]]]:
    """A ledger, and how its database hangs."""
    kind, hang = request.param
    monkeypatch.setattr(database, "BUSY_MILLISECONDS", 1_200)
    monkeypatch.setattr(availability, "PROBE_INTERVAL_SECONDS", 0.2)
    url = DATABASES[kind](tmp_path)
    with closing(Store.open_or_create(url)) as store:
        yield store, stopped() if hang == "stop" else lock_kept(url)


@pytest.mark.more
def test_a_database_that_hangs_is_given_up_and_found_again(
    hanging: tuple[Store, AbstractContextManager[None]],
) -> None:
    store, hangs = hanging
    write(store, "before")
    with hangs:
        with ThreadPoolExecutor(30) as crew:  # more than there are connections
            refused = [crew.submit(write, store, f"token{number}") for number in range(30)]
            for each in refused:
                with pytest.raises(LedgerError, check=UNREACHABLE):
                    each.result()
        assert not is_open(store)  # readers are told, too: the tables are closed
        with pytest.raises(LedgerError, check=UNREACHABLE):
            write(store, "refused")
    opens_again(store)
    write(store, "after")
    assert store.availability.refusal is None
    with store.begin_read() as transaction:
        tokens = set(transaction.connection.execute(sa.select(session.c.token)).scalars())
    assert {"before", "after"} <= tokens
    assert "refused" not in tokens


@pytest.mark.more
def test_what_is_no_longer_the_same_ledger_stays_closed(
    hanging: tuple[Store, AbstractContextManager[None]],
) -> None:
    store, hangs = hanging
    answers: list[LedgerError] = [LedgerError("it was cut", code="entry-missing")]

    def check(_transaction: Transaction) -> None:
        for each in answers:
            raise each

    store.add_reopening_check(check)
    with hangs, pytest.raises(LedgerError, check=UNREACHABLE):
        write(store, "token")
    assert store.availability.refusal

    def is_checked() -> bool:
        with pytest.raises(LedgerError) as found:
            read(store)
        return found.value.code == "entry-missing"

    wait_until(is_checked)
    answers.clear()
    opens_again(store)
