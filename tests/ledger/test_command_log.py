"""The command log by itself: first answers, refusals, and commands that wait together."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from pitboss.core.errors import IllegalActionError, WagerError
from pitboss.ledger.chain import EntryDraft
from pitboss.ledger.command_log import CommandEffect, CommandLog, LoggedCommand
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.store import Store, Transaction
from refusals import refusal
from waiting import PATIENT_SECONDS, wait_until


class ForbiddenActionError(IllegalActionError):
    """A command that this person may not give."""


class Tally:
    """A number by subject that commands add to, and how often the store was written."""

    def __init__(self, store: Store, patch: pytest.MonkeyPatch) -> None:
        self.store, self.kept, self.writes, self.hold = store, dict[str, int](), 0, Event()
        self.log: CommandLog[int] = CommandLog(
            store,
            lambda _transaction, subject, fresh: self.kept.get(subject, 0) if fresh is None else fresh,
            self.kept.__setitem__,
            lambda: "now",
            refused=IllegalActionError,
            forbidden=ForbiddenActionError,
        )
        write = store.run_write

        def counted(work: Any) -> Any:
            self.writes += 1
            return write(work)

        patch.setattr(store, "run_write", counted)

    def add(self, number: int, key: str, error: Exception | None = None, began: Event | None = None) -> Any:
        """Add a number once."""

        def decide(transaction: Transaction, state: int, at: str) -> CommandEffect[int]:
            if began:
                began.set()
                assert self.hold.wait(PATIENT_SECONDS)
            if error:
                raise error
            (entry,) = transaction.append_entries([EntryDraft(at, "ann", "add", str(number), 0, 0)])
            return CommandEffect(state + number, entry.sequence, entry.sequence)

        return self.log.execute(LoggedCommand(key, "ann", {"add": number}, "sum"), decide)


@pytest.fixture
def tally(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Tally]:
    store = Store.open_or_create(f"sqlite:///{tmp_path / 'tally.db'}")
    yield Tally(store, monkeypatch)
    store.close()


def test_a_repeat_is_given_the_first_answer(tally: Tally) -> None:
    first, again = tally.add(3, "key-1"), tally.add(3, "key-1")
    assert (first.answer, first.state) == (again.answer, again.state)
    assert (first.effect is None, again.effect is None) == (False, True)
    with pytest.raises(IllegalActionError, check=refusal("key-used")):
        tally.add(4, "key-1")
    assert tally.kept == {"sum": 3}


@pytest.mark.parametrize(
    ("error", "raised"),
    [(WagerError("too much"), IllegalActionError), (ForbiddenActionError("too much"), ForbiddenActionError)],
)
def test_a_refusal_is_a_first_answer_but_a_fault_is_none(tally: Tally, error: Exception, raised: type) -> None:
    for _ in range(2):
        with pytest.raises(raised, match="too much") as caught:
            tally.add(3, "key-1", error)
        assert type(caught.value) is raised
    with pytest.raises(LedgerError, check=refusal("ledger")):
        tally.add(3, "key-2", LedgerError("unplugged"))
    assert tally.add(3, "key-2").state == 3


@pytest.mark.parametrize("fault", [None, LedgerError("unplugged")])
def test_commands_that_wait_together_share_a_transaction_and_one_that_fails_fails_alone(
    tally: Tally, fault: Exception | None
) -> None:
    began = Event()
    with ThreadPoolExecutor(6) as threads:
        first = threads.submit(tally.add, 1, "key-1", None, began)
        assert began.wait(PATIENT_SECONDS)
        others = [
            threads.submit(tally.add, 1, f"key-{number}", fault if number == 4 else None) for number in range(2, 7)
        ]
        wait_until(lambda: len(vars(tally.log)["_jobs"]) == len(others))
        tally.hold.set()
        wait([first, *others])
    assert [each.exception() for each in others].count(None) == (4 if fault else 5)
    assert tally.kept == {"sum": 5 if fault else 6}
    assert tally.writes == (2 + 5 if fault else 2)
    with tally.store.begin_read() as transaction:
        assert [answer.status for answer in transaction.read_answer_page()] == ["done"] * tally.kept["sum"]
