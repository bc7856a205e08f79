"""When a puzzle is due again, and the record that it follows from."""

from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from pitboss.table.service import TableService
from pitboss.table.training.puzzle_records import (
    MAX_BOX,
    DatedAnswer,
    PuzzleAnswer,
    PuzzleRecords,
    choose_daily,
    schedule_puzzles,
)

DAY = date(2026, 11, 1)


def answer(cost: str = "0", address: str = "game=six-card") -> PuzzleAnswer:
    """Return an answer with a cost."""
    return PuzzleAnswer(address=address, game="six-card", source="theme", theme="Draws", chosen="play", cost=cost)


def test_a_right_answer_in_time_doubles_the_days_to_a_last_box() -> None:
    given, day, waits = list[DatedAnswer](), DAY, list[int]()
    for _ in range(MAX_BOX + 2):
        given.append(DatedAnswer(day, answer()))
        due = schedule_puzzles(given)["game=six-card"].due
        waits.append((due - day).days)
        day = due
    assert waits == [1, 2, 4, 8, 16, 32, 64, 64, 64]


def test_a_wrong_answer_goes_back_to_the_first_box_and_an_early_right_one_changes_nothing() -> None:
    given = [DatedAnswer(DAY, answer()), DatedAnswer(DAY + timedelta(1), answer())]
    before = schedule_puzzles(given)["game=six-card"]
    assert (before.box, before.due) == (2, DAY + timedelta(3))
    early = [*given, DatedAnswer(DAY + timedelta(2), answer())]
    assert schedule_puzzles(early)["game=six-card"] == before
    wrong = schedule_puzzles([*early, DatedAnswer(DAY + timedelta(2), answer("1/3"))])["game=six-card"]
    assert (wrong.box, wrong.due) == (1, DAY + timedelta(3))
    assert schedule_puzzles([]) == {}


def test_answers_are_kept_in_order_for_each_guest_and_over_a_start(tmp_path: Path) -> None:
    url, key = f"sqlite:///{tmp_path / 'tables.db'}", tmp_path / "key"
    tables = TableService.connect(url, key)
    records, at = PuzzleRecords(tables.store), int(datetime(2026, 11, 1, 23, 59, tzinfo=UTC).timestamp())
    records.record_answer("guest-ann", answer(), at)
    records.record_answer("guest-bob", answer("1/2"), at)
    records.record_answer("guest-ann", answer("2/3", "game=lunar"), at + 60)
    tables.close()
    again = TableService.connect(url, key)  # a ledger with no table yet
    given = PuzzleRecords(again.store).list_answers("guest-ann")
    assert given == [DatedAnswer(DAY, answer()), DatedAnswer(DAY + timedelta(1), answer("2/3", "game=lunar"))]
    assert [each.answer.is_right for each in given] == [True, False]
    assert PuzzleRecords(again.store).list_answers("guest-eve") == []
    again.verify()
    again.close()


@pytest.mark.parametrize("count", [1, 9])
def test_every_kind_has_its_days(count: int) -> None:
    chosen = [choose_daily(DAY + timedelta(day), count) for day in range(200)]
    assert set(chosen) == set(range(count))
    assert chosen == [choose_daily(DAY + timedelta(day), count) for day in range(200)]
