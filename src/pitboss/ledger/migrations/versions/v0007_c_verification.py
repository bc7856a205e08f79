"""Keep failed verifications, and the addresses of failed log-ins."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

WHOLE = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Create the table and its triggers, and the column of places."""
    op.add_column("attempt", sa.Column("place", sa.Text, nullable=False, server_default=""))
    op.create_table(
        "verification",
        sa.Column("number", WHOLE, primary_key=True, nullable=False, autoincrement=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("code", sa.Text, nullable=False),
        sa.Column("message", sa.Text, nullable=False),
        sqlite_strict=True,
    )
    if op.get_bind().dialect.name == "sqlite":
        for act in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER verification_no_{act.lower()} BEFORE {act} ON verification "
                "BEGIN SELECT RAISE(ABORT, 'verification: rows are only added'); END"
            )
        return
    op.execute(
        "CREATE FUNCTION verification_only_added() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'verification: rows are only added'; END $$"
    )
    op.execute(
        "CREATE TRIGGER verification_only_added BEFORE UPDATE OR DELETE OR TRUNCATE ON verification "
        "FOR EACH STATEMENT EXECUTE FUNCTION verification_only_added()"
    )
