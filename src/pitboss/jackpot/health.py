"""The health of a progressive: ledger, incidents, clock and disk."""

import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import sqlalchemy as sa

from pitboss.core.errors import PitbossError, escape_unprintable
from pitboss.jackpot.controller import Controller
from pitboss.ledger.store import Store

MIN_FREE_BYTES = 256 * 2**20
MIN_FREE_SHARE = 0.05
"""A disk is full enough for an alarm below both: 256 MiB and 5 %."""

MAX_CLOCK_SECONDS = 2.0
"""How far this machine's clock may be from the database's, or behind the last entry."""


class Check(NamedTuple):
    """A check: whether it holds, and a line for operators (not for strangers)."""

    name: str
    holds: bool
    line: str


class HealthReport(NamedTuple):
    """The checks, and the figures from which they follow; seconds and bytes."""

    checks: tuple[Check, ...]
    entry_age_seconds: float = 0.0
    clock_offset_seconds: float = 0.0
    disk_free_bytes: int = -1
    disk_total_bytes: int = -1

    @property
    def is_ready(self) -> bool:
        """Whether every check holds."""
        return all(check.holds for check in self.checks)

    def to_dict(self) -> dict[str, Any]:
        """Return the report for JSON."""
        checks = [check._asdict() for check in self.checks]
        return {"ready": self.is_ready, **self._asdict(), "checks": checks}


def check_health(store: Store, controller: Controller, now: datetime | None = None) -> HealthReport:
    """Check ledger, incidents, clock and disk.

    It reads the new entries and one row; it waits for no writer.
    """
    moment, disk = now or datetime.now(UTC), _measure_disk(store)
    try:
        state = controller.refresh()
        with store.begin_read() as transaction:
            last = transaction.get_last_time()
            offset = _measure_clock(transaction.connection, now)
            waits = _waits_for_standby(transaction.connection)
    except PitbossError as error:
        return HealthReport((Check("ledger", holds=False, line=str(error)), _check_disk(*disk)), 0.0, 0.0, *disk)
    age = (moment - datetime.fromisoformat(last).astimezone(UTC)).total_seconds() if last else 0.0
    closed = [
        f"incident {number}: {escape_unprintable(each.text)}"
        for number, each in state.incidents.items()
        if not each.table
    ]
    checks = (
        Check("ledger", holds=False, line="PostgreSQL waits for a standby, and none follows it: no command is done")
        if waits
        else Check("ledger", holds=True, line=f"{state.entries:,} entries, the last {max(age, 0.0):,.0f} s ago"),
        Check("tables", holds=not closed, line="; ".join(closed) or "no incident closes all tables"),
        _check_clock(age, offset),
        _check_disk(*disk),
    )
    return HealthReport(checks, age, offset or min(age, 0.0), *disk)


def _measure_clock(connection: sa.Connection, now: datetime | None) -> float:
    """Return the seconds by which this machine's clock is ahead of the database's."""
    if connection.dialect.name != "postgresql":
        return 0.0  # it is this machine's
    theirs = connection.exec_driver_sql("SELECT clock_timestamp()").scalar_one()
    return float(((now or datetime.now(UTC)) - theirs).total_seconds())


def _waits_for_standby(connection: sa.Connection) -> bool:
    """Tell whether PostgreSQL confirms nothing, since no standby stores it.

    It then still answers requests to read.
    """
    if connection.dialect.name != "postgresql":
        return False
    wanted = connection.exec_driver_sql("SHOW synchronous_standby_names").scalar_one()
    following = connection.exec_driver_sql("SELECT count(*) FROM pg_stat_replication").scalar_one()
    return bool(wanted) and not following


def _check_clock(age: float, offset: float) -> Check:
    if age < -MAX_CLOCK_SECONDS:
        return Check("clock", holds=False, line=f"the clock is {-age:,.1f} s behind the last entry")
    if abs(offset) > MAX_CLOCK_SECONDS:
        return Check("clock", holds=False, line=f"the clock is {offset:+,.1f} s from the database's")
    return Check("clock", holds=True, line="the clock agrees with ledger and database")


def _measure_disk(store: Store) -> tuple[int, int]:
    """Return free and all bytes of an SQLite ledger's disk, -1 if it is elsewhere."""
    url = store.engine.url
    if url.get_backend_name() != "sqlite" or not url.database or url.database.startswith((":memory:", "file:")):
        return -1, -1
    try:
        usage = shutil.disk_usage(Path(url.database).parent)
    except OSError:
        return 0, 0
    return usage.free, usage.total


def _check_disk(free: int, total: int) -> Check:
    if free < 0:
        return Check("disk", holds=True, line="the database's disk is not on this machine")
    holds = free >= MIN_FREE_BYTES or free >= MIN_FREE_SHARE * total > 0
    return Check("disk", holds=holds, line=f"{free / 2**20:,.0f} MiB are free of {total / 2**20:,.0f}")
