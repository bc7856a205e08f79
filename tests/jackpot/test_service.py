"""The controller in its ledger: first answers, restarts, other processes, what is found when it was altered."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import sqlalchemy as sa
from hypothesis import Phase
from hypothesis import settings as effort
from hypothesis.stateful import precondition, rule, run_state_machine_as_test
from hypothesis.strategies import data as drawn
from hypothesis.strategies import integers, sampled_from

from jackpot.house import DEALER, EXECUTIVE, SUPERVISOR, appointed, settings
from jackpot.machine import STEPS, Machine, accepted, run_steps
from ledger.databases import DATABASES, copy_ledger, postgresql
from pitboss.jackpot import audit, command_execution, controller
from pitboss.jackpot.award_history import list_changed_hits, make_award_records
from pitboss.jackpot.commands import (
    CloseRound,
    ConfirmAward,
    EnterHit,
    OpenRound,
    PayAward,
    ProgressiveCommand,
)
from pitboss.jackpot.controller import Controller
from pitboss.jackpot.errors import ForbiddenError, RefusalError
from pitboss.jackpot.events import Adjustment, AdjustmentMade, AwardPaid, ProgressiveEvent, ProgressiveWager
from pitboss.jackpot.replay import apply_event
from pitboss.jackpot.roles import Actor, Role
from pitboss.jackpot.settings import Settings
from pitboss.jackpot.state import ProgressiveState
from pitboss.ledger.award_records import append_award_records
from pitboss.ledger.chain import EntryDraft, to_canonical_json
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.signed_head import write_signed_head
from pitboss.ledger.signing import Signer
from pitboss.ledger.store import Store, Transaction
from refusals import refusal


class Place(NamedTuple):
    """A ledger and how to come back to it."""

    url: str
    store: Store
    signer: Signer
    controller: Controller
    others: list[Store]

    def again(self) -> Controller:
        """Start another controller on the same ledger."""
        self.others.append(Store(self.url))
        return Controller(self.others[-1], self.signer)


@pytest.fixture(params=DATABASES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    """A progressive of two tables."""
    url, _ = copy_ledger(request.param, tmp_path, fill_place)
    store, signer = Store(url), Signer(tmp_path / "key")
    others = [store]
    yield Place(url, store, signer, Controller(store, signer), others)
    for each in others:
        each.close()


def fill_place(url: str, folder: Path) -> None:
    store = Store.open_or_create(url)
    Controller(store, Signer.load_or_create(folder / "key")).create(settings(tables=2), EXECUTIVE.name)
    store.close()


def coin_in(number: int = 1, table: int = 1, cents: int = 100) -> OpenRound:
    """Return COIN IN with two wagers."""
    return OpenRound(
        table=table, round=number, wagers=(ProgressiveWager(seat=1, cents=cents), ProgressiveWager(seat=4, cents=100))
    )


def a_round(controller: Controller) -> None:
    """Play a round with a straight flush."""
    for key, command, actor in (
        ("round-1-open", coin_in(), DEALER),
        ("round-1-hit", EnterHit(table=1, round=1, seat=4, hand="straight-flush", cards="9s 8s 7s 6s 5s"), DEALER),
        ("round-1-confirm", ConfirmAward(award=1), SUPERVISOR),
        ("round-1-pay", PayAward(award=1), DEALER),
        ("round-1-close", CloseRound(table=1, round=1), DEALER),
    ):
        controller.execute(command, actor, key)


def test_a_round_is_kept_and_found_again_by_another_process(place: Place) -> None:
    a_round(place.controller)
    other = place.again()
    assert other.state == place.controller.state
    assert other.verify().checked_entries == 7
    assert other.state.counts[1].paid_cents == 100_002


def test_a_repeat_is_given_the_first_answer_and_changes_nothing(place: Place) -> None:
    first = place.controller.execute(coin_in(), DEALER, "key-0001")
    for running in (place.controller, place.again()):
        again = running.execute(coin_in(), DEALER, "key-0001")
        assert (again.is_repeat, again.events, again.state) == (True, first.events, first.state)


def test_a_refusal_is_a_first_answer_too(place: Place) -> None:
    with pytest.raises(RefusalError, check=refusal("round-not-open", round=1, table=1)):
        place.controller.execute(CloseRound(table=1, round=1), DEALER, "key-0001")
    place.controller.execute(coin_in(), DEALER, "key-0002")
    with pytest.raises(RefusalError, check=refusal("round-not-open", round=1, table=1)):
        place.again().execute(CloseRound(table=1, round=1), DEALER, "key-0001")
    with pytest.raises(
        ForbiddenError, check=refusal("role-not-allowed", action="close", person="executive", role="executive")
    ):
        place.controller.execute(CloseRound(table=1, round=1), EXECUTIVE, "key-0003")
    with pytest.raises(ForbiddenError):
        place.again().execute(CloseRound(table=1, round=1), EXECUTIVE, "key-0003")
    assert place.again().state.rounds[1].running


def test_a_key_is_of_one_command_of_one_person(place: Place) -> None:
    place.controller.execute(coin_in(), DEALER, "key-0001")
    for command, actor in ((coin_in(table=2), DEALER), (coin_in(), SUPERVISOR)):
        with pytest.raises(RefusalError, check=refusal("key-used")):
            place.controller.execute(command, actor, "key-0001")


def test_two_controllers_see_what_the_other_has_done(place: Place) -> None:
    other = place.again()
    place.controller.execute(coin_in(), DEALER, "key-0001")
    other.execute(EnterHit(table=1, round=1, seat=1, hand="flush"), DEALER, "key-0002")
    assert place.controller.refresh() == other.state
    place.controller.execute(ConfirmAward(award=1), SUPERVISOR, "key-0003")
    with pytest.raises(RefusalError, check=refusal("award-not-pending", award=1, step="confirmed")):
        other.execute(ConfirmAward(award=1), EXECUTIVE, "key-0004")


@pytest.mark.parametrize("change", [{"role": Role.AUDITOR}, {"role": Role.DEALER, "active": False}])
def test_a_role_that_ends_while_a_command_waits_its_turn_ends_for_it_too(place: Place, change: dict[str, Any]) -> None:
    dora = Actor("dora", Role.DEALER)
    appointed(place.controller, "dora", Role.DEALER)
    place.controller.execute(OpenRound(table=1, round=1, wagers=(ProgressiveWager(seat=1, cents=100),)), dora, "before")
    appointed(place.again(), "dora", **change)  # in another process
    with pytest.raises(ForbiddenError, check=refusal("role-ended", person="dora", role="dealer")):
        place.controller.execute(CloseRound(table=1, round=1), dora, "after")
    assert place.controller.refresh().rounds[1].running


def test_a_contribution_out_of_range_is_refused_and_closes_its_table(place: Place) -> None:
    with pytest.raises(RefusalError, check=refusal("above-limit", cents=50000, seat=1, table=1, incident=1)):
        place.controller.execute(coin_in(cents=50_000), DEALER, "key-0001")
    with pytest.raises(
        RefusalError,
        check=refusal("table-closed", incident=1, table=1, text="seat 1 wagers $500.00: the wager is $1.00"),
    ):
        place.again().execute(coin_in(), DEALER, "key-0002")
    place.again().execute(coin_in(table=2), DEALER, "key-0003")


def test_a_progressive_is_set_up_once(place: Place) -> None:
    with pytest.raises(RefusalError, check=refusal("ledger-exists")):
        place.again().create(settings(), "eve")


def test_a_start_goes_on_from_a_signed_checkpoint(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(controller, "CHECKPOINT_EVERY", 5)
    a_round(place.controller)
    assert place.again().verify().checked_entries == 7
    started = place.again()
    with place.store.begin_read() as transaction:
        assert transaction.list_checkpoints() == [7]
    assert audit.audit_ledger(place.store, place.signer).checked_entries == 0
    assert started.state == place.controller.state


def test_a_checkpoint_of_another_key_is_not_believed(place: Place, tmp_path: Path) -> None:
    a_round(place.controller)
    forged = audit.make_checkpoint(place.controller.verify(), Signer.load_or_create(tmp_path / "forged"))
    place.store.run_write(lambda transaction: transaction.append_checkpoint(forged))
    with pytest.raises(LedgerError, check=refusal("checkpoint-not-signed", entry=7)):
        place.again()


def test_no_command_is_written_that_breaks_an_identity(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command_execution, "find_violations", lambda _state: ("meter and its account: 5 is not 4",))
    with pytest.raises(LedgerError, check=refusal("broken-invariant", fault="meter and its account: 5 is not 4")):
        place.controller.execute(coin_in(), DEALER, "key-0001")
    monkeypatch.undo()
    assert place.again().state.rounds == {}


def unguarded(place: Place, *statements: str) -> None:
    """Alter the database as somebody could who has all rights."""
    if place.store.engine.dialect.name == "postgresql":
        with place.store.engine.begin() as connection:
            for statement in ("SET LOCAL session_replication_role = replica", *statements):
                connection.exec_driver_sql(statement)
        return
    with closing(sqlite3.connect(place.url.removeprefix("sqlite:///"))) as file, file:
        guards = file.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in guards:
            file.execute(f"DROP TRIGGER {name}")
        for statement in (*statements, *(sql for _, sql in guards)):
            file.execute(statement)


ALTERED = {
    "UPDATE entry SET actor = 'eve' WHERE sequence = 3": "entry 3 is not what was written",
    "UPDATE entry SET meter_units = meter_units + 1 WHERE sequence = 3": "entry 3 is not what was written",
    "UPDATE posting SET units = units + 1 WHERE entry = 3 AND line = 1": "entry 3 is not what was written",
    "UPDATE contribution SET wager_cents = 200 WHERE seat = 4": "entry 3 is not what was written",
    "DELETE FROM entry WHERE sequence = 4": "entry 4 is missing",
    "DELETE FROM balance WHERE account = 'payable' AND purpose = 'paid'": "balance payable:paid is stored as 0",
    "UPDATE balance SET units = units + 1 WHERE account = 'meter' AND purpose = 'seed'": "balance meter:seed",
    "UPDATE answer SET message = 'no' WHERE number = 2": "answer 2 is not what was written",
    "DELETE FROM answer WHERE number = 2": "answer 2 is missing",
    "UPDATE award_record SET step = 'cancelled' WHERE entry = 6": "the records of awards do not follow from entry 6",
    "UPDATE award_record SET data = '{}' WHERE entry = 4": "the records of awards do not follow from entry 4",
    "DELETE FROM award_record WHERE entry = 5": "the records of awards do not follow from entry 5",
    "INSERT INTO award_record VALUES (2, 7, 1, 1, 'paid', '{}')": "the records of awards do not follow from entry 7",
}


@pytest.mark.parametrize(("statement", "found"), ALTERED.items())
def test_what_was_altered_keeps_the_tables_closed(place: Place, statement: str, found: str) -> None:
    a_round(place.controller)
    unguarded(place, statement)
    for _ in range(2):
        with pytest.raises(LedgerError, match=found):
            place.again()


def false(event: ProgressiveEvent, state: ProgressiveState, **changes: Any) -> EntryDraft:
    """Return an entry that somebody could write who knows how the chain is made."""
    right = EntryDraft(
        at="2026-01-01T00:00:00.000000+00:00",
        actor=event.by,
        kind=event.kind,
        data=to_canonical_json(event.model_dump(mode="json")),
        meter_units=state.meter_units,
        reserve_units=state.reserve_units,
        postings=audit.make_ledger_postings(event),
        contributions=audit.list_contributions(event),
    )
    return right._replace(**changes)


PAID = AwardPaid(by="eve", award=1, cents=5)
STOLEN = Adjustment(account="meter", cents=-2_000_000, reason="malfunction", text="as counted")
FALSE: dict[str, tuple[ProgressiveEvent, dict[str, Any]]] = {
    "entry 8 cannot be replayed": (PAID, {"data": "{}"}),
    "entry 8: the meter is": (PAID, {"meter_units": 5}),
    "entry 8 has postings that do not follow from it": (PAID, {"postings": ()}),
    "payable and its hits": (PAID, {}),
    "the meter is below zero": (AdjustmentMade(by="eve", requested_by="sue", request=1, adjustment=STOLEN), {}),
}


@pytest.mark.parametrize("found", FALSE)
def test_an_entry_that_is_chained_but_false_is_found(place: Place, found: str) -> None:
    a_round(place.controller)
    event, changes = FALSE[found]
    before = place.controller.state
    state = apply_event(before, event) if "below" in found else before

    def write(transaction: Transaction) -> None:
        (entry,) = transaction.append_entries([false(event, state, **changes)])
        hits = list_changed_hits(before, event, apply_event(before, event), {})
        append_award_records(transaction, make_award_records(hits, entry.sequence))

    place.store.run_write(write)
    with pytest.raises(LedgerError, match=found):
        place.again()


def test_the_whole_check_finds_a_false_entry_behind_a_signed_checkpoint(place: Place) -> None:
    a_round(place.controller)
    event = FALSE["the meter is below zero"][0]
    state = apply_event(place.controller.state, event)
    place.store.run_write(lambda transaction: transaction.append_entries([false(event, state)]))
    with pytest.raises(LedgerError, check=refusal("broken-invariant", sequence=8)):
        audit.audit_ledger(place.store, place.signer, full=True)


def test_a_checkpoint_that_is_not_the_state_there_is_found(place: Place) -> None:
    before = place.controller.verify()
    a_round(place.controller)
    wrong = audit.make_checkpoint(place.controller.verify()._replace(state=before.state), place.signer)
    place.store.run_write(lambda transaction: transaction.append_checkpoint(wrong))
    with pytest.raises(LedgerError, check=refusal("checkpoint-changed", sequence=7)):
        audit.audit_ledger(place.store, place.signer, full=True)


def test_a_guard_that_was_taken_away_is_missed(place: Place) -> None:
    with place.store.engine.begin() as connection:
        on = " ON entry" if connection.dialect.name == "postgresql" else ""
        connection.exec_driver_sql(f"DROP TRIGGER entry_balances{on}")
    with pytest.raises(LedgerError, check=refusal("guard-missing", guard="entry_balances")):
        place.again()


def test_rows_of_no_entry_are_found_by_the_whole_check(place: Place) -> None:
    a_round(place.controller)
    unguarded(place, "INSERT INTO contribution VALUES (1, 2, 1, 100, 99)")
    with pytest.raises(LedgerError, check=refusal("parts-left-over")):
        place.again().verify()


def test_a_tail_that_was_cut_is_found_by_the_head_that_was_exported(place: Place) -> None:
    a_round(place.controller)
    with place.store.begin_read() as transaction:
        head = transaction.get_head()
    place.again().verify(head)
    unguarded(
        place,
        "DELETE FROM answer WHERE number = 5",
        "DELETE FROM posting WHERE entry = 7",
        "DELETE FROM entry WHERE sequence = 7",
        "DELETE FROM balance WHERE purpose = 'envy'",
    )
    with pytest.raises(LedgerError, check=refusal("head-not-signed-here", sequence=6)):
        place.again()
    place.store.run_write(lambda transaction: write_signed_head(transaction, place.signer))  # as an old copy has it
    assert place.again().verify().checked_entries == 6  # by itself it looks like a ledger that has not come further
    with pytest.raises(LedgerError, check=refusal("other-ledger", sequence=7)):
        place.again().verify(head)
    with pytest.raises(LedgerError, check=refusal("entry-missing", sequence=7)):
        place.controller.execute(coin_in(2), DEALER, "key-0009")  # it remembers where the chain ended


def test_the_role_of_the_page_plays_and_cannot_change_an_entry(tmp_path: Path) -> None:
    url = postgresql(tmp_path)
    owner, signer = Store.open_or_create(url), Signer.load_or_create(tmp_path / "key")
    Controller(owner, signer).create(settings(), EXECUTIVE.name)
    page = (Path(__file__).parents[2] / "docs" / "jackpot.md").read_text(encoding="utf-8")
    with owner.engine.begin() as connection:
        connection.exec_driver_sql("DROP ROLE IF EXISTS floor")
        for statement in page.partition("```sql\n")[2].partition("```")[0].splitlines():
            connection.exec_driver_sql(statement)
    store = Store(sa.make_url(url).set(username="floor").render_as_string(hide_password=False))
    controller = Controller(store, signer)
    a_round(controller)
    for act in ("UPDATE entry SET actor = 'eve'", "DELETE FROM posting", "TRUNCATE answer"):
        with pytest.raises(sa.exc.ProgrammingError, match="permission denied"), store.engine.begin() as connection:
            connection.exec_driver_sql(act)
    store.close()
    with owner.engine.begin() as connection:
        connection.exec_driver_sql("DROP OWNED BY floor")
        connection.exec_driver_sql("DROP ROLE floor")
    owner.close()


def test_the_clock_is_a_parameter(tmp_path: Path) -> None:
    store = Store.open_or_create("sqlite://")
    controller = Controller(store, Signer.load_or_create(tmp_path / "key"), lambda: datetime(2026, 1, 1, tzinfo=UTC))
    controller.create(settings(), EXECUTIVE.name)
    with store.begin_read() as transaction:
        assert {entry.at for entry in transaction.read_entries()} == {"2026-01-01T00:00:00.000000+00:00"}
    store.close()


def memory_of(store: Store) -> sqlite3.Connection:
    """Return the one connection that a thread has to a store in memory."""
    with store.engine.connect() as connection:
        held = connection.connection.dbapi_connection
    assert isinstance(held, sqlite3.Connection)
    return held


class Kept(Machine):
    """The controller on an SQLite in memory: commands come twice, the process ends, a commit fails."""

    signer: Signer
    store: Store
    empty: sqlite3.Connection
    failing = False
    number = 0
    started = 0

    def start(self, terms: Settings) -> None:
        self.empty.backup(memory_of(self.store))
        sa.event.listen(self.store.engine, "commit", self._commit)
        self.controller = Controller(self.store, self.signer)
        self.state = self.controller.create(terms, EXECUTIVE.name)
        self.sent: list[tuple[ProgressiveCommand, Actor, str, bool]] = []

    def teardown(self) -> None:
        if hasattr(self, "controller"):
            sa.event.remove(self.store.engine, "commit", self._commit)

    def _commit(self, _connection: Any) -> None:
        if self.failing:
            self.failing = False
            raise sa.exc.OperationalError("COMMIT", {}, OSError("the link is lost"))

    def give(self, command: ProgressiveCommand, actor: Actor) -> bool:
        self.number += 1
        return self.sent_with(command, actor, f"key-{self.number}")

    def sent_with(self, command: ProgressiveCommand, actor: Actor, key: str) -> bool:
        """Send a command with a key."""

        def attempt() -> None:
            self.controller.execute(command, actor, key)

        done = accepted(attempt)
        self.sent.append((command, actor, key, done))
        self.state = self.controller.state
        return done

    @precondition(lambda self: self.sent)
    @rule(choice=drawn())
    def a_command_comes_again(self, choice: Any) -> None:
        command, actor, key, done = self.sent[choice.draw(integers(0, len(self.sent) - 1))]
        before = self.state
        assert self.sent_with(command, actor, key) == done
        assert self.state == before

    @precondition(lambda self: len(self.sent) > self.started)
    @rule()
    def the_process_ends_and_starts_again(self) -> None:
        before = self.controller.state
        self.started = len(self.sent)
        self.controller = Controller(self.store, self.signer)
        assert self.controller.state == before

    @precondition(lambda self: any(hit.step == "confirmed" for hit in self.model.won.values()))
    @rule(choice=drawn())
    def a_payment_is_not_committed_and_sent_again(self, choice: Any) -> None:
        award = choice.draw(sampled_from(self.confirmed_awards()))
        before = self.controller.state
        self.failing = True
        self.number += 1
        with pytest.raises(LedgerError, check=refusal("database-unreachable")):
            self.controller.execute(PayAward(award=award), DEALER, f"key-{self.number}")
        assert Controller(self.store, self.signer).state == before
        assert self.sent_with(PayAward(award=award), DEALER, f"key-{self.number}")
        self.model.won[award].step = "paid"
        self.model.bank -= self.model.won[award].cents


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[type[Kept]]:
    """The machine, with a key to sign with and a ledger whose tables were made once."""
    Kept.signer = Signer.load_or_create(tmp_path / "key")
    Kept.store = Store.open_or_create("sqlite://")
    with closing(sqlite3.connect(":memory:")) as Kept.empty:
        memory_of(Kept.store).backup(Kept.empty)
        yield Kept
    Kept.store.close()


@pytest.mark.more
def test_the_controller_agrees_with_the_model(kept: type[Kept]) -> None:
    run_steps(kept, 30 * STEPS)


@pytest.mark.long
def test_the_controller_agrees_with_the_model_for_half_a_million_steps(kept: type[Kept]) -> None:
    run_steps(kept, 500_000)


def no_idempotency(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Transaction, "find_answer", lambda _self, _key: None)
    patch.setattr(Transaction, "append_answer", lambda _self, answer: answer)


def written_in_two_transactions(patch: pytest.MonkeyPatch) -> None:
    right = Transaction.append_entries

    def wrong(self: Transaction, drafts: Any) -> Any:
        entries = right(self, drafts)
        self.connection.exec_driver_sql("COMMIT")
        self.connection.exec_driver_sql("BEGIN IMMEDIATE")
        return entries

    patch.setattr(Transaction, "append_entries", wrong)


@pytest.mark.parametrize("spoil", [no_idempotency, written_in_two_transactions])
def test_a_fault_of_the_service_that_was_planted_is_found(
    spoil: Any, kept: type[Kept], monkeypatch: pytest.MonkeyPatch
) -> None:
    spoil(monkeypatch)
    search = effort(max_examples=40, stateful_step_count=STEPS, deadline=None, phases=[Phase.generate])
    with pytest.raises((AssertionError, LedgerError, ExceptionGroup)):
        run_state_machine_as_test(kept, settings=search)


def test_a_state_is_written_in_one_way(place: Place) -> None:
    a_round(place.controller)
    text = audit.serialize_state(place.controller.state)
    assert audit.serialize_state(ProgressiveState.model_validate_json(text)) == text
