"""News of tables: told to who listens, whenever it happened, and nothing kept of tables that nobody listens to."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from coroutines import run_alone
from pitboss.table.service import TableService
from pitboss.table.session import TableTerms, TakeSeat
from pitboss.web.registry import TableRegistry


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[TableRegistry]:
    """A floor without tables."""
    tables = TableService.connect(f"sqlite:///{tmp_path / 'tables.db'}", tmp_path / "key")
    made = TableRegistry(tables)
    yield made
    made.close()


def sit(floor: TableRegistry, table: str, seat: int) -> int:
    """Seat a guest, and return the sequence of the table."""
    now = floor.execute(table, TakeSeat(seat=seat, cents=10_000, name="Guest"), f"guest-{seat}", f"{table}-sit-{seat}")
    return now.snapshot.sequence


async def _news(floor: TableRegistry, table: str, since: int, *, seats: tuple[int, ...] = ()) -> list[str]:
    """Return what a page hears that was drawn at ``since``, until as many have sat down as ``seats`` tells."""
    stream, told = floor.stream_events(table, since), list[str]()
    assert (await anext(stream)).startswith("retry")
    for seat in (*seats, 0):
        async with asyncio.timeout(20):
            told.append(await anext(stream))
        if seat:
            await asyncio.to_thread(sit, floor, table, seat)
    await stream.aclose()
    return told


def news(floor: TableRegistry, table: str, since: int, *, seats: tuple[int, ...] = ()) -> list[str]:
    """Hear the news."""
    return run_alone(_news(floor, table, since, seats=seats))


def test_a_page_is_told_what_happened_before_it_listened_and_what_happens_then(floor: TableRegistry) -> None:
    table = floor.open_table(TableTerms(game="six-card"))
    first = sit(floor, table, 1)
    told = news(floor, table, first - 1, seats=(2,))
    assert told == [f"id: {each}\nevent: changed\ndata: {each}\n\n" for each in (first, first + 2)]


def test_a_page_is_told_what_another_process_has_written_before_it_listened(
    floor: TableRegistry, tmp_path: Path
) -> None:
    table = floor.open_table(TableTerms(game="six-card"))
    before = floor.get_session(table).snapshot.sequence
    other = TableService.connect(f"sqlite:///{tmp_path / 'tables.db'}", tmp_path / "key")
    other.execute(table, TakeSeat(seat=1, cents=10_000, name="Guest"), "guest", "sit")
    other.close()
    assert news(floor, table, before) == [f"id: {before + 2}\nevent: changed\ndata: {before + 2}\n\n"]


def test_nothing_is_kept_of_a_table_that_nobody_listens_to(floor: TableRegistry) -> None:
    tables = [floor.open_table(TableTerms(game=game)) for game in ("six-card", "lunar")]
    for table in tables:
        sit(floor, table, 1)
        news(floor, table, 0)
        sit(floor, table, 2)
    kept = {name: kept for name, kept in vars(floor).items() if isinstance(kept, dict)}
    assert kept
    assert not any(kept.values())
