"""The record beyond what is kept in memory: the last hit, its page, its reprint and its keys are like the first's."""

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from jackpot.house import DEALER, EXECUTIVE, SECOND_EXECUTIVE, SUPERVISOR, settings
from jackpot.test_service import Place, unguarded
from ledger.databases import DATABASES, empty_ledger
from pitboss.jackpot import replay
from pitboss.jackpot.command_execution import CommandOutcome
from pitboss.jackpot.commands import (
    ApproveRequest,
    CancelHit,
    CloseRound,
    ConfirmAward,
    EnterHit,
    OpenRound,
    PayAward,
    ProgressiveCommand,
    ReprintWinPage,
    RequestAdjustment,
    RequestBackOut,
)
from pitboss.jackpot.controller import Controller
from pitboss.jackpot.errors import RefusalError
from pitboss.jackpot.events import Adjustment, BackOut, RoundEnded
from pitboss.jackpot.roles import Actor
from pitboss.ledger.signing import Signer
from pitboss.ledger.store import Store
from refusals import refusal

WINDOW = 5
NUMBERS = itertools.count(1)


class Book(NamedTuple):
    """A progressive and how to open it again."""

    store: Store
    signer: Signer
    controller: Controller

    def do(self, command: ProgressiveCommand, actor: Actor, key: str) -> CommandOutcome:
        """Execute a command."""
        return self.controller.execute(command, actor, key)

    def round(self, number: int) -> list[CommandOutcome]:
        """Play a round with one hit, whose award has the number of the round."""
        steps: tuple[tuple[ProgressiveCommand, Actor], ...] = (
            (OpenRound(table=1, seats=(1, 4)), DEALER),
            (EnterHit(table=1, seat=4, hand="flush"), DEALER),
            (ConfirmAward(award=number), SUPERVISOR),
            (PayAward(award=number), DEALER),
            (CloseRound(table=1), DEALER),
        )
        return [self.do(command, actor, f"{command.kind}-{number:06}") for command, actor in steps]

    def refusal_of(self, command: ProgressiveCommand, actor: Actor) -> tuple[str, object]:
        """Give a command that must be refused; return its code and the step that it names."""
        with pytest.raises(RefusalError) as caught:
            self.do(command, actor, f"{command.kind}-refused-{next(NUMBERS)}")
        return caught.value.code, caught.value.fields.get("step")


def test_the_page_that_a_payment_prints_is_a_reprint_but_not_void(book: Book) -> None:
    for command, actor in (
        (OpenRound(table=1, seats=(4,)), DEALER),
        (EnterHit(table=1, seat=4, hand="flush"), DEALER),
        (ConfirmAward(award=1), SUPERVISOR),
    ):
        book.do(command, actor, f"{command.kind}-000001")
    pages = [book.do(PayAward(award=1, prints=True), DEALER, "pay-000001").win_page for _ in range(2)]
    pages.append(book.do(ReprintWinPage(award=1), SUPERVISOR, "reprint-000001").win_page)
    assert [page and page.mark for page in pages] == [
        "REPRINT, print 2 of award 1: PRINTED AT ITS PAYMENT",
        "REPRINT, print 2 of award 1: PRINTED AT ITS PAYMENT",
        "REPRINT, print 3 of award 1: NOT FOR PAYMENT",
    ]


@pytest.fixture(params=DATABASES)
def book(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Book]:
    """A progressive of two tables."""
    store, signer = Store(empty_ledger(request.param, tmp_path)), Signer.load_or_create(tmp_path / "key")
    controller = Controller(store, signer)
    controller.create(settings(tables=2), EXECUTIVE.name)
    yield Book(store, signer, controller)
    store.close()


def all_awards_are_alike(book: Book, count: int) -> None:
    """Play rounds; then ask of the first award and the last all that can be asked of an award."""
    answers = {number: book.round(number) for number in range(1, count + 1)}
    assert len(book.controller.state.hits) <= replay.MAX_FINISHED_HITS + 1
    last = [hit.owed.award for hit in book.controller.list_last_hits()]
    assert last == list(range(max(1, count - 24), count + 1))
    assert [hit.owed.award for hit in book.controller.list_last_hits(before=3)] == [1, 2]
    for number in (1, count // 2, count):
        for first, again in zip(answers[number], book.round(number), strict=True):
            assert again.is_repeat
            assert (again.events, again.display_cents, again.win_page) == (
                first.events,
                first.display_cents,
                first.win_page,
            )
        assert book.refusal_of(PayAward(award=number), DEALER) == ("award-not-confirmed", "paid")
        assert book.refusal_of(ConfirmAward(award=number), SUPERVISOR) == ("award-not-pending", "paid")
        assert book.refusal_of(CancelHit(award=number), DEALER) == ("award-not-pending", "paid")
        out = RequestBackOut(change=BackOut(award=number, text="misread"))
        assert book.refusal_of(out, SUPERVISOR) == ("award-not-confirmed", "paid")
        printed = answers[number][2].win_page
        assert printed
        for copy in (2, 3):
            page = book.do(ReprintWinPage(award=number), SUPERVISOR, f"reprint-{number}-{copy}").win_page
            assert page
            assert page.mark == f"REPRINT, print {copy} of award {number}: NOT FOR PAYMENT"
            assert page.lines[:9] == printed.lines[:9]
            assert book.do(ReprintWinPage(award=number), SUPERVISOR, f"reprint-{number}-{copy}").win_page == page
        change = Adjustment(account="meter", cents=100, reason="award", text="as agreed", award=number)
        book.do(RequestAdjustment(change=change), EXECUTIVE, f"adjust-{number}")
        request = book.controller.state.last_request
        book.do(ApproveRequest(request=request), SECOND_EXECUTIVE, f"approve-{number}")
    assert book.refusal_of(PayAward(award=count + 1), DEALER) == ("unknown-award", None)
    restarted = Controller(book.store, book.signer)
    assert restarted.state == book.controller.state
    assert restarted.verify().state == restarted.state


@pytest.mark.more
def test_awards_that_the_state_has_forgotten_are_like_any_other(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay, "MAX_FINISHED_HITS", WINDOW)
    all_awards_are_alike(book, 6 * WINDOW)


@pytest.mark.long
def test_the_ten_thousandth_award_is_like_the_first(book: Book) -> None:
    all_awards_are_alike(book, 10_000)


def test_cancelled_hands_hide_no_hit_and_lose_no_envy(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay, "MAX_FINISHED_HITS", WINDOW)
    book.do(OpenRound(table=1, seats=(1, 4)), DEALER, "open-1")
    book.do(EnterHit(table=1, seat=4, hand="straight-flush"), DEALER, "hit-1")
    book.do(ConfirmAward(award=1), SUPERVISOR, "confirm-1")
    book.do(PayAward(award=1), DEALER, "pay-1")
    for number in range(4 * WINDOW):
        book.do(EnterHit(table=1, seat=1, hand="flush"), DEALER, f"press-{number}")
    assert [hit.owed.award for hit in book.controller.list_last_hits()] == [1]
    with pytest.raises(RefusalError, check=refusal("hit-entered", seat=4, award=1, step="paid")):
        book.do(EnterHit(table=1, seat=4, hand="flush"), DEALER, "hit-again")
    (ended,) = book.do(CloseRound(table=1), DEALER, "close-1").events
    assert isinstance(ended, RoundEnded)
    assert [(envy.seat, envy.cents) for envy in ended.envy] == [(1, 1_000)]
    assert len(book.controller.state.hits) <= WINDOW + 2


def test_records_are_made_for_a_ledger_that_has_none(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay, "MAX_FINISHED_HITS", WINDOW)
    for number in range(1, 3 * WINDOW):
        book.round(number)
    place = Place(str(book.store.engine.url), book.store, book.signer, book.controller, [])
    unguarded(place, "DELETE FROM award_record")  # as a ledger is that was written before there were records
    again = Controller(book.store, book.signer)
    assert [hit.owed.award for hit in again.list_last_hits()] == list(range(1, 3 * WINDOW))
    page = again.execute(ReprintWinPage(award=1), SUPERVISOR, "reprint-1").win_page
    assert page
    assert page.mark.startswith("REPRINT, print 2")
    again.verify()
