"""The whole ledger is verified in the background; what fails closes it at once, for all, and after a restart."""

from datetime import UTC, datetime

import pytest

from jackpot.house import DEALER
from jackpot.lengthening import lengthen
from jackpot.test_service import Place, coin_in, place, unguarded
from pitboss.jackpot import audit, controller
from pitboss.jackpot.chain_verifier import ChainVerifier
from pitboss.jackpot.commands import CloseRound
from pitboss.jackpot.controller import Controller, get_utc_now
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.store import Store
from refusals import refusal
from waiting import wait_until

__all__ = ["place"]

FAILED = refusal("verification-failed")

DEEP = {
    "UPDATE entry SET actor = 'eve' WHERE sequence = 4": "UPDATE entry SET actor = 'dealer' WHERE sequence = 4",
    "UPDATE posting SET units = units + 1 WHERE entry = 5": "UPDATE posting SET units = units - 1 WHERE entry = 5",
    "UPDATE contribution SET wager_cents = 200 WHERE entry = 3": (
        "UPDATE contribution SET wager_cents = 100 WHERE entry = 3"
    ),
    "UPDATE checkpoint SET signature = 'x' || signature": "UPDATE checkpoint SET signature = substr(signature, 2)",
}
"""What is altered far from the end of a ledger, and how it is put right again."""


@pytest.fixture
def long_place(place: Place, monkeypatch: pytest.MonkeyPatch) -> Place:
    """A ledger that starts from a checkpoint, with older entries that no start looks at."""
    monkeypatch.setattr(controller, "CHECKPOINT_EVERY", 5)
    monkeypatch.setattr(audit, "NEWEST_ENTRIES", 3)
    lengthen(place.store, place.controller, 6)
    place.controller.verify()  # it writes a checkpoint
    lengthen(place.store, place.controller, 6, table=2)
    place.again()
    return place


@pytest.mark.parametrize("altered", DEEP)
def test_a_fault_far_back_closes_the_ledger_for_all_and_after_a_restart(long_place: Place, altered: str) -> None:
    other = long_place.again()
    if "checkpoint" not in altered:
        unguarded(long_place, altered)
        long_place.again().execute(coin_in(7), DEALER, "before-1")  # no start and no command sees it
    else:
        long_place.again().verify()
        unguarded(long_place, altered)
    verifier = ChainVerifier(long_place.controller, get_utc_now)
    verifier.verify()
    assert verifier.latest
    assert verifier.latest.fault
    for each in (long_place.controller, other):
        with pytest.raises(LedgerError, check=FAILED):
            each.refresh()
        with pytest.raises(LedgerError, check=FAILED):
            each.execute(coin_in(7, table=2), DEALER, "after-01")
    if "checkpoint" not in altered:
        restarted = long_place.again()
        with pytest.raises(LedgerError, check=FAILED):
            restarted.execute(coin_in(7, table=2), DEALER, "after-02")
        for _ in range(2):  # said once, not every hour
            with pytest.raises(LedgerError):
                restarted.verify()
    with long_place.store.begin_read() as transaction:
        count = transaction.connection.exec_driver_sql("SELECT count(*) FROM verification").scalar_one()
    assert count == 1
    unguarded(long_place, DEEP[altered])
    verifier.verify()  # what holds again is opened again
    assert not verifier.latest.fault
    for each in (long_place.controller, other, long_place.again()):
        each.refresh()
    assert other.execute(coin_in(7, table=2), DEALER, "after-03").events


def test_a_start_checks_the_chain_of_the_newest_entries_also_before_its_checkpoint(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    lengthen(place.store, place.controller, 6)
    monkeypatch.setattr(controller, "CHECKPOINT_EVERY", 5)
    place.again()
    unguarded(place, "UPDATE entry SET actor = 'eve' WHERE sequence = 6")
    for _ in range(2):
        with pytest.raises(LedgerError, check=refusal("chain-broken")):
            place.again()
    monkeypatch.setattr(audit, "NEWEST_ENTRIES", 3)
    place.again()  # it is one of the newest, or is not looked at


def test_what_does_not_hold_at_the_start_is_served_closed_until_it_holds(place: Place) -> None:
    lengthen(place.store, place.controller, 3)
    unguarded(place, "UPDATE entry SET actor = 'eve' WHERE sequence = 4")
    place.others.append(Store(place.url))
    closed = Controller(place.others[-1], place.signer, may_be_closed=True)
    with pytest.raises(LedgerError, check=FAILED):
        closed.refresh()
    with pytest.raises(LedgerError, check=FAILED):
        place.controller.refresh()  # the others are told
    unguarded(place, "UPDATE entry SET actor = 'dealer' WHERE sequence = 4")
    closed.verify()
    assert closed.refresh() == place.controller.refresh()


@pytest.mark.more
def test_a_ledger_that_grows_while_it_is_verified_holds(place: Place) -> None:
    """Pages, answers, balances and checkpoints are of one ledger, whoever writes meanwhile."""
    lengthen(place.store, place.controller, 700)
    played: list[int] = []

    def play() -> None:
        played.append(len(played) + 1)
        for number in range(60 * (len(played) - 1) + 1, 60 * len(played) + 1):
            place.controller.execute(coin_in(number, table=2), DEALER, f"open-{number:05}")
            place.controller.execute(CloseRound(table=2, round=number), DEALER, f"close-{number:05}")

    audited = place.controller.verify(after_page=play)
    assert played
    assert audited.state == place.controller.refresh()


def test_the_thread_verifies_at_once_and_again_and_ends(place: Place) -> None:
    times: list[int] = []

    def clock() -> datetime:
        times.append(1)
        return datetime.now(UTC)

    verifier = ChainVerifier(place.controller, clock, interval_seconds=0.01)
    verifier.start()
    wait_until(lambda: len(times) > 2)
    verifier.stop()
    assert verifier.latest
    assert (verifier.latest.fault, verifier.latest.entries) == ("", place.controller.state.entries)


def test_a_database_that_does_not_answer_is_no_fault(place: Place) -> None:
    def fail(*_arguments: object) -> None:
        raise LedgerError("it does not answer", code="database-unreachable")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Store, "begin_read", fail)
        verifier = ChainVerifier(place.controller, get_utc_now, interval_seconds=7.0)
        assert verifier.verify() == 7.0
        assert verifier.latest is None
    assert place.controller.find_fault() is None
