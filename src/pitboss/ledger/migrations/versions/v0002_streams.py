"""Streams: the numbered entries of each, and which of them are snapshots."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

WHOLE = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Create the table and its triggers."""
    op.create_table(
        "stream",
        sa.Column("name", sa.Text, primary_key=True, nullable=False),
        sa.Column("number", WHOLE, primary_key=True, nullable=False, autoincrement=False),
        sa.Column("entry", WHOLE, sa.ForeignKey("entry.sequence"), nullable=False, unique=True),
        sa.Column("whole", WHOLE, nullable=False),
        sqlite_strict=True,
    )
    if op.get_bind().dialect.name == "sqlite":
        for act in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER stream_no_{act.lower()} BEFORE {act} ON stream "
                "BEGIN SELECT RAISE(ABORT, 'stream: rows are only added'); END"
            )
        return
    op.execute(
        "CREATE FUNCTION stream_only_added() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'stream: rows are only added'; END $$"
    )
    op.execute(
        "CREATE TRIGGER stream_only_added BEFORE UPDATE OR DELETE OR TRUNCATE ON stream "
        "FOR EACH STATEMENT EXECUTE FUNCTION stream_only_added()"
    )
