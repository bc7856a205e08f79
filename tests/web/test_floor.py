"""News of tables: told to who listens, whenever it happened, and nothing kept of tables that nobody listens to."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from coroutines import run_alone
from pitboss.table.service import Tables
from pitboss.table.sitting import Sit, Terms
from pitboss.web.floor import Floor


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[Floor]:
    """A floor without tables."""
    tables = Tables.made(f"sqlite:///{tmp_path / 'tables.db'}", tmp_path / "key")
    made = Floor(tables)
    yield made
    made.close()


def sit(floor: Floor, table: str, seat: int) -> int:
    """Seat a guest, and return the sequence of the table."""
    now = floor.do(table, Sit(seat=seat, cents=10_000, name="Guest"), f"guest-{seat}", f"{table}-sit-{seat}")
    return now.standing.sequence


async def _news(floor: Floor, table: str, since: int, *, seats: tuple[int, ...] = ()) -> list[str]:
    """Return what a page hears that was drawn at ``since``, until as many have sat down as ``seats`` tells."""
    stream, told = floor.stream(table, since), list[str]()
    assert (await anext(stream)).startswith("retry")
    for seat in (*seats, 0):
        async with asyncio.timeout(20):
            told.append(await anext(stream))
        if seat:
            await asyncio.to_thread(sit, floor, table, seat)
    await stream.aclose()
    return told


def news(floor: Floor, table: str, since: int, *, seats: tuple[int, ...] = ()) -> list[str]:
    """Hear the news."""
    return run_alone(_news(floor, table, since, seats=seats))


def test_a_page_is_told_what_happened_before_it_listened_and_what_happens_then(floor: Floor) -> None:
    table = floor.open(Terms(game="six-card"))
    first = sit(floor, table, 1)
    told = news(floor, table, first - 1, seats=(2,))
    assert told == [f"id: {each}\nevent: changed\ndata: {each}\n\n" for each in (first, first + 2)]


def test_a_page_is_told_what_another_process_has_written_before_it_listened(floor: Floor, tmp_path: Path) -> None:
    table = floor.open(Terms(game="six-card"))
    before = floor.sitting(table).standing.sequence
    other = Tables.made(f"sqlite:///{tmp_path / 'tables.db'}", tmp_path / "key")
    other.do(table, Sit(seat=1, cents=10_000, name="Guest"), "guest", "sit")
    other.close()
    assert news(floor, table, before) == [f"id: {before + 2}\nevent: changed\ndata: {before + 2}\n\n"]


def test_nothing_is_kept_of_a_table_that_nobody_listens_to(floor: Floor) -> None:
    tables = [floor.open(Terms(game=game)) for game in ("six-card", "lunar")]
    for table in tables:
        sit(floor, table, 1)
        news(floor, table, 0)
        sit(floor, table, 2)
    kept = {name: kept for name, kept in vars(floor).items() if isinstance(kept, dict)}
    assert kept
    assert not any(kept.values())
