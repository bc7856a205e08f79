"""Gaming days: they begin at a stated hour of a named time zone.

A gaming day has the date on which it begins.  It has 23 or 25 hours where the clocks change in it.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from pitboss.core.errors import quote
from pitboss.jackpot.errors import RefusalError

DAY_FORM = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}")
"""How a day is written everywhere; ``date.fromisoformat`` takes other forms too, such as 2026-W47-6."""

MOST_DAYS = 400
"""The most gaming days of one report: a year and what overlaps."""


def load_zone(name: str) -> ZoneInfo:
    """Return a time zone by its name.

    Raises:
        RefusalError: it is not known here.
    """
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, LookupError):
        raise RefusalError(
            f"{quote(name)} is not a time zone: write its name, for example America/New_York",
            code="unknown-time-zone",
            zone=name,
        ) from None


def parse_day(text: str) -> date:
    """Parse a day such as 2026-11-21.

    Raises:
        RefusalError: it is not a day.
    """
    with suppress(ValueError):
        if DAY_FORM.fullmatch(text):
            return date.fromisoformat(text)
    raise RefusalError(
        f"{quote(text)} is not a day: write it as YYYY-MM-DD, for example 2026-11-21", code="invalid-day", day=text
    )


class DayBounds(NamedTuple):
    """When a gaming day begins (included) and ends (excluded), in UTC as in entries."""

    begins: str
    ends: str


class GamingDayClock(NamedTuple):
    """The time zone of gaming days, and the hour at which they begin there."""

    zone: ZoneInfo
    hour: int = 0

    def find_day(self, moment: datetime) -> date:
        """Return the gaming day of a moment, which knows its own zone.

        >>> GamingDayClock(ZoneInfo("UTC"), 6).find_day(datetime(2026, 11, 21, 5, 59, tzinfo=UTC)).isoformat()
        '2026-11-20'
        """
        day = moment.astimezone(self.zone).date()
        return day if moment >= self.find_beginning(day) else day - timedelta(days=1)

    def verify_begun(self, day: date, now: datetime) -> date:
        """Return a gaming day if it has begun: a later one has no entries yet.

        Raises:
            RefusalError: it has not begun, or is outside the calendar.
        """
        if self.find_beginning(day) > now:
            raise RefusalError(
                f"{day.isoformat()} has not begun: today is {self.find_day(now).isoformat()}",
                code="day-not-begun",
                day=day.isoformat(),
            )
        return day

    def find_beginning(self, day: date) -> datetime:
        """Return when a gaming day begins, in UTC.

        An hour that comes twice counts the first time; one that is left out is when the next one begins.

        Raises:
            RefusalError: the day is too early for the calendar.
        """
        try:
            return datetime.combine(day, time(self.hour), self.zone).astimezone(UTC)
        except OverflowError:
            raise _refuse_day(day) from None

    def find_end(self, day: date) -> datetime:
        """Return when a gaming day ends, in UTC: when the next one begins.

        Raises:
            RefusalError: the day is too late for the calendar.
        """
        try:
            return self.find_beginning(day + timedelta(days=1))
        except (OverflowError, RefusalError):
            raise _refuse_day(day) from None

    def get_bounds(self, day: date) -> DayBounds:
        """Return when a gaming day begins and ends, as entries write times.

        Raises:
            RefusalError: the day is outside the calendar.
        """
        return DayBounds(_write_time(self.find_beginning(day)), _write_time(self.find_end(day)))

    def count_hours(self, day: date) -> int:
        """Return the hours of a gaming day: 24, or 23 or 25 where the clocks change.

        >>> clock = GamingDayClock(ZoneInfo("America/New_York"))
        >>> [clock.count_hours(date(2026, *day)) for day in ((3, 7), (3, 8), (11, 1))]
        [24, 23, 25]
        """
        return round((self.find_end(day) - self.find_beginning(day)) / timedelta(hours=1))


def _refuse_day(day: date) -> RefusalError:
    text = day.isoformat()
    return RefusalError(f"{text} is outside the calendar of gaming days", code="invalid-day", day=text)


def _write_time(moment: datetime) -> str:
    return moment.isoformat(timespec="microseconds")


def iter_days(first: date, last: date) -> Iterator[date]:
    """Yield the days from one to another.

    Raises:
        RefusalError: they are not in order, or too many.
    """
    count = (last - first).days + 1
    if not 1 <= count <= MOST_DAYS:
        raise RefusalError(
            f"{first} to {last} is {count} days: give 1 to {MOST_DAYS} days at once", code="too-many-days", days=count
        )
    return (first + timedelta(days=number) for number in range(count))
