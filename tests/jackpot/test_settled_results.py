"""Results of a progressive: wagers of rounds that have ended, and confirmed hits, by table and gaming day."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from jackpot.house import DEALER, EXECUTIVE, SECOND_EXECUTIVE, SUPERVISOR, settings
from monitored import load_known_bet
from pitboss.core.errors import MonitorError
from pitboss.jackpot.commands import (
    ApproveRequest,
    CancelHit,
    CloseRound,
    ConfirmAward,
    EnterHit,
    OpenRound,
    ProgressiveCommand,
    RequestBackOut,
)
from pitboss.jackpot.controller import Controller
from pitboss.jackpot.events import BackOut, ProgressiveWager
from pitboss.jackpot.roles import Actor
from pitboss.jackpot.settled_results import collect_progressive_results
from pitboss.ledger.signing import Signer
from pitboss.ledger.store import Store
from refusals import refusal

PROGRESSIVE = load_known_bet("six-card", "progressive")


class Diary:
    """A progressive whose clock is set by the test."""

    def __init__(self, folder: Path) -> None:
        self.now, self.sent = datetime(2026, 10, 1, 12, tzinfo=UTC), 0
        self.store = Store.open_or_create(f"sqlite:///{folder / 'jackpot.db'}")
        self.controller = Controller(self.store, Signer.load_or_create(folder / "key"), lambda: self.now)
        self.controller.create(settings(tables=2), EXECUTIVE.name)

    def give(self, command: ProgressiveCommand, actor: Actor = DEALER) -> None:
        """Give a command."""
        self.sent += 1
        self.controller.execute(command, actor, f"command-{self.sent}")

    def round(self, table: int, number: int, *seats: int) -> None:
        """Open a round."""
        wagers = tuple(ProgressiveWager(seat=seat, cents=100) for seat in seats)
        self.give(OpenRound(table=table, round=number, wagers=wagers))


@pytest.fixture
def diary(tmp_path: Path) -> Diary:
    """Return a progressive of two tables."""
    return Diary(tmp_path)


def test_wagers_and_confirmed_hits_are_counted_by_table_and_day(diary: Diary) -> None:
    diary.round(1, 1, 1, 2, 3)
    diary.give(EnterHit(table=1, round=1, seat=2, hand="flush"))
    diary.give(EnterHit(table=1, round=1, seat=3, hand="straight"))
    diary.give(CancelHit(award=2))
    diary.give(ConfirmAward(award=1), SUPERVISOR)
    diary.give(CloseRound(table=1, round=1))
    diary.now += timedelta(days=1)
    diary.round(1, 2, 1, 2)
    diary.round(2, 1, 5)
    diary.give(EnterHit(table=2, round=1, seat=5, hand="full-house"))
    diary.give(ConfirmAward(award=3), SUPERVISOR)
    diary.give(CloseRound(table=1, round=2))
    rows = collect_progressive_results(diary.store, settings(), PROGRESSIVE)
    shown = [(row.table, row.period, row.rounds, row.staked_cents, row.returned_cents) for row in rows]
    assert shown == [("1", "2026-10-01", 3, 300, 1_500), ("1", "2026-10-02", 2, 200, 0)]  # round 1 of table 2 goes on
    assert [{name: count for name, count in row.counts.items() if count} for row in rows] == [{"flush": 1}, {}]
    diary.give(CloseRound(table=2, round=1))
    last = collect_progressive_results(diary.store, settings(), PROGRESSIVE)[-1]
    assert (last.table, last.rounds, last.counts["full-house"]) == ("2", 1, 1)


def test_an_award_that_two_people_backed_out_is_no_hit(diary: Diary) -> None:
    diary.round(1, 1, 1)
    diary.give(EnterHit(table=1, round=1, seat=1, hand="flush"))
    diary.give(ConfirmAward(award=1), SUPERVISOR)
    diary.give(CloseRound(table=1, round=1))
    diary.give(RequestBackOut(change=BackOut(award=1, text="wrong hand")), EXECUTIVE)
    diary.give(ApproveRequest(request=1), SECOND_EXECUTIVE)
    (row,) = collect_progressive_results(diary.store, settings(), PROGRESSIVE)
    assert (row.rounds, row.returned_cents, sum(row.counts.values())) == (1, 0, 0)


def test_another_bet_is_refused(diary: Diary) -> None:
    with pytest.raises(MonitorError, check=refusal("other-bet", bet="aces-up")):
        collect_progressive_results(diary.store, settings(), load_known_bet("six-card", "aces-up"))
