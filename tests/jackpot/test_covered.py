"""What is forged in the database is found, at a start and by ``verify``: credentials, sessions, answers, guards."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest
from argon2 import PasswordHasher

from jackpot.house import EXECUTIVE, appointed, settings
from jackpot.tellers import step
from ledger.databases import DATABASES, copy_ledger
from pitboss.jackpot.controller import Controller
from pitboss.jackpot.credential_rows import hash_token
from pitboss.jackpot.credentials import CredentialStore
from pitboss.jackpot.errors import ForbiddenError
from pitboss.jackpot.roles import Role
from pitboss.jackpot.staff_events import StaffChanged, StaffEnrolled, StaffEvent
from pitboss.ledger.chain import EntryDraft, compute_hash, to_canonical_json
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.signing import Signer
from pitboss.ledger.store import Store, Transaction
from pitboss.ledger.triggers import TRIGGERS, verify_triggers
from refusals import refusal

CHOSEN = "correct horse battery"
PEOPLE = {
    "dora": Role.DEALER,
    "dan": Role.DEALER,
    "sue": Role.SUPERVISOR,
    "sam": Role.SUPERVISOR,
    "eve": Role.EXECUTIVE,
}
CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


class Place(NamedTuple):
    """A ledger with its people and a session, and how somebody with all rights comes to its tables."""

    url: str
    store: Store
    signer: Signer
    controller: Controller
    staff: CredentialStore
    session: str

    def alter(self, *statements: str) -> None:
        """Change the tables past every guard."""
        if self.store.engine.dialect.name == "postgresql":
            with self.store.engine.begin() as connection:
                for statement in ("SET LOCAL session_replication_role = replica", *statements):
                    connection.exec_driver_sql(statement)
            return
        with closing(sqlite3.connect(self.url.removeprefix("sqlite:///"))) as file, file:
            guards = file.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
            for name, _ in guards:
                file.execute(f"DROP TRIGGER {name}")
            for statement in (*statements, *(sql for _, sql in guards)):
                file.execute(statement)

    def find(self, code: str) -> None:
        """Check that an alteration is found by the running controller and by every new one."""
        with pytest.raises(LedgerError) as by_verify:
            self.controller.verify()
        for _ in range(2):
            store = Store(self.url)
            with pytest.raises(LedgerError) as at_start:
                Controller(store, self.signer)
            store.close()
            assert (by_verify.value.code, at_start.value.code) == (code, code)


@pytest.fixture(params=DATABASES)
def place(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    monkeypatch.setattr("pitboss.jackpot.passwords.HASHER", CHEAP)
    url, session = copy_ledger(request.param, tmp_path, fill_place)
    store, signer = Store(url), Signer(tmp_path / "key")
    controller = Controller(store, signer)
    controller.verify()
    yield Place(url, store, signer, controller, CredentialStore(controller), session)
    store.close()


def fill_place(url: str, folder: Path) -> str:
    """Make a progressive with its people and three rounds; return a session."""
    store = Store.open_or_create(url)
    controller = Controller(store, Signer.load_or_create(folder / "key"))
    controller.create(settings(), EXECUTIVE.name)
    staff = CredentialStore(controller)
    for name, role in PEOPLE.items():
        code = appointed(controller, name, role)
        if name != "dan":  # who is invited and has not come yet
            staff.enrol(name, code, CHOSEN)
    session = staff.log_in(staff.authenticate(controller.state, "dora", CHOSEN))
    for number in range(3):
        controller.execute(*step(number), f"step-{number}")
    store.close()
    return session


OWN = CHEAP.hash("a password of the forger's own")
ALTERED = {
    "a password of the forger's own": "UPDATE credential SET password = 'OWN' WHERE name = 'sue'",
    "a password of somebody else": (
        "UPDATE credential SET password = (SELECT password FROM credential WHERE name = 'dora') WHERE name = 'eve'"
    ),
    "an authenticator of somebody else": (
        "UPDATE credential SET totp = (SELECT totp FROM credential WHERE name = 'sam') WHERE name = 'sue'"
    ),
    "no authenticator": "UPDATE credential SET totp = '' WHERE name = 'sue'",
    "a row of another name": "UPDATE credential SET name = 'zoe' WHERE name = 'eve'",
    "an invitation used by somebody else": "UPDATE credential SET password = 'OWN' WHERE name = 'dan'",
    "a person that nobody made": "INSERT INTO credential VALUES ('zoe', 'OWN', '', 0)",
    "a person taken away": "DELETE FROM credential WHERE name = 'max' OR name = 'sam'",
}
SESSIONS = {
    "a session that nobody began": "INSERT INTO session VALUES ('FORGED', 'eve', 1800000000, 1800000000)",
    "a session of somebody else": "UPDATE session SET name = 'eve'",
    "a session made longer": "UPDATE session SET began = began + 86400",
}


def fill(statement: str) -> str:
    """Put a hash of the forger's own password, and of a token, into a statement."""
    return statement.replace("OWN", OWN).replace("FORGED", hash_token("forged"))


@pytest.mark.parametrize("what", ALTERED)
def test_a_forged_credential_is_found(place: Place, what: str) -> None:
    place.alter(fill(ALTERED[what]))
    place.find("credential-changed")


@pytest.mark.parametrize("what", SESSIONS)
def test_a_forged_session_is_found(place: Place, what: str) -> None:
    place.alter(fill(SESSIONS[what]))
    place.find("session-forged")


def test_what_is_forged_while_the_server_runs_opens_nothing(place: Place) -> None:
    together = {**ALTERED, **SESSIONS}
    for what in ("a row of another name", "a person taken away"):
        del together[what]
    place.alter(*map(fill, together.values()))
    state = place.controller.refresh()
    for name in ("sue", "eve", "dan", "zoe"):
        with pytest.raises(ForbiddenError, check=refusal("wrong-proof")):
            place.staff.authenticate(state, name, "a password of the forger's own", "")
    with pytest.raises(ForbiddenError, check=refusal("session-ended")):
        place.staff.resume_session(state, "forged")
    assert not place.staff.is_session_live(state, "forged")
    assert place.staff.resume_session(state, place.session)[:2] == ("dora", Role.DEALER)  # whatever the row says


def forge_entries(transaction: Transaction, *events: StaffEvent) -> None:
    """Append entries as the program does, right to the hash, but without the key."""
    entry = list(transaction.read_entries())[-1]
    figures = (entry.meter_units, entry.reserve_units)
    drafts = (
        EntryDraft(entry.at, event.by, event.kind, to_canonical_json(event.model_dump(mode="json")), *figures)
        for event in events
    )
    transaction.append_entries(list(drafts))


def test_an_executive_made_by_forged_entries_is_found(place: Place) -> None:
    def forge(transaction: Transaction) -> None:
        made = StaffChanged(by="eve", name="zoe", role=Role.EXECUTIVE, active=True)
        forge_entries(transaction, made, StaffEnrolled(by="zoe", at=1, credential="f" * 64))

    place.store.run_write(forge)
    place.find("head-not-signed-here")


def rechain_answers(place: Place, change: Callable[[list[dict[str, object]]], object]) -> list[str]:
    """Return the statements that change answers and compute all their hashes again."""
    with place.store.begin_read() as transaction:
        answers = transaction.read_answer_page(0)
    rows = [answer._asdict() for answer in answers]
    change(rows)
    previous, statements = "0" * 64, ["DELETE FROM answer"]
    for row in rows:
        answer = answers[0]._replace(**row)._replace(previous=previous)
        previous = compute_hash(answer)
        values = (f"'{value}'" if isinstance(value, str) else str(value) for value in answer._replace(hash=previous))
        statements.append("INSERT INTO answer VALUES (ROW)".replace("ROW", ", ".join(values)))
    return statements


ANSWERS: dict[str, Callable[[list[dict[str, object]]], object]] = {
    "the last one": lambda rows: rows[-1].update(status="refused", first=0, last=0),
    "one in the middle": lambda rows: rows[2].update(first=1, last=1),
    "one taken away": lambda rows: rows.pop(),
    "one that answers another command": lambda rows: rows[-1].update(command="f" * 64),
}


@pytest.mark.parametrize("what", ANSWERS)
def test_answers_rewritten_with_all_their_hashes_are_found(place: Place, what: str) -> None:
    place.alter(*rechain_answers(place, ANSWERS[what]))
    place.find("head-not-signed-here")


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM signed_head",
        "UPDATE signed_head SET signature = '00'",
        "UPDATE signed_head SET head = head || ' '",
    ],
)
def test_a_signed_head_that_is_gone_or_altered_is_found(place: Place, statement: str) -> None:
    place.alter(statement)
    place.find("head-not-signed-here")


def no_op(dialect: str, guard: str) -> list[str]:
    """Return what replaces a guard by one of the same name that refuses nothing."""
    if dialect == "sqlite":
        text = TRIGGERS[dialect][guard]
        head = text.partition(" WHEN ")[0].partition(" BEGIN ")[0]
        return [f"DROP TRIGGER {guard}", f"{head} BEGIN SELECT 1; END"]
    return [
        f"CREATE OR REPLACE FUNCTION {guard}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$",
    ]


def swapped(place: Place, *statements: str) -> None:
    with place.store.engine.begin() as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)


def found_everywhere(place: Place, code: str, guard: str) -> None:
    """Check that a guard is found to be wrong by the running controller and by every start."""
    with pytest.raises(LedgerError, check=refusal(code, guard=guard)):
        place.controller.verify()
    with pytest.raises(LedgerError, check=refusal(code, guard=guard)):
        Store(place.url)


@pytest.mark.more
def test_every_guard_replaced_by_one_that_does_nothing_is_found(place: Place) -> None:
    dialect = place.store.engine.dialect.name
    for guard, text in TRIGGERS[dialect].items():
        swapped(place, *no_op(dialect, guard))
        found_everywhere(place, "guard-changed", guard)
        if dialect == "sqlite":
            swapped(place, f"DROP TRIGGER {guard}", text)
        else:
            body = text.partition(" plpgsql ")[2]
            restore = f"CREATE OR REPLACE FUNCTION {guard}() RETURNS trigger LANGUAGE plpgsql AS $$ {body} $$"
            swapped(place, restore)
        place.controller.verify()


WEAKENED = {
    "sqlite": {
        "CREATE TRIGGER more BEFORE INSERT ON entry BEGIN SELECT RAISE(IGNORE); END": ("guard-changed", "more"),
        "DROP TRIGGER entry_follows": ("guard-missing", "entry_follows"),
    },
    "postgresql": {
        "ALTER TABLE answer DISABLE TRIGGER answer_follows": ("guard-changed", "answer_follows"),
        "DROP TRIGGER entry_follows ON entry": ("guard-missing", "entry_follows"),
        "CREATE RULE more AS ON UPDATE TO entry DO INSTEAD NOTHING": ("guard-changed", "more"),
        "ALTER FUNCTION entry_follows() SET search_path = elsewhere": ("guard-changed", "entry_follows"),
        (
            "DROP TRIGGER entry_only_added ON entry;; CREATE TRIGGER entry_only_added BEFORE TRUNCATE ON entry "
            "FOR EACH STATEMENT EXECUTE FUNCTION entry_only_added()"
        ): ("guard-changed", "entry_only_added"),
    },
}


def test_a_guard_that_is_weakened_in_another_way_is_found(place: Place) -> None:
    for statements, (code, guard) in WEAKENED[place.store.engine.dialect.name].items():
        with place.store.engine.connect() as connection, connection.begin() as transaction:
            for statement in statements.split(";; "):
                connection.exec_driver_sql(statement)
            with pytest.raises(LedgerError, check=refusal(code, guard=guard)):
                verify_triggers(connection)
            transaction.rollback()
