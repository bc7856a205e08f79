"""The triggers that guard the record: what each says, and a check that it does.

The text of a trigger is compared, not its name alone: one that does nothing may have the name of one that refuses.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import sqlalchemy as sa

from pitboss.ledger.chain import GENESIS_HASH
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.schema import APPEND_ONLY_TABLES

_STATEMENT_BEFORE_CHANGE = 2 + 8 + 16 + 32  # PostgreSQL's bits: BEFORE, DELETE, UPDATE, TRUNCATE
_ROW_BEFORE_INSERT = 1 + 2 + 4  # ROW, BEFORE, INSERT


class _Refusal(NamedTuple):
    """A refused row: its table, the trigger's name, a condition on NEW, and why."""

    table: str
    name: str
    condition: str
    why: str


_FOLLOWS = (
    "NEW.NUMBER <> 1 + coalesce((SELECT max(NUMBER) FROM RECORD), 0) OR NEW.previous <> "
    "coalesce((SELECT hash FROM RECORD WHERE NUMBER = NEW.NUMBER - 1), 'GENESIS')"
)


def _follows(table: str, number: str) -> str:
    return _FOLLOWS.replace("RECORD", table).replace("NUMBER", number).replace("GENESIS", GENESIS_HASH)


_STANDS = "EXISTS (SELECT 1 FROM entry WHERE sequence = NEW.entry)"
_REFUSALS = (
    _Refusal("entry", "follows", _follows("entry", "sequence"), "an entry must follow the last one"),
    _Refusal(
        "entry",
        "balances",
        "(SELECT coalesce(sum(units), 0) FROM posting WHERE entry = NEW.sequence) <> 0",
        "the postings of an entry must add up to zero",
    ),
    _Refusal("posting", "precedes", _STANDS, "nothing is added to an entry that stands"),
    _Refusal("contribution", "precedes", _STANDS, "nothing is added to an entry that stands"),
    _Refusal("answer", "follows", _follows("answer", "number"), "an answer must follow the last one"),
    _Refusal(
        "verification",
        "follows",
        "NEW.number <> 1 + coalesce((SELECT max(number) FROM verification), 0)",
        "a verification must follow the last one",
    ),
)


def _iter_sqlite() -> Iterator[tuple[str, str]]:
    for table in APPEND_ONLY_TABLES:
        for act in ("UPDATE", "DELETE"):
            name = f"{table}_no_{act.lower()}"
            body = f"BEGIN SELECT RAISE(ABORT, '{table}: rows are only added'); END"
            yield name, f"CREATE TRIGGER {name} BEFORE {act} ON {table} {body}"
    for each in _REFUSALS:
        name = f"{each.table}_{each.name}"
        body = f"BEGIN SELECT RAISE(ABORT, '{each.why}'); END"
        yield name, f"CREATE TRIGGER {name} BEFORE INSERT ON {each.table} WHEN {each.condition} {body}"


def _iter_postgresql() -> Iterator[tuple[str, str]]:
    for table in APPEND_ONLY_TABLES:
        body = f"BEGIN RAISE EXCEPTION '{table}: rows are only added'; END"
        yield f"{table}_only_added", f"{table} {_STATEMENT_BEFORE_CHANGE} plpgsql {body}"
    for each in _REFUSALS:
        body = f"BEGIN IF {each.condition} THEN RAISE EXCEPTION '{each.why}'; END IF; RETURN NEW; END"
        yield f"{each.table}_{each.name}", f"{each.table} {_ROW_BEFORE_INSERT} plpgsql {body}"


TRIGGERS: Mapping[str, Mapping[str, str]] = {"sqlite": dict(_iter_sqlite()), "postgresql": dict(_iter_postgresql())}
"""What each trigger must say, by database and name."""

_READ_TRIGGERS = {
    "sqlite": "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'",
    "postgresql": (
        "SELECT tgname, relname || ' ' || tgtype || ' ' || lanname || ' ' || btrim(prosrc) "
        "|| CASE WHEN tgenabled = 'O' AND tgqual IS NULL AND proconfig IS NULL THEN '' ELSE ' not always' END "
        "FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid JOIN pg_proc ON pg_proc.oid = tgfoid "
        "JOIN pg_language ON pg_language.oid = prolang "
        "WHERE NOT tgisinternal AND relnamespace = current_schema()::regnamespace "
        "UNION ALL SELECT rulename, definition FROM pg_rules WHERE schemaname = current_schema()"
    ),
}


def verify_triggers(connection: sa.Connection) -> None:
    """Check that the triggers that refuse writes are in place, and no others.

    Raises:
        LedgerError: a trigger is missing, says something else than it should, or was added.
    """
    name = connection.dialect.name
    required = TRIGGERS[name]
    present = {row[0]: str(row[1]) for row in connection.exec_driver_sql(_READ_TRIGGERS[name])}
    for trigger in sorted({*required, *present}):
        if trigger not in present:
            raise LedgerError(
                f"the trigger {trigger} is missing; the tables stay closed", code="guard-missing", guard=trigger
            )
        if required.get(trigger) != present[trigger]:
            raise LedgerError(
                f"the trigger {trigger} is not the one that guards the ledger; the tables stay closed",
                code="guard-changed",
                guard=trigger,
            )
