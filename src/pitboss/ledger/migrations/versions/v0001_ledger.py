"""The first tables of the ledger, and their triggers.

They are for entries, postings, contributions, answers, checkpoints, balances and credentials.
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

WHOLE = sa.BigInteger().with_variant(sa.Integer, "sqlite")
BEGINNING = f"'{'0' * 64}'"
APPEND_ONLY = ("entry", "posting", "contribution", "answer", "checkpoint")

# A row that is refused: its table, the trigger, in which case (a condition on the NEW row), and why.
REFUSALS = (
    (
        "entry",
        "follows",
        (
            "NEW.sequence <> 1 + coalesce((SELECT max(sequence) FROM entry), 0) OR NEW.previous <> "
            "coalesce((SELECT hash FROM entry WHERE sequence = NEW.sequence - 1), BEGINNING)"
        ),
        "an entry must follow the last one",
    ),
    (
        "entry",
        "balances",
        "(SELECT coalesce(sum(units), 0) FROM posting WHERE entry = NEW.sequence) <> 0",
        "the postings of an entry must add up to zero",
    ),
    *(
        (
            table,
            "precedes",
            "EXISTS (SELECT 1 FROM entry WHERE sequence = NEW.entry)",
            "nothing is added to an entry that stands",
        )
        for table in ("posting", "contribution")
    ),
    (
        "answer",
        "follows",
        (
            "NEW.number <> 1 + coalesce((SELECT max(number) FROM answer), 0) OR NEW.previous <> "
            "coalesce((SELECT hash FROM answer WHERE number = NEW.number - 1), BEGINNING)"
        ),
        "an answer must follow the last one",
    ),
)


def _table(name: str, *columns: sa.Column[int] | sa.Column[str]) -> None:
    op.create_table(name, *columns, sqlite_strict=True)


def _whole(name: str, *, key: bool = False, of: str = "", deferred: bool = True) -> sa.Column[int]:
    keys = [sa.ForeignKey(of, deferrable=deferred or None, initially="DEFERRED" if deferred else None)] if of else []
    return sa.Column(name, WHOLE, *keys, primary_key=key, nullable=False, autoincrement=False)


def _text(name: str, *, key: bool = False, unique: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.Text, primary_key=key, nullable=False, unique=unique)


def upgrade() -> None:
    """Make the tables and their triggers."""
    _table(
        "entry",
        _whole("sequence", key=True),
        *map(_text, ("at", "actor", "kind", "data")),
        *map(_whole, ("meter_units", "reserve_units")),
        *map(_text, ("software", "previous", "hash")),
    )
    _table(
        "posting",
        _whole("entry", key=True, of="entry.sequence"),
        _whole("line", key=True),
        *map(_text, ("account", "purpose")),
        _whole("units"),
    )
    _table(
        "contribution",
        *(_whole(name, key=True) for name in ("table_number", "round_number", "seat")),
        _whole("wager_cents"),
        _whole("entry", of="entry.sequence"),
    )
    op.create_index("ix_contribution_entry", "contribution", ["entry"])
    _table(
        "answer",
        _whole("number", key=True),
        _text("key", unique=True),
        *map(_text, ("command", "at", "actor", "status", "message")),
        *map(_whole, ("first", "last")),
        *map(_text, ("previous", "hash")),
    )
    _table(
        "checkpoint",
        _whole("entry", key=True, of="entry.sequence", deferred=False),
        *map(_text, ("head", "state", "signature")),
    )
    _table("balance", _text("account", key=True), _text("purpose", key=True), _whole("units"))
    _table("credential", _text("name", key=True), *map(_text, ("password", "totp")), _whole("last_code"))
    _table("attempt", _whole("number", key=True), _text("name"), _whole("at"))
    op.create_index("ix_attempt_name", "attempt", ["name"])
    _table("session", _text("token", key=True), _text("name"), *map(_whole, ("began", "used")))
    if op.get_bind().dialect.name == "sqlite":
        _sqlite_triggers()
    else:
        _postgresql_triggers()


def _sqlite_triggers() -> None:
    for table in APPEND_ONLY:
        for act in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER {table}_no_{act.lower()} BEFORE {act} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, '{table}: rows are only added'); END"
            )
    for table, name, case, why in REFUSALS:
        condition = case.replace("BEGINNING", BEGINNING)
        op.execute(
            f"CREATE TRIGGER {table}_{name} BEFORE INSERT ON {table} WHEN {condition.replace('BEGINNING', BEGINNING)} "
            f"BEGIN SELECT RAISE(ABORT, '{why}'); END"
        )


def _postgresql_triggers() -> None:
    for table in APPEND_ONLY:
        op.execute(
            f"CREATE FUNCTION {table}_only_added() RETURNS trigger LANGUAGE plpgsql AS "
            f"$$ BEGIN RAISE EXCEPTION '{table}: rows are only added'; END $$"
        )
        op.execute(
            f"CREATE TRIGGER {table}_only_added BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
            f"FOR EACH STATEMENT EXECUTE FUNCTION {table}_only_added()"
        )
    for table, name, case, why in REFUSALS:
        condition = case.replace("BEGINNING", BEGINNING)
        op.execute(
            f"CREATE FUNCTION {table}_{name}() RETURNS trigger LANGUAGE plpgsql AS "
            f"$$ BEGIN IF {condition} THEN RAISE EXCEPTION '{why}'; END IF; RETURN NEW; END $$"
        )
        op.execute(
            f"CREATE TRIGGER {table}_{name} BEFORE INSERT ON {table} FOR EACH ROW EXECUTE FUNCTION {table}_{name}()"
        )
