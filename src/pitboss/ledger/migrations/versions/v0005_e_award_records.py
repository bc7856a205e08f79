"""The records of awards, so that each is found however long ago it was.

The controller fills the table of an older ledger when it first opens it: only it can replay the entries.
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

WHOLE = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Create the table and its triggers."""
    op.create_table(
        "award_record",
        sa.Column("award", WHOLE, primary_key=True, nullable=False, autoincrement=False),
        sa.Column("entry", WHOLE, sa.ForeignKey("entry.sequence"), primary_key=True, nullable=False),
        sa.Column("table_number", WHOLE, nullable=False),
        sa.Column("round_number", WHOLE, nullable=False),
        sa.Column("step", sa.Text, nullable=False),
        sa.Column("data", sa.Text, nullable=False),
        sqlite_strict=True,
    )
    op.create_index("ix_award_record_round", "award_record", ["table_number", "round_number"])
    op.create_index("ix_award_record_entry", "award_record", ["entry"])
    if op.get_bind().dialect.name == "sqlite":
        for act in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER award_record_no_{act.lower()} BEFORE {act} ON award_record "
                "BEGIN SELECT RAISE(ABORT, 'award_record: rows are only added'); END"
            )
        return
    op.execute(
        "CREATE FUNCTION award_record_only_added() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'award_record: rows are only added'; END $$"
    )
    op.execute(
        "CREATE TRIGGER award_record_only_added BEFORE UPDATE OR DELETE OR TRUNCATE ON award_record "
        "FOR EACH STATEMENT EXECUTE FUNCTION award_record_only_added()"
    )
