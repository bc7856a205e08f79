"""The open tables and who opened them, so that closed tables cost nothing."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

WHOLE = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Create the table of open tables and their openers.

    Staff opened the existing linked tables; the opener of any other is unknown.
    """
    op.create_table(
        "live",
        sa.Column("name", sa.Text, primary_key=True, nullable=False),
        sa.Column("opener", sa.Text, nullable=False),
        sa.Column("entry", WHOLE, sa.ForeignKey("entry.sequence"), nullable=False, unique=True),
        sqlite_strict=True,
    )
    op.create_index("ix_live_opener", "live", ["opener"])
    op.execute(
        "INSERT INTO live (name, opener, entry) "
        "SELECT name, CASE WHEN name LIKE 'linked-%' THEN 'house' ELSE '' END, entry "
        "FROM stream WHERE number = 1 AND name NOT LIKE '%/%'"
    )
